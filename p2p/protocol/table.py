"""A formed table: it drives deal after deal and keeps its members in step.

Theory of operation. The members are those of the proposal; nobody among them has any power. The first deal
begins at once. When a deal has ended, the next one stands ready, and a seat that wants it makes its
commit: the wish is a signed entry like any other, so it reaches everybody. With the last commit that deal
becomes the current one. The one before is kept to answer those who lag behind.

A commit waits for every receipt of the deal before, unless that one broke off before its last step. Without
them its last entry might still turn out forked, and nobody could take back a commit that builds on it. A deal
that turned out void behind its last step may still be finished by them: there a commit waits for them, or
until all say that for them, too, the next deal follows a void one, and that one receipt at least nobody has.
Nothing is lost by waiting: whoever
withholds his receipt, or says something else, could as well withhold his commit.

    deal n running --ended--> deal n ended, deal n+1 waits for commits --all are in--> deal n+1 running

Who plays a deal is in its terms (`succession.py`). A member who does not play it verifies it as a watcher,
and passes its entries on like everybody.

A seat that is missed is polled about (`absence.py`, `poll.py`); who left, or was voted absent, is not among
the players of later deals. A deal that nobody has begun to play yet can be ended so, too: then the one after
it stands ready in its place.

Heads and digests travel in statuses. Where heads are equal and digests are not, this peer goes no further
with the deal. Evidence of a breach or fork goes to everybody, again each second to whoever still plays on.

A peer without a seat can have the table, too: it *watches*. It verifies all deals like a member who does not
play them, says nothing that counts, and has nothing written down.
"""

from collections import deque

from crypto import fingerprint
from engine import Answer, Call, DiscardSets, GoOut, IllegalMove, Lay, Move, Refusal
from p2p.protocol.archive import Archive
from p2p.protocol.deal import Choice
from p2p.protocol.deal_run import DealRun, mask_of
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.deal_views import Stage
from p2p.protocol.effects import (
    Absent,
    Effect,
    Ended,
    Happened,
    Job,
    Outcome,
    ProtocolEvent,
    Publish,
    PublishVote,
    Run,
    Stopped,
    Store,
    Void,
)
from p2p.protocol.effects import Fetch as FetchEffect
from p2p.protocol.entry import SignedEntry
from p2p.protocol.errors import NotNow
from p2p.protocol.gossip import Gossip, Position
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
from p2p.protocol.peer_effects import Keep
from p2p.protocol.peer_effects import Run as PeerRun
from p2p.protocol.peer_events import (
    DealEnded,
    DealStarted,
    MoveRefused,
    StoppedByDigest,
)
from p2p.protocol.proposal import SignedProposal
from p2p.protocol.resumed import ResumedTable
from p2p.protocol.returning import Returning
from p2p.protocol.succession import Succession
from p2p.protocol.table_answers import TableAnswers
from p2p.protocol.table_audit import Audits
from p2p.protocol.table_books import TableBooks
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_votes import TableVotes
from p2p.protocol.table_watchers import TableWatchers

