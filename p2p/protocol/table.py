"""A formed table: it keeps its members in step, deal after deal.

Theory of operation. The members are those of the proposal; nobody among them has any power. How one deal
follows the other is in `table_deals.py`; here every message finds the deal that it is about, and after each
one, and with time, this peer draws its conclusions and tells the others where it stands. Everybody passes on
the entries of everybody, also who does not play a deal.

A seat that is missed is polled about (`absence.py`, `poll.py`); who left, or was voted absent, is not among
the players of later deals.

Heads and digests travel in statuses. Where heads are equal and digests are not, this peer goes no further
with the deal. Evidence of a breach or fork goes to everybody, again each second to whoever still plays on.

A peer without a seat can have the table, too: it *watches*. It verifies all deals like a member who does not
play them, says nothing that counts, and has nothing written down.
"""

from crypto import fingerprint
from engine import Answer, Call, DiscardSets, GoOut, IllegalMove, Lay, Move, Refusal
from p2p.protocol.deal import Choice
from p2p.protocol.deal_run import DealRun
from p2p.protocol.effects import Ended, Stopped, Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.errors import NotNow
from p2p.protocol.gossip import Gossip
from p2p.protocol.messages import (
    Ballots,
    Books,
    Entries,
    Evidence,
    Fetch,
    JunkError,
    JunkReason,
    Leaves,
    Status,
    TableMessage,
)
from p2p.protocol.names import distinct_names, name_warnings
from p2p.protocol.own_answers import OwnAnswers
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_events import MoveRefused, StoppedByDigest
from p2p.protocol.proposal import SignedProposal
from p2p.protocol.resumed import ResumedTable
from p2p.protocol.table_answers import TableAnswers
from p2p.protocol.table_books import TableBooks
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_deals import TableDeals
from p2p.protocol.table_votes import TableVotes
from p2p.protocol.table_watchers import TableWatchers
from p2p.protocol.text import clean_title

MovePlace = tuple[bytes | None, int, int]
"""Table id, deal and step."""


