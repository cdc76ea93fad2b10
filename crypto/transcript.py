"""The Fiat-Shamir transcript: labelled, length-framed, and every challenge absorbed back.

A challenge has its own label and goes into what follows, so two challenges of one proof are never equal by
construction, even when nothing was sent between them.

Source: the design of merlin, on SHA-512 in place of STROBE.
"""

import hashlib

from crypto.context import Context
from crypto.framing import frame, full_label
from crypto.group import Element, Group, Scalar

_MESSAGE = b"\x01"
_CHALLENGE = b"\x02"


class Transcript:
    """All that a proof has said so far; prover and verifier each build their own and must agree."""

    def __init__(self, proof: bytes, group: Group, context: Context) -> None:
        """Begin the transcript of one kind of proof (`proof` is its label) in one context."""
        self._group = group
        self._hash = hashlib.sha512(frame(full_label(proof)))
        self.append(b"context", context.digest())
        self.append(b"group", group.name.encode())
        self.append(b"generator", group.generator.encode())

    def append(self, label: bytes, message: bytes) -> None:
        """Take in a message: 0x01, frame(label), frame(message)."""
        self._hash.update(_MESSAGE + frame(label) + frame(message))

    def append_element(self, label: bytes, element: Element) -> None:
        """Take in an element's encoding."""
        self.append(label, element.encode())

    def append_number(self, label: bytes, number: int) -> None:
        """Take in a whole number below 2**32 as 4 bytes, big-endian."""
        self.append(label, number.to_bytes(4, "big"))

    def challenge(self, label: bytes, index: int = 0) -> Scalar:
        """Return a challenge: absorb 0x02, frame(label), index (4 bytes, big-endian); take the SHA-512 of
        all so far; absorb these 64 bytes back; reduce them, little-endian, modulo the order."""
        self._hash.update(_CHALLENGE + frame(label) + index.to_bytes(4, "big"))
        digest = self._hash.digest()
        self._hash.update(digest)
        return self._group.scalar(int.from_bytes(digest, "little"))
