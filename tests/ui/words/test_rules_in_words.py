"""A ruleset in sentences and options."""

import pytest

from engine import OPTIONS, VARIATIONS, Ruleset, RulesetError, RulesetFault
from engine.rules import PRESETS
from ui import i18n
from ui.rulesets import named
from ui.words.explained import how_it_goes, rule_texts, variation_texts
from ui.words.options import option_explanation, option_name, option_value, ruleset_refused
from ui.words.rules import (
    card_head,
    difference_lines,
    form_with_differences,
    form_with_mark,
    ready_question,
    rule_lines,
)
from ui.words.table import form_name
from ui.words.variations import variation_title

PAGAT = Ruleset.preset("pagat")


def test_rules_are_told_in_the_order_of_a_turn() -> None:
    assert [line.text for line in rule_lines(PAGAT.resolve(4))] == [
        "52 cards, one burned unseen",
        "The dealer's left leads first",
        "Lay 1 to 3 cards a turn",
        "A turn without a card is refused",
        "Say rank and number, number true",
        "Only the next player may call",
        "No “I believe”",
        "A lead of one card may be called like any other",
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
@pytest.mark.parametrize("form", PRESETS)
def test_every_played_form_can_be_told(form: str, language: str) -> None:
    i18n.use_language(language)
    rules = Ruleset.preset(form)
    assert all(line.text and not line.differs for line in rule_lines(rules))
    assert all(line.text for line in rule_lines(rules.resolve(4)))


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("form", PRESETS)
def test_every_difference_that_can_be_played_is_told(form: str, language: str) -> None:
    i18n.use_language(language)
    bases = (
        {},
        {"deal": "hand"},
        {"rank_rule": "ascending"},
        {"callers": "any"},
        {"sets": "forced", "packs": 2},
        {"claim_number": "honest", "end": "sole_loser"},
        {"session": "to_n_losses"},
    )
    for base in bases:
        usual = difference_texts(Ruleset.with_preset(form, base))
        for option, domain in OPTIONS.items():
            for value in (*domain.values, *list(domain.numbers)[:4]):
                try:
                    rules = Ruleset.with_preset(form, {**base, option: value})
                except RulesetError:
                    continue
                if rules != Ruleset.with_preset(form, base):
                    assert difference_texts(rules) != usual, (option, value)


def difference_texts(rules: Ruleset) -> list[tuple[str, str]]:
    """Return what is told of a ruleset's differences."""
    return [(line.text, line.usual) for line in difference_lines(rules)]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_options_and_their_values_have_words(language: str) -> None:
    i18n.use_language(language)
    for option, domain in OPTIONS.items():
        assert option_name(option) != option
        assert option_explanation(option).endswith(".")
        for value in domain.values:
            words = option_value(option, value)
            assert language == "en" or words != value or isinstance(value, int)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("name", [*PRESETS, *VARIATIONS])
def test_every_form_and_variation_is_explained(name: str, language: str) -> None:
    i18n.use_language(language)
    rules = named(name)
    assert all(sentence.endswith(".") for sentence in how_it_goes(rules))
    assert rule_texts(rules)
    if name in VARIATIONS:
        assert difference_lines(rules)
        assert variation_title(VARIATIONS[name]).startswith(form_name(rules.form))
    else:
        assert all(changes for _name, _title, changes in variation_texts(name))


def test_what_a_session_goes_to_is_told_with_its_number() -> None:
    for form, count, text in (
        (
            "pagat",
            2,
            "A session goes to 2 losses; fewest losses are best, and a tie takes one more deal",
        ),
        ("club", 1, "A session goes to 1 win"),
    ):
        rules = Ruleset.preset(form).with_(session="to_n_losses", session_losses=count)
        assert difference_texts(rules) == [(text, "usually: deals are counted")]


def test_the_explanation_follows_the_options() -> None:
    told = " ".join(how_it_goes(Ruleset.preset("club").with_(callers="any", deal="hand")))
    assert "Anyone may say “I don't believe”." in told
    assert "Nobody is out while the draw pile lasts." in told
    assert "I believe”:" not in " ".join(how_it_goes(PAGAT))


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
