import hashlib
import json
import random
from pathlib import Path

import pytest
from crypto_scene import context_of, scene_of
from tiny_group import SmallGroup, hand_group

from crypto import (
    Check,
    Ciphertext,
    InvalidProof,
    Ristretto255,
    Scalar,
    card_element,
    mask,
    new_key,
    open_ciphertext,
    prove_shares,
    verify_shares,
)
from crypto.shares import MAX_BATCH, _weights, context_string, generate_proof, verify_proof

RFC9497 = json.loads(
    (Path(__file__).parent.parent / "vectors" / "rfc9497_ristretto255_sha512.json").read_text()
)


def rfc_proofs():
    for suite in RFC9497:
        if suite["mode"] == 0:
            continue  # the plain mode has no proofs
        for number, vector in enumerate(suite["vectors"]):
            yield pytest.param(suite, vector, id=f"mode{suite['mode']}-{number}")


def rfc_statement(suite, vector):
    """The context string, secret, public key, C and D of a vector, after RFC 9497, section 3.3."""
    group = Ristretto255()
    context = b"OPRFV1-" + bytes([suite["mode"]]) + b"-ristretto255-SHA512"
    secret = group.decode_scalar(bytes.fromhex(suite["skSm"]))
    blinded, evaluated = (
        [group.decode_element(bytes.fromhex(text)) for text in vector[name].split(",")]
        for name in ("BlindedElement", "EvaluationElement")
    )
    if suite["mode"] == 1:
        return context, secret, group.base_multiply(secret), blinded, evaluated
    # Mode 2 tweaks the key by the public info, and proves with C and D exchanged.
    info = bytes.fromhex(vector["Info"])
    framed = b"Info" + len(info).to_bytes(2, "big") + info
    tweaked = group.scalar(secret + group.hash_to_scalar(b"HashToScalar-" + context, framed))
    return context, tweaked, group.base_multiply(tweaked), evaluated, blinded


@pytest.mark.parametrize(("suite", "vector"), rfc_proofs())
def test_proofs_are_those_of_rfc_9497(suite, vector):
    group = Ristretto255()
    context, secret, public, c, d = rfc_statement(suite, vector)
    nonce = group.decode_scalar(bytes.fromhex(vector["Proof"]["r"]))
    proof = generate_proof(group, context, secret, public, c, d, nonce)
    assert proof.hex() == vector["Proof"]["proof"]
    verify_proof(group, context, public, c, d, proof)


@pytest.mark.parametrize(("suite", "vector"), rfc_proofs())
def test_proofs_of_rfc_9497_fail_under_another_context_string(suite, vector):
    context, _, public, c, d = rfc_statement(suite, vector)
    with pytest.raises(InvalidProof, match=r"shares\.equation"):
        verify_proof(Ristretto255(), context + b"!", public, c, d, bytes.fromhex(vector["Proof"]["proof"]))


def refused(check, scene, cards, shares, proof, context=None, component=None):
    with pytest.raises(InvalidProof) as caught:
        verify_shares(scene.group, scene.keys[0].public, cards, shares, proof, context or scene.context)
    assert caught.value.check is check
    if component is not None:
        assert caught.value.component == component


def proven(scene, count=3, seed=4):
    key = scene.keys[0]
    draw = random.Random(seed).randbytes
    return prove_shares(scene.group, key.secret, key.public, scene.deck[:count], scene.context, draw)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_proven_shares_of_all_seats_open_the_cards(group, draw, count):
    scene = scene_of(group, 7)
    cards = scene.deck[:count]
    by_seat = []
    for key in scene.keys:
        shares, proof = prove_shares(group, key.secret, key.public, cards, scene.context, draw)
        verify_shares(group, key.public, cards, shares, proof, scene.context)
        assert len(proof) == 2 * group.scalar_size
        by_seat.append(shares)
    opened = [
        open_ciphertext(card, parts) for card, parts in zip(cards, zip(*by_seat, strict=True), strict=True)
    ]
    assert len(set(opened)) == count
    assert set(opened) <= {card.second for card in scene.public_deck}


