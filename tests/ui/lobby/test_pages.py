"""The pages around the table, drawn as text and pressed by name; no Textual."""

import random
import re
from dataclasses import replace

import pytest
from page_samples import (
    FINGERPRINTS,
    HOSTILE,
    gathering,
    key,
    lobby,
    member,
    offer,
    over,
    person,
    session,
    tie_break,
)

from engine import OPTIONS, VARIATIONS, Ruleset, Seat, variations_of, without_effect
from engine.conflicts import DEPENDENCIES
from p2p.protocol.snapshot import NameWarning, OfferStatus, Phase, PollView, ResultKind, TrustAnswer
from p2p.protocol.table_code import own_code
from p2p.protocol.table_rules import RULES, USUAL, TableRules
from ui import i18n
from ui.glyphs import GlyphSet
from ui.keys import Place
from ui.lobby import (
    Connect,
    CopyAddress,
    EndWait,
    EnterCode,
    Go,
    Join,
    Leave,
    NextDeal,
    OpenTable,
    PlayWithBots,
    Quit,
    SetReady,
    StartWithout,
    Surroundings,
    Where,
)
from ui.lobby.address_page import AddressPage, looks_like_address
from ui.lobby.code_page import CodePage
from ui.lobby.help_page import HelpPage
from ui.lobby.lobby_page import LobbyPage
from ui.lobby.menu_page import MenuPage
from ui.lobby.open_page import OpenTablePage
from ui.lobby.over_page import OverPage
from ui.lobby.page import Page
from ui.lobby.ready_page import ReadyPage
from ui.lobby.text_field import MOST_CHARACTERS
from ui.rulesets import on_the_network, uncarried
from ui.table.size import Size
from ui.table_form import FORMS, OPTION_VALUES, TABLE_RULE_VALUES, TableForm
from ui.words.leaving import leaving_costs
from ui.words.options import not_carried
from ui.words.rules import difference_lines, rule_lines
from ui.words.table_rules import (
    table_rule_explanation,
    table_rule_name,
    table_rule_value,
    when_time_is_over,
)
from ui.words.variations import variation_name

SIZES = [(60, 20), (60, 24), (80, 20), (80, 24), (120, 36), (144, 46)]
AROUND = Surroundings(14.2, ("192.168.1.23:52417",), ("Wi-Fi", "eth0"))


def text(page: Page, width: int = 80, height: int = 24) -> str:
    """Return the page as text."""
    return "\n".join(page.draw(Size(width, height)).lines())


def every_page() -> list[Page]:
    """Return one page of every kind, in several states."""
    return [
        LobbyPage(lobby(), AROUND),
        LobbyPage(lobby(empty=True), Surroundings()),
        LobbyPage(lobby(empty=True), AROUND),
        LobbyPage(replace(lobby(), offers=())),
        OpenTablePage("Kitchen"),
        private_form(),
        AddressPage(AROUND.addresses),
        CodePage(offer(1, "Kitchen", needs_code=True), lobby()),
        ReadyPage(gathering()),
        ReadyPage(gathering(code=own_code("4821 9037"))),
        ReadyPage(gathering(members=(member(0, "Oleg"),))),
        OverPage(over()),
        OverPage(over(ResultKind.VOID)),
        OverPage(over(ResultKind.STOPPED)),
        *(HelpPage(place, table) for place in Place for table in (None, gathering(), over())),
        MenuPage(),
        MenuPage(gathering(), quitting=True),
    ]


def private_form() -> OpenTablePage:
    """The form of a new table, with a made code."""
    page = OpenTablePage("Kitchen", draw=random.Random(1).randbytes)
    page.press("down")
    page.press("down")
    page.press("right")
    return page


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_page_draws_at_every_size(width: int, height: int, language: str) -> None:
    i18n.use_language(language)
    for page in every_page():
        lines = page.draw(Size(width, height)).lines()
        assert len(lines) == height
        assert lines[0].startswith(" ♤ Verish")
        assert page.title.split(" ·")[0] in lines[0]
        assert "Esc" in lines[-1]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_enter_is_explained_three_lines_above_the_end(language: str) -> None:
    i18n.use_language(language)
    for page in every_page():
        said = page.enter_line().text
        if said:
            assert said[:40] in page.draw(Size(80, 24)).text(21)


