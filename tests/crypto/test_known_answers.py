"""The bytes of protocol version 1, kept as data: a change of any of them is another version.

The same file serves whoever writes a second implementation. Prover's randomness is Stream(b"known
answers", name), so the proofs come out the same each time.
"""

import json
from pathlib import Path

import pytest

from crypto import (
    Ciphertext,
    Context,
    Identity,
    KeyPair,
    Ristretto255,
    Stream,
    card_element,
    check_commitment,
    decode_deck,
    encode_deck,
    fingerprint,
    first_deck,
    index_from,
    joint_draw,
    joint_key,
    new_key,
    permutation_from,
    prove_key,
    prove_shares,
    shuffle,
    verify_key,
    verify_shares,
    verify_shuffle,
    verify_signature,
)
from crypto.shares import context_string
from crypto.shuffle_proof import ShuffleProof, ShuffleTranscript

KNOWN = json.loads((Path(__file__).parent.parent / "vectors" / "verish_v1.json").read_text())
GROUP = Ristretto255()


def known(*path):
    value = KNOWN
    for step in path:
        value = value[step]
    return bytes.fromhex(value)


def element(*path):
    return GROUP.decode_element(known(*path))


def drawn(name):
    return Stream(b"known answers", name)


@pytest.fixture
def context():
    given = KNOWN["context"]
    numbers = {name: given[name] for name in ("deal", "step", "seat", "version")}
    return Context(
        given["group"], known("context", "table"), previous=known("context", "previous"), **numbers
    )


@pytest.fixture
def keys():
    return [
        KeyPair(GROUP.decode_scalar(known("keys", seat, "secret")), element("keys", seat, "public"))
        for seat in range(2)
    ]


def deck_of(*path):
    return decode_deck(GROUP, known(*path), 3)


def test_the_context(context):
    assert context.digest() == known("context", "digest")


def test_the_commitment(context):
    label, value, blinding = (known("commitment", name) for name in ("label", "value", "blinding"))
    check_commitment(known("commitment", "commitment"), label, context, value, blinding)


def test_the_joint_draw():
    draw = joint_draw([bytes.fromhex(coin) for coin in KNOWN["joint_draw"]["coins"]])
    assert draw == known("joint_draw", "draw")
    assert list(permutation_from(draw, 6)) == KNOWN["joint_draw"]["permutation_of_6"]
    assert index_from(draw, 6) == KNOWN["joint_draw"]["index_below_6"]


def test_the_identity():
    given = KNOWN["identity"]
    identity = Identity(known("identity", "seed"))
    assert identity.public == known("identity", "public")
    assert fingerprint(identity.public) == given["fingerprint"]
    label, message = known("identity", "label"), known("identity", "message")
    assert identity.sign(label, message) == known("identity", "signature")
    verify_signature(identity.public, label, message, known("identity", "signature"))


def test_the_cards_and_keys(keys):
    for value, encoding in KNOWN["cards"].items():
        assert card_element(GROUP, value.encode()).encode().hex() == encoding
    assert [new_key(GROUP, drawn(b"key %d" % seat)) for seat in range(2)] == keys
    assert joint_key([key.public for key in keys]) == element("joint_key")


def test_the_key_proof(keys, context):
    assert prove_key(GROUP, keys[0].secret, context, drawn(b"key proof")) == known("key_proof")
    verify_key(GROUP, keys[0].public, known("key_proof"), context)


def test_the_shuffles(context):
    key = element("joint_key")
    deck = first_deck(GROUP, [value.encode() for value in KNOWN["cards"]])
    for number in range(2):
        assert encode_deck(deck) == known("shuffles", number, "deck")
        new_deck, proof, _ = shuffle(GROUP, key, deck, context, drawn(b"shuffle %d" % (number + 1)))
        assert proof == known("shuffles", number, "proof")
        assert new_deck == deck_of("shuffles", number, "new_deck")
        weights = drawn(b"weights")(64)
        verify_shuffle(GROUP, key, deck, new_deck, proof, context, weights, first_deck=number == 0)
        deck = new_deck


def test_the_challenges_of_a_shuffle(context):
    deck, new_deck = deck_of("shuffles", 1, "deck"), deck_of("shuffles", 1, "new_deck")
    proof = ShuffleProof.decode(GROUP, known("shuffles", 1, "proof"), 3)
    transcript = ShuffleTranscript(GROUP, element("joint_key"), deck, new_deck, context)
    e_d = Ciphertext(proof.e_d_first, proof.e_d_second)
    t = transcript.permutation_challenges(proof.c, proof.c_d, e_d)
    lambda_, x = transcript.content_challenges(proof.f, proof.Z)
    w = transcript.final_challenge(proof.c_1, proof.c_2, proof.c_3)
    encoded = {
        "t": [GROUP.encode_scalar(value).hex() for value in t],
        "lambda": GROUP.encode_scalar(lambda_).hex(),
        "x": GROUP.encode_scalar(x).hex(),
        "w": GROUP.encode_scalar(w).hex(),
    }
    assert encoded == KNOWN["shuffles"][1]["challenges"]


def test_the_shares(keys, context):
    key, cards = keys[0], deck_of("shares", "cards")
    shares, proof = prove_shares(GROUP, key.secret, key.public, cards, context, drawn(b"shares"))
    assert [part.encode().hex() for part in shares] == KNOWN["shares"]["shares"]
    assert proof == known("shares", "proof")
    bound = context_string(context, key.public, [card.first for card in cards], shares)
    assert bound == known("shares", "context_string")
    verify_shares(GROUP, key.public, cards, shares, proof, context)
