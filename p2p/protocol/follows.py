"""What a table says of the table that it follows: which one it was, and what was counted there.

A company changes between two deals by forming a new table. So that it stays one evening, the proposal of the
new one names the old one and carries its counts. Who played there signs them only if they are his own counts;
who comes anew sees them before he agrees.
"""

from typing import Annotated

from msgspec import Meta, Struct

from p2p.protocol.entry import MAX_DEAL, MAX_SEATS
from p2p.protocol.wire import Hash32, Key32

Deals = Annotated[int, Meta(ge=0, le=MAX_DEAL)]


class Carried(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What was counted for one member of the table before: deals lost and won."""

    key: Key32
    losses: Deals
    wins: Deals


class Follows(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The table before: its id, and the counts of *all* its members by its seats, whoever comes along.

    So nothing changes here while people take their seats, and who left and comes back finds his counts again.
    """

    table_id: Hash32
    standings: Annotated[tuple[Carried, ...], Meta(min_length=2, max_length=MAX_SEATS)]

    def of(self, key: bytes) -> Carried:
        """The counts of one member of the new table; a newcomer begins with none."""
        return next((one for one in self.standings if one.key == key), Carried(key, 0, 0))

    @property
    def keys(self) -> frozenset[bytes]:
        """Who sat at the table before."""
        return frozenset(one.key for one in self.standings)

    @property
    def is_sound(self) -> bool:
        """Whether no key is counted twice."""
        return len(self.keys) == len(self.standings)
