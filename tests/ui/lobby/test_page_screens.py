"""The pages in Textual: keys of both layouts, the mouse, sizes, typing, guards, hostile names."""

from typing import Any

import pytest
from page_samples import HOSTILE, gathering, key, lobby, member, offer, over
from textual.app import App
from textual.pilot import Pilot

from p2p.protocol.snapshot import LobbySnapshot
from ui import i18n
from ui.keys import Place
from ui.lobby import (
    AddressScreen,
    Connect,
    Go,
    HelpScreen,
    Join,
    LobbyScreen,
    MenuScreen,
    NextDeal,
    OpenTableScreen,
    OverScreen,
    PageScreen,
    ReadyScreen,
    SetReady,
    Surroundings,
    Where,
    Wish,
    Wished,
)
from ui.table.view import CanvasView
from ui.theme import VERISH_DARK, computed_variables

AROUND = Surroundings(14.2, ("192.168.1.23:52417",), ("Wi-Fi",))


class Host(App[None]):
    """Shows one page and notes what it wishes."""

    def __init__(self, page: PageScreen[Any]) -> None:
        super().__init__()
        self.page = page
        self.wishes: list[Wish] = []
        self.register_theme(VERISH_DARK)
        self.theme = "verish-dark"

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**computed_variables(variables), **variables}

    def on_mount(self) -> None:
        self.push_screen(self.page)

    def on_wished(self, message: Wished) -> None:
        self.wishes.append(message.wish)

    @property
    def text(self) -> str:
        return "\n".join(self.page.query_one(CanvasView).canvas.lines())

    def find(self, words: str) -> tuple[int, int]:
        """Return column and row of words on the canvas."""
        for row, line in enumerate(self.text.split("\n")):
            if words in line:
                return line.index(words), row
        raise AssertionError(f"{words!r} is not on the screen")


async def click(pilot: Pilot[None], host: Host, words: str) -> None:
    await pilot.click(CanvasView, offset=host.find(words))
    await pilot.pause()


def screens() -> list[PageScreen[Any]]:
    return [
        LobbyScreen(lobby(), AROUND),
        OpenTableScreen("Kitchen"),
        AddressScreen(AROUND.addresses),
        ReadyScreen(gathering()),
        OverScreen(over()),
        HelpScreen(Place.TABLE, gathering()),
        MenuScreen(gathering()),
    ]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
@pytest.mark.parametrize("index", range(7))
async def test_every_screen_shows_itself(index: int, size: tuple[int, int], language: str) -> None:
    i18n.use_language(language)
    host = Host(screens()[index])
    async with host.run_test(size=size) as pilot:
        await pilot.pause()
        assert host.page.page.title.split(" · ")[0][:16] in host.text.split("\n")[0]
        assert len(host.text.split("\n")) == size[1]


@pytest.mark.parametrize(
    ("pressed", "wish"),
    [
        ("o", Go(Where.OPEN_TABLE)),
        ("O", Go(Where.OPEN_TABLE)),
        ("щ", Go(Where.OPEN_TABLE)),
        ("Щ", Go(Where.OPEN_TABLE)),
        ("i", Go(Where.ADDRESS)),
        ("ш", Go(Where.ADDRESS)),
        ("b", Go(Where.BOTS)),
        ("и", Go(Where.BOTS)),
        ("f1", Go(Where.HELP)),
        ("question_mark", Go(Where.HELP)),
        ("comma", Go(Where.HELP)),
        ("escape", Go(Where.MENU)),
        ("enter", Join(key(1), bytes([1]) * 16)),
    ],
)
async def test_keys_of_both_layouts_wish_the_same(pressed: str, wish: Wish) -> None:
    host = Host(LobbyScreen(lobby(), AROUND))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press(pressed)
        await pilot.pause()
        assert host.wishes == [wish]