def test_any_press_on_any_page_is_answered_or_ignored() -> None:
    names = (
        *("up", "down", "left", "right", "tab", "shift_tab", "space", "home", "end", "page_up", "page_down"),
        *("enter", "reset", "open", "address", "bots", "copy", "help", "trust", "log", "backspace", "delete"),
        *("nonsense", "back"),
    )
    for page in every_page():
        for name in names * 2:
            page.press(name)
            page.draw(Size(60, 20))


# The lobby


def test_the_lobby_lists_tables_with_form_seats_and_state() -> None:
    drawn = text(LobbyPage(lobby(), AROUND))
    assert "Open tables · 4" in drawn
    assert "you are Oleg · 7F3K" in drawn
    assert "► Kitchen pagat ≠2 3/4" in " ".join(drawn.split())
    assert "Evening 2T" in drawn
    assert "Evening 3T" in drawn
    assert "full" in drawn
    assert "playing" in drawn


def test_the_card_of_a_table_tells_differences_people_and_free_seats() -> None:
    drawn = text(LobbyPage(lobby(), AROUND), 120, 36)
    assert "≠ Lay 1 to 4 cards a turn  usually: 3" in drawn
    assert "≠ The loser deals next  usually: left" in drawn
    assert "Seats  Anna, Boris, Vera, 1 free" in drawn


@pytest.mark.parametrize(
    ("warning", "words"),
    [
        (NameWarning.IMITATES_YOU, "! imitates you"),
        (NameWarning.SAME_NAME, "! has your name"),
        (NameWarning.NOT_YOURS, "! not your Boris"),
        (NameWarning.IMITATES, "! look-alike"),
        (NameWarning.NEW_KEY, "! new key"),
    ],
)
def test_a_warning_takes_the_place_of_the_whereabouts(warning: NameWarning, words: str) -> None:
    people = (person(1, "Boris", warning=warning, table_title="Kitchen"),)
    drawn = text(LobbyPage(replace(lobby(), people=people)))
    assert words in drawn
    assert "at Kitchen" not in drawn


def test_enter_joins_the_chosen_table_by_its_random_id() -> None:
    page = LobbyPage(lobby())
    assert page.press("enter") == Join(key(1), bytes([1]) * 16)
    page.press("down")
    assert page.enter_line().text == "Join Evening"
    assert page.press("enter") == Join(key(2), bytes([2]) * 16)


def test_the_chosen_table_stays_chosen_when_others_come_and_go() -> None:
    page = LobbyPage(lobby())
    page.press("down")
    page.show(replace(lobby(), offers=(offer(7, "New"), *lobby().offers)))
    assert page.chosen is not None
    assert page.chosen.offer_id == bytes([2]) * 16
    page.show(replace(lobby(), offers=(offer(7, "New"),)))
    assert page.chosen.title == "New"


def test_full_and_playing_tables_answer_why_they_are_not_joined() -> None:
    unwatched = replace(lobby().offers[3], table_rules=TableRules(watchers="no"))
    page = LobbyPage(replace(lobby(), offers=(*lobby().offers[:3], unwatched)))
    page.pick("offer", 2)
    assert page.press("enter") is None
    assert page.note == "The table is full."
    page.pick("offer", 3)
    assert page.press("enter") is None
    assert page.note == "This table is playing already."


def test_a_table_that_was_asked_is_not_asked_again() -> None:
    page = LobbyPage(replace(lobby(), joining=bytes([1]) * 16))
    assert page.enter_line().text == "Asking for a seat at Kitchen…"
    assert page.press("enter") is None


def test_an_empty_lobby_says_first_that_it_looks_then_what_may_be_wrong() -> None:
    page = LobbyPage(lobby(empty=True), Surroundings(3.0, AROUND.addresses))
    assert "Looking for people on this network…" in text(page)
    assert page.press("enter") == Go(Where.OPEN_TABLE)
    page.show(lobby(empty=True), AROUND)
    drawn = text(page)
    assert "Nobody found yet. Looking for 14 s on Wi-Fi, eth0." in drawn
    assert "192.168.1.23:52417" in drawn
    assert page.enter_line().text == "Play with 3 bots meanwhile"
    assert page.press("enter") == PlayWithBots(3)
    assert page.press("copy") == CopyAddress("192.168.1.23:52417")


