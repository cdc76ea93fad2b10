"""The list of named variations: complete, valid, and each different from its form."""

import pytest

from engine import VARIATIONS, Ruleset, RulesetError, variations_of
from engine.rules import PRESETS
from engine.sim import run

EXPECTED = {
    "club": {
        "sole-loser",
        "draw-pile-each-round",
        "draw-pile-each-turn",
        "no-aces",
        "ascending",
        "open-calls",
        "two-packs",
        "forced-sets",
        "sets-at-deal",
    },
    "pagat": {"forced-sets", "sets-at-deal"},
    "encyclopedia": {"one-random-card", "no-veryu", "capped-lead", "forced-sets", "sets-at-deal"},
    "dictionary": {"one-random-card", "no-veryu", "capped-lead", "forced-sets", "sets-at-deal"},
}


@pytest.mark.parametrize("form", PRESETS)
def test_every_form_offers_the_variations_of_the_rules(form):
    assert {variation.name for variation in variations_of(form)} == {
        f"{form}-{name}" for name in EXPECTED[form]
    }


@pytest.mark.parametrize("name", VARIATIONS)
def test_a_variation_is_its_form_with_exactly_its_options_changed(name):
    variation = VARIATIONS[name]
    changed = {option: value for option, value, _ in variation.ruleset.differences()}
    usual = Ruleset.preset(variation.form).to_mapping()
    assert changed == {option: value for option, value in variation.options.items() if usual[option] != value}
    assert changed


def players_of(rules):
    """Every number of players that may play by these rules."""
    found = []
    for players in range(2, 13):
        try:
            rules.resolve(players)
        except RulesetError:
            continue
        found.append(players)
    return found


@pytest.mark.parametrize("name", VARIATIONS)
def test_a_variation_is_played_to_the_end_by_the_fewest_and_the_most_players(name):
    rules = VARIATIONS[name].ruleset
    numbers = players_of(rules)
    assert numbers[0] == 2
    assert len(numbers) >= 5
    for players in (numbers[0], numbers[-1]):
        result = run(3, players, rules, 5, ("random",) * players)
        assert result.void == 0
