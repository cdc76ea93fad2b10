"""Commitments by hash: binding a seat to a value, in one place of the ledger, before it is shown."""

import hmac

from crypto.context import Context
from crypto.errors import Check, InvalidProof
from crypto.framing import tagged_hash
from crypto.randomness import COIN_BYTES


def commit(label: bytes, context: Context, value: bytes, blinding: bytes) -> bytes:
    """Return the 32-byte commitment to `value`; `blinding` is 32 random bytes, kept secret till it is opened.

    The context names the seat, so that a commitment copied from another seat opens to nothing.

    Raises:
        ValueError: the blinding has not 32 bytes.
    """
    if len(blinding) != COIN_BYTES:
        raise ValueError(f"a blinding has {COIN_BYTES} bytes")
    return tagged_hash(b"commitment", (label, context.digest(), blinding, value))


def check_commitment(
    commitment: bytes, label: bytes, context: Context, value: bytes, blinding: bytes
) -> None:
    """Check, in constant time, that a commitment opens to the value.

    Raises:
        InvalidProof: commitment.
    """
    if len(blinding) != COIN_BYTES or not hmac.compare_digest(
        commitment, commit(label, context, value, blinding)
    ):
        raise InvalidProof(Check.COMMITMENT)