def test_nobody_found_is_said_in_russian(russian: None) -> None:
    drawn = text(LobbyPage(lobby(empty=True), AROUND))
    assert "Пока никого не видно. Ищем 14 с: Wi-Fi, eth0." in drawn
    assert "Запущен ли Verish на другом компьютере этой сети?" in drawn


def test_without_any_network_the_lobby_says_so() -> None:
    page = LobbyPage(lobby(empty=True), Surroundings(14.0))
    assert "There is no network" in text(page)
    assert page.press("enter") == PlayWithBots(3)


def test_in_a_narrow_window_space_shows_the_card() -> None:
    page = LobbyPage(lobby())
    assert "usually: left" not in text(page, 60, 20)
    page.press("space")
    assert "usually: left" in text(page, 60, 20)
    assert page.press("back") is None
    assert "usually: left" not in text(page, 60, 20)
    assert page.press("back") == Go(Where.MENU)


def test_more_tables_than_rows_keep_the_chosen_one_in_view() -> None:
    page = LobbyPage(replace(lobby(), offers=tuple(offer(n, f"Table {n}") for n in range(40))))
    for _ in range(39):
        page.press("down")
    assert "► Table 39" in text(page)


# Opening a table


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
    assert "The table needs a name." in text(page)
    assert page.press("enter") is None


def test_a_click_on_a_value_changes_it_and_goes_around() -> None:
    page = OpenTablePage("Kitchen")
    for _ in range(11):
        page.pick("value", 1)
    assert page.seats == 4
    page.pick("value", FIXED_FIELDS + page.form.offered.index("no_aces"))
    assert page.ruleset == Ruleset.preset("pagat").with_(no_aces="yes")


# Private tables


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


def test_the_lobby_shows_which_tables_need_a_code_and_asks_for_it() -> None:
    private = offer(1, "Kitchen", needs_code=True, people=("Boris", "Vera"))
    page = LobbyPage(replace(lobby(), offers=(private,)), AROUND)
    drawn = text(page, 120, 36)
    assert "2/4     code" in drawn
    assert "Code  needed: ask Boris" in drawn
    assert "asks for the code" in drawn
    assert page.press("enter") == EnterCode(private.offer_id)


def test_the_code_is_typed_and_goes_along_with_the_wish_for_a_seat() -> None:
    private = offer(1, "Kitchen", needs_code=True, people=("Boris", "Vera"))
    page = CodePage(private, replace(lobby(), offers=(private,)))
    assert page.press("enter") is None
    assert page.note == "Type the code: letters or digits."
    page.type_text("4821 9037")
    assert page.press("enter") == Join(private.opener, private.offer_id, own_code("4821 9037"))
    page.note = ""
    page.show(replace(lobby(), offers=(private,), joining=private.offer_id))
    assert not page.enter_line().live
    assert "Comparing codes with Boris…" in text(page)
    page.show(replace(lobby(), offers=(private,)))
    assert page.press("enter") is None
    assert page.note == "Type the code: letters or digits."
    page.type_text("4821 9038")
    assert page.enter_line().live, "another code can be tried"
    page.show(replace(lobby(), offers=()))
    assert page.enter_line().text == "This table is no longer there."
    assert page.press("back") == Go(Where.BACK)


def test_who_has_opened_a_private_table_sees_the_code_while_it_gathers() -> None:
    code = own_code("4821 9037")
    for width, height in SIZES:
        assert "Code to read out  4821 9037" in text(ReadyPage(gathering(code=code)), width, height)
    assert "Code" not in text(ReadyPage(gathering()))


# By address


@pytest.mark.parametrize("address", ["192.168.1.23:52417", "[fe80::1%eth0]:1", "host.local:65535"])
def test_what_looks_like_an_address_can_be_connected_to(address: str) -> None:
    page = AddressPage()
    page.type_text(address)
    assert page.press("enter") == Connect(address)
    assert not page.enter_line().live


