"""Every equation of the shuffle argument, worked modulo 23 and in exponents modulo 11 with plain numbers.

In this group all logarithms are known, so each side of each equation is a number that can be checked on
paper. Only the challenges are taken from the code, since they are hashes.
"""

import random

import pytest
from crypto_scene import context_of
from tiny_group import hand_group

from crypto import Ciphertext, InvalidProof, first_deck, new_key, shuffle
from crypto.shuffle_proof import ShuffleProof, ShuffleTranscript, generators

P, Q = 23, 11
LOG = {pow(2, exponent, P): exponent for exponent in range(Q)}
CARDS = 3


def shuffles_without_an_identity():
    """One in eleven elements of this group is the identity, which a proof may not hold: skip those."""
    group = hand_group()
    for seed in range(80):
        draw = random.Random(seed).randbytes
        key = new_key(group, draw)
        deck = first_deck(group, [b"%d" % number for number in range(CARDS)])
        new_deck, data, permutation = shuffle(group, key.public, deck, context_of(group), draw)
        try:
            proof = ShuffleProof.decode(group, data, CARDS)
        except InvalidProof:
            continue
        yield pytest.param(key.public, deck, new_deck, proof, permutation, id=f"seed{seed}")


@pytest.mark.parametrize(("key", "deck", "new_deck", "proof", "permutation"), shuffles_without_an_identity())
def test_the_equations_hold_by_hand(key, deck, new_deck, proof, permutation):
    group = hand_group()
    before = [(card.first.value, card.second.value) for card in deck]
    after = [(card.first.value, card.second.value) for card in new_deck]
    for index, (first, second) in enumerate(after):
        r = LOG[first]  # the public deck has first halves 1, so the mask can be read off
        assert second == before[permutation[index]][1] * pow(key.value, r, P) % P

    transcript = ShuffleTranscript(group, key, deck, new_deck, context_of(group))
    e_d = Ciphertext(proof.e_d_first, proof.e_d_second)
    t = transcript.permutation_challenges(proof.c, proof.c_d, e_d)
    lam, x = transcript.content_challenges(proof.f, proof.Z)
    w = transcript.final_challenge(proof.c_1, proof.c_2, proof.c_3)
    h = [LOG[element.value] for element in generators(group, CARDS)]

    def com(values, r):
        return (r + sum(a * b for a, b in zip(values, h, strict=False))) % Q

    c, c_d, c_1, c_2, c_3 = (
        LOG[element.value] for element in (proof.c, proof.c_d, proof.c_1, proof.c_2, proof.c_3)
    )
    assert (w * (lam * c + c_d + com(proof.f, 0)) + c_1) % Q == com(proof.g, proof.z)
    assert (w * c_3 + c_2) % Q == com(proof.h, proof.z_h)
    for half, e_d_half, base in ((0, proof.e_d_first, 2), (1, proof.e_d_second, key.value)):
        left, right = e_d_half.value, pow(base, proof.Z, P)
        for index in range(CARDS):
            left = left * pow(after[index][half], proof.f[index], P) % P
            right = right * pow(before[index][half], t[index], P) % P
        assert left == right
    # F_3 = w.prod (m_i - x), multiplied through by w^2 so that w = 0 needs no division.
    first, second, third = ((value - w * x) % Q for value in proof.g)
    running = (first * second + proof.h[0]) * third + w * proof.h[1]
    contents = [lam * (index + 1) + t[index] for index in range(CARDS)]
    product = 1
    for content in contents:
        product = product * (content - x)
    assert running % Q == w**3 * product % Q
