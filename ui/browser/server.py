"""The web server behind `verish serve`.

A page of another site can ask a browser to open any address of this machine, by its number or by a name that
it turns towards it. So nothing is answered unless it was asked for under a name that no stranger owns, and a
terminal is opened only for the page that came from here.
"""

import asyncio
import ipaddress
import secrets
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp_jinja2
import msgspec
from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from ui.i18n import current_language
from ui.words import browser as words

MOST_TABS: Final = 8
"""Each tab is a peer of its own, with a process for its proofs: more would only slow each other down."""
MOST_CELLS: Final = 1000
"""Of a terminal's width and height; the largest screens have some 600."""
TAB_GRACE_S: Final = 5.0
"""How long a program may take to end in order once its tab is closed, before it is killed."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing is loaded from elsewhere, and no other page can show this one in a frame. The terminal's script
writes styles into the page; the only script that stands in the page itself carries the nonce."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def play_command(options: Sequence[str]) -> str:
    """Return what a shell runs for each tab: `verish play` with options, in the place of the shell, so that
    this process is its parent. A browser's terminal shows all characters, whatever this one does.
    """
    settings = ("TERM=xterm-256color", "PYTHONUTF8=1", f"VERISH_LANG={current_language()}")
    return shlex.join(("exec", "env", *settings, sys.executable, "-m", "ui", "play", *options))


def own_url(host: str, port: int) -> str:
    """Return the address to open."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_own_machine(host: str) -> bool:
    """Whether only programs on this machine reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _within(cells: int) -> int:
    """Return so many cells of a terminal's width or height as a program is asked to draw."""
    return max(1, min(cells, MOST_CELLS))


class _Tab(AppService):
    """The program of one tab."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._changing = asyncio.Lock()
        self._stopped = False

    async def start(self, width: int, height: int) -> None:
        """Start it, unless it has been asked to end in the meantime."""
        async with self._changing:
            if not self._stopped:
                await super().start(width, height)

    async def run(self) -> None:
        """Run it; when it has ended, for whatever reason, the page says so."""
        try:
            await super().run()
        finally:  # where a program ends at once, this task is cancelled by its own tidying up
            await self.remote_close()

    async def stop(self) -> None:
        """Ask it to end; kill it if it does not. Its page and the server may ask at the same time."""
        async with self._changing:
            self._stopped = True
            with suppress(TimeoutError):
                async with asyncio.timeout(TAB_GRACE_S):
                    await super().stop()
            # What is awaited there takes its cancelling for an end, so the timeout alone tells nothing.
            if self._process is not None and self._process.returncode is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), TAB_GRACE_S)
            if self._process is not None and self._process.returncode is None:
                self._process.kill()
                await self._process.wait()


class BrowserServer(Server):
    """Serves one command at one address; `run` until it is cancelled."""

    def __init__(self, command: str, host: str, port: int) -> None:
        super().__init__(command, host, port, title="Verish", templates_path=Path(__file__).parent)
        self._tabs: set[_Tab] = set()

    async def run(self, ready: Callable[[str], None]) -> None:
        """Serve; tell `ready` the address to open. Raises: OSError if nothing can be served there."""
        runner = web.AppRunner(await self._make_app(), access_log=None, shutdown_timeout=TAB_GRACE_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
            ready(own_url(self.host, runner.addresses[0][1]))
            await asyncio.get_running_loop().create_future()
        finally:
            await runner.cleanup()

    async def on_startup(self, app: web.Application) -> None:
        """What there is to say is said by `ready`."""

    async def on_shutdown(self, app: web.Application) -> None:
        """End what runs in the tabs; its page says so."""
        await asyncio.gather(*(tab.stop() for tab in self._tabs))

    async def handle_index(self, request: web.Request) -> web.Response:
        """Answer with the page."""
        nonce = secrets.token_urlsafe()
        context = {
            "nonce": nonce,
            "language": current_language(),
            "title": self.title,
            "font_size": max(8, min(40, to_int(request.query.get("fontsize", ""), 16))),
            "socket_url": f"ws://{request.host}/ws",
            "starting": words.starting(),
            "ended": words.ended(),
            "again": words.again(),
        }
        response = aiohttp_jinja2.render_template("page.html", request, context)
        response.headers["Content-Security-Policy"] = _POLICY.format(nonce=nonce)
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run a program for a tab, as long as the tab is open."""
        if len(self._tabs) >= MOST_TABS:
            raise web.HTTPServiceUnavailable(text=words.too_many(MOST_TABS))
        socket = web.WebSocketResponse(heartbeat=15)
        await socket.prepare(request)

        async def close() -> None:
            await socket.close()

        tab = _Tab(
            self.command,
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=close,
            download_manager=self.download_manager,
        )
        self._tabs.add(tab)
        try:
            width, height = (to_int(request.query.get(name, ""), 80) for name in ("width", "height"))
            await tab.start(_within(width), _within(height))
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._page_said(message.data, socket, tab)
        finally:
            await tab.stop()
            self._tabs.discard(tab)
        return socket

    async def _page_said(self, text: str, socket: web.WebSocketResponse, tab: _Tab) -> None:
        """Pass on what the page of a tab says. What our page does not say is nobody's, and left out."""
        try:
            said = msgspec.json.decode(text)
        except (ValueError, RecursionError):  # msgspec's own errors are among the first
            return
        match said:
            case ["stdin", str(keys)]:
                await tab.send_bytes(keys.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await tab.set_terminal_size(_within(width), _within(height))
            case ["ping", data]:
                await socket.send_json(["pong", data])
            case ["blur", *_]:
                await tab.blur()
            case ["focus", *_]:
                await tab.focus()

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Turn away what strangers' pages ask for."""
        origin = request.headers.get("Origin", "")
        from_here = origin == f"http://{request.host}"
        if not self._is_own_name(request.host) or not (from_here or (not origin and request.path != "/ws")):
            raise web.HTTPForbidden(text=words.turned_away())
        return await handler(request)

    def _is_own_name(self, host: str) -> bool:
        """Whether no stranger can own the name that was asked for: a number, or what we were told."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # half an address
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in {"localhost", self.host.lower()}
        return True
