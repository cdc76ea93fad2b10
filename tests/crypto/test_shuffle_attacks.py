"""Shufflers who cheat: each proves as well as it can, and each is refused."""

import random

import pytest
from crypto_scene import scene_of

from crypto import Check, Ciphertext, InvalidProof, Scalar, card_element, mask, random_scalar, remask, shuffle
from crypto import verify_shuffle as verify
from crypto.elgamal import encode_deck
from crypto.randomness import random_scalars
from crypto.shuffle import _KnownContents, _masked_sum, prove_shuffle
from crypto.shuffle_proof import ShuffleProof, ShuffleTranscript, commit_vector

WEIGHTS = random.Random(6).randbytes(64)


def check_of(scene, new_deck, proof, context=None):
    with pytest.raises(InvalidProof) as caught:
        verify(scene.group, scene.joint_key, scene.deck, new_deck, proof, context or scene.context, WEIGHTS)
    return caught.value.check


def remasked(scene, permutation, draw):
    masks = random_scalars(scene.group, draw, len(permutation))
    cards = [
        remask(scene.group, scene.joint_key, scene.deck[place], r)
        for place, r in zip(permutation, masks, strict=True)
    ]
    return tuple(cards), masks


def claimed(scene, new_deck, permutation, masks, draw):
    """The proof that the honest prover's code makes of a false statement."""
    return prove_shuffle(
        scene.group, scene.joint_key, scene.deck, new_deck, permutation, masks, scene.context, draw
    ).encode(scene.group)


