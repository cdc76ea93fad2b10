import pickle
import re
from hashlib import sha256

import pytest

from crypto import (
    Identity,
    InvalidSignature,
    check_public_key,
    fingerprint,
    frame,
    short_fingerprint,
    verify_signature,
)
from crypto.ristretto import _sodium

FIELD = 2**255 - 19


@pytest.fixture
def identity():
    return Identity(bytes(range(32)))


def test_a_signature_holds(identity):
    verify_signature(identity.public, b"entry", b"text", identity.sign(b"entry", b"text"))


def test_the_signed_text_begins_with_project_version_and_label(identity):
    signature = identity.sign(b"entry", b"text")
    identity._key.public_key().verify(signature, b"verish/1/signed/entry\0text")


@pytest.mark.parametrize(
    ("label", "message"),
    [(b"hello", b"text"), (b"entry", b"texu"), (b"entry", b""), (b"entry", b"text\0"), (b"entryt", b"ext")],
)
def test_a_signature_holds_for_nothing_else(identity, label, message):
    signature = identity.sign(b"entry", b"text")
    with pytest.raises(InvalidSignature):
        verify_signature(identity.public, label, message, signature)


def test_every_flipped_byte_of_a_signature_is_refused(identity):
    signature = identity.sign(b"entry", b"text")
    for at in range(64):
        flipped = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
        with pytest.raises(InvalidSignature):
            verify_signature(identity.public, b"entry", b"text", flipped)


def test_a_second_spelling_of_a_signature_is_refused(identity):
    order = 2**252 + 27742317777372353535851937790883648493
    signature = identity.sign(b"entry", b"text")
    s = int.from_bytes(signature[32:], "little") + order
    with pytest.raises(InvalidSignature):
        verify_signature(identity.public, b"entry", b"text", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize("wrong", [b"", bytes(63), bytes(64), bytes(65)])
def test_a_malformed_signature_is_refused(identity, wrong):
    with pytest.raises(InvalidSignature):
        verify_signature(identity.public, b"entry", b"text", wrong)


def test_another_key_is_refused(identity):
    other = Identity(bytes(32))
    with pytest.raises(InvalidSignature):
        verify_signature(other.public, b"entry", b"text", identity.sign(b"entry", b"text"))


@pytest.mark.parametrize("wrong", [b"", bytes(31), bytes(33), b"\xff" * 32, FIELD.to_bytes(32, "little")])
def test_malformed_keys_are_refused(wrong):
    with pytest.raises(InvalidSignature):
        check_public_key(wrong)


def points_of_small_order():
    """The y coordinates of the eight points, found by halving (0, 1) on the curve, in every spelling."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    # On -x^2 + y^2 = 1 + d x^2 y^2, doubling a point of order 8 gives y = 0: then y^2 = -x^2, and so
    # d y^4 + 2 y^2 - 1 = 0.
    root = pow(1 + d, (FIELD + 3) // 8, FIELD)
    if root * root % FIELD != (1 + d) % FIELD:
        root = root * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    found = {0, 1, FIELD - 1}
    for sign in (1, -1):
        square = (-1 + sign * root) * pow(d, -1, FIELD) % FIELD
        y = pow(square, (FIELD + 3) // 8, FIELD)
        if y * y % FIELD != square:
            y = y * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
        if y * y % FIELD == square:
            found |= {y, FIELD - y}
    return sorted(found)


def test_keys_of_small_order_are_refused_in_every_spelling():
    values = points_of_small_order()
    assert len(values) == 5
    for y in [*values, FIELD, FIELD + 1]:
        for sign in (0, 2**255):
            with pytest.raises(InvalidSignature):
                check_public_key((y | sign).to_bytes(32, "little"))


def test_libsodium_refuses_the_same_points_and_accepts_an_honest_key(identity):
    check = _sodium().crypto_core_ed25519_is_valid_point
    for y in points_of_small_order():
        assert check(y.to_bytes(32, "little")) == 0
    assert check(identity.public) == 1
    check_public_key(identity.public)


def test_an_identity_shows_no_secret_and_survives_pickling(identity):
    assert identity.seed.hex() not in repr(identity)
    assert repr(identity.seed)[2:-1] not in repr(identity)
    copy = pickle.loads(pickle.dumps(identity))
    assert copy == identity
    assert copy.sign(b"entry", b"text") == identity.sign(b"entry", b"text")


def test_new_identities_differ(draw):
    assert len({Identity.generate(draw).public for _ in range(5)}) == 5


@pytest.mark.parametrize("label", [b"", b"a\0b"])
def test_a_label_that_could_be_misread_is_refused(identity, label):
    with pytest.raises(ValueError):
        identity.sign(label, b"text")


def test_a_fingerprint_is_four_groups_of_characters_that_cannot_be_misread(identity):
    text = fingerprint(identity.public)
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}", text)
    assert short_fingerprint(identity.public) == text[:4]
    assert fingerprint(Identity(bytes(32)).public) != text


def test_a_fingerprint_is_the_first_80_bits_of_the_documented_hash(identity):
    digest = sha256(frame(b"verish/1/fingerprint") + frame(identity.public)).digest()
    bits = f"{int.from_bytes(digest[:10], 'big'):080b}"
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    characters = "".join(alphabet[int(bits[at : at + 5], 2)] for at in range(0, 80, 5))
    assert fingerprint(identity.public).replace("-", "") == characters
