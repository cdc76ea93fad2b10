"""What a person wishes on these screens: frozen values, done by whoever owns the node, never by a screen."""

from dataclasses import dataclass
from enum import StrEnum

from textual.message import Message

from engine import Ruleset
from p2p.protocol.snapshot import ReopenedView
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from p2p.protocol.talk import Said
from ui.manner import USUAL_MANNER, Manner


class Where(StrEnum):
    """A screen to go to."""

    BACK = "back"
    LOBBY = "lobby"
    OPEN_TABLE = "open-table"
    ADDRESS = "address"
    HELP = "help"
    MENU = "menu"
    RULES = "rules"
    RESULT = "result"
    TRUST = "trust"
    PROOF = "proof"
    FINGERPRINTS = "fingerprints"
    LOG = "log"
    STATISTICS = "statistics"
    RECORDS = "records"
    BOTS = "bots"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Go:
    """Show another screen."""

    where: Where


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table and sit down at it."""

    title: str
    ruleset: Ruleset
    seats: int
    table_rules: TableRules = USUAL
    code: TableCode | None = None


@dataclass(frozen=True, slots=True)
class Reopen:
    """Open the own table again, after a deal, for so many."""

    seats: int


@dataclass(frozen=True, slots=True)
class Join:
    """Ask for a seat at a table. `opener`: the key of the one who opened it; `code`: what was typed as its
    code.
    """

    opener: bytes
    offer_id: bytes
    code: TableCode | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch a table that is played, as `Join` asks for a seat at one."""

    opener: bytes
    offer_id: bytes
    code: TableCode | None = None


@dataclass(frozen=True, slots=True)
class EnterCode:
    """Type the code of a table that needs one: to watch it, or to sit down. `opener`: as in `Join`."""

    opener: bytes
    offer_id: bytes
    watch: bool = False


def going_to(view: ReopenedView) -> Join | EnterCode:
    """Take a seat where the own table was opened again; its code is asked for where it is not known."""
    return EnterCode(view.opener, view.offer_id) if view.asks_code else Join(view.opener, view.offer_id)


@dataclass(frozen=True, slots=True)
class Connect:
    """Connect to a peer at an address that was typed, HOST:PORT."""

    address: str


@dataclass(frozen=True, slots=True)
class SetReady:
    """Agree to the table's rules, or take that back."""

    ready: bool


@dataclass(frozen=True, slots=True)
class StartWithout:
    """Form the table without the one who keeps the others waiting."""


@dataclass(frozen=True, slots=True)
class NextDeal:
    """Want another deal at this table."""


@dataclass(frozen=True, slots=True)
class OpenBooks:
    """Agree that every card of the deal that is over becomes readable."""


@dataclass(frozen=True, slots=True)
class EndWait:
    """Ask all others to end the wait for who keeps the next deal waiting."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the own table."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class PlayWithBots:
    """Open a table here with so many bots, who play in that manner. coached: its first deal explains
    itself.
    """

    bots: int
    manner: Manner = USUAL_MANNER
    coached: bool = False


@dataclass(frozen=True, slots=True)
class CopyAddress:
    """Put the own address into the clipboard."""

    address: str


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Set one of `ui.settings.Settings`, by its name, from now on."""

    setting: str
    value: object


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Take up the unfinished table again; or not: leave it as it is."""

    really: bool


@dataclass(frozen=True, slots=True)
class Say:
    """Say something to everybody at the table."""

    said: Said


@dataclass(frozen=True, slots=True)
class SaveTranscript:
    """Save the transcript of the deal, ended or not, where the program was started."""


@dataclass(frozen=True, slots=True)
class WatchAgain:
    """Watch the deal that is over again."""


@dataclass(frozen=True, slots=True)
class WatchPast:
    """Watch a deal again that the program remembers."""

    table_id: bytes
    number: int


Wish = (
    Go
    | OpenTable
    | Reopen
    | Join
    | Watch
    | EnterCode
    | Connect
    | SetReady
    | StartWithout
    | NextDeal
    | EndWait
    | OpenBooks
    | Leave
    | Quit
    | PlayWithBots
    | CopyAddress
    | Say
    | SaveTranscript
    | WatchAgain
    | WatchPast
    | TakeUp
    | ChangeSetting
)
"""Everything that these screens ask for."""


class Wished(Message):
    """A screen of the lobby asks for something; `wish` says what."""

    def __init__(self, wish: Wish) -> None:
        super().__init__()
        self.wish = wish
