"""What there is to say, kept from one moment to the next: the pictures that were told last, and the clock."""

from collections.abc import Callable
from typing import Final

from p2p.net.node_events import NodeEvent
from p2p.protocol.snapshot import (
    LobbySnapshot,
    MemberView,
    MoveRefused,
    PeerBack,
    PeerLost,
    TableSnapshot,
    Talked,
)
from ui.arrival import played_table
from ui.base import Base, base_of
from ui.plain.changes import (
    deal_changes,
    gathering_changes,
    lobby_changes,
    over_changes,
    pending_line,
    waiting_lines,
)
from ui.plain.events import Teller, line
from ui.play_node import PlayNode
from ui.table.coach import Coach
from ui.table.situation import Situation
from ui.words import looking, news, plain, plain_news, refusals, talk
from ui.words.looking import LOOK_FOR_S
from ui.words.people import Who

WARN_S: Final = (30, 10)
"""The only times that are told: so many seconds before one's own time is over."""


HOLD_S: Final = 3.0
"""How long a line waits for what belongs to it: usually programs need a tenth of that."""


class TableNews:
    """What one peer's node has to tell. now: the clock of its snapshots. watch: the title of a table to watch
    as soon as it is played. coach: explains the first deal of a table that is opened at the start.
    """

    def __init__(
        self,
        node: PlayNode,
        now: Callable[[], float],
        watch: str | None = None,
        coach: Coach | None = None,
    ) -> None:
        self._node = node
        self._now = now
        self.sent: tuple[int, int] | None = None
        """The step whose own move is on its way."""
        self.watch = watch
        self.coach = coach
        """Explains the first deal of the own table; None where nobody wants that."""
        self.muted = False
        """Whether nobody's talk is told."""
        self._lobby: LobbySnapshot | None = None
        self._table: TableSnapshot | None = None
        self._teller: Teller | None = None
        self._count = 0
        self._held_since = now()
        self._warned: set[int] = set()
        self._warned_step: tuple[int, int] | None = None
        self._overdue = False
        self._looking_since: float | None = now()

    @property
    def situation(self) -> Situation | None:
        """The own table, as the player meets it."""
        table = self._node.table
        return None if table is None else Situation(table)

    @property
    def acting(self) -> bool:
        """Whether something is asked of the own player that is not sent yet."""
        situation = self.situation
        return situation is not None and situation.acting and self.sent != situation.step

    @property
    def meaning(self) -> object:
        """What the person is asked now."""
        table = self._node.table
        base = base_of(table)
        if table is None:
            return base, played_table(self._node, self.watch) is not None
        if base is not Base.TABLE:
            own = table.own_member
            return (
                base,
                table.offer_id,
                table.deal,
                own is not None and (own.ready, own.key in table.next_ready),
            )
        situation = Situation(table)
        return (base, table.deal, self.acting, situation.stage, situation.step if self.acting else None)

    def take(self, event: NodeEvent) -> tuple[str, ...]:
        """Return what an event says of itself; what pictures show comes by `catch_up`."""
        match event:
            case MoveRefused():
                self.sent = None
                situation = self.situation
                actor = None if situation is None or situation.actor is None else situation.actor
                who = None if situation is None or actor is None else situation.who(actor)
                return (refusals.move_refused(event.reason, dict(event.data), who),)
            case PeerLost(key) | PeerBack(key):
                return self._link(key, lost=isinstance(event, PeerLost))
            case Talked() if self.muted:
                return ()
            case Talked(said):
                speakers = (Who(one.name, one.own) for one in self._people if one.key == said.key)
                return tuple(plain_news.says(one, talk.spoken(said.said)) for one in speakers)
            case _:
                return (news.sentence(event),)

    def _link(self, key: bytes, *, lost: bool) -> tuple[str, ...]:
        missed = (one for one in self._people if one.key == key and not one.left)
        return tuple(news.link(one.name, lost=lost) for one in missed)

    @property
    def _people(self) -> tuple[MemberView, ...]:
        """Who belongs to the own table."""
        table = self._node.table
        return () if table is None else table.everybody

    def catch_up(self, *, whole: bool) -> tuple[str, ...]:
        """Return what has changed since it was told last; whole: also a line that may still go on."""
        table, before = self._node.table, self._table
        self._table = table
        if table is None:
            found = lobby_changes(self._lobby, self._node.lobby)
            self._lobby = self._node.lobby
            self._teller, self._count = None, 0
            return found
        self._lobby = None
        same = before is not None and (before.offer_id, before.deal) == (table.offer_id, table.deal)
        old = before if same else None
        if base_of(table) is Base.READY:
            return () if old is None else gathering_changes(old, table)
        return self._of_deal(old, table, whole=whole)

    def _of_deal(self, old: TableSnapshot | None, table: TableSnapshot, *, whole: bool) -> tuple[str, ...]:
        if old is None or self._teller is None:
            self._teller, self._count = Teller(lambda seat: Situation(self._told).who(seat)), 0
            self.sent = None
        self._told = table
        over = base_of(table) is Base.OVER
        found = [] if over else list(deal_changes(old, table))
        fresh, self._count = table.happened[self._count :], len(table.happened)
        self._held_since = self._now() if fresh else self._held_since
        for happened in fresh:
            found += self._teller.tell(happened)
        # Programs follow each other within a moment; who decides, or nobody, may take long.
        if whole or over or any(one.is_choice for one in table.owed):
            found += self._teller.flush()
        found += [pending_line(old, table), *self._explained(table)]
        if over:
            found += over_changes(old if old is not None and base_of(old) is Base.OVER else None, table)
        else:
            found += waiting_lines(old, table)
        return tuple(found)

    def _explained(self, table: TableSnapshot) -> tuple[str, ...]:
        """What the coach says of what is new, once the line that it is about has been told."""
        if self.coach is None or self._teller is None or self._teller.holds:
            return ()
        before = len(self.coach.lines(table))
        self.coach.follow(Situation(table))
        return tuple(one.text for one in self.coach.lines(table)[before:])

    def due(self) -> tuple[str, ...]:
        """Return what time alone has brought."""
        if self._teller is not None and self._now() - self._held_since > HOLD_S:
            held = self._teller.flush()
            if held:
                return (*held, *self._explained(self._told))
        return (*self._clock(), *self._wait(), *self._nobody())

    def _clock(self) -> tuple[str, ...]:
        """The own time is nearly over."""
        situation = self.situation
        timed = None if situation is None or not self.acting else situation.timed
        if situation is None or timed is None or timed.until is None:
            return ()
        left = timed.until - self._now()
        if self._warned_step != situation.step:
            # What is nearly over from the beginning is no news.
            self._warned_step, self._warned = situation.step, {limit for limit in WARN_S if left < limit}
        due = [limit for limit in WARN_S if left <= limit and limit not in self._warned]
        self._warned.update(due)
        return (plain.time_left(min(due)),) if due and left > 0 else ()

    def _wait(self) -> tuple[str, ...]:
        """Who is missed has been waited for long enough."""
        situation = self.situation
        overdue = situation is not None and situation.may_end_wait(self._now())
        fresh, self._overdue = overdue and not self._overdue, overdue
        if not fresh or situation is None or situation.actor is None:
            return ()
        name = situation.who(situation.actor).name
        return (line(situation.table.step, plain_news.wait_can_be_ended(name)),)

    def _nobody(self) -> tuple[str, ...]:
        """An empty lobby says once what may be wrong."""
        if self._looking_since is None:
            return ()
        if self._node.table is not None or not self._node.lobby.alone:
            # Looking begins anew when the last one has gone.
            self._looking_since = self._now()
            return ()
        looked = self._now() - self._looking_since
        if looked < LOOK_FOR_S:
            return ()
        self._looking_since = None
        addresses = [str(one) for one in self._node.addresses]
        lines = [
            looking.nobody(looked, self._node.interfaces, connected=bool(addresses)),
            looking.is_it_there(),
        ]
        if addresses:
            lines.append(f"{looking.read_aloud()} {', '.join(addresses[:2])}")
        return (*lines, looking.see_doctor())
