"""What holds for every page around the table: sizes, keys, poor terminals, hostile text. No Textual."""

from dataclasses import replace

import pytest
from page_samples import HOSTILE, gathering, lobby, member, offer, over
from page_text import AROUND, SIZES, private_form, text

from engine import Seat
from p2p.protocol.snapshot import ResultKind
from p2p.protocol.table_code import own_code
from ui import i18n
from ui.glyphs import GlyphSet
from ui.keys import Place
from ui.lobby import Surroundings
from ui.lobby.address_page import AddressPage
from ui.lobby.code_page import CodePage
from ui.lobby.help_page import HelpPage
from ui.lobby.lobby_page import LobbyPage
from ui.lobby.menu_page import MenuPage
from ui.lobby.open_page import OpenTablePage
from ui.lobby.over_page import OverPage
from ui.lobby.page import Page
from ui.lobby.ready_page import ReadyPage
from ui.table.size import Size


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
