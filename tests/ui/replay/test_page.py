"""The page of a replay: how one moves in it, what it shows, and that it fits."""

import re
from dataclasses import replace

import page_samples as samples
import pytest
from deal_players import seeded_draw
from fake_node import FakeNode
from finished_table import over, transcript, watched

from p2p.protocol.replay import Replay, read_replay
from ui import i18n
from ui.app import VerishApp
from ui.keys import Place, action_named
from ui.lobby import Go, HelpScreen, OverScreen, WatchAgain, Where
from ui.lobby.over_page import OverPage
from ui.lobby.page import Pick
from ui.replay.app import ReplayApp
from ui.replay.page import CALL_S, LAY_S, ReplayPage
from ui.replay.screen import ReplayScreen
from ui.table.pages import LogScreen
from ui.table.size import Size


def text(page: ReplayPage, width: int = 80, height: int = 24) -> str:
    return " ".join("\n".join(page.draw(Size(width, height)).lines()).replace("│", " ").split())


@pytest.fixture
def page() -> ReplayPage:
    return ReplayPage(watched(opened=True))


def test_letters_have_their_cyrillic_twins() -> None:
    assert action_named("go_to", Place.REPLAY).keys == ("g", "G", "п", "П")
    assert action_named("replay", Place.OVER).keys == ("p", "P", "з", "З")
    assert OverPage(samples.over()).press("replay") == WatchAgain()


def test_arrows_go_by_a_step_or_by_a_call_and_stop_at_the_ends(page: ReplayPage) -> None:
    last, calls = page.steps - 1, page.replay.calls
    page.press("left")
    assert page.at == 0
    page.press("right")
    assert page.at == 1
    page.press("home")
    for call in calls:
        page.press("down")
        assert page.at == call
    page.press("down")
    assert page.at == calls[-1]
    page.press("end")
    page.press("right")
    assert page.at == last
    page.press("up")
    assert page.at == max(call for call in calls if call < last)


def test_it_runs_to_the_end_and_from_there_again_from_the_start(page: ReplayPage) -> None:
    assert page.enter_line().text == "Run"
    page.press("enter")
    assert page.enter_line().text == "Pause"
    for _ in range(page.steps - 1):
        assert page.running
        page.tick()
    assert (page.running, page.at) == (False, page.steps - 1)
    assert page.enter_line().text == "Run again from the start"
    page.press("run")
    assert (page.running, page.at) == (True, 0)
    page.press("right")
    assert not page.running, "who moves by himself has taken over"
    page.tick()
    assert page.at == 1


def test_a_call_stands_longer_than_a_lay_and_speed_shortens_both(page: ReplayPage) -> None:
    page.at = page.replay.calls[0]
    assert page.stands_s == CALL_S
    page.at -= 1
    assert page.stands_s == LAY_S
    for _ in range(9):
        page.press("faster")
    assert page.stands_s == LAY_S / 8
    page.press("slower")
    assert page.stands_s == LAY_S / 4


def test_a_typed_number_leads_to_its_step_and_another_is_refused_with_the_bounds(page: ReplayPage) -> None:
    page.press("go_to")
    assert page.typing
    step = page.replay.moments[3].step
    page.type_text(f"x{step}-y")
    assert page.enter_line().text == f"Go to step {step}"
    page.press("enter")
    assert (page.at, page.typing) == (3, False)
    page.press("go_to")
    page.type_text("99999")
    page.press("enter")
    assert page.note == f"There are steps 0 to {page.replay.last_step}."
    page.press("back")
    assert (page.at, page.typing) == (3, False)
    assert page.press("back") == Go(Where.BACK)


def test_a_click_on_the_line_of_time_goes_there(page: ReplayPage) -> None:
    canvas = page.draw(Size(80, 24))
    found = {
        target.index
        for row in range(24)
        for column in range(80)
        if isinstance(target := canvas.cell(row, column).target, Pick)
    }
    assert found >= {0, page.replay.calls[0], page.steps - 1}
    page.pick("time", page.steps - 1)
    assert page.at_end