@pytest.mark.parametrize("address", ["", "192.168.1.23", ":52417", "host:", "host:0", "host:65536", "host:١"])
def test_what_is_no_address_is_not_sent(address: str) -> None:
    assert not looks_like_address(address)
    page = AddressPage()
    page.type_text(address)
    assert page.press("enter") is None
    assert "192.168.1.23:52417" in page.note


def test_spaces_around_the_colon_do_not_matter_and_failures_are_said() -> None:
    page = AddressPage()
    page.type_text("192.168.1.23 : 52417")
    assert page.press("enter") == Connect("192.168.1.23:52417")
    page.failed("Nobody answers there.")
    assert "! Nobody answers there." in text(page)
    assert page.enter_line().live


# Getting ready


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 20), (120, 36)])
def test_a_warning_hides_nobodys_readiness(width: int, height: int) -> None:
    members = list(gathering().members)
    number = next(i for i, one in enumerate(members) if one.ready and not one.own)
    members[number] = replace(members[number], warning=NameWarning.SAME_NAME)
    shown = ReadyPage(replace(gathering(), members=tuple(members)))
    rows = text(shown, width, height).splitlines()
    row = next(i for i, line in enumerate(rows) if members[number].name in line)
    assert "✓ ready" in rows[row]
    assert "! has your name" in rows[row + 1] or "! ✓ ready" in rows[row]


def test_a_name_that_carries_its_fingerprint_is_not_followed_by_it_again() -> None:
    short = gathering().members[0].fingerprint[:4]
    members = tuple(
        replace(one, name=f"Root {one.fingerprint[:4]}") if one.own else one for one in gathering().members
    )
    drawn = text(ReadyPage(replace(gathering(), members=members)))
    own = next(one for one in members if one.own)
    assert f"Root {own.fingerprint[:4]} (you)" in drawn
    assert f"you are Root {own.fingerprint[:4]}" in drawn
    seats = next(line for line in drawn.splitlines() if "(you)" in line)
    assert seats.count(own.fingerprint[:4]) == 1
    people = (person(1, f"Boris {short}"),)
    people = (replace(people[0], name=f"Boris {people[0].fingerprint[:4]}"),)
    drawn = text(LobbyPage(replace(lobby(), people=people)))
    assert drawn.count(people[0].fingerprint[:4]) == 1


def test_seats_show_who_is_ready_and_rules_show_differences_first() -> None:
    drawn = text(ReadyPage(gathering()))
    assert "Seats · 2 of 4 ready" in drawn
    assert "► your answer?" in drawn
    assert drawn.count("✓ ready") == 2
    assert drawn.index("≠ Lay 1 to 4 cards a turn") < drawn.index("The dealer's left leads first")
    assert "READ THE RULES  2 differ from pagat (≠). Do you agree?" in drawn


def test_enter_agrees_and_takes_it_back_only_after_the_pause() -> None:
    page = ReadyPage(gathering(), now=lambda: 100.0)
    assert page.press("enter") == SetReady(True)
    ready = gathering(members=(member(0, "Oleg"), member(1, "Boris", ready=False)), ready_locked_until=103.0)
    page.show(ready)
    assert page.press("enter") is None
    assert page.note == "Readiness can be taken back once in 5 s."
    page.show(replace(ready, ready_locked_until=99.0))
    assert page.press("enter") == SetReady(False)


def test_starting_without_somebody_takes_two_keys() -> None:
    members = (member(0, "Oleg"), member(1, "Boris"), member(2, "Vera", ready=False))
    table = gathering(members=members, can_start_without=key(2))
    page = ReadyPage(table)
    assert "start without Vera" in text(page)
    assert page.press("space") is None
    assert page.enter_line().text == "Start without Vera"
    assert page.press("enter") == StartWithout(key(2))


