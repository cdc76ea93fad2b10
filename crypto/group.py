"""The interface of a group of prime order in which cards are hidden, and what all such groups share.

Secrets go through `scalar * element`, `base_multiply` and `multiply_sum`, which an implementation
makes independent of the values of its scalars. `vartime_multiply_sum` may take a time that depends on
its inputs and is for public values only.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NewType

from crypto.errors import DecodingError

Scalar = NewType("Scalar", int)
"""A whole number from 0 up to, not including, the group's order.

Sums and products of scalars are those of Python's integers, whose time depends a little on the size
of the numbers; the multiplications of elements by scalars do not.
"""

UNIFORM_BYTES = 64
"""Bytes behind one hashed scalar or element: 512 bits reduced modulo 253 bits have no bias to speak of."""

_SHA512_BYTES = 64
_SHA512_BLOCK_BYTES = 128
_MAX_DST_BYTES = 255


class Element(ABC):
    """A member of a group. Immutable, hashable, compared by value; every instance is a valid member."""

    __slots__ = ()

    @abstractmethod
    def encode(self) -> bytes:
        """Return the one canonical encoding, `group.element_size` bytes."""

    @abstractmethod
    def is_identity(self) -> bool:
        """Say whether this is the neutral element."""

    @abstractmethod
    def __add__(self, other: "Element") -> "Element": ...

    @abstractmethod
    def __sub__(self, other: "Element") -> "Element": ...

    @abstractmethod
    def __rmul__(self, scalar: Scalar) -> "Element": ...


class Group(ABC):
    """A group of prime order. Instances are picklable, and equal when they are the same group."""

    name: str
    """Name that goes into every context and proof."""

    order: int
    """The prime number of elements."""

    element_size: int
    """Bytes of an encoded element."""

    scalar_size: int
    """Bytes of an encoded scalar, little-endian."""

    threads: int = 1
    """How many threads long computations may use."""

    @property
    @abstractmethod
    def generator(self) -> Element:
        """The fixed generator, G in the papers."""

    @property
    @abstractmethod
    def identity(self) -> Element:
        """The neutral element."""

    @abstractmethod
    def decode_element(self, data: bytes, *, allow_identity: bool = False) -> Element:
        """Return the element of a canonical encoding.

        Raises:
            DecodingError: wrong length, no canonical encoding of a member, or the identity where it is
                not allowed.
        """

    @abstractmethod
    def map_to_element(self, uniform: bytes) -> Element:
        """Map UNIFORM_BYTES uniform bytes to an element, never the identity, of unknown logarithm."""

    @abstractmethod
    def base_multiply(self, scalar: Scalar) -> Element:
        """Return scalar times the generator, in constant time."""

    @abstractmethod
    def multiply_sum(self, scalars: Sequence[Scalar], elements: Sequence[Element]) -> Element:
        """Return the sum of scalars[i] * elements[i], in a time independent of the scalars.

        Raises:
            ValueError: the two sequences differ in length.
        """

    def vartime_multiply_sum(self, scalars: Sequence[Scalar], elements: Sequence[Element]) -> Element:
        """Return the same sum for public scalars; terms with a zero scalar are left out."""
        terms = [pair for pair in zip(scalars, elements, strict=True) if pair[0]]
        return self.multiply_sum([scalar for scalar, _ in terms], [element for _, element in terms])

    def encode_scalar(self, scalar: Scalar) -> bytes:
        """Return the canonical encoding of a scalar: little-endian, `scalar_size` bytes."""
        return scalar.to_bytes(self.scalar_size, "little")

    def decode_scalar(self, data: bytes) -> Scalar:
        """Return the scalar of a canonical encoding.

        Raises:
            DecodingError: wrong length, or a number not below the order.
        """
        if len(data) != self.scalar_size:
            raise DecodingError(f"a scalar has {self.scalar_size} bytes, not {len(data)}")
        value = int.from_bytes(data, "little")
        if value >= self.order:
            raise DecodingError("a scalar must be below the group's order")
        return Scalar(value)

    def scalar(self, value: int) -> Scalar:
        """Return any whole number reduced modulo the order."""
        return Scalar(value % self.order)

    def hash_to_scalar(self, label: bytes, message: bytes) -> Scalar:
        """Hash to a scalar; `label` is the whole domain separation tag, at most 255 bytes.

        Source: RFC 9497, section 4.1 (HashToScalar): 64 expanded bytes, little-endian, modulo the order.
        """
        return self.scalar(int.from_bytes(expand_message_xmd(message, label, UNIFORM_BYTES), "little"))

    def hash_to_element(self, label: bytes, message: bytes) -> Element:
        """Hash to an element whose logarithm nobody knows; `label` is the whole tag, at most 255 bytes.

        Source: RFC 9497, section 4.1 (HashToGroup), which is RFC 9380 with this group's map.
        """
        return self.map_to_element(expand_message_xmd(message, label, UNIFORM_BYTES))


def expand_message_xmd(message: bytes, dst: bytes, length: int) -> bytes:
    """Expand a message to `length` uniform bytes with SHA-512.

    Source: RFC 9380, section 5.3.1.

    Raises:
        ValueError: the tag `dst` is empty or longer than 255 bytes, or `length` is over 255 blocks.
    """
    blocks = -(-length // _SHA512_BYTES)
    if not 0 < len(dst) <= _MAX_DST_BYTES or blocks > 255:
        raise ValueError("a domain separation tag has 1 to 255 bytes, an expansion at most 255 blocks")
    tag = dst + bytes([len(dst)])
    start = hashlib.sha512(bytes(_SHA512_BLOCK_BYTES) + message + length.to_bytes(2, "big") + b"\0" + tag)
    first = start.digest()
    block = hashlib.sha512(first + b"\1" + tag).digest()
    output = [block]
    for index in range(2, blocks + 1):
        mixed = bytes(left ^ right for left, right in zip(first, block, strict=True))
        block = hashlib.sha512(mixed + bytes([index]) + tag).digest()
        output.append(block)
    return b"".join(output)[:length]
