"""One peer of a network in memory: its disk, what it told its screen, and the bot that plays for it."""

from dataclasses import dataclass, field
from typing import Any

from memory_disk import Disk, Line

from crypto import Identity
from engine.bots import Policy
from p2p.protocol.entry import Body, Entry, SignedEntry, sign_entry
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import PeerEvent
from p2p.protocol.snapshot import LobbySnapshot, TableSnapshot

QUICK_JOBS_S = (0.0005, 0.004)
"""How long a proof takes on a machine that has nothing else to do."""


@dataclass
class Player:
    """One seat through all its processes."""

    index: int
    peer: Peer
    identity: Identity
    disk: Disk = field(default_factory=Disk)
    line: Line = field(default_factory=Line)
    events: list[PeerEvent] = field(default_factory=list)
    bot: Policy | None = None
    timer: float = float("inf")
    think: tuple[float, float] = (0.0, 0.0)
    job_s: tuple[float, float] = QUICK_JOBS_S
    """How long a job takes, at least and at most."""
    lives: int = 1
    """How many processes it has been."""
    alive: bool = True
    thinking: bool = False
    asked: tuple[int, int] = (0, -1)
    """Deal and step at which the bot has moved."""

    @property
    def table(self) -> TableSnapshot:
        """The own table, which must be there."""
        table = self.peer.table
        assert table is not None
        return table

    @property
    def lobby(self) -> LobbySnapshot:
        """The lobby."""
        return self.peer.lobby

    @property
    def may_be_asked(self) -> bool:
        """Whether the deal waits for a decision of this seat."""
        table = self.peer._table
        if table is None:
            return False
        deal, own = table.deals.current.deal, table.deals.current.own
        return deal.state is not None and any(owed.seat == own and owed.choice for owed in deal.owed)

    @property
    def bot_remembers(self) -> bool:
        """Whether the bot takes notice of events at all."""
        return type(self.bot).observe is not Policy.observe

    def died(self) -> None:
        """The process is gone, with all that it had not written."""
        self.alive = False
        self.timer = float("inf")
        self.line = Line()
        self.thinking = False
        self.asked = (0, -1)

    def sign(
        self, body: Body, *, deal: int | None = None, step: int | None = None, head: bytes | None = None
    ) -> SignedEntry:
        """An entry of this peer's seat, at its current place unless told otherwise, signed with its key."""
        table = self.table
        assert table.table_id is not None
        assert table.own_seat is not None
        previous = table.head if head is None else head
        assert previous is not None
        at = table.step if step is None else step
        entry = Entry(
            table.table_id, table.deal if deal is None else deal, at, table.own_seat, previous, body
        )
        return sign_entry(self.identity, entry)

    def of(self, kind: type[Any]) -> list[Any]:
        """The events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]
