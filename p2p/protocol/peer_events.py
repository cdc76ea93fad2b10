"""What a peer tells its screen: a picture changed, something happened, a wish was refused.

Events carry enums and data; the interface makes the sentences. Every event is a frozen value.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine import Event, Refusal, Seat
from p2p.protocol.talk import TalkLine


class ResultKind(StrEnum):
    """How a deal ended."""

    FINISHED = "finished"
    VOID = "void"
    STOPPED = "stopped"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the deal-over table; only public facts are counted."""

    seat: Seat
    exposed: int
    """Own lies that a call exposed in this deal."""
    guessed: int
    """Own calls that were right in this deal."""
    losses: int
    """Deals lost in this session, this one included."""
    wins: int = 0
    """Deals won in this session, this one included: whoever is out first wins."""


@dataclass(frozen=True, slots=True)
class AuditView:
    """The auditor's verdict on all entries of the ended deal, found by this peer without its keys."""

    ok: bool
    check: str | None = None
    step: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class ResultView:
    """The end of a deal."""

    kind: ResultKind
    step: int
    loser: Seat | None
    """FINISHED: who is left with cards; VOID: who broke the protocol; otherwise nobody."""
    winner: Seat | None
    standings: tuple[Standing, ...]
    """FINISHED: in order of places. Otherwise in order of seats."""
    check: str | None = None
    """VOID: the name of the check that failed; "fork" for two stories."""
    signed: frozenset[Seat] = frozenset()
    """Whose receipt is in."""
    audit: AuditView | None = None
    """None while the auditor is at work, or where the deal was stopped."""
    differs_from: Seat | None = None
    """STOPPED: whose program told another state than the own one has; no blame, either may be wrong."""
    absent: tuple[Seat, ...] = ()
    """ABSENT: without whom all others went no further."""
    left: tuple[Seat, ...] = ()
    """ABSENT: those of them who left; the others were voted absent."""
    losers: tuple[Seat, ...] = ()
    """ABSENT: those of them who have lost; nobody before the deck was sealed."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something happened at the table: an engine event, at its step of the ledger."""

    deal: int
    step: int
    event: Event
    lapsed: bool = False
    """The own person's time ran out, and the own program did this for him."""


class RefusedJoin(StrEnum):
    """Why a seat at a table was refused, or that one watches it."""

    FULL = "full"
    CLOSED = "closed"
    """There is no such table any more."""
    PLAYING = "playing"
    VERSIONS = "versions"
    """The two programs speak different protocol versions."""
    TITLE = "title"
    """The table's title, or a name at it, is not clean text, so it is not joined."""
    RULES = "rules"
    """The table's rules are not known here or cannot be played by its seats, so it is not joined."""
    BUSY = "busy"
    """The asking key sits at another table of that peer, or already at this one."""
    BEFORE = "before"
    """It goes on from the own table with another title, other rules or other counts than this peer has."""
    NO_LINK = "no_link"
    """No connection to the table's opener."""
    CODE = "code"
    """The table has a code, and none was given."""
    WRONG_CODE = "wrong_code"
    """Whoever opened the table does not know the code that was given: it is another one."""
    GUESSES = "guesses"
    """There were too many tries at a code in the last minute."""
    NO_CODE = "no_code"
    """A code was given for a table that has none, so it is not the table that was meant."""
    NOT_WATCHED = "not_watched"
    """Nobody may watch this table."""
    MANY_WATCHERS = "many_watchers"
    """As many watch this table already as its programs feed."""
    NOT_PLAYED = "not_played"
    """Nobody plays at this table yet, so there is nothing to watch."""


class ClosedBecause(StrEnum):
    """Why the own table is no more."""

    LEFT = "left"
    """By the own wish."""
    OPENER_LEFT = "opener_left"
    """While gathering: the opener closed the table or its link was lost for too long."""
    STARTED_WITHOUT = "started_without"
    """The others started without this peer."""
    WENT_ON = "went_on"
    """It would have followed the own table, which has begun its next deal after all."""
    PUT_ASIDE = "put_aside"
    """By the own wish: of two in a deal, the other stayed away. It is unfinished, and nobody has lost it."""


