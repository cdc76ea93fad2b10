"""What two linked peers say to each other: every message, its bounds, and its strict encoding.

A message is a MessagePack array whose first element is the number of its kind; the fields follow in the order
in which the classes below name them. Nothing is optional and nothing may be added. A message is read by
decoding it with all bounds, encoding the result again, and comparing the bytes: one message has one spelling.

The link below has authenticated the sender's key, so no message carries one. Signed things (a proposal, an
entry) travel inside as exact bytes and are judged where they are understood.
"""

from enum import IntEnum, StrEnum
from typing import Annotated

from msgspec import Meta, Struct, msgpack

from p2p.errors import P2PError
from p2p.protocol import wire
from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.books import OpenedKey, SignedWish
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.entry import MAX_SEATS, SignedEntry
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.follows import Follows
from p2p.protocol.lobby_snapshot import OfferStatus
from p2p.protocol.proposal import MAX_OPTIONS, MAX_PROPOSAL_BYTES, OptionValue, SignedProposal, Word
from p2p.protocol.succession import MAX_NOTE_BYTES
from p2p.protocol.table_rules import TableRules
from p2p.protocol.talk import Remark
from p2p.protocol.text import TALK_CHARACTERS
from p2p.protocol.wire import Hash32, Key32, Signature64

FRAME_BYTES = 256 * 1024
"""Longest message. Several shuffles of two packs fit; a peer's buffers stay small."""
TEXT_CHARACTERS = 512
"""Longest text before cleaning."""
ENTRIES_LIMIT = 256
"""Most entries in one message."""
BALLOTS_LIMIT = 64
"""Most ballots in one message; a frame holds so many unless they bring entries."""
DIGESTS_LIMIT = 32
"""Most digests in one status: more steps than this in the pause between two statuses are not compared."""
NUMBER_LIMIT = 2**31 - 1
"""Highest deal or step number."""
TRIES_LIMIT = 255
"""Most tries at a code that can be said to be left."""
NOTES_LIMIT = 512
"""Most earlier deals that a watcher is told of: more than anybody plays in a week."""

Key = Key32
Digest = Hash32
Nonce = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature = Signature64
OfferId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Text = Annotated[str, Meta(max_length=TEXT_CHARACTERS)]
Number = Annotated[int, Meta(ge=0, le=NUMBER_LIMIT)]
Line = Annotated[str, Meta(min_length=1, max_length=TALK_CHARACTERS)]
SeatMask = Annotated[int, Meta(ge=0, lt=2**MAX_SEATS)]
SeatCount = Annotated[int, Meta(ge=2, le=MAX_SEATS)]
Options = Annotated[tuple[tuple[Word, OptionValue], ...], Meta(max_length=MAX_OPTIONS)]
ProposalBytes = Annotated[bytes, Meta(min_length=1, max_length=MAX_PROPOSAL_BYTES)]
SignedEntries = Annotated[tuple[SignedEntry, ...], Meta(min_length=1, max_length=ENTRIES_LIMIT)]


class JunkReason(IntEnum):
    """Why a message was dropped. Junk is counted and never blamed on a seat."""

    OVERSIZED = 1
    MALFORMED = 2
    """Not one of the messages, or a field is outside its bounds."""
    RESPELLED = 3
    """Another spelling of a message than the one this program would send."""
    FLOOD = 4
    """More of one kind than the rate allows."""
    STRANGER = 5
    """About a table at which the sender has no seat."""
    UNFIT = 6
    """Well formed, but nothing that could be meant here and now."""


class JunkError(P2PError):
    """A message that cannot be used; `reason` says why."""

    def __init__(self, reason: JunkReason) -> None:
        super().__init__(reason.name.lower())
        self.reason = reason


