"""The entries and votes of a table's earlier deals, kept for members who come back to them.

What the terms of a deal are follows from the ledgers of all deals before it, and from the polls that ended
some: so whoever has missed some of them fetches and verifies one after the other.
"""

from collections.abc import Collection, Iterable
from typing import Final

from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.deal_sight import ENTRIES_LIMIT_BYTES
from p2p.protocol.deal_votes import DealVotes
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
        self._votes: dict[int, tuple[tuple[SignedBallot, ...], tuple[SignedLeave, ...]]] = {}

    def __contains__(self, deal: int) -> bool:
        """Whether a deal is kept."""
        return deal in self._deals

    def keep(self, deal: DealVotes) -> None:
        """Keep what a deal holds now."""
        evidence = deal.outcome.evidence if isinstance(deal.outcome, Void) else None
        accused, ballots = ((), ()) if evidence is None else (evidence.accused, evidence.ballots)
        entries = (*deal.record.all_entries(), *accused)
        self.add(deal.terms.deal, entries, (*deal.ballots, *ballots), deal.leaves)

    def add(
        self,
        deal: int,
        entries: Iterable[SignedEntry],
        ballots: Iterable[SignedBallot] = (),
        leaves: Iterable[SignedLeave] = (),
    ) -> None:
        """Keep a deal's entries and votes in place of what was kept of it before."""
        placed = ((signed.open().step, signed) for signed in entries)
        self._deals[deal] = tuple(sorted(placed, key=lambda one: one[0]))
        self._votes[deal] = (tuple(dict.fromkeys(ballots)), tuple(leaves))
        for old in sorted(self._deals)[:-DEALS_KEPT]:
            del self._deals[old], self._votes[old]

    def votes(self, deal: int) -> tuple[tuple[SignedBallot, ...], tuple[SignedLeave, ...]]:
        """The ballots and leaves of a deal that is kept."""
        return self._votes[deal]

    def last_lacking(self, deal: int, step: int, have: Collection[int]) -> tuple[SignedEntry, ...]:
        """What somebody lacks who is at the last step of a deal that is kept: there one whose deal has ended
        asks for nothing himself. have: the seats whose entries he has; step: where he is.
        """
        entries = self._deals[deal]
        if not entries or entries[-1][0] != step:
            return ()
        return tuple(signed for at, signed in entries if at == step and signed.open().seat not in have)

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
