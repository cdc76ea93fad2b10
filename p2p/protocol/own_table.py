"""The table at which this peer sits, or which it watches: how it gets there, and away again.

    lobby --all have signed------------------------> seat --left, put aside, or gone on to the next--+
      |  '--a member tells of it, after a crash---->   ^                                            |
      |                                     journal ---+                                            v
      +--a member lets it watch---> beside a table --left, or the company has gone on-----------> lobby

What is said about a table goes to it from here, as far as whoever says it has to do with it; all else is the
lobby's.
"""

from collections import deque

from p2p.protocol.errors import MalformedMessage, ProposalRefused
from p2p.protocol.lobby import Lobby
from p2p.protocol.messages import (
    Ballots,
    Books,
    CodeProof,
    CodeShare,
    Entries,
    Evidence,
    Fetch,
    Formed,
    Join,
    JunkError,
    JunkReason,
    Leaves,
    LobbyMessage,
    Status,
    TableMessage,
    Watch,
    Withdraw,
)
from p2p.protocol.past_tables import PastTables
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_events import ClosedBecause, TableClosed, TableFormed
from p2p.protocol.proposal import Proposal, SignedProposal
from p2p.protocol.reopening import Before
from p2p.protocol.resumed import ResumedTable
from p2p.protocol.table import Table
from p2p.protocol.table_code import TableCode
from p2p.protocol.traffic import Traffic

EARLY_LIMIT = 64
"""Messages kept for a table that this peer has signed for, until the word comes that all others have too."""


