"""The errors of `p2p`: one root, then whose trouble it is: this machine's, the network's, or another seat's.

Each carries a reason (an enum) and plain data. Sentences for people are made in `ui.words`; the text of the
exception is for logs and holds no secret.
"""

from enum import StrEnum


class P2PError(Exception):
    """The root of all errors of this package."""


class LocalReason(StrEnum):
    """What is wrong on this machine."""

    PROFILE_TAKEN = "profile-taken"
    """The profile asked for is in use by another process."""
    PROFILE_NAME = "profile-name"
    """The profile's name cannot be used as a file name."""
    NO_FREE_PROFILE = "no-free-profile"
    """Every profile that may be taken by itself is in use."""
    DISK_FULL = "disk-full"
    UNREADABLE = "unreadable"
    """A file or folder cannot be read or written: permissions, a file where a folder should be, a failing
    disk.
    """
    NEWER_VERSION = "newer-version"
    """The store was written by a newer version of the program; it was left untouched."""
    STORE_DAMAGED = "store-damaged"
    """The store turned out damaged while in use."""
    NO_CRYPTOGRAPHY = "no-cryptography"
    """A library that the cryptography rests on, `subject`, cannot be loaded, or is not one we know."""
    JOBS_STOPPED = "jobs-stopped"
    """The worker that makes and checks proofs died or was closed."""


class LocalError(P2PError):
    """Something on this machine stops us.

    reason: what it is. subject: the path or name it is about. detail: the system's own words, for the log.
    """

    def __init__(self, reason: LocalReason, subject: str = "", detail: str = "") -> None:
        super().__init__(": ".join(part for part in (reason.value, subject, detail) if part))
        self.reason = reason
        self.subject = subject
        self.detail = detail


class NetworkReason(StrEnum):
    """What is wrong between us and the others."""

    PORT_TAKEN = "port-taken"
    NO_NETWORK = "no-network"
    BAD_ADDRESS = "bad-address"
    """An address typed by a person is not HOST:PORT, or the host has no address."""
    UNREACHABLE = "unreachable"
    """Nobody answered at any address of the peer."""
    WRONG_KEY = "wrong-key"
    """Somebody answered, but with another key than the one expected."""
    OTHER_VERSION = "other-version"
    """The peer speaks another version of the protocol."""
    LINK_DOWN = "link-down"
    """The link is closed, or its queue is full."""
    NOBODY_FOUND = "nobody-found"
    """The time to wait for others is over and not enough of them came."""


class NetworkError(P2PError):
    """The network, or a peer's absence, stops us.

    reason: what it is. subject: the address, port or table that it is about. detail: the system's own words,
    for the log.
    """

    def __init__(self, reason: NetworkReason, subject: str = "", detail: str = "") -> None:
        super().__init__(": ".join(part for part in (reason.value, subject, detail) if part))
        self.reason = reason
        self.subject = subject
        self.detail = detail


class RemoteError(P2PError):
    """Another seat broke the protocol, and what it signed shows it.

    seat: whose entry it is. check: the name of the broken check.
    """

    def __init__(self, seat: int, check: str) -> None:
        super().__init__(f"seat {seat}: {check}")
        self.seat = seat
        self.check = check
