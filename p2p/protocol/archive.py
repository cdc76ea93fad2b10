"""The entries of a table's earlier deals, kept for members who come back to them.

What the terms of a deal are follows from the ledgers of all deals before it, so whoever has missed some of
them fetches and verifies one after the other.
"""

from collections.abc import Iterable
from typing import Final

from p2p.protocol.deal_sight import ENTRIES_LIMIT_BYTES, DealSight
from p2p.protocol.effects import Void
from p2p.protocol.entry import SignedEntry

DEALS_KEPT: Final = 8
"""An evening's last hour. A deal's entries take up to 1 MB; somebody who missed more than these waits for
the next table.
"""


class Archive:
    """The latest deals that nobody at the table plays any more."""

    def __init__(self) -> None:
        self._deals: dict[int, tuple[tuple[int, SignedEntry], ...]] = {}

    def keep(self, deal: DealSight) -> None:
        """Keep what a deal holds now."""
        accused = deal.outcome.evidence.accused if isinstance(deal.outcome, Void) else ()
        self.add(deal.terms.deal, (*deal.record.all_entries(), *accused))

    def add(self, deal: int, entries: Iterable[SignedEntry]) -> None:
        """Keep a deal's entries in place of what was kept of it before."""
        placed = ((signed.open().step, signed) for signed in entries)
        self._deals[deal] = tuple(sorted(placed, key=lambda one: one[0]))
        for old in sorted(self._deals)[:-DEALS_KEPT]:
            del self._deals[old]

    def entries_from(self, deal: int, step: int) -> tuple[SignedEntry, ...]:
        """The entries of a deal from `step` on, both stories of a fork among them: as many as fit a message,
        at least one; nothing of a deal that is not kept.
        """
        chosen: list[SignedEntry] = []
        size = 0
        for at, signed in self._deals.get(deal, ()):
            if at < step:
                continue
            size += len(signed.entry) + len(signed.signature)
            if chosen and size > ENTRIES_LIMIT_BYTES:
                break
            chosen.append(signed)
        return tuple(chosen)
