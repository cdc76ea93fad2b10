"""Opening a table, drawn as text and pressed by name: every option, the name, the code."""

import random
import re

import pytest
from page_text import private_form, text

from engine import OPTIONS, VARIATIONS, Ruleset, variations_of, without_effect
from engine.conflicts import DEPENDENCIES
from p2p.protocol.table_code import own_code
from p2p.protocol.table_rules import RULES, USUAL, TableRules
from ui import i18n
from ui.lobby import Go, OpenTable, Where
from ui.lobby.open_page import OpenTablePage
from ui.lobby.text_field import MOST_CHARACTERS
from ui.rulesets import on_the_network, uncarried
from ui.table_form import FORMS, OPTION_VALUES, TABLE_RULE_VALUES, TableForm
from ui.words.options import not_carried
from ui.words.rules import difference_lines
from ui.words.table import form_name
from ui.words.table_rules import table_rule_explanation, table_rule_name, table_rule_value
from ui.words.variations import form_line, variation_name


def form_at(option: str) -> OpenTablePage:
    """Return the form with the field of an option chosen, and what it depends on set so that it is there."""
    page = OpenTablePage("Kitchen")
    if option in NEEDED:
        choose(page, NEEDED[option])
        while option not in page.form.offered:
            page.press("right")
    choose(page, option)
    return page


def choose(page: OpenTablePage, option: str) -> None:
    """Go to the field of an option by keys."""
    for _ in range(page.count):
        page.press("up")
    for _ in range(FIXED_FIELDS + page.form.offered.index(option)):
        page.press("down")


NEEDED = {one.option: one.needs for one in DEPENDENCIES if one.option not in TableForm().offered} | {
    "window_s": "callers",
    "dealer": "first_dealer",
}


FIXED_FIELDS = 5


def test_open_table_offers_every_option_and_only_values_that_it_can_have() -> None:
    assert set(OPTIONS) == set(OPTION_VALUES)
    for option, values in OPTION_VALUES.items():
        assert all(OPTIONS[option].holds(value) for value in values)


def test_the_rules_of_the_table_are_options_like_the_others_and_only_what_tables_have_is_offered() -> None:
    assert set(TABLE_RULE_VALUES) == set(RULES)
    for rule, values in TABLE_RULE_VALUES.items():
        assert USUAL.to_mapping()[rule] in values
        for value in values:
            TableRules(**{rule: value})
        page = form_at(rule)
        assert page.form.table_rules == USUAL
        assert table_rule_explanation(rule)[:30] in text(page)
        page.press("right")
        assert f"usually {table_rule_value(rule, USUAL.to_mapping()[rule])}" in text(page, 120, 36)
        assert page.form.table_rules != USUAL
        assert [name for name, _, _ in page.form.table_rules.differences()] == [rule]
        page.press("reset")
        assert page.form.table_rules == USUAL


def test_a_time_for_a_turn_counts_as_a_difference_and_goes_with_the_table_whatever_the_form() -> None:
    page = form_at("clock_s")
    page.press("right")
    page.press("right")
    assert "≠ 15 s  usually no limit" in text(page, 120, 36)
    page.pick("form", FORMS.index("dictionary"))
    assert "dictionary, 1 difference" in text(page)
    assert page.press("enter") == OpenTable(
        "Kitchen", Ruleset.preset("dictionary"), 4, TableRules(clock_s=15)
    )


@pytest.mark.parametrize("form", ["club", "pagat", "encyclopedia", "dictionary"])
def test_every_form_can_be_chosen_and_opened(form: str) -> None:
    page = OpenTablePage("Kitchen")
    page.pick("form", FORMS.index(form))
    wish = page.press("enter")
    assert isinstance(wish, OpenTable)
    assert wish.ruleset == on_the_network(Ruleset.preset(form))
    assert "• " + form in text(page)


def test_club_on_the_network_says_true_numbers_and_shows_the_difference() -> None:
    page = form_at("claim_number")
    page.pick("form", FORMS.index("club"))
    for _ in range(FIXED_FIELDS):
        page.press("down")
    assert "≠ true  usually may be false" in text(page, 120, 36)
    assert "club, 1 difference" in text(page)


def test_numbers_that_may_be_false_are_refused_with_a_sentence() -> None:
    page = form_at("claim_number")
    page.press("right")
    assert not page.enter_line().live
    assert "Numbers that may be false are not played over the network yet" in text(page)
    assert page.press("enter") is None


