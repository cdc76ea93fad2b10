"""Messages over a byte stream: a u32 length (big-endian), then that many bytes."""

from typing import Final

from p2p.net.link_errors import MessageTooLarge

LENGTH_SIZE: Final = 4

FRAME_LIMIT: Final = 256 * 1024
"""The most bytes in one message. A shuffle of 104 cards with its proof takes about 25 KB; a batch of
entries that a peer missed is cut by its sender to fit.
"""


class FrameError(ValueError):
    """The peer announced an empty frame or one over the limit. The stream cannot be read further."""


def encode_frame(message: bytes) -> bytes:
    """Put the length before a message of 1 to FRAME_LIMIT bytes.

    Raises: MessageTooLarge.
    """
    if not 1 <= len(message) <= FRAME_LIMIT:
        raise MessageTooLarge(f"a message of {len(message)} bytes")
    return len(message).to_bytes(LENGTH_SIZE, "big") + message


class FrameReader:
    """Cuts a stream of bytes into messages. Holds at most one unfinished message and what arrived last."""

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self._buffer = bytearray()
        self.limit = limit
        """May be changed between two messages: during the hello it is small."""

    def feed(self, data: bytes) -> None:
        """Take what arrived."""
        self._buffer += data

    def next_message(self) -> bytes | None:
        """The next complete message, if there is one.

        Raises: FrameError, as soon as a bad length is seen; nothing of such a message is waited for.
        """
        if len(self._buffer) < LENGTH_SIZE:
            return None
        length = int.from_bytes(self._buffer[:LENGTH_SIZE], "big")
        if not 1 <= length <= self.limit:
            raise FrameError(f"a frame of {length} bytes")
        end = LENGTH_SIZE + length
        if len(self._buffer) < end:
            return None
        message = bytes(self._buffer[LENGTH_SIZE:end])
        del self._buffer[:end]
        return message
