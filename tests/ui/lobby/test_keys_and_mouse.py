"""What keys do on the pages the mouse does as well; and every page lives through any size of its window."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import page_samples as samples
import pytest
from bounds import WAIT_S
from finished_table import watched
from page_text import AROUND
from settings_samples import set_to
from textual.app import App
from textual.pilot import Pilot

from p2p.protocol.snapshot import LobbySnapshot
from ui.keys import OF_THE_APP, Place, actions_at, is_later
from ui.lobby import (
    AddressScreen,
    BotsScreen,
    CodeScreen,
    HelpScreen,
    LobbyScreen,
    MenuScreen,
    OpenTableScreen,
    OverScreen,
    PageScreen,
    ReadyScreen,
    RecordsScreen,
    ResultScreen,
    ResumeScreen,
    SettingsScreen,
    StatisticsScreen,
    Wish,
)
from ui.replay.screen import ReplayScreen
from ui.table.canvas import Canvas
from ui.table.frame import Press
from ui.table.pages import LogScreen, ReadingScreen, TrustScreen
from ui.table.proof_pages import FingerprintScreen, ProofScreen
from ui.table.view import CanvasView

WINDOW = (140, 40)
"""So large that every cap of a page has room."""
ELSEWHERE = OF_THE_APP | {"back"}
"""Keys of the whole program: the right button, the menu and the palette stand for them."""
POINTED_AT = {Place.REPLAY: frozenset({"left", "up", "home", "end", "run"})}
"""What a click on the line of time, the wheel and the cap of Enter do."""


class Host(App[None]):
    """Shows one screen."""

    def __init__(self, shown: PageScreen[Any] | ReadingScreen) -> None:
        super().__init__()
        self.shown = shown

    def on_mount(self) -> None:
        self.push_screen(self.shown)

    @property
    def canvas(self) -> Canvas:
        return self.shown.query_one(CanvasView).canvas

    @property
    def caps(self) -> dict[str, tuple[int, int]]:
        """Where each cap can be clicked, in reading order: column and row of the view."""
        view = self.shown.query_one(CanvasView)
        found: dict[str, tuple[int, int]] = {}
        for row in range(view.size.height):
            for column in range(view.size.width):
                target = view.hit(row, column)
                if isinstance(target, Press):
                    found.setdefault(target.name, (column, row))
        return found


class Presses:
    """Takes the presses of a page in its place, so that none changes what the next one finds."""

    def __init__(self, shown: PageScreen[Any]) -> None:
        self.names: list[str] = []
        shown.page.press = self

    def __call__(self, name: str) -> Wish | None:
        self.names.append(name)
        return None


def playing_lobby() -> LobbySnapshot:
    """A lobby whose first table is being played."""
    lobby = samples.lobby()
    return replace(lobby, offers=(lobby.offers[3],))


SHOWN: dict[Place, tuple[Callable[[], PageScreen[Any]], ...]] = {
    Place.LOBBY: (
        lambda: LobbyScreen(playing_lobby(), AROUND),
        lambda: LobbyScreen(samples.lobby(), replace(AROUND, novice=True, looked_s=1.0)),
    ),
    Place.FORM: (lambda: OpenTableScreen("Kitchen"),),
    Place.READY: (lambda: ReadyScreen(samples.going_on(reopened=samples.reopened())),),
    Place.OVER: (
        lambda: OverScreen(samples.opening(wait_until=1.0)),
        lambda: OverScreen(samples.over(reopened=samples.reopened())),
        lambda: OverScreen(samples.over(reopened=samples.reopened(left=True))),
    ),
    Place.RESUME: (lambda: ResumeScreen(samples.left_behind()),),
    Place.BOTS: (BotsScreen,),
    Place.SETTINGS: (lambda: SettingsScreen(set_to(), "Oleg"),),
    Place.STATISTICS: (lambda: StatisticsScreen(samples.past()),),
    Place.RECORDS: (lambda: RecordsScreen(samples.past()),),
    Place.REPLAY: (lambda: ReplayScreen(watched(opened=True)),),
}

PAGES: dict[str, Callable[[], PageScreen[Any] | ReadingScreen]] = {
    **{str(place): makers[0] for place, makers in SHOWN.items()},
    "address": lambda: AddressScreen(AROUND.addresses),
    "code": lambda: CodeScreen(samples.offer(1, "Kitchen", needs_code=True), samples.lobby()),
    "help": lambda: HelpScreen(Place.LOBBY),
    "rules": lambda: HelpScreen(Place.READY, samples.gathering(), rules=True),
    "menu": lambda: MenuScreen(samples.gathering(), quitting=True),
    "result": lambda: ResultScreen(samples.over()),
    "nobody": lambda: LobbyScreen(samples.lobby(empty=True), AROUND),
    "trust": lambda: TrustScreen(samples.over()),
    "log": lambda: LogScreen(samples.over()),
    "proof": lambda: ProofScreen(samples.over(), samples.readings),
    "fingerprints": lambda: FingerprintScreen(samples.over()),
}


@pytest.mark.parametrize("place", list(SHOWN))
async def test_every_key_of_a_page_is_bound_in_both_layouts(place: Place) -> None:
    host = Host(SHOWN[place][0]())
    assert isinstance(host.shown, PageScreen)
    presses = Presses(host.shown)
    expected = []
    async with host.run_test(size=WINDOW) as pilot:
        for action in actions_at(place):
            if is_later(action) or action.name in OF_THE_APP:
                continue
            for key in action.keys:
                expected.append(action.name)
                await pilot.press(key)
        await pilot.pause()
        assert presses.names == expected


@pytest.mark.parametrize("place", list(SHOWN))
async def test_what_a_key_of_a_page_does_a_click_on_its_cap_does(place: Place) -> None:
    clicked: set[str] = set()
    for make in SHOWN[place]:
        host = Host(make())
        assert isinstance(host.shown, PageScreen)
        presses = Presses(host.shown)
        async with host.run_test(size=WINDOW) as pilot:
            await pilot.pause()
            caps = host.caps
            for offset in caps.values():
                await pilot.click(CanvasView, offset=offset)
            await pilot.pause()
            assert presses.names == list(caps)
            clicked.update(caps)
    wanted = {action.name for action in actions_at(place) if not is_later(action)} - ELSEWHERE
    assert not wanted - clicked - POINTED_AT.get(place, frozenset())


async def test_the_wheel_goes_from_call_to_call_and_a_click_on_the_line_to_its_step() -> None:
    host = Host(ReplayScreen(watched(opened=True)))
    page = host.shown.page if isinstance(host.shown, ReplayScreen) else None
    assert page is not None
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        view = host.shown.query_one(CanvasView)
        view.post_message(CanvasView.Scrolled(None, down=True))
        await pilot.pause()
        assert page.at == page.replay.calls[0]
        view.post_message(CanvasView.Scrolled(None, down=False))
        await pilot.pause()
        assert page.at == page.replay.calls[0], "no call lies before the first"
        row = next(number for number, line in enumerate(host.canvas.lines()) if "●" in line)
        await pilot.click(CanvasView, offset=(2, row))
        await pilot.pause()
        assert page.at == 0


async def test_who_opens_the_table_again_chooses_the_seats_by_the_mouse_too() -> None:
    host = Host(OverScreen(samples.over()))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for name in ("reopen", "right", "right", "left"):
            await pilot.click(CanvasView, offset=host.caps[name])
            await pilot.pause()
        assert "Open the table again for 5" in "\n".join(host.canvas.lines())


async def test_pages_to_read_are_left_scrolled_and_opened_further_by_their_caps() -> None:
    asked: list[str] = []

    class Reader(Host):
        def on_trust_screen_more_wanted(self, message: TrustScreen.MoreWanted) -> None:
            asked.append(str(message.where))

        def on_trust_screen_save_wanted(self) -> None:
            asked.append("save")

        def on_reading_screen_help_wanted(self) -> None:
            asked.append("help")

    host = Reader(TrustScreen(samples.over()))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for name in ("enter", "fingerprints", "save", "help"):
            await pilot.click(CanvasView, offset=host.caps[name])
            await pilot.pause()
        assert asked == ["proof", "fingerprints", "save", "help"]
        await pilot.click(CanvasView, offset=host.caps["back"])
        await pilot.pause()
        assert host.screen is not host.shown


async def test_calls_only_and_the_next_fingerprint_are_a_click_away() -> None:
    log = Host(LogScreen(samples.over()))
    async with log.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = log.canvas.cell(22, 2).ink
        await pilot.click(CanvasView, offset=log.caps["calls_only"])
        await pilot.pause()
        assert log.canvas.cell(22, 2).ink != before
    prints = Host(FingerprintScreen(samples.over()))
    async with prints.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.click(CanvasView, offset=prints.caps["turn"])
        await pilot.pause()
        assert any("Boris" in line for line in prints.canvas.lines())


@pytest.mark.parametrize("name", list(PAGES))
async def test_a_page_lives_through_every_size_of_its_window(name: str) -> None:
    host = Host(PAGES[name]())
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = host.canvas.lines()
        for width, height in ((120, 36), (60, 20), (40, 10), (20, 5), (1, 1)):
            await resize(pilot, host, width, height)
            assert host.canvas.width <= width
        await resize(pilot, host, 80, 24)
        assert host.canvas.lines() == before


async def resize(pilot: Pilot[None], host: Host, width: int, height: int) -> None:
    """Give the window another size, and wait until the page is drawn at it."""
    await pilot.resize_terminal(width, height)
    async with asyncio.timeout(WAIT_S):
        while len(host.canvas.lines()) != height:
            await pilot.pause(0.01)
