"""Headless peers as processes of their own: company for a person at a table, the players of a demonstration.

They are ordinary peers: they find the table on the network like everybody, and know only their own cards.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

NAMES: Final = (
    "Anna",
    "Boris",
    "Vera",
    "Gleb",
    "Dina",
    "Egor",
    "Zoya",
    "Ivan",
    "Olga",
    "Pavel",
    "Rita",
    "Timur",
)
"""Names of headless peers, in the order in which they are called in."""

TERM_GRACE_S: Final = 3.0
"""How long a peer may take to say goodbye before it is killed."""

MAX_LINE_BYTES: Final = 1 << 20
"""The longest line that a headless peer prints is that of a result; this is far above it."""


class HeadlessPeer:
    """One `verish bot` process. `start`, then read `events`, then `end`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.complaint = ""
        """What it wrote to standard error: one sentence, if it failed."""

    @classmethod
    async def start(cls, arguments: Sequence[str], home: Path) -> "HeadlessPeer":
        """Start `verish bot --json` with more arguments; `home` is its data folder. Raises: OSError."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ui", "bot", "--json", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **os.environ,
                "VERISH_HOME": str(home),
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
            limit=MAX_LINE_BYTES,
            start_new_session=True,
        )
        return cls(process)

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.returncode is None

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what it says until it ends; then its complaint is there too."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        complaint = asyncio.create_task(self._process.stderr.read())
        try:
            async for line in self._process.stdout:
                yield json.loads(line)
            self.complaint = (await complaint).decode(errors="replace").strip()
        finally:
            complaint.cancel()

    async def exit_code(self) -> int:
        """Wait for the process to end by itself."""
        return await self._process.wait()

    async def end(self) -> None:
        """Ask it to leave; kill it if it does not."""
        if not self.running:
            return
        with suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(TERM_GRACE_S):
                await self._process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


class Companions:
    """Headless peers that keep a person company; they leave when he does."""

    def __init__(self, home: Path) -> None:
        """home: where the companions keep their own keys and journals, apart from the person's."""
        self._home = home
        self._peers: list[HeadlessPeer] = []
        self._readers: set[asyncio.Task[None]] = set()

    async def join(self, count: int, title: str, opener: str, port: int, *, pause_s: float = 1.0) -> None:
        """Send `count` peers to the table `title` that `opener` has opened at `port` of this machine.

        opener: the fingerprint of a key. pause_s: how long they think before each move, so that a person can
        follow. Raises: OSError.
        """
        for name in NAMES[len(self._peers) : len(self._peers) + count]:
            arguments = [
                *("--join", title, "--opener", opener, "--name", name, "--peer", f"127.0.0.1:{port}"),
                *(
                    "--policy",
                    "counting",
                    "--deals",
                    "1000000",
                    "--pause",
                    str(pause_s),
                    "--patience",
                    "86400",
                ),
            ]
            peer = await HeadlessPeer.start(arguments, self._home)
            self._peers.append(peer)
            reader = asyncio.create_task(_drain(peer))
            self._readers.add(reader)
            reader.add_done_callback(self._readers.discard)

    async def close(self) -> None:
        """Send all of them home."""
        peers, self._peers = self._peers, []
        await asyncio.gather(*(peer.end() for peer in peers))
        for reader in tuple(self._readers):
            reader.cancel()


async def _drain(peer: HeadlessPeer) -> None:
    """Read what a peer says so that its pipe never fills; nobody needs it."""
    async for _event in peer.events():
        pass
