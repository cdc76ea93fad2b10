import hashlib

import pytest
from crypto_scene import context_of

from crypto import Check, InvalidProof, check_commitment, commit, frame

VALUE, BLINDING = b"a coin", b"\x33" * 32


def test_a_commitment_opens_to_its_value(group):
    commitment = commit(b"coin", context_of(group), VALUE, BLINDING)
    check_commitment(commitment, b"coin", context_of(group), VALUE, BLINDING)


def test_a_commitment_is_the_documented_hash(group):
    context = context_of(group)
    parts = [b"verish/1/commitment", b"coin", context.digest(), BLINDING, VALUE]
    expected = hashlib.sha256(b"".join(frame(part) for part in parts)).digest()
    assert commit(b"coin", context, VALUE, BLINDING) == expected


def test_a_commitment_opens_in_no_other_context(group, context_change):
    commitment = commit(b"coin", context_of(group), VALUE, BLINDING)
    with pytest.raises(InvalidProof) as caught:
        check_commitment(commitment, b"coin", context_of(group, **context_change), VALUE, BLINDING)
    assert caught.value.check is Check.COMMITMENT


@pytest.mark.parametrize(
    ("label", "value", "blinding"),
    [
        (b"key", VALUE, BLINDING),
        (b"coin", b"a coim", BLINDING),
        (b"coin", VALUE + b"\0", BLINDING),
        (b"coin", b"", BLINDING),
        (b"coin", VALUE, b"\x33" * 31 + b"\x32"),
        (b"coin", VALUE, b"\x33" * 31),
        (b"coin", b"\x33" + VALUE, b"\x33" * 31),
    ],
)
def test_a_commitment_opens_to_nothing_else(group, label, value, blinding):
    commitment = commit(b"coin", context_of(group), VALUE, BLINDING)
    with pytest.raises(InvalidProof, match="commitment"):
        check_commitment(commitment, label, context_of(group), value, blinding)


def test_every_flipped_or_missing_byte_of_a_commitment_is_refused(group):
    commitment = commit(b"coin", context_of(group), VALUE, BLINDING)
    wrong = [commitment[:at] + bytes([commitment[at] ^ 1]) + commitment[at + 1 :] for at in range(32)]
    for altered in (*wrong, b"", commitment[:-1], commitment + b"\0"):
        with pytest.raises(InvalidProof, match="commitment"):
            check_commitment(altered, b"coin", context_of(group), VALUE, BLINDING)


def test_a_short_blinding_is_refused(group):
    with pytest.raises(ValueError):
        commit(b"coin", context_of(group), VALUE, b"\x33" * 31)
