"""What a screen, a bot or a script may see of one peer: frozen pictures and the events between them.

A snapshot is complete in itself: a screen that starts in the middle of a deal draws the same picture as one
that watched from the beginning. Names in it are cleaned and told apart already; all else that a person reads
is made from these values by the interface. Times are seconds of the clock that drives the peer (monotonic).
"""

from dataclasses import dataclass
from enum import StrEnum

from engine import Ruleset, Seat, View
from p2p.protocol.lobby_snapshot import (
    LobbySnapshot,
    NameWarning,
    OfferStatus,
    OfferView,
    PersonView,
)
from p2p.protocol.peer_events import (
    AuditDone,
    AuditView,
    ClosedBecause,
    CommandRefused,
    DealEnded,
    DealStarted,
    Happened,
    JoinRefused,
    LobbyChanged,
    MoveRefused,
    PeerBack,
    PeerEvent,
    PeerLost,
    PlayerLeft,
    PollOpened,
    RefusedCommand,
    RefusedJoin,
    ResultKind,
    ResultView,
    Standing,
    StoppedByDigest,
    TableChanged,
    TableClosed,
    TableFormed,
    Talked,
)
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import TableRules
from p2p.protocol.talk import Remark, TalkLine

__all__ = [
    "AuditDone",
    "AuditView",
    "BooksView",
    "ClosedBecause",
    "CommandRefused",
    "DealEnded",
    "DealStarted",
    "Happened",
    "JoinRefused",
    "LobbyChanged",
    "LobbySnapshot",
    "MemberView",
    "MoveRefused",
    "NameWarning",
    "OfferStatus",
    "OfferView",
    "OwedKind",
    "OwedView",
    "PeerBack",
    "PeerEvent",
    "PeerLost",
    "PersonView",
    "Phase",
    "PlayerLeft",
    "PollOpened",
    "PollView",
    "RefusedCommand",
    "RefusedJoin",
    "Remark",
    "ReopenedView",
    "ResultKind",
    "ResultView",
    "SeatTrust",
    "SessionCount",
    "SessionView",
    "ShuffleState",
    "ShuffleView",
    "Standing",
    "StoppedByDigest",
    "TableChanged",
    "TableClosed",
    "TableFormed",
    "TableRules",
    "TableSnapshot",
    "TalkLine",
    "Talked",
    "TrustAnswer",
    "TrustView",
    "WatcherView",
]


class Phase(StrEnum):
    """Where a table stands."""

    GATHERING = "gathering"
    """People take seats, read the rules and say that they are ready; nothing is signed by all yet."""
    OPENING = "opening"
    """The table is formed; key shares and coins of the next deal are committed and opened."""
    SHUFFLING = "shuffling"
    SEALING = "sealing"
    """Everybody signs that he verified the same deck."""
    DEALING = "dealing"
    """Shares flow; hands become readable."""
    PLAYING = "playing"
    OVER = "over"
    """The deal is finished; the next one begins when every seat wants it."""
    VOID = "void"
    """The deal was ended by a proven breach; the next one begins when every seat wants it."""
    STOPPED = "stopped"
    """The engines disagree at one step, so this peer goes no further with the deal."""
    ABSENT = "absent"
    """All others went no further without somebody; the next deal begins without him."""


RUNNING = frozenset({Phase.OPENING, Phase.SHUFFLING, Phase.SEALING, Phase.DEALING, Phase.PLAYING})
"""A deal has begun and has not ended."""


@dataclass(frozen=True, slots=True)
class MemberView:
    """Somebody at the table."""

    key: bytes
    name: str
    fingerprint: str
    seat: Seat | None
    """In the current deal. None while gathering, and for one who does not play this deal."""
    ready: bool
    """Gathering: agrees to the table. Later: True."""
    connected: bool
    """A direct link stands. Without one, entries still arrive through the others."""
    own: bool
    away_since: float | None = None
    """When the link was lost; None while it stands."""
    warning: NameWarning | None = None
    left: bool = False
    """Has left the table for good, or was voted absent."""


@dataclass(frozen=True, slots=True)
class WatcherView:
    """Somebody who watches the table, as far as this peer feeds him."""

    key: bytes
    name: str
    """Cleaned, and told apart from the names of the members."""
    fingerprint: str


class OwedKind(StrEnum):
    """What a seat has to give before the deal can go on."""

    COMMIT = "commit"
    OPEN = "open"
    SHUFFLE = "shuffle"
    SEAL = "seal"
    SHARES = "shares"
    LAY_OR_CALL = "lay_or_call"
    LAY = "lay"
    REVEAL = "reveal"
    PICK_UP = "pick_up"
    DRAW = "draw"
    SETS = "sets"
    OUT = "out"
    """Announce an empty hand; there is nothing to call."""
    OUT_OR_CALL = "out_or_call"
    ANSWER = "answer"
    """Say, hidden for now, whether one calls the packet just laid."""
    ANSWER_OPEN = "answer_open"
    COIN = "coin"
    """A hidden coin for the card that is checked."""
    COIN_OPEN = "coin_open"
    RECEIPT = "receipt"


