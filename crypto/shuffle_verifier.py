"""Verifying shuffles: four group equations a shuffle, joined by secret weights into one product.

Source: Groth 2010, as in `shuffle`; the joining is the usual batching with random weights of 128 bits.
Several shuffles, best those of one chain, share a product: a deck that is the output of one and the input
of the next is multiplied once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crypto.context import Context
from crypto.elgamal import Ciphertext
from crypto.errors import Check, InvalidProof, RandomSourceError
from crypto.group import Element, Group, Scalar
from crypto.shuffle_proof import MAX_CARDS, ShuffleProof, ShuffleTranscript, generators

WEIGHT_BYTES = 64
"""Random bytes that the verification of one shuffle takes: a 16-byte weight for each equation."""

_WEIGHT_SIZE = 16

Terms = dict[Element, int]

_EQUATIONS = (Check.SHUFFLE_OPENING, Check.SHUFFLE_PRODUCT, Check.SHUFFLE_FIRST, Check.SHUFFLE_SECOND)
"""A, B, C and D below, in this order."""


@dataclass(frozen=True, slots=True)
class ShuffleClaim:
    """One shuffle to verify; `first_deck` says that its input is the public deck, not yet masked."""

    deck: Sequence[Ciphertext]
    new_deck: Sequence[Ciphertext]
    proof: bytes
    context: Context
    first_deck: bool = False


def verify_shuffle(
    group: Group,
    joint_key: Element,
    deck: Sequence[Ciphertext],
    new_deck: Sequence[Ciphertext],
    proof: bytes,
    context: Context,
    weights: bytes,
    *,
    first_deck: bool = False,
) -> None:
    """Check that `new_deck` is a shuffle of `deck`.

    weights: WEIGHT_BYTES random bytes, drawn after the proof is known and told to nobody.

    Raises:
        InvalidProof: one of the checks named shuffle.…
        RandomSourceError: the weights are zero or repeat.
    """
    claim = ShuffleClaim(deck, new_deck, proof, context, first_deck)
    verify_shuffles(group, joint_key, (claim,), weights)


def verify_shuffles(group: Group, joint_key: Element, claims: Sequence[ShuffleClaim], weights: bytes) -> None:
    """Check several shuffles under one key with one product.

    weights: WEIGHT_BYTES random bytes for each claim.

    Raises:
        InvalidProof: as `verify_shuffle`; its `claim` is the index of the first claim that fails.
        RandomSourceError: the weights have the wrong length, are zero or repeat.
    """
    numbers = _weight_numbers(weights, len(claims))
    equations = []
    for index, claim in enumerate(claims):
        try:
            equations.append(_equations(group, joint_key, claim))
        except InvalidProof as error:
            # An earlier claim whose equations fail comes first, whatever is wrong with this one.
            _check_singly(group, equations)
            raise InvalidProof(error.check, error.component, index) from error
    joined: Terms = {}
    for weight, terms in zip(numbers, (terms for claim in equations for terms in claim), strict=True):
        for element, scalar in terms.items():
            joined[element] = joined.get(element, 0) + weight * scalar
    if not _vanishes(group, joined):
        _check_singly(group, equations)


def _weight_numbers(weights: bytes, claims: int) -> list[int]:
    if len(weights) != WEIGHT_BYTES * claims:
        raise RandomSourceError(f"the weights of a shuffle are {WEIGHT_BYTES} random bytes")
    numbers = [
        int.from_bytes(weights[at : at + _WEIGHT_SIZE], "little")
        for at in range(0, len(weights), _WEIGHT_SIZE)
    ]
    if 0 in numbers or len(set(numbers)) != len(numbers):
        raise RandomSourceError("weights must be random: none zero, no two alike")
    return numbers


def _check_singly(group: Group, equations: Sequence[Sequence[Terms]]) -> None:
    """Raise InvalidProof for the first equation that does not hold; return if all do."""
    for index, claim in enumerate(equations):
        for check, terms in zip(_EQUATIONS, claim, strict=True):
            if not _vanishes(group, terms):
                raise InvalidProof(check, "", index)


def _vanishes(group: Group, terms: Mapping[Element, int]) -> bool:
    generator = group.generator
    rest = [(group.scalar(scalar), element) for element, scalar in terms.items() if element != generator]
    total = group.vartime_multiply_sum([scalar for scalar, _ in rest], [element for _, element in rest])
    return (group.base_multiply(group.scalar(terms.get(generator, 0))) + total).is_identity()


def _equations(group: Group, joint_key: Element, claim: ShuffleClaim) -> tuple[Terms, Terms, Terms, Terms]:
    """Make every check but the four group equations, and return these, each as terms that must sum to zero.

    A: w.(lambda.c + c_d + com(f; 0)) + c_1 = com(g; z)
    B: w.c_3 + c_2 = com(h; z_h)
    C, D: sum f_i.E_i + E_d = sum t_i.e_i + Enc(0; Z), in the first and in the second halves
    """
    n = len(claim.deck)
    _check_statement(joint_key, claim)
    proof = ShuffleProof.decode(group, claim.proof, n)
    transcript = ShuffleTranscript(group, joint_key, claim.deck, claim.new_deck, claim.context)
    e_d = Ciphertext(proof.e_d_first, proof.e_d_second)
    t = transcript.permutation_challenges(proof.c, proof.c_d, e_d)
    lambda_, x = transcript.content_challenges(proof.f, proof.Z)
    w = transcript.final_challenge(proof.c_1, proof.c_2, proof.c_3)
    if w == 0:
        raise InvalidProof(Check.SHUFFLE_CHALLENGE, "w")
    _check_permutation(group, proof, t, lambda_, x, w)

    basis, generator = generators(group, n), group.generator
    opening = _terms(
        (lambda_ * w, proof.c), (w, proof.c_d), (1, proof.c_1), (-proof.z, generator),
        *((w * f - g, h) for f, g, h in zip(proof.f, proof.g, basis, strict=True)),
    )  # fmt: skip
    product = _terms(
        (w, proof.c_3), (1, proof.c_2), (-proof.z_h, generator),
        *((-value, h) for value, h in zip(proof.h, basis[: n - 1], strict=True)),
    )  # fmt: skip
    first = _terms(
        (1, e_d.first), (-proof.Z, generator),
        *((f, card.first) for f, card in zip(proof.f, claim.new_deck, strict=True)),
        *((-t_i, card.first) for t_i, card in zip(t, claim.deck, strict=True)),
    )  # fmt: skip
    second = _terms(
        (1, e_d.second), (-proof.Z, joint_key),
        *((f, card.second) for f, card in zip(proof.f, claim.new_deck, strict=True)),
        *((-t_i, card.second) for t_i, card in zip(t, claim.deck, strict=True)),
    )  # fmt: skip
    return opening, product, first, second


def _terms(*terms: tuple[int, Element]) -> Terms:
    """Collect the coefficients of each element; the identity has none."""
    collected: Terms = {}
    for scalar, element in terms:
        collected[element] = collected.get(element, 0) + scalar
    return {element: scalar for element, scalar in collected.items() if not element.is_identity()}


def _check_statement(joint_key: Element, claim: ShuffleClaim) -> None:
    """Check the counts, and that the identity is only where it may be."""
    if not 0 < len(claim.deck) == len(claim.new_deck) <= MAX_CARDS:
        raise InvalidProof(Check.SHUFFLE_COUNT)
    if joint_key.is_identity():
        raise InvalidProof(Check.SHUFFLE_IDENTITY, "Y")
    for name, deck in (("e", claim.deck), ("E", claim.new_deck)):
        public = claim.first_deck and name == "e"
        for index, card in enumerate(deck):
            if card.first.is_identity() is not public or card.second.is_identity():
                raise InvalidProof(Check.SHUFFLE_IDENTITY, f"{name}[{index}]")


def _check_permutation(
    group: Group, proof: ShuffleProof, t: Sequence[Scalar], lambda_: Scalar, x: Scalar, w: Scalar
) -> None:
    """Check in the field that the committed contents are a permutation of lambda.i + t_i.

    F_1 = g_1 - w.x, F_i = (F_(i-1).(g_i - w.x) + h_(i-1)) / w, and F_n = w.prod (lambda.i + t_i - x).
    """
    order = group.order
    inverse, shift = pow(w, -1, order), w * x
    running = (proof.g[0] - shift) % order
    for g, h in zip(proof.g[1:], proof.h, strict=True):
        running = (running * (g - shift) + h) * inverse % order
    expected = int(w)
    for number, value in enumerate(t, start=1):
        expected = expected * (lambda_ * number + value - x) % order
    if running != expected:
        raise InvalidProof(Check.SHUFFLE_PERMUTATION)