class Table:
    """One formed table at which this peer has a seat, or which it watches."""

    def __init__(
        self,
        core: Core,
        signed: SignedProposal,
        now: float,
        code: TableCode | None = None,
        *,
        resumed: ResumedTable | None = None,
        returning: bool = False,
    ) -> None:
        """Sit down at a table.

        Args:
            core: the peer.
            signed: what all have signed.
            now: the time.
            code: what was needed to sit down here, kept for the tables that go on from this one and for who
                wants to watch.
            resumed: what the journal holds of the table, to take it up again; or what a member has told of
                it, to watch it from the deal that is played.
            returning: the own key may have spoken at it before.
        """
        proposal = signed.open()
        self.core = core
        self.now = now
        self.signed = signed
        self.proposal = proposal
        self.watching = proposal.seat_of(core.key) is None
        self.code = code
        self.table_id = proposal.table_id
        self.offer_id = proposal.offer_id
        self.rules = proposal.table_rules
        keys = tuple(member.key for member in proposal.members)
        raw = {member.key: member.name for member in proposal.members}
        self.title = clean_title(proposal.title)
        self.names = distinct_names(raw)
        self.warnings = name_warnings(core.key, core.name, raw, core.known)
        self.fingerprints = {key: fingerprint(key) for key in keys}
        self.watchers = TableWatchers(self)
        self.gossip = Gossip(core, signed, self.table_id, keys, self.watchers)
        self.members = self.gossip.members
        self.company_sizes = proposal.company_sizes
        self.deals = TableDeals(self, resumed, now, returning=returning)
        self.answers = TableAnswers(self)
        self.votes = TableVotes(self)
        if self.deals.taking_up:
            self.votes.absence.came_back(now)
        self.books = TableBooks(self)
        self.votes.restore(() if resumed is None else resumed.leaves)
        self._answers = OwnAnswers(core, self.rules)
        for key in self.members:
            if key not in core.links:
                self.members[key].lost_at = now
        self.deals.begin(now)
        self._settle(now)

    # Links and time

    def link_up(self, key: bytes, now: float) -> bool:
        """A link to a member stands again. Returns whether `key` is one."""
        member = self.members.get(key)
        if member is None:
            return False
        member.lost_at = None
        self.votes.absence.linked(key, now)
        self.gossip.unheard(member, now)
        if not self.deals.replaying:
            self.tell_all_to(key, now)
        self._settle(now)
        return True

    def tell_all_to(self, key: bytes, now: float) -> None:
        """Tell a member or watcher on a new link where this peer stands, and what no position speaks of."""
        self.gossip.tell_one(key, self.deals.positions, self.deals.digests, now)
        self.books.tell_again(key, self.deals.current, self.deals.before)

    def link_down(self, key: bytes, now: float) -> bool:
        """The link to a member or watcher is gone. Returns whether `key` is a member."""
        self.watchers.gone(key)
        member = self.members.get(key)
        if member is None:
            return False
        member.lost_at = now
        self.gossip.answered()
        self._settle(now)
        return True

    def tick(self, now: float) -> None:
        """Let time pass."""
        self.gossip.tell_formed(now)
        move = self._answers.due(self.deals.current, now)
        if move is not None:
            # What the person has done in this very moment stands.
            try:
                self._make(move, now)
            except NotNow:
                self.deals.current.lapsed = False
        self._settle(now)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        if self.deals.replaying:
            return None  # what is to be done next follows from what the journal holds
        times = (self.gossip.next_timer(), self.deals.next_timer, self._answers.next_timer)
        return min(time for time in times if time is not None)

    # Messages

    def heard_from(self, key: bytes) -> None:
        """A member has shown that he knows of the table."""
        member = self.members.get(key)
        if member is not None:
            member.heard = True

    def receive(self, key: bytes, message: TableMessage, now: float) -> None:
        """Take in one message from a member.

        Raises:
            JunkError: UNFIT, if it means nothing here and now.
        """
        self.heard_from(key)
        match message:
            case Entries():
                self._entries_came(key, message, now)
            case Evidence():
                self._take(self.deals.run_of(message.deal), key, message.entries, now)
            case Status():
                self._status_came(key, message, now)
            case Fetch():
                self.answers.to_fetch(key, message)
            case Leaves():
                self.votes.leaves_came(message, now)
            case Ballots():
                self.votes.ballots_came(message, now)
            case Books():
                self.books.came(message)
        self._settle(now)

    def _entries_came(self, key: bytes, message: Entries, now: float) -> None:
        if self.deals.comes_early(message.deal):
            self.deals.keep_early(key, message)
            return
        run = self.deals.run_of(message.deal)
        self.gossip.answered()
        self._take(run, key, message.entries, now)

    def _take(self, run: DealRun, key: bytes, entries: tuple[SignedEntry, ...], now: float) -> None:
        noise = run.deal.noise.total()
        for signed in entries:
            self.deals.carry_out(run, run.deal.receive(signed, key), now)
            if run.deal.noise.total() > noise:
                # What follows is not looked at: a message of forged entries costs one signature.
                raise JunkError(JunkReason.UNFIT)
            self.votes.heard(run, signed, now)

    def _status_came(self, key: bytes, status: Status, now: float) -> None:
        member = self.gossip.status_came(key, status, now)
        self.votes.absence.heard_of(status.linked, now)
        run = self.answers.to_status(key, member.told, status, member.deal, now)
        if run is None:
            return
        if not isinstance(run.deal.outcome, Void):
            self._compare(run, key, status, now)
        if not self.deals.replaying and self.gossip.is_behind(member, run.position, now):
            self.gossip.tell_one(key, self.deals.positions, self.deals.digests, now)

    def _compare(self, run: DealRun, key: bytes, status: Status, now: float) -> None:
        """Compare heads, and where they are equal digests, the earliest first."""
        if status.step > run.deal.step:
            return
        step, head, digest = run.to_compare(status)
        effects = run.deal.compare(step, head, digest, key)
        if any(isinstance(effect, Ended) and isinstance(effect.outcome, Stopped) for effect in effects):
            self.core.out.emit(StoppedByDigest(run.number, step, key))
        self.deals.carry_out(run, effects, now)

    def job_done(self, job: int, outcome: object, now: float) -> None:
        """A job has returned `outcome`, or raised it. Raises: what an audit raised: this machine's fault."""
        if not self.watchers.job_done(job, outcome) and self.deals.job_done(job, outcome, now):
            self._settle(now)

    # What the own person wishes

    @property
    def place(self) -> MovePlace:
        """Where a move lands that is made now."""
        return self.table_id, self.deals.current.number, self.deals.current.deal.step

    def submit(self, move: Move, now: float) -> None:
        """Make the own seat's move, or say why it cannot be made."""
        if not isinstance(move, Lay | Call | Answer | GoOut | DiscardSets):
            self.core.out.emit(MoveRefused(Refusal.NOT_NOW))
            return
        try:
            self._make(move, now)
        except IllegalMove as refused:
            self.core.out.emit(MoveRefused(refused.reason, tuple(sorted(refused.data.items()))))
        except NotNow:
            self.core.out.emit(MoveRefused(Refusal.NOT_NOW))

    def _make(self, move: Choice, now: float) -> None:
        """Make the own seat's move. Raises: IllegalMove, NotNow; nothing changes then."""
        effects = self.deals.current.deal.submit(move)
        self.deals.carry_out(self.deals.current, effects, now)
        self._settle(now)

    def want_next(self, now: float) -> bool:
        """Want the next deal. Returns whether that could be said: only by one who plays it, and once."""
        if not self.deals.want_next():
            return False
        self._settle(now)
        return True

    # What follows

    def _settle(self, now: float) -> None:
        """Draw the consequences of what came in."""
        self.now = now
        self.deals.look(now)
        self.votes.settle(now)
        self.deals.go_on(now)
        if self.deals.replaying:
            return
        self.deals.consider_speaking(now)
        if not self.deals.taking_up:
            self._answers.consider(self.deals.current, now)
        positions = self.deals.positions
        self.gossip.tell(positions, self.deals.digests, now)
        self.gossip.ask(positions, self.deals.current.missing, now)