def test_the_equation_is_the_one_worked_by_hand():
    # Modulo 23 with secret 3, key 8; the card is (8, 6), so its share is 8^3 = 6.
    group = hand_group()
    card = Ciphertext(group.element(8), group.element(6))
    draw = random.Random(5).randbytes
    shares, proof = prove_shares(group, Scalar(3), group.element(8), [card], context_of(group), draw)
    assert [part.value for part in shares] == [6]
    c, s = proof
    bound = context_string(context_of(group), group.element(8), [card.first], shares)
    m, z = 8, 6

    # One pair's weight: m and z are raised to it, and the nonce's images are 2^s 8^c and m^s z^c.
    def short(data):
        return len(data).to_bytes(2, "big") + data

    seed = hashlib.sha512(short(bytes([8])) + short(b"Seed-" + bound)).digest()
    pair = short(seed) + b"\0\0" + short(bytes([8])) + short(bytes([6])) + b"Composite"
    weight = group.hash_to_scalar(b"HashToScalar-" + bound, pair)
    m, z = pow(m, weight, 23), pow(z, weight, 23)
    t2 = pow(2, s, 23) * pow(8, c, 23) % 23
    t3 = pow(m, s, 23) * pow(z, c, 23) % 23
    message = b"".join(short(bytes([value])) for value in (8, m, z, t2, t3)) + b"Challenge"
    assert c == group.hash_to_scalar(b"HashToScalar-" + bound, message)


def test_shares_in_another_context_are_refused(group, context_change):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    refused(Check.SHARES_EQUATION, scene, scene.deck, shares, proof, context_of(group, **context_change))


def test_shares_in_another_order_or_place_are_refused(group):
    scene = scene_of(group, 4)
    shares, proof = proven(scene)
    cards = scene.deck[:3]
    swapped_cards = (cards[1], cards[0], cards[2])
    swapped_shares = (shares[1], shares[0], shares[2])
    other_cards = (*cards[:2], scene.deck[3])
    for wrong_cards, wrong_shares in (
        (swapped_cards, shares),
        (cards, swapped_shares),
        (swapped_cards, swapped_shares),
        (other_cards, shares),
    ):
        refused(Check.SHARES_EQUATION, scene, wrong_cards, wrong_shares, proof)


def test_a_part_of_a_batch_or_more_than_it_is_refused(group):
    scene = scene_of(group, 4)
    shares, proof = proven(scene)
    refused(Check.SHARES_EQUATION, scene, scene.deck[:2], shares[:2], proof)
    more = (*shares, scene.keys[0].secret * scene.deck[3].first)
    refused(Check.SHARES_EQUATION, scene, scene.deck, more, proof)


def test_shares_that_do_not_match_the_cards_in_number_are_refused(group):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    refused(Check.SHARES_COUNT, scene, scene.deck, shares[:2], proof)
    refused(Check.SHARES_COUNT, scene, scene.deck[:2], shares, proof)
    refused(Check.SHARES_COUNT, scene, (), (), proof)
    too_many = MAX_BATCH + 1
    refused(Check.SHARES_COUNT, scene, (scene.deck[0],) * too_many, (shares[0],) * too_many, proof)


@pytest.mark.parametrize("at", range(3))
def test_a_wrong_share_is_refused(group, at):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    others = scene.keys[1].secret * scene.deck[at].first
    for wrong in (shares[at] + group.generator, group.identity - shares[at], others, group.generator):
        altered = (*shares[:at], wrong, *shares[at + 1 :])
        refused(Check.SHARES_EQUATION, scene, scene.deck, altered, proof)
    altered = (*shares[:at], group.identity, *shares[at + 1 :])
    refused(Check.SHARES_IDENTITY, scene, scene.deck, altered, proof, component=f"[{at}]")


def test_errors_of_two_shares_that_cancel_out_are_refused(group):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    altered = (shares[0] + group.generator, shares[1] - group.generator, shares[2])
    refused(Check.SHARES_EQUATION, scene, scene.deck, altered, proof)


def test_shares_of_another_seat_are_refused(group):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    with pytest.raises(InvalidProof, match=r"shares\.equation"):
        verify_shares(group, scene.keys[1].public, scene.deck, shares, proof, scene.context)


def test_identities_in_the_statement_are_refused(group, draw):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    unmasked = (Ciphertext(group.identity, scene.deck[0].second), *scene.deck[1:])
    refused(Check.SHARES_IDENTITY, scene, unmasked, shares, proof, component="[0]")
    with pytest.raises(InvalidProof, match=r"shares\.identity \(public\)"):
        verify_shares(group, group.identity, scene.deck, shares, proof, scene.context)
    key = scene.keys[0]
    for cards in ((), unmasked, (scene.deck[0],) * (MAX_BATCH + 1)):
        with pytest.raises(ValueError):
            prove_shares(group, key.secret, key.public, cards, scene.context, draw)


