"""The deals of one table that are in hand, and how one follows the other.

Theory of operation. The first deal begins at once. When a deal has ended, the next one stands ready, and a
seat that wants it makes its commit: the wish is a signed entry like any other, so it reaches everybody. With
the last commit that deal becomes the current one. The one before is kept to answer those who lag behind.

A commit waits for every receipt of the deal before, unless that one broke off before its last step. Without
them its last entry might still turn out forked, and nobody could take back a commit that builds on it. A deal
that turned out void behind its last step may still be finished by them: there a commit waits for them, or
until all say that for them, too, the next deal follows a void one, and that one receipt at least nobody has.
Nothing is lost by waiting: whoever
withholds his receipt, or says something else, could as well withhold his commit.

    deal n running --ended--> deal n ended, deal n+1 waits for commits --all are in--> deal n+1 running

Who plays a deal is in its terms (`succession.py`). A member who does not play it verifies it as a watcher.

A deal that nobody has begun to play yet can be ended by a poll, too: then the one after it stands ready in
its place.
"""

from collections import deque
from typing import TYPE_CHECKING

from p2p.protocol.archive import Archive
from p2p.protocol.deal_run import DealRun, mask_of
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import (
    Absent,
    Effect,
    Ended,
    Fetch,
    Happened,
    Job,
    Outcome,
    ProtocolEvent,
    Publish,
    PublishVote,
    Run,
    Store,
    Void,
)
from p2p.protocol.gossip import Position
from p2p.protocol.messages import Entries, JunkError, JunkReason
from p2p.protocol.peer_effects import Keep
from p2p.protocol.peer_effects import Run as PeerRun
from p2p.protocol.peer_events import DealEnded, DealStarted
from p2p.protocol.resumed import ResumedTable
from p2p.protocol.returning import Returning
from p2p.protocol.succession import Succession
from p2p.protocol.table_audit import Audits

if TYPE_CHECKING:
    from p2p.protocol.table import Table

EARLY_LIMIT = 64
"""Messages about a deal that has not begun here yet: its commits come a moment before the own last entry."""
PASSED_KEPT = 4
"""Deals that nobody began to play, kept for those who have not heard of their end."""
EARLIER_KEPT = 3
"""Deals before the last one that are still in hand: who was cut off in one of them may have opened a poll
there, and is bound until others have answered it."""


