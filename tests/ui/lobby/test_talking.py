"""The line of talk: what is typed and pasted, ready remarks, muting, and the pages that show it."""

from dataclasses import replace

import page_samples as samples
import pytest

from p2p.protocol.snapshot import Remark, TableSnapshot, TalkLine
from p2p.protocol.text import TALK_CHARACTERS
from ui.lobby.over_page import OverPage
from ui.lobby.ready_page import ReadyPage
from ui.lobby.talking import Talking
from ui.lobby.talking_page import TalkingPage
from ui.lobby.wishes import Say, SetReady
from ui.table.size import Size

BORIS, VERA = samples.member(1, "").key, samples.member(2, "").key
TALK = (TalkLine(BORIS, Remark.HELLO, 0, 0), TalkLine(VERA, "[/] [bold]Thanks!", 0, 0))


def opened() -> Talking:
    talking = Talking()
    talking.start()
    return talking


def lines(page: TalkingPage, width: int = 80, height: int = 24) -> list[str]:
    return list(page.draw(Size(width, height)).lines())


def ready(talk: tuple[TalkLine, ...] = TALK) -> ReadyPage:
    return ReadyPage(samples.gathering(talk=talk), lambda: 0.0)


def test_a_typed_line_is_said_with_enter_and_closes() -> None:
    talking = opened()
    for character in "so so":
        assert talking.type_character(character) is None
    assert talking.press("enter") == "so so"
    assert not talking.open


@pytest.mark.parametrize("remark", list(Remark))
def test_a_number_in_an_empty_line_is_a_remark_and_in_a_begun_one_a_digit(remark: Remark) -> None:
    talking = opened()
    assert talking.type_character(f"{remark.value}") is remark
    assert not talking.open
    talking.start()
    talking.type_character("x")
    assert talking.type_character(f"{remark.value}") is None
    assert talking.press("enter") == f"x{remark.value}"


@pytest.mark.parametrize("character", ["0", "7", "½", "٣"])
def test_other_digits_are_letters_like_any_other(character: str) -> None:
    talking = opened()
    assert talking.type_character(character) is None
    assert talking.press("enter") == character


def test_an_empty_line_is_closed_by_enter_and_escape_and_nothing_is_said() -> None:
    for key in ("enter", "back"):
        talking = opened()
        assert talking.press(key) is None
        assert not talking.open


def test_escape_throws_a_line_away() -> None:
    talking = opened()
    talking.type_character("x")
    assert talking.press("back") is None
    talking.start()
    assert talking.typed is not None
    assert talking.typed.text == ""


@pytest.mark.parametrize("pasted", ["x" * 1_000_000, "\N{JACK-O-LANTERN}" * 10_000])
def test_what_is_too_much_is_cut_here_and_that_is_said(pasted: str) -> None:
    talking = opened()
    talking.paste(pasted)
    assert talking.note == f"The text was cut: at most {TALK_CHARACTERS} characters fit."
    assert talking.press("enter") == pasted[:TALK_CHARACTERS]


def test_lines_and_nul_bytes_become_one_plain_line() -> None:
    talking = opened()
    talking.paste("one\0\n  two\x1b[2J\nthree")
    assert talking.press("enter") == "one two[2J three"


def test_what_others_could_not_see_is_not_said_and_the_line_stays() -> None:
    talking = opened()
    talking.paste("\u2800\u2800")
    assert talking.press("enter") is None
    assert talking.open
    assert talking.note == "Nothing of this text can be shown to others."


def test_mute_hides_what_was_said_and_a_second_press_brings_it_back() -> None:
    table = samples.gathering(talk=TALK)
    talking = Talking()
    talking.mute()
    assert "u shows them again" in talking.note
    assert talking.heard(table) == ()
    talking.start()
    assert not talking.open
    assert talking.note == "You have muted talk. Press u first."
    talking.mute()
    assert talking.note == "Talk is shown again."
    assert talking.heard(table) == TALK


def test_the_latest_lines_stand_above_the_banner_as_plain_text() -> None:
    shown = lines(ready())
    assert shown[-6].strip() == "Boris:  Hello, everybody!"
    assert shown[-5].strip() == "Vera:   [/] [bold]Thanks!"
    assert "READ THE RULES" in shown[-4]


def test_a_remark_is_worded_in_the_readers_language(russian: None) -> None:
    del russian
    assert any(line.strip() == "Boris:  Всем привет!" for line in lines(ready()))


def test_those_who_have_gone_leave_no_words_behind() -> None:
    table = samples.gathering(talk=TALK)
    page = ReadyPage(replace(table, members=table.members[:2]), lambda: 0.0)
    assert any("Boris:" in line for line in lines(page))
    assert not any("Thanks!" in line for line in lines(page))


@pytest.mark.parametrize("table", [samples.gathering(talk=TALK), samples.over(talk=TALK)])
@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (120, 36)])
def test_while_talking_all_remarks_can_be_seen_and_clicked(
    table: TableSnapshot, width: int, height: int
) -> None:
    page: TalkingPage = OverPage(table) if table.result else ReadyPage(table, lambda: 0.0)
    page.press("talk")
    shown = "\n".join(lines(page, width, height))
    for words in ("Hello, everybody!", "Hm…", "One moment.", "Well played!", "Bad luck!", "Thanks for the"):
        assert words in shown
    assert page.press("remark_4") == Say(Remark.WELL_PLAYED)
    assert not page.typing


def test_while_talking_the_keys_of_a_page_are_letters() -> None:
    page = ready()
    page.press("talk")
    assert page.typing
    for character in "run":
        assert page.type_character(character) is None
    assert page.press("enter") == Say("run")
    assert page.press("enter") == SetReady(ready=True)


def test_the_foot_offers_talk_and_what_mute_would_do() -> None:
    page = ready()
    assert "m talk  u mute talk" in lines(page)[-1]
    page.press("mute")
    assert "u show talk" in lines(page)[-1]
    assert not any("Boris:" in line for line in lines(page))
