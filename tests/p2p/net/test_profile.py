"""Profiles: one process each, private files, the next free one taken."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bounds import WAIT_S

from p2p.errors import LocalError, LocalReason
from p2p.net.paths import config_home, data_home, make_private_folder, replace_file, set_aside
from p2p.net.profile import take_profile
from p2p.net.store import open_store

HOLDER = """
import sys
from pathlib import Path
from p2p.net.profile import take_profile
name = sys.argv[2] if len(sys.argv) > 2 else None
print(take_profile(Path(sys.argv[1]), name).name, flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(home: Path, *name: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process that holds a profile of `home`; its name comes along."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(home), *name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_variable_names_the_data_folder_and_an_empty_one_does_not(tmp_path: Path) -> None:
    assert data_home({"VERISH_HOME": str(tmp_path)}) == tmp_path
    assert data_home({"VERISH_HOME": ""}) == data_home({})


@pytest.mark.parametrize("home", [data_home, config_home])
def test_variable_may_name_the_home_of_an_account_and_of_nobody(home: Callable[..., Path]) -> None:
    assert home({"VERISH_HOME": "~/verish"}) == Path.home() / "verish"
    assert home({"VERISH_HOME": "~no-such-account/verish"}) == Path("~no-such-account/verish")


def test_second_process_takes_the_next_profile_and_knows_its_name(tmp_path: Path) -> None:
    with holder(tmp_path) as (_, first), holder(tmp_path) as (_, second):
        third = take_profile(tmp_path)
        assert (first, second, third.name) == ("main", "main-2", "main-3")
        assert not third.first
        third.release()


def test_profile_asked_for_by_name_is_refused_while_another_process_has_it(tmp_path: Path) -> None:
    with holder(tmp_path, "anna"), pytest.raises(LocalError) as caught:
        take_profile(tmp_path, "anna")
    assert caught.value.reason is LocalReason.PROFILE_TAKEN
    assert caught.value.subject == "anna"


def test_two_holders_in_one_process_take_two_profiles(tmp_path: Path) -> None:
    first, second = take_profile(tmp_path), take_profile(tmp_path)
    assert first.path != second.path
    first.release()
    first.release()
    again = take_profile(tmp_path)
    assert again.name == first.name
    again.release()
    second.release()


def test_killed_process_leaves_its_profile_free(tmp_path: Path) -> None:
    with holder(tmp_path) as (process, name):
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=WAIT_S)
        profile = take_profile(tmp_path, name)
        profile.release()


def test_program_started_by_the_holder_does_not_inherit_the_lock(tmp_path: Path) -> None:
    profile = take_profile(tmp_path)
    program = [sys.executable, "-c", "print(flush=True); input()"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(program, close_fds=False, **pipes) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"\n"
        profile.release()
        take_profile(tmp_path, "main").release()
        child.kill()


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "with space", "x" * 33, "nul\0", "line\n"])
def test_name_that_is_no_plain_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(LocalError) as caught:
        take_profile(tmp_path, name)
    assert caught.value.reason is LocalReason.PROFILE_NAME


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_folder_and_files_are_private_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        profile = take_profile(tmp_path / "made" / "here")
        store, _ = open_store(profile.path)
        store.remember_peers([(b"k" * 32, "Anna", None)], 1.0)
        files = sorted(profile.path.parent.iterdir())
        assert mode(profile.path.parent) == 0o700
        assert {mode(path) for path in files} == {0o600}
        assert {path.name for path in files} >= {"main.lock", "main.sqlite", "main.sqlite-wal"}
        store.close()
    profile.release()


def test_folder_and_key_that_others_could_read_are_narrowed(tmp_path: Path) -> None:
    profile = take_profile(tmp_path)
    open_store(profile.path)[0].close()
    profile.path.chmod(0o644)
    profile.path.parent.chmod(0o755)
    profile.release()
    profile = take_profile(tmp_path)
    open_store(profile.path)[0].close()
    assert mode(profile.path) == 0o600
    assert mode(profile.path.parent) == 0o700
    profile.release()


def test_data_folder_named_by_a_person_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    take_profile(tmp_path).release()
    assert mode(tmp_path) == 0o755


def test_file_in_place_of_the_folder_is_an_unreadable_place(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("not a folder")
    with pytest.raises(LocalError) as caught:
        take_profile(home)
    assert caught.value.reason is LocalReason.UNREADABLE
    assert home.read_text() == "not a folder"


def test_folder_in_place_of_the_lock_is_an_unreadable_place(tmp_path: Path) -> None:
    (tmp_path / "profiles" / "main.lock").mkdir(parents=True)
    with pytest.raises(LocalError) as caught:
        take_profile(tmp_path)
    assert caught.value.reason is LocalReason.UNREADABLE


def test_replaced_file_is_whole_and_leaves_no_other_behind(tmp_path: Path) -> None:
    path = tmp_path / "deal.jsonl"
    replace_file(path, b"old\n")
    replace_file(path, b"new\n")
    assert path.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_failed_replacement_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "deal.jsonl"
    path.mkdir()
    with pytest.raises(LocalError) as caught:
        replace_file(path, b"new\n")
    assert caught.value.reason is LocalReason.UNREADABLE
    assert list(tmp_path.iterdir()) == [path]


def test_setting_aside_never_overwrites(tmp_path: Path) -> None:
    for content in ("one", "two", "three"):
        path = tmp_path / "main.sqlite"
        path.write_text(content)
        (tmp_path / "main.sqlite-wal").write_text(content)
        set_aside(path, ("-wal",))
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert texts == {
        f"main.sqlite.damaged-{number}{suffix}": content
        for number, content in enumerate(("one", "two", "three"), 1)
        for suffix in ("", "-wal")
    }


def test_private_folder_may_lie_inside_one_that_is_not_ours(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o700
