"""A shuffle and its proof: what passes, and every altered byte that must not."""

import pickle
import random

import pytest
from crypto_scene import context_of, scene_of
from tiny_group import quick_group

from crypto import (
    MAX_CARDS,
    Check,
    Ciphertext,
    DecodingError,
    InvalidProof,
    RandomSourceError,
    Ristretto255,
    ShuffleClaim,
    combine,
    decode_deck,
    encode_deck,
    new_key,
    open_ciphertext,
    share,
    shuffle,
    shuffle_proof_size,
    verify_shuffle,
    verify_shuffles,
)
from crypto.shuffle_proof import ShuffleProof, component_names, generators

WEIGHTS = random.Random(6).randbytes(64)


def shuffled(scene, seed=7):
    return shuffle(scene.group, scene.joint_key, scene.deck, scene.context, random.Random(seed).randbytes)


def verify(scene, new_deck, proof, **changes):
    arguments = {"deck": scene.deck, "context": scene.context, "weights": WEIGHTS, **changes}
    deck, context, weights = (arguments.pop(name) for name in ("deck", "context", "weights"))
    verify_shuffle(scene.group, scene.joint_key, deck, new_deck, proof, context, weights, **arguments)


def test_generators_follow_from_their_numbers_alone_and_have_no_relation_that_is_easy_to_see():
    group = Ristretto255()
    found = generators(group, MAX_CARDS)
    base = group.base_multiply(group.scalar(1))
    assert len({element.encode() for element in (*found, base)}) == MAX_CARDS + 1
    assert all(found[:count] == generators(Ristretto255(), count) for count in (1, 2, 52))
    assert not any((one + other).encode() == found[2].encode() for one in found[:2] for other in found[:2])


def refusal(scene, new_deck, proof, **changes):
    with pytest.raises(InvalidProof) as caught:
        verify(scene, new_deck, proof, **changes)
    return caught.value


def opened(scene, deck):
    return [
        open_ciphertext(card, [share(scene.group, key.secret, card) for key in scene.keys]) for card in deck
    ]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 13])
def test_a_shuffle_passes_and_holds_the_same_cards_in_its_secret_order(group, count):
    scene = scene_of(group, count)
    new_deck, proof, permutation = shuffled(scene)
    verify(scene, new_deck, proof)
    assert sorted(permutation) == list(range(count))
    before, after = opened(scene, scene.deck), opened(scene, new_deck)
    assert after == [before[place] for place in permutation]
    assert not set(new_deck) & set(scene.deck)


@pytest.mark.parametrize("count", [36, 52, 104])
def test_whole_packs_pass(count):
    scene = scene_of(quick_group(), count)
    new_deck, proof, _ = shuffled(scene)
    verify(scene, new_deck, proof)


def test_a_pack_of_52_has_a_proof_of_5280_bytes_and_passes_with_two_threads():
    scene = scene_of(Ristretto255(threads=2), 52)
    new_deck, proof, _ = shuffled(scene)
    verify(scene, new_deck, proof)
    assert len(proof) == 5280 == shuffle_proof_size(scene.group, 52)


def test_threads_change_nothing_in_the_result():
    one, two = scene_of(Ristretto255(), 20), scene_of(Ristretto255(threads=2), 20)
    assert shuffled(one) == shuffled(two)


def test_the_public_deck_passes_only_where_it_is_said_to_be_one(group):
    scene = scene_of(group, 4)
    draw = random.Random(8).randbytes
    new_deck, proof, _ = shuffle(group, scene.joint_key, scene.public_deck, scene.context, draw)
    verify(scene, new_deck, proof, deck=scene.public_deck, first_deck=True)
    error = refusal(scene, new_deck, proof, deck=scene.public_deck)
    assert (error.check, error.component) == (Check.SHUFFLE_IDENTITY, "e[0]")


def test_a_masked_deck_does_not_pass_as_the_public_one(group):
    scene = scene_of(group, 4)
    new_deck, proof, _ = shuffled(scene)
    assert refusal(scene, new_deck, proof, first_deck=True).check is Check.SHUFFLE_IDENTITY


def test_an_identity_in_the_new_deck_is_the_shufflers_breach(group):
    scene = scene_of(group, 3)
    new_deck, proof, _ = shuffled(scene)
    for at in range(3):
        for halves in ((group.identity, new_deck[at].second), (new_deck[at].first, group.identity)):
            altered = (*new_deck[:at], Ciphertext(*halves), *new_deck[at + 1 :])
            for public in (False, True):
                deck = scene.public_deck if public else scene.deck
                error = refusal(scene, altered, proof, deck=deck, first_deck=public)
                assert (error.check, error.component) == (Check.SHUFFLE_IDENTITY, f"E[{at}]")


def test_the_identity_is_no_joint_key(group):
    scene = scene_of(group, 3)
    new_deck, proof, _ = shuffled(scene)
    with pytest.raises(InvalidProof) as caught:
        verify_shuffle(group, group.identity, scene.deck, new_deck, proof, scene.context, WEIGHTS)
    assert (caught.value.check, caught.value.component) == (Check.SHUFFLE_IDENTITY, "Y")


