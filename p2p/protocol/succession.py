"""What carries over from deal to deal at one table: how the session stands, who plays next, and how they sit.

Everybody at the table has to come to the same terms of the next deal by himself, so all of it follows from
the ends of the deals so far and from nothing else. An end can be taken back until all have signed it; then
what followed from it is simply worked out anew. Seats here are table seats.
"""

from dataclasses import dataclass

from msgspec import Struct, msgpack

import engine
from engine import Score, Standings, next_dealer
from p2p.protocol.deal_terms import DealTerms, Setup
from p2p.protocol.effects import Absent, Finished, Outcome, Void
from p2p.protocol.entry import SeatNumber
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.proposal import Proposal
from p2p.protocol.wire import decode, encode


@dataclass(frozen=True, slots=True)
class _Ended:
    """An ended deal: what counts of it, and who was at the table then."""

    score: Score
    at_table: tuple[int, ...]


class _Note(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    players: tuple[SeatNumber, ...]
    losers: tuple[SeatNumber, ...]
    winner: SeatNumber | None
    at_table: tuple[SeatNumber, ...]
    order: tuple[SeatNumber, ...] | None
    gone: tuple[SeatNumber, ...]


_NOTES = msgpack.Decoder(_Note)
MAX_NOTE_BYTES = 256
"""At most five times twelve seats, a byte each."""


class Succession:
    """The deals of one table, one after the other."""

    def __init__(self, proposal: Proposal) -> None:
        self._gone: dict[int, frozenset[int]] = {}
        self.ruleset = proposal.ruleset
        self._began = _carried(proposal)
        self._seats = tuple(range(len(proposal.members)))
        self._ended: dict[int, _Ended] = {}
        self._orders: dict[int, tuple[int, ...]] = {}

    @property
    def gone(self) -> frozenset[int]:
        """Table seats that play no more: they left, or were voted absent."""
        return frozenset(seat for seats in self._gone.values() for seat in seats)

    @property
    def at_table(self) -> tuple[int, ...]:
        """Who can still play, ascending."""
        return tuple(seat for seat in self._seats if seat not in self.gone)

    def standings(self, terms: DealTerms) -> Standings:
        """How the session stands: after the deal with these terms if it has ended, else as it began."""
        before, ended = self._before(terms), self._ended.get(terms.deal)
        if ended is None:
            return before.before(terms.players)
        return before.after(self.ruleset, ended.score, ended.at_table).among(self.at_table)

    def _before(self, terms: DealTerms) -> Standings:
        """How the session stood at the end of the deal before."""
        found = self._began
        for deal in sorted(deal for deal in self._ended if deal < terms.deal):
            found = found.after(self.ruleset, self._ended[deal].score, self._ended[deal].at_table)
        return found

    def settles_tie(self, terms: DealTerms) -> bool:
        """Whether the deal with these terms is one more among those tied at the end of a session."""
        return self._before(terms).settles(terms.players)

    def leave_out(self, deal: int, seats: frozenset[int]) -> None:
        """From the end of a deal on these table seats play no more."""
        self._gone[deal] = seats

    def take(self, terms: DealTerms, outcome: Outcome, game: engine.State | None) -> None:
        """Take in how a deal ended, in the place of what was known of its end before."""
        self.leave_out(terms.deal, _gone(terms, outcome))
        self._ended[terms.deal] = _Ended(_score(terms, outcome), self.at_table)
        order = _order(terms, outcome, game)
        if order is None:
            self._orders.pop(terms.deal, None)
        else:
            self._orders[terms.deal] = order

    def note(self, deal: int) -> bytes:
        """What the deals after one that has been taken in need to know of it: for the journal."""
        ended = self._ended[deal]
        score, order = ended.score, self._orders.get(deal)
        players, losers = tuple(sorted(score.players)), tuple(sorted(score.losers))
        gone = tuple(sorted(self._gone[deal]))
        return encode(_Note(players, losers, score.winner, ended.at_table, order, gone))

    def notes_before(self, deal: int) -> tuple[tuple[int, bytes], ...]:
        """The notes of the deals before one, by number: for somebody who begins to follow the table there."""
        return tuple((number, self.note(number)) for number in sorted(self._ended) if number < deal)

    def recall(self, deal: int, note: bytes) -> None:
        """Take in a deal's note from the journal or from a member, in place of the deal itself.

        Raises:
            MalformedMessage: if it is none.
        """
        noted = decode(_NOTES, note, MAX_NOTE_BYTES)
        named = (*noted.players, *noted.losers, *noted.at_table, *(noted.order or ()), *noted.gone)
        if noted.winner is not None:
            named = (*named, noted.winner)
        if not set(named) <= set(self._seats):
            raise MalformedMessage("no such seat")
        if noted.order is not None and len(set(noted.order)) < len(noted.order):
            raise MalformedMessage("a seat twice")
        # One spelling: seats that stand twice would be several people tied, and terms that no table has.
        ascending = (noted.players, noted.losers, noted.at_table, noted.gone)
        if any(list(seats) != sorted(set(seats)) for seats in ascending):
            raise MalformedMessage("seats in disorder")
        score = Score(frozenset(noted.players), frozenset(noted.losers), noted.winner)
        self.leave_out(deal, frozenset(noted.gone))
        self._ended[deal] = _Ended(score, noted.at_table)
        if noted.order is not None:
            self._orders[deal] = noted.order

    def terms_after(self, terms: DealTerms, outcome: Outcome, game: engine.State | None) -> DealTerms | None:
        """The terms of the deal that follows one with this outcome, which has been taken in; None if too few
        are left to play it.

        One that was stopped counts as void: others may have found it so by a signed entry.
        """
        players = self.standings(terms).players(self.at_table)
        if len(players) < 2:
            return None
        if isinstance(outcome, Finished) and game is not None:
            dealer = terms.players[next_dealer(game)]
            return terms.following(outcome.final_head, players, self._setup(players, dealer))
        if players == terms.players:
            return terms.after_void(players, terms.setup)
        setup = terms.setup
        return terms.after_void(
            players, None if setup is None else self._setup(players, terms.players[setup.dealer])
        )

    def _setup(self, players: tuple[int, ...], dealer: int) -> Setup | None:
        """The seating of the next deal: as they last sat together, dealt by `dealer` or the next who plays.

        None if they have not sat together yet: then they draw for it.
        """
        orders = (self._orders[deal] for deal in sorted(self._orders, reverse=True))
        seating = next((order for order in orders if {*players, dealer} <= set(order)), None)
        if seating is None:
            return None
        at = seating.index(dealer)
        clockwise = (*seating[at:], *seating[:at])
        dealing = next(seat for seat in clockwise if seat in players)
        order = tuple(players.index(seat) for seat in seating if seat in players)
        return Setup(order, players.index(dealing))


def _carried(proposal: Proposal) -> Standings:
    """How the session stands at the first deal: as at the table that this one goes on from, or at zero."""
    if proposal.follows is None:
        return Standings.zero(len(proposal.members))
    carried = [proposal.follows.of(member.key) for member in proposal.members]
    return Standings(tuple(one.losses for one in carried), tuple(one.wins for one in carried))


def _gone(terms: DealTerms, outcome: Outcome) -> frozenset[int]:
    """The table seats that are left out of all later deals because of how one ended."""
    seats = outcome.seats if isinstance(outcome, Absent) else ()
    if isinstance(outcome, Finished):
        seats = outcome.without
    return frozenset(terms.players[seat] for seat in seats)


def _score(terms: DealTerms, outcome: Outcome) -> Score:
    players = frozenset(terms.players)
    if isinstance(outcome, Finished):
        losers = () if outcome.loser is None else (terms.players[outcome.loser],)
        winner = None if outcome.winner is None else terms.players[outcome.winner]
        return Score(players, frozenset(losers), winner)
    if isinstance(outcome, Void):
        return Score(players, frozenset({terms.players[outcome.seat]}))
    if isinstance(outcome, Absent):
        return Score(players, frozenset(terms.players[seat] for seat in outcome.losers))
    return Score(players)


def _order(terms: DealTerms, outcome: Outcome, game: engine.State | None) -> tuple[int, ...] | None:
    """How they sat in a deal, as far as all know it: not the draw of one that broke off."""
    if isinstance(outcome, Finished) and game is not None:
        return tuple(terms.players[seat] for seat in game.order)
    return None if terms.setup is None else tuple(terms.players[seat] for seat in terms.setup.order)
