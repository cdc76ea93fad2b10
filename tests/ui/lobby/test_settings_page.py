"""The page of settings, and what a change on it does at once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import page_samples as samples
import pytest
from bounds import WAIT_S
from fake_node import FakeNode
from model_table import to_answer
from pilots import settled, text_of
from settings_samples import set_to, still
from textual.pilot import Pilot

from engine import Rank, Seat
from ui.app import VerishApp
from ui.glyphs import GlyphSet
from ui.i18n import use_language
from ui.keys import Place, action_named
from ui.lobby import ChangeSetting, LobbyScreen, OpenTableScreen, SettingsScreen
from ui.lobby.settings_page import SETTING_VALUES, SettingsPage
from ui.settings import OwnSettings, Settings, read
from ui.table.screen import TableScreen
from ui.table.size import Size
from ui.words.ranks import print_latin, rank_label
from ui.words.settings import setting_explanation, setting_name, setting_value

ME = Seat(3)


@pytest.fixture(autouse=True)
def _usual_letters() -> Iterator[None]:
    yield
    print_latin(False)


def drawn(page: SettingsPage, size: tuple[int, int] = (80, 24)) -> str:
    return "\n".join(page.draw(Size(*size)).lines())


def at(setting: str, settings: OwnSettings | None = None) -> SettingsPage:
    """Return the page with a field chosen."""
    page = SettingsPage(settings or set_to(), "Oleg")
    while page.chosen != setting:
        page.press("down")
    return page


async def choose(pilot: Pilot[int], setting: str) -> None:
    """Open the settings and go to a field."""
    await pilot.press("s")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    while screen.page.chosen != setting:
        await pilot.press("down")
    await settled(pilot)


def test_every_setting_has_a_field() -> None:
    assert set(SETTING_VALUES) == set(Settings.__struct_fields__)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_names_every_setting_in_every_size(size: tuple[int, int], language: str) -> None:
    use_language(language)
    for setting in SettingsPage(set_to(), "Oleg").offered:
        picture = drawn(at(setting), size)
        assert setting_name(setting) in picture
        assert setting_explanation(setting).split()[0] in picture


def test_every_value_that_is_offered_has_words_and_can_be_set() -> None:
    for setting, values in SETTING_VALUES.items():
        for value in values:
            assert setting_value(setting, value)
            own = OwnSettings()
            own.change(setting, value)
            assert getattr(own.now, setting) == value


def test_letters_on_cards_are_a_question_for_russian_screens_alone() -> None:
    assert "letters" not in SettingsPage(set_to(), "Oleg").offered
    use_language("ru")
    assert "letters" in SettingsPage(set_to(), "Oleg").offered


def test_arrows_and_enter_ask_for_the_next_value() -> None:
    page = at("suits")
    assert page.press("right") == ChangeSetting("suits", "four")
    assert page.press("enter") == ChangeSetting("suits", "four")
    assert "Change it to: four colours" in drawn(page)
    assert at("suits", set_to(suits="four")).press("enter") == ChangeSetting("suits", "two")
    assert at("suits", set_to(suits="four")).press("reset") == ChangeSetting("suits", "two")
    assert at("clock_s").press("right") == ChangeSetting("clock_s", 10)
    assert at("grace_s", set_to(grace_s=30)).press("reset") == ChangeSetting("grace_s", None)


def test_what_a_flag_settles_says_so_and_cannot_be_changed() -> None:
    own = set_to()
    own.override("suits", "four", "--suits")
    page = at("suits", own)
    assert "four colours  by --suits" in drawn(page)
    for key in ("right", "left", "enter", "reset"):
        page.note = ""
        assert page.press(key) is None
        assert "--suits settles this" in page.note


def test_a_name_is_typed_kept_and_checked_like_the_option() -> None:
    page = at("name")
    assert page.press("enter") is None
    assert page.typing
    page.type_text(" Ivan")
    assert page.press("enter") == ChangeSetting("name", "Oleg Ivan")
    assert not page.typing
    page.press("right")
    for _ in range(len("Oleg")):
        page.press("backspace")
    assert page.press("enter") is None
    assert "The name is empty" in page.note
    assert page.typing
    page.press("back")
    assert not page.typing
    page.press("right")
    page.type_text("x" * 40)
    page.press("down")
    assert "too long" in page.note


def test_a_click_chooses_a_field_and_another_on_its_value_changes_it() -> None:
    page = SettingsPage(set_to(), "Oleg")
    index = page.offered.index("sound")
    assert page.pick("field", index) is None
    assert page.chosen == "sound"
    assert page.pick("value", index) == ChangeSetting("sound", False)
    assert page.pick("value", page.offered.index("name")) is None
    page.type_text("x" * 40)
    assert page.pick("field", 0) is None
    assert page.chosen == "name"


async def test_a_change_holds_at_once_and_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    own = OwnSettings(path)
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await choose(pilot, "theme")
        await pilot.press("right")
        await settled(pilot)
        assert app.theme == "verish-light"
        await pilot.press("down", "right", "down", "right")
        await settled(pilot)
        assert (app.suits, app.glyphs) == ("four", GlyphSet.ASCII)
        async with asyncio.timeout(WAIT_S):
            while not read(path)[0].ascii:
                await pilot.pause(0.02)
    assert read(path)[0] == Settings(theme="verish-light", suits="four", ascii=True)


async def test_another_language_is_spoken_on_every_screen_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERISH_LANG")
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await choose(pilot, "language")
        await pilot.press("right", "right")
        await settled(pilot)
        assert "Настройки" in text_of(app)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert "Открытые столы" in text_of(app)


async def test_letters_and_the_truth_on_the_table_follow_the_settings(russian: None) -> None:
    own = set_to(animation=False)
    app = VerishApp(FakeNode(to_answer()), settings=own)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "Д♠" in text_of(app)
        await pilot.press("7")
        await settled(pilot)
        assert "это обман" in text_of(app)
        app._change_setting("letters", "latin")
        app._change_setting("truth", False)
        await settled(pilot)
        assert rank_label(Rank.QUEEN) == "Q"
        assert "Q♠" in text_of(app)
        assert "Д♠" not in text_of(app)
        assert "это обман" not in text_of(app)


async def test_animation_can_be_switched_off_at_a_table_that_is_open() -> None:
    app = VerishApp(FakeNode(to_answer()), settings=set_to())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        table = app.screen
        assert isinstance(table, TableScreen)
        assert table.flow.animate
        await pilot.press("escape", "down", "down", "enter")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SettingsScreen)
        while screen.page.chosen != "animation":
            await pilot.press("down")
        await pilot.press("left")
        await settled(pilot)
        assert not table.flow.animate


async def test_a_new_table_begins_with_the_times_of_the_settings() -> None:
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=set_to(clock_s=45, grace_s=120))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot)
        assert isinstance(app.screen, OpenTableScreen)
        rules = app.screen.page.form.table_rules
        assert (rules.clock_s, rules.grace_s) == (45, 120)


async def test_sound_is_heard_when_it_is_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    bells: list[int] = []
    monkeypatch.setattr(VerishApp, "bell", lambda _self: bells.append(1))
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=set_to(sound=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await choose(pilot, "sound")
        await pilot.press("right")
        await settled(pilot)
        assert len(bells) == 1
        await pilot.press("left")
        await settled(pilot)
        assert len(bells) == 1


async def test_f2_switches_the_sound_off_and_on_wherever_a_bell_may_ring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bells: list[int] = []
    monkeypatch.setattr(VerishApp, "bell", lambda _self: bells.append(1))
    own = set_to(sound=True)
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot)
        assert not own.now.sound
        assert "Sound is off. F2 switches it on again." in text_of(app)
        await pilot.press("f2")
        await settled(pilot)
        assert own.now.sound
        assert "Sound is on. F2 switches it off." in text_of(app)
        assert len(bells) == 1
    places = (Place.LOBBY, Place.READY, Place.TABLE, Place.OVER)
    assert all(action_named("sound", place).keys == ("f2",) for place in places)


async def test_f2_says_why_it_changes_nothing_where_the_command_line_decides() -> None:
    own = set_to(sound=True)
    own.override("sound", False, "--quiet")
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot)
        assert not own.now.sound
        assert "--quiet" in text_of(app)


async def test_a_theme_chosen_in_the_palette_is_the_setting() -> None:
    own = set_to()
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.theme = "nord"
        await settled(pilot)
    assert own.now.theme == "nord"


async def test_no_colour_goes_before_every_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    own = set_to(theme="nord")
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert app.theme == "ansi-dark"
        await choose(pilot, "theme")
        assert "no colours  by NO_COLOR" in text_of(app)


async def test_a_file_that_was_set_aside_and_a_theme_that_is_not_there_are_told_on_the_screen(
    tmp_path: Path,
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{")
    for own, words in ((OwnSettings.load(path), "were not understood"), (set_to(theme="no"), "no theme no")):
        app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
        async with app.run_test(size=(120, 36)) as pilot:
            await settled(pilot)
            assert words in text_of(app)
            assert app.theme == "verish-dark"


async def test_a_file_that_cannot_be_written_is_told_and_the_change_holds_all_the_same(
    tmp_path: Path,
) -> None:
    (tmp_path / "settings.json").mkdir()
    own = OwnSettings(tmp_path / "settings.json")
    app = VerishApp(FakeNode(lobby=samples.lobby()), settings=own)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await choose(pilot, "suits")
        await pilot.press("right")
        async with asyncio.timeout(WAIT_S):
            while str(tmp_path)[:30] not in text_of(app):  # the whole path may be longer than the line
                await pilot.pause(0.02)
        assert app.suits == "four"
