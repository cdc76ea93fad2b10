"""What the tests of attacks share: the verdict that everybody honest, and a stranger, has to come to."""

from collections.abc import Callable

import pytest
from deal_players import Table, seeded_draw

from p2p.protocol.audit import audit, verify_evidence
from p2p.protocol.effects import Void
from p2p.protocol.evidence import decode_evidence
from p2p.protocol.transcript import write_transcript

Verdict = Callable[[Table, int], str]


def _verdict(table: Table, liar: int) -> str:
    """Every honest peer has ended the deal and named the liar, with evidence that convinces a stranger and
    a transcript that convinces the auditor; the name of the check that failed, the same for all.
    """
    checks = set()
    for deal in table.honest:
        assert isinstance(deal.outcome, Void), deal.outcome
        assert deal.outcome.seat == liar
        evidence = decode_evidence(deal.outcome.evidence.encode())
        verify_evidence(evidence, seeded_draw("a stranger"), table.group)
        report = audit(write_transcript(deal), seeded_draw("the auditor"), table.group)
        assert (report.ok, report.check, report.seat) == (False, deal.outcome.check, liar)
        checks.add(deal.outcome.check)
    (check,) = checks
    return check


@pytest.fixture
def verdict() -> Verdict:
    """Check that all honest peers, a stranger and the auditor name one liar; returns the failed check."""
    return _verdict
