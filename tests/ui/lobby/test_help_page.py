"""Help and the rules, drawn as text."""

import pytest
from page_samples import gathering, member, over, reopened
from page_text import SIZES, text

from ui import i18n
from ui.keys import Place
from ui.lobby import Go, Where
from ui.lobby.help_page import HelpPage
from ui.words.rules import rule_lines
from ui.words.table_rules import when_time_is_over


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


def test_keys_that_do_nothing_after_this_deal_are_not_listed() -> None:
    usual = text(HelpPage(Place.OVER, over()), 100, 40)
    assert "open it again for another company" in usual
    assert "go to the table that others see" not in usual
    assert "end the wait" not in usual
    left = over(reopened=reopened(left=True, can_join=False))
    assert "go to the table that others see" in text(HelpPage(Place.OVER, left), 100, 40)
    late = over(wait_until=1.0)
    assert "end the wait" in text(HelpPage(Place.OVER, late), 100, 40)
    watched = over(watching=True)
    assert "open it again for another company" not in text(HelpPage(Place.OVER, watched), 100, 40)


def test_keys_that_do_nothing_while_people_take_seats_are_not_listed() -> None:
    words = ("start without the last one", "look at the last result", "go to the table that others see")
    drawn = text(HelpPage(Place.READY, gathering()), 100, 40)
    assert not any(one in drawn for one in words)
    members = (member(0, "Oleg"), member(1, "Boris"), member(2, "Vera", ready=False))
    waiting = gathering(members=members, can_start_without=members[2].key, before=over(), reopened=reopened())
    drawn = text(HelpPage(Place.READY, waiting), 100, 40)
    assert all(one in drawn for one in words)


def test_a_page_of_one_field_is_not_explained_as_a_form_of_rules() -> None:
    drawn = text(HelpPage(Place.FIELD), 100, 40)
    assert "≠" not in drawn
    assert "back to the usual" not in drawn
    assert "Type what is asked for" in drawn


@pytest.mark.parametrize("place", [Place.FORM, Place.SETTINGS, Place.TRUST])
def test_the_key_of_the_sound_is_listed_wherever_it_works(place: Place) -> None:
    assert "F2" in text(HelpPage(place), 100, 40)


def test_a_page_of_help_turns_by_more_than_a_line() -> None:
    by_rows, by_page = (HelpPage(Place.READY, gathering()) for _ in range(2))
    for page in (by_rows, by_page):
        page.rules = True
    for _ in range(10):
        by_rows.press("down")
    by_page.press("page_down")
    assert text(by_page, 60, 20) == text(by_rows, 60, 20)


@pytest.mark.parametrize("name", ["back", "help", "enter"])
def test_help_goes_back_to_where_it_was_asked(name: str) -> None:
    assert HelpPage(Place.LOBBY).press(name) == Go(Where.BACK)


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


def test_the_help_of_the_form_says_what_the_program_does_for_whoever_is_late() -> None:
    page = HelpPage(Place.FORM, None)
    page.rules = True
    assert when_time_is_over()[1] in text(page, 120, 46)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("place", list(Place))
def test_the_help_cuts_no_line_short_at_80_columns(place: Place, language: str) -> None:
    i18n.use_language(language)
    for table in (None, gathering(), over()):
        drawn = text(HelpPage(place, table), 80, 40)
        assert not [line for line in drawn.splitlines() if "…" in line.replace("…9 0", "")]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_in_the_least_window_no_sentence_is_cut_and_keys_give_way(language: str) -> None:
    i18n.use_language(language)
    for place, table in ((Place.OVER, over()), (Place.READY, gathering()), (Place.LOBBY, None)):
        page = HelpPage(place, table)
        shown = " ".join(text(page, 60, 20).split())
        for sentence in page._asked():
            assert sentence in shown


def test_the_keys_of_the_screen_itself_stand_before_those_that_work_everywhere() -> None:
    lines = text(HelpPage(Place.LOBBY)).splitlines()
    rows = [next(at for at, line in enumerate(lines) if word in line) for word in ("replay", "Ctrl+Q")]
    assert rows == sorted(rows)
