"""Evidence of a breach or a fork: what convinces a stranger who has nothing else.

It holds the terms of the deal (with the proposal that everybody signed), the ledger up to the accused
entries, and the accused entries. A fork needs no ledger: two differing entries of one seat for one step are
enough by themselves, and so are two ballots of one seat that contradict each other.
"""

from typing import Annotated

from msgspec import Meta, Struct, msgpack

from p2p.protocol.ballot import SignedBallot
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.entry import SeatNumber, SignedEntry
from p2p.protocol.wire import decode, encode

MAX_EVIDENCE_BYTES = 64 * 1024 * 1024
"""A deal of a thousand pick-ups of a whole pack stays far below; a reader can hold it in memory."""

FORK = "fork"
"""The check that a fork breaks: one seat, one step, two entries, or two ballots that deny each other."""


class Evidence(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`check`, broken by `seat`: `accused` are one entry (a breach) or two (a fork), `ledger` what they
    build on. Of a fork in a poll `ballots` are the two, and nothing else is needed.
    """

    seat: SeatNumber
    check: Annotated[str, Meta(max_length=64)]
    terms: DealTerms
    ledger: tuple[SignedEntry, ...]
    accused: Annotated[tuple[SignedEntry, ...], Meta(max_length=2)]
    ballots: Annotated[tuple[SignedBallot, ...], Meta(max_length=2)] = ()

    def encode(self) -> bytes:
        """The one encoding of this evidence."""
        return encode(self)


_EVIDENCE = msgpack.Decoder(Evidence)


def decode_evidence(data: bytes) -> Evidence:
    """Decode evidence strictly; whether it proves anything is for `verify_evidence` in `audit.py`.

    Raises:
        MalformedMessage: if the bytes are not the one encoding of evidence.
    """
    return decode(_EVIDENCE, data, MAX_EVIDENCE_BYTES)
