"""The list of deals to watch again: what it shows, how one chooses, what it says before the first deal."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from bounds import WAIT_S
from fake_node import FakeNode
from finished_table import kept, over
from textual.pilot import Pilot

from p2p.net.history import History, PastDeal
from p2p.protocol.deal_tally import PlayerRecord, Tally
from p2p.protocol.replay import Replay, replay_journal
from ui import i18n
from ui.app import VerishApp
from ui.keys import Place, action_named
from ui.lobby import Go, HelpScreen, RecordsScreen, WatchPast, Where
from ui.lobby.page import Pick
from ui.lobby.records_page import MOST_LISTED, RecordsPage
from ui.replay.screen import ReplayScreen
from ui.table.pages import LogScreen
from ui.table.size import Size
from ui.words.replay import reading

NAMES = ("Oleg", "Константин Константинович", "Vera")


def deal(number: int, *, loser: int = 1, outcome: str = "finished", cause: str | None = None) -> PastDeal:
    players = tuple(
        PlayerRecord(seat, bytes([seat]) * 32, name, seat == 0, None, False, seat == loser, Tally())
        for seat, name in enumerate(NAMES)
    )
    ended = 1e9 + 3600 * number
    return PastDeal(bytes(32), number, 1e9, ended, f"Kitchen {number}", "pagat", {}, outcome, cause, players)


def history(count: int) -> History:
    return History(tuple(deal(number) for number in range(1, count + 1)))


def lines(page: RecordsPage, width: int = 80, height: int = 24) -> list[str]:
    return [line.strip("│ ") for line in page.draw(Size(width, height)).lines()]


async def until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await pilot.pause(0.02)


def test_the_latest_deal_stands_first_and_is_chosen() -> None:
    page = RecordsPage(history(3))
    shown = lines(page)
    assert [line.split("Kitchen ")[1][0] for line in shown if "2001-09-" in line] == ["3", "2", "1"]
    assert page.press("enter") == WatchPast(bytes(32), 3)


def test_a_row_says_when_where_by_which_rules_and_who_lost_and_the_card_who_played() -> None:
    shown = lines(RecordsPage(History((deal(1, loser=2),))))
    (row,) = (line for line in shown if line.startswith("►"))
    assert "2001-09-09" in row or "2001-09-08" in row
    assert row.split()[3:] == ["Kitchen", "1", "pagat", "Vera"]
    assert "Players: You, Константин Константинович, Vera. Lost by: Vera." in shown


def test_a_deal_that_broke_off_says_so_and_why() -> None:
    void = deal(1, loser=2, outcome="void", cause="fork")
    shown = lines(RecordsPage(History((void,))))
    assert any(line.startswith("►") and line.endswith("broken off") for line in shown)
    assert any("fork" in line or "stories" in line for line in shown)


def test_a_deal_that_was_only_watched_says_so() -> None:
    seen = deal(1)
    seen = replace(seen, players=tuple(replace(player, own=False) for player in seen.players))
    assert "You watched this deal." in lines(RecordsPage(History((seen,))))


def test_arrows_and_clicks_choose_and_stop_at_the_ends() -> None:
    page = RecordsPage(history(3))
    page.press("up")
    assert page.index == 0
    page.press("end")
    page.press("down")
    assert page.press("enter") == WatchPast(bytes(32), 1)
    page.pick("deal", 1)
    assert page.press("enter") == WatchPast(bytes(32), 2)
    assert page.draw(Size(80, 24)).hit(4, 20) == Pick("deal", 1)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (110, 40)])
def test_a_long_list_is_bounded_fits_and_can_be_scrolled_to_its_end(
    size: tuple[int, int], language: str
) -> None:
    i18n.use_language(language)
    page = RecordsPage(history(MOST_LISTED + 50))
    assert len(page.deals) == MOST_LISTED
    assert all(len(line) <= size[0] for line in lines(page, *size))
    page.press("end")
    assert any(line.startswith("►") and "Kitchen 51" in line for line in lines(page, *size))


def test_an_empty_list_says_how_to_get_a_deal() -> None:
    page = RecordsPage(History())
    shown = " ".join(lines(page))
    assert "No deal has been played to its end here yet." in shown
    assert "play with bots, and look here again" in shown
    assert page.press("enter") == Go(Where.BACK)


async def test_p_shows_the_list_in_both_layouts_and_enter_the_replay_with_its_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.protocol.audit.Ristretto255", lambda: over()._group)
    assert action_named("replay", Place.LOBBY).keys == ("p", "P", "з", "З")
    node = FakeNode(past=history(2), kept=kept())
    app = VerishApp(node)
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("p", "з"):
            await pilot.pause()
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(app.screen, RecordsScreen)
            await pilot.press("f1")
            await pilot.pause()
            assert isinstance(app.screen, HelpScreen)
            await pilot.press("escape")
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
            assert node.wished[-1] == ("past_deal", bytes(32), 2)
            await pilot.press("h")
            await pilot.pause()
            assert isinstance(app.screen, LogScreen)
            await pilot.press("escape", "escape", "escape")
            await pilot.pause()


async def test_a_deal_that_is_being_read_says_so_all_the_time_and_is_not_read_anew_at_another_press(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.protocol.audit.Ristretto255", lambda: over()._group)
    may_go_on, readings = threading.Event(), []

    def slow(*arguments: Any, **options: Any) -> Replay:
        readings.append(1)
        assert may_go_on.wait(WAIT_S)
        return replay_journal(*arguments, **options)

    monkeypatch.setattr("ui.evening.replay_journal", slow)
    monkeypatch.setattr("ui.app.NOTE_S", 0.02)
    app = VerishApp(FakeNode(past=history(2), kept=kept()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, RecordsScreen))
        await pilot.press("enter")
        await until(pilot, lambda: bool(readings))
        await pilot.press("enter")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, RecordsScreen)
        screen.page.note = ""  # it has faded
        await until(pilot, lambda: screen.page.note == reading())
        may_go_on.set()
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert len(readings) == 1


async def test_a_deal_of_which_too_little_is_kept_is_refused_in_a_sentence() -> None:
    app = VerishApp(FakeNode(past=history(1)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("enter")
        screen = app.screen
        assert isinstance(screen, RecordsScreen)
        await until(pilot, lambda: "Too little of this deal is kept" in screen.page.note)