def test_an_armed_start_falls_when_the_last_one_gets_ready() -> None:
    members = (member(0, "Oleg"), member(1, "Boris"), member(2, "Vera", ready=False))
    page = ReadyPage(gathering(members=members, can_start_without=key(2)))
    page.press("space")
    page.show(gathering(members=(*members[:2], member(2, "Vera")), can_start_without=None))
    assert page.enter_line().text != "Start without Vera"
    assert page.press("enter") == SetReady(False)


def test_long_rules_scroll() -> None:
    page = ReadyPage(gathering())
    assert "Lost deals are counted" not in text(page, 60, 20)
    for _ in range(30):
        page.press("down")
        text(page, 60, 20)
    assert "Lost deals are counted" in text(page, 60, 20)


# The end of a deal


def test_the_end_counts_only_public_facts() -> None:
    drawn = text(OverPage(over()))
    assert "4. Boris 3 1 2 ◂" in " ".join(drawn.split())
    assert "Lies that nobody called stay secret until all open their books." in drawn
    assert "✓ Audited without any key" in drawn
    assert "Next deal  ready 2 of 4" in drawn


def test_the_first_out_wins_and_wins_are_counted() -> None:
    ended = over()
    club = Ruleset.with_preset("club", {"claim_number": "honest"})
    result = ended.result
    assert result is not None
    standings = tuple(replace(one, wins=4) for one in result.standings)
    drawn = text(
        OverPage(replace(ended, ruleset=club, result=replace(result, loser=None, standings=standings)))
    )
    assert "won" in drawn
    assert "lost" not in drawn
    assert "is out first and wins." in drawn or "You are out first and win." in drawn


def test_where_deals_stand_alone_nothing_is_counted() -> None:
    drawn = text(OverPage(replace(over(), ruleset=Ruleset.with_preset("pagat", {"session": "none"}))))
    assert "guessed" in drawn
    assert "lost" not in drawn


def ended_session(losses: tuple[int, ...], *tied: int, **changes: object) -> OverPage:
    """Return the page after the deal with which Boris has lost a session to three losses."""
    rules = Ruleset.preset("pagat").with_(session="to_n_losses")
    best = tuple(key(number) for number in tied)
    ended = session(losses, losers=(key(1),), best=best)
    return OverPage(over(ruleset=rules, session=ended, **changes))


def test_a_session_that_goes_on_says_what_it_goes_to() -> None:
    rules = Ruleset.preset("pagat").with_(session="to_n_losses")
    page = OverPage(over(ruleset=rules, session=session((0, 2, 1, 0))))
    assert "The session goes to 3 losses." in text(page)
    assert "DEAL OVER" in text(page)
    assert page.enter_line().text == "Next deal"
    club = Ruleset.preset("club").with_(session="to_n_losses", session_losses=1)
    page.show(over(ruleset=club, session=session((0, 0, 0, 0), goal=1)))
    assert "The session goes to 1 win." in text(page)


def test_a_session_that_is_over_names_its_loser_and_its_best() -> None:
    page = ended_session((0, 3, 2, 1), 0)
    assert "The session is over. Lost: Boris. Best: You." in text(page)
    assert "SESSION OVER" in text(page)
    assert page.enter_line().text == "Start a new session"
    assert page.press("enter") == NextDeal()


def test_a_tie_says_who_plays_it_off() -> None:
    tied = "A tie for the fewest losses: Vera, Anna. One more deal among them settles it."
    watching = ended_session((2, 3, 1, 1), 2, 3, next_players=(key(2), key(3)), next_ready=frozenset())
    assert tied in " ".join(text(watching).replace("│", " ").split())
    assert "DEAL OVER" in text(watching)
    assert "You watch the tie-break.  ready 0 of 2" in text(watching)
    assert not watching.enter_line().live
    assert watching.press("enter") is None
    assert "Next deal  · Vera  · Anna" in text(watching)
    playing = ended_session((1, 3, 1, 2), 0, 2, next_players=(key(0), key(2)), next_ready=frozenset())
    assert playing.enter_line().text == "Play the tie-break"
    assert playing.press("enter") == NextDeal()


