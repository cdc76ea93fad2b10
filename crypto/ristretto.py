"""ristretto255 (RFC 9496), computed by the libsodium that `rbcl` carries.

libsodium is called through rbcl's own ctypes handle, without rbcl's Python wrappers: sums are then made
in place. Such a call releases the interpreter's lock.

Three habits of libsodium shape this module. Its multiplication reports an identity result with the same
error as a bad encoding; here every `Element` has been checked when it was decoded, so the error can only
mean the identity, and the result it wrote is the identity's encoding, 32 zero bytes. Its validity check
accepts the identity, which is therefore refused here by a comparison of our own. And the version that rbcl
carries ignores the highest bit of an encoding, so that every element, the identity too, has a second
spelling; canonical form is therefore checked here as well.
"""

import contextlib
import ctypes
import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crypto.errors import DecodingError, LibraryError
from crypto.group import UNIFORM_BYTES, Element, Group, Scalar
from crypto.parallel import in_threads

_SIZE = 32
_IDENTITY = bytes(_SIZE)
_FIELD = 2**255 - 19
_GENERATOR = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
_Buffer = ctypes.c_char * _SIZE


@functools.cache
def _sodium() -> Any:
    """Load libsodium at the first use: rbcl takes about 50 ms and unpacks 2.8 MB into the temp folder.

    The unpacked file is removed at once; the loaded library does not need its name any more. Where the
    system does not allow that (Windows), the file stays, as rbcl itself leaves it.

    Raises:
        LibraryError: rbcl is missing, or its library cannot be written or loaded here.
    """
    try:
        from rbcl import _sodium as library  # noqa: PLC0415 (lazy, see above)
    except (ImportError, OSError) as error:
        raise LibraryError(f"the cryptographic library of the package rbcl does not load: {error}") from error
    with contextlib.suppress(OSError):
        os.unlink(library._name)
    return library


class RistrettoElement(Element):
    """An element of ristretto255, held as its canonical encoding."""

    __slots__ = ("_encoding",)

    def __init__(self, encoding: bytes) -> None:
        # Only for encodings known to be valid; bytes from outside go through `decode_element`.
        self._encoding = encoding

    def encode(self) -> bytes:
        return self._encoding

    def is_identity(self) -> bool:
        return self._encoding == _IDENTITY

    def __add__(self, other: Element) -> Element:
        result = _Buffer()
        _sodium().crypto_core_ristretto255_add(result, self._encoding, _encoding(other))
        return RistrettoElement(result.raw)

    def __sub__(self, other: Element) -> Element:
        result = _Buffer()
        _sodium().crypto_core_ristretto255_sub(result, self._encoding, _encoding(other))
        return RistrettoElement(result.raw)

    def __rmul__(self, scalar: Scalar) -> Element:
        result = _Buffer()
        _sodium().crypto_scalarmult_ristretto255(result, scalar.to_bytes(_SIZE, "little"), self._encoding)
        return RistrettoElement(result.raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RistrettoElement) and self._encoding == other._encoding

    def __hash__(self) -> int:
        return hash(self._encoding)

    def __repr__(self) -> str:
        return f"RistrettoElement({self._encoding.hex()[:8]}…)"


@dataclass(frozen=True, slots=True)
class Ristretto255(Group):
    """The group. `threads` lets long sums use that many cores; two Ristretto255 are equal whatever it is."""

    threads: int = 1

    name = "ristretto255"
    order = 2**252 + 27742317777372353535851937790883648493
    element_size = _SIZE
    scalar_size = _SIZE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ristretto255)

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def generator(self) -> Element:
        return RistrettoElement(_GENERATOR)

    @property
    def identity(self) -> Element:
        return RistrettoElement(_IDENTITY)

    def decode_element(self, data: bytes, *, allow_identity: bool = False) -> Element:
        if len(data) != _SIZE:
            raise DecodingError(f"an element has {_SIZE} bytes, not {len(data)}")
        if data == _IDENTITY:
            if not allow_identity:
                raise DecodingError("the identity is not allowed here")
            return self.identity
        value = int.from_bytes(data, "little")
        if value >= _FIELD or value & 1:
            raise DecodingError("no canonical encoding: a field element that is too large or negative")
        if _sodium().crypto_core_ristretto255_is_valid_point(bytes(data)) != 1:
            raise DecodingError("no canonical encoding of an element")
        return RistrettoElement(bytes(data))

    def map_to_element(self, uniform: bytes) -> Element:
        if len(uniform) != UNIFORM_BYTES:
            raise ValueError(f"the map takes {UNIFORM_BYTES} bytes")
        result = _Buffer()
        _sodium().crypto_core_ristretto255_from_hash(result, uniform)
        return RistrettoElement(result.raw)

    def base_multiply(self, scalar: Scalar) -> Element:
        result = _Buffer()
        _sodium().crypto_scalarmult_ristretto255_base(result, scalar.to_bytes(_SIZE, "little"))
        return RistrettoElement(result.raw)

    def multiply_sum(self, scalars: Sequence[Scalar], elements: Sequence[Element]) -> Element:
        terms = [
            (scalar.to_bytes(_SIZE, "little"), _encoding(element))
            for scalar, element in zip(scalars, elements, strict=True)
        ]
        partial = in_threads(_sum_of_products, terms, self.threads)
        total: Element = RistrettoElement(partial[0])
        for encoding in partial[1:]:
            total = total + RistrettoElement(encoding)
        return total


def _encoding(element: Element) -> bytes:
    """Return the 32 bytes of an element; another group's would make libsodium read past their end."""
    assert isinstance(element, RistrettoElement), "an element of another group"
    return element.encode()


def _sum_of_products(terms: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Return the encoded sum of scalar * element over encoded pairs."""
    if not terms:
        return _IDENTITY
    library = _sodium()
    multiply, add = library.crypto_scalarmult_ristretto255, library.crypto_core_ristretto255_add
    total, product = _Buffer(), _Buffer()
    multiply(total, *terms[0])
    for scalar, element in terms[1:]:
        multiply(product, scalar, element)
        add(total, total, product)
    return total.raw
