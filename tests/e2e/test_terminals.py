"""Deals played by hand in real terminals: two people on one machine, as the same user and without options;
and one person with a bot, a deal of each form.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from screen_hand import ENGLISH, RUSSIAN, Hand, Words
from terminals import Terminal, Terminals, why_no_terminals

from engine.rules import PRESETS

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.network,
    pytest.mark.skipif(why_no_terminals() is not None, reason=str(why_no_terminals())),
]

DEAL_LIMIT_S = 900.0
"""Usually a deal takes a tenth of that; a busy machine needs much more."""


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    with Terminals(tmp_path, tmp_path / "home") as started:
        yield started


def agree(*terminals: Terminal) -> None:
    """All who sit at a full table say that they are ready."""
    for terminal in terminals:
        terminal.shows("your answer?")
    for ready, terminal in enumerate(terminals, 1):
        told = f"{ready} of {len(terminals)} ready" if ready < len(terminals) else "deal 1"
        terminal.press_until("Enter", told, again_s=15.0)
    for terminal in terminals:
        terminal.shows("deal 1")


def play_to_the_end(*terminals: Terminal, words: Words = ENGLISH) -> None:
    """Play by hand at every terminal until each shows the end of the deal and its audit."""
    end = time.monotonic() + DEAL_LIMIT_S
    playing = [Hand(terminal, words) for terminal in terminals]
    while playing:
        assert time.monotonic() < end, "\n".join(terminal.screen for terminal in terminals)
        for hand in playing:
            hand.look()
        playing = [hand for hand in playing if not hand.is_over]
        time.sleep(0.05)
    for terminal in terminals:
        terminal.shows(words.audited)


def leave(*terminals: Terminal) -> None:
    """Quit at every terminal."""
    for terminal in terminals:
        terminal.press_until("C-q", "Quit")
        terminal.press_until("Enter", "EXIT=0")


def test_two_terminals_find_each_other_and_play_a_deal_to_the_end(terminals: Terminals) -> None:
    first = terminals.start("first", "play")
    second = terminals.start("second", "play")
    first.shows("Lobby")
    first.press("o")
    first.shows("Open a table")
    first.press("Down", "Left", "Left")
    first.until(lambda screen: any("Seats" in line and "2" in line for line in screen.splitlines()))
    first.press("Enter")
    first.shows("getting ready")
    second.shows("1/2")
    second.press_until("Enter", "getting ready", again_s=15.0)
    agree(first, second)
    play_to_the_end(first, second)
    leave(first, second)


@pytest.mark.parametrize("form", [form for form in PRESETS if form != "pagat"])  # which two people play above
def test_a_person_plays_a_deal_of_each_form_with_a_bot(terminals: Terminals, form: str) -> None:
    terminal = terminals.start("only", "play", "--bots", "1", "--rules", form)
    terminal.shows("your answer?")
    terminal.press_until("Enter", f"{form} · deal 1")
    play_to_the_end(terminal)
    leave(terminal)


def test_a_deal_is_played_in_russian_with_the_keys_of_a_russian_keyboard(terminals: Terminals) -> None:
    first = terminals.start("first", "play", "--lang", "ru")
    second = terminals.start("second", "play", "--lang", "ru")
    first.shows("Столы")
    first.press_until("щ", "Открыть стол")
    first.press("Down", "Left", "Left")
    first.until(lambda screen: any("Мест" in line and "2" in line for line in screen.splitlines()))
    first.press("Enter")
    first.shows("сбор")
    second.shows("1/2")
    second.press_until("Enter", "сбор", again_s=15.0)
    for terminal in (first, second):
        terminal.shows("ваш ответ?")
    first.press_until("Enter", "готовы: 1 из 2", again_s=15.0)
    second.press_until("Enter", "сдача 1", again_s=15.0)
    play_to_the_end(first, second, words=RUSSIAN)
    first.press_until("е", "Мог ли кто-нибудь подсмотреть?")
    first.press_until("Escape", RUSSIAN.over)
    first.press_until("з", "шаг ")
    for terminal in (first, second):
        terminal.press_until("C-q", "Закрыть Verish?")
        terminal.press_until("Enter", "EXIT=0")


def test_between_two_deals_one_leaves_and_comes_back_and_another_joins(terminals: Terminals) -> None:
    people = []
    for name in ("first", "second", "third"):
        people.append(terminals.start(name, "play", "--still"))
        people[-1].shows("Lobby")
    first, second, third = people
    first.press("o")
    first.shows("Open a table")
    first.press("Down", "Left", "Left")
    first.until(lambda screen: any("Seats" in line and "2" in line for line in screen.splitlines()))
    first.press("Enter")
    first.shows("getting ready")
    second.shows("1/2")
    second.press_until("Enter", "getting ready", again_s=15.0)
    agree(first, second)
    play_to_the_end(first, second)

    second.press_until("Escape", "Leave the table")
    second.press_until("Down", "this deal is over, nothing is lost")
    second.press_until("Enter", "Lobby")
    first.press_until("r", "Open the table again for 2")
    first.press_until("Right", "Open the table again for 3")
    first.press_until("Enter", "getting ready", again_s=15.0)
    first.press_until("r", "Back to getting ready")
    assert "DEAL OVER" in first.screen
    first.press_until("Escape", "getting ready")
    for taken, terminal in enumerate((second, third), 1):
        assert "goes on" in terminal.shows(f"{taken}/3")
        terminal.press_until("Enter", "getting ready", again_s=15.0)
    third.shows("The numbers are deals lost so")
    assert len([line for line in third.screen.splitlines() if "  1  " in line]) == 1
    agree(*people)
    leave(*people)
