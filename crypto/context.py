"""What every proof and commitment is bound to: where in which table's ledger it stands."""

from dataclasses import dataclass

from crypto.framing import PROTOCOL_VERSION, tagged_hash

_ID_BYTES = 32
_NUMBER_LIMIT = 2**32


@dataclass(frozen=True, slots=True)
class Context:
    """The place of one proof; a proof made for one place fails at every other.

    group: the group's name. table, previous: 32 bytes. deal, step, seat, version: below 2**32.

    Raises:
        ValueError: a field is out of its range.
    """

    group: str
    table: bytes
    deal: int
    step: int
    seat: int
    previous: bytes
    version: int = PROTOCOL_VERSION

    def __post_init__(self) -> None:
        if len(self.table) != _ID_BYTES or len(self.previous) != _ID_BYTES:
            raise ValueError(f"a table's id and a head have {_ID_BYTES} bytes")
        for number in (self.version, self.deal, self.step, self.seat):
            if not 0 <= number < _NUMBER_LIMIT:
                raise ValueError("a context's numbers are from 0 to 2**32 - 1")

    def digest(self) -> bytes:
        """Return the 32 bytes that stand for this context in hashes and proofs."""
        numbers = [number.to_bytes(4, "big") for number in (self.deal, self.step, self.seat)]
        version = self.version.to_bytes(4, "big")
        return tagged_hash(b"context", (version, self.group.encode(), self.table, *numbers, self.previous))