EARLY_LIMIT = 64
"""Messages about a deal that has not begun here yet: its commits come a moment before the own last entry."""
PASSED_KEPT = 4
"""Deals that nobody began to play, kept for those who have not heard of their end."""
EARLIER_KEPT = 3
"""Deals before the last one that are still in hand: who was cut off in one of them may have opened a poll
there, and is bound until others have answered it."""


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
        self.names = distinct_names(raw)
        self.warnings = name_warnings(core.key, core.name, raw, core.known)
        self.fingerprints = {key: fingerprint(key) for key in keys}
        self.watchers = TableWatchers(self)
        self.gossip = Gossip(core, signed, self.table_id, keys, self.watchers)
        self.members = self.gossip.members
        self.succession = Succession(proposal)
        self.company_sizes = proposal.company_sizes
        self._archive = Archive()
        self.answers = TableAnswers(self, self._archive)
        self._back = Returning(core, now, waiting=not self.watching and (returning or resumed is not None))
        self._before: DealRun | None = None
        self._earlier: deque[DealRun] = deque(maxlen=EARLIER_KEPT)
        self.next: DealRun | None = None
        self._passed: deque[DealRun] = deque(maxlen=PASSED_KEPT)
        terms = DealTerms.first(signed)
        if resumed is not None:
            terms = self._back.restore(resumed, self.succession, self._archive)
        self.current = self._back.prepare(terms, now)
        self.votes = TableVotes(self)
        if self._back.waiting:
            self.votes.absence.came_back(now)
        self.books = TableBooks(self)
        self.votes.restore(() if resumed is None else resumed.leaves)
        self._early: deque[tuple[bytes, Entries]] = deque(maxlen=EARLY_LIMIT)
        self._jobs: dict[int, tuple[DealRun, int]] = {}
        self._audits = Audits(core)
        self._answers = OwnAnswers(core, self.rules)
        self._shown: tuple[Position, ...] = ()
        for key in self.members:
            if key not in core.links:
                self.members[key].lost_at = now
        self._begin(self.current, now)
        self._start(self.current, now)
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
        if not self.replaying:
            self.tell_all_to(key, now)
        self.core.out.table_changed()
        self._settle(now)
        return True

    def tell_all_to(self, key: bytes, now: float) -> None:
        """Tell a member or watcher on a new link where this peer stands, and what no position speaks of."""
        self.gossip.tell_one(key, self._positions, self.digests, now)
        self.books.tell_again(key, self.current, self._before)

    def link_down(self, key: bytes, now: float) -> bool:
        """The link to a member or watcher is gone. Returns whether `key` is a member."""
        self.watchers.gone(key)
        member = self.members.get(key)
        if member is None:
            return False
        member.lost_at = now
        self.gossip.answered()
        self.core.out.table_changed()
        self._settle(now)
        return True

    def tick(self, now: float) -> None:
        """Let time pass."""
        self.gossip.tell_formed(now)
        move = self._answers.due(self.current, now)
        if move is not None:
            # What the person has done in this very moment stands.
            try:
                self._make(move, now)
            except NotNow:
                self.current.lapsed = False
        self._settle(now)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        if self.replaying:
            return None  # what is to be done next follows from what the journal holds
        times = (self.gossip.next_timer(), self._back.next_timer, self._answers.next_timer)
        return min(time for time in times if time is not None)

    @property
    def replaying(self) -> bool:
        """Whether the journal is still being read: until then this peer stands nowhere that it could tell."""
        return any(run.deal.replaying for run in (self.current, self.next) if run is not None)

    @property
    def taking_up(self) -> bool:
        """Whether this peer has come back and still makes sure that it knows all it has ever said here."""
        return self._back.waiting

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
                self._take(self.run_of(message.deal), key, message.entries, now)
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
        if message.deal == self.current.number + 1 and self.next is None:
            self._early.append((key, message))
            return
        run = self.run_of(message.deal)
        self.gossip.answered()
        self._take(run, key, message.entries, now)

    def _take(self, run: DealRun, key: bytes, entries: tuple[SignedEntry, ...], now: float) -> None:
        noise = run.deal.noise.total()
        for signed in entries:
            self.carry_out(run, run.deal.receive(signed, key), now)
            if run.deal.noise.total() > noise:
                # What follows is not looked at: a message of forged entries costs one signature.
                raise JunkError(JunkReason.UNFIT)
            self.votes.heard(run, signed, now)

    def _status_came(self, key: bytes, status: Status, now: float) -> None:
        member = self.gossip.status_came(key, status, now)
        self.votes.absence.heard_of(status.linked, now)
        if self.current.deal.stage in {Stage.SHUFFLING, Stage.SEALING}:
            self.core.out.table_changed()  # who has verified which shuffle is in view
        run = self.answers.to_status(key, member.told, status, member.deal, now)
        if run is None:
            return
        if not isinstance(run.deal.outcome, Void):
            self._compare(run, key, status, now)
        if not self.replaying and self.gossip.is_behind(member, run.position, now):
            self.gossip.tell_one(key, self._positions, self.digests, now)

    def _compare(self, run: DealRun, key: bytes, status: Status, now: float) -> None:
        """Compare heads, and where they are equal digests, the earliest first."""
        if status.step > run.deal.step:
            return
        step, head, digest = run.to_compare(status)
        effects = run.deal.compare(step, head, digest, key)
        if any(isinstance(effect, Ended) and isinstance(effect.outcome, Stopped) for effect in effects):
            self.core.out.emit(StoppedByDigest(run.number, step, key))
        self.carry_out(run, effects, now)

    def run_of(self, deal: int) -> DealRun:
        """A deal in hand, by its number. Raises: JunkError if there is none."""
        for run in self.runs:
            if run.number == deal:
                return run
        raise JunkError(JunkReason.UNFIT)

    def job_done(self, job: int, outcome: object, now: float) -> None:
        """A job has returned `outcome`, or raised it. Raises: what an audit raised: this machine's fault."""
        if self._audits.done(job, outcome) or self.watchers.job_done(job, outcome):
            return
        run, deal_job = self._jobs.pop(job, (None, 0))
        if run is not None:
            self.carry_out(run, run.deal.job_done(deal_job, outcome), now)
            self._settle(now)

    # What the own person wishes

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
        effects = self.current.deal.submit(move)
        self.carry_out(self.current, effects, now)
        self._settle(now)

    def want_next(self, now: float) -> bool:
        """Want the next deal. Returns whether that could be said: only by one who plays it, and once."""
        if self.next is None or self.next.wanted or self.next.own is None:
            return False
        self.next.wanted = True
        self._settle(now)
        return True

    def take_back(self) -> None:
        """Do not want the next deal any more, as long as that has not been signed."""
        if self.next is not None and not self.next.started:
            self.next.wanted = False

    @property
    def between_deals(self) -> bool:
        """Whether a deal is over and the next one has not begun here."""
        return self.current.ended

    # Deals

    @property
    def runs(self) -> tuple[DealRun, ...]:
        """The deals in hand."""
        runs = (self.current, self.next, self._before, *self._earlier, *self._passed)
        return tuple(run for run in runs if run is not None)

    @property
    def _positions(self) -> tuple[Position, ...]:
        return tuple(run.position for run in (self.current, self.next) if run is not None)

    def digests(self, deal: int) -> list[bytes]:
        """The digests of a deal in hand, by step."""
        return self.run_of(deal).digests

    def _start(self, run: DealRun, now: float) -> None:
        """Make the own commit."""
        run.wanted = run.started = True
        self.carry_out(run, run.deal.start(), now)

    def _begin(self, run: DealRun, now: float) -> None:
        """From now on `run` is the current deal."""
        run.step_since = now
        self.core.out.emit(DealStarted(run.number))

    def carry_out(self, run: DealRun, effects: tuple[Effect, ...], now: float) -> None:
        """Pass a deal's effects on."""
        for effect in effects:
            match effect:
                case Store() if not self.watching:
                    self.core.out.add(Keep(self.table_id, run.terms.encode(), effect))
                case Publish():
                    self.gossip.send_all(Entries(self.table_id, run.number, (effect.signed,)))
                case PublishVote():
                    self.votes.send(run, effect)
                case FetchEffect():
                    self.gossip.fetch(effect.source, run.position, effect.step, now)
                case Run():
                    job = self.core.new_job()
                    self._jobs[job] = (run, effect.job.id)
                    self.core.out.add(PeerRun(Job(job, effect.job.function, effect.job.args)))
                case Happened():
                    self._tell(run, effect, now)
                case Ended():
                    self._ended(run, effect.outcome, now)
        if run.step != run.deal.step:
            run.step, run.step_since = run.deal.step, now

    def _tell(self, run: DealRun, happened: Happened, now: float) -> None:
        if isinstance(happened.event, ProtocolEvent):
            return  # the snapshot shows these
        self.core.out.emit(run.note(happened.step, happened.event, now))

    def _ended(self, run: DealRun, outcome: Outcome, now: float) -> None:
        """A deal has ended; or, until all have signed it, a finished one turns out void, or a void one
        finished.
        """
        self.succession.take(run.terms, outcome, run.deal.state)
        if isinstance(outcome, Void):
            self.answers.show_all(run, outcome)
        if run is self.next or run in self._passed:
            self._close(run, outcome)
            self._pass_over(run, outcome, now)
            return
        self._close(run, outcome)
        self._audits.begin(run, outcome)
        result = run.result(self.succession.standings(run.terms))
        assert result is not None
        self.core.out.emit(DealEnded(run.number, result))
        terms = self.succession.terms_after(run.terms, outcome, run.deal.state)
        # Whoever plays no more, since a poll has given up his receipt, has nothing to take back.
        out = terms is not None and self.core.key not in terms.keys
        if run is self.current and (self.next is None or not self.next.started or out):
            self._prepare_next(terms, now)
            if isinstance(outcome, Absent) and self.next is not None and not run.deal.trust.seals_complete:
                # Nothing was dealt yet: the same is attempted anew, with those who are there.
                self.next.wanted = run.wanted and self.next.own is not None

    def _close(self, run: DealRun, outcome: Outcome) -> None:
        """Have the end of a deal written down, unless it is only watched."""
        if run.closed:
            run.closed = False  # the journal says so already; what changes it from now on is news
        elif not self.watching:
            self.core.out.add(run.closing(self.proposal, outcome, self.succession.note(run.number)))

    def _pass_over(self, run: DealRun, outcome: Outcome, now: float) -> None:
        """The next deal has ended before all wanted it: the one after it stands ready instead."""
        if run is self.next:
            self._passed.append(run)
        if run is self._passed[-1] and (run is self.next or self.next is None or not self.next.started):
            self._prepare_next(self.succession.terms_after(run.terms, outcome, run.deal.state), now)
        self.core.out.table_changed()

    def _prepare_next(self, terms: DealTerms | None, now: float) -> None:
        """The next deal stands ready, if there can be one. Whoever wanted it before its terms changed still
        wants it.
        """
        before = self.next
        if terms is None:
            self.next = None
        elif before is None or before.terms != terms:
            self.next = self._back.prepare(terms, now)
            self.next.wanted |= before is not None and before.wanted and self.next.own is not None
            if self.next.deal.replaying:
                if self.next.wanted:
                    # The own commit is in the journal: nothing that it waited for can still come otherwise.
                    self._start(self.next, now)
                else:
                    self.carry_out(self.next, self.next.deal.replay(), now)

    def _may_commit(self, following: DealRun) -> bool:
        """Whether nobody honest can still come to other terms of the next deal."""
        deal = self.current.deal
        passed = following.number > self.current.number + 1
        if not passed and (deal.settled or not isinstance(deal.outcome, Void | Absent)):
            return deal.settled
        signed = self._receipts_signed()
        if (
            not passed
            and isinstance(deal.outcome, Void)
            and signed == mask_of(range(len(self.current.terms.players)))
        ):
            return False  # they are on their way, and finish the deal for everybody
        said = (self.members[key].statuses.get(following.number) for key in self._others_of(following))
        return all(status is not None and status.head == following.deal.head for status in said)

    def _others_of(self, run: DealRun) -> tuple[bytes, ...]:
        """The keys of the others who play a deal."""
        return tuple(key for key in run.terms.keys if key != self.core.key)

    def _receipts_signed(self) -> int:
        """Bit s if somebody says that he has the receipt of seat s of the current deal.

        Whoever says that for him a void deal is followed has said before which receipts he has, his own among
        them, and signs none any more.
        """
        at = self.current.position
        signed = at.have
        for member in self.members.values():
            status = member.statuses.get(at.deal)
            if status is not None and (status.step, status.head) == (at.step, at.head):
                signed |= status.have
        return signed

    def _settle(self, now: float) -> None:
        """Draw the consequences of what came in."""
        self.now = now
        self.votes.settle(now)
        following = self.next
        waits = following is not None and following.wanted and not following.started
        if following is not None and waits and self._may_commit(following):
            self._start(following, now)
        if self.next is not None and self._early:
            early, self._early = self._early, deque(maxlen=EARLY_LIMIT)
            for key, message in early:
                if message.deal == self.next.number:
                    for signed in message.entries:
                        self.carry_out(self.next, self.next.deal.receive(signed, key), now)
        if self.next is not None and self.next.deal.step > 0:
            if self._before is not None:
                self._archive.keep(self._before.deal)
                self.books.erase(self._before)
                self._earlier.append(self._before)
            self._before, self.current, self.next = self.current, self.next, None
            self._begin(self.current, now)
        if self.replaying:
            return
        self._consider_speaking(now)
        if not self.taking_up:
            self._answers.consider(self.current, now)
        positions = self._positions
        if positions != self._shown:
            self._shown = positions
            self.core.out.table_changed()
        self.gossip.tell(positions, self.digests, now)
        self.gossip.ask(positions, self.current.missing, now)

    def _consider_speaking(self, now: float) -> None:
        """After a return: make new entries again, once all own ones must be known here."""
        for run in self.runs:
            if run.stopped and run.deal.outcome is None:
                self.carry_out(run, run.deal.stop(), now)
        if self._back.is_over(self.members.values(), self._positions, now):
            for run in self.runs:
                self.carry_out(run, run.deal.speak(), now)
            self.core.out.table_changed()
