"""A scripted node for tests of the app: its table is a model deal, its events are put by the test."""

from dataclasses import dataclass, field

from model_table import ModelTable

from engine import Move, Ruleset
from p2p.errors import NetworkError, NetworkReason
from p2p.net.history import History
from p2p.net.node_events import NodeEvent
from p2p.net.subscription import Subscription
from p2p.net.unfinished import UnfinishedTable
from p2p.protocol.deal_views import CardReading
from p2p.protocol.resumed import ResumedDeal
from p2p.protocol.snapshot import LobbySnapshot, TableChanged, TableSnapshot
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from p2p.protocol.talk import Said
from ui.manner import Manner


@dataclass
class FakeCompany:
    """Notes who was called to which table, and how often all were sent home."""

    called: list[tuple[str, int]] = field(default_factory=list)
    dismissed: int = 0
    manner: Manner | None = None
    recalled: list[str] = field(default_factory=list)

    @property
    def keeps_company(self) -> bool:
        """Whether somebody was called, and nobody sent home."""
        return bool(self.called) and not self.dismissed

    def call(self, title: str, count: int, manner: Manner) -> None:
        """Noted."""
        self.called.append((title, count))
        self.manner = manner

    def recall(self, title: str) -> None:
        """Noted."""
        self.recalled.append(title)

    def dismiss(self) -> None:
        """Counted."""
        self.dismissed += 1


@dataclass
class FakeNode:
    """Does what `ui.app.PlayNode` asks; `wished` lists the commands, `model` is the own table."""

    model: ModelTable | None = None
    lobby: LobbySnapshot = field(
        default_factory=lambda: LobbySnapshot(bytes(32), "Oleg", "7F3K-Q2MD-90XA-B3CE", (), ())
    )
    addresses: tuple[str, ...] = ("192.168.1.23:52417",)
    interfaces: tuple[str, ...] = ("eth0",)
    wished: list[tuple[object, ...]] = field(default_factory=list)
    unfinished: UnfinishedTable | None = None
    table_override: TableSnapshot | None = None

    readings: tuple[CardReading, ...] = ()
    past: History = field(default_factory=History)
    kept: ResumedDeal | None = None

    def __post_init__(self) -> None:
        self.said: Subscription[NodeEvent] = Subscription()

    @property
    def table(self) -> TableSnapshot | None:
        """The model's snapshot, or the one that the test wants."""
        if self.table_override is not None:
            return self.table_override
        return None if self.model is None else self.model.snapshot()

    def events(self) -> Subscription[NodeEvent]:
        """What the test says."""
        return self.said

    def changed(self) -> None:
        """Say that the table changed."""
        self.said.put(TableChanged())

    def submit(self, move: Move) -> None:
        """Apply the move to the model, as the own peer would."""
        self.wished.append(("submit", move))
        assert self.model is not None
        self.model.play(move)
        self.changed()

    def open_table(
        self,
        title: str,
        ruleset: Ruleset,
        seats: int,
        table_rules: TableRules = USUAL,
        code: TableCode | None = None,
    ) -> None:
        """Noted."""
        changed = () if table_rules == USUAL else (table_rules,)
        self.wished.append(
            ("open_table", title, ruleset.form, seats, *changed, *([code.text] if code else []))
        )

    def reopen(self, seats: int) -> None:
        """Noted."""
        self.wished.append(("reopen", seats))

    def resume(self) -> None:
        """Noted."""
        self.unfinished = None
        self.wished.append(("resume",))

    def join(self, key: bytes, offer_id: bytes, code: TableCode | None = None) -> None:
        """Noted."""
        self.wished.append(("join", key, offer_id, *([code.text] if code else [])))

    def watch(self, key: bytes, offer_id: bytes, code: TableCode | None = None) -> None:
        """Noted."""
        self.wished.append(("watch", key, offer_id, *([code.text] if code else [])))

    def set_ready(self, ready: bool) -> None:
        """Noted."""
        self.wished.append(("set_ready", ready))

    def start_without(self) -> None:
        """Noted."""
        self.wished.append(("start_without",))

    def next_deal(self) -> None:
        """Noted."""
        self.wished.append(("next_deal",))

    def end_wait(self) -> None:
        """Noted."""
        self.wished.append(("end_wait",))

    def open_books(self) -> None:
        """Noted."""
        self.wished.append(("open_books",))

    def say(self, said: Said) -> None:
        """Noted."""
        self.wished.append(("say", said))

    def leave(self) -> None:
        """Noted."""
        self.wished.append(("leave",))

    async def history(self) -> History:
        """What the test has put there."""
        return self.past

    async def past_deal(self, table_id: bytes, number: int) -> ResumedDeal | None:
        """What the test keeps of it."""
        self.wished.append(("past_deal", table_id, number))
        return self.kept

    async def transcript(self) -> bytes | None:
        """What stands for the deal's transcript."""
        self.wished.append(("transcript",))
        return None if self.table is None else b"{}\n"

    async def dial(self, text: str) -> bytes:
        """Nobody answers. Raises: NetworkError."""
        self.wished.append(("dial", text))
        raise NetworkError(NetworkReason.UNREACHABLE, text)
