"""How byte strings are joined before they are hashed, so that no two different inputs look alike."""

import hashlib
from collections.abc import Iterable

PROTOCOL_VERSION = 1
"""Version of every hash input and proof in this package; it is part of each label."""

LABEL_PREFIX = b"verish/1/"
"""Start of every label: names the project and PROTOCOL_VERSION."""


def frame(part: bytes) -> bytes:
    """Return `part` behind its length (4 bytes, big-endian); joined frames come apart in one way only."""
    return len(part).to_bytes(4, "big") + part


def full_label(label: bytes) -> bytes:
    """Return the label with the project and the version before it."""
    return LABEL_PREFIX + label


def tagged_hash(label: bytes, parts: Iterable[bytes]) -> bytes:
    """Return SHA-256 (32 bytes) of the framed full label and the framed parts, in order."""
    digest = hashlib.sha256(frame(full_label(label)))
    for part in parts:
        digest.update(frame(part))
    return digest.digest()
