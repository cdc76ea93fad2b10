import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from bounds import WAIT_S

pytest.importorskip("textual_serve", reason="textual-serve is not installed")

import aiohttp
import aiohttp.web

from ui.browser import BrowserServer, is_own_machine, play_command, server

Serving = Callable[..., AbstractAsyncContextManager[tuple[aiohttp.ClientSession, str]]]


@pytest.fixture
def serving() -> Serving:
    """Serve a command, and give the address with somebody who asks for it."""

    @asynccontextmanager
    async def serve(command: str = "exec sleep 600") -> AsyncIterator[tuple[aiohttp.ClientSession, str]]:
        url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(BrowserServer(command, "127.0.0.1", 0).run(url.set_result))
        try:
            async with aiohttp.ClientSession() as session:
                yield session, await asyncio.wait_for(url, WAIT_S)
        finally:
            task.cancel()
            await asyncio.wait({task}, timeout=WAIT_S)
            assert task.cancelled()

    return serve


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that these tests start ends by being asked."""
    monkeypatch.setattr(server, "TAB_GRACE_S", 0.1)


REPEAT = """
import sys
out, heard = sys.stdout.buffer, sys.stdin.buffer
out.write(b"__GANGLION__\\n")
said = b""
while b"quit" not in said:
    kind, size = heard.read(1), heard.read(4)
    said = kind + size + heard.read(int.from_bytes(size, "big"))
    out.write(b"D" + len(said).to_bytes(4, "big") + said)
    out.flush()
