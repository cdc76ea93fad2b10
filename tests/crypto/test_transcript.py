import hashlib

import pytest
from crypto_scene import context_of

from crypto import Context, Ristretto255, frame
from crypto.transcript import Transcript


def test_a_challenge_is_the_documented_hash():
    group = Ristretto255()
    context = context_of(group)
    transcript = Transcript(b"kind", group, context)
    transcript.append(b"label", b"message")
    transcript.append_number(b"n", 52)
    first, second = transcript.challenge(b"c"), transcript.challenge(b"c", 7)

    absorbed = frame(b"verish/1/kind")
    for label, message in (
        (b"context", context.digest()),
        (b"group", b"ristretto255"),
        (b"generator", group.generator.encode()),
        (b"label", b"message"),
        (b"n", b"\0\0\0\x34"),
    ):
        absorbed += b"\x01" + frame(label) + frame(message)
    absorbed += b"\x02" + frame(b"c") + b"\0\0\0\0"
    digest = hashlib.sha512(absorbed).digest()
    assert first == int.from_bytes(digest, "little") % group.order
    absorbed += digest + b"\x02" + frame(b"c") + b"\0\0\0\x07"
    assert second == int.from_bytes(hashlib.sha512(absorbed).digest(), "little") % group.order


def test_two_challenges_with_nothing_between_them_differ(group):
    transcript = Transcript(b"kind", group, context_of(group))
    challenges = {transcript.challenge(b"c") for _ in range(10)}
    assert len(challenges) == 10


def test_moving_a_byte_from_label_to_message_changes_the_challenge(group):
    def challenge(*messages):
        transcript = Transcript(b"kind", group, context_of(group))
        for label, message in messages:
            transcript.append(label, message)
        return transcript.challenge(b"c")

    heard = [
        challenge((b"ab", b"c")),
        challenge((b"a", b"bc")),
        challenge((b"ab", b""), (b"", b"c")),
        challenge((b"", b"c"), (b"ab", b"")),
        challenge(),
    ]
    assert len(set(heard)) == len(heard)


def test_the_kind_of_proof_and_the_label_change_the_challenge(group):
    context = context_of(group)
    heard = {
        Transcript(b"one", group, context).challenge(b"c"),
        Transcript(b"two", group, context).challenge(b"c"),
        Transcript(b"one", group, context).challenge(b"d"),
        Transcript(b"one", group, context).challenge(b"c", 1),
    }
    assert len(heard) == 4


def test_every_field_of_the_context_changes_its_digest(group, context_change):
    assert context_of(group).digest() != context_of(group, **context_change).digest()


def test_fields_of_the_context_cannot_stand_in_for_each_other(group):
    swapped = context_of(group, deal=3, step=2)
    assert context_of(group, deal=2, step=3).digest() != swapped.digest()
    first, second = b"\x11" * 32, b"\x22" * 32
    assert context_of(group).digest() != context_of(group, table=second, previous=first).digest()


def test_the_digest_of_a_context_is_the_documented_hash():
    context = Context("ristretto255", b"\x11" * 32, 2, 3, 1, b"\x22" * 32)
    parts = [
        b"verish/1/context",
        b"\0\0\0\x01",
        b"ristretto255",
        b"\x11" * 32,
        b"\0\0\0\x02",
        b"\0\0\0\x03",
        b"\0\0\0\x01",
        b"\x22" * 32,
    ]
    assert context.digest() == hashlib.sha256(b"".join(frame(part) for part in parts)).digest()


@pytest.mark.parametrize(
    "change",
    [
        {"table": b"short"},
        {"previous": bytes(33)},
        {"deal": -1},
        {"step": 2**32},
        {"seat": -1},
        {"version": 2**32},
    ],
)
def test_a_context_with_a_field_out_of_range_is_refused(group, change):
    with pytest.raises(ValueError):
        context_of(group, **change)
