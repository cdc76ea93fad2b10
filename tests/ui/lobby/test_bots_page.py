"""Choosing the bots to play with, and that they are called in as they were chosen."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from bounds import WAIT_S
from fake_node import FakeCompany, FakeNode

from engine.bots import POLICIES
from ui import i18n
from ui.app import VerishApp
from ui.companions import Companions, HeadlessPeer
from ui.lobby import BotsScreen, HelpScreen, PlayWithBots
from ui.lobby.bots_page import BotsPage
from ui.manner import PACES, STRENGTHS, USUAL_MANNER, Manner
from ui.table.size import Size


def text(page: BotsPage, width: int = 80, height: int = 24) -> str:
    return " ".join(" ".join(page.draw(Size(width, height)).lines()).replace("│", " ").split())


def test_whoever_chooses_nothing_gets_three_of_the_best() -> None:
    assert BotsPage().press("enter") == PlayWithBots(3, USUAL_MANNER)
    assert USUAL_MANNER.policy == "counting"


def test_every_strength_is_a_policy_of_its_own() -> None:
    assert sorted(STRENGTHS.values()) == sorted(POLICIES)


def test_each_field_is_changed_and_set_back_by_keys() -> None:
    page = BotsPage()
    page.press("right")
    page.press("down")
    page.press("left")
    page.press("down")
    page.press("left")
    assert page.press("enter") == PlayWithBots(4, Manner("middling", "quick"))
    assert "They answer at once." in text(page)
    for _ in range(3):
        page.press("reset")
        page.press("down")
    assert page.press("enter") == PlayWithBots(3, USUAL_MANNER)


def test_a_click_chooses_a_field_and_a_second_one_changes_it() -> None:
    page = BotsPage()
    page.pick("field", 2)
    assert page.values[2] == "calm"
    page.pick("field", 2)
    assert page.values[2] == "quick"


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (110, 40)])
def test_every_value_fits_and_is_explained(size: tuple[int, int], language: str) -> None:
    i18n.use_language(language)
    page = BotsPage()
    told = set()
    for values in (range(5), STRENGTHS, PACES):
        for _ in values:
            told.add(text(page, *size))
            assert "…" not in text(page, *size)
            page.press("right")
        page.press("down")
    assert len(told) == 10


async def test_b_leads_to_the_page_and_enter_calls_them_in() -> None:
    node, company = FakeNode(), FakeCompany()
    app = VerishApp(node, company=company)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("и")
        await pilot.pause()
        assert isinstance(app.screen, BotsScreen)
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "left", "down", "right", "enter")
        await pilot.pause()
        assert company.called == [("Oleg", 2)]
        assert company.manner == Manner("easy", "calm")
        assert ("open_table", "Oleg", "pagat", 3) in node.wished


async def test_they_play_as_they_were_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    async def start(arguments: Sequence[str], _home: Path) -> HeadlessPeer:
        started.append(list(arguments))
        raise OSError("no more processes")

    monkeypatch.setattr(HeadlessPeer, "start", start)
    said: list[str] = []
    all_said = asyncio.Event()

    def complain(sentence: str) -> None:
        said.append(sentence)
        if len(said) == 2:
            all_said.set()

    companions = Companions(tmp_path, "7F3K", 5, ("Anna", "Boris"))
    companions.complain = complain
    companions.call("Kitchen", 2, Manner("easy", "quick"))
    await asyncio.wait_for(all_said.wait(), WAIT_S)
    for arguments in started:
        assert arguments[arguments.index("--policy") + 1] == "random"
        assert float(arguments[arguments.index("--pause") + 1]) == PACES["quick"]
