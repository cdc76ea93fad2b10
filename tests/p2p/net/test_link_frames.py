import pytest

from p2p.net.link_errors import MessageTooLarge
from p2p.net.link_frames import FRAME_LIMIT, FrameError, FrameReader, encode_frame


def read(reader: FrameReader, data: bytes) -> list[bytes]:
    reader.feed(data)
    messages = []
    while (message := reader.next_message()) is not None:
        messages.append(message)
    return messages


def test_a_frame_is_the_length_in_four_bytes_and_the_message() -> None:
    assert encode_frame(b"abc") == b"\x00\x00\x00\x03abc"


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 7, 1000])
def test_messages_come_out_whole_however_the_stream_is_cut(piece: int) -> None:
    messages = [b"a", b"bc" * 50, b"d" * 300]
    stream = b"".join(encode_frame(message) for message in messages)
    reader = FrameReader()
    found = []
    for at in range(0, len(stream), piece):
        found += read(reader, stream[at : at + piece])
    assert found == messages


def test_the_largest_message_passes() -> None:
    message = bytes(FRAME_LIMIT)
    assert read(FrameReader(), encode_frame(message)) == [message]


@pytest.mark.parametrize("size", [0, FRAME_LIMIT + 1])
def test_a_message_of_our_own_that_is_empty_or_too_large_is_refused(size: int) -> None:
    with pytest.raises(MessageTooLarge):
        encode_frame(bytes(size))


@pytest.mark.parametrize("length", [0, FRAME_LIMIT + 1, 0xFFFFFFFF])
def test_a_bad_length_is_refused_as_soon_as_it_is_read(length: int) -> None:
    with pytest.raises(FrameError):
        read(FrameReader(), length.to_bytes(4, "big"))


def test_the_limit_may_grow_between_two_messages_of_one_piece() -> None:
    reader = FrameReader(limit=4)
    reader.feed(encode_frame(b"ok") + encode_frame(bytes(100)))
    assert reader.next_message() == b"ok"
    reader.limit = 1000
    assert reader.next_message() == bytes(100)
