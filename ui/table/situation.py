"""What the own player is asked at this moment, read from one snapshot of the table.

A situation decides nothing by itself: whose turn it is comes from what the engine says is owed, and what
may be laid or called from the engine's choices.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from engine import Card, Choices, Packet, Rank, Seat, Slot, State
from engine import Phase as EnginePhase
from p2p.protocol.snapshot import MemberView, OwedKind, OwedView, Phase, TableSnapshot
from ui.words import Who, enter
from ui.words.enter import EnterLine


class Stage(Enum):
    """What the own player is asked."""

    PREPARING = "preparing"
    """The cards are not in hand yet."""
    WATCHING = "watching"
    WAITING = "waiting"
    """Somebody else acts, or a program works."""
    LEADING = "leading"
    """A packet opens a round; any rank that may be claimed."""
    FOLLOWING = "following"
    """The rank is in force: lay, or call if something can be called."""
    ANSWERING = "answering"
    """Anyone may call the packet just laid: call, or say nothing."""
    LEAVING = "leaving"
    """The own hand is empty and that has to be said, unless one calls the live packet."""
    FOURS = "fours"
    """A pile was picked up, or cards were dealt, and complete sets may be removed."""
    OUT = "out"
    """The own hand has left the deal; the deal goes on."""
    ENDED = "ended"
    """Over in whatever way; or somebody has left, and all others end the deal."""


LAYING = frozenset({Stage.LEADING, Stage.FOLLOWING})
"""The stages in which cards can be laid."""

CALLING = frozenset({Stage.FOLLOWING, Stage.ANSWERING, Stage.LEAVING})
"""The stages in which a packet may be there to be called."""

ACTING = LAYING | CALLING | {Stage.FOURS}
"""The stages in which something is asked of the own player."""

_BEFORE = frozenset({Phase.GATHERING, Phase.OPENING, Phase.SHUFFLING, Phase.SEALING, Phase.DEALING})
_AFTER = frozenset({Phase.OVER, Phase.VOID, Phase.STOPPED, Phase.ABSENT})


@dataclass(frozen=True)
class Situation:
    """One snapshot of the table as the own player meets it."""

    table: TableSnapshot

    @property
    def step(self) -> tuple[int, int]:
        """Deal and step: what an armed call and a named rank belong to."""
        return (self.table.deal, self.table.step)

    @property
    def state(self) -> State | None:
        """The public state, once cards are dealt."""
        return None if self.table.view is None else self.table.view.state

    @property
    def seat(self) -> Seat | None:
        """The own seat; None for a watcher."""
        return self.table.own_seat

    @cached_property
    def hand(self) -> tuple[tuple[Slot, Card], ...]:
        """The own cards that are read, by rank, then suit."""
        return () if self.table.view is None else self.table.view.hand

    @property
    def held(self) -> int:
        """How many cards the own hand holds, read or not."""
        state, seat = self.state, self.seat
        return 0 if state is None or seat is None else len(state.hand_of(seat))

    @property
    def unread(self) -> bool:
        """Whether the own cards, fresh from a pick-up, cannot be read yet."""
        return len(self.hand) < self.held

    @cached_property
    def faces(self) -> dict[Slot, Card]:
        """The own cards by slot."""
        return dict(self.hand)

    @cached_property
    def stage(self) -> Stage:
        """What the own player is asked."""
        table, state = self.table, self.state
        if table.phase in _AFTER or self.deserted:
            return Stage.ENDED
        if table.phase in _BEFORE or state is None:
            return Stage.PREPARING
        if self.seat is None or table.silent:
            return Stage.WATCHING
        owed = table.owed_by_me
        if owed is not None and owed.is_choice and not table.taking_up:
            return self._asked(owed.kind, state)
        return Stage.OUT if self.seat in state.out else Stage.WAITING

    @property
    def deserted(self) -> bool:
        """Whether somebody has left in the middle: without his key nobody can go on, so all end the deal."""
        return self.table.phase is Phase.PLAYING and any(
            member.left and not member.own for member in self.table.members
        )

    @property
    def watching(self) -> EnterLine:
        """What Enter says to somebody who does not play this deal, or no more."""
        table = self.table
        return enter.watching(own_seat=table.silent, at_table=not table.watching)

    def may_end_wait(self, now: float) -> bool:
        """Whether the wait for somebody has been long enough to be ended by the own person."""
        until, table = self.table.wait_until, self.table
        asked = table.poll is not None and not table.two_alone
        return until is not None and until <= now and not asked

    def someone_is_away(self) -> bool:
        """Whether somebody whom the own person waits for has no link here."""
        members = (self.member(owed.seat) for owed in self.table.owed)
        return any(one is not None and not one.own and one.away_since is not None for one in members)

    def _asked(self, kind: OwedKind, state: State) -> Stage:
        if kind is OwedKind.SETS:
            return Stage.FOURS if self.complete_sets else Stage.WAITING
        if state.phase is EnginePhase.ANSWER:
            return Stage.ANSWERING
        if kind is OwedKind.OUT_OR_CALL:
            return Stage.LEAVING
        return Stage.LEADING if state.due_rank is None else Stage.FOLLOWING

    @property
    def unanswered(self) -> frozenset[Seat]:
        """Who has yet to answer in the window of open calls."""
        state = self.state
        if state is None or state.phase is not EnginePhase.ANSWER:
            return frozenset()
        return frozenset(owed.seat for owed in self.table.owed if owed.is_choice)

    @property
    def picks_card(self) -> bool:
        """Whether whoever calls picks the card that is checked."""
        return self.choices.indices > 0

    @property
    def acting(self) -> bool:
        """Whether something is asked of the own player."""
        return self.stage in ACTING

    @property
    def has_no_set_to_show(self) -> bool:
        """Whether sets are asked for and none is held: the peer answers by itself, after a moment."""
        owed = self.table.owed_by_me
        return owed is not None and owed.kind is OwedKind.SETS and not self.complete_sets

    @cached_property
    def choices(self) -> Choices:
        """What may be done by the own seat now."""
        view = self.table.view
        if view is None or not self.acting:
            return Choices(0, 0, (), False, False)
        return view.choices

    @cached_property
    def complete_sets(self) -> dict[Rank, tuple[Slot, ...]]:
        """The complete sets of the own hand."""
        view = self.table.view
        found: dict[Rank, tuple[Slot, ...]] = {}
        if view is not None:
            for slots in view.sets:
                rank = self.faces[slots[0]].rank
                found[rank] = (*found.get(rank, ()), *slots)
        return found

    @property
    def live(self) -> Packet | None:
        """The packet that can still be called."""
        state = self.state
        return state.table[-1] if state is not None and state.live else None

    @property
    def pile_size(self) -> int:
        """All cards on the table."""
        return 0 if self.state is None else len(self.state.pile)

    @property
    def actor(self) -> Seat | None:
        """Whom the game waits for: the seat that the rules name, or before the play one whose program
        works."""
        state = self.state
        if self.unanswered:
            return next(iter(sorted(self.unanswered)), None)
        if self.table.phase is Phase.PLAYING and state is not None:
            return next((owed.seat for owed in state.owed), None)
        return next((owed.seat for owed in self.table.owed), None)

    @property
    def timed(self) -> OwedView | None:
        """The choice that its program makes by itself when the time is over: the own one, else the one of the
        others that is waited for longest; None if nothing has a time.
        """
        mine = self.table.owed_by_me
        if self.acting:
            return mine if mine is not None and mine.until is not None else None
        others = [
            (owed.until, owed) for owed in self.table.owed if owed is not mine and owed.until is not None
        ]
        return max(others, key=lambda pair: pair[0])[1] if others else None

    @property
    def waiting_since(self) -> float | None:
        """When the step that is waited for began, by the peer's clock."""
        return min((owed.since for owed in self.table.owed), default=None)

    def member(self, seat: Seat) -> MemberView | None:
        """Who sits there."""
        return next((member for member in self.table.members if member.seat == seat), None)

    def who(self, seat: Seat) -> Who:
        """Return who sits there, as a person of a sentence."""
        member = self.member(seat)
        if member is None:
            return Who(f"#{int(seat) + 1}", own=seat == self.seat)
        return Who(member.name, own=member.own)

    @property
    def unreached(self) -> Who | None:
        """Somebody whom the own move does not reach at once; None while all have a link."""
        for member in self.table.members:
            if not (member.own or member.connected or member.left):
                return Who(member.name)
        return None

    @property
    def before_me(self) -> tuple[Seat, ...]:
        """The seats that act before the own one does, the next to act first."""
        state, seat = self.state, self.seat
        if state is None or seat is None or state.turn is None or seat in state.out:
            return ()
        found: list[Seat] = []
        turn = state.turn
        while turn != seat and len(found) < len(state.order):
            found.append(turn)
            turn = state.next_in(turn)
        return tuple(found)

    @property
    def most_cards(self) -> int | None:
        """The most cards that can be chosen; None if there is no limit that is known already."""
        state = self.state
        if self.stage in LAYING:
            return self.choices.most
        if state is None:
            return None
        limits = [
            limit for limit in (state.ruleset.lead_max, state.ruleset.follow_max) if isinstance(limit, int)
        ]
        return max(limits) if len(limits) == 2 else None
