"""Entries have one encoding, strict types and bounds, and signatures over exact bytes."""

import msgspec
import pytest
from deal_players import identity_of, signed_proposal
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import Ruleset
from p2p.protocol import proposal as proposals
from p2p.protocol.entry import (
    MAX_CARDS,
    MAX_DECK_BYTES,
    MAX_ENTRY_BYTES,
    MAX_PROOF_BYTES,
    AnswerBody,
    AnswerCommitBody,
    CallBody,
    CoinBody,
    CoinCommitBody,
    CommitBody,
    DrawBody,
    Entry,
    LayBody,
    OutBody,
    SealBody,
    SharesBody,
    ShuffleBody,
    check_signature,
    decode_entry,
    sign_entry,
)
from p2p.protocol.errors import MalformedMessage, ProposalProblem, ProposalRefused
from p2p.protocol.hashing import hash_parts, next_head
from p2p.protocol.proposal import Member, Proposal, SignedProposal, decode_proposal

TABLE, HEAD = bytes(range(32)), bytes(range(32, 64))


def entry_with(body: object, **fields: object) -> Entry:
    values = {"table": TABLE, "deal": 1, "step": 7, "seat": 2, "previous": HEAD, "body": body, **fields}
    return Entry(**values)


BODIES = [
    SealBody(),
    CommitBody(bytes(32)),
    CallBody(False),
    CallBody(True, 103),
    LayBody((1, 2, 3), 12, 3),
    LayBody((1, 2, 3), 12, 3, True),
    DrawBody(b"d" * 64, b"p" * 64),
    OutBody(),
    CoinCommitBody(bytes(32)),
    CoinBody(bytes(32), b"b" * 32),
    AnswerCommitBody(bytes(32)),
    AnswerBody(None, None, bytes(32)),
    AnswerBody(True, 3, bytes(32)),
    LayBody((1,), 12, None),
    SharesBody((4, 9), b"x" * 64, b"y" * 64),
    ShuffleBody(b"d" * MAX_DECK_BYTES, b"p" * MAX_PROOF_BYTES),
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_an_entry_decodes_to_itself_and_the_longest_fits_its_bound(body: object) -> None:
    entry = entry_with(body)
    assert decode_entry(entry.encode()) == entry
    assert len(entry.encode()) <= MAX_ENTRY_BYTES


def test_the_encoding_of_an_entry_is_known() -> None:
    """A known answer, so that no change of library or struct changes the wire unseen."""
    expected = (
        "96"
        + "c420"
        + TABLE.hex()
        + "01"
        + "07"
        + "02"
        + "c420"
        + HEAD.hex()
        + "95"
        + "a36c6179"
        + "93010203"
        + "0c"
        + "03"
        + "c2"
    )
    assert entry_with(LayBody((1, 2, 3), 12, 3)).encode().hex() == expected
    assert entry_with(SealBody()).encode().hex().endswith("91" + "a47365616c")


@pytest.mark.parametrize(
    "fields",
    [
        {"deal": True},
        {"deal": 0},
        {"deal": 1.0},
        {"step": -1},
        {"step": 65_536},
        {"seat": 12},
        {"seat": "2"},
        {"table": bytes(31)},
        {"previous": bytes(33)},
        {"previous": "x" * 32},
        {"body": LayBody((1, 2), True, 1)},
        {"body": LayBody((1, 2), 12, True)},
        {"body": LayBody((1, 2), 1, 1)},
        {"body": LayBody((1, 2), 15, 1)},
        {"body": LayBody((True,), 12, 1)},
        {"body": LayBody((-1,), 12, 1)},
        {"body": LayBody(tuple(range(MAX_CARDS + 1)), 12, 1)},
        {"body": CallBody(1)},
        {"body": CallBody(None)},
        {"body": CallBody(True, MAX_CARDS)},
        {"body": CallBody(True, False)},
        {"body": LayBody((1,), 12, 1, 1)},
        {"body": CoinBody(bytes(31), bytes(32))},
        {"body": CoinCommitBody(bytes(33))},
        {"body": AnswerCommitBody(bytes(33))},
        {"body": AnswerBody(1, None, bytes(32))},
        {"body": AnswerBody(True, -1, bytes(32))},
        {"body": AnswerBody(None, None, bytes(31))},
        {"body": CommitBody(bytes(31))},
        {"body": SharesBody((1,), "text", b"")},
        {"body": ShuffleBody(bytes(MAX_DECK_BYTES + 1), b"")},
        {"body": ShuffleBody(b"", bytes(MAX_PROOF_BYTES + 1))},
        {"body": None},
        {"body": 5},
    ],
    ids=str,
)
def test_wrong_types_and_values_out_of_bounds_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(MalformedMessage):
        decode_entry(entry_with(fields.pop("body", SealBody()), **fields).encode())


def test_other_encodings_of_the_same_entry_are_refused() -> None:
    data = entry_with(LayBody((1, 2, 3), 12, 3)).encode()
    array = msgspec.msgpack.decode(data)
    assert msgspec.msgpack.encode(array) == data
    others = [
        data + b"\xc0",
        data + data,
        data[:-1],
        b"",
        b"\xdc\x00\x06" + data[1:],
        data.replace(b"\x01\x07\x02\xc4", b"\xcc\x01\x07\x02\xc4"),
        data.replace(b"\x01\x07\x02\xc4", b"\x01\xcd\x00\x07\x02\xc4"),
        data[:-1] + b"\xd0\x03",
        data[:-1] + b"\xcb\x40\x08\x00\x00\x00\x00\x00\x00",
        data.replace(b"\xc4\x20", b"\xc5\x00\x20", 1),
        data.replace(b"\xa3lay", b"\xd9\x03lay"),
        msgspec.msgpack.encode([*array, 0]),
        msgspec.msgpack.encode([*array[:-1], [*array[-1], 0]]),
        msgspec.msgpack.encode(array[:-1]),
        msgspec.msgpack.encode([*array[:-1], ["steal"]]),
        msgspec.msgpack.encode({"table": TABLE}),
        bytes(MAX_ENTRY_BYTES + 1),
        b"\x91" * 5000,
    ]
    for other in others:
        assert other != data
        with pytest.raises(MalformedMessage):
            decode_entry(other)


@given(st.binary(max_size=300))
def test_random_bytes_are_refused_without_another_error(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode_entry(data)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_breaks_encoding_or_signature(at: int, change: int) -> None:
    signed = sign_entry(identity_of(2), entry_with(LayBody((1, 2, 3), 12, 3)))
    data = bytearray(signed.entry + signed.signature)
    data[at % len(data)] ^= change
    size = len(signed.entry)
    changed = type(signed)(bytes(data[:size]), bytes(data[size:]))
    with pytest.raises(MalformedMessage):
        check_signature(identity_of(changed.open().seat).public, changed)


def test_signatures_bind_key_and_label() -> None:
    identity, other = identity_of(0), identity_of(1)
    signed = sign_entry(identity, entry_with(SealBody()))
    check_signature(identity.public, signed)
    with pytest.raises(MalformedMessage):
        check_signature(other.public, signed)
    foreign = type(signed)(signed.entry, identity.sign(b"proposal", signed.entry))
    with pytest.raises(MalformedMessage):
        check_signature(identity.public, foreign)


def test_hashes_frame_their_parts_and_labels() -> None:
    assert hash_parts("a", b"bc", b"") != hash_parts("a", b"b", b"c")
    assert hash_parts("a", b"b") != hash_parts("ab", b"")
    assert next_head(HEAD, [b"x", b"y"]) != next_head(HEAD, [b"y", b"x"])
    assert next_head(HEAD, [b"xy"]) != next_head(HEAD, [b"x", b"y"])
    assert next_head(HEAD, [b"x"]) == hash_parts("head", HEAD, b"x")
    # A known answer.
    assert hash_parts("head", bytes(32), b"entry").hex() == (
        "e84c200624e9ed3b6aeb36ccf201aefc1906912043432eb74ac81e39edf10592"
    )


def members_of(players: int) -> tuple[Member, ...]:
    return signed_proposal(players).open().members


def test_a_signed_proposal_verifies_and_its_hash_is_the_tables_id() -> None:
    signed = signed_proposal(4)
    proposal = signed.verify()
    assert proposal.table_id == proposals.table_id(signed.proposal) == hash_parts("table", signed.proposal)
    assert proposal.ruleset == Ruleset.preset("pagat").resolve(4)
    assert proposal.seat_of(proposal.members[3].key) == 3
    assert proposal.seat_of(bytes(32)) is None
    assert decode_proposal(signed.proposal) == proposal


def test_a_proposal_without_every_members_signature_is_refused() -> None:
    signed = signed_proposal(3)
    swapped = (signed.signatures[1], signed.signatures[0], signed.signatures[2])
    for signatures in (signed.signatures[:2], swapped, (*signed.signatures, bytes(64)), (bytes(64),) * 3):
        with pytest.raises(ProposalRefused) as refused:
            SignedProposal(signed.proposal, signatures).verify()
        assert refused.value.problem is ProposalProblem.SIGNATURES


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda m: (m[0], Member(m[0].key, m[1].nonce, "twin")), ProposalProblem.SAME_KEY),
        (lambda m: (m[0], Member(m[1].key, m[0].nonce, "twin")), ProposalProblem.SAME_NONCE),
    ],
)
def test_a_key_or_nonce_that_stands_twice_is_refused(change: object, problem: ProposalProblem) -> None:
    made = Proposal.make(bytes(16), "t", Ruleset.preset("pagat"), change(members_of(2)))
    with pytest.raises(ProposalRefused) as refused:
        made.check()
    assert refused.value.problem is problem


def test_unknown_doubled_unsorted_or_unfitting_rules_are_refused() -> None:
    good = Proposal.make(bytes(16), "t", Ruleset.preset("pagat"), members_of(2))
    good.check()
    options = good.options
    for other in (
        options[1:],
        (*options, ("zeal", 1)),
        tuple(reversed(options)),
        (*options, options[-1]),
        tuple((name, True if name == "burn" else value) for name, value in options),
    ):
        changed = replace(good, options=other)
        with pytest.raises((ProposalRefused, MalformedMessage)):
            decode_proposal(changed.encode()).check()
    many = Proposal.make(bytes(16), "t", Ruleset.preset("pagat"), members_of(7))
    with pytest.raises(ProposalRefused):
        many.check()


def test_a_proposal_of_another_version_or_label_is_refused() -> None:
    good = Proposal.make(bytes(16), "t", Ruleset.preset("pagat"), members_of(2))
    other = replace(good, version=2)
    with pytest.raises(ProposalRefused):
        other.check()
    foreign = replace(good, label="verish fable")
    with pytest.raises(MalformedMessage):
        decode_proposal(foreign.encode())
