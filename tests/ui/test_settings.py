"""The file of settings: read strictly, changed one by one, and never lost."""

import asyncio
import os
from pathlib import Path

import pytest

from p2p.errors import LocalError
from p2p.protocol.table_rules import TableRulesError
from p2p.protocol.text import TextError
from ui.settings import MOST_BYTES, USUAL, OwnSettings, Settings, read, settings_file, write
from ui.words.settings import set_aside

DAMAGED = {
    "empty": b"",
    "half": b'{"name": "Ol',
    "zeros": bytes(300),
    "a list": b"[]",
    "an unknown field": b'{"colour": "red"}',
    "a wrong type": b'{"sound": "yes"}',
    "a wrong word": b'{"suits": "five"}',
    "no text": b'{"name": "\xff\xfe"}',
    "a bell in the name": b'{"name": "Ol\\u0007eg"}',
    "a line break in the name": b'{"name": "Oleg\\r\\nx"}',
    "an empty name": b'{"name": "  "}',
    "a clock that no table has": b'{"clock_s": 3}',
    "nested": b"[" * 10_000,
    "long": b'{"name": "Oleg"}' + b" " * MOST_BYTES,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_set_aside_whole_and_the_usual_holds(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    settings, unreadable = read(path)
    assert settings == USUAL
    assert unreadable is not None
    assert unreadable.moved_to == path.with_name("settings.json.damaged-1")
    assert files(path.parent) == {"settings.json.damaged-1": data}
    assert str(unreadable.moved_to) in set_aside(unreadable)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_in_the_place_of_the_file_holds_nothing_up(path: Path) -> None:
    os.mkfifo(path)
    settings, unreadable = read(path)
    assert settings == USUAL
    assert unreadable is not None


def test_what_is_wrong_with_a_name_or_a_time_is_said_in_the_words_of_their_options(path: Path) -> None:
    path.write_bytes(DAMAGED["a bell in the name"])
    _usual, unreadable = read(path)
    assert unreadable is not None
    assert isinstance(unreadable.cause, TextError)
    assert "control characters" in set_aside(unreadable)
    path.write_bytes(DAMAGED["a clock that no table has"])
    _usual, unreadable = read(path)
    assert unreadable is not None
    assert isinstance(unreadable.cause, TableRulesError)
    assert "from 10 to 600 seconds" in set_aside(unreadable)


def test_a_file_cannot_steer_the_terminal_through_the_sentence_about_it(path: Path) -> None:
    path.write_bytes(b'{"\\u001b[2J": 1}')
    _usual, unreadable = read(path)
    assert unreadable is not None
    assert set_aside(unreadable).isprintable()


def test_a_second_damaged_file_does_not_take_the_place_of_the_first(path: Path) -> None:
    for data in (b"one", b"two"):
        path.write_bytes(data)
        read(path)
    assert files(path.parent) == {"settings.json.damaged-1": b"one", "settings.json.damaged-2": b"two"}


def test_no_file_means_what_is_usual_and_is_nothing_to_speak_of(path: Path) -> None:
    assert read(path) == (USUAL, None)
    assert not path.exists()


def test_what_is_written_is_read_again_and_leaves_out_what_is_usual(path: Path) -> None:
    target = path.parent / "new" / "settings.json"
    assert write(target, {"name": " Oleg ", "clock_s": 30, "sound": False, "ascii": False}) is None
    assert read(target) == (Settings(name="Oleg", clock_s=30, sound=False), None)
    assert b"ascii" not in target.read_bytes()


def test_a_change_leaves_alone_what_another_process_has_changed(path: Path) -> None:
    write(path, {"theme": "nord"})
    write(path, {"suits": "four"})
    assert read(path)[0] == Settings(theme="nord", suits="four")


def test_a_change_sets_aside_a_file_that_was_damaged_meanwhile(path: Path) -> None:
    path.write_bytes(b"mine")
    unreadable = write(path, {"suits": "four"})
    assert unreadable is not None
    assert files(path.parent)["settings.json.damaged-1"] == b"mine"
    assert read(path) == (Settings(suits="four"), None)


def test_a_file_that_cannot_be_read_is_not_written_over(path: Path) -> None:
    path.mkdir()
    settings, unreadable = read(path)
    assert settings == USUAL
    assert unreadable is not None
    assert unreadable.moved_to is None
    assert "cannot be read" in set_aside(unreadable)
    with pytest.raises(LocalError):
        write(path, {"suits": "four"})
    assert path.is_dir()


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_to_the_file_stays_a_link(path: Path) -> None:
    real = path.with_name("real.json")
    real.write_bytes(b"{}")
    path.symlink_to(real)
    write(path, {"suits": "four"})
    assert path.is_symlink()
    assert read(real)[0].suits == "four"


def test_the_file_lies_in_the_folder_that_the_environment_names(tmp_path: Path) -> None:
    assert settings_file({"VERISH_HOME": str(tmp_path)}) == tmp_path / "settings.json"
    assert settings_file({}).parts[-2:] == ("verish", "settings.json")


async def test_what_overrides_the_file_holds_for_this_start_and_is_never_written(path: Path) -> None:
    write(path, {"theme": "nord"})
    own = OwnSettings.load(path)
    own.override("theme", "dracula", "VERISH_THEME")
    own.override("theme", "gruvbox", "--theme")
    assert (own.now.theme, own.overridden_by("theme")) == ("gruvbox", "--theme")
    own.change("sound", False)
    await own.save()
    assert (own.now.sound, own.overridden_by("sound")) == (False, "")
    assert read(path)[0] == Settings(theme="nord", sound=False)


async def test_a_change_that_could_not_be_written_is_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / "settings"
    own = OwnSettings.load(folder / "settings.json")
    await asyncio.to_thread(folder.write_bytes, b"a file where the folder should be")
    own.change("suits", "four")
    with pytest.raises(LocalError):
        await own.save()
    await asyncio.to_thread(folder.unlink)
    await own.save()
    assert read(folder / "settings.json")[0].suits == "four"


def test_a_setting_cannot_be_changed_to_what_its_file_would_be_refused_for(path: Path) -> None:
    own = OwnSettings(path)
    with pytest.raises(ValueError, match="name"):
        own.change("name", "Ol\neg")
    with pytest.raises(TableRulesError):
        own.change("clock_s", 3)
    assert own.now == USUAL
