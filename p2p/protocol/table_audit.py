"""The auditor's verdict on the deal that has just ended at the own table, as a job beside the loop.

The same verification that runs during the deal runs again from the first entry, without a seat and without
keys: what a stranger with the transcript would find.
"""

from crypto import Group, Stream
from p2p.protocol.audit import take, take_votes, votes_of
from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.deal import Deal
from p2p.protocol.deal_run import DealRun
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Absent, Finished, Job, Outcome, Stopped, Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_effects import Run
from p2p.protocol.peer_events import AuditDone, AuditView

SEED_BYTES = 32


class Audits:
    """The audits at one table that are on their way, and what they find."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._runs: dict[int, DealRun] = {}

    def begin(self, run: DealRun, outcome: Outcome) -> None:
        """Let the auditor go over an ended deal. Only the verdict on its latest end counts."""
        self._runs = {job: other for job, other in self._runs.items() if other is not run}
        run.audit = None
        if not self._core.audits or isinstance(outcome, Stopped):
            return
        job = _audit_job(self._core.new_job(), run, outcome, self._core.group, self._core.draw(SEED_BYTES))
        self._runs[job.id] = run
        self._core.out.add(Run(job))

    def done(self, job: int, outcome: object) -> bool:
        """Take the verdict of a job; False if the job is none of these.

        Raises: what the audit raised: that is this machine's fault and no verdict.
        """
        run = self._runs.pop(job, None)
        if run is None:
            return False
        if isinstance(outcome, BaseException):
            raise outcome
        assert isinstance(outcome, AuditView), "an audit returns its verdict"
        run.audit = outcome
        self._core.out.emit(AuditDone(run.number, outcome))
        return True


def _audit_job(
    number: int, run: DealRun, outcome: Finished | Void | Absent, group: Group, seed: bytes
) -> Job:
    entries = run.deal.record.all_entries()
    if isinstance(outcome, Absent):
        entries = run.deal.record.before(outcome.step)
    if isinstance(outcome, Void):
        entries += tuple(signed for signed in outcome.evidence.accused if signed not in entries)
    final_head = outcome.final_head if isinstance(outcome, Finished) else None
    votes = tuple(vote for vote, _ in votes_of(outcome))
    return Job(number, audit_ledger, (run.terms, entries, votes, final_head, group, seed))


def audit_ledger(
    terms: DealTerms,
    entries: tuple[SignedEntry, ...],
    votes: tuple[SignedBallot | SignedLeave, ...],
    final_head: bytes | None,
    group: Group,
    seed: bytes,
) -> AuditView:
    """Verify a deal from its entries alone.

    Args:
        terms: what the deal started from.
        entries: all of them by step and seat, the accused ones of a void deal last.
        votes: the ballots and leaves that ended it, if any did.
        final_head: the head that the deal ended with here (32 bytes); None for one that broke off.
        group: the group of the deal.
        seed: 32 random bytes, for the verifier's weights.
    """
    deal = Deal(terms, None, Stream(b"audit", seed), group)
    for signed in entries:
        take(deal, signed)
    take_votes(deal, votes)
    outcome = deal.outcome
    if isinstance(outcome, Absent):
        return AuditView(True)
    if isinstance(outcome, Void):
        return AuditView(False, outcome.check, outcome.step, outcome.seat)
    if not isinstance(outcome, Finished):
        return AuditView(False, "unfinished", deal.step)
    if outcome.final_head != final_head or deal.noise:
        return AuditView(False, "end", outcome.step)
    return AuditView(True)
