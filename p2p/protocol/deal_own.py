"""What the own seat makes by itself: its secrets of the deal, and the entries that follow from them.

The secrets are the deal key, the coin and the blinding; nothing else has to be kept to go on after a crash.
A shuffle's permutation and its randomness are never kept: nobody, the shuffler included, needs them again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct, msgpack

from crypto import (
    COIN_BYTES,
    Ciphertext,
    Context,
    Draw,
    Element,
    Group,
    Identity,
    KeyPair,
    Stream,
    commit,
    encode_deck,
    fresh_stream,
    new_key,
    prove_key,
    prove_shares,
    share,
    shuffle,
)
from engine import Card, Seat, Slot
from p2p.protocol.entry import (
    Body,
    CommitBody,
    Kind,
    OpenBody,
    PickUpBody,
    ReceiptBody,
    RevealBody,
    SealBody,
    SetsBody,
    SharesBody,
    ShuffleBody,
)
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.judge import COMMITMENT_LABEL
from p2p.protocol.ledger import DealState, Owed
from p2p.protocol.wire import Hash32, decode, encode

MAX_SECRETS_BYTES = 256
"""A scalar, a coin and a blinding of 32 bytes each, and their framing."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """The seat that this peer plays, with the identity key that signs for it."""

    seat: Seat
    identity: Identity = field(repr=False)


class _StoredSecrets(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    secret: bytes
    coin: Hash32
    blinding: Hash32


_STORED = msgpack.Decoder(_StoredSecrets)


@dataclass(frozen=True, slots=True)
class DealSecrets:
    """One seat's secrets of one deal. Dropped, and erased from the store, when the deal ends."""

    key: KeyPair = field(repr=False)
    coin: bytes = field(repr=False)
    blinding: bytes = field(repr=False)

    @classmethod
    def make(cls, group: Group, draw: Draw) -> "DealSecrets":
        """Draw fresh secrets. Raises: RandomSourceError if the source is stuck."""
        key = new_key(group, draw)
        stream = fresh_stream(draw, b"coin", group.encode_scalar(key.secret))
        return cls(key, stream(COIN_BYTES), stream(COIN_BYTES))

    def encode(self, group: Group) -> bytes:
        """What the store keeps until the deal ends."""
        return encode(_StoredSecrets(group.encode_scalar(self.key.secret), self.coin, self.blinding))

    @classmethod
    def decode(cls, group: Group, data: bytes) -> "DealSecrets":
        """The inverse of `encode`. Raises: MalformedMessage, DecodingError."""
        stored = decode(_STORED, data, MAX_SECRETS_BYTES)
        secret = group.decode_scalar(stored.secret)
        if not secret:
            raise MalformedMessage("a deal key of zero")
        return cls(KeyPair(secret, group.base_multiply(secret)), stored.coin, stored.blinding)

    def commitment(self, context: Context) -> bytes:
        """The commitment to the key share and the coin: 32 bytes."""
        return commit(COMMITMENT_LABEL, context, self.key.public.encode() + self.coin, self.blinding)

    def read(self, state: DealState, slot: Slot) -> Card | None:
        """The face in a slot for which every other seat's share is here."""
        own = share(state.frame.group, self.key.secret, state.cards.cards[slot].ciphertext)
        return state.frame.faces.get(state.cards.opened(slot, (own,)))


@dataclass(frozen=True, slots=True)
class Making:
    """An own proof to be made: `function(*args)`, picklable, gives what `body_of` turns into the entry's
    body.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...] = field(repr=False)
    kind: Kind
    slots: tuple[Slot, ...] = ()


def instant_body(kind: Kind, state: DealState, seat: Seat, secrets: DealSecrets) -> Body | None:
    """The body of an own entry that needs no proof, or None."""
    if kind is Kind.COMMIT:
        return CommitBody(secrets.commitment(state.context(seat)))
    if kind is Kind.SEAL:
        return SealBody()
    if kind is Kind.RECEIPT:
        return ReceiptBody()
    return None


def making_for(owed: Owed, state: DealState, secrets: DealSecrets, draw: Draw) -> Making:
    """The proof that an own entry of this kind takes, its randomness drawn now and stretched in the job.

    `owed.slots` are the slots to open, in order, or the inputs of a pick-up.
    """
    (kind,) = owed.kinds
    group, context = state.frame.group, state.context(owed.seat)
    stream = fresh_stream(draw, context.digest())
    if kind is Kind.OPEN:
        return Making(prove_key, (group, secrets.key.secret, context, stream), kind)
    if kind in {Kind.SHUFFLE, Kind.PICK_UP}:
        deck = state.deck if kind is Kind.SHUFFLE else state.cards.ciphertexts(owed.slots)
        return Making(shuffle_quietly, (group, state.joint_key, deck, context, stream), kind)
    cards = state.cards.ciphertexts(owed.slots)
    args = (group, secrets.key.secret, secrets.key.public, cards, context, stream)
    return Making(prove_shares, args, kind, owed.slots)


def shuffle_quietly(
    group: Group, joint_key: Element, deck: tuple[Ciphertext, ...], context: Context, draw: Stream
) -> tuple[bytes, bytes]:
    """Shuffle a deck and prove it; the encoded new deck and the proof. The permutation is forgotten at
    once.
    """
    new_deck, proof, _ = shuffle(group, joint_key, deck, context, draw)
    return encode_deck(new_deck), proof


def body_of(making: Making, result: Any, secrets: DealSecrets) -> Body:
    """The body of the own entry whose proof has been made."""
    kind = making.kind
    if kind is Kind.OPEN:
        return OpenBody(secrets.key.public.encode(), result, secrets.coin, secrets.blinding)
    if kind in {Kind.SHUFFLE, Kind.PICK_UP}:
        deck, proof = result
        return ShuffleBody(deck, proof) if kind is Kind.SHUFFLE else PickUpBody(deck, proof)
    shares, proof = result
    encoded = b"".join(one.encode() for one in shares)
    slots = tuple(int(slot) for slot in making.slots)
    bodies: Mapping[Kind, type[SharesBody] | type[RevealBody] | type[SetsBody]] = {
        Kind.SHARES: SharesBody,
        Kind.REVEAL: RevealBody,
        Kind.SETS: SetsBody,
    }
    return bodies[kind](slots, encoded, proof)
