"""The lines of a transcript that say who voted another absent, and who left: signed bytes as they are, since
an auditor has to check the signatures, with the step and who it was in plain sight.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from p2p.protocol.ballot import (
    MAX_BALLOT_BYTES,
    SignedBallot,
    SignedLeave,
    check_ballot,
    check_leave,
)
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.errors import MalformedMessage

MAX_VOTE_LINE_BYTES = 2 * MAX_BALLOT_BYTES + 4096
"""The longest ballot in hex, and the names of its fields."""


@dataclass(frozen=True, slots=True)
class VoteLine:
    """One ballot or leave of a transcript. `accused`: it is one of two ballots that contradict each other."""

    number: int
    signed: SignedBallot | SignedLeave = field(repr=False)
    accused: bool


def is_vote_line(line: bytes) -> bool:
    """Whether a line of a transcript is one of these."""
    return b'"ballot":' in line or b'"leave":' in line


def vote_line(signed: SignedBallot | SignedLeave, *, accused: bool = False) -> dict[str, Any]:
    """The line of a ballot or a leave."""
    if isinstance(signed, SignedLeave):
        fields: dict[str, Any] = {"member": signed.open().member, "leave": signed.leave.hex()}
    else:
        ballot = signed.open()
        fields = {"step": ballot.step, "seat": ballot.seat, "ballot": signed.ballot.hex()}
    fields["signature"] = signed.signature.hex()
    return {**fields, "accused": True} if accused else fields


def parse_vote(plain: Mapping[str, Any]) -> tuple[SignedBallot | SignedLeave, bool]:
    """The ballot or leave, and whether it is accused; any of `SPELLING_ERRORS` if a field is of the wrong
    kind. Whether the line spells it is for the reader, who compares.
    """
    signature = bytes.fromhex(plain["signature"])
    if len(signature) != 64:
        raise ValueError("a signature has 64 bytes")
    signed: SignedBallot | SignedLeave
    if "leave" in plain:
        signed = SignedLeave(bytes.fromhex(plain["leave"]), signature)
    else:
        signed = SignedBallot(bytes.fromhex(plain["ballot"]), signature)
    signed.open()
    return signed, "accused" in plain


def check_vote(terms: DealTerms, signed: SignedBallot | SignedLeave) -> None:
    """Check that a ballot or leave is of this deal and signed by its seat. Raises: MalformedMessage."""
    table, keys = terms.table, terms.keys
    if isinstance(signed, SignedLeave):
        leave = signed.open()
        if leave.table != table.table_id or leave.deal > terms.deal or leave.member not in terms.players:
            raise MalformedMessage("another deal")
        check_leave(table.members[leave.member].key, signed)
        return
    ballot = signed.open()
    if (ballot.table, ballot.deal) != (table.table_id, terms.deal) or ballot.seat >= len(keys):
        raise MalformedMessage("another deal")
    check_ballot(keys[ballot.seat], signed)