def test_a_proof_in_another_context_is_refused(group, context_change):
    scene = scene_of(group, 3)
    new_deck, proof, _ = shuffled(scene)
    error = refusal(scene, new_deck, proof, context=context_of(group, **context_change))
    assert error.check is Check.SHUFFLE_PERMUTATION


def test_a_proof_under_another_key_is_refused(group, draw):
    scene = scene_of(group, 3)
    new_deck, proof, _ = shuffled(scene)
    with pytest.raises(InvalidProof):
        verify_shuffle(
            group, new_key(group, draw).public, scene.deck, new_deck, proof, scene.context, WEIGHTS
        )


def test_decks_of_another_size_are_refused(group):
    scene = scene_of(group, 4)
    new_deck, proof, _ = shuffled(scene)
    assert refusal(scene, new_deck[:3], proof).check is Check.SHUFFLE_COUNT
    assert refusal(scene, new_deck, proof, deck=scene.deck[:3]).check is Check.SHUFFLE_COUNT
    assert refusal(scene, (), proof, deck=()).check is Check.SHUFFLE_COUNT
    assert refusal(scene, new_deck[:3], proof, deck=scene.deck[:3]).check is Check.SHUFFLE_LENGTH
    many = (new_deck[0],) * (MAX_CARDS + 1)
    assert refusal(scene, many, proof, deck=many).check is Check.SHUFFLE_COUNT
    for deck in ((), many):
        with pytest.raises(ValueError):
            shuffle(group, scene.joint_key, deck, scene.context, random.Random(1).randbytes)


def test_a_deck_read_in_another_order_is_refused(group):
    scene = scene_of(group, 4)
    new_deck, proof, _ = shuffled(scene)
    for deck, altered in (
        (scene.deck[::-1], new_deck),
        (scene.deck, new_deck[::-1]),
        (scene.deck, (new_deck[1], new_deck[0], *new_deck[2:])),
        (new_deck, scene.deck),
        (new_deck, new_deck),
    ):
        refusal(scene, altered, proof, deck=deck)


def each_component(group, count):
    """Name, first byte, size and whether it is an element, of every component of a proof."""
    at = 0
    for index, name in enumerate(component_names(count)):
        size = group.element_size if index < 7 else group.scalar_size
        yield name, at, size, index < 7
        at += size


@pytest.mark.parametrize("count", [1, 3])
def test_every_component_made_invalid_is_refused_by_its_name(group, count):
    scene = scene_of(group, count)
    new_deck, proof, _ = shuffled(scene)
    for name, at, size, is_element in each_component(group, count):
        value = int.from_bytes(proof[at : at + size], "little")
        if is_element:
            check, wrong = Check.SHUFFLE_ELEMENT, [group.identity.encode(), b"\xff" * size, bytes(size)]
        else:
            numbers = (group.order, group.order + value, 2 ** (8 * size) - 1)
            check, wrong = Check.SHUFFLE_SCALAR, [number.to_bytes(size, "little") for number in numbers]
        for part in wrong:
            error = refusal(scene, new_deck, proof[:at] + part + proof[at + size :])
            assert (error.check, error.component) == (check, name)


EXPECTED = {"z": Check.SHUFFLE_OPENING, "z_h": Check.SHUFFLE_PRODUCT}
"""Every other component enters a challenge or the product in the field, which is checked first."""


@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_component_exchanged_for_another_valid_one_is_refused(group, count):
    scene = scene_of(group, count)
    new_deck, proof, _ = shuffled(scene)
    components = list(each_component(group, count))
    for index, (name, at, size, is_element) in enumerate(components):
        value = int.from_bytes(proof[at : at + size], "little")
        if is_element:
            wrong = [group.generator.encode(), new_deck[0].first.encode()]
        else:
            numbers = (0, (value + 1) % group.order, group.order - value)
            wrong = [number.to_bytes(size, "little") for number in numbers]
        altered = [proof[:at] + part + proof[at + size :] for part in wrong]
        for other in components[index + 1 : index + 2]:
            if other[3] == is_element:
                neighbour = proof[other[1] : other[1] + size]
                altered.append(proof[:at] + neighbour + proof[at : at + size] + proof[at + 2 * size :])
        for forged in altered[:3]:
            assert refusal(scene, new_deck, forged).check is EXPECTED.get(name, Check.SHUFFLE_PERMUTATION)
        for forged in altered[3:]:
            refusal(scene, new_deck, forged)


def test_a_proof_cut_or_extended_is_refused(group):
    scene = scene_of(group, 3)
    new_deck, proof, _ = shuffled(scene)
    size = group.scalar_size
    for wrong in (
        b"",
        proof[:-1],
        proof[1:],
        proof + b"\0",
        proof[:-size],
        proof + bytes(size),
        proof + proof,
    ):
        assert refusal(scene, new_deck, wrong).check is Check.SHUFFLE_LENGTH


