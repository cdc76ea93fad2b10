"""What carries over from deal to deal: session, players, seating; also when an end is taken back."""

from dataclasses import replace

import pytest
from deal_players import signed_proposal

import engine
from engine import Ruleset, Seat, State, new_deal
from p2p.protocol.deal_terms import DealTerms, Setup
from p2p.protocol.effects import Finished, Outcome, Stopped, Void
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.evidence import FORK, Evidence
from p2p.protocol.succession import Succession
from p2p.protocol.wire import encode

ORDER = (2, 0, 3, 1)
"""How all four sit, in table seats."""


class Table:
    """Deals that end as a test says; all seats are table seats."""

    def __init__(self, **options: object) -> None:
        rules = Ruleset.preset("pagat").with_(**{"session": "to_n_losses", "session_losses": 1, **options})
        self.terms = DealTerms.first(signed_proposal(4, rules))
        self.succession = Succession(self.terms.table)
        self.order = ORDER
        self.last: tuple[DealTerms, Outcome, State | None] | None = None

    def finished(self, loser: int, *out: int) -> None:
        """The deal is played: these leave it in this order."""
        terms = self.terms
        place = {seat: Seat(terms.players.index(seat)) for seat in terms.players}
        setup = terms.setup or Setup(
            tuple(place[seat] for seat in self.order if seat in place), place[out[0]]
        )
        rules = terms.table.ruleset_for(len(terms.players))
        game = new_deal(rules, tuple(Seat(seat) for seat in setup.order), Seat(setup.dealer))
        game = replace(game, phase=engine.Phase.OVER, turn=None, out=tuple(place[seat] for seat in out))
        assert game.loser == place[loser]
        self.end(Finished(60, bytes([terms.deal]) * 32, game.loser, game.winner), game)

    def void(self, seat: int) -> None:
        """The deal is broken by a seat."""
        place = self.terms.players.index(seat)
        self.end(Void(5, Seat(place), FORK, Evidence(place, FORK, self.terms, (), ())))

    def end(self, outcome: Outcome, game: State | None = None) -> None:
        """The deal has this end, whatever was known of its end before."""
        self.succession.take(self.terms, outcome, game)
        self.last = (self.terms, outcome, game)

    @property
    def next(self) -> DealTerms:
        """The terms of the next deal."""
        assert self.last is not None
        terms = self.succession.terms_after(*self.last)
        assert terms is not None
        terms.verify()
        return terms

    def go_on(self) -> None:
        """The next deal begins."""
        self.terms, self.last = self.next, None

    @property
    def seating(self) -> tuple[tuple[int, ...], int] | None:
        """How the players of the next deal sit, and who deals it."""
        terms = self.next
        if terms.setup is None:
            return None
        return tuple(terms.players[seat] for seat in terms.setup.order), terms.players[terms.setup.dealer]


def test_who_is_tied_plays_on_and_then_all_sit_as_before() -> None:
    table = Table()
    table.finished(1, 2, 0, 3)
    standings = table.succession.standings(table.terms)
    assert (standings.losers, standings.best) == ((1,), (0, 2, 3))
    # Seat 2 dealt; after it in the order come 0, 3 and 1.
    assert (table.next.players, table.seating) == ((0, 2, 3), ((2, 0, 3), 0))
    assert not table.succession.settles_tie(table.terms)
    table.go_on()
    assert table.succession.settles_tie(table.terms)
    assert table.succession.standings(table.terms) == standings
    table.finished(0, 3, 2)
    assert table.succession.standings(table.terms).best == (3,)
    assert (table.next.players, table.seating) == ((0, 1, 2, 3), (ORDER, 3))
    table.go_on()
    assert table.succession.standings(table.terms).losses == (0, 0, 0, 0)


def test_a_dealer_who_does_not_play_hands_on_to_the_next_who_does() -> None:
    table = Table(session_losses=2, next_dealer="loser")
    for loser, *out in ((2, 0, 1, 3), (2, 0, 1, 3)):
        table.finished(loser, *out)
        table.go_on()
    assert table.terms.players == (0, 1, 3)
    assert [table.terms.players[seat] for seat in table.terms.setup.order] == [0, 3, 1]
    assert table.terms.players[table.terms.setup.dealer] == 0