def test_open_books_say_of_every_lay_what_it_was(page: ReplayPage) -> None:
    verdicts = set()
    for at, moment in enumerate(page.replay.moments):
        page.at = at
        if moment.laid is not None:
            shown = text(page)
            assert ("That is true." in shown) != ("That is a bluff." in shown)
            assert ("TRUTH" in shown) == ("That is true." in shown)
            verdicts.add("That is a bluff." in shown)
    assert verdicts == {True, False}
    assert page.corner(40) == "the books are open"


def test_who_acts_is_marked_and_the_deal_is_named_however_long_the_title(page: ReplayPage) -> None:
    page.at = page.replay.calls[0]
    actor = page.moment.actor
    assert actor is not None
    name = page.replay.report.names[actor]
    shown = page.draw(Size(60, 20)).lines()
    assert [line.split()[1] for line in shown[2:6] if line.startswith(" ►")] == [name]
    page.replay = replace(page.replay, title="W" * 32)
    place = page.draw(Size(60, 20)).lines()[0].split("  ")[1]
    assert re.fullmatch(r"Replay · W{6,}… · pagat · (deal )?1", place)


def test_closed_books_tell_of_a_lay_no_more_than_was_said() -> None:
    page = ReplayPage(watched(opened=False))
    for at, moment in enumerate(page.replay.moments):
        page.at = at
        if moment.laid is not None and page.replay.opened(at) is None:
            shown = text(page)
            assert "That is" not in shown
            assert "TRUTH" not in shown
            assert "BLUFF" not in shown
    assert page.corner(40) == "books closed"


def test_the_own_hand_is_shown_to_who_played(page: ReplayPage) -> None:
    own = ReplayPage(watched(opened=False, own=1))
    assert "You" in text(own)
    assert "You" not in text(page)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (144, 46)])
@pytest.mark.parametrize("opened", [True, False])
def test_every_step_fits_every_size(size: tuple[int, int], opened: bool, language: str) -> None:
    i18n.use_language(language)
    page = ReplayPage(watched(opened=opened))
    for at in range(page.steps):
        page.at = at
        lines = page.draw(Size(*size)).lines()
        assert len(lines) == size[1]
        here, last = page.moment.step, page.replay.last_step
        step = {"en": f"step {here} of {last}", "ru": f"шаг {here} из {last}"}[language]
        assert any(step in line for line in lines)
        for name in page.replay.report.names:
            assert any(name in line for line in lines)


async def test_the_app_of_a_file_moves_shows_log_and_help_and_ends(replay: Replay) -> None:
    app = ReplayApp(replay)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("right", "right")
        assert screen.page.at == 2
        await pilot.press("h")
        await pilot.pause()
        assert isinstance(app.screen, LogScreen)
        assert app.screen.table == replay.table(2), "not more than has been seen"
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        await pilot.press("escape")
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        await pilot.press("escape")
    assert app.return_value == 0


@pytest.fixture
def replay() -> Replay:
    return watched(opened=True)


async def test_it_runs_by_itself_once_started(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.replay.page.LAY_S", 0.02)
    monkeypatch.setattr("ui.replay.page.CALL_S", 0.02)
    app = ReplayApp(replay)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("enter")
        for _ in range(1000):
            if screen.page.at_end:
                break
            await pilot.pause(0.02)
        assert screen.page.at_end
        assert not screen.page.running


async def test_a_transcript_that_cannot_be_watched_is_refused_with_a_sentence_on_the_result() -> None:
    node = FakeNode(table_override=samples.over())
    app = VerishApp(node)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("p")
        screen = app.screen
        assert isinstance(screen, OverScreen)
        for _ in range(500):
            if "no transcript" in screen.page.note:
                break
            await pilot.pause(0.02)
        assert "This is no transcript, or none that is in order." in screen.page.note
        assert ("transcript",) in node.wished


def test_the_last_step_of_a_deal_that_broke_off_says_so() -> None:
    lines = transcript().splitlines(keepends=True)
    cut = b"".join(lines[: len(lines) * 2 // 3])
    page = ReplayPage(read_replay(cut, seeded_draw("replay"), over()._group))
    assert "broke off" not in text(page)
    page.press("end")
    assert "Here the deal broke off." in text(page, 120, 36)
    whole = ReplayPage(watched(opened=False))
    whole.press("end")
    assert "broke off" not in text(whole, 120, 36)