def test_after_a_tie_break_the_counts_of_those_who_watched_stand_below() -> None:
    page = OverPage(tie_break())
    lines = text(page).splitlines()
    places = [next(at for at, line in enumerate(lines) if name in line) for name in ("1. Anna", "2. Vera")]
    assert places == sorted(places)
    assert any("·  You" in line and line.split()[-2:] == ["2", "│"] for line in lines)
    assert any("·  Boris" in line and line.split()[-2:] == ["3", "│"] for line in lines)
    assert "The session is over. Lost: Boris. Best: Anna." in text(page)
    assert page.enter_line().text == "Start a new session"


def test_what_a_session_goes_to_is_chosen_in_the_form() -> None:
    page = form_at("session_losses")
    page.press("right")
    page.press("up")
    assert "to a number of losses" in text(page)
    rules = Ruleset.preset("pagat").with_(session="to_n_losses", session_losses=4)
    assert page.press("enter") == OpenTable("Kitchen", rules, 4)


def test_the_next_deal_is_wished_once() -> None:
    page = OverPage(over())
    assert page.press("enter") == NextDeal()
    page.show(over(next_ready=frozenset({key(0), key(2), key(3)})))
    assert not page.enter_line().live
    assert "Waiting for the others.  ready 3 of 4" in text(page)
    assert page.press("enter") is None


def test_after_a_stopped_deal_the_next_one_can_be_wanted() -> None:
    page = OverPage(over(ResultKind.STOPPED))
    assert "DEAL STOPPED" in text(page)
    assert page.press("enter") == NextDeal()


def test_trust_log_and_menu_are_asked_for() -> None:
    page = OverPage(over())
    assert [page.press(name) for name in ("trust", "log", "back", "help")] == [
        Go(Where.TRUST), Go(Where.LOG), Go(Where.MENU), Go(Where.HELP),
    ]  # fmt: skip


# Help and menu


def test_help_lists_the_keys_of_the_screen_from_the_table_of_actions() -> None:
    drawn = text(HelpPage(Place.TABLE))
    assert "2…9 0 J Q K A" in drawn
    assert "say “I don't believe”" in drawn


def test_help_shows_both_letters_on_a_russian_screen(russian: None) -> None:
    drawn = text(HelpPage(Place.LOBBY))
    assert "o щ" in drawn
    assert "открыть стол" in drawn


def test_tab_turns_to_the_rules_of_this_table() -> None:
    page = HelpPage(Place.OVER, gathering())
    page.press("tab")
    assert "≠ Lay 1 to 4 cards a turn (usually: 3)" in text(page)


@pytest.mark.parametrize("name", ["back", "help", "enter"])
def test_help_goes_back_to_where_it_was_asked(name: str) -> None:
    assert HelpPage(Place.LOBBY).press(name) == Go(Where.BACK)


def test_leaving_says_what_it_costs_before_enter_does_it() -> None:
    page = MenuPage(over(phase=Phase.PLAYING))
    for _ in range(3):
        page.press("down")
    assert "Leave the table  if you leave now, you lose this deal" in text(page)
    assert page.press("enter") == Leave()


def test_the_menu_without_a_table_cannot_leave_one() -> None:
    page = MenuPage(quitting=True)
    assert "Leave the table" not in text(page)
    assert "Quit Verish?" in text(page)
    assert page.press("enter") == Quit()


def test_the_chosen_row_of_the_menu_stays_when_the_table_closes() -> None:
    page = MenuPage(gathering(), quitting=True)
    page.show(None)
    assert page.press("enter") == Quit()


# Hostile text


def test_hostile_names_and_titles_are_shown_literally() -> None:
    members = (member(0, HOSTILE, ready=False), member(1, HOSTILE))
    pages: list[Page] = [
        LobbyPage(replace(lobby(), own_name=HOSTILE, offers=(offer(1, HOSTILE, people=(HOSTILE,)),))),
        ReadyPage(gathering(title=HOSTILE, members=members)),
        OverPage(over(title=HOSTILE, members=tuple(
            member(seat, HOSTILE, seat=Seat(seat)) for seat in range(4)
        ))),
        OpenTablePage(HOSTILE),
    ]  # fmt: skip
    for page in pages:
        assert "[b]Max[/]" in text(page, 120, 36)


