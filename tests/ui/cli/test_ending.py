"""Bots end in order when they are told to, and never outlive the program that started them."""

import asyncio
import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bounds import WAIT_S

from ui.cli.ending import exit_code
from ui.companions import Companions, HeadlessPeer
from ui.words.trouble import cannot_come

pytestmark = pytest.mark.network


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    arguments = ["bot", "--json", "--join", "Nowhere", "--interface", "127.0.0.1", "--until-eof"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ui", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "VERISH_HOME": str(tmp_path)},
    )
    with process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "start"
        yield process
        process.kill()


def _close_input(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()


def _terminate(process: subprocess.Popen[bytes]) -> None:
    process.terminate()


@pytest.mark.parametrize("tell", [_close_input, _terminate])
def test_a_bot_that_is_told_to_end_does(
    bot: subprocess.Popen[bytes], tell: Callable[[subprocess.Popen[bytes]], None]
) -> None:
    tell(bot)
    assert bot.wait(WAIT_S) == exit_code(signal.SIGTERM)
    assert bot.stderr is not None
    assert b"Traceback" not in bot.stderr.read()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[HeadlessPeer]:
    """Make every companion one process of a few lines: it waits at Stay, and complains at any other table."""
    found: list[HeadlessPeer] = []

    async def start(arguments: list[str], _home: Path) -> HeadlessPeer:
        stays = "Stay" in arguments
        words = "input()" if stays else "sys.exit('It is too late.')"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", f"import sys; {words}"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        found.append(HeadlessPeer(process))
        return found[-1]

    monkeypatch.setattr(HeadlessPeer, "start", start)
    return found


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not true():  # noqa: ASYNC110  # a process that starts wakes nobody here
            await asyncio.sleep(0.01)


async def test_companions_go_home_and_can_be_called_again(
    started: list[HeadlessPeer], tmp_path: Path
) -> None:
    companions = Companions(tmp_path, "7F3K", 5, ("Anna", "Boris", "Vera"))
    said: list[str] = []
    companions.complain = said.append
    companions.call("Stay", 2)
    await _until(lambda: len(started) == 2)
    companions.dismiss()
    companions.call("Stay", 3)
    await _until(lambda: len(started) == 5)
    await companions.close()
    assert not any(peer.running for peer in started)
    assert not said, "who is sent home has nothing to explain"


async def test_a_companion_that_cannot_come_says_why(started: list[HeadlessPeer], tmp_path: Path) -> None:
    companions = Companions(tmp_path, "7F3K", 5, ("Anna",))
    said: list[str] = []
    companions.complain = said.append
    companions.call("Elsewhere", 1)
    await _until(lambda: bool(said))
    assert said == [cannot_come("Anna", "It is too late.")]
    await companions.close()


async def test_who_is_called_again_waits_until_those_before_have_gone(
    started: list[HeadlessPeer], tmp_path: Path
) -> None:
    """The profiles of the first are free only then."""
    companions = Companions(tmp_path, "7F3K", 5, ("Anna",))
    companions.call("Stay", 1)
    await _until(lambda: len(started) == 1)
    companions.dismiss()
    companions.call("Stay", 1)
    await _until(lambda: len(started) == 2)
    assert not started[0].running
    await companions.close()


async def test_companions_come_to_the_table_that_was_opened_not_to_one_they_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    heard: list[list[str]] = []

    async def start(arguments: list[str], _home: Path) -> HeadlessPeer:
        heard.append(arguments)
        raise OSError("no more processes")

    monkeypatch.setattr(HeadlessPeer, "start", start)
    companions = Companions(tmp_path, "7F3K", 5, ("Anna",))
    companions.call("Root", 1)
    await _until(lambda: bool(heard))
    assert "--no-resume" in heard[0]
    await companions.close()


def test_play_ends_with_its_terminal_even_if_nobody_tells_it(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    # A session of its own without a controlling terminal: no hang-up reaches it.
    program = subprocess.Popen(
        [sys.executable, "-m", "ui", "play", "--name", "Oleg", "--interface", "lo"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**os.environ, "VERISH_HOME": str(tmp_path), "TERM": "xterm-256color"},
    )
    os.close(slave)
    try:
        shown = b""
        while b"Lobby" not in shown:
            readable, _, _ = select.select([master], [], [], WAIT_S)
            assert readable, shown
            shown += os.read(master, 65536)
        os.close(master)
        assert program.wait(WAIT_S) == exit_code(signal.SIGHUP)
    finally:
        program.kill()
        program.wait()
