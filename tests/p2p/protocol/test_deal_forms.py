"""Whole deals in memory by every form and variation that the network carries, each audited."""

from collections import Counter

import pytest
from deal_players import Table, seeded_draw, table_of

from engine import VARIATIONS, Ruleset
from p2p.protocol.audit import audit
from p2p.protocol.carried import as_carried
from p2p.protocol.effects import Finished
from p2p.protocol.entry import Kind
from p2p.protocol.transcript import write_transcript


def played(players: int, rules: Ruleset, seed: int = 1, **options: object) -> Table:
    """A deal played to its end by random moves, the same for everybody, and approved by the auditor."""
    table = table_of(players, rules=rules, seed=seed, watchers=1, **options)
    table.start()
    table.play(steps=6000)
    assert all(len(seen) == 1 for seen in table.digests.values())
    outcomes = {deal.outcome for deal in table.deals}
    assert len(outcomes) == 1
    outcome = outcomes.pop()
    assert isinstance(outcome, Finished), outcome
    assert all(deal.settled and not deal.noise for deal in table.deals)
    texts = {write_transcript(deal) for deal in table.deals}
    assert len(texts) == 1
    report = audit(texts.pop(), seeded_draw("audit"), table.group)
    assert report.ok, report
    assert (report.loser, report.winner) == (outcome.loser, outcome.winner)
    assert (outcome.loser is None) == (rules.end == "first_out")
    return table


def kinds_of(table: Table) -> Counter[Kind]:
    """How many entries of each kind the deal has."""
    return Counter(signed.open().kind for signed in table.deals[0].record.all_entries())


FORMS = ("club", "pagat", "encyclopedia", "dictionary")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_played_to_its_end(form: str) -> None:
    played(3, as_carried(Ruleset.preset(form)), seed=3)


@pytest.mark.parametrize("name", VARIATIONS)
def test_every_named_variation_is_played_to_its_end(name: str) -> None:
    played(3, as_carried(VARIATIONS[name].ruleset))