@pytest.mark.parametrize("permutation", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_the_helper_that_cheats_below_passes_when_it_is_honest(group, draw, permutation):
    scene = scene_of(group, 4)
    new_deck, masks = remasked(scene, permutation, draw)
    proof = claimed(scene, new_deck, permutation, masks, draw)
    verify(group, scene.joint_key, scene.deck, new_deck, proof, scene.context, WEIGHTS)


@pytest.mark.parametrize(
    "places",
    [
        pytest.param((0, 0, 2, 3), id="a card doubled"),
        pytest.param((1, 1, 1, 3), id="a card tripled, the sum of places right"),
        pytest.param((0, 3, 0, 3), id="two cards doubled, the sum of places right"),
        pytest.param((3, 3, 3, 3), id="one card only"),
    ],
)
def test_consistent_proofs_of_no_permutation_are_refused(group, draw, places):
    scene = scene_of(group, 4)
    new_deck, masks = remasked(scene, places, draw)
    assert (
        check_of(scene, new_deck, claimed(scene, new_deck, places, masks, draw)) is Check.SHUFFLE_PERMUTATION
    )


def test_a_foreign_card_proven_as_if_it_were_remasked_is_refused(group, draw):
    scene = scene_of(group, 4)
    permutation = (2, 0, 3, 1)
    new_deck, masks = remasked(scene, permutation, draw)
    foreign = mask(group, scene.joint_key, card_element(group, b"foreign"), random_scalar(group, draw))
    altered = (new_deck[0], foreign, *new_deck[2:])
    assert check_of(scene, altered, claimed(scene, altered, permutation, masks, draw)) is Check.SHUFFLE_FIRST


@pytest.mark.parametrize(("half", "check"), [(0, Check.SHUFFLE_FIRST), (1, Check.SHUFFLE_SECOND)])
def test_a_changed_half_proven_as_if_it_were_remasked_is_refused(group, draw, half, check):
    scene = scene_of(group, 4)
    permutation = (2, 0, 3, 1)
    new_deck, masks = remasked(scene, permutation, draw)
    halves = [new_deck[3].first, new_deck[3].second]
    halves[half] = halves[half] + group.generator
    altered = (*new_deck[:3], Ciphertext(*halves))
    assert check_of(scene, altered, claimed(scene, altered, permutation, masks, draw)) is check


def test_cards_changed_so_that_their_sum_stays_are_refused(group, draw):
    scene = scene_of(group, 4)
    permutation = (2, 0, 3, 1)
    new_deck, masks = remasked(scene, permutation, draw)
    mark = card_element(group, b"mark")
    altered = (
        Ciphertext(new_deck[0].first, new_deck[0].second + mark),
        Ciphertext(new_deck[1].first, new_deck[1].second - mark),
        *new_deck[2:],
    )
    assert check_of(scene, altered, claimed(scene, altered, permutation, masks, draw)) is Check.SHUFFLE_SECOND


def test_a_deck_touched_after_proving_is_refused(group, draw):
    scene = scene_of(group, 4)
    new_deck, proof, _ = shuffle(group, scene.joint_key, scene.deck, scene.context, draw)
    again = remask(group, scene.joint_key, new_deck[2], random_scalar(group, draw))
    foreign = mask(group, scene.joint_key, card_element(group, b"foreign"), random_scalar(group, draw))
    for altered in (
        (new_deck[0], new_deck[0], *new_deck[2:]),
        (new_deck[1], new_deck[0], *new_deck[2:]),
        (*new_deck[:2], again, new_deck[3]),
        (*new_deck[:2], foreign, new_deck[3]),
        (*new_deck[:2], Ciphertext(new_deck[2].second, new_deck[2].first), new_deck[3]),
        scene.deck,
    ):
        assert check_of(scene, altered, proof) is Check.SHUFFLE_PERMUTATION
    assert check_of(scene, new_deck[:3], proof) is Check.SHUFFLE_COUNT


class WeakTranscript(ShuffleTranscript):
    """The argument without a challenge x of its own: x = lambda."""

    def content_challenges(self, f, big_z):
        lambda_, _ = super().content_challenges(f, big_z)
        return lambda_, lambda_


def scaling_forgery(scene, k, draw, transcript_class):
    """Scale two cards by k and 1/k, leave the others, and forge a proof that this is a shuffle.

    E_i = s_i.e_i + Enc(0; R_i). With f_i = t_i / s_i + d_i the deck's equation holds. The committed places
    are a_i = 1 + (i - 1) / s_i, so that mu_i - lambda = (lambda.i + t_i - lambda) / s_i, and the product of
    these is the right one, since the s_i multiply to 1. It is taken at x; so with x = lambda it passes.
    """
    group, order, n = scene.group, scene.group.order, len(scene.deck)
    scales = [k, pow(k, -1, order), *([1] * (n - 2))]
    inverses = [pow(scale, -1, order) for scale in scales]
    masks = random_scalars(group, draw, n)
    new_deck = tuple(
        remask(group, scene.joint_key, Ciphertext(Scalar(scale) * card.first, Scalar(scale) * card.second), r)
        for scale, card, r in zip(scales, scene.deck, masks, strict=True)
    )
    places = [(1 + index * inverse) % order for index, inverse in enumerate(inverses)]
    d = random_scalars(group, draw, n)
    r, r_d, big_r_d = random_scalars(group, draw, 3)
    c = commit_vector(group, places, r)
    c_d = commit_vector(group, [-value for value in d], r_d)
    e_d = _masked_sum(group, scene.joint_key, new_deck, [group.scalar(-value) for value in d], big_r_d)
    transcript = transcript_class(group, scene.joint_key, scene.deck, new_deck, scene.context)
    t = transcript.permutation_challenges(c, c_d, e_d)
    scaled = [value * inverse % order for value, inverse in zip(t, inverses, strict=True)]
    f = [group.scalar(value + blind) for value, blind in zip(scaled, d, strict=True)]
    big_z = group.scalar(big_r_d + sum(a * b for a, b in zip(scaled, masks, strict=True)))
    lambda_, x = transcript.content_challenges(f, big_z)
    mu = [(lambda_ * place + value) % order for place, value in zip(places, scaled, strict=True)]
    inner = _KnownContents(group, mu, lambda_ * r + r_d, x, draw)
    g, h, z, z_h = inner.respond(transcript.final_challenge(inner.c_1, inner.c_2, inner.c_3))
    parts = (c, c_d, e_d.first, e_d.second, inner.c_1, inner.c_2, inner.c_3, tuple(f), g, h, big_z, z, z_h)
    return new_deck, ShuffleProof(*parts).encode(group)


@pytest.mark.parametrize("cards", [2, 5])
def test_cards_scaled_by_k_and_its_inverse_pass_only_if_x_is_lambda(group, draw, monkeypatch, cards):
    scene = scene_of(group, cards)
    weak_deck, weak_proof = scaling_forgery(scene, 7, draw, WeakTranscript)
    deck, proof = scaling_forgery(scene, 7, draw, ShuffleTranscript)
    assert encode_deck(weak_deck) != encode_deck(scene.deck)
    assert check_of(scene, deck, proof) is Check.SHUFFLE_PERMUTATION
    assert check_of(scene, weak_deck, weak_proof) is Check.SHUFFLE_PERMUTATION

    monkeypatch.setattr("crypto.shuffle_verifier.ShuffleTranscript", WeakTranscript)
    verify(group, scene.joint_key, scene.deck, weak_deck, weak_proof, scene.context, WEIGHTS)


def test_the_scaling_forger_passes_when_it_scales_by_one(group, draw):
    scene = scene_of(group, 3)
    deck, proof = scaling_forgery(scene, 1, draw, ShuffleTranscript)
    verify(group, scene.joint_key, scene.deck, deck, proof, scene.context, WEIGHTS)


def test_a_single_card_exchanged_is_refused(group, draw):
    scene = scene_of(group, 1)
    foreign = mask(group, scene.joint_key, card_element(group, b"foreign"), random_scalar(group, draw))
    proof = claimed(scene, (foreign,), (0,), random_scalars(group, draw, 1), draw)
    assert check_of(scene, (foreign,), proof) is Check.SHUFFLE_FIRST