"""
"""A program that shows what it is told, until it is told to end."""


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not true():  # noqa: ASYNC110  # a process that starts or ends wakes nobody here
            await asyncio.sleep(0.01)


def origin_of(url: str) -> dict[str, str]:
    return {"Origin": url.rstrip("/")}


async def test_the_page_names_nothing_that_is_elsewhere_and_may_load_nothing_from_there(
    serving: Serving,
) -> None:
    async with serving() as (session, url), session.get(url) as answer:
        page = await answer.text()
        assert answer.status == 200
        assert page.count("http") == 0
        assert f"ws://{url.removeprefix('http://')}ws" in page
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "http" not in policy


async def test_everything_that_the_page_names_is_there(serving: Serving) -> None:
    async with serving() as (session, url):
        for name in ("css/xterm.css", "js/textual.js", "fonts/RobotoMono-VariableFont_wght.ttf"):
            async with session.get(f"{url}static/{name}") as answer:
                assert answer.status == 200, name


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "[::1"])
async def test_a_name_that_a_stranger_can_turn_to_this_machine_is_not_answered(
    serving: Serving, host: str
) -> None:
    async with serving() as (session, url), session.get(url, headers={"Host": host}) as answer:
        assert answer.status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", ""])
async def test_the_page_of_another_site_gets_no_terminal(serving: Serving, origin: str) -> None:
    async with serving() as (session, url):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{url}ws", headers={"Origin": origin} if origin else {})
        assert refused.value.status == 403


async def test_localhost_is_this_machine_too(serving: Serving) -> None:
    async with serving() as (session, url), session.get(url.replace("127.0.0.1", "localhost")) as answer:
        assert answer.status == 200


async def test_a_tab_whose_program_has_ended_is_told_so(serving: Serving) -> None:
    async with (
        serving("exec true") as (session, url),
        session.ws_connect(f"{url}ws", headers=origin_of(url)) as tab,
    ):
        message = await asyncio.wait_for(tab.receive(), WAIT_S)
        assert message.type is aiohttp.WSMsgType.CLOSE


@pytest.mark.usefixtures("impatient")
async def test_there_are_only_so_many_tabs_until_one_is_closed(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_TABS", 1)
    async with serving() as (session, url):
        first = await session.ws_connect(f"{url}ws", headers=origin_of(url))
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{url}ws", headers=origin_of(url))
        assert refused.value.status == 503
        await first.close()
        async with asyncio.timeout(WAIT_S):
            while True:
                try:
                    await session.ws_connect(f"{url}ws", headers=origin_of(url))
                except aiohttp.WSServerHandshakeError:
                    await asyncio.sleep(0.05)
                else:
                    break


@pytest.mark.usefixtures("impatient")
async def test_a_program_that_does_not_end_with_its_tab_is_killed(serving: Serving, tmp_path: Path) -> None:
    written = tmp_path / "pid"
    command = f"echo $$ > {written}.new; mv {written}.new {written}; exec sleep 600"
    async with serving(command) as (session, url):
        tab = await session.ws_connect(f"{url}ws", headers=origin_of(url))
        await until(written.exists)
        await tab.close()
        await until(lambda: not is_running(int(written.read_text())))


async def test_a_program_that_is_being_made_when_the_server_ends_is_killed_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[asyncio.subprocess.Process] = []
    asked, may_be_made, stopping = asyncio.Event(), asyncio.Event(), asyncio.Event()
    make, shut_down = asyncio.create_subprocess_shell, BrowserServer.on_shutdown

    async def make_slowly(*arguments: Any, **more: Any) -> asyncio.subprocess.Process:
        asked.set()
        await may_be_made.wait()
        made.append(await make(*arguments, **more))
        return made[-1]

    async def say_and_shut_down(self: BrowserServer, app: aiohttp.web.Application) -> None:
        asyncio.get_running_loop().call_soon(stopping.set)
        await shut_down(self, app)

    monkeypatch.setattr(server, "TAB_GRACE_S", 0.1)
    monkeypatch.setattr(asyncio, "create_subprocess_shell", make_slowly)
    monkeypatch.setattr(BrowserServer, "on_shutdown", say_and_shut_down)
    served = BrowserServer("exec sleep 600", "127.0.0.1", 0)
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(served.run(url.set_result))
    async with aiohttp.ClientSession() as session, asyncio.timeout(WAIT_S):
        tab = asyncio.create_task(session.ws_connect(f"{await url}ws", headers=origin_of(await url)))
        await asked.wait()
        running.cancel()
        await stopping.wait()
        may_be_made.set()
        await asyncio.wait({running})
        assert [process.returncode for process in made] == [-signal.SIGKILL]
        await asyncio.wait({tab})


REPEATS = f"exec {sys.executable} -c '{REPEAT}'"


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "{}",
        "[]",
        "[1]",
        '["stdin"]',
        '["stdin", 7]',
        r'["stdin", "\ud800"]',
        '["resize", null]',
        "[" * 99_999,
    ]
    + [f'["resize", {{"width": {size}, "height": 24}}]' for size in ('"a"', "null", "80.5", "1e999")],
)
async def test_what_no_page_of_ours_says_is_left_out_and_the_tab_goes_on(
    serving: Serving, junk: str, capfd: pytest.CaptureFixture[str]
) -> None:
    async with (
        serving(REPEATS) as (session, url),
        session.ws_connect(f"{url}ws", headers=origin_of(url)) as tab,
    ):
        await tab.send_str(junk)
        await tab.send_str('["stdin", "here"]')
        message = await asyncio.wait_for(tab.receive(), WAIT_S)
        assert message.data == b"D\x00\x00\x00\x04here"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("asked", "drawn"),
    [(10**9, server.MOST_CELLS), (10**99, server.MOST_CELLS), (0, 1), (-5, 1), (80, 80)],
)
async def test_no_page_makes_a_program_draw_more_than_a_large_screen(
    serving: Serving, asked: int, drawn: int
) -> None:
    async with (
        serving(REPEATS) as (session, url),
        session.ws_connect(f"{url}ws", headers=origin_of(url)) as tab,
    ):
        await tab.send_json(["resize", {"width": asked, "height": asked}])
        message = await asyncio.wait_for(tab.receive(), WAIT_S)
        assert message.data[:1] == b"M"
        assert json.loads(message.data[5:]) == {"type": "resize", "width": drawn, "height": drawn}


def test_the_command_of_a_tab_is_safe_from_the_shell() -> None:
    command = play_command(["--name", "Anna; rm -rf $HOME"])
    assert command.startswith("exec env ")
    assert command.endswith("-m ui play --name 'Anna; rm -rf $HOME'")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.8.8"])
def test_an_address_that_only_this_machine_reaches_needs_no_warning(host: str) -> None:
    assert is_own_machine(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.23", "kitchen.local"])
def test_any_other_address_needs_one(host: str) -> None:
    assert not is_own_machine(host)