class RefusedCommand(StrEnum):
    """Why something asked of the peer was not done; it changed nothing."""

    NO_TABLE = "no_table"
    ALREADY_AT_TABLE = "already_at_table"
    TOO_SOON = "too_soon"
    """Readiness can be taken back only once in 5 s."""
    NOT_NOW = "not_now"
    """The table is in another phase."""
    TITLE = "title"
    """The title is empty after cleaning."""
    SEATS = "seats"
    """The rules do not allow this number of players."""
    DEALER = "dealer"
    """The seat that is to deal first is none of the table, or its dealer is not chosen."""
    RULES = "rules"
    """The network cannot carry these rules yet; `CommandRefused.option` says which of them."""
    NO_CODE = "no_code"
    """The code of the table is not known any more: it is kept nowhere, and the program was started again."""
    NOBODY_MISSED = "nobody_missed"
    """There is no wait to be ended: nobody else owes anything."""
    NOT_OVERDUE = "not_overdue"
    """A wait cannot be ended yet; `CommandRefused.wait_s` says for how long not."""
    KEY_ERASED = "key_erased"
    """The own key of the deal is not known any more, so its books stay closed."""
    TOO_MUCH_TALK = "too_much_talk"
    """So much was said in a short time that others would take no more."""
    NOTHING_SAID = "nothing_said"
    """Nothing of the text can be shown."""


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The lobby snapshot differs from before."""


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The table snapshot differs from before."""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The own table, or one that was to follow it, is no more; back to the lobby, or to the table before."""

    reason: ClosedBecause


@dataclass(frozen=True, slots=True)
class JoinRefused:
    """The table that was asked for a seat gave none, or cannot be watched."""

    offer_id: bytes
    reason: RefusedJoin
    their_version: int | None = None
    own_version: int | None = None
    tries_left: int | None = None
    """WRONG_CODE: how many more tries the opener says there are in this minute."""


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command was not done."""

    reason: RefusedCommand
    wait_s: float = 0.0
    """TOO_SOON, NOT_OVERDUE: how long to wait."""
    option: str | None = None
    """RULES: the option whose value cannot be carried (`p2p.protocol.carried`)."""


@dataclass(frozen=True, slots=True)
class MoveRefused:
    """A move was not legal and changed nothing."""

    reason: Refusal
    """NOT_NOW where no move is owed by the own seat."""
    data: tuple[tuple[str, object], ...] = ()
    """The refusal's data by name, sorted."""


@dataclass(frozen=True, slots=True)
class PeerLost:
    """The link to somebody at the own table is gone."""

    key: bytes


@dataclass(frozen=True, slots=True)
class PeerBack:
    """The link to somebody at the own table is back."""

    key: bytes


@dataclass(frozen=True, slots=True)
class PollOpened:
    """All others are asked whether to end the wait for these seats of the deal."""

    deal: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody has left the table for good."""

    member: int
    """His table seat."""


@dataclass(frozen=True, slots=True)
class TableFormed:
    """Every seat signed the same proposal."""

    table_id: bytes


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Every seat wants the deal and has committed: its ledger begins."""

    deal: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal came to its end."""

    deal: int
    result: ResultView


@dataclass(frozen=True, slots=True)
class StoppedByDigest:
    """At equal heads another peer's engine has another state: a program is wrong, and which is not known."""

    deal: int
    step: int
    key: bytes
    """Whose digest differs from the own."""


@dataclass(frozen=True, slots=True)
class AuditDone:
    """The auditor has gone over a deal's transcript."""

    deal: int
    verdict: AuditView


@dataclass(frozen=True, slots=True)
class Talked:
    """Somebody at the own table, or the own person, said something beside the game."""

    line: TalkLine


PeerEvent = (
    LobbyChanged
    | TableChanged
    | TableClosed
    | JoinRefused
    | CommandRefused
    | MoveRefused
    | PeerLost
    | PeerBack
    | PollOpened
    | PlayerLeft
    | TableFormed
    | DealStarted
    | Happened
    | DealEnded
    | StoppedByDigest
    | AuditDone
    | Talked
)
"""Everything that a peer tells its screen or bot."""
