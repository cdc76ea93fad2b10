"""The lines of a transcript that stand behind its entries: who voted another absent, who left, who wished the
books to be opened, and the keys that open them. Signed bytes are kept as they are, since an auditor has to
check the signatures, with the step and who it was in plain sight.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from p2p.protocol.ballot import (
    MAX_BALLOT_BYTES,
    SignedBallot,
    SignedLeave,
    check_ballot,
    check_leave,
)
from p2p.protocol.books import MAX_SCALAR_BYTES, OpenedKey, SignedWish, check_wish
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.errors import MalformedMessage

MAX_TAIL_LINE_BYTES = 2 * MAX_BALLOT_BYTES + 4096
"""The longest ballot in hex, and the names of its fields."""


Vote: TypeAlias = SignedBallot | SignedLeave
"""What ends a deal by absence, or shows a fork in a poll."""
Opening: TypeAlias = SignedWish | OpenedKey
"""What opens the books."""

_MARKS = (b'"ballot":', b'"leave":', b'"wish":', b'"secret":')


@dataclass(frozen=True, slots=True)
class TailLine:
    """One of these lines. `accused`: it is one of two ballots that contradict each other."""

    number: int
    signed: Vote | Opening = field(repr=False)
    accused: bool


def is_tail_line(line: bytes) -> bool:
    """Whether a line of a transcript is one of these."""
    return any(mark in line for mark in _MARKS)


def tail_line(signed: Vote | Opening, *, accused: bool = False) -> dict[str, Any]:
    """The line of a ballot, a leave, a wish or a key."""
    match signed:
        case OpenedKey():
            return {"seat": signed.seat, "secret": signed.secret.hex()}
        case SignedWish():
            fields: dict[str, Any] = {"seat": signed.open().seat, "wish": signed.wish.hex()}
        case SignedLeave():
            fields = {"member": signed.open().member, "leave": signed.leave.hex()}
        case SignedBallot():
            ballot = signed.open()
            fields = {"step": ballot.step, "seat": ballot.seat, "ballot": signed.ballot.hex()}
    fields["signature"] = signed.signature.hex()
    return {**fields, "accused": True} if accused else fields


def parse_tail(plain: Mapping[str, Any]) -> tuple[Vote | Opening, bool]:
    """What the line holds, and whether it is accused; any of `SPELLING_ERRORS` if a field is of the wrong
    kind. Whether the line spells it is for the reader, who compares.
    """
    if "secret" in plain:
        return _parse_key(plain), False
    signature = bytes.fromhex(plain["signature"])
    if len(signature) != 64:
        raise ValueError("a signature has 64 bytes")
    signed: Vote | SignedWish
    if "leave" in plain:
        signed = SignedLeave(bytes.fromhex(plain["leave"]), signature)
    elif "wish" in plain:
        signed = SignedWish(bytes.fromhex(plain["wish"]), signature)
    else:
        signed = SignedBallot(bytes.fromhex(plain["ballot"]), signature)
    signed.open()
    return signed, "accused" in plain and isinstance(signed, SignedBallot)


def _parse_key(plain: Mapping[str, Any]) -> OpenedKey:
    seat, secret = plain["seat"], bytes.fromhex(plain["secret"])
    if type(seat) is not int or not 0 < len(secret) <= MAX_SCALAR_BYTES:
        raise ValueError("a seat and a scalar")
    return OpenedKey(seat, secret)


def check_tail(terms: DealTerms, signed: Vote | Opening) -> None:
    """Check that a ballot, leave or wish is of this deal and signed by its seat; a key shows only later whose
    it is. Raises: MalformedMessage.
    """
    table, keys = terms.table, terms.keys
    if isinstance(signed, OpenedKey):
        if not 0 <= signed.seat < len(keys):
            raise MalformedMessage("no such seat")
        return
    if isinstance(signed, SignedWish):
        check_wish(table.table_id, terms.deal, keys, signed)
        return
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