def test_every_component_altered_is_refused_by_name(group):
    scene = scene_of(group, 3)
    shares, proof = proven(scene)
    size = group.scalar_size

    def check(expected, altered, component=None):
        refused(expected, scene, scene.deck, shares, altered, component=component)

    for at, name in ((0, "c"), (size, "s")):
        value = int.from_bytes(proof[at : at + size], "little")

        def put(number, at=at):
            return proof[:at] + number.to_bytes(size, "little") + proof[at + size :]

        check(Check.SHARES_SCALAR, put(group.order), name)
        check(Check.SHARES_SCALAR, put(group.order + value), name)
        check(Check.SHARES_SCALAR, put(2 ** (8 * size) - 1), name)
        check(Check.SHARES_EQUATION, put(0))
        check(Check.SHARES_EQUATION, put((value + 1) % group.order))
    check(Check.SHARES_EQUATION, proof[size:] + proof[:size])
    for wrong in (b"", proof[:-1], proof + b"\0", proof[:size]):
        check(Check.SHARES_LENGTH, wrong)


def test_every_flipped_byte_of_a_proof_is_refused(group):
    scene = scene_of(group, 2)
    shares, proof = proven(scene, 2)
    for at in range(len(proof)):
        flipped = proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :]
        with pytest.raises(InvalidProof):
            verify_shares(group, scene.keys[0].public, scene.deck, shares, flipped, scene.context)


def test_a_replayed_nonce_is_never_used_for_two_batches(group):
    scene = scene_of(group, 3)
    key, context = scene.keys[0], scene.context
    challenges = set()
    for cards in (scene.deck, scene.deck[:2], scene.deck[::-1]):
        draw = random.Random(9).randbytes
        shares, proof = prove_shares(group, key.secret, key.public, cards, context, draw)
        c = group.decode_scalar(proof[: group.scalar_size])
        s = group.decode_scalar(proof[group.scalar_size :])
        challenges.add(group.base_multiply(s) + c * key.public)
        verify_shares(group, key.public, cards, shares, proof, context)
    assert len(challenges) == 3


def test_wrong_shares_varied_one_by_one_pass_only_if_weights_ignore_the_other_pairs(draw):
    """A birthday search for two errors whose weighted sum is zero, in a group of order about 2^24.

    It succeeds when the context string is fixed, as in RFC 9497, and would for 32 pairs in the real group
    in some 2^47 steps. With the statement's digest in the context string its result is worthless.
    """
    group = SmallGroup(2**25 - 633, 4)
    order = group.order
    assert pow(4, order, group.modulus) == 1
    key, context = new_key(group, draw), context_of(group)
    joint = new_key(group, draw).public
    cards = [mask(group, joint, card_element(group, bytes([n])), Scalar(n + 2)) for n in range(2)]
    firsts = [card.first for card in cards]
    honest = [key.secret * first for first in firsts]
    fixed = b"fixed context string"

    def weight(index, share):
        # The other pair's share does not matter to a weight of RFC 9497, so the same one serves for both.
        return _weights(group, fixed, key.public, firsts, [share, share])[index]

    errors = {}
    for error in range(1, 9000):
        share = honest[0] + group.base_multiply(Scalar(error))
        errors[weight(0, share) * error % order] = error
    for error in range(1, 9000):
        share = honest[1] + group.base_multiply(Scalar(error))
        match = errors.get(-weight(1, share) * error % order)
        if match is not None:
            break
    else:
        pytest.fail("the search found nothing")
    forged = [
        honest[0] + group.base_multiply(Scalar(match)),
        honest[1] + group.base_multiply(Scalar(error)),
    ]
    assert forged[0] != honest[0]
    proof = generate_proof(group, fixed, key.secret, key.public, firsts, forged, Scalar(77))
    verify_proof(group, fixed, key.public, firsts, forged, proof)
    bound = context_string(context, key.public, firsts, forged)
    proof = generate_proof(group, bound, key.secret, key.public, firsts, forged, Scalar(77))
    with pytest.raises(InvalidProof, match=r"shares\.equation"):
        verify_shares(group, key.public, cards, forged, proof, context)