@pytest.mark.parametrize("name", VARIATIONS)
def test_every_named_variation_can_be_chosen_from_the_list(name: str) -> None:
    variation = VARIATIONS[name]
    page = OpenTablePage("Kitchen", seats=3)
    page.pick("form", FORMS.index(variation.form))
    page.press("down")
    page.seats = 6 if name == "club-two-packs" else page.seats
    for _ in range(list(variations_of(variation.form)).index(variation) + 1):
        page.press("right")
    rules = on_the_network(variation.ruleset)
    assert page.ruleset == rules
    assert variation_name(variation) in text(page)
    refused = uncarried(rules)
    if refused is None:
        assert page.press("enter") == OpenTable("Kitchen", rules, page.seats)
    else:
        assert page.press("enter") is None
        assert page.enter_line().aside == not_carried(refused)


def test_an_option_is_offered_only_while_it_does_something_and_keeps_what_was_chosen() -> None:
    order = (*OPTION_VALUES, *TABLE_RULE_VALUES)
    for option, need in NEEDED.items():
        assert order.index(need) < order.index(option), "a field must not move away from under the arrow"
        page = form_at(option)
        page.press("right")
        chosen = page.form.value(option)
        rules, table_rules = page.ruleset, page.form.table_rules
        choose(page, need)
        usual = page.form.value(need)
        for _ in OPTION_VALUES[need]:
            page.press("left")
        while option in page.form.offered:
            page.press("right")
        assert not page.fault(), option
        assert page.ruleset is not None
        assert page.ruleset.to_mapping() == {
            **page.ruleset.to_mapping(),
            **without_effect(page.ruleset.to_mapping()),
        }
        assert page.form.table_rules == USUAL
        while page.form.value(need) != usual:
            page.press("right" if option not in page.form.offered else "left")
        assert (page.form.value(option), page.ruleset, page.form.table_rules) == (chosen, rules, table_rules)


def test_what_an_option_usually_is_is_not_said_where_it_usually_does_nothing() -> None:
    page = form_at("hand_size")
    page.press("right")
    assert page.form.value("hand_size") == 6
    assert "≠ 6" not in text(page, 200, 60)
    assert "≠ with a draw pile  usually all cards" in text(page, 200, 60)
    (line,) = difference_lines(page.ruleset or Ruleset.preset("pagat"))
    assert line.usual == "usually: all cards"


def test_a_refused_combination_is_said_at_once_and_enter_is_dim() -> None:
    page = form_at("lead_min")
    for _ in range(3):
        page.press("right")
    assert not page.enter_line().live
    assert "The least lead is bigger than the biggest." in text(page)
    page.press("reset")
    assert page.enter_line().live


def test_enter_opens_the_table_that_the_form_shows() -> None:
    page = OpenTablePage("Kitchen")
    assert page.press("enter") == OpenTable("Kitchen", Ruleset.preset("pagat"), 4)
    assert "Open the table “Kitchen”  pagat" in text(page)


def test_a_changed_option_is_marked_and_the_key_of_the_form_sets_it_back() -> None:
    page = form_at("lead_max")
    page.seats = 5
    page.press("right")
    assert "≠ up to 4  usually 3" in text(page)
    assert "A bigger packet hides more lies." in text(page)
    wish = page.press("enter")
    assert wish == OpenTable("Kitchen", Ruleset.preset("pagat").with_(lead_max=4), 5)
    page.press("reset")
    assert page.ruleset == Ruleset.preset("pagat")


def test_the_name_is_typed_between_two_enters() -> None:
    page = OpenTablePage("K")
    page.press("right")
    assert page.typing
    page.type_text("itchen [b]")
    page.press("backspace")
    page.press("enter")
    assert not page.typing
    assert page.press("enter") == OpenTable("Kitchen [b", Ruleset.preset("pagat"), 4)


def test_escape_brings_the_old_name_back_without_leaving() -> None:
    page = OpenTablePage("Kitchen")
    page.press("right")
    page.type_text("xxx")
    assert page.press("back") is None
    assert page.field.text == "Kitchen"
    assert page.press("back") == Go(Where.BACK)


