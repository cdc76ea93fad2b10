"""Open books: once a deal is over, its seats may make every card of it readable, for the replay.

    all receipts are in --> who wants it signs a *wish* --> all wishes are here --> each opens its deal key

A wish names the deal and the head that it ended with, so nobody can use it for another. A key needs no
signature: only who made the deal key knows the number behind its public half. With the keys of all seats
every ciphertext of the deal opens, whoever held the card. Who opens first shows his hands whatever the others
do then: a seat that agrees and keeps its own key back has the keys of all, and reads every card alone. A wish
without its key stays in the transcript as what it is; it convicts nobody, for keys lie outside the receipts,
and whose program was started again in between has lost his.

A deal key is never stored once its deal has ended. It is kept in memory until the one after the next begins;
who is started again meanwhile can neither wish nor open.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct, msgpack

from crypto import (
    DecodingError,
    Element,
    Identity,
    InvalidSignature,
    Scalar,
    open_ciphertext,
    share,
    verify_signature,
)
from engine import Card, Seat, Slot
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.entry import MAX_DEAL, SeatNumber
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.hashing import hash_parts
from p2p.protocol.ledger import Frame
from p2p.protocol.wire import Hash32, Signature64, decode, encode

WISH_LABEL = b"open the books"

MAX_SCALAR_BYTES = 32
"""That of ristretto255, the longest of the groups."""

MAX_WISH_BYTES = 128
"""Two hashes, two small numbers and their framing."""


class Wish(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """ "Once all seats of this deal have signed the same, I open my key of it". `head`: its final head."""

    table: Hash32
    deal: Annotated[int, Meta(ge=1, le=MAX_DEAL)]
    head: Hash32
    seat: SeatNumber


class SignedWish(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A wish's exact bytes with its seat's signature."""

    wish: Annotated[bytes, Meta(max_length=MAX_WISH_BYTES)]
    signature: Signature64

    def open(self) -> Wish:
        """The wish itself, its signature *not* yet checked. Raises: MalformedMessage."""
        return decode(_WISHES, self.wish, MAX_WISH_BYTES)


