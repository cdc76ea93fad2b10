"""Headless peers as processes of their own: company for a person at a table, the players of a demonstration.

They are ordinary peers: they find the table on the network like everybody, and know only their own cards.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from p2p.net.profile import store_of
from p2p.net.unfinished import Wanted, has_unfinished
from ui.i18n import current_language
from ui.manner import USUAL_MANNER, Manner
from ui.words.trouble import cannot_come

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
"""Names of the headless peers of a demonstration, in the order in which they are called in."""

TERM_GRACE_S: Final = 3.0
"""How long a peer may take to end in order before it is killed."""

EVENING_DEALS: Final = 1_000_000
EVENING_S: Final = 86_400
"""A companion plays for as long as the person does."""

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
        """Start `verish bot --json` with more arguments; `home` is its data folder.

        It ends when its standard input does, so it cannot outlive this process. Raises: OSError.
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ui", "bot", "--json", "--until-eof", *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **_environment(),
                "VERISH_HOME": str(home),
                "VERISH_LANG": current_language(),
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

    async def end(self, *, leave: bool = True) -> None:
        """Ask it to leave, or only to end, so that it can come back; kill it if it does not."""
        if not self.running:
            return
        with suppress(ProcessLookupError):
            if leave:
                self._process.terminate()
            elif self._process.stdin is not None:
                self._process.stdin.close()
        try:
            async with asyncio.timeout(TERM_GRACE_S):
                await self._process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


def _environment() -> dict[str, str]:
    """Our own environment without what it says to us: a table's code, a name, other settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("VERISH_")}


class Companions:
    """Headless peers that keep a person company at tables which he has opened; they leave when he does.

    home: where they keep their own keys and journals, and nobody else. opener: the fingerprint of the
    person's key. port: where his node listens on this machine. names: what they are called, in turn. manner:
    how those play who come back to a table; whoever is called anew is told.
    """

    complain: Callable[[str], None] = staticmethod(lambda _sentence: None)
    """Is told in one sentence when one of them cannot come or has to go."""

    def __init__(
        self, home: Path, opener: str, port: int, names: Sequence[str], manner: Manner = USUAL_MANNER
    ) -> None:
        self._home = home
        self._opener = opener
        self._port = port
        self._names = tuple(names)
        self._manner = manner
        self._tasks: set[asyncio.Task[None]] = set()
        self._for_good = True

    @property
    def keeps_company(self) -> bool:
        """Whether any were called, and not sent home since."""
        return any(not task.cancelling() for task in self._tasks)

    def call(self, title: str, count: int, manner: Manner = USUAL_MANNER) -> None:
        """Send `count` peers to the table `title` that the person has opened, to play in that manner.

        What they left unfinished at an earlier one of that name stays so, or they would go back to it.
        """
        self._manner = manner
        self._send(title, range(1, min(count, len(self._names)) + 1), "--no-resume")

    def recall(self, title: str) -> None:
        """Bring back those who sat at a table of that title when it was left: they take it up."""
        wanted = Wanted(title=title)
        numbers = range(1, len(self._names) + 1)
        self._send(
            title, [one for one in numbers if has_unfinished(store_of(self._home, _profile(one)), wanted)]
        )

    def _send(self, title: str, numbers: Iterable[int], *more: str) -> None:
        leaving = [task for task in self._tasks if task.cancelling()]
        for number in numbers:
            task = asyncio.create_task(self._accompany(self._names[number - 1], number, title, leaving, more))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def dismiss(self) -> None:
        """Send all of them home; they go on their own time."""
        for task in self._tasks:
            # Whoever is already leaving must not be disturbed while he does.
            if not task.cancelling():
                task.cancel()

    async def close(self, *, for_good: bool = True) -> None:
        """Send all of them home, and wait until they have gone. for_good: they need not come back."""
        self._for_good = for_good
        self.dismiss()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accompany(
        self,
        name: str,
        number: int,
        title: str,
        leaving: Collection[asyncio.Task[None]],
        more: Sequence[str],
    ) -> None:
        """Start one peer, with `more` options, and read what it says, so that its pipe never fills.

        leaving: those of an earlier table, whose profiles are free once they have gone. Who has one name has
        one key from evening to evening, or the others would be warned of an impostor.
        """
        if leaving:
            await asyncio.wait(leaving)
        manner = self._manner
        arguments = [
            *("--join", title, "--opener", self._opener, "--peer", f"127.0.0.1:{self._port}"),
            *("--name", name, "--profile", _profile(number), "--policy", manner.policy),
            *("--pause", f"{manner.pause_s}"),
            *("--deals", f"{EVENING_DEALS}", "--patience", f"{EVENING_S}"),
            *more,
        ]
        try:
            peer = await HeadlessPeer.start(arguments, self._home)
        except OSError as error:
            self.complain(cannot_come(name, error.strerror or str(error)))
            return
        try:
            async for _event in peer.events():
                pass
            if await peer.exit_code():
                self.complain(cannot_come(name, peer.complaint))
        finally:
            await peer.end(leave=self._for_good)


def _profile(number: int) -> str:
    """The profile of a companion: who has one name has one key."""
    return f"bot-{number}"
