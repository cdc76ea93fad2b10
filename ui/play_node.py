"""What the interface needs of a node and of bots. `p2p.net.node.Node` and `ui.companions.Companions` have it;
a test may bring its own."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from engine import Move, Ruleset
from p2p.net.history import History
from p2p.net.node_events import NodeEvent
from p2p.net.unfinished import UnfinishedTable
from p2p.protocol.deal_views import CardReading
from p2p.protocol.resumed import ResumedDeal
from p2p.protocol.snapshot import LobbySnapshot, TableSnapshot
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from p2p.protocol.talk import Said
from ui.manner import Manner


class PlayNode(Protocol):
    """What the app needs of a node (`p2p.net.node.Node`). Commands return at once; answers come as events."""

    @property
    def lobby(self) -> LobbySnapshot:
        """The lobby as it is now."""

    @property
    def table(self) -> TableSnapshot | None:
        """The own table as it is now."""

    @property
    def addresses(self) -> Sequence[object]:
        """Where this node can be reached; their text is HOST:PORT."""

    @property
    def interfaces(self) -> Sequence[str]:
        """The names of the interfaces on which others are looked for."""

    @property
    def unfinished(self) -> UnfinishedTable | None:
        """A table that can be taken up again."""

    @property
    def readings(self) -> Sequence[CardReading]:
        """Who can read each card of the own table's deal, and since when; nothing without a table."""

    def events(self) -> AsyncIterator[NodeEvent]:
        """Everything that happens from now on."""

    def open_table(
        self,
        title: str,
        ruleset: Ruleset,
        seats: int,
        table_rules: TableRules = USUAL,
        code: TableCode | None = None,
    ) -> None:
        """Open a table, with a code or without."""

    def reopen(self, seats: int) -> None:
        """Open the own table again, for so many, after a deal."""

    def resume(self) -> None:
        """Take up the unfinished table."""

    def join(self, key: bytes, offer_id: bytes, code: TableCode | None = None) -> None:
        """Ask for a seat, with the table's code if it has one."""

    def watch(self, key: bytes, offer_id: bytes, code: TableCode | None = None) -> None:
        """Ask to watch a table that is played, with its code if it has one."""

    def set_ready(self, ready: bool) -> None:
        """Agree to the rules, or take that back."""

    def start_without(self) -> None:
        """Start without the only one who is not ready."""

    def submit(self, move: Move) -> None:
        """Make a move."""

    def next_deal(self) -> None:
        """Want the next deal."""

    def end_wait(self) -> None:
        """Ask the others to end the wait for whoever is missed."""

    def open_books(self) -> None:
        """Want the books of the deal that has just ended to be opened."""

    def say(self, said: Said) -> None:
        """Say something to everybody at the own table."""

    def leave(self) -> None:
        """Leave the own table."""

    async def history(self) -> History:
        """The deals that the profile remembers. Raises: P2PError."""

    async def past_deal(self, table_id: bytes, number: int) -> ResumedDeal | None:
        """A deal that the profile remembers; None if too little of it is kept. Raises: P2PError."""

    async def transcript(self) -> bytes | None:
        """The transcript of the table's deal, ended or not; None without a table."""

    async def dial(self, text: str) -> bytes:
        """Link to the peer at an address. Raises: P2PError."""


class Company(Protocol):
    """Headless peers that keep a person company."""

    @property
    def keeps_company(self) -> bool:
        """Whether any were called, and not sent home since."""

    def call(self, title: str, count: int, manner: Manner) -> None:
        """Send so many to the own table of that title; they play in that manner."""

    def recall(self, title: str) -> None:
        """Bring back those who sat at a table of that title when it was left."""

    def dismiss(self) -> None:
        """Send all of them home."""