def test_an_end_that_is_taken_back_takes_its_session_back() -> None:
    table = Table()
    table.finished(1, 2, 0, 3)
    first, finished = table.next, table.last
    table.void(0)
    standings = table.succession.standings(table.terms)
    assert (standings.losses, standings.wins) == ((1, 0, 0, 0), (0, 0, 0, 0))
    assert (standings.losers, standings.best) == ((0,), (1, 2, 3))
    # They have not sat together in a deal that counts, so they draw for it.
    assert (table.next.players, table.seating) == ((1, 2, 3), None)
    table.end(Stopped(5))
    assert not table.succession.standings(table.terms).over
    assert (table.next.players, table.next.setup) == ((0, 1, 2, 3), None)
    table.end(*finished[1:])
    assert table.next == first
    assert table.succession.standings(table.terms).losers == (1,)


def test_an_end_taken_back_after_the_next_deal_began_is_taken_back_there_too() -> None:
    table = Table(session="count_losses", session_losses=3)
    table.finished(1, 2, 0, 3)
    before = table.terms
    table.go_on()
    table.finished(3, 2, 0, 1)
    assert table.succession.standings(table.terms).losses == (0, 1, 0, 1)
    table.succession.take(before, Stopped(5), None)
    assert table.succession.standings(table.terms).losses == (0, 0, 0, 1)
    assert table.succession.standings(before).losses == (0, 0, 0, 0)


def test_who_breaks_a_tie_break_is_out_of_it_and_the_last_one_left_is_the_best() -> None:
    table = Table()
    table.finished(1, 2, 0, 3)
    table.go_on()
    table.void(2)
    assert (table.next.players, table.seating) == ((0, 3), ((0, 3), 0))
    table.go_on()
    table.end(Stopped(7))
    assert (table.next.players, table.next.setup) == (table.terms.players, table.terms.setup)
    table.go_on()
    table.void(0)
    assert table.succession.standings(table.terms).best == (3,)
    assert (table.next.players, table.seating) == ((0, 1, 2, 3), (ORDER, 0))


def test_who_has_gone_plays_off_no_tie() -> None:
    table = Table()
    table.finished(1, 2, 0, 3)
    table.succession.leave_out(0, frozenset({0}))
    assert table.next.players == (2, 3)
    table.succession.leave_out(0, frozenset({0, 3}))
    assert table.succession.standings(table.terms).best == (2,)
    assert (table.next.players, table.seating) == ((1, 2), ((2, 1), 1))
    table.go_on()
    assert not table.succession.settles_tie(table.terms)
    assert table.succession.standings(table.terms).losses == (0, 0, 0, 0)


def test_members_who_saw_different_seats_break_a_deal_go_on_where_it_makes_no_difference() -> None:
    def heads(**options: object) -> set[bytes]:
        found = set()
        for seat in (0, 3):
            table = Table(**options)
            table.void(seat)
            found.add(table.next.first_head)
        return found

    assert len(heads(session_losses=3)) == 1
    assert len(heads(session="count_losses", session_losses=3)) == 1
    # Here either loss ends the session, and others would play off the tie.
    assert len(heads(session_losses=1)) == 2


@pytest.mark.parametrize("field", ["players", "losers", "winner", "at_table", "order"])
def test_a_note_of_a_seat_that_the_table_does_not_have_is_refused(field: str) -> None:
    note = {"players": (0, 1), "losers": (1,), "winner": 0, "at_table": (0, 1), "order": (0, 1)}
    note[field] = 11 if field == "winner" else (0, 11)
    succession = Succession(signed_proposal(2).open())
    with pytest.raises(MalformedMessage):
        succession.recall(1, encode(tuple(note.values())))


@pytest.mark.parametrize("field", ["players", "losers", "at_table", "order", "gone"])
def test_a_note_in_which_a_seat_stands_twice_is_refused(field: str) -> None:
    note = {"players": (0, 1), "losers": (1,), "winner": 0, "at_table": (0, 1), "order": (0, 1), "gone": ()}
    succession = Succession(signed_proposal(2).open())
    succession.recall(1, encode(tuple(note.values())))
    with pytest.raises(MalformedMessage):
        succession.recall(1, encode(tuple({**note, field: (0, 0)}.values())))


@pytest.mark.parametrize("field", ["players", "losers", "at_table", "gone"])
def test_a_note_with_seats_in_disorder_is_refused(field: str) -> None:
    note = {"players": (0, 1), "losers": (1,), "winner": 0, "at_table": (0, 1), "order": (1, 0), "gone": ()}
    succession = Succession(signed_proposal(2).open())
    with pytest.raises(MalformedMessage):
        succession.recall(1, encode(tuple({**note, field: (1, 0)}.values())))
