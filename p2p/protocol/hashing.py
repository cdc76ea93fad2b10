"""The one hash of the protocol: SHA-256 over a label and length-framed parts.

Framing every part by its length makes two different lists of parts two different inputs, whatever the parts
hold; the label keeps hashes of different meanings apart.
"""

from collections.abc import Iterable

from crypto.framing import PROTOCOL_VERSION, tagged_hash

VERSION = PROTOCOL_VERSION
"""The version of the protocol. It goes into every hash and every signed text, so that versions cannot mix."""


def hash_parts(label: str, *parts: bytes) -> bytes:
    """Hash `parts` under `label`: 32 bytes.

    The input is `"verish/1/" + label` in ASCII and then each part, every one of them (the label too) preceded
    by its length as 4 bytes, big-endian.
    """
    return tagged_hash(label.encode("ascii"), parts)


def next_head(head: bytes, entries: Iterable[bytes]) -> bytes:
    """Head k+1 from head k and the exact entry bytes of step k, which come in the order of their seats.

    Signatures are left out: a seat could sign the same bytes in several ways, and the head must not depend
    on which of them a peer happened to see.
    """
    return hash_parts("head", head, *entries)


def head_after_deal(final_head: bytes, players: bytes, setup: bytes) -> bytes:
    """The first previous head of the deal that follows a finished one.

    players, setup: who plays it and how they sit, encoded.
    """
    return hash_parts("next", final_head, players, setup)


def head_after_void(first_head: bytes, players: bytes, setup: bytes) -> bytes:
    """The first previous head of the deal that follows a void one; players, setup: as above.

    It is built on the *first* head of the void deal, which all peers share, whichever evidence each of them
    saw.
    """
    return hash_parts("after void", first_head, players, setup)
