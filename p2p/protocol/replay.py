"""A deal to be watched again, from its transcript: the table as a watcher saw it, moment by moment.

A *moment* is what a person calls one: somebody lays, or calls and what comes of it, or removes fours, or
draws. Steps at which only programs speak (shuffles, seals, shares) are none of their own. Each moment has the
table before it and after it. Where the books are open, every card has its face; else those that were shown to
all, and those that the reader has read himself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from crypto import Draw, Group
from engine import (
    Called,
    Card,
    DealStarted,
    Drew,
    Event,
    Laid,
    LaidNothing,
    Packet,
    Revealed,
    RoundStarted,
    SaidOut,
    Seat,
    SetsRemoved,
    Slot,
    State,
    View,
)
from engine.calls import claim_is_true
from p2p.protocol.audit import AuditReport, Examined, examine, examine_journal
from p2p.protocol.deal import Deal
from p2p.protocol.effects import Finished, ProtocolEvent
from p2p.protocol.peer_events import Happened
from p2p.protocol.resumed import ResumedDeal
from p2p.protocol.snapshot import MemberView, Phase, TableSnapshot, TrustAnswer, TrustView
from p2p.protocol.text import clean_title

_BEGINS = (DealStarted, Laid, LaidNothing, Called, SaidOut, SetsRemoved, Drew)
"""Events with which a moment begins; all others belong to the one that they follow."""


class NothingToReplay(Exception):  # noqa: N818 - it is no error of the program
    """A transcript that cannot be watched: it does not hold (`report.holds`), or no card was dealt."""

    def __init__(self, report: AuditReport) -> None:
        super().__init__(report.check or "no cards")
        self.report = report


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment: what happened, in order, and the table before and after it."""

    happened: tuple[Happened, ...]
    before: State
    after: State

    @property
    def step(self) -> int:
        """The step of the ledger with which it begins."""
        return self.happened[0].step

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened."""
        return tuple(one.event for one in self.happened)

    @property
    def call(self) -> Called | None:
        """The call, if it is one."""
        return next((event for event in self.events if isinstance(event, Called)), None)

    @property
    def actor(self) -> Seat | None:
        """Who began it; None for the deal itself."""
        first = self.happened[0].event
        return None if isinstance(first, DealStarted | RoundStarted) else getattr(first, "seat", None)

    @property
    def laid(self) -> Packet | None:
        """The packet that was laid in it, if any was."""
        was_laid = any(isinstance(event, Laid) for event in self.events)
        return self.after.table[-1] if was_laid and self.after.table else None


@dataclass(frozen=True)
class Replay:
    """A deal that was gone through and holds. `moments`: at least one. `own`: the seat of the reader, if he
    played. `faces`: the cards that can be shown, by slot. `open`: whether those are all.
    """

    report: AuditReport
    title: str
    moments: tuple[Moment, ...]
    own: Seat | None
    faces: Mapping[Slot, Card] = field(repr=False)
    open: bool
    _deal: Deal = field(repr=False)

    @property
    def finished(self) -> bool:
        """Whether the deal was played to its end, as far as the transcript goes."""
        return isinstance(self._deal.outcome, Finished)

    @cached_property
    def calls(self) -> tuple[int, ...]:
        """The places of the moments in which somebody called."""
        return tuple(at for at, moment in enumerate(self.moments) if moment.call is not None)

    def opened(self, at: int) -> Revealed | None:
        """The packet that was laid in the moment at a place as a call would have opened it; None if none was,
        or not all of it can be shown.
        """
        packet = self.moments[at].laid
        if packet is None or any(slot not in self.faces for slot in packet.slots):
            return None
        faces = tuple(self.faces[slot] for slot in packet.slots)
        truthful = claim_is_true(self.moments[at].after.ruleset, packet, faces, None)
        owner, rank, number = packet.owner, packet.rank, packet.number
        return Revealed(owner, owner, False, faces, rank, number, truthful)

    def place_of(self, step: int) -> int | None:
        """The place of the moment to which a step of the ledger belongs; None if there is no such step."""
        if not 0 <= step <= self.last_step:
            return None
        return max((at for at, moment in enumerate(self.moments) if moment.step <= step), default=0)

    @property
    def last_step(self) -> int:
        """The last step of the ledger at which anything happened."""
        return self.moments[-1].happened[-1].step

    def table(self, at: int) -> TableSnapshot:
        """The table after the moment at a place."""
        return self._snapshot(at, self.moments[at].after)

    def table_before(self, at: int) -> TableSnapshot:
        """The table before it, with what had happened until then."""
        return self._snapshot(at - 1, self.moments[at].before)

    def _snapshot(self, last: int, state: State) -> TableSnapshot:
        terms, proposal = self._deal.terms, self._deal.terms.table
        deal = terms.deal
        return TableSnapshot(
            offer_id=proposal.offer_id,
            table_id=proposal.table_id,
            title=self.title,
            ruleset=state.ruleset,
            table_rules=proposal.table_rules,
            seats=len(terms.players),
            members=tuple(self._member(seat) for seat in range(len(terms.players))),
            own_seat=self.own,
            phase=Phase.PLAYING,
            deal=deal,
            step=self.moments[last].step if last >= 0 else 0,
            head=None,
            view=View(state, self.own, self.faces),
            owed=(),
            shuffles=(),
            trust=TrustView(
                answer=TrustAnswer.OPENED if self.open else TrustAnswer.NOBODY,
                shuffles_checked=len(terms.players),
                repacks_checked=0,
                shares_checked=0,
                seals_checked=0,
                seals_complete=0,
                packets_opened=0,
            ),
            result=None,
            losses=(),
            next_ready=frozenset(),
            happened=tuple(one for moment in self.moments[: last + 1] for one in moment.happened),
        )

    def _member(self, seat: int) -> MemberView:
        return MemberView(
            key=self._deal.terms.keys[seat],
            name=self.report.names[seat],
            fingerprint="",
            seat=Seat(seat),
            ready=True,
            connected=True,
            own=seat == self.own,
        )


def read_replay(
    data: bytes,
    draw: Draw,
    group: Group | None = None,
    *,
    own_key: bytes | None = None,
    read: Mapping[Slot, Card] | None = None,
) -> Replay:
    """Audit a transcript and make it a deal to be watched: an unfinished one as far as it goes, and a void
    one up to the breach.

    draw, group: as for `audit`. own_key: the identity key of the reader, to know his seat. read: the cards
    that he has read himself in this deal.

    Raises: NothingToReplay; LibraryError, RandomSourceError if the fault is this machine's.
    """
    return _replay(examine(data, draw, group), own_key, read or {})


def replay_journal(
    kept: ResumedDeal, draw: Draw, group: Group | None = None, *, own_key: bytes | None = None
) -> Replay:
    """Make a deal of the own journal one to be watched. Its secrets were erased at its end, so it shows what
    everybody saw.

    Arguments and errors are those of `read_replay`.
    """
    return _replay(examine_journal(kept, draw, group), own_key, {})


def _replay(examined: Examined, own_key: bytes | None, read: Mapping[Slot, Card]) -> Replay:
    report, deal = examined.report, examined.deal
    if deal is None or not report.holds:
        raise NothingToReplay(report)
    moments = _moments(
        deal,
        [
            Happened(deal.terms.deal, one.step, one.event)
            for one in examined.happened
            if not isinstance(one.event, ProtocolEvent)
        ],
    )
    if not moments:
        raise NothingToReplay(report)
    books = deal.books
    is_open = books is not None and books.open
    cards = deal.public_state.cards
    faces = {slot: card.face for slot, card in cards.cards.items() if card.face is not None}
    faces |= read
    if books is not None and is_open:
        faces |= books.faces(cards)
    own = None if own_key is None else deal.terms.seat_of(own_key)
    return Replay(report, clean_title(deal.terms.table.title), moments, own, faces, is_open, deal)


def _moments(deal: Deal, told: list[Happened]) -> tuple[Moment, ...]:
    """Group what happened into moments. The state of a step is that before its entries."""
    groups: list[list[Happened]] = []
    for one in told:
        if not groups or (isinstance(one.event, _BEGINS) and not _goes_with(groups[-1][-1].event, one.event)):
            groups.append([])
        groups[-1].append(one)
    found = []
    for group in groups:
        before, after = _game_at(deal, group[0].step), _game_at(deal, group[-1].step + 1)
        if after is not None:
            found.append(Moment(tuple(group), after if before is None else before, after))
    return tuple(found)


def _goes_with(before: Event, event: Event) -> bool:
    """Whether an event belongs to the moment before it: "no cards left" is said with the last packet."""
    return isinstance(event, SaidOut) and isinstance(before, Laid)


def _game_at(deal: Deal, step: int) -> State | None:
    state = deal.record.state_at(step)
    return None if state is None else state.game
