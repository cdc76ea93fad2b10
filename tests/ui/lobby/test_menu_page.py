"""The menu, and what leaving costs."""

from dataclasses import replace

import pytest
from page_samples import gathering, over
from page_text import text

from p2p.protocol.snapshot import Phase, ResultKind
from ui.lobby import Leave, Quit
from ui.lobby.menu_page import MenuPage
from ui.words.leaving import leaving_costs


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


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_what_leaving_costs_is_told_at_every_width(size: tuple[int, int], russian: None) -> None:
    page = MenuPage(over(phase=Phase.PLAYING))
    for _ in range(3):
        page.press("down")
    assert text(page, *size).count("если уйти сейчас, вы проиграете эту сдачу") == 1
