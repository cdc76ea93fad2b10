"""Silence, and what all others make of it: races and hold-outs of polls, in virtual time."""

import json

from absence_table import GRACE_S, WAIT, but, deal_of, on_turn, playing
from memory_table import MemoryNetwork, Player
from poll_liar import checked, ended_without, lead, sealed

from p2p.protocol.ballot import (
    AbsentAnswer,
    Ballot,
    HereAnswer,
    Poll,
    SignedBallot,
    sign_ballot,
)
from p2p.protocol.effects import Absent, Effect, Store
from p2p.protocol.entry import Kind
from p2p.protocol.errors import TranscriptProblem
from p2p.protocol.messages import Ballots, Entries, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.poll_bounds import BALLOTS_PER_SEAT
from p2p.protocol.snapshot import Phase
from p2p.protocol.table_rules import TableRules
from p2p.protocol.transcript_tail import tail_line


class Gossip:
    """Lets nothing of the author through but to those who are let in, whoever would pass it on."""

    def __init__(self, network: MemoryNetwork, author: Player) -> None:
        self.seat = author.table.own_seat
        self.step = author.table.step
        self.author = author
        self.let_in: set[int] = set()
        self.ballots_for: set[int] = {player.index for player in network.players}
        network.on_message = self.pass_on

    def pass_on(self, _sender: Player, receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, Ballots) and receiver.index not in self.ballots_for:
            return None
        if isinstance(decoded, Entries) and receiver.index not in self.let_in:
            entries = [signed.open() for signed in decoded.entries]
            if any((one.seat, one.step) == (self.seat, self.step) for one in entries):
                return None
        return message


def test_an_entry_that_one_alone_was_sent_is_brought_by_his_ballot_and_the_deal_goes_on() -> None:
    network = playing(4)
    author = on_turn(network)
    told, *rest = but(network, author)
    gossip = Gossip(network, author)
    gossip.let_in = {told.index}
    lead(network, author)
    assert network.run(lambda: told.table.step > gossip.step, seconds=2)
    network.isolate(author.index)
    assert network.run(lambda: all(one.table.step > gossip.step for one in rest), seconds=GRACE_S + 5)
    assert len({player.table.head for player in (told, *rest)}) == 1
    assert told.table.phase is Phase.PLAYING
    brought = [
        isinstance(signed.open().answer, HereAnswer)
        for keep in told.disk.keeps
        for signed in keep.store.ballots
    ]
    assert any(brought)


def test_who_has_answered_absent_goes_no_further_until_all_have_even_if_the_entry_appears() -> None:
    network = playing(5, rules=WAIT)
    author = on_turn(network)
    late, *voters = but(network, author)
    gossip = Gossip(network, author)
    network.isolate(author.index)
    network.run(seconds=GRACE_S + 1)
    gossip.ballots_for.discard(late.index)
    network.do(voters[0].index, Peer.end_wait)
    answered = network.run(
        lambda: all(one.table.poll is not None and len(one.table.poll.answered) == 3 for one in voters),
        seconds=5,
    )
    assert answered
    gossip.let_in = {player.index for player in network.players}
    for player in (late, *voters):
        network.link(author.index, player.index)
    lead(network, author)
    network.run(seconds=2)
    assert {one.table.step for one in voters} == {gossip.step}
    assert late.table.step > gossip.step
    gossip.ballots_for.add(late.index)
    assert network.run(lambda: all(one.table.step == late.table.step for one in voters), seconds=5)
    assert late.table.phase is Phase.PLAYING
    assert len({player.table.head for player in network.players}) == 1


class LateReveal:
    """Withholds one reveal, and then one voter's ballots, until they are let through."""

    def __init__(self, network: MemoryNetwork) -> None:
        self.author: Player | None = None
        self.hides_reveal, self.hides_ballots = True, True
        self._place = (-1, -1)
        self._network = network
        network.on_message = self.pass_on

    @property
    def rest(self) -> list[Player]:
        return [player for player in self._network.players if player is not self.author]

    @property
    def frozen(self) -> bool:
        return all(deal_of(player)._frozen for player in self.rest)

    @property
    def arrived(self) -> bool:
        """Whether all others have accepted the reveal."""
        return all(deal_of(player).record.accepted_at(self._place[0]) for player in self.rest)

    def pass_on(self, sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, Ballots) and self.author is not None and self.hides_ballots:
            return None if sender is self.rest[0] else message
        if isinstance(decoded, Entries) and self.hides_reveal:
            for entry in (signed.open() for signed in decoded.entries):
                if entry.kind is Kind.REVEAL and self.author is None:
                    self.author, self._place = sender, (entry.step, entry.seat)
                if (entry.step, entry.seat) == self._place:
                    return None
        return message


