"""Decryption shares and their proof: one batched Chaum-Pedersen proof for any number of cards.

Source: RFC 9497, sections 2.2.1 and 2.2.2, with its context string as a parameter. The RFC's A is the
generator, B the public key, C the first halves of the cards, D the shares.

In the RFC a pair's weight depends on that pair alone. A dishonest prover could therefore vary each wrong
share by itself until the weighted errors cancel, which for a batch of 32 is a generalised birthday search
of some 2**47 steps. Our context string holds the digest of the whole statement, all pairs included, so
every weight depends on every pair, and nothing can be varied by itself.
"""

import hashlib
from collections.abc import Sequence

from crypto.context import Context
from crypto.elgamal import Ciphertext, share
from crypto.errors import Check, DecodingError, InvalidProof
from crypto.framing import full_label, tagged_hash
from crypto.group import Element, Group, Scalar
from crypto.randomness import Draw, fresh_stream, random_scalar

MAX_BATCH = 1024
"""Most shares in one proof; more than any hand or deck has. The construction counts to 65535."""


def context_string(
    context: Context, public: Element, firsts: Sequence[Element], shares: Sequence[Element]
) -> bytes:
    """Return the context string of a proof of shares: a label and the digest of context and statement."""
    pairs = [half.encode() for pair in zip(firsts, shares, strict=True) for half in pair]
    return full_label(b"shares/") + tagged_hash(b"shares", (context.digest(), public.encode(), *pairs))


def prove_shares(
    group: Group,
    secret: Scalar,
    public: Element,
    cards: Sequence[Ciphertext],
    context: Context,
    draw: Draw,
) -> tuple[tuple[Element, ...], bytes]:
    """Make one seat's shares of 1 to MAX_BATCH cards, in order, and prove them; the proof is c then s.

    Raises:
        ValueError: no card, too many, or one whose first half is the identity.
        RandomSourceError: the random source is stuck.
    """
    if not 0 < len(cards) <= MAX_BATCH or any(card.first.is_identity() for card in cards):
        raise ValueError("shares are made of 1 to MAX_BATCH hidden cards")
    firsts = [card.first for card in cards]
    shares = tuple(share(group, secret, card) for card in cards)
    bound = context_string(context, public, firsts, shares)
    nonce = random_scalar(group, fresh_stream(draw, b"shares", group.encode_scalar(secret), bound))
    return shares, generate_proof(group, bound, secret, public, firsts, shares, nonce)


def verify_shares(
    group: Group,
    public: Element,
    cards: Sequence[Ciphertext],
    shares: Sequence[Element],
    proof: bytes,
    context: Context,
) -> None:
    """Check one seat's shares of the cards, aligned.

    Raises:
        InvalidProof: shares.count, shares.identity, shares.length, shares.scalar or shares.equation.
    """
    if not 0 < len(cards) == len(shares) <= MAX_BATCH:
        raise InvalidProof(Check.SHARES_COUNT)
    for index, (card, part) in enumerate(zip(cards, shares, strict=True)):
        if card.first.is_identity() or part.is_identity():
            raise InvalidProof(Check.SHARES_IDENTITY, f"[{index}]")
    if public.is_identity():
        raise InvalidProof(Check.SHARES_IDENTITY, "public")
    firsts = [card.first for card in cards]
    verify_proof(group, context_string(context, public, firsts, shares), public, firsts, shares, proof)


def generate_proof(
    group: Group,
    context: bytes,
    k: Scalar,
    public: Element,
    c_elements: Sequence[Element],
    d_elements: Sequence[Element],
    r: Scalar,
) -> bytes:
    """Prove that d_elements[i] = k * c_elements[i] and public = k.G, with nonce r.

    Source: RFC 9497, section 2.2.1 (GenerateProof, ComputeCompositesFast).
    """
    weights = _weights(group, context, public, c_elements, d_elements)
    m = group.multiply_sum(weights, c_elements)
    z = k * m
    t2 = group.base_multiply(r)
    t3 = r * m
    c = _challenge(group, context, (public, m, z, t2, t3))
    s = group.scalar(r - c * k)
    return group.encode_scalar(c) + group.encode_scalar(s)


def verify_proof(
    group: Group,
    context: bytes,
    public: Element,
    c_elements: Sequence[Element],
    d_elements: Sequence[Element],
    proof: bytes,
) -> None:
    """Check such a proof.

    Source: RFC 9497, section 2.2.2 (VerifyProof, ComputeComposites).

    Raises:
        InvalidProof: shares.length, shares.scalar or shares.equation.
    """
    size = group.scalar_size
    if len(proof) != 2 * size:
        raise InvalidProof(Check.SHARES_LENGTH)
    parts = []
    for name, data in (("c", proof[:size]), ("s", proof[size:])):
        try:
            parts.append(group.decode_scalar(data))
        except DecodingError as error:
            raise InvalidProof(Check.SHARES_SCALAR, name) from error
    c, s = parts
    weights = _weights(group, context, public, c_elements, d_elements)
    m = group.vartime_multiply_sum(weights, c_elements)
    z = group.vartime_multiply_sum(weights, d_elements)
    t2 = group.base_multiply(s) + c * public
    t3 = group.vartime_multiply_sum((s, c), (m, z))
    if _challenge(group, context, (public, m, z, t2, t3)) != c:
        raise InvalidProof(Check.SHARES_EQUATION)


def _short_frame(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def _weights(
    group: Group,
    context: bytes,
    public: Element,
    c_elements: Sequence[Element],
    d_elements: Sequence[Element],
) -> list[Scalar]:
    """Return the d_i of RFC 9497, section 2.2.1: one weight for each pair, from all that came before."""
    seed_input = _short_frame(public.encode()) + _short_frame(b"Seed-" + context)
    seed = hashlib.sha512(seed_input).digest()
    label = b"HashToScalar-" + context
    return [
        group.hash_to_scalar(
            label,
            _short_frame(seed)
            + index.to_bytes(2, "big")
            + _short_frame(c_element.encode())
            + _short_frame(d_element.encode())
            + b"Composite",
        )
        for index, (c_element, d_element) in enumerate(zip(c_elements, d_elements, strict=True))
    ]


def _challenge(group: Group, context: bytes, elements: Sequence[Element]) -> Scalar:
    message = b"".join(_short_frame(element.encode()) for element in elements) + b"Challenge"
    return group.hash_to_scalar(b"HashToScalar-" + context, message)