@dataclass(frozen=True, slots=True)
class OwedView:
    """One seat's debt at the current step."""

    seat: Seat
    kind: OwedKind
    since: float
    """When this step began here."""
    forced: bool = False
    """Sets that have to be shown: the program does it by itself."""
    until: float | None = None
    """A choice: when the program of that seat acts by itself; None if it never does. Of another seat it is
    an estimate, by when the step began here.
    """

    @property
    def is_choice(self) -> bool:
        """Whether a person decides it; everything else the program does by itself."""
        return self.kind in _CHOICES and not self.forced


_CHOICES = frozenset(
    {OwedKind.LAY_OR_CALL, OwedKind.LAY, OwedKind.OUT_OR_CALL, OwedKind.ANSWER, OwedKind.SETS}
)


class ShuffleState(StrEnum):
    """How far a seat's shuffle of the first deck has come."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class ShuffleView:
    """One bar of the shuffling screen."""

    seat: Seat
    state: ShuffleState
    checked_by: int
    """How many seats, the shuffler included, are known to have gone beyond it, so have verified it."""


class TrustAnswer(StrEnum):
    """The answer to "could anyone have peeked?"."""

    NOT_YET = "not_yet"
    """No card can be read yet: the deck is not sealed."""
    NOBODY = "nobody"
    CAUGHT = "caught"
    """Somebody broke the protocol and was caught; see the result for who."""
    STOPPED = "stopped"
    """The engines disagree; nothing is promised of this deal."""
    OPENED = "opened"
    """All have opened their books after the deal: now everybody can read every card."""


@dataclass(frozen=True, slots=True)
class SeatTrust:
    """What one seat has proven in this deal, each proof verified by this very peer."""

    seat: Seat
    key_proven: bool
    shuffles: int
    """First shuffle and pick-ups."""
    shares: int
    """Decryption shares."""
    seals: int


@dataclass(frozen=True, slots=True)
class TrustView:
    """What has been proven so far in this deal."""

    answer: TrustAnswer
    shuffles_checked: int
    """Shuffles of the whole deck; all seats have shuffled when this equals the number of seats."""
    repacks_checked: int
    """Blind shuffles of a hand with a pile that was picked up."""
    shares_checked: int
    seals_checked: int
    seals_complete: int
    """Steps at which every seat sealed."""
    packets_opened: int
    """Packets opened by a call, each proven to be as it was laid."""
    seats: tuple[SeatTrust, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionCount:
    """The deals of the session that one member has lost and won."""

    key: bytes
    losses: int
    wins: int


@dataclass(frozen=True, slots=True)
class SessionView:
    """What is counted from deal to deal. People are told by their keys: not all of them play every deal."""

    goal: int | None
    """So many losses, or wins where the first out wins, end the session; None: it goes on for ever."""
    counts: tuple[SessionCount, ...]
    """Of everybody at the table."""
    losers: tuple[bytes, ...] = ()
    """Once it is over: who has lost it; nobody where the first out wins."""
    best: tuple[bytes, ...] = ()
    """Once it is over: who has done best. Several are a tie, which one more deal among them settles."""
    tie_break: bool = False
    """The current deal is the one that settles a tie; it counts for nothing else."""

    @property
    def over(self) -> bool:
        """Whether the session has ended, though perhaps in a tie."""
        return bool(self.losers or self.best)

    @property
    def tied(self) -> bool:
        """Whether the next deal has to settle who has done best."""
        return len(self.best) > 1


@dataclass(frozen=True, slots=True)
class ReopenedView:
    """Somebody has opened the own table again, after a deal: there those who come along go on."""

    opener: bytes
    """The opener's key; it may be the own one."""
    name: str
    offer_id: bytes
    seats: int
    taken: int
    people: tuple[bytes, ...]
    """The keys of those who sit there."""
    agrees: bool
    """It has the title, the rules and the counts of the own table; no seat is taken where it has not."""
    left: bool
    """The own person was there and has left it."""
    can_join: bool
    """It agrees, has a seat for the own person and was not left: people are led there, and bots go along. The
    next deal of the own table can be wanted all the same."""
    asks_code: bool
    """It has a code that this program, started again since, does not know: codes are never stored."""


@dataclass(frozen=True, slots=True)
class BooksView:
    """Who wants the books of the finished deal to be opened, and whose key is open."""

    wished: frozenset[Seat]
    opened: frozenset[Seat]
    open: bool
    """The keys of all are here: every card of the deal can be read."""
    can_wish: bool
    """The own person can say that it wants it, too."""


