"""The auditor's verdict on the deal that has just ended at the own table, as a job beside the loop.

The same verification that runs during the deal runs again from the first entry, without a seat and without
keys: what a stranger with the transcript would find.
"""

from crypto import Group, Stream
from p2p.protocol.audit import take
from p2p.protocol.deal import Deal
from p2p.protocol.deal_run import DealRun
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Finished, Job, Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.peer_events import AuditView

SEED_BYTES = 32


def audit_job(number: int, run: DealRun, outcome: Finished | Void, group: Group, seed: bytes) -> Job:
    """The job that audits a deal which has ended with `outcome`; `number`: its id."""
    entries = run.deal.record.all_entries()
    if isinstance(outcome, Void):
        entries += tuple(signed for signed in outcome.evidence.accused if signed not in entries)
    final_head = outcome.final_head if isinstance(outcome, Finished) else None
    return Job(number, audit_ledger, (run.terms, entries, final_head, group, seed))


def audit_ledger(
    terms: DealTerms, entries: tuple[SignedEntry, ...], final_head: bytes | None, group: Group, seed: bytes
) -> AuditView:
    """Verify a deal from its entries alone.

    Args:
        terms: what the deal started from.
        entries: all of them by step and seat, the accused ones of a void deal last.
        final_head: the head that the deal ended with here (32 bytes); None for a void deal.
        group: the group of the deal.
        seed: 32 random bytes, for the verifier's weights.
    """
    deal = Deal(terms, None, Stream(b"audit", seed), group)
    for signed in entries:
        take(deal, signed)
    outcome = deal.outcome
    if isinstance(outcome, Void):
        return AuditView(False, outcome.check, outcome.step, outcome.seat)
    if not isinstance(outcome, Finished):
        return AuditView(False, "unfinished", deal.step)
    if outcome.final_head != final_head or deal.noise:
        return AuditView(False, "end", outcome.step)
    return AuditView(True)
