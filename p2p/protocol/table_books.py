"""What a table does with wishes to open the books of a deal: it passes them on, and the keys once all have
agreed. `books.py` has the theory.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from p2p.protocol.deal_run import DealRun
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.messages import Books, JunkError, JunkReason
from p2p.protocol.peer_events import RefusedCommand

if TYPE_CHECKING:
    from p2p.protocol.table import Table


class TableBooks:
    """The open books at one table."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def wish(self) -> RefusedCommand | None:
        """Want the books of the deal that has just ended to be opened; why that cannot be said, or None."""
        run = self._table.deals.current
        books = run.deal.books
        if books is None or run.own is None or run.own in books.wished:
            return RefusedCommand.NOT_NOW
        if not books.wish():
            return RefusedCommand.KEY_ERASED
        self._tell_all(run)
        return None

    def came(self, message: Books) -> None:
        """Take in wishes and keys. Raises: JunkError, if they are none of a finished deal in hand."""
        run = self._table.deals.run_of(message.deal)
        books = run.deal.books
        if books is None:
            # This peer may lack a receipt still: then it is told again.
            return
        before = books.opened
        try:
            books.take(message.wishes, message.keys)
        except MalformedMessage as error:
            raise JunkError(JunkReason.UNFIT) from error
        if run.own in books.opened - before:
            self._tell_all(run)

    def erase(self, run: DealRun) -> None:
        """Erase the own key of a deal that is two deals back."""
        if run.deal.books is not None:
            run.deal.books.erase()

    def tell_again(self, key: bytes, *runs: DealRun | None) -> None:
        """Tell a member whose link stands again: of a deal that is over statuses may speak no more."""
        for run in runs:
            if run is not None:
                self.tell(run, (key,))

    def tell(self, run: DealRun, members: Iterable[bytes]) -> None:
        """Tell members or watchers what is known here of a deal's books, if it is anything."""
        message = self._known_of(run)
        if message is not None:
            for key in members:
                self._table.gossip.send(key, message)

    def _tell_all(self, run: DealRun) -> None:
        message = self._known_of(run)
        if message is not None:
            self._table.gossip.send_all(message)

    def _known_of(self, run: DealRun) -> Books | None:
        books = run.deal.books
        if books is None or not books.wished:
            return None
        return Books(self._table.table_id, run.number, books.wishes, books.keys)
