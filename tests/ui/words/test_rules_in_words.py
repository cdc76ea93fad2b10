"""A ruleset in sentences and options."""

import pytest

from engine import OPTIONS, Ruleset, RulesetError, RulesetFault, played_forms
from ui import i18n
from ui.words.options import option_name, option_value, ruleset_refused
from ui.words.rules import (
    card_head,
    difference_lines,
    form_with_differences,
    form_with_mark,
    ready_question,
    rule_lines,
)

PAGAT = Ruleset.preset("pagat")


def test_rules_are_told_in_the_order_of_a_turn() -> None:
    assert [line.text for line in rule_lines(PAGAT.resolve(4))][:12] == [
        "52 cards, one burned unseen",
        "The dealer's left leads first",
        "Lay 1 to 3 cards a turn",
        "Say rank and number, number true",
        "Only the next player may call",
        "No “I believe”",
        "A caught bluff: its owner takes all, the caller leads",
        "A wrong call: the caller takes all, the next player leads",
        "After taking, four of a kind may be removed",
        "The last with cards loses",
        "The deal moves to the left",
        "Lost deals are counted",
    ]


def test_differences_come_first_and_say_what_is_usual() -> None:
    lines = rule_lines(PAGAT.with_(next_dealer="loser"))
    assert (lines[0].text, lines[0].usual) == ("The loser deals next", "usually: left")
    assert not any(line.differs for line in lines[1:])


def test_two_limits_changed_together_are_one_difference() -> None:
    rules = PAGAT.with_(lead_max=4, follow_max=4)
    assert [(line.text, line.usual) for line in difference_lines(rules)] == [
        ("Lay 1 to 4 cards a turn", "usually: 3")
    ]
    assert form_with_mark(rules) == "pagat ≠1"
    assert form_with_differences(rules) == "pagat, 1 difference"
    assert card_head(rules) == "pagat, 1 difference:"


def test_a_lead_with_limits_of_its_own_is_told_apart() -> None:
    rules = PAGAT.with_(lead_min=2, lead_max=4)
    assert difference_lines(rules)[0].text == "Lead 2-4 cards; then 1 to 3 cards a turn"


def test_the_usual_form_has_no_mark() -> None:
    assert form_with_mark(PAGAT) == "pagat"
    assert card_head(PAGAT) == "pagat, as usual."
    assert ready_question(PAGAT) == "They are those of pagat. Do you agree?"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("form", played_forms())
def test_every_played_form_can_be_told(form: str, language: str) -> None:
    i18n.use_language(language)
    rules = Ruleset.preset(form)
    assert all(line.text and not line.differs for line in rule_lines(rules))
    assert all(line.text for line in rule_lines(rules.resolve(4)))


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_difference_that_can_be_played_is_told(language: str) -> None:
    i18n.use_language(language)
    untold = {"hand_size", "set_size"}
    for option, domain in OPTIONS.items():
        for value in (*domain.values, *list(domain.numbers)[:4]):
            try:
                rules = PAGAT.with_(**{option: value})
            except RulesetError:
                continue
            if rules.differences() and option not in untold:
                (line,) = difference_lines(rules)
                assert option not in line.text


def test_options_have_names_and_values_in_words() -> None:
    assert option_name("follow_max") == "Cards a turn"
    assert option_value("follow_max", 3) == "up to 3"
    assert option_value("next_dealer", "left") == "left"
    assert option_value("pack", 36) == "36 cards"


@pytest.mark.parametrize("fault", list(RulesetFault))
def test_every_refused_combination_has_a_sentence(fault: RulesetFault) -> None:
    assert ruleset_refused(RulesetError(fault)).endswith(".")


@pytest.mark.parametrize("players", [2, 4])
def test_a_pack_chosen_by_the_number_of_players_is_no_difference(players: int) -> None:
    assert difference_lines(PAGAT.resolve(players), players) == ()
    assert form_with_mark(PAGAT.resolve(players), players) == "pagat"


def test_another_pack_than_the_number_of_players_calls_for_is_one() -> None:
    found = difference_lines(PAGAT.with_(pack=52), 2)
    assert [(line.text, line.usual) for line in found] == [
        ("52 cards, one burned unseen", "usually: 36 cards")
    ]


def test_too_many_players_for_the_rules_are_no_reason_to_fail() -> None:
    assert difference_lines(PAGAT.with_(next_dealer="loser"), 9)[0].text == "The loser deals next"