class OwnTable:
    """At most one table. `lobby`: where the next one is found; `past`: those that were left before."""

    def __init__(self, core: Core, lobby: Lobby, past: PastTables, traffic: Traffic) -> None:
        self.table: Table | None = None
        self._core = core
        self._lobby = lobby
        self._past = past
        self._traffic = traffic
        self._early: deque[tuple[bytes, TableMessage]] = deque(maxlen=EARLY_LIMIT)

    # What comes in

    def receive(self, key: bytes, message: Formed | TableMessage | LobbyMessage, now: float) -> None:
        """Take in one message from `key`: it is the table's, or the lobby's.

        Raises:
            JunkError: if it means nothing here and now.
        """
        table = self.table
        match message:
            case Formed():
                self._formed_came(key, message.signed, now)
            case Status() | Fetch() if (
                table is not None and table.table_id == message.table_id and key in table.watchers
            ):
                table.watchers.receive(key, message, now)
            case Entries() | Status() | Fetch() | Evidence() | Leaves() | Ballots() | Books():
                self._table_message_came(key, message, now)
            case Join() if table is not None and table.offer_id == message.offer_id and key in table.members:
                # A member who missed that the table was formed asks for its seat again.
                self._core.send(key, Formed(table.signed))
            case Watch() | CodeShare() | CodeProof() if (
                table is not None and table.offer_id == message.offer_id
            ):
                table.watchers.asked(key, message, now)
            case Withdraw() if table is not None and table.offer_id == message.offer_id:
                table.watchers.gone(key)
            case _:
                self._lobby.receive(key, message, now)

    def _table_message_came(self, key: bytes, message: TableMessage, now: float) -> None:
        table, seeking = self.table, self._lobby.seeking
        if seeking is not None and seeking.has_signed(message.table_id):
            self._early.append((key, message))
        elif table is not None and table.table_id == message.table_id and key in table.members:
            table.receive(key, message, now)
        elif isinstance(message, Status) and self._past.has_left(message.table_id):
            self._tell_leave(key, message.table_id)
        else:
            raise JunkError(JunkReason.STRANGER)

    def _formed_came(self, key: bytes, signed: SignedProposal, now: float) -> None:
        """Somebody brings a table that all have signed.

        Raises:
            JunkError: UNFIT, if it means nothing here.
        """
        try:
            proposal = signed.open()
            missed = self._is_missed(key, proposal)
            if missed:
                signed.verify()
        except (MalformedMessage, ProposalRefused):
            raise JunkError(JunkReason.UNFIT) from None
        if missed:
            seeking = self._lobby.seeking
            code = seeking.code if seeking is not None and seeking.offer_id == proposal.offer_id else None
            self._lobby.drop()
            self._sit_down(signed, code, now, returning=True)
        elif self._past.has_left(proposal.table_id):
            self._tell_leave(key, proposal.table_id)
        elif self.table is not None and self._lobby.seeking is None:
            self.table.heard_from(key)
        else:
            self._lobby.formed_came(signed)

    def _is_missed(self, key: bytes, proposal: Proposal) -> bool:
        """Whether a crash has left no trace of this table here, and this peer is free to sit down at it: it
        sits nowhere else, or the table goes on from its own one.
        """
        table = self.table
        follows = None if proposal.follows is None else proposal.follows.table_id
        sits = table is not None and not (table.deals.between and table.table_id == follows)
        return (
            not sits
            and self._past.may_miss(proposal, self._core.key, key)
            and self._lobby.is_free_for(proposal)
        )

    def _tell_leave(self, key: bytes, table_id: bytes) -> None:
        """Tell somebody who waits at a table that the own person has left."""
        leave = self._past.leave_of(table_id)
        if leave is not None:
            self._core.send(key, leave)

    # There

    def settle(self, now: float) -> None:
        """Go where what came in leads: to a table that is formed, or beside one that may be watched."""
        table = self.table
        self._lobby.set_before(None if table is None or table.watching else Before.of(table), now)
        if table is not None and table.watching:
            self._lobby.look_on(table, now)
        if table is None or table.watching:
            self._begin_to_watch(now)
        formed = self._lobby.take_formed()
        if formed is not None:
            self._sit_down(*formed, now)

    def resume(self, resumed: ResumedTable, now: float) -> None:
        """Take the seat again at the table that the journal holds."""
        self._sit_down(resumed.signed, None, now, resumed=resumed, returning=True)

    def _begin_to_watch(self, now: float) -> None:
        """Take the place beside a table, from what a member has told of it, if one has."""
        way = self._lobby.watchings.take_start(self.table)
        if way is not None and way.start is not None:
            self.table = Table(self._core, way.start.signed, now, way.code, resumed=way.start)
            self._core.out.lobby_changed()

    def _sit_down(
        self,
        formed: SignedProposal,
        code: TableCode | None,
        now: float,
        *,
        resumed: ResumedTable | None = None,
        returning: bool = False,
    ) -> None:
        """Take the seat at a table that is formed; the one before, if there was one, is left."""
        proposal = formed.open()
        if self.table is not None:
            self._leave(self.table, now)
            self._lobby.set_before(None, now)
        self._past.sat_down(proposal.table_id)
        self._lobby.announcing.sit_down(proposal)
        self._core.out.emit(TableFormed(proposal.table_id))
        self.table = Table(self._core, formed, now, code, resumed=resumed, returning=returning)
        early = tuple(self._early)
        self._early.clear()
        for key, message in early:
            try:
                self.receive(key, message, now)
            except JunkError as junk:
                self._traffic.of(key).junk[junk.reason] += 1
        self._core.out.lobby_changed()
        self._lobby.settle(now)

    # And away

    def leave(self, now: float) -> None:
        """Leave the table, for good; whoever watches only stops to watch."""
        if self.table is not None:
            self._leave(self.table, now)
            self.close(ClosedBecause.LEFT, now)

    def _leave(self, table: Table, now: float) -> None:
        if table.watching:
            self._lobby.watchings.leave()
        else:
            self._past.left(table.table_id, table.votes.leave(now))
        self.table = None

    def close(self, reason: ClosedBecause, now: float) -> None:
        """There is no own table any more."""
        self.table = None
        self._lobby.announcing.stand_up()
        self._core.out.emit(TableClosed(reason))
        self._core.out.lobby_changed()
        self._lobby.settle(now)
