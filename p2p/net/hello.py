"""The hello: each side of a fresh QUIC link proves its identity key to the other, sans-IO.

QUIC encrypts the link but proves nothing about who is there: the certificate is self-signed and made anew
at each start. So both sides sign everything that makes this link this link: the exact bytes of both
openings (version, identity key, fresh nonce, instance of each), their role, and the fingerprint of the
*server's* certificate as they saw it. One who stands between and ends the encryption on both sides shows
the client a certificate that is not the server's, so neither signature holds for the other; one who passes
signatures on to a third peer fails because they name both keys.

    client                               server
      | -- Opening ------------------------> |   as soon as the TLS handshake is complete
      | <----------------- Opening, Proof -- |   the server proves its key first
      | -- Proof --------------------------> |
      | <------------------------ Welcome -- |   only now does either side count the link as up

The Opening begins with a label and the version, and that prefix never changes: versions that cannot talk to
each other can still say so, on both sides. The instance is random for each run of the program and tells a
peer that was started again (its old link is dead) from one that makes a second link (one of the two is
superfluous).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeVar

import msgspec

from crypto import Identity, InvalidSignature, verify_signature
from p2p.net.link_errors import CloseCode
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.hashing import VERSION, hash_parts
from p2p.protocol.wire import decode

_T = TypeVar("_T", bound=msgspec.Struct)

PROTOCOL_VERSION: Final = VERSION
HIGHEST_VERSION: Final = 0xFFFF
HELLO_LABEL: Final = "verish hello"
SIGNATURE_LABEL: Final = b"verish hello"
KEY_SIZE: Final = 32
NONCE_SIZE: Final = 32
INSTANCE_SIZE: Final = 16
SIGNATURE_SIZE: Final = 64
HELLO_LIMIT: Final = 1024
"""The most bytes in one hello message: an Opening takes about 105, and strangers get to store no more."""


class Role(Enum):
    """Which side of the QUIC connection one is."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> "Role":
        """The opposite role."""
        return Role.SERVER if self is Role.CLIENT else Role.CLIENT