@dataclass(frozen=True, slots=True)
class PollView:
    """The poll that runs at the current step."""

    seats: tuple[Seat, ...]
    """About whom; they have no vote in it."""
    left: tuple[Seat, ...]
    """Those of them who have left by themselves."""
    voters: tuple[Seat, ...]
    answered: tuple[Seat, ...]
    """Those voters whose answer is here."""
    since: float
    """When it was first heard of here."""


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The own table, from taking a seat until leaving it; or one that is watched."""

    offer_id: bytes
    table_id: bytes | None
    """Hash of the proposal that all signed; None while gathering."""
    title: str
    ruleset: Ruleset
    """As resolved for those who play the current deal, once the table is formed."""
    table_rules: TableRules
    seats: int
    """How many play the current deal; while gathering how many are wanted."""
    members: tuple[MemberView, ...]
    """Who plays the current deal, by seat; while gathering in order of taking seats. The clockwise order of a
    deal is `view.state.order`."""
    own_seat: Seat | None
    """None while gathering, and in a deal that the own person does not play."""
    phase: Phase
    deal: int
    """1 for the first; 0 while gathering."""
    step: int
    head: bytes | None
    """Head of the ledger."""
    view: View | None
    """The public state and the cards that the own seat has read; None until the cards are dealt out."""
    owed: tuple[OwedView, ...]
    shuffles: tuple[ShuffleView, ...]
    """One a seat, clockwise, from the opening on."""
    trust: TrustView
    result: ResultView | None
    losses: tuple[int, ...]
    """Deals lost in this session, by seat of the current deal. While a table gathers that goes on from
    another one: those of `members`, in their order; a newcomer begins with none."""
    next_ready: frozenset[bytes]
    """The keys of those who want the next deal."""
    happened: tuple[Happened, ...] = ()
    """Everything since this deal began, for the log."""
    ready_locked_until: float | None = None
    """Gathering: the own readiness can be taken back only from this time on."""
    can_start_without: bytes | None = None
    """Gathering: the key of the only one who is not ready and without whom the others can start."""
    wins: tuple[int, ...] = ()
    """Deals won in this session, as `losses`."""
    session: SessionView | None = None
    """How the session stands after the current deal, or as it began; None while gathering and where each deal
    stands alone."""
    aside: tuple[MemberView, ...] = ()
    """Members of the table who do not play the current deal."""
    books: BooksView | None = None
    """Of a finished deal that all have signed."""
    poll: PollView | None = None
    """Whether to end a wait, while all others are asked."""
    wait_until: float | None = None
    """From when on the own person can ask for it; None if nobody else is missed."""
    two_alone: bool = False
    """No more than two are left in the deal: then a wait for the other is ended by putting the deal aside."""
    next_players: tuple[bytes, ...] = ()
    """The keys of those who play the next deal, once one stands ready."""
    code: TableCode | None = None
    """Gathering, at the own private table: the code to read out to those who should come."""
    own_wait: bool = False
    """Nothing can be decided now: the own entry's proof is being made, or this peer is `taking_up` the table,
    or it is `silent`.
    """
    taking_up: bool = False
    """This peer has come back to the table: it reads its journal and hears where the others stand, and says
    nothing new yet.
    """
    silent: bool = False
    """This peer only watches the deal to its end: its journal lacks what its own key has signed in it."""
    reopened: ReopenedView | None = None
    """Who has opened this table again, where a deal is over. While gathering: the one to go to instead."""
    company_sizes: tuple[int, ...] = ()
    """How many can play by the rules of this table, ascending: for how many it can be opened again."""
    talk: tuple[TalkLine, ...] = ()
    """What was said beside the game, the oldest first."""
    watching: bool = False
    """The own person has no seat at this table, and watches it."""
    watchers: tuple[WatcherView, ...] = ()
    """Who watches through this peer; each member knows of those who have asked him."""
    before: "TableSnapshot | None" = None
    """Gathering: the own table that it would follow; it is kept until the new one is formed."""
    goes_on: bool = False
    """Gathering: it follows another table, and carries its counts."""

    @property
    def is_played(self) -> bool:
        """Whether the own person plays a deal here that has not ended."""
        return self.phase in RUNNING and self.own_seat is not None

    @property
    def owed_by_me(self) -> OwedView | None:
        """The own debt at this step, if any."""
        if self.own_seat is None:
            return None
        return next((owed for owed in self.owed if owed.seat == self.own_seat), None)

    @property
    def everybody(self) -> tuple[MemberView, ...]:
        """All members of the table, whether they play the current deal or not."""
        return self.members + self.aside

    @property
    def own_member(self) -> MemberView | None:
        """The own person; None before the opener has confirmed the seat."""
        return next((member for member in self.everybody if member.own), None)