def test_a_reveal_that_comes_too_late_makes_no_honest_transcript_fail() -> None:
    network = playing(4, bots=True)
    late = LateReveal(network)
    assert network.run(lambda: late.author is not None, seconds=300)
    assert network.run(lambda: late.frozen, seconds=GRACE_S + 5)
    late.hides_reveal = False
    assert network.run(lambda: late.arrived, seconds=3)
    assert late.frozen
    unfinished = checked(network, late.rest[1].peer.transcript() or b"")
    assert (unfinished.check, unfinished.seat) == ("unfinished", None)
    late.hides_ballots = False
    assert network.run(lambda: all(one.table.phase is Phase.ABSENT for one in late.rest), seconds=10)
    (transcript,) = {player.peer.transcript() for player in late.rest}
    report = checked(network, transcript or b"")
    assert report.ok, report
    assert isinstance(report.outcome, Absent)


def test_an_accomplice_who_does_not_answer_is_polled_about_too_and_loses_with_him() -> None:
    network = playing(5, rules=TableRules(grace_s=GRACE_S, clock_s=10, absence="forfeit"))
    liar = on_turn(network)
    accomplice, *honest = but(network, liar)
    network.isolate(liar.index)

    def silent(sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        mute = sender is accomplice and isinstance(decode(message), Ballots)
        return None if mute else message

    network.on_message = silent
    network.run(seconds=GRACE_S + 10)
    assert all(player.table.phase is Phase.PLAYING for player in honest)
    # The patience with him begins when everybody misses the other one, whoever may have a link to that.
    assert network.run(lambda: ended_without(honest, liar, accomplice), seconds=GRACE_S + 15)


def test_a_seat_that_is_out_and_closes_its_program_loses_nothing_and_nobody_else_does() -> None:
    network = playing(3, bots=True)

    def somebody_out() -> bool:
        # All know it: what he says before he is out he owes like everybody.
        views = [player.table.view for player in network.players]
        return network.all_in(Phase.PLAYING) and all(view and view.state.out for view in views)

    assert network.run(somebody_out, seconds=900)
    view = network.players[0].table.view
    assert view is not None
    seat = view.state.out[0]
    away = next(player for player in network.players if player.table.own_seat == seat)
    rest = but(network, away)
    network.isolate(away.index)
    assert network.run(lambda: all(player.table.phase is Phase.ABSENT for player in rest), seconds=600)
    for player in rest:
        result = player.table.result
        assert result is not None
        assert (result.absent, result.losers) == ((seat,), ())
        assert player.table.losses == (0, 0, 0)


def test_two_answers_of_one_seat_to_a_poll_make_the_deal_void_for_all() -> None:
    network = playing(4)
    away = on_turn(network)
    liar, *rest = but(network, away)
    network.isolate(away.index)
    assert network.run(lambda: bool(liar_ballots(liar)), seconds=GRACE_S + 5)
    first = liar_ballots(liar)[0].open()
    other = Poll(
        first.poll.number, first.poll.opener, first.poll.missing, first.poll.silent, (away_seat(away),)
    )
    lie = sign_ballot(liar.identity, Ballot(*_place(first), other, AbsentAnswer()))
    network.inject(liar.index, rest[0].index, encode(Ballots(first.table, first.deal, (lie,))))
    assert network.run(lambda: all(one.table.phase is Phase.VOID for one in rest), seconds=5)
    for player in rest:
        result = player.table.result
        assert result is not None
        assert (result.loser, result.check) == (liar.table.own_seat, "fork")


def test_two_stories_reach_him_too_whose_link_was_down_and_whose_memory_the_liar_had_filled() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    liar, witness, other = but(network, away)
    table = witness.table
    assert table.table_id is not None
    assert table.head is not None
    place = (table.table_id, 1, table.step, table.head, away_seat(liar))

    def vote(number: int, cleared: tuple[int, ...] = ()) -> bytes:
        poll = Poll(number, away_seat(liar), (away_seat(away),), (), cleared)
        return encode(
            Ballots(*place[:2], (sign_ballot(liar.identity, Ballot(*place, poll, AbsentAnswer())),))
        )

    links = network.isolate(other.index)
    for number in range(2, BALLOTS_PER_SEAT + 2):
        network.inject(liar.index, other.index, vote(number))
    for one in (vote(1), vote(1, (away_seat(away),))):
        network.inject(liar.index, witness.index, one)
    assert network.run(lambda: witness.table.phase is Phase.VOID, seconds=5)
    network.kill(liar.index)
    assert other.table.phase is Phase.PLAYING
    for index in links:
        if index != liar.index:
            network.link(other.index, index)
    assert network.run(lambda: other.table.phase is Phase.VOID, seconds=10)
    assert other.table.result is not None
    assert other.table.result.loser == liar.table.own_seat


def test_a_flood_of_ballots_fills_neither_memory_nor_disk() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    liar, witness, _ = but(network, away)
    table = witness.table
    assert table.table_id is not None
    assert table.head is not None
    place = (table.table_id, 1, table.step, table.head, away_seat(liar))
    deal = deal_of(witness)
    written: list[SignedBallot] = []
    for first in range(1000, 1000 + 4 * BALLOTS_PER_SEAT, BALLOTS_PER_SEAT):
        for number in (*range(first, first + BALLOTS_PER_SEAT), *range(first, first - BALLOTS_PER_SEAT, -1)):
            poll = Poll(number, away_seat(liar), (away_seat(away),), (), ())
            signed = sign_ballot(liar.identity, Ballot(*place, poll, AbsentAnswer()))
            network.inject(liar.index, witness.index, encode(Ballots(*place[:2], (signed,))))
        effects: list[Effect] = []
        deal._store(None, effects)  # as each own entry and ballot does
        written += [signed for effect in effects if isinstance(effect, Store) for signed in effect.ballots]
        assert len(deal.ballots) == len(written) == BALLOTS_PER_SEAT


def liar_ballots(player: Player) -> list[SignedBallot]:
    """The own ballots of a player."""
    kept = [signed for keep in player.disk.keeps for signed in keep.store.ballots]
    return [signed for signed in kept if signed.open().seat == player.table.own_seat]


def away_seat(player: Player) -> int:
    assert player.table.own_seat is not None
    return int(player.table.own_seat)


def _place(ballot: Ballot) -> tuple[bytes, int, int, bytes, int]:
    return (ballot.table, ballot.deal, ballot.step, ballot.previous, ballot.seat)


# Outcomes that are made up


def absence() -> tuple[MemoryNetwork, list[Player], list[dict[str, object]]]:
    """A deal of four that ended by absence: who voted, and the lines of its transcript."""
    network = playing(4)
    away = on_turn(network)
    network.isolate(away.index)
    rest = but(network, away)
    assert network.run(lambda: ended_without(rest, away), seconds=GRACE_S + 5)
    lines = (rest[0].peer.transcript() or b"").splitlines()
    return network, rest, [json.loads(line) for line in lines]


def test_an_end_by_absence_is_audited_and_made_up_ones_are_refused() -> None:
    network, rest, lines = absence()
    good = checked(network, sealed(lines))
    assert good.ok
    assert isinstance(good.outcome, Absent)
    ballots = [number for number, line in enumerate(lines) if "ballot" in line]
    assert len(ballots) == 3
    # A ballot is left out, or told twice.
    assert checked(network, sealed(lines[: ballots[0]] + lines[ballots[1] :])).check == "votes"
    assert checked(network, sealed(lines[: ballots[1]] + lines[ballots[0] :])).check == "votes"
    # Another has lost, or nobody.
    for losers in ([0, 1, 2, 3], []):
        assert checked(network, sealed([*lines[:-1], {**lines[-1], "losers": losers}])).check == "end"
    # A ballot in the name of another seat.
    forged = dict(lines[ballots[0]])
    forged["signature"] = lines[ballots[1]]["signature"]
    report = checked(network, sealed([*lines[: ballots[0]], forged, *lines[ballots[1] :]]))
    assert (report.problem, report.line) == (TranscriptProblem.SIGNATURE, ballots[0] + 1)
    assert rest


def test_half_of_the_players_cannot_sign_an_end_for_the_others() -> None:
    network = playing(4)
    two = network.players[:2]
    table = two[0].table
    assert table.table_id is not None
    assert table.head is not None
    seats = [away_seat(player) for player in two]
    others = tuple(seat for seat in range(4) if seat not in seats)
    owing = tuple(int(owed.seat) for owed in table.owed if owed.seat in others)
    poll = Poll(1, seats[0], owing, tuple(seat for seat in others if seat not in owing), ())
    ballots = tuple(
        sign_ballot(
            player.identity,
            Ballot(table.table_id, 1, table.step, table.head, away_seat(player), poll, AbsentAnswer()),
        )
        for player in sorted(two, key=away_seat)
    )
    lines = [json.loads(line) for line in (two[0].peer.transcript() or b"").splitlines()]
    end = {"end": "absent", "step": table.step, "seats": list(others), "losers": list(others), "entries": 0}
    report = checked(network, sealed([*lines, *map(tail_line, ballots), end]))
    assert (report.ok, report.check) == (False, "votes")
    victim = network.players[2]
    network.inject(0, 2, encode(Ballots(table.table_id, 1, ballots)))
    network.run(seconds=2)
    assert victim.table.phase is Phase.PLAYING
