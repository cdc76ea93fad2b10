"""One deal as a table drives it: the deal itself, and what the table remembers beside it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine import (
    Called,
    CallVoid,
    Event,
    Laid,
    LaidNothing,
    Revealed,
    SaidOut,
    Seat,
    SetsKept,
    Standings,
)
from p2p.protocol.deal import Deal
from p2p.protocol.deal_tally import Tally, player_records, tallies
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Absent, Finished, Outcome, Stopped, Void
from p2p.protocol.gossip import Position
from p2p.protocol.messages import Status
from p2p.protocol.peer_effects import CloseDeal
from p2p.protocol.peer_events import AuditView, Happened, ResultKind, ResultView, Standing
from p2p.protocol.proposal import Proposal
from p2p.protocol.text import clean_title

REVEAL_S = 5.0
"""How long a screen shows at most how a packet is opened, before it says whose turn it is."""
_OWN_ACTS = (Laid, LaidNothing, Called, CallVoid, SaidOut, SetsKept)
"""What a seat did by its own choice."""


@dataclass(slots=True)
class DealRun:
    """A deal with its log.

    `own`: the own seat in it; None for a member who does not play it. `wanted`: the own person wants it.
    `started`: the own commit is made. `open_since`: when a commit to it could first be made here.
    `wished_since`: when the first one was here, anybody's. `step_since`: when the step began here. `closed`:
    the journal has its end already. `stopped`: what it says there is that it was stopped. `shown_until`: when
    the last packet that was opened has been shown. `lapsed`: the program has just acted for its person.
    """

    number: int
    terms: DealTerms
    deal: Deal
    own: Seat | None
    wanted: bool = False
    started: bool = False
    open_since: float | None = None
    wished_since: float | None = None
    closed: bool = False
    stopped: bool = False
    step: int = 0
    step_since: float = 0.0
    shown_until: float = float("-inf")
    lapsed: bool = False
    happened: list[Happened] = field(default_factory=list)
    audit: AuditView | None = None
    _digests: list[bytes] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        """Whether the deal has an outcome."""
        return self.deal.outcome is not None

    @property
    def asked_since(self) -> float:
        """When a person who is asked for something at this step can know it."""
        return max(self.step_since, self.shown_until)

    def note(self, step: int, event: Event, now: float) -> Happened:
        """Note what has happened, for the log."""
        lapsed = self.lapsed and isinstance(event, _OWN_ACTS) and event.seat == self.own
        if lapsed:
            self.lapsed = False
        if isinstance(event, Revealed):
            self.shown_until = now + REVEAL_S
        happened = Happened(self.number, step, event, lapsed)
        self.happened.append(happened)
        return happened

    @property
    def position(self) -> Position:
        """Where this peer stands in the deal."""
        deal = self.deal
        have = mask_of(deal.record.accepted_at(deal.step))
        keys = deal.public_state.frame.keys  # those of the terms are decoded anew each time
        return Position(self.number, deal.step, deal.head, have, keys, self.ended, deal.votes_digest)

    @property
    def digests(self) -> list[bytes]:
        """The digests of the engine's states by step, each made once: it spells out the whole state."""
        while len(self._digests) <= self.deal.step:
            state = self.deal.record.state_at(len(self._digests))
            assert state is not None, "every step up to the latest has a state"
            self._digests.append(state.digest())
        return self._digests

    def to_compare(self, status: Status) -> tuple[int, bytes, bytes]:
        """The step, head and digest of a status that are worth comparing: the first that differ, else the
        last.

        `status`: of this deal, at a step that has been reached here.
        """
        last = (status.step, status.head, status.digests[-1])
        state = self.deal.record.state_at(status.step)
        if state is None or state.head != status.head:
            return last
        # With equal heads the whole ledgers before them are equal, so the digests have to be.
        first = max(status.step + 1 - len(status.digests), 0)
        told = status.digests[first - status.step - 1 :]
        for step, one in zip(range(first, status.step + 1), told, strict=True):
            before = self.deal.record.state_at(step)
            if before is not None and one != self.digests[step]:
                return step, before.head, one
        return last

    @property
    def missing(self) -> int:
        """Bit s if seat s has yet to give its entry for the current step."""
        return mask_of(owed.seat for owed in self.deal.owed)

    def result(self, standings: Standings) -> ResultView | None:
        """How the deal ended, for the screen; None while it goes on. standings: of the table, after it."""
        outcome = self.deal.outcome
        if outcome is None:
            return None
        counted = self._tallies()
        players = self.terms.players
        losses, wins = standings.losses, standings.wins
        seats = [Seat(seat) for seat in range(len(players))]
        game = self.deal.state
        kind, loser, winner, check = ResultKind.STOPPED, None, None, None
        if isinstance(outcome, Finished):
            kind, loser, winner = ResultKind.FINISHED, outcome.loser, outcome.winner
            if game is not None:
                seats = [*game.out, *game.seats_in]
        elif isinstance(outcome, Void):
            kind, loser, check = ResultKind.VOID, outcome.seat, outcome.check
        elif isinstance(outcome, Absent):
            kind = ResultKind.ABSENT
        absent = outcome if isinstance(outcome, Absent) else None
        return ResultView(
            kind=kind,
            step=outcome.step,
            loser=loser,
            winner=winner,
            standings=tuple(
                Standing(
                    seat,
                    counted[seat].lies,
                    counted[seat].right_calls,
                    losses[players[seat]],
                    wins[players[seat]],
                )
                for seat in seats
            ),
            check=check,
            signed=self.deal.receipts,
            audit=self.audit,
            differs_from=outcome.differs_from if isinstance(outcome, Stopped) else None,
            absent=() if absent is None else absent.seats,
            left=() if absent is None else absent.left,
            losers=() if absent is None else absent.losers,
        )

    def closing(self, proposal: Proposal, outcome: Outcome, note: bytes) -> CloseDeal:
        """What is to be recorded of the deal's end; the rules are told as the whole table has them. note: of
        `Succession`.
        """
        rules = proposal.ruleset
        return CloseDeal(
            table_id=proposal.table_id,
            deal=self.number,
            title=clean_title(proposal.title),
            form=rules.form,
            changes=tuple((name, value) for name, value, _usual in rules.differences(len(proposal.members))),
            outcome=outcome,
            note=note,
            players=player_records(self.terms.members, self.own, outcome, self.deal.state, self._tallies()),
        )

    def _tallies(self) -> tuple[Tally, ...]:
        """What each player did, by seat of the deal."""
        return tallies((happened.event for happened in self.happened), len(self.terms.players))


def mask_of(seats: Iterable[int]) -> int:
    """Bit s for each seat s."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def seats_of(mask: int) -> frozenset[Seat]:
    """The seats of a mask."""
    return frozenset(Seat(seat) for seat in range(mask.bit_length()) if mask >> seat & 1)
