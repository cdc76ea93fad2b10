"""What the own seat makes by itself: its secrets of the deal, and the entries that follow from them.

The secrets are the deal key, the coin and the blinding; nothing else has to be kept to go on after a crash.
Later coins and blindings follow from the deal key and the place in the ledger.
A shuffle's permutation and its randomness are never kept: nobody, the shuffler included, needs them again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct, msgpack

import engine
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
    MAX_CARDS,
    AnswerBody,
    AnswerCommitBody,
    Body,
    CoinBody,
    CoinCommitBody,
    CommitBody,
    DrawBody,
    Kind,
    OpenBody,
    OutBody,
    PickUpBody,
    ReceiptBody,
    RevealBody,
    SealBody,
    SetsBody,
    SharesBody,
    ShuffleBody,
)
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.hashing import hash_parts
from p2p.protocol.judge import ANSWER_LABEL, COIN_LABEL, COMMITMENT_LABEL, answer_value
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
    """One seat's secrets of one deal. Erased from the store when the deal ends, and dropped; only the deal
    key of a finished deal is kept in memory for a while, in `Books`.
    """

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

    def coin_of_step(self, group: Group, context: Context) -> tuple[bytes, bytes]:
        """The coin and the blinding (32 bytes each) of a commitment made in `context`.

        They follow from the deal key, which nobody else knows and which is never opened in the deal, so
        nothing more has to be kept to open the commitment after a restart.
        """
        seed = hash_parts("own coin", group.encode_scalar(self.key.secret), context.digest())
        stream = Stream(b"own coin", seed)
        return stream(COIN_BYTES), stream(COIN_BYTES)

    def coin_commitment(self, group: Group, context: Context) -> bytes:
        """The commitment to the coin for a card that is checked: 32 bytes."""
        coin, blinding = self.coin_of_step(group, context)
        return commit(COIN_LABEL, context, coin, blinding)

    def answer_commitment(
        self, group: Group, context: Context, believe: bool | None, index: int | None
    ) -> bytes:
        """The commitment to what is said in the window after a lay: 32 bytes."""
        _, blinding = self.coin_of_step(group, context)
        return commit(ANSWER_LABEL, context, answer_value(believe, index), blinding)

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


def instant_body(kind: Kind, state: DealState, seat: Seat, secrets: DealSecrets | None) -> Body | None:
    """The body of an own entry that needs no proof, or None. Without secrets: one that needs none of them."""
    group = state.frame.group
    said = _WITHOUT_FIELDS.get(kind)
    if said is not None or secrets is None:
        return None if said is None else said()
    match kind:
        case Kind.COMMIT:
            return CommitBody(secrets.commitment(state.context(seat)))
        case Kind.COIN_COMMIT:
            return CoinCommitBody(secrets.coin_commitment(group, state.context(seat)))
        case Kind.COIN:
            return CoinBody(*secrets.coin_of_step(group, state.commitment_context(seat)))
        case Kind.ANSWER:
            return _opened_answer(state, seat, secrets)
    return None


_WITHOUT_FIELDS: Mapping[Kind, type[SealBody] | type[ReceiptBody] | type[OutBody]] = {
    Kind.SEAL: SealBody,
    Kind.RECEIPT: ReceiptBody,
    Kind.OUT: OutBody,
}


def answer_commit_body(state: DealState, answer: engine.Answer, secrets: DealSecrets) -> AnswerCommitBody:
    """The commitment to an answer that the own person gives."""
    believe, index = (None, None) if answer.call is None else (answer.call.believe, answer.call.index)
    context = state.context(answer.seat)
    return AnswerCommitBody(secrets.answer_commitment(state.frame.group, context, believe, index))


def _opened_answer(state: DealState, seat: Seat, secrets: DealSecrets) -> AnswerBody:
    """The own answer, opened. There are so few that the commitment itself tells which it was."""
    group, context = state.frame.group, state.commitment_context(seat)
    places = (None, *range(MAX_CARDS))
    for believe, index in ((None, None), *((said, place) for place in places for said in (False, True))):
        if secrets.answer_commitment(group, context, believe, index) == state.commitments[seat]:
            return AnswerBody(believe, index, secrets.coin_of_step(group, context)[1])
    raise AssertionError("an own commitment opens: who spoke with other secrets is silent")


def making_for(owed: Owed, state: DealState, secrets: DealSecrets, draw: Draw) -> Making:
    """The proof that an own entry of this kind takes, its randomness drawn now and stretched in the job.

    `owed.slots` are the slots to open, in order, or the inputs of a pick-up.
    """
    (kind,) = owed.kinds
    group, context = state.frame.group, state.context(owed.seat)
    stream = fresh_stream(draw, context.digest())
    if kind is Kind.OPEN:
        return Making(prove_key, (group, secrets.key.secret, context, stream), kind)
    if kind in {Kind.SHUFFLE, Kind.PICK_UP, Kind.DRAW}:
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


_SHUFFLED: Mapping[Kind, type[ShuffleBody] | type[PickUpBody] | type[DrawBody]] = {
    Kind.SHUFFLE: ShuffleBody,
    Kind.PICK_UP: PickUpBody,
    Kind.DRAW: DrawBody,
}


def body_of(making: Making, result: Any, secrets: DealSecrets) -> Body:
    """The body of the own entry whose proof has been made."""
    kind = making.kind
    if kind is Kind.OPEN:
        return OpenBody(secrets.key.public.encode(), result, secrets.coin, secrets.blinding)
    if kind in _SHUFFLED:
        return _SHUFFLED[kind](*result)
    shares, proof = result
    encoded = b"".join(one.encode() for one in shares)
    slots = tuple(int(slot) for slot in making.slots)
    bodies: Mapping[Kind, type[SharesBody] | type[RevealBody] | type[SetsBody]] = {
        Kind.SHARES: SharesBody,
        Kind.REVEAL: RevealBody,
        Kind.SETS: SetsBody,
    }
    return bodies[kind](slots, encoded, proof)