@pytest.mark.parametrize("pasted", ["x" * 1_000_000, "\N{JACK-O-LANTERN}" * 10_000, "Ж\0" * 1_000])
def test_a_text_that_does_not_fit_is_cut_and_that_is_said(pasted: str) -> None:
    page = OpenTablePage("")
    page.press("right")
    page.type_text(pasted)
    assert page.field.text == pasted.replace("\0", "")[:MOST_CHARACTERS]
    assert "The text was cut: at most 64 characters fit." in text(page)
    page.note = ""
    page.press("backspace")
    page.type_text("z\0")
    assert page.field.text.endswith("z")
    assert page.note == ""


def test_a_table_without_a_name_cannot_be_opened_and_says_why() -> None:
    page = OpenTablePage("   ")
    page.press("down")
    assert not page.enter_line().live
    assert "The table's name is empty." in text(page)
    assert page.press("enter") is None


def test_a_click_on_a_value_changes_it_and_goes_around() -> None:
    page = OpenTablePage("Kitchen")
    for _ in range(11):
        page.pick("value", 1)
    assert page.seats == 4
    page.pick("value", FIXED_FIELDS + page.form.offered.index("no_aces"))
    assert page.ruleset == Ruleset.preset("pagat").with_(no_aces="yes")


def test_a_table_has_no_code_until_one_is_made_and_then_shows_it() -> None:
    page = OpenTablePage("Kitchen", draw=random.Random(1).randbytes)
    assert "no code" in text(page)
    wish = page.press("enter")
    assert isinstance(wish, OpenTable)
    assert wish.code is None
    page = private_form()
    wish = page.press("enter")
    assert isinstance(wish, OpenTable)
    assert wish.code is not None
    assert re.fullmatch(r"\d{4} \d{4}", wish.code.text)
    assert wish.code.text in text(page)
    page.press("left")
    assert "no code" in text(page)


def test_a_code_of_ones_own_is_typed_and_one_that_can_be_guessed_is_refused() -> None:
    page = private_form()
    page.press("right")
    assert page.typing
    for _ in range(9):
        page.press("backspace")
    page.type_text("12 34")
    page.press("enter")
    assert not page.enter_line().live
    assert "A code has at least 6 letters or digits." in text(page)
    assert page.press("enter") is None
    page.press("right")
    page.type_text(" Кот")
    page.press("enter")
    wish = page.press("enter")
    assert isinstance(wish, OpenTable)
    assert wish.code == own_code("12 34 Кот")
    page.press("reset")
    assert isinstance(open_wish := page.press("enter"), OpenTable)
    assert open_wish.code is None


def test_a_made_code_is_another_each_time() -> None:
    page = OpenTablePage("Kitchen")
    page.press("down")
    page.press("down")
    codes = set()
    for _ in range(5):
        page.press("right")
        codes.add(page.code_field.text)
        page.press("left")
    assert len(codes) == 5


def test_what_a_session_goes_to_is_chosen_in_the_form() -> None:
    page = form_at("session_losses")
    page.press("right")
    page.press("up")
    assert "to a number of losses" in text(page)
    rules = Ruleset.preset("pagat").with_(session="to_n_losses", session_losses=4)
    assert page.press("enter") == OpenTable("Kitchen", rules, 4)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_names_of_the_rules_of_a_table_fit_into_the_form(language: str) -> None:
    i18n.use_language(language)
    for rule in TABLE_RULE_VALUES:
        assert f"► {table_rule_name(rule)} " in text(form_at(rule), 80, 24)


def test_the_absence_time_is_chosen_in_the_form() -> None:
    page = form_at("grace_s")
    page.press("right")
    page.press("down")
    page.press("right")
    wish = page.press("enter")
    assert isinstance(wish, OpenTable)
    assert wish.table_rules == TableRules(grace_s=90, absence="forfeit")


def test_a_seat_that_the_table_does_not_have_cannot_deal_first() -> None:
    page = form_at("dealer")
    for _ in range(3):
        page.press("right")
    chosen = Ruleset.preset("pagat").with_(first_dealer="chosen")
    assert page.press("enter") == OpenTable("Kitchen", chosen, 4, TableRules(dealer=3))
    page.press("right")
    assert page.press("enter") is None
    assert "one of the table's" in page.note


@pytest.mark.parametrize("form", FORMS)
def test_a_low_window_tells_what_the_chosen_form_is_and_names_the_others(form: str, russian: None) -> None:
    page = OpenTablePage("Kitchen")
    page.pick("form", FORMS.index(form))
    told = form_line(form)
    drawn = " ".join(line[2:28].strip() for line in text(page).splitlines())
    assert told in " ".join(drawn.split())
    assert all(form_name(one) in drawn for one in FORMS)
