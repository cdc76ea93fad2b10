"""What somebody is answered who says where he stands in a deal, or asks for entries: a member of the table or
one of its watchers.

Nobody is asked back for what he says here, and nothing of it changes what this peer knows.
"""

from typing import TYPE_CHECKING

from p2p.protocol.deal_run import DealRun, seats_of
from p2p.protocol.effects import Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.gossip import TOLD_AGAIN_S, Told
from p2p.protocol.messages import ENTRIES_LIMIT, Ballots, Entries, Evidence, Fetch, Message, Status

if TYPE_CHECKING:
    from p2p.protocol.table import Table

EVIDENCE_AGAIN_S = 1.0
"""How often somebody who still follows a void deal is shown why it is void."""


class TableAnswers:
    """The answers of one table."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def to_status(self, key: bytes, told: Told, status: Status, newest: int, now: float) -> DealRun | None:
        """Tell somebody what he does not ask for where he stands: votes, books, last receipts, evidence.

        told: what he was told before. newest: the highest deal that he was seen in. Returns: the deal, if it
        is in hand.
        """
        table, deals = self._table, self._table.deals
        run = next((run for run in deals.runs if run.number == status.deal), None)
        if run is None:
            self._of_archived(key, told, status, now)
            return None
        earlier = run not in (deals.current, deals.next)
        if earlier and status.step == run.deal.step:
            # He hears of no position here that would make him ask.
            self._send_last(key, run.number, run.deal.entries_from(status.step, seats_of(status.have)))
        if status.votes != run.deal.votes_digest:
            if earlier and now - told.at >= TOLD_AGAIN_S:
                # He is told no position there otherwise, so would not show his ballots.
                told.at = now
                table.gossip.tell_one(key, (run.position,), deals.digests, now)
            seat = run.terms.seat_of(key)
            if table.votes.tell(key, told, run.number, run.deal.ballots, run.deal.leaves, now, seat):
                table.books.tell(run, (key,))
        outcome = run.deal.outcome
        due = newest == run.number and now - told.evidence_at >= EVIDENCE_AGAIN_S
        if isinstance(outcome, Void) and due:
            told.evidence_at = now
            table.gossip.send(key, self._evidence(run, outcome))
        return run

    def _of_archived(self, key: bytes, told: Told, status: Status, now: float) -> None:
        """Tell somebody who stands at an earlier deal how a poll has ended it, and the last receipts."""
        archive = self._table.deals.archive
        if status.deal not in archive:
            return
        self._table.votes.tell(key, told, status.deal, *archive.votes(status.deal), now)
        lacking = archive.last_lacking(status.deal, status.step, seats_of(status.have))
        self._send_last(key, status.deal, lacking)

    def _send_last(self, key: bytes, deal: int, lacking: tuple[SignedEntry, ...]) -> None:
        if lacking:
            self._table.gossip.send(key, Entries(self._table.table_id, deal, lacking[:ENTRIES_LIMIT]))

    def to_fetch(self, key: bytes, message: Fetch) -> None:
        """Send the entries that somebody asks for. Raises: JunkError, if the deal is not known here."""
        table, deals = self._table, self._table.deals
        entries = deals.archive.entries_from(message.deal, message.step)
        if message.deal not in deals.archive:
            entries = deals.run_of(message.deal).deal.entries_from(message.step, seats_of(message.have))
        if entries:
            table.gossip.send(key, Entries(table.table_id, message.deal, entries[:ENTRIES_LIMIT]))

    def show_all(self, run: DealRun, void: Void) -> None:
        """Show everybody the entries or the two ballots that made a deal void."""
        self._table.gossip.send_all(self._evidence(run, void))

    def _evidence(self, run: DealRun, void: Void) -> Message:
        if void.evidence.accused:
            return Evidence(self._table.table_id, run.number, void.evidence.accused)
        return Ballots(self._table.table_id, run.number, void.evidence.ballots)