class TableDeals:
    """The deals of one table; what they ask for is passed on to its other parts."""

    def __init__(self, table: "Table", resumed: ResumedTable | None, now: float, *, returning: bool) -> None:
        """Prepare the first deal, or the one at which the table stands; `begin` starts it.

        resumed, returning: as in `Table`.
        """
        self.succession = Succession(table.proposal)
        self.archive = Archive()
        """The deals that are not in hand any more."""
        self.next: DealRun | None = None
        """The one that stands ready."""
        self.before: DealRun | None = None
        """The one before the current one."""
        self._table = table
        self._core = table.core
        waiting = not table.watching and (returning or resumed is not None)
        self._back = Returning(table.core, now, waiting=waiting)
        self._earlier: deque[DealRun] = deque(maxlen=EARLIER_KEPT)
        self._passed: deque[DealRun] = deque(maxlen=PASSED_KEPT)
        self._early: deque[tuple[bytes, Entries]] = deque(maxlen=EARLY_LIMIT)
        self._jobs: dict[int, tuple[DealRun, int]] = {}
        self._audits = Audits(table.core)
        terms = DealTerms.first(table.signed)
        if resumed is not None:
            terms = self._back.restore(resumed, self.succession, self.archive)
        self.current = self._back.prepare(terms, now)
        """The one that is played, or was last."""

    # What is in hand

    @property
    def runs(self) -> tuple[DealRun, ...]:
        """All of them."""
        runs = (self.current, self.next, self.before, *self._earlier, *self._passed)
        return tuple(run for run in runs if run is not None)

    def run_of(self, deal: int) -> DealRun:
        """A deal in hand, by its number. Raises: JunkError if there is none."""
        for run in self.runs:
            if run.number == deal:
                return run
        raise JunkError(JunkReason.UNFIT)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Where this peer stands: in the current deal, and in the one that stands ready."""
        return tuple(run.position for run in (self.current, self.next) if run is not None)

    def digests(self, deal: int) -> list[bytes]:
        """The digests of a deal in hand, by step."""
        return self.run_of(deal).digests

    @property
    def between(self) -> bool:
        """Whether a deal is over and the next one has not begun here."""
        return self.current.ended

    def comes_early(self, deal: int) -> bool:
        """Whether the deal with this number is one that stands ready elsewhere, and does not yet here."""
        return deal == self.current.number + 1 and self.next is None

    # Coming back

    @property
    def replaying(self) -> bool:
        """Whether the journal is still being read: until then this peer stands nowhere that it could tell."""
        return any(run.deal.replaying for run in (self.current, self.next) if run is not None)

    @property
    def taking_up(self) -> bool:
        """Whether this peer has come back and still makes sure that it knows all it has ever said here."""
        return self._back.waiting

    @property
    def next_timer(self) -> float:
        """When `consider_speaking` has something to do."""
        return self._back.next_timer

    def consider_speaking(self, now: float) -> None:
        """After a return: make new entries again, once all own ones must be known here."""
        for run in self.runs:
            if run.stopped and run.deal.outcome is None:
                self.carry_out(run, run.deal.stop(), now)
        if self._back.is_over(self._table.members.values(), self.positions, now):
            for run in self.runs:
                self.carry_out(run, run.deal.speak(), now)

    # What comes in

    def keep_early(self, key: bytes, message: Entries) -> None:
        """Keep entries of a deal that comes early, until it stands ready here, too."""
        self._early.append((key, message))

    def job_done(self, job: int, outcome: object, now: float) -> bool:
        """A job has returned `outcome`, or raised it. Returns whether it was one of a deal in hand.

        Raises: what an audit raised: this machine's fault.
        """
        if self._audits.done(job, outcome):
            return False
        run, deal_job = self._jobs.pop(job, (None, 0))
        if run is not None:
            self.carry_out(run, run.deal.job_done(deal_job, outcome), now)
        return run is not None

    def want_next(self) -> bool:
        """Want the next deal. Returns whether that could be said: only by one who plays it, and once."""
        if self.next is None or self.next.wanted or self.next.own is None:
            return False
        self.next.wanted = True
        return True

    def take_back(self) -> None:
        """Do not want the next deal any more, as long as that has not been signed."""
        if self.next is not None and not self.next.started:
            self.next.wanted = False

    # What a deal asks for

    def carry_out(self, run: DealRun, effects: tuple[Effect, ...], now: float) -> None:
        """Pass a deal's effects on."""
        table = self._table
        for effect in effects:
            match effect:
                case Store() if not table.watching:
                    self._core.out.add(Keep(table.table_id, run.terms.encode(), effect))
                case Publish():
                    table.gossip.send_all(Entries(table.table_id, run.number, (effect.signed,)))
                case PublishVote():
                    table.votes.send(run, effect)
                case Fetch():
                    table.gossip.fetch(effect.source, run.position, effect.step, now)
                case Run():
                    job = self._core.new_job()
                    self._jobs[job] = (run, effect.job.id)
                    self._core.out.add(PeerRun(Job(job, effect.job.function, effect.job.args)))
                case Happened():
                    self._tell(run, effect, now)
                case Ended():
                    self._ended(run, effect.outcome, now)
        if run.step != run.deal.step:
            run.step, run.step_since = run.deal.step, now
        self.look(now)

    def _tell(self, run: DealRun, happened: Happened, now: float) -> None:
        if isinstance(happened.event, ProtocolEvent):
            return  # the snapshot shows these
        self._core.out.emit(run.note(happened.step, happened.event, now))

    # From deal to deal

    def begin(self, now: float) -> None:
        """Take part in the first deal, or in the one at which the table stands."""
        self._begin(self.current, now)
        self._start(self.current, now)

    def look(self, now: float) -> None:
        """Notice when commits to the next deal can be made, and when the first one is here: before nobody is
        late with his.
        """
        following = self.next
        if following is None:
            return
        if following.open_since is None and self._may_commit(following):
            following.open_since = now
        if following.wished_since is None and following.deal.have:
            following.wished_since = now

    def go_on(self, now: float) -> None:
        """Commit to the next deal when that may be done, and pass to it once all have."""
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
            if self.before is not None:
                self.archive.keep(self.before.deal)
                self._table.books.erase(self.before)
                self._earlier.append(self.before)
            self.before, self.current, self.next = self.current, self.next, None
            self._begin(self.current, now)

    def _begin(self, run: DealRun, now: float) -> None:
        """From now on `run` is the current deal."""
        run.step_since = now
        self._core.out.emit(DealStarted(run.number))

    def _start(self, run: DealRun, now: float) -> None:
        """Make the own commit."""
        run.wanted = run.started = True
        self.carry_out(run, run.deal.start(), now)

    def _ended(self, run: DealRun, outcome: Outcome, now: float) -> None:
        """A deal has ended; or, until all have signed it, a finished one turns out void, or a void one
        finished.
        """
        self.succession.take(run.terms, outcome, run.deal.state)
        if isinstance(outcome, Void):
            self._table.answers.show_all(run, outcome)
        if run is self.next or run in self._passed:
            self._close(run, outcome)
            self._pass_over(run, outcome, now)
            return
        self._close(run, outcome)
        self._audits.begin(run, outcome)
        result = run.result(self.succession.standings(run.terms))
        assert result is not None
        self._core.out.emit(DealEnded(run.number, result))
        terms = self.succession.terms_after(run.terms, outcome, run.deal.state)
        # Whoever plays no more, since a poll has given up his receipt, has nothing to take back.
        out = terms is not None and self._core.key not in terms.keys
        if run is self.current and (self.next is None or not self.next.started or out):
            self._prepare_next(terms, now)
            if isinstance(outcome, Absent) and self.next is not None and not run.deal.trust.seals_complete:
                # Nothing was dealt yet: the same is attempted anew, with those who are there.
                self.next.wanted = run.wanted and self.next.own is not None

    def _close(self, run: DealRun, outcome: Outcome) -> None:
        """Have the end of a deal written down, unless it is only watched."""
        if run.closed:
            run.closed = False  # the journal says so already; what changes it from now on is news
        elif not self._table.watching:
            note = self.succession.note(run.number)
            self._core.out.add(run.closing(self._table.proposal, outcome, note))

    def _pass_over(self, run: DealRun, outcome: Outcome, now: float) -> None:
        """The next deal has ended before all wanted it: the one after it stands ready instead."""
        if run is self.next:
            self._passed.append(run)
        if run is self._passed[-1] and (run is self.next or self.next is None or not self.next.started):
            self._prepare_next(self.succession.terms_after(run.terms, outcome, run.deal.state), now)

    def _prepare_next(self, terms: DealTerms | None, now: float) -> None:
        """The next deal stands ready, if there can be one. Whoever wanted it before its terms changed still
        wants it.
        """
        before = self.next
        if terms is None:
            self.next = None
        elif before is None or before.terms != terms:
            # A deal that was passed over and has other terms now is none of the table's any more.
            still = (run for run in self._passed if run.number < terms.deal)
            self._passed = deque(still, maxlen=PASSED_KEPT)
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
        others = (key for key in following.terms.keys if key != self._core.key)
        said = (self._table.members[key].statuses.get(following.number) for key in others)
        return all(status is not None and status.head == following.deal.head for status in said)

    def _receipts_signed(self) -> int:
        """Bit s if somebody says that he has the receipt of seat s of the current deal.

        Whoever says that for him a void deal is followed has said before which receipts he has, his own among
        them, and signs none any more.
        """
        at = self.current.position
        signed = at.have
        for member in self._table.members.values():
            status = member.statuses.get(at.deal)
            if status is not None and (status.step, status.head) == (at.step, at.head):
                signed |= status.have
        return signed
