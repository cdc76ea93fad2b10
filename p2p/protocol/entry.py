"""Entries: everything that a seat ever says in a deal, signed as exact bytes.

An entry is `(table, deal, step, seat, previous head, body)`. The body says what kind it is by its first
field. No entry holds a card's face: faces follow from the shares, so that there is no second source for
them.
"""

from enum import StrEnum
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct, msgpack

from crypto import Identity, InvalidSignature, verify_signature
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.wire import Hash32, Signature64, decode, encode

MAX_SEATS = 12
"""The largest table of any form of the game."""

MAX_CARDS = 104
"""Two packs of 52: the longest deck that can be shuffled, and the most slots that one entry can name."""

MAX_ELEMENT_BYTES = 32
"""An encoded group element or scalar; ristretto255 takes exactly this much."""

MAX_DECK_BYTES = 2 * MAX_ELEMENT_BYTES * MAX_CARDS

MAX_PROOF_BYTES = MAX_ELEMENT_BYTES * (7 + 3 * MAX_CARDS + 3)
"""The longest proof is that of a shuffle: 7 elements and fewer than 3n+3 scalars."""

MAX_ENTRY_BYTES = MAX_DECK_BYTES + MAX_PROOF_BYTES + 1024
"""A shuffle of the longest deck, with room for the fields around it."""

MAX_STEP = 65_535
"""A deal of 200 laps of twelve players, each calling every packet, stays below; a deal cannot outgrow
memory.
"""

MAX_SLOT = 1_048_575
"""Slots are never reused; a pick-up makes at most 104 new ones in three steps."""

MAX_DEAL = 2**31 - 1

SIGNATURE_LABEL = b"entry"

SeatNumber = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
SlotNumber = Annotated[int, Meta(ge=0, le=MAX_SLOT)]
Place = Annotated[int, Meta(ge=0, le=MAX_CARDS - 1)]
Slots = Annotated[tuple[SlotNumber, ...], Meta(max_length=MAX_CARDS)]
Deck = Annotated[bytes, Meta(max_length=MAX_DECK_BYTES)]
Proof = Annotated[bytes, Meta(max_length=MAX_PROOF_BYTES)]
ElementBytes = Annotated[bytes, Meta(min_length=1, max_length=MAX_ELEMENT_BYTES)]
ShareBytes = Annotated[bytes, Meta(max_length=MAX_ELEMENT_BYTES * MAX_CARDS)]


class Kind(StrEnum):
    """The kinds of entries; the value is the first field of the encoded body."""

    COMMIT = "commit"
    OPEN = "open"
    SHUFFLE = "shuffle"
    SEAL = "seal"
    SHARES = "shares"
    LAY = "lay"
    CALL = "call"
    REVEAL = "reveal"
    PICK_UP = "pick-up"
    DRAW = "draw"
    SETS = "sets"
    OUT = "out"
    COIN_COMMIT = "coin-commit"
    COIN = "coin"
    ANSWER_COMMIT = "answer-commit"
    ANSWER = "answer"
    RECEIPT = "receipt"


class CommitBody(Struct, frozen=True, array_like=True, tag=Kind.COMMIT.value, forbid_unknown_fields=True):
    """Step 0: a commitment to this seat's key share and coin, before anyone has shown his own."""

    kind: ClassVar[Kind] = Kind.COMMIT
    commitment: Hash32


class OpenBody(Struct, frozen=True, array_like=True, tag=Kind.OPEN.value, forbid_unknown_fields=True):
    """Step 1: the key share with its proof of ownership, the coin, and the blinding of the commitment."""

    kind: ClassVar[Kind] = Kind.OPEN
    public: ElementBytes
    proof: Proof
    coin: Hash32
    blinding: Hash32


class ShuffleBody(Struct, frozen=True, array_like=True, tag=Kind.SHUFFLE.value, forbid_unknown_fields=True):
    """The whole deck, remasked and permuted. `deck`: the ciphertexts one after the other."""

    kind: ClassVar[Kind] = Kind.SHUFFLE
    deck: Deck
    proof: Proof


class SealBody(Struct, frozen=True, array_like=True, tag=Kind.SEAL.value, forbid_unknown_fields=True):
    """ "I have verified every entry up to the previous head of this one." The head says it all."""

    kind: ClassVar[Kind] = Kind.SEAL


class SharesBody(Struct, frozen=True, array_like=True, tag=Kind.SHARES.value, forbid_unknown_fields=True):
    """This seat's decryption shares of others' cards. `shares`: one element a slot, in the order of
    `slots`.
    """

    kind: ClassVar[Kind] = Kind.SHARES
    slots: Slots
    shares: ShareBytes
    proof: Proof


class LayBody(Struct, frozen=True, array_like=True, tag=Kind.LAY.value, forbid_unknown_fields=True):
    """Slots laid face down, ascending, with the claimed rank (2 to 14) and, where the form has one, the
    number. `out`: announced with it that these were the last cards.
    """

    kind: ClassVar[Kind] = Kind.LAY
    slots: Slots
    rank: Annotated[int, Meta(ge=2, le=14)]
    number: Annotated[int, Meta(ge=0, le=MAX_CARDS)] | None
    out: bool = False


class CallBody(Struct, frozen=True, array_like=True, tag=Kind.CALL.value, forbid_unknown_fields=True):
    """A call of the live packet: `believe` false is *ne veryu*. `index`: the place in the packet, from 0, of
    the card to check, where the caller picks it.
    """

    kind: ClassVar[Kind] = Kind.CALL
    believe: bool
    index: Place | None = None


