"""Shuffling a deck of hidden cards, with a proof that nothing else was done to it.

Source: J. Groth, "A Verifiable Secret Shuffle of Homomorphic Encryptions", J. Cryptology 23 (2010),
the argument for a shuffle of encryptions around the one for a shuffle of known contents. Symbols are
listed in `shuffle_proof`.
"""

from collections.abc import Sequence

from crypto.context import Context
from crypto.elgamal import Ciphertext, Deck, encode_deck, remask
from crypto.group import Element, Group, Scalar
from crypto.parallel import in_threads
from crypto.randomness import Draw, fresh_stream, random_permutation, random_scalars
from crypto.shuffle_proof import (
    MAX_CARDS,
    ShuffleProof,
    ShuffleTranscript,
    commit_vector,
)


def shuffle(
    group: Group, joint_key: Element, deck: Sequence[Ciphertext], context: Context, draw: Draw
) -> tuple[Deck, bytes, tuple[int, ...]]:
    """Permute and remask a deck (1 to MAX_CARDS cards), and prove it.

    Returns the new deck, the proof, and the permutation: new_deck[i] hides the card of deck[permutation[i]].
    The permutation is the shuffler's secret.

    Raises:
        ValueError: no card or too many.
        RandomSourceError: the random source is stuck.
    """
    if not 0 < len(deck) <= MAX_CARDS:
        raise ValueError(f"a shuffle takes 1 to {MAX_CARDS} cards")
    stream = fresh_stream(draw, b"shuffle", context.digest(), joint_key.encode(), encode_deck(deck))
    permutation = random_permutation(stream, len(deck))
    masks = random_scalars(group, stream, len(deck))
    new_deck = _remask_all(group, joint_key, [deck[place] for place in permutation], masks)
    proof = prove_shuffle(group, joint_key, deck, new_deck, permutation, masks, context, stream)
    return new_deck, proof.encode(group), permutation


def prove_shuffle(
    group: Group,
    joint_key: Element,
    deck: Sequence[Ciphertext],
    new_deck: Sequence[Ciphertext],
    permutation: Sequence[int],
    masks: Sequence[Scalar],
    context: Context,
    stream: Draw,
) -> ShuffleProof:
    """Prove that new_deck[i] is deck[permutation[i]] remasked with masks[i].

    Source: Groth 2010, the prover of the shuffle of homomorphic encryptions.
    """
    n = len(deck)
    places = [place + 1 for place in permutation]
    d = random_scalars(group, stream, n)
    r, r_d, big_r_d = random_scalars(group, stream, 3)
    c = commit_vector(group, places, r)
    c_d = commit_vector(group, [-value for value in d], r_d)
    e_d = _masked_sum(group, joint_key, new_deck, [group.scalar(-value) for value in d], big_r_d)

    transcript = ShuffleTranscript(group, joint_key, deck, new_deck, context)
    t = transcript.permutation_challenges(c, c_d, e_d)
    permuted_t = [t[place] for place in permutation]
    f = [group.scalar(value + mask) for value, mask in zip(permuted_t, d, strict=True)]
    big_z = group.scalar(big_r_d + sum(a * b for a, b in zip(permuted_t, masks, strict=True)))

    lambda_, x = transcript.content_challenges(f, big_z)
    mu = [(lambda_ * place + value) % group.order for place, value in zip(places, permuted_t, strict=True)]
    rho = lambda_ * r + r_d
    inner = _KnownContents(group, mu, rho, x, stream)
    w = transcript.final_challenge(inner.c_1, inner.c_2, inner.c_3)
    g, h, z, z_h = inner.respond(w)
    return ShuffleProof(
        c, c_d, e_d.first, e_d.second, inner.c_1, inner.c_2, inner.c_3, tuple(f), g, h, big_z, z, z_h
    )


class _KnownContents:
    """The inner argument: what com(mu; rho) holds is a permutation of known contents.

    It shows that prod (mu_i - x) equals prod (m_i - x) by committing to the running product, blinded at
    every step by D_i, with D_1 = d'_1 and D_n = 0.

    Source: Groth 2010, the argument for a shuffle of known contents.
    """

    def __init__(self, group: Group, mu: list[int], rho: int, x: Scalar, stream: Draw) -> None:
        order, n = group.order, len(mu)
        self._group, self._mu, self._rho = group, mu, rho
        # One card leaves no step to blind: D_1 is the first and the last, hence zero.
        d: list[int] = [*random_scalars(group, stream, n)] if n > 1 else [0]
        blinds = [d[0], *random_scalars(group, stream, n - 2), 0] if n > 1 else [0]
        self._d = d
        self._r_1, self._r_2, self._r_3 = random_scalars(group, stream, 3)
        self._minus: list[int] = []
        self._cross: list[int] = []
        product = 1
        for i in range(n - 1):
            product = product * (mu[i] - x) % order
            self._minus.append(-blinds[i] * d[i + 1] % order)
            self._cross.append((blinds[i + 1] - (mu[i + 1] - x) * blinds[i] - product * d[i + 1]) % order)
        self.c_1 = commit_vector(group, d, self._r_1)
        self.c_2 = commit_vector(group, self._minus, self._r_2)
        self.c_3 = commit_vector(group, self._cross, self._r_3)

    def respond(self, w: Scalar) -> tuple[tuple[Scalar, ...], tuple[Scalar, ...], Scalar, Scalar]:
        """Return g, h, z and z_h for the challenge w."""
        scalar = self._group.scalar
        g = tuple(scalar(w * value + mask) for value, mask in zip(self._mu, self._d, strict=True))
        h = tuple(scalar(w * value + minus) for value, minus in zip(self._cross, self._minus, strict=True))
        return g, h, scalar(w * self._rho + self._r_1), scalar(w * self._r_3 + self._r_2)


def _remask_all(
    group: Group, joint_key: Element, cards: Sequence[Ciphertext], masks: Sequence[Scalar]
) -> Deck:
    def work(pairs: Sequence[tuple[Ciphertext, Scalar]]) -> list[Ciphertext]:
        return [remask(group, joint_key, card, r) for card, r in pairs]

    parts = in_threads(work, list(zip(cards, masks, strict=True)), group.threads)
    return tuple(card for part in parts for card in part)


def _masked_sum(
    group: Group, joint_key: Element, cards: Sequence[Ciphertext], scalars: Sequence[Scalar], r: Scalar
) -> Ciphertext:
    """Return Enc(0; r) plus the sum of scalars[i] * cards[i], in both halves."""
    first = group.base_multiply(r) + group.multiply_sum(scalars, [card.first for card in cards])
    second = group.multiply_sum([*scalars, r], [*(card.second for card in cards), joint_key])
    return Ciphertext(first, second)