class Opening(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """Who I say I am. label, version: never move. key: 32 bytes. nonce: 32 random bytes. instance: 16
    random bytes.
    """

    label: str
    version: int
    key: bytes
    nonce: bytes
    instance: bytes


class OpeningPrefix(msgspec.Struct, array_like=True, frozen=True):
    """The part of an Opening that every version understands."""

    label: str
    version: int


class Proof(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True, tag="proof"):
    """I hold the key. signature: 64 bytes over `signed_text`."""

    signature: bytes


class Welcome(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True, tag="welcome"):
    """The server takes the link."""


class HelloError(Exception):
    """The hello cannot go on: close the link with this code. theirs: the peer's version, if that is the
    trouble.
    """

    def __init__(self, code: CloseCode, detail: str, theirs: int | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.theirs = theirs


@dataclass(frozen=True, slots=True)
class RemotePeer:
    """Who is at the other end, once proven. key: 32 bytes. instance: 16 bytes, new at each start of that
    peer.
    """

    key: bytes
    instance: bytes


class Stage(Enum):
    """How far the hello has come."""

    EXPECT_OPENING = auto()
    EXPECT_PROOF = auto()
    PROVEN = auto()
    """The other side's key is proven. A client awaits the Welcome, a server owes its own (`welcome`)."""
    DONE = auto()


def signed_text(role: Role, client_opening: bytes, server_opening: bytes, certificate: bytes) -> bytes:
    """The bytes that the side `role` signs; certificate: SHA-256 of the server's certificate (DER), 32
    bytes.
    """
    return msgspec.msgpack.encode((role.value, client_opening, server_opening, certificate))


class Hello:
    """One side of one hello. Messages in, messages to send out; raises HelloError when it is over badly."""

    def __init__(
        self,
        role: Role,
        identity: Identity,
        instance: bytes,
        nonce: bytes,
        *,
        expected: Callable[[bytes], bool] | None = None,
        version: int = PROTOCOL_VERSION,
    ) -> None:
        """nonce: 32 fresh random bytes. expected: whether a proven key is one that we want (None: any but
        our own).
        """
        self.role = role
        self.stage = Stage.EXPECT_OPENING
        self.remote: RemotePeer | None = None
        self._identity = identity
        self._expected = expected
        self._version = version
        self.nonce = nonce
        self._own = msgspec.msgpack.encode(Opening(HELLO_LABEL, version, identity.public, nonce, instance))
        self._theirs = b""
        self._claimed: Opening | None = None

    def start(self) -> list[bytes]:
        """The messages to send once the TLS handshake is complete."""
        return [self._own] if self.role is Role.CLIENT else []

    def receive(self, message: bytes, certificate: bytes) -> list[bytes]:
        """Take one message; certificate: SHA-256 of the server's certificate as this side knows it.

        Returns the messages to send. `replies_on_error` holds what is to be sent before closing.
        Raises: HelloError.
        """
        match self.stage:
            case Stage.EXPECT_OPENING:
                return self._receive_opening(message, certificate)
            case Stage.EXPECT_PROOF:
                self._receive_proof(message, certificate)
                return []
            case Stage.PROVEN if self.role is Role.CLIENT:
                _decode(Welcome, message)
                self.stage = Stage.DONE
                return []
            case _:
                raise HelloError(CloseCode.BAD_HELLO, "a hello message that is not due")

    @property
    def replies_on_error(self) -> list[bytes]:
        """A server whose client has another version still says its own before it closes."""
        return [self._own] if self.role is Role.SERVER and self.stage is Stage.EXPECT_OPENING else []

    def prove(self, certificate: bytes) -> bytes:
        """The client's Proof. Called apart, because the client may find that it needs no second link."""
        if self.stage is not Stage.PROVEN:
            raise HelloError(CloseCode.BAD_HELLO, "a proof before the other side's")
        return self._proof(certificate)

    def welcome(self) -> bytes:
        """The server's Welcome, which ends the hello."""
        if self.role is not Role.SERVER or self.stage is not Stage.PROVEN:
            raise HelloError(CloseCode.BAD_HELLO, "a welcome that is not due")
        self.stage = Stage.DONE
        return msgspec.msgpack.encode(Welcome())

    def binding(self, certificate: bytes) -> bytes:
        """What this link is, alike on both sides and on no other link: 32 bytes.

        certificate: as in `receive`. Only once the hello is done has the other side signed the same.
        """
        return hash_parts("link", *self._openings(), certificate)

    def _receive_opening(self, message: bytes, certificate: bytes) -> list[bytes]:
        try:
            prefix = msgspec.msgpack.decode(message, type=OpeningPrefix)
        except (msgspec.MsgspecError, RecursionError) as error:
            # Whatever follows the prefix is skipped, however deep it is nested: that takes the interpreter's
            # stack, and a thousand bytes can be deeper than that.
            raise HelloError(CloseCode.BAD_HELLO, "not an opening") from error
        if prefix.label != HELLO_LABEL:
            raise HelloError(CloseCode.BAD_HELLO, "an opening of something else")
        if not 0 <= prefix.version <= HIGHEST_VERSION:
            raise HelloError(CloseCode.BAD_HELLO, "a version that cannot be")
        if prefix.version != self._version:
            raise HelloError(CloseCode.OTHER_VERSION, "another version", theirs=prefix.version)
        opening = _decode(Opening, message)
        sizes = (len(opening.key), len(opening.nonce), len(opening.instance))
        if sizes != (KEY_SIZE, NONCE_SIZE, INSTANCE_SIZE):
            raise HelloError(CloseCode.BAD_HELLO, "an opening with fields of wrong size")
        if opening.key == self._identity.public:
            raise HelloError(CloseCode.OWN_KEY, "our own key")
        self._claimed, self._theirs = opening, message
        self.stage = Stage.EXPECT_PROOF
        return [self._own, self._proof(certificate)] if self.role is Role.SERVER else []

    def _receive_proof(self, message: bytes, certificate: bytes) -> None:
        claimed = self._claimed
        assert claimed is not None
        proof = _decode(Proof, message)
        if len(proof.signature) != SIGNATURE_SIZE:
            raise HelloError(CloseCode.BAD_HELLO, "a signature of wrong size")
        text = signed_text(self.role.other, *self._openings(), certificate)
        try:
            verify_signature(claimed.key, SIGNATURE_LABEL, text, proof.signature)
        except InvalidSignature as error:
            raise HelloError(CloseCode.BAD_HELLO, "the signature does not hold") from error
        if self._expected is not None and not self._expected(claimed.key):
            raise HelloError(CloseCode.WRONG_KEY, "not the key that was expected")
        self.remote = RemotePeer(claimed.key, claimed.instance)
        self.stage = Stage.PROVEN

    def _openings(self) -> tuple[bytes, bytes]:
        if self.role is Role.CLIENT:
            return self._own, self._theirs
        return self._theirs, self._own

    def _proof(self, certificate: bytes) -> bytes:
        text = signed_text(self.role, *self._openings(), certificate)
        return msgspec.msgpack.encode(Proof(self._identity.sign(SIGNATURE_LABEL, text)))


def _decode(kind: type[_T], message: bytes) -> _T:
    try:
        return decode(msgspec.msgpack.Decoder(kind), message, HELLO_LIMIT)
    except MalformedMessage as error:
        raise HelloError(CloseCode.BAD_HELLO, f"{kind.__name__}: {error}") from error
