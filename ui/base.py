"""Where a person is: it follows from the own table alone, on every interface."""

from enum import Enum

from p2p.protocol.snapshot import Phase, TableSnapshot


class Base(Enum):
    """The screen at the bottom, or what plain mode asks about."""

    LOBBY = "lobby"
    READY = "ready"
    TABLE = "table"
    OVER = "over"


def base_of(table: TableSnapshot | None) -> Base:
    """Return where the person with this table is."""
    if table is None:
        return Base.LOBBY
    if table.phase is Phase.GATHERING:
        return Base.READY
    if table.phase not in {Phase.OVER, Phase.VOID, Phase.STOPPED, Phase.ABSENT}:
        return Base.TABLE
    return Base.OVER
