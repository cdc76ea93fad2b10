"""What prover and verifier of a shuffle share: commitments, the transcript, the layout of the proof.

Source: J. Groth, "A Verifiable Secret Shuffle of Homomorphic Encryptions", J. Cryptology 23 (2010).

Symbols, here and in `shuffle` and `shuffle_verifier`; lists run over the cards, 0..n-1 in code:

    Y             joint key
    e, E          the deck before and after; E_i = e_p(i) + Enc(0; R_i), Enc(0; R) = (R.G, R.Y)
    p             the secret permutation; commitments and challenges speak of 1..n
    H             commitment generators; com(m; r) = r.G + sum m_i.H_i
    t, lambda     challenges that turn p into known contents m_i = lambda.i + t_i
    mu            the same contents in the new order; mu_i = lambda.p(i) + t_p(i)
    x, w          challenges of the argument that mu is a permutation of m
    f, Z, g, z, h, z_h    responses
"""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from crypto.context import Context
from crypto.elgamal import Ciphertext, encode_deck
from crypto.errors import Check, DecodingError, InvalidProof
from crypto.framing import full_label
from crypto.group import Element, Group, Scalar
from crypto.transcript import Transcript

MAX_CARDS = 216
"""Most cards in one shuffle: four packs of 54. The largest game of the rules has two packs of 52."""

_COMMITMENTS = 7  # c, c_d, both halves of E_d, c_1, c_2, c_3


@functools.cache
def _generator(group: Group, number: int) -> Element:
    return group.hash_to_element(full_label(b"shuffle/generator"), number.to_bytes(4, "big"))


def generators(group: Group, count: int) -> tuple[Element, ...]:
    """Return H_1..H_count, hashed to the group from their numbers: nobody knows a relation of them."""
    return tuple(_generator(group, number) for number in range(1, count + 1))


def commit_vector(group: Group, values: Sequence[int], r: int) -> Element:
    """Return com(values; r) = r.G + sum of values[i] * H_(i+1), for any whole numbers, in constant time."""
    scalars = [group.scalar(value) for value in values]
    return group.base_multiply(group.scalar(r)) + group.multiply_sum(scalars, generators(group, len(values)))


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """A decoded proof for n cards. Encoded in the order of the fields: 7 elements, then 3n + 2 scalars."""

    c: Element
    c_d: Element
    e_d_first: Element
    e_d_second: Element
    c_1: Element
    c_2: Element
    c_3: Element
    f: tuple[Scalar, ...]
    g: tuple[Scalar, ...]
    h: tuple[Scalar, ...]
    Z: Scalar
    z: Scalar
    z_h: Scalar

    def encode(self, group: Group) -> bytes:
        """Return the proof's bytes."""
        values = [getattr(self, field.name) for field in fields(self)]
        elements = b"".join(element.encode() for element in values[:_COMMITMENTS])
        scalars = (*self.f, *self.g, *self.h, self.Z, self.z, self.z_h)
        return elements + b"".join(group.encode_scalar(scalar) for scalar in scalars)

    @classmethod
    def decode(cls, group: Group, data: bytes, count: int) -> "ShuffleProof":
        """Return the proof for `count` cards.

        Raises:
            InvalidProof: shuffle.length, shuffle.element or shuffle.scalar, with the component's name.
        """
        if len(data) != proof_size(group, count):
            raise InvalidProof(Check.SHUFFLE_LENGTH)
        names = component_names(count)
        elements: list[Element] = []
        scalars: list[Scalar] = []
        for name, part in zip(names, _cut(group, data), strict=True):
            try:
                if len(elements) < _COMMITMENTS:
                    elements.append(group.decode_element(part))
                else:
                    scalars.append(group.decode_scalar(part))
            except DecodingError as error:
                check = Check.SHUFFLE_ELEMENT if len(elements) < _COMMITMENTS else Check.SHUFFLE_SCALAR
                raise InvalidProof(check, name) from error
        f, g, h = scalars[:count], scalars[count : 2 * count], scalars[2 * count : -3]
        c, c_d, e_d_first, e_d_second, c_1, c_2, c_3 = elements
        big_z, z, z_h = scalars[-3:]
        vectors = tuple(f), tuple(g), tuple(h)
        return cls(c, c_d, e_d_first, e_d_second, c_1, c_2, c_3, *vectors, big_z, z, z_h)


def component_names(count: int) -> tuple[str, ...]:
    """Return the names of the components of a proof for `count` cards, in the order of its bytes."""
    vectors = [
        f"{name}[{i}]" for name, size in (("f", count), ("g", count), ("h", count - 1)) for i in range(size)
    ]
    return ("c", "c_d", "E_d.first", "E_d.second", "c_1", "c_2", "c_3", *vectors, "Z", "z", "z_h")


def proof_size(group: Group, count: int) -> int:
    """Return the bytes of a proof for `count` cards."""
    return _COMMITMENTS * group.element_size + (3 * count + 2) * group.scalar_size


def _cut(group: Group, data: bytes) -> Iterator[bytes]:
    at = 0
    for _ in range(_COMMITMENTS):
        yield data[at : at + group.element_size]
        at += group.element_size
    for start in range(at, len(data), group.scalar_size):
        yield data[start : start + group.scalar_size]


class ShuffleTranscript:
    """The challenges of the argument, in the only order in which they can be asked for."""

    def __init__(
        self,
        group: Group,
        joint_key: Element,
        deck: Sequence[Ciphertext],
        new_deck: Sequence[Ciphertext],
        context: Context,
    ) -> None:
        """Take in the statement."""
        self._group = group
        self._count = len(deck)
        transcript = Transcript(b"shuffle", group, context)
        transcript.append_number(b"n", len(deck))
        transcript.append(b"H", b"".join(h.encode() for h in generators(group, len(deck))))
        transcript.append_element(b"Y", joint_key)
        transcript.append(b"e", encode_deck(deck))
        transcript.append(b"E", encode_deck(new_deck))
        self._transcript = transcript

    def permutation_challenges(self, c: Element, c_d: Element, e_d: Ciphertext) -> list[Scalar]:
        """Return t_1..t_n, after the first commitments."""
        self._transcript.append_element(b"c", c)
        self._transcript.append_element(b"c_d", c_d)
        self._transcript.append(b"E_d", e_d.encode())
        return [self._transcript.challenge(b"t", number) for number in range(1, self._count + 1)]

    def content_challenges(self, f: Sequence[Scalar], big_z: Scalar) -> tuple[Scalar, Scalar]:
        """Return lambda and x, after f and Z.

        Nothing is sent between the two. They must differ all the same: with x = lambda, cards scaled by
        k and 1/k pass as a shuffle. Their labels, and lambda absorbed before x, see to that.
        """
        self._transcript.append(b"f", b"".join(self._group.encode_scalar(value) for value in f))
        self._transcript.append(b"Z", self._group.encode_scalar(big_z))
        return self._transcript.challenge(b"lambda"), self._transcript.challenge(b"x")

    def final_challenge(self, c_1: Element, c_2: Element, c_3: Element) -> Scalar:
        """Return w, after the commitments of the inner argument."""
        self._transcript.append_element(b"c_1", c_1)
        self._transcript.append_element(b"c_2", c_2)
        self._transcript.append_element(b"c_3", c_3)
        return self._transcript.challenge(b"w")