def test_control_characters_that_slip_through_do_not_reach_the_canvas() -> None:
    page = LobbyPage(replace(lobby(), people=(person(1, "a\x1b[2Jb\u202e"),)))
    drawn = text(page)
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn


def test_short_fingerprints_stand_beside_every_name() -> None:
    drawn = text(LobbyPage(lobby()))
    assert all(fingerprint[:4] in drawn for fingerprint in FINGERPRINTS)


def test_an_own_table_leads_back_to_it() -> None:
    page = LobbyPage(replace(lobby(), offers=(offer(1, "Mine", own=True, status=OfferStatus.FULL),)))
    assert page.enter_line().text == "Back to your table"
    assert page.press("enter") == Go(Where.BACK)


def test_after_somebody_left_the_next_deal_goes_on_without_him() -> None:
    members = tuple(replace(one, left=one.name == "Vera") for one in over().members)
    page = OverPage(over(members=members))
    assert page.press("enter") is None
    assert "Vera has left: the next deal goes on without them." in text(page)
    page = OverPage(over(members=members, next_players=(key(0), key(1), key(3))))
    assert page.press("enter") == NextDeal()
    page = OverPage(over(members=members, next_players=()))
    assert page.press("enter") is None
    assert "Too few are left: no more deals here." in text(page)


def test_the_wait_for_who_keeps_the_next_deal_waiting_can_be_ended() -> None:
    page = OverPage(over())
    assert "end the wait" not in text(page)
    page.show(over(wait_until=1000.0))
    assert "w  end the wait" in text(page)
    assert page.press("go_on_without") == EndWait()
    page.show(over(wait_until=1000.0, two_alone=True))
    assert "w  end the wait" not in text(page)
    assert page.press("go_on_without") is None
    poll = PollView((Seat(1),), (), (Seat(0), Seat(2), Seat(3)), (Seat(0),), 0.0)
    page.show(over(wait_until=1000.0, poll=poll))
    assert "end the wait for Boris: 1 of 3 have answered." in " ".join(text(page).split())
    assert "w  end the wait" not in text(page)


def test_who_was_voted_absent_has_lost_and_is_marked() -> None:
    drawn = text(OverPage(over(ResultKind.ABSENT)))
    assert "DEAL OVER  Boris was voted absent and loses." in drawn
    assert [line for line in drawn.splitlines() if "Boris" in line and "◂" in line]
    assert "ready 2 of 3" in drawn


def test_people_who_no_longer_answer_are_no_company() -> None:
    snapshot = replace(lobby(empty=True), people=(person(1, "Boris", reachable=False),))
    assert "Nobody found yet." in text(LobbyPage(snapshot, AROUND))


@pytest.mark.parametrize(("glyphs", "encoding"), [(GlyphSet.ASCII, "ascii"), (GlyphSet.CONSOLE, "cp437")])
def test_pages_need_no_character_that_a_poorer_terminal_lacks(glyphs: GlyphSet, encoding: str) -> None:
    # The signs that code page 437 has in the place of control codes, which Python's codec does not know.
    pictures = str.maketrans(dict.fromkeys("♠•►◄▲○↑↓←→" if glyphs is GlyphSet.CONSOLE else "", "*"))
    for page in every_page():
        for line in page.draw(Size(80, 24)).lines():
            plain = line.replace("Борис", "Boris").translate(glyphs.table("en"))
            plain.translate(pictures).encode(encoding)


def test_a_long_answer_takes_the_row_of_the_acts_too() -> None:
    page = LobbyPage(lobby())
    page.note = "Nobody answers at 192.168.1.23:52417. Is Verish running there, and is the address right?"
    drawn = text(page, 60, 20)
    assert "! Nobody answers at 192.168.1.23:52417. Is Verish running" in drawn
    assert "   there, and is the address right?" in drawn
    assert "open a table" not in drawn


