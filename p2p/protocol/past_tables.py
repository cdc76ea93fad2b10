"""The tables that the own key has signed before: those in the journal, and those that were left.

A crash may come after this peer has signed a table and before its journal knows of it. Then the others play
there without it, and tell it of the table again and again (`Formed`): such a table is *missed*, and the peer
sits down at it. A table that the own person has left is never taken up because somebody says so; whoever
still waits there is told.
"""

from collections.abc import Iterable, Mapping

from p2p.protocol.ballot import SignedLeave
from p2p.protocol.messages import Leaves
from p2p.protocol.proposal import Proposal


class PastTables:
    """Tables by their ids.

    played: those that the journal knows; one of them is taken up by `Peer.resume` alone. left: those that the
    own person has left, or has signed and then given up, each with his leave; None where none was signed.
    """

    def __init__(self, played: Iterable[bytes], left: Mapping[bytes, SignedLeave | None]) -> None:
        self._played = set(played)
        self._left = dict(left)

    def sat_down(self, table_id: bytes) -> None:
        """This peer sits at it."""
        self._played.add(table_id)

    def left(self, table_id: bytes, leave: SignedLeave) -> None:
        """The own person has left this one, or has given it up."""
        self._left[table_id] = leave

    def has_left(self, table_id: bytes) -> bool:
        """Whether the own person is gone from this table."""
        return table_id in self._left

    def leave_of(self, table_id: bytes) -> Leaves | None:
        """What is said to whoever still waits there; None if nothing was signed."""
        leave = self._left.get(table_id)
        return None if leave is None else Leaves(table_id, (leave,))

    def may_miss(self, proposal: Proposal, own_key: bytes, key: bytes) -> bool:
        """Whether nothing is known here of this table, of which its member `key` tells; its signatures have
        yet to be verified.
        """
        known = proposal.table_id in self._played or proposal.table_id in self._left
        members = {member.key for member in proposal.members}
        return not known and {own_key, key} <= members