@pytest.mark.parametrize("which", ["before", "after", "proof", "key", "table", "previous"])
def test_every_flipped_byte_is_refused(group, which):
    scene = scene_of(group, 2)
    new_deck, proof, _ = shuffled(scene)
    inputs = {
        "before": encode_deck(scene.deck),
        "after": encode_deck(new_deck),
        "proof": proof,
        "key": scene.joint_key.encode(),
        "table": scene.context.table,
        "previous": scene.context.previous,
    }
    for at in range(len(inputs[which])):
        flipped = dict(inputs)
        flipped[which] = bytes(byte ^ (index == at) for index, byte in enumerate(inputs[which]))
        context = context_of(group, table=flipped["table"], previous=flipped["previous"])
        with pytest.raises((InvalidProof, DecodingError)):
            verify_shuffle(
                group,
                group.decode_element(flipped["key"]),
                decode_deck(group, flipped["before"], 2),
                decode_deck(group, flipped["after"], 2),
                flipped["proof"],
                context,
                WEIGHTS,
            )


def chain(scene, length):
    claims, deck = [], scene.public_deck
    for seat in range(length):
        context = context_of(scene.group, seat=seat, step=2 + seat)
        new_deck, proof, _ = shuffle(
            scene.group, scene.joint_key, deck, context, random.Random(seat).randbytes
        )
        claims.append(ShuffleClaim(deck, new_deck, proof, context, first_deck=seat == 0))
        deck = new_deck
    return claims


def test_a_chain_of_shuffles_passes_with_one_product(group):
    scene = scene_of(group, 5)
    verify_shuffles(group, scene.joint_key, chain(scene, 3), random.Random(1).randbytes(3 * 64))


@pytest.mark.parametrize("bad", range(3))
@pytest.mark.parametrize("component", ["c_1", "z", "z_h", "Z", "f[1]"])
def test_one_bad_link_of_a_chain_is_named(group, bad, component):
    scene = scene_of(group, 4)
    claims = chain(scene, 3)
    ((at, size),) = [(at, size) for name, at, size, _ in each_component(group, 4) if name == component]
    proof = claims[bad].proof
    replacement = group.generator.encode() if component == "c_1" else bytes(size)
    altered = proof[:at] + replacement + proof[at + size :]
    claims[bad] = ShuffleClaim(
        claims[bad].deck, claims[bad].new_deck, altered, claims[bad].context, claims[bad].first_deck
    )
    with pytest.raises(InvalidProof) as caught:
        verify_shuffles(group, scene.joint_key, claims, random.Random(1).randbytes(3 * 64))
    assert caught.value.claim == bad
    assert caught.value.check is EXPECTED.get(component, Check.SHUFFLE_PERMUTATION)


def test_the_first_of_two_bad_links_is_named_whatever_is_wrong_with_the_second(group):
    scene = scene_of(group, 3)
    claims = chain(scene, 3)
    size = group.scalar_size
    late_check = claims[0].proof[: -2 * size] + bytes(size) + claims[0].proof[-size:]
    claims[0] = ShuffleClaim(claims[0].deck, claims[0].new_deck, late_check, claims[0].context, True)
    claims[2] = ShuffleClaim(claims[2].deck, claims[2].new_deck, b"", claims[2].context)
    with pytest.raises(InvalidProof) as caught:
        verify_shuffles(group, scene.joint_key, claims, random.Random(1).randbytes(3 * 64))
    assert (caught.value.claim, caught.value.check) == (0, Check.SHUFFLE_OPENING)


@pytest.mark.parametrize(
    "weights",
    [b"", bytes(64), bytes(63), WEIGHTS[:63], WEIGHTS + b"\0", WEIGHTS[:48] + bytes(16), WEIGHTS[:16] * 4],
)
def test_weights_that_are_not_random_are_refused(group, weights):
    scene = scene_of(group, 2)
    new_deck, proof, _ = shuffled(scene)
    with pytest.raises(RandomSourceError):
        verify(scene, new_deck, proof, weights=weights)


def test_proofs_decode_to_what_was_encoded(group):
    scene = scene_of(group, 3)
    _, proof, _ = shuffled(scene)
    assert ShuffleProof.decode(group, proof, 3).encode(group) == proof


def test_arguments_results_and_errors_survive_pickling(group):
    scene = scene_of(group, 3)
    result = shuffled(scene)
    assert pickle.loads(pickle.dumps(result)) == result
    assert pickle.loads(pickle.dumps(scene.deck)) == scene.deck
    error = InvalidProof(Check.SHUFFLE_SCALAR, "f[1]", 2)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.check, copy.component, copy.claim) == (error.check, "f[1]", 2)
    assert str(copy) == "shuffle.scalar (f[1])"


def test_the_sum_of_a_deck_is_kept_by_a_shuffle(group):
    scene = scene_of(group, 4)
    new_deck, _, _ = shuffled(scene)
    assert combine(opened(scene, new_deck)) == combine(opened(scene, scene.deck))