class Person(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Somebody at a table: key and raw name."""

    key: Key
    name: Text


class Offer(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A table that the sender opened. `follows`: the one that it goes on from. `needs_code`: who asks for a
    seat has to know its code."""

    offer_id: OfferId
    title: Text
    options: Options
    table_rules: TableRules
    seats: SeatCount
    status: OfferStatus
    people: Annotated[tuple[Person, ...], Meta(max_length=MAX_SEATS)]
    follows: Follows | None
    needs_code: bool


class Place(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Where the sender sits."""

    offer_id: OfferId
    title: Text


class Presence(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=1):
    """Who the sender is: first message on a new link, and again whenever any of it changes."""

    version: Number
    name: Text
    place: Place | None
    offer: Offer | None


class Join(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=2):
    """Give me a seat: to the opener. Sent again on a new link, it keeps the seat and replaces the nonce."""

    offer_id: OfferId
    name: Text
    nonce: Nonce


class RefuseReason(StrEnum):
    """Why an opener gives no seat: what can be said of it over a link. Its values are those of `RefusedJoin`,
    which has more: what a joiner finds out by himself.
    """

    FULL = "full"
    CLOSED = "closed"
    PLAYING = "playing"
    BUSY = "busy"
    CODE = "code"
    GUESSES = "guesses"
    NO_CODE = "no_code"
    NOT_WATCHED = "not_watched"
    MANY_WATCHERS = "many_watchers"


class Refuse(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=3):
    """No seat: from the opener. Or not to be watched: from a member."""

    offer_id: OfferId
    reason: RefuseReason
    version: Number


class Withdraw(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=4):
    """I give my seat back (to the opener), or watch no longer (to a member); the table closes or starts
    without you (from the opener)."""

    offer_id: OfferId
    started_without: bool


class RosterSeat(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """One seat that is taken, while gathering."""

    key: Key
    name: Text
    ready: bool


class Roster(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=5):
    """Who sits at the table and who is ready: from the opener to all who sit there, at each change."""

    offer_id: OfferId
    title: Text
    options: Options
    table_rules: TableRules
    seats: SeatCount
    people: Annotated[tuple[RosterSeat, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    follows: Follows | None


class Ready(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=6):
    """I agree to the rules (or no longer), to the opener; with the nonce for the drafts from now on."""

    offer_id: OfferId
    ready: bool
    nonce: Nonce


class StartWithout(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=7):
    """Start without the one who is not ready: from a ready member to the opener."""

    offer_id: OfferId
    key: Key


class Draft(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=8):
    """Sign this proposal: from the opener to every member of it, once all are ready."""

    offer_id: OfferId
    proposal: ProposalBytes


class Sign(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=9):
    """My signature under the draft with this digest: to the opener."""

    offer_id: OfferId
    table_id: Digest
    signature: Signature


class Formed(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=10):
    """All have signed: from the opener, and from any member to one who may have missed it."""

    signed: SignedProposal


class Entries(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=11):
    """Signed entries of one deal, pushed by their author or as an answer to `Fetch`."""

    table_id: Digest
    deal: Number
    entries: SignedEntries


class Status(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=12):
    """Where the sender stands: to every member a moment after each change, and each second.

    `have` holds bit s if the entry of seat s for `step` is here. `digests` are those of the engine's
    states at the steps since the last status, that of `step` last; equal heads at `step` mean equal heads
    before it. `votes` differs where the ballots and leaves, or the wishes and keys of its books, that are
    known of the deal differ; nil if there are none. `linked` holds bit t if a link to the member in table
    seat t stands.
    """

    table_id: Digest
    deal: Number
    step: Number
    head: Digest
    digests: Annotated[tuple[Digest, ...], Meta(min_length=1, max_length=DIGESTS_LIMIT)]
    have: SeatMask
    votes: Digest | None
    linked: SeatMask


class Fetch(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=13):
    """Send me the entries of this deal from `step` on, without those of `step` that `have` names."""

    table_id: Digest
    deal: Number
    step: Number
    have: SeatMask


class Evidence(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=14):
    """Signed entries that show a breach or a fork by themselves together with the ledger before them."""

    table_id: Digest
    deal: Number
    entries: SignedEntries


class Leaves(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=15):
    """Who has left the table: from the one who leaves, and to who does not know it yet."""

    table_id: Digest
    leaves: Annotated[tuple[SignedLeave, ...], Meta(min_length=1, max_length=MAX_SEATS)]


class Ballots(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=19):
    """Ballots of one deal: from the voter, and to who does not know them yet."""

    table_id: Digest
    deal: Number
    ballots: Annotated[tuple[SignedBallot, ...], Meta(min_length=1, max_length=BALLOTS_LIMIT)]


class Books(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=20):
    """Who wants the books of a finished deal to be opened, and the deal keys that are open: from the one who
    wishes or opens, and to who does not know it yet. All wishes come with the first key.
    """

    table_id: Digest
    deal: Number
    wishes: Annotated[tuple[SignedWish, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    keys: Annotated[tuple[OpenedKey, ...], Meta(max_length=MAX_SEATS)]


class CodeShare(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=16):
    """I know the code of your table: to the opener, with the first half of an exchange (`code_gate`)."""

    offer_id: OfferId
    share: Hash32


class CodeAnswer(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=17):
    """So do I, and this shows it: from the opener. `left`: how many more tries there are for now."""

    offer_id: OfferId
    share: Hash32
    confirmation: Hash32
    left: Annotated[int, Meta(ge=0, le=TRIES_LIMIT)]


class CodeProof(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=18):
    """And this shows that I do: to the opener. A `Join` follows."""

    offer_id: OfferId
    confirmation: Hash32


class Talk(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=21):
    """Something said beside the game: from its author to everybody at the table with this offer id, gathering
    or formed. `said`: a line of text, or the number of a ready remark.
    """

    offer_id: OfferId
    said: Line | Remark


class Watch(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=22):
    """Let me watch your table: to a member of it, on each new link to him. At a private table the exchange
    about its code comes first."""

    offer_id: OfferId
    name: Text


class Note(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """What the deals after one need to know of it (`Succession.note`)."""

    deal: Number
    note: Annotated[bytes, Meta(max_length=MAX_NOTE_BYTES)]


class Watched(Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=23):
    """You may watch: from a member, with the terms of the deal that is played, and what those before it left.

    From here on he sends the watcher what he sends to members, and answers his `Status` and `Fetch`.
    """

    terms: DealTerms
    notes: Annotated[tuple[Note, ...], Meta(max_length=NOTES_LIMIT)]


Message = (
    Presence
    | Join
    | Refuse
    | Withdraw
    | Roster
    | Ready
    | StartWithout
    | Draft
    | Sign
    | Formed
    | Entries
    | Status
    | Fetch
    | Evidence
    | Leaves
    | CodeShare
    | CodeAnswer
    | CodeProof
    | Ballots
    | Books
    | Talk
    | Watch
    | Watched
)
"""Every message."""

LobbyMessage = (
    Presence
    | Join
    | Refuse
    | Withdraw
    | Roster
    | Ready
    | StartWithout
    | Draft
    | Sign
    | CodeShare
    | CodeAnswer
    | CodeProof
    | Watch
    | Watched
)
TableMessage = Entries | Status | Fetch | Evidence | Leaves | Ballots | Books

_MESSAGES: msgpack.Decoder[Message] = msgpack.Decoder(Message)

_REASONS = {
    wire.TOO_LONG: JunkReason.OVERSIZED,
    wire.NOT_DECODABLE: JunkReason.MALFORMED,
    wire.NOT_CANONICAL: JunkReason.RESPELLED,
}


def encode(message: Message) -> bytes:
    """The one spelling of `message`."""
    return wire.encode(message)


def decode(data: bytes) -> Message:
    """Read one message from a peer.

    Raises:
        JunkError: OVERSIZED, MALFORMED or RESPELLED.
    """
    try:
        return wire.decode(_MESSAGES, data, FRAME_BYTES)
    except MalformedMessage as error:
        raise JunkError(_REASONS[error.check]) from None
