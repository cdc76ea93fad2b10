"""Groups small enough to work by hand or to be cheap, with the interface of the real one. No security at all.

The squares modulo a safe prime p = 2q + 1 are a group of prime order q. Written additively, as the
interface has it: a + b is a * b mod p, and scalar * element is element ** scalar mod p.
"""

from dataclasses import dataclass, field

from crypto import DecodingError, Element, Group, Scalar


class SmallElement(Element):
    """A square modulo p."""

    __slots__ = ("modulus", "value")

    def __init__(self, modulus: int, value: int) -> None:
        self.modulus = modulus
        self.value = value

    def encode(self) -> bytes:
        return self.value.to_bytes((self.modulus.bit_length() + 7) // 8, "little")

    def is_identity(self) -> bool:
        return self.value == 1

    def __add__(self, other: "SmallElement") -> "SmallElement":
        return SmallElement(self.modulus, self.value * other.value % self.modulus)

    def __sub__(self, other: "SmallElement") -> "SmallElement":
        return SmallElement(self.modulus, self.value * pow(other.value, -1, self.modulus) % self.modulus)

    def __rmul__(self, scalar: Scalar) -> "SmallElement":
        return SmallElement(self.modulus, pow(self.value, scalar, self.modulus))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SmallElement) and (self.modulus, self.value) == (other.modulus, other.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"SmallElement({self.value} mod {self.modulus})"


@dataclass(frozen=True)
class SmallGroup(Group):
    """The squares modulo a safe prime."""

    modulus: int
    base: int
    threads: int = field(default=1, compare=False)

    @property
    def name(self) -> str:
        return f"squares-mod-{self.modulus}"

    @property
    def order(self) -> int:
        return self.modulus // 2

    @property
    def element_size(self) -> int:
        return (self.modulus.bit_length() + 7) // 8

    @property
    def scalar_size(self) -> int:
        return (self.order.bit_length() + 7) // 8

    @property
    def generator(self) -> SmallElement:
        return SmallElement(self.modulus, self.base)

    @property
    def identity(self) -> SmallElement:
        return SmallElement(self.modulus, 1)

    def element(self, value: int) -> SmallElement:
        """Return the element of a square modulo p."""
        return self.decode_element(value.to_bytes(self.element_size, "little"), allow_identity=True)

    def decode_element(self, data: bytes, *, allow_identity: bool = False) -> SmallElement:
        value = int.from_bytes(data, "little")
        if len(data) != self.element_size or not 0 < value < self.modulus:
            raise DecodingError("an element is a number from 1 up to the modulus, of fixed length")
        if value == 1 and not allow_identity:
            raise DecodingError("the identity is not allowed here")
        if pow(value, self.order, self.modulus) != 1:
            raise DecodingError("not a square")
        return SmallElement(self.modulus, value)

    def map_to_element(self, uniform: bytes) -> SmallElement:
        root = int.from_bytes(uniform, "little") % self.modulus
        while root in (0, 1, self.modulus - 1):  # zero has no place here, the others square to the identity
            root = (root + 1) % self.modulus
        return SmallElement(self.modulus, root * root % self.modulus)

    def base_multiply(self, scalar: Scalar) -> SmallElement:
        return scalar * self.generator

    def multiply_sum(self, scalars, elements) -> SmallElement:
        total = 1
        for scalar, element in zip(scalars, elements, strict=True):
            total = total * pow(element.value, scalar, self.modulus) % self.modulus
        return SmallElement(self.modulus, total)


class OpenElement(Element):
    """A number modulo the order of `OpenGroup`."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value

    def encode(self) -> bytes:
        return self.value.to_bytes(8, "little")

    def is_identity(self) -> bool:
        return self.value == 0

    def __add__(self, other: "OpenElement") -> "OpenElement":
        return OpenElement((self.value + other.value) % OPEN_ORDER)

    def __sub__(self, other: "OpenElement") -> "OpenElement":
        return OpenElement((self.value - other.value) % OPEN_ORDER)

    def __rmul__(self, scalar: Scalar) -> "OpenElement":
        return OpenElement(scalar * self.value % OPEN_ORDER)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenElement) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"OpenElement({self.value})"


OPEN_ORDER = 2**61 - 1
"""A prime."""


@dataclass(frozen=True)
class OpenGroup(Group):
    """The numbers modulo a prime under addition: a logarithm is a division, so nothing at all is hidden.

    Every product by a scalar is one multiplication, so that whole tables can be simulated by the thousand.
    """

    threads: int = field(default=1, compare=False)

    name = "numbers-mod-2^61-1"
    order = OPEN_ORDER
    element_size = 8
    scalar_size = 8

    @property
    def generator(self) -> OpenElement:
        return OpenElement(1)

    @property
    def identity(self) -> OpenElement:
        return OpenElement(0)

    def decode_element(self, data: bytes, *, allow_identity: bool = False) -> OpenElement:
        value = int.from_bytes(data, "little")
        if len(data) != 8 or value >= OPEN_ORDER:
            raise DecodingError("an element is a number below the order, of eight bytes")
        if value == 0 and not allow_identity:
            raise DecodingError("the identity is not allowed here")
        return OpenElement(value)

    def map_to_element(self, uniform: bytes) -> OpenElement:
        return OpenElement(int.from_bytes(uniform, "little") % (OPEN_ORDER - 1) + 1)

    def base_multiply(self, scalar: Scalar) -> OpenElement:
        return OpenElement(scalar % OPEN_ORDER)

    def multiply_sum(self, scalars, elements) -> OpenElement:
        terms = zip(scalars, elements, strict=True)
        return OpenElement(sum(scalar * element.value for scalar, element in terms) % OPEN_ORDER)


def hand_group() -> SmallGroup:
    """Return the squares modulo 23, of order 11, generated by 2: every result can be checked by hand.

    The powers of 2 from 0: 1 2 4 8 16 9 18 13 3 6 12.
    """
    return SmallGroup(23, 2)


def quick_group() -> SmallGroup:
    """Return a group of order about 2**60: too small to be safe, large enough that cards never collide.

    A shuffle of 52 cards in it takes a fifth of the time of the real group.
    """
    return SmallGroup(2**61 - 2373, 4)
