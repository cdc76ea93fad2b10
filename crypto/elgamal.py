"""Cards hidden under a joint key: ElGamal whose secret is shared by all seats, all of whom are needed."""

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass

from crypto.errors import DecodingError
from crypto.framing import full_label
from crypto.group import Element, Group, Scalar


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """A hidden card: first = r.G, second = card + r.Y, with Y the joint key and r known to nobody alone."""

    first: Element
    second: Element

    def encode(self) -> bytes:
        """Return both halves, first then second: 2 * element_size bytes."""
        return self.first.encode() + self.second.encode()

    @classmethod
    def decode(cls, group: Group, data: bytes) -> "Ciphertext":
        """Return the hidden card of a canonical encoding; neither half may be the identity.

        Raises:
            DecodingError: wrong length, or a half that is not canonical or is the identity.
        """
        if len(data) != 2 * group.element_size:
            raise DecodingError(f"a hidden card has {2 * group.element_size} bytes, not {len(data)}")
        halves = data[: group.element_size], data[group.element_size :]
        return cls(group.decode_element(halves[0]), group.decode_element(halves[1]))


Deck = tuple[Ciphertext, ...]


def card_element(group: Group, value: bytes) -> Element:
    """Return the element that stands for a card's value; nobody knows logarithms between two of them."""
    return group.hash_to_element(full_label(b"card"), value)


def first_deck(group: Group, values: Sequence[bytes]) -> Deck:
    """Return the public deck that the first shuffle starts from: first halves are the identity."""
    return tuple(Ciphertext(group.identity, card_element(group, value)) for value in values)


def encode_deck(deck: Sequence[Ciphertext]) -> bytes:
    """Return the encodings of all cards, one after the other."""
    return b"".join(card.encode() for card in deck)


def decode_deck(group: Group, data: bytes, count: int) -> Deck:
    """Return the `count` hidden cards of an encoded deck.

    Raises:
        DecodingError: wrong length, or a card that `Ciphertext.decode` refuses.
    """
    size = 2 * group.element_size
    if len(data) != count * size:
        raise DecodingError(f"a deck of {count} has {count * size} bytes, not {len(data)}")
    return tuple(Ciphertext.decode(group, data[at : at + size]) for at in range(0, len(data), size))


def joint_key(publics: Sequence[Element]) -> Element:
    """Return the joint key: the sum of the seats' public keys, at least one.

    Raises:
        DecodingError: the keys cancel out. With proofs of key ownership it takes all seats together to bring
            that about.
    """
    key = combine(publics)
    if key.is_identity():
        raise DecodingError("the joint key is the identity")
    return key


def mask(group: Group, joint_key: Element, card: Element, r: Scalar) -> Ciphertext:
    """Hide a card's element under the joint key with randomness r."""
    return Ciphertext(group.base_multiply(r), card + r * joint_key)


def remask(group: Group, joint_key: Element, card: Ciphertext, r: Scalar) -> Ciphertext:
    """Hide the same card anew: without r, nobody can tell it from another card."""
    return Ciphertext(card.first + group.base_multiply(r), card.second + r * joint_key)


def share(group: Group, secret: Scalar, card: Ciphertext) -> Element:
    """Return one seat's decryption share of a hidden card: secret times its first half."""
    return group.multiply_sum((secret,), (card.first,))


def combine(shares: Sequence[Element]) -> Element:
    """Return the sum of shares, or of public keys; at least one.

    Raises:
        ValueError: there is none.
    """
    if not shares:
        raise ValueError("nothing to combine")
    return functools.reduce(operator.add, shares)


def open_ciphertext(card: Ciphertext, shares: Sequence[Element]) -> Element:
    """Return the card's element, given the shares of all seats (in any order)."""
    return card.second - combine(shares)