async def test_the_mouse_does_all_that_keys_do() -> None:
    host = Host(LobbyScreen(lobby(), AROUND))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await click(pilot, host, "Evening 2T")
        await click(pilot, host, "Enter")
        await click(pilot, host, "open a table")
        await click(pilot, host, "help")
        await pilot.click(CanvasView, offset=(40, 10), button=3)
        await pilot.pause()
        assert host.wishes == [
            Join(key(2), bytes([2]) * 16),
            Go(Where.OPEN_TABLE),
            Go(Where.HELP),
            Go(Where.MENU),
        ]


async def test_a_form_is_filled_in_by_the_mouse_alone() -> None:
    host = Host(OpenTableScreen("Kitchen"))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await click(pilot, host, "up to 3")
        assert "≠ up to 4" in host.text
        await click(pilot, host, "taker may remove")
        assert "must be removed" in host.text
        await click(pilot, host, "back to the usual")
        assert "taker may remove" in host.text


async def test_letters_go_into_an_open_field_and_are_no_commands() -> None:
    host = Host(AddressScreen())
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"box.local", "colon", *"80801", "backspace")
        await pilot.press("enter")
        await pilot.pause()
        assert host.wishes == [Connect("box.local:8080")]


async def test_a_question_mark_and_a_comma_can_be_typed_into_a_name() -> None:
    host = Host(OpenTableScreen(""))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "в", "comma", "r", "question_mark")
        await pilot.pause(0.3)
        assert host.wishes == []
        assert "в,r?" in host.text


async def test_text_read_by_a_page_on_top_of_a_table_is_never_markup() -> None:
    table = gathering(title=HOSTILE, members=(member(0, HOSTILE, ready=False), member(1, HOSTILE)))
    host = Host(ReadyScreen(table))
    async with host.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert "[b]Max[/] [@click=a" in host.text
        await click(pilot, host, "[b]Max")
        assert host.wishes == []
        assert host.is_running


@pytest.mark.parametrize("size", [(59, 20), (60, 19), (40, 10), (20, 5), (1, 1)])
async def test_a_window_that_is_too_small_says_so_and_takes_no_keys(size: tuple[int, int]) -> None:
    host = Host(OverScreen(over()))
    async with host.run_test(size=size) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert host.wishes == []
        assert "Next deal" not in host.text
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Next deal" in host.text


async def test_enter_is_dead_for_a_moment_after_news_changed_what_it_does() -> None:
    host = Host(LobbyScreen(lobby(empty=True), Surroundings()))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = host.page
        assert isinstance(screen, LobbyScreen)
        screen.show(_with_one_table(), AROUND)
        await pilot.press("enter")
        await pilot.pause()
        assert host.wishes == []
        assert "[Enter]" in host.text
        await pilot.pause(0.6)
        assert " Enter " in host.text
        await pilot.press("enter")
        await pilot.pause()
        assert host.wishes == [Join(key(5), bytes([5]) * 16)]


async def test_a_bouncing_enter_counts_once() -> None:
    host = Host(ReadyScreen(gathering()))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "enter", "enter")
        await pilot.pause()
        assert host.wishes == [SetReady(True)]


async def test_an_answer_stands_on_the_enter_line_until_the_next_key() -> None:
    host = Host(OverScreen(over()))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        host.page.answer("That cannot be done now.")
        assert "! That cannot be done now." in host.text
        await pilot.press("down")
        await pilot.pause()
        assert "That cannot be done now." not in host.text


async def test_new_data_is_shown_at_once() -> None:
    host = Host(OverScreen(over()))
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert host.wishes == [NextDeal()]
        assert isinstance(host.page, OverScreen)
        host.page.show(over(next_ready=over().next_ready | {key(0)}))
        assert "Waiting for the others." in host.text


def _with_one_table() -> LobbySnapshot:
    full = lobby()
    return LobbySnapshot(
        full.own_key, full.own_name, full.own_fingerprint, full.people, (offer(5, "Kitchen"),)
    )
