"""What can go wrong with a link, as types: why one ended, and why one could not be made or used."""

# ruff: noqa: N818 - they name what is the case, as the events and enums beside them do

from enum import IntEnum, StrEnum

from p2p.errors import NetworkError, NetworkReason


class CloseCode(IntEnum):
    """The application error code that a QUIC close carries, so that the other side knows why."""

    GOODBYE = 0
    """The peer leaves in good order."""
    OTHER_VERSION = 1
    """The openings named different versions of the protocol."""
    OWN_KEY = 2
    """Both sides have the same identity key."""
    WRONG_KEY = 3
    """The client expected another key at this address."""
    BAD_HELLO = 4
    """A hello that does not decode, does not belong here, or whose signature does not hold."""
    DUPLICATE = 5
    """The same two keys have a link, or are just making one the other way round."""
    REPLACED = 6
    """A newer link between the same two keys took over."""
    BAD_FRAME = 7
    """A frame that is empty or over the limit, or data on a stream that we do not use."""
    FLOOD = 8
    """More messages or bytes a second than any honest peer sends."""
    BUSY = 9
    """The peer has as many links as it allows."""
    TIMEOUT = 10
    """Nothing was heard, or the hello took too long. Sent in case the other side still hears us."""


class DownReason(StrEnum):
    """Why a link that was up is down."""

    GOODBYE = "goodbye"
    """The peer closed it in good order."""
    CLOSED = "closed"
    """We closed it."""
    TIMEOUT = "timeout"
    """The peer fell silent: it died, sleeps, or the network is gone."""
    REPLACED = "replaced"
    """A newer link to the same key took over; `on_up` follows at once."""
    MISBEHAVED = "misbehaved"
    """The peer sent what breaks the framing or the limits, or the transport failed."""


class LinkDown(NetworkError):
    """There is no link to this key (any more)."""

    def __init__(self, subject: str = "") -> None:
        super().__init__(NetworkReason.LINK_DOWN, subject, "no link")


class QueueFull(NetworkError):
    """The peer takes messages more slowly than we send them: nothing of this message was queued."""

    def __init__(self, subject: str = "", queued: int = 0) -> None:
        super().__init__(NetworkReason.LINK_DOWN, subject, f"{queued} bytes wait to be acknowledged")
        self.queued = queued


class MessageTooLarge(ValueError):
    """A message of our own is empty or over the frame limit: our own bug, refused before it is sent."""


class RemoteVersion(NetworkError):
    """The peer speaks another version of the protocol. ours, theirs: the version numbers."""

    def __init__(self, subject: str, ours: int, theirs: int) -> None:
        super().__init__(NetworkReason.OTHER_VERSION, subject, f"ours is {ours}, theirs is {theirs}")
        self.ours = ours
        self.theirs = theirs


class WrongKey(NetworkError):
    """Somebody answered and proved another key than the one expected."""

    def __init__(self, subject: str) -> None:
        super().__init__(NetworkReason.WRONG_KEY, subject)


class OwnKey(NetworkError):
    """The address leads to ourselves, or to another process with our identity."""

    def __init__(self, subject: str) -> None:
        super().__init__(NetworkReason.BAD_ADDRESS, subject, "it has our own key")


class HelloRefused(NetworkError):
    """The peer's hello proves nothing: it does not decode, or its signature does not hold."""

    def __init__(self, subject: str, detail: str) -> None:
        super().__init__(NetworkReason.UNREACHABLE, subject, detail)


class Unreachable(NetworkError):
    """Nobody answered, or the peer would not take the link."""

    def __init__(self, subject: str, detail: str = "") -> None:
        super().__init__(NetworkReason.UNREACHABLE, subject, detail)


class PortTaken(NetworkError):
    """The UDP port asked for is in use. port: its number."""

    def __init__(self, port: int, detail: str = "") -> None:
        super().__init__(NetworkReason.PORT_TAKEN, str(port), detail)
        self.port = port


class BadAddress(NetworkError):
    """A text that is not HOST:PORT, or a host or interface that does not exist."""

    def __init__(self, subject: str, detail: str = "") -> None:
        super().__init__(NetworkReason.BAD_ADDRESS, subject, detail)
