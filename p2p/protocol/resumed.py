"""What a journal holds of a table, as a peer takes it up again after a restart."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p.protocol.ballot import Ballot, SignedBallot, SignedLeave
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.entry import Entry, SignedEntry
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.proposal import SignedProposal


@dataclass(frozen=True, slots=True)
class ResumedDeal:
    """One deal of the journal.

    entries, ballots: in the order in which they were written, and after them those that convicted somebody.
    leaves: of whoever has left. secrets: of the own seat, while the deal is not closed. closed: how it ended
    is recorded, and the secrets are erased. stopped: it ended because engines disagreed, which no entry
    shows.
    """

    terms: DealTerms
    entries: tuple[SignedEntry, ...]
    secrets: bytes | None = field(default=None, repr=False)
    closed: bool = False
    stopped: bool = False
    ballots: tuple[SignedBallot, ...] = ()
    leaves: tuple[SignedLeave, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether all have committed to it, as far as the journal knows."""
        return any(signed.open().step > 0 for signed in self.entries)


@dataclass(frozen=True, slots=True)
class ResumedTable:
    """One table of the journal.

    deals: its latest, ascending and without a gap; only the last one can be open. notes: what `Succession`
    noted of the table's closed deals, by number.
    """

    deals: tuple[ResumedDeal, ...]
    notes: tuple[tuple[int, bytes], ...] = ()

    @property
    def last(self) -> ResumedDeal:
        """The latest deal."""
        return self.deals[-1]

    @property
    def signed(self) -> SignedProposal:
        """The table."""
        return self.last.terms.proposal

    @property
    def first_to_run(self) -> int:
        """Which deal (an index) the table stands at.

        A deal that not all have committed to stands behind the one before it: somebody may still lack a
        receipt of that.
        """
        index = len(self.deals) - 1
        waiting = not self.last.closed and not self.last.begun
        return index - 1 if waiting and index > 0 else index

    @property
    def leaves(self) -> tuple[SignedLeave, ...]:
        """Of whoever has left the table, as far as these deals tell."""
        return tuple(leave for deal in self.deals for leave in deal.leaves)


def readable_entries(terms: DealTerms, stored: Iterable[SignedEntry]) -> tuple[SignedEntry, ...]:
    """The stored entries that are entries of this deal: what a damaged disk made of the rest is left out.

    Others have those too; if they are the own ones, the deal finds that out by itself.
    """
    table_id, seats = terms.table.table_id, len(terms.players)

    def fits(signed: SignedEntry) -> bool:
        try:
            entry: Entry = signed.open()
        except MalformedMessage:
            return False
        return (entry.table, entry.deal) == (table_id, terms.deal) and entry.seat < seats

    return tuple(signed for signed in stored if fits(signed))


def readable_ballots(terms: DealTerms, stored: Iterable[SignedBallot]) -> tuple[SignedBallot, ...]:
    """The stored ballots that are ballots of this deal, as `readable_entries` has it."""
    table_id, seats = terms.table.table_id, len(terms.players)

    def fits(signed: SignedBallot) -> bool:
        try:
            ballot: Ballot = signed.open()
        except MalformedMessage:
            return False
        return (ballot.table, ballot.deal) == (table_id, terms.deal) and ballot.seat < seats

    return tuple(signed for signed in stored if fits(signed))