def test_the_menu_says_what_leaving_costs_in_every_phase() -> None:
    playing = replace(over(), phase=Phase.PLAYING)
    gone = tuple(replace(one, left=not one.own) for one in playing.members)
    assert leaving_costs(playing) == "if you leave now, you lose this deal"
    nothing = "the others play without you; nothing is lost"
    assert leaving_costs(replace(playing, phase=Phase.SHUFFLING)) == nothing
    assert leaving_costs(replace(playing, own_seat=None)) == nothing
    assert leaving_costs(over(ResultKind.VOID)) == "this deal is void, nothing is lost"
    assert leaving_costs(over(ResultKind.STOPPED)) == "this deal was stopped, nothing is lost"
    assert leaving_costs(replace(over(), members=gone)) == "this deal is over, nothing is lost"


def test_a_void_deal_never_says_that_nobody_can_peek() -> None:
    table = over(ResultKind.VOID)
    table = replace(table, trust=replace(table.trust, answer=TrustAnswer.NOBODY))
    drawn = text(OverPage(table))
    assert "a breach was caught" in drawn
    assert "peek" not in drawn.splitlines()[0]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_rules_do_not_scroll_past_their_end(width: int, height: int) -> None:
    page = HelpPage(Place.READY, gathering())
    page.rules = True
    for _ in range(200):
        page.press("down")
        text(page, width, height)
    end = text(page, width, height)
    for line in rule_lines(gathering().ruleset, gathering().seats)[-4:]:
        assert line.text.split()[-1] in end


def test_a_table_with_a_time_for_a_turn_says_so_first_wherever_its_rules_are_read() -> None:
    rules = TableRules(clock_s=30, dealer=2)
    game = Ruleset.preset("pagat").with_(first_dealer="chosen").resolve(4)
    table = replace(gathering(), ruleset=game, table_rules=rules)
    drawn = text(ReadyPage(table), 120, 36)
    assert "pagat, 3 differences" in drawn
    assert "≠ 30 s for a turn, then the program plays for you" in drawn
    assert "usually: no limit" in drawn
    assert "≠ Seat 3 deals first  usually: 1, who opens the table" in drawn
    assert "3 differ from pagat (≠). Do you agree?" in drawn
    assert "to call after each packet" not in drawn
    shown = offer(1, "Kitchen", ruleset=game, table_rules=rules)
    lobby_text = text(LobbyPage(replace(lobby(), offers=(shown,))), 120, 36)
    assert "pagat ≠3" in lobby_text
    assert "30 s for a turn" in lobby_text
    page = HelpPage(Place.READY, table)
    page.rules = True
    assert "If a packet can be doubted it says “I don't believe”." in text(page, 120, 46)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_names_of_the_rules_of_a_table_fit_into_the_form(language: str) -> None:
    i18n.use_language(language)
    for rule in TABLE_RULE_VALUES:
        assert f"► {table_rule_name(rule)} " in text(form_at(rule), 80, 24)


def test_who_gets_ready_reads_how_long_somebody_may_stay_away() -> None:
    assert "Who is away for 1 min can be voted out" in text(ReadyPage(gathering()), 120, 46)
    forfeit = TableRules(grace_s=10, absence="forfeit")
    drawn = text(ReadyPage(replace(gathering(), table_rules=forfeit)), 120, 46)
    assert "≠ Who is away for 10 s is put to the vote at once" in drawn


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


def test_the_help_of_the_form_says_what_the_program_does_for_whoever_is_late() -> None:
    page = HelpPage(Place.FORM, None)
    page.rules = True
    assert when_time_is_over()[1] in text(page, 120, 46)


def test_the_time_for_a_call_is_told_where_anyone_may_call_only() -> None:
    calls = replace(gathering(), ruleset=Ruleset.with_preset("pagat", {"callers": "any"}).resolve(4))
    assert "20 s to call after each packet" in text(ReadyPage(calls), 120, 36)
    assert "to call after each packet" not in text(ReadyPage(gathering()), 120, 36)


def test_the_ready_page_leads_to_the_rules_themselves() -> None:
    assert ReadyPage(gathering()).press("help") == Go(Where.RULES)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("place", list(Place))
def test_the_help_cuts_no_line_short_at_80_columns(place: Place, language: str) -> None:
    i18n.use_language(language)
    for table in (None, gathering(), over()):
        drawn = text(HelpPage(place, table), 80, 40)
        assert not [line for line in drawn.splitlines() if "…" in line.replace("…9 0", "")]
