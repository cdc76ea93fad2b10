"""Settings in plain mode: what a new table begins with, and whether a lay is called a bluff."""

from pathlib import Path

import pytest
from fake_node import FakeNode
from model_table import ModelTable, cards
from plain_voice import PlainPlayer

from engine import Rank, Ruleset, Seat
from p2p.protocol.table_rules import TableRules
from ui.i18n import current_language
from ui.settings import SCREEN_ONLY, OwnSettings, Settings, read
from ui.settings_form import SETTING_VALUES
from ui.words.settings import setting_name

ME, VERA = Seat(0), Seat(1)


def settings(**changes: object) -> OwnSettings:
    return OwnSettings(stored=Settings(**changes))  # type: ignore[arg-type]


async def test_tables_begin_with_the_times_of_the_settings() -> None:
    for typed in (("bots", "1"), ("open", "", "", "1", "1", "1", "yes")):
        node = FakeNode()
        async with PlainPlayer(node, settings=settings(clock_s=30, grace_s=20)) as player:
            await player.type(*typed)
            assert TableRules(clock_s=30, grace_s=20) in node.wished[-1]


@pytest.mark.parametrize(("truth", "told"), [(True, True), (False, False)])
async def test_whether_a_lay_is_a_bluff_is_told_only_where_that_is_wished(truth: bool, told: bool) -> None:
    model = ModelTable(("Oleg", "Vera"), own=ME, dealer=ME, ruleset=Ruleset.preset("pagat").with_(burn=0))
    model.give(ME, cards("6S 7D QS KD"))
    model.lay(VERA, 1, Rank.QUEEN)
    async with PlainPlayer(FakeNode(model), settings=settings(truth=truth)) as player:
        await player.type("lay", "7")
        assert any(line.startswith("Lay 7 and say") for line in player.voice.lines)
        assert any("A bluff." in line for line in player.voice.lines) is told


async def test_each_setting_that_does_something_here_is_changed_by_number_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    own = OwnSettings.load(path)
    async with PlainPlayer(FakeNode(), settings=own) as player:
        await player.type("settings")
        said = player.voice.lines
        assert any(str(path) in line for line in said)
        for setting in set(SETTING_VALUES) - {"letters"}:
            shown = any(f"{setting_name(setting)}: " in line for line in said)
            assert shown is (setting not in SCREEN_ONLY)
        await player.type("only ascii", "yes")
        await player.hear("Only ASCII: yes.")
        await player.type("truth", "1")
        await player.hear("Truth or bluff: no.")
        await player.type("your name", "Zoya")
        await player.hear("Your name: Zoya.")
        await player.type("back")
        assert any("open a table" in line for line in said[-6:])
    kept = read(path)[0]
    assert (kept.ascii, kept.truth, kept.name) == (True, False, "Zoya")


async def test_the_language_changes_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERISH_LANG")
    async with PlainPlayer(FakeNode(), settings=OwnSettings.load(tmp_path / "settings.json")) as player:
        await player.type("settings", "1", "русский")
        await player.hear("Какая настройка?")
        assert current_language() == "ru"
        assert any("Буквы на картах" in line for line in player.voice.lines[-10:])


async def test_what_cannot_be_set_is_refused_in_a_sentence_and_nothing_changes(tmp_path: Path) -> None:
    own = OwnSettings.load(tmp_path / "settings.json")
    own.override("ascii", True, "--ascii")
    async with PlainPlayer(FakeNode(), settings=own) as player:
        await player.type("settings", "only ascii")
        assert "--ascii settles this for now; start without it to change it." in player.voice.lines
        before = own.now
        await player.type("your name", "\u200b", "", "banana", "9999999")
        assert sum(line.startswith("That is no answer here.") for line in player.voice.lines) == 2
        assert own.now == before
