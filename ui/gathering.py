"""What a person can do while people take seats, read from the snapshot of the table; the same on every
interface.
"""

from p2p.protocol.snapshot import MemberView, TableSnapshot


def keeps_waiting(table: TableSnapshot) -> MemberView | None:
    """Return the only one who is not ready and without whom I, who am, can have the deal started."""
    own = table.own_member
    if own is None or not own.ready:
        return None
    return next((one for one in table.members if one.key == table.can_start_without), None)
