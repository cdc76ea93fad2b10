"""Every message has one spelling, within its bounds, and nothing else is read."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from message_samples import ENTRY, HASH, KEY, NONCE, OFFER, OPTIONS, SIGNATURE, TABLE_RULES, samples

from p2p.protocol.entry import MAX_ENTRY_BYTES, MAX_SEATS, SignedEntry
from p2p.protocol.messages import (
    FRAME_BYTES,
    Draft,
    Entries,
    Fetch,
    Join,
    JunkError,
    JunkReason,
    Message,
    Presence,
    RefuseReason,
    Roster,
    RosterSeat,
    Sign,
    Status,
    decode,
    encode,
)
from p2p.protocol.peer_events import RefusedJoin

MESSAGES = samples()


def junk_of(data: bytes) -> JunkReason:
    """Why these bytes are no message."""
    with pytest.raises(JunkError) as junk:
        decode(data)
    return junk.value.reason


def array_of(message: Message) -> list[object]:
    """A message as the plain array that it is on the wire."""
    decoded = msgspec.msgpack.decode(encode(message))
    assert isinstance(decoded, list)
    return decoded


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    assert decode(encode(message)) == message


def test_of_the_reasons_to_refuse_a_seat_only_those_that_an_opener_may_say_are_read() -> None:
    said = {"full", "closed", "playing", "busy", "code", "guesses", "no_code", "not_watched", "many_watchers"}
    assert {reason.value for reason in RefuseReason} == said
    for reason in RefusedJoin:
        data = msgspec.msgpack.encode([3, OFFER, reason.value, 1])
        if reason.value in said:
            assert encode(decode(data)) == data
        else:
            assert junk_of(data) is JunkReason.MALFORMED


def test_every_kind_of_message_is_tried_here() -> None:
    assert {type(message) for message in MESSAGES} == set(Message.__args__)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_field_more_or_less_or_bytes_behind_are_refused(message: Message) -> None:
    array = array_of(message)
    assert junk_of(msgspec.msgpack.encode([*array, 0])) is JunkReason.MALFORMED
    assert junk_of(msgspec.msgpack.encode(array[:-1])) is JunkReason.MALFORMED
    assert junk_of(encode(message) + b"\x00") is JunkReason.MALFORMED
    assert junk_of(encode(message)[:-1]) is JunkReason.MALFORMED


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_no_field_takes_a_value_of_another_type(message: Message) -> None:
    array = array_of(message)
    for place in range(len(array)):
        for wrong in (2.5, {"a": 1}, -1, 2**40):
            changed = [*array[:place], wrong, *array[place + 1 :]]
            assert junk_of(msgspec.msgpack.encode(changed)) is JunkReason.MALFORMED


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_flipping_any_byte_never_raises_anything_but_junk(message: Message) -> None:
    data = encode(message)
    for place in range(len(data)):
        for value in (0x00, 0xC0, 0xC1, 0xFF, data[place] ^ 1):
            changed = data[:place] + bytes([value]) + data[place + 1 :]
            try:
                again = decode(changed)
            except JunkError:
                continue
            assert encode(again) == changed


def test_true_is_not_one_and_one_is_not_true() -> None:
    assert junk_of(msgspec.msgpack.encode([13, HASH, True, 27, 0])) is JunkReason.MALFORMED
    assert junk_of(msgspec.msgpack.encode([6, OFFER, 1, NONCE])) is JunkReason.MALFORMED


def test_a_longer_spelling_of_a_number_is_refused() -> None:
    plain = encode(Fetch(HASH, 1, 27, 0))
    assert plain.count(b"\x1b") == 1
    assert junk_of(plain.replace(b"\x1b", b"\xcc\x1b")) is JunkReason.RESPELLED
    assert junk_of(plain.replace(b"\x1b", b"\xd3" + (27).to_bytes(8, "big"))) is JunkReason.RESPELLED


def test_a_map_in_place_of_an_array_is_refused() -> None:
    assert junk_of(msgspec.msgpack.encode({"type": 15, "table_id": HASH})) is JunkReason.MALFORMED


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00", b"{}", b"GET / HTTP/1.1\r\n", b"\xc1" * 9000, b"\x91" * 5000, b"\xdd\xff\xff\xff\xff"],
)
def test_what_is_no_message_is_junk(data: bytes) -> None:
    assert junk_of(data) is JunkReason.MALFORMED


def test_nothing_longer_than_a_frame_is_looked_at() -> None:
    assert junk_of(b"\x00" * (FRAME_BYTES + 1)) is JunkReason.OVERSIZED


@pytest.mark.parametrize(
    "message",
    [
        Presence(1, "x" * 513, None, None),
        Join(OFFER[:-1], "Vera", NONCE),
        Join(OFFER, "Vera", NONCE + b"n"),
        Roster(OFFER, "Kitchen", OPTIONS, TABLE_RULES, MAX_SEATS + 1, (RosterSeat(KEY, "Vera", True),), None),
        Roster(OFFER, "Kitchen", OPTIONS, TABLE_RULES, 4, (), None),
        Roster(OFFER, "Kitchen", (("", 1),), TABLE_RULES, 4, (RosterSeat(KEY, "Vera", True),), None),
        Roster(OFFER, "Kitchen", OPTIONS * 40, TABLE_RULES, 4, (RosterSeat(KEY, "Vera", True),), None),
        Roster(
            OFFER,
            "Kitchen",
            OPTIONS,
            TABLE_RULES,
            4,
            (RosterSeat(KEY, "Vera", True),) * (MAX_SEATS + 1),
            None,
        ),
        Draft(OFFER, b""),
        Draft(OFFER, b"p" * (16 * 1024 + 1)),
        Sign(OFFER, HASH, SIGNATURE[:-1]),
        Entries(HASH, 1, ()),
        Entries(HASH, 1, (ENTRY,) * 257),
        Entries(HASH, 1, (SignedEntry(b"e" * (MAX_ENTRY_BYTES + 1), SIGNATURE),)),
        Status(HASH, 2**31, 0, HASH, (HASH,), 0, None, 0),
        Status(HASH, 1, 0, HASH, (HASH,), 1 << MAX_SEATS, None, 0),
        Status(HASH, 1, 0, HASH[:-1], (HASH,), 0, None, 0),
    ],
)
def test_each_bound_holds(message: Message) -> None:
    assert junk_of(encode(message)) is JunkReason.MALFORMED


@given(st.binary(max_size=400))
def test_any_bytes_are_a_message_or_junk(data: bytes) -> None:
    try:
        message = decode(data)
    except JunkError:
        return
    assert encode(message) == data