class OpenedKey(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The deal key of one seat, for everybody: an encoded scalar."""

    seat: SeatNumber
    secret: Annotated[bytes, Meta(min_length=1, max_length=MAX_SCALAR_BYTES)]


_WISHES = msgpack.Decoder(Wish)


def sign_wish(identity: Identity, wish: Wish) -> SignedWish:
    """Sign a wish's exact bytes."""
    data = encode(wish)
    return SignedWish(data, identity.sign(WISH_LABEL, data))


def check_wish(table_id: bytes, deal: int, keys: tuple[bytes, ...], signed: SignedWish) -> Wish:
    """Check that a wish is of this deal and signed by its seat; `keys`: identity keys by seat.

    Raises: MalformedMessage.
    """
    wish = signed.open()
    if (wish.table, wish.deal) != (table_id, deal):
        raise MalformedMessage("another deal")
    if wish.seat >= len(keys):
        raise MalformedMessage("no such seat")
    try:
        verify_signature(keys[wish.seat], WISH_LABEL, signed.wish, signed.signature)
    except InvalidSignature as error:
        raise MalformedMessage("signature") from error
    return wish


class Books:
    """The wishes and keys of one finished deal, as one peer knows them.

    frame: what the deal started from. publics: the public half of each seat's deal key. head: the final head
    (32 bytes). own: the own seat, if there is one. secret: its deal key, where that is still known.
    """

    def __init__(
        self,
        frame: Frame,
        publics: Mapping[Seat, Element],
        head: bytes,
        own: OwnSeat | None = None,
        secret: Scalar | None = None,
    ) -> None:
        self._frame = frame
        self._publics = publics
        self._head = head
        self._own = own
        self._secret: Scalar | None = None
        if own is not None and secret is not None:
            # Where the journal was lost the secrets at hand are others than those that were played with.
            fits = frame.group.base_multiply(secret) == publics.get(own.seat)
            self._secret = secret if fits else None
        self._erased = False
        self._wishes: dict[Seat, SignedWish] = {}
        self._keys: dict[Seat, Scalar] = {}

    # What is known

    @property
    def wished(self) -> frozenset[Seat]:
        """Who wants the books to be opened."""
        return frozenset(self._wishes)

    @property
    def opened(self) -> frozenset[Seat]:
        """Whose key is here."""
        return frozenset(self._keys)

    @property
    def can_wish(self) -> bool:
        """Whether the own seat can still say that it wants them opened."""
        return self._own is not None and self._secret is not None and self._own.seat not in self._wishes

    @property
    def agreed(self) -> bool:
        """Whether all want them opened."""
        return len(self._wishes) == len(self._frame.keys)

    @property
    def open(self) -> bool:
        """Whether every card of the deal can be read."""
        return len(self._keys) == len(self._frame.keys)

    @property
    def wishes(self) -> tuple[SignedWish, ...]:
        """The wishes here, by seat."""
        return tuple(signed for _, signed in sorted(self._wishes.items()))

    @property
    def keys(self) -> tuple[OpenedKey, ...]:
        """The keys here, by seat."""
        encode_scalar = self._frame.group.encode_scalar
        return tuple(OpenedKey(seat, encode_scalar(key)) for seat, key in sorted(self._keys.items()))

    @property
    def digest(self) -> bytes:
        """What differs (32 bytes) where two peers know different wishes or keys of the deal."""
        return hash_parts("books", bytes(sorted(self._wishes)), bytes(sorted(self._keys)))

    def faces(self, cards: CardTable) -> Mapping[Slot, Card]:
        """The card in every slot. Raises: ValueError, unless the books are open."""
        if not self.open:
            raise ValueError("the books are closed")
        group = self._frame.group
        # One share under the sum of all keys does for the shares of all seats.
        joint = Scalar(sum(self._keys.values()) % group.order)
        return {
            slot: self._frame.faces[
                open_ciphertext(card.ciphertext, (share(group, joint, card.ciphertext),)).encode()
            ]
            for slot, card in cards.cards.items()
        }

    # What changes it

    def wish(self) -> bool:
        """Sign the own wish; whether that could be done. It cannot be taken back."""
        if self._own is None or not self.can_wish:
            return False
        wish = Wish(self._frame.table_id, self._frame.terms.deal, self._head, self._own.seat)
        self._wishes[self._own.seat] = sign_wish(self._own.identity, wish)
        self._open_own()
        return True

    def erase(self) -> None:
        """Forget the own key, unless it is open; who wishes only now can be followed by nobody any more."""
        self._secret = None
        self._erased = True

    def take(self, wishes: Iterable[SignedWish], keys: Iterable[OpenedKey]) -> None:
        """Take in what somebody knows.

        Raises: MalformedMessage, if any of it is no wish, or no key, of this deal; nothing changes then.
        """
        wished = {self._wisher(signed): signed for signed in wishes}
        if self._erased and not self.agreed:
            return
        opened = {Seat(key.seat): self._opened(key) for key in keys}
        if opened and len(self._wishes.keys() | wished.keys()) < len(self._frame.keys):
            raise MalformedMessage("not agreed")
        self._wishes = {**wished, **self._wishes}
        self._keys = {**opened, **self._keys}
        self._open_own()

    def _wisher(self, signed: SignedWish) -> Seat:
        """Whose wish it is. Raises: MalformedMessage."""
        for seat, known in self._wishes.items():
            if known == signed:
                return seat
        wish = check_wish(self._frame.table_id, self._frame.terms.deal, self._frame.keys, signed)
        if wish.head != self._head:
            raise MalformedMessage("another head")
        return Seat(wish.seat)

    def _opened(self, key: OpenedKey) -> Scalar:
        """The key of its seat. Raises: MalformedMessage."""
        group = self._frame.group
        try:
            secret = group.decode_scalar(key.secret)
        except DecodingError as error:
            raise MalformedMessage("encoding") from error
        public = self._publics.get(Seat(key.seat))
        if public is None or group.base_multiply(secret) != public:
            raise MalformedMessage("another key")
        return secret

    def _open_own(self) -> None:
        """Open the own key, once all have agreed."""
        if self.agreed and self._own is not None and self._secret is not None:
            self._keys.setdefault(self._own.seat, self._secret)
