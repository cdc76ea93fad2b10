"""Deals between headless peers, each a process in a network namespace of its own."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

from lan import Lan

from p2p.protocol.audit import audit

LIMIT_S = 400.0
"""For a whole deal. A quiet machine takes a few seconds, a busy one much more."""

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "ui")

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor")


class BotProcess:
    """`verish bot --json` in a namespace, and what it has said so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.said: list[dict[str, Any]] = []
        self._process = process
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls, machine: str, home: Path, *arguments: str, program: tuple[str, ...] = PROGRAM
    ) -> "BotProcess":
        """Start one with a data folder of its own. program: what takes the arguments of `verish`."""
        command = (*program, "bot", "--json", *arguments)
        return cls(
            await asyncio.create_subprocess_exec(
                *("ip", "netns", "exec", machine, *command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "VERISH_HOME": str(home), "PYTHONPATH": str(ROOT)},
            )
        )

    async def until(self, look: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first event that `look` takes, said already or to come. Raises: TimeoutError."""
        seen = 0
        async with asyncio.timeout(LIMIT_S):
            while True:
                for said in self.said[seen:]:
                    if look(said):
                        return said
                seen = len(self.said)
                assert not self._reading.done(), self.said[-3:]
                self._news.clear()
                await self._news.wait()

    async def until_it(self, what: str) -> dict[str, Any]:
        """The first event of the rules of this kind, such as "laid"."""
        return await self.until(lambda said: said.get("what") == what)

    async def until_event(self, event: str, **data: object) -> dict[str, Any]:
        """The first event of this kind with these data."""
        return await self.until(lambda said: said["event"] == event and data.items() <= said.items())

    async def result(self) -> dict[str, Any]:
        """The last thing that it says, once it has ended as it should."""
        async with asyncio.timeout(LIMIT_S):
            await self._reading
            assert await self._process.wait() == 0, self.said[-3:]
        return self.said[-1]

    async def end(self) -> None:
        """End it if it still runs."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                self.said.append(json.loads(line))
                self._news.set()
        finally:
            self._news.set()


class BotTable(AsyncExitStack):
    """One deal: the first machine opens the table, the others join it. `ended` checks what all agree on."""

    def __init__(self, net: Lan, folder: Path) -> None:
        super().__init__()
        self.net = net
        self.folder = folder
        self.bots: list[BotProcess] = []

    async def seat(
        self, machine: str, *arguments: str, seats: int = 2, program: tuple[str, ...] = PROGRAM
    ) -> BotProcess:
        """Start the next bot; seats: how many the table has, for its opener."""
        number = len(self.bots)
        role = ("--open", "Bridge", "--seats", str(seats)) if number == 0 else ("--join", "Bridge")
        bot = await BotProcess.start(
            machine,
            self.folder / NAMES[number],
            *role,
            *("--name", NAMES[number], "--seed", str(number), "--policy", "counting"),
            *("--transcript", str(self._transcript(number)), *arguments),
            program=program,
        )
        self.push_async_callback(bot.end)
        self.bots.append(bot)
        return bot

    async def ended(self) -> list[dict[str, Any]]:
        """Wait until all have ended, and check that the deal did, as one, for everybody.

        All results, transcripts and digests after every step are equal, and the audit passes.
        """
        results = await asyncio.gather(*(bot.result() for bot in self.bots))
        assert [(result["outcome"], result["audit"]) for result in results] == [("finished", "ok")] * len(
            results
        )
        assert len({tuple(map(result.get, ("loser", "steps", "digest", "head"))) for result in results}) == 1
        transcripts = {self._transcript(number).read_bytes() for number in range(len(self.bots))}
        assert len(transcripts) == 1
        report = audit(transcripts.pop(), os.urandom)
        assert report.ok, report
        digests: dict[int, set[str]] = {}
        for bot in self.bots:
            for said in bot.said:
                if said["event"] == "step":
                    digests.setdefault(said["step"], set()).add(said["digest"])
        assert {step: seen for step, seen in digests.items() if len(seen) != 1} == {}
        return list(results)

    def _transcript(self, number: int) -> Path:
        return self.folder / f"{NAMES[number]}.jsonl"