class RevealBody(Struct, frozen=True, array_like=True, tag=Kind.REVEAL.value, forbid_unknown_fields=True):
    """The owner's own shares of the packet that was called, or of its one card that is checked; with the
    others' shares they open it to all.
    """

    kind: ClassVar[Kind] = Kind.REVEAL
    slots: Slots
    shares: ShareBytes
    proof: Proof


class PickUpBody(Struct, frozen=True, array_like=True, tag=Kind.PICK_UP.value, forbid_unknown_fields=True):
    """The taker's hand and pile, remasked and permuted together, so that no card can be followed into the
    hand.
    """

    kind: ClassVar[Kind] = Kind.PICK_UP
    deck: Deck
    proof: Proof


class DrawBody(Struct, frozen=True, array_like=True, tag=Kind.DRAW.value, forbid_unknown_fields=True):
    """The hand of the one who draws and the cards drawn, remasked and permuted together, as in a pick-up."""

    kind: ClassVar[Kind] = Kind.DRAW
    deck: Deck
    proof: Proof


class SetsBody(Struct, frozen=True, array_like=True, tag=Kind.SETS.value, forbid_unknown_fields=True):
    """The taker's own shares of the complete sets that he removes; all three fields empty decline."""

    kind: ClassVar[Kind] = Kind.SETS
    slots: Slots
    shares: ShareBytes
    proof: Proof


class OutBody(Struct, frozen=True, array_like=True, tag=Kind.OUT.value, forbid_unknown_fields=True):
    """ "My hand is empty": announced on one's own turn, where the form wants that to be said."""

    kind: ClassVar[Kind] = Kind.OUT


class CoinCommitBody(
    Struct, frozen=True, array_like=True, tag=Kind.COIN_COMMIT.value, forbid_unknown_fields=True
):
    """A commitment to this seat's coin for the card that is checked, before anyone has shown his own."""

    kind: ClassVar[Kind] = Kind.COIN_COMMIT
    commitment: Hash32


class CoinBody(Struct, frozen=True, array_like=True, tag=Kind.COIN.value, forbid_unknown_fields=True):
    """The coin and the blinding of its commitment. All coins together draw the card."""

    kind: ClassVar[Kind] = Kind.COIN
    coin: Hash32
    blinding: Hash32


class AnswerCommitBody(
    Struct, frozen=True, array_like=True, tag=Kind.ANSWER_COMMIT.value, forbid_unknown_fields=True
):
    """A commitment to what this seat says in the window after a lay, before anyone has said anything."""

    kind: ClassVar[Kind] = Kind.ANSWER_COMMIT
    commitment: Hash32


class AnswerBody(Struct, frozen=True, array_like=True, tag=Kind.ANSWER.value, forbid_unknown_fields=True):
    """What this seat said in the window: `believe` and `index` as in a call, None and None for nothing."""

    kind: ClassVar[Kind] = Kind.ANSWER
    believe: bool | None
    index: Place | None
    blinding: Hash32


class ReceiptBody(Struct, frozen=True, array_like=True, tag=Kind.RECEIPT.value, forbid_unknown_fields=True):
    """ "The deal ended with this head." Only the next deal waits for it."""

    kind: ClassVar[Kind] = Kind.RECEIPT


Body: TypeAlias = (
    CommitBody
    | OpenBody
    | ShuffleBody
    | SealBody
    | SharesBody
    | LayBody
    | CallBody
    | RevealBody
    | PickUpBody
    | DrawBody
    | SetsBody
    | OutBody
    | CoinCommitBody
    | CoinBody
    | AnswerCommitBody
    | AnswerBody
    | ReceiptBody
)


def opened_slots(body: Body) -> tuple[int, ...] | None:
    """The slots that an entry opens to everybody, or None if it is of no such kind."""
    return body.slots if isinstance(body, RevealBody | SetsBody) else None


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a seat says at one step. `table` and `previous` are hashes of 32 bytes; deals count from 1."""

    table: Hash32
    deal: Annotated[int, Meta(ge=1, le=MAX_DEAL)]
    step: Annotated[int, Meta(ge=0, le=MAX_STEP)]
    seat: SeatNumber
    previous: Hash32
    body: Body

    @property
    def kind(self) -> Kind:
        """What kind of entry this is."""
        return self.body.kind

    def encode(self) -> bytes:
        """The one encoding of this entry: the bytes that are signed and hashed."""
        return encode(self)


class SignedEntry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An entry's exact bytes with its seat's signature (64 bytes). This is what travels and is kept."""

    entry: Annotated[bytes, Meta(max_length=MAX_ENTRY_BYTES)]
    signature: Signature64

    def open(self) -> Entry:
        """The entry itself, its signature *not* yet checked.

        Raises:
            MalformedMessage: if the bytes are not the one encoding of an entry.
        """
        return decode_entry(self.entry)


_ENTRIES = msgpack.Decoder(Entry)


def decode_entry(data: bytes) -> Entry:
    """Decode an entry strictly.

    Raises:
        MalformedMessage: if the bytes are not the one encoding of an entry within all bounds.
    """
    return decode(_ENTRIES, data, MAX_ENTRY_BYTES)


def sign_entry(identity: Identity, entry: Entry) -> SignedEntry:
    """Sign an entry's exact bytes under the label of entries."""
    data = entry.encode()
    return SignedEntry(data, identity.sign(SIGNATURE_LABEL, data))


def check_signature(key: bytes, signed: SignedEntry) -> None:
    """Check the signature of `signed` by the identity key `key` (32 bytes), whatever its bytes say.

    Raises:
        MalformedMessage: if it is not that key's.
    """
    try:
        verify_signature(key, SIGNATURE_LABEL, signed.entry, signed.signature)
    except InvalidSignature as error:
        raise MalformedMessage("signature") from error
