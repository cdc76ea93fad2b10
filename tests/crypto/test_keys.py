import random
from dataclasses import replace

import pytest
from crypto_scene import context_of
from tiny_group import hand_group

from crypto import Check, InvalidProof, Scalar, joint_key, new_key, prove_key, verify_key
from crypto.transcript import Transcript


def refused(check, group, public, proof, context, component=None):
    with pytest.raises(InvalidProof) as caught:
        verify_key(group, public, proof, context)
    assert caught.value.check is check
    if component is not None:
        assert caught.value.component == component


def test_a_proof_of_a_key_convinces(group, draw):
    key = new_key(group, draw)
    verify_key(group, key.public, prove_key(group, key.secret, context_of(group), draw), context_of(group))


def test_the_proof_is_the_one_worked_by_hand():
    group = hand_group()
    context = context_of(group)
    proofs = 0
    for seed in range(40):
        proof = prove_key(group, Scalar(3), context, random.Random(seed).randbytes)
        r, s = proof
        # The key is 2^3 = 8; the challenge comes from the transcript; 2^s must be R * 8^c modulo 23.
        transcript = Transcript(b"key proof", group, context)
        transcript.append(b"public", bytes([8]))
        transcript.append(b"R", bytes([r]))
        c = transcript.challenge(b"c")
        assert 0 <= s < 11
        assert pow(2, s, 23) == r * pow(8, c, 23) % 23
        proofs += r != 1
    assert proofs == 40


def test_a_proof_in_another_context_is_refused(group, draw, context_change):
    key = new_key(group, draw)
    proof = prove_key(group, key.secret, context_of(group), draw)
    refused(Check.KEY_EQUATION, group, key.public, proof, context_of(group, **context_change))


def test_a_proof_for_another_key_is_refused(group, draw):
    key, other = new_key(group, draw), new_key(group, draw)
    proof = prove_key(group, key.secret, context_of(group), draw)
    refused(Check.KEY_EQUATION, group, other.public, proof, context_of(group))


def test_every_component_altered_is_refused_by_name(group, draw):
    key, context = new_key(group, draw), context_of(group)
    proof = prove_key(group, key.secret, context, draw)
    size, scalar = group.element_size, group.scalar_size
    r, s = proof[:size], proof[size:]
    value = int.from_bytes(s, "little")
    no_element = b"\xff" * size

    refused(Check.KEY_ELEMENT, group, key.public, group.identity.encode() + s, context, "R")
    refused(Check.KEY_ELEMENT, group, key.public, no_element + s, context, "R")
    refused(Check.KEY_EQUATION, group, key.public, group.generator.encode() + s, context)
    refused(Check.KEY_EQUATION, group, key.public, r + bytes(scalar), context)
    refused(Check.KEY_SCALAR, group, key.public, r + b"\xff" * scalar, context, "s")
    refused(Check.KEY_SCALAR, group, key.public, r + group.order.to_bytes(scalar, "little"), context, "s")
    refused(
        Check.KEY_SCALAR,
        group,
        key.public,
        r + (group.order + value).to_bytes(scalar, "little"),
        context,
        "s",
    )
    other = group.encode_scalar(group.scalar(value + 1))
    refused(Check.KEY_EQUATION, group, key.public, r + other, context)
    with pytest.raises(InvalidProof):
        verify_key(group, key.public, s + r, context)
    for wrong in (b"", proof[:-1], proof + b"\0", proof[1:], proof + proof):
        refused(Check.KEY_LENGTH, group, key.public, wrong, context)


def test_every_flipped_byte_of_a_proof_is_refused(group, draw):
    key, context = new_key(group, draw), context_of(group)
    proof = prove_key(group, key.secret, context, draw)
    for at in range(len(proof)):
        flipped = proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :]
        with pytest.raises(InvalidProof):
            verify_key(group, key.public, flipped, context)


def test_the_identity_is_no_key(group, draw):
    proof = prove_key(group, Scalar(0), context_of(group), draw)
    refused(Check.KEY_IDENTITY, group, group.identity, proof, context_of(group))


def test_the_last_seat_cannot_cancel_the_others_keys(group, draw):
    others = [new_key(group, draw) for _ in range(2)]
    contexts = [context_of(group, seat=seat) for seat in range(3)]
    proofs = [
        prove_key(group, key.secret, context, draw) for key, context in zip(others, contexts, strict=False)
    ]
    mine = new_key(group, draw)
    rogue = mine.public - others[0].public - others[1].public
    # This key would make the joint key the cheat's own.
    assert joint_key([others[0].public, others[1].public, rogue]) == mine.public
    # The logarithm of the rogue key is unknown, so the cheat can copy a proof, or prove what it does know.
    for forged in (*proofs, prove_key(group, mine.secret, contexts[2], draw)):
        refused(Check.KEY_EQUATION, group, rogue, forged, contexts[2])
    # Neither does the sum of all transcripts help: R and s combined as the keys were.
    size = group.element_size
    own = prove_key(group, mine.secret, contexts[2], draw)
    r = group.decode_element(own[:size])
    s = int.from_bytes(own[size:], "little")
    for proof in proofs:
        r = r - group.decode_element(proof[:size])
        s -= int.from_bytes(proof[size:], "little")
    forged = r.encode() + group.encode_scalar(group.scalar(s))
    refused(Check.KEY_EQUATION, group, rogue, forged, contexts[2])


def test_a_key_and_proof_copied_from_another_seat_are_refused(group, draw):
    key = new_key(group, draw)
    proof = prove_key(group, key.secret, context_of(group, seat=0), draw)
    refused(Check.KEY_EQUATION, group, key.public, proof, context_of(group, seat=1))


def test_a_source_that_repeats_itself_serves_no_nonce_twice(group):
    key = new_key(group, random.Random(1).randbytes)
    proofs = [
        prove_key(group, key.secret, context_of(group, step=step), random.Random(2).randbytes)
        for step in range(5)
    ]
    assert len({proof[: group.element_size] for proof in proofs}) == 5


def test_a_key_does_not_show_its_secret(group, draw):
    key = new_key(group, draw)
    assert str(key.secret) not in repr(key)
    assert replace(key) == key
