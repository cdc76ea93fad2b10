"""`python -m tests.kills`: processes that play are killed at random moments, and come back.

Headless peers play deal after deal at one table, over real sockets and real disks. In each deal one of them
(or two, or all) is killed with SIGKILL or stopped with SIGSTOP at a random moment, and comes back a little
later, from another port as often as not. At the end the journals of all are compared entry by entry. Prints a
table; exits 1 if an entry was lost, somebody was blamed, or two journals differ.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p2p.net.store import open_store
from p2p.protocol.audit import audit

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor")
TABLE_DEALS = 10
"""Deals at one table; then a new one is formed, in new processes."""
DEAL_LIMIT_S = 240.0
"""A deal that takes longer than this, with its fault, has not gone on."""
FIRST_GUESS = 40
"""How many steps the shortest deal has, until one has been seen."""
WITHIN_A_STEP_S = 0.1
"""A fault comes up to so much later than the step that it waits for."""
OWN_PORTS = range(20_000, 32_000)
STOPPED_S = 9.0
"""Longer than a silent link is kept."""
FAULTS = ("kill", "kill", "kill", "kill", "kill two", "kill all", "stop")
"""What happens in the deals of a table, unless others are asked for: in turn, in a random order."""

Step = tuple[bytes, int, int, int]
"""Table id, deal, step and seat."""


@dataclass
class Player:
    """One seat through all its processes."""

    index: int
    home: Path
    title: str
    seats: int
    deals: int
    seed: int
    port: int
    rules: str
    news: asyncio.Event
    """Is set at each word of any of them."""
    process: asyncio.subprocess.Process | None = None
    reader: "asyncio.Task[None] | None" = None
    ended: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What it said of deals that were over."""
    position: tuple[int, int] = (0, 0)
    steps: dict[int, int] = field(default_factory=dict)
    """To which step of each deal it has come."""
    words: int = 0
    """How often it said that it takes a deal up, or has come to a step."""
    result: dict[str, Any] | None = None
    complaint: str = ""

    @property
    def transcript(self) -> Path:
        """Where it writes the transcript of its last deal."""
        return self.home / "deal.jsonl"

    async def start(self, *, port: int | None = None) -> None:
        """Start a process: the first one, or one that takes the table up again."""
        self.home.mkdir(parents=True, exist_ok=True)
        table = ["--join", self.title]
        if self.index == 0:
            table = ["--open", self.title, "--seats", str(self.seats), "--rules", self.rules]
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ui", "bot", "--json", "--until-eof", *table),
            *("--name", NAMES[self.index], "--policy", "counting", "--seed", str(self.seed)),
            *("--deals", str(self.deals), "--port", str(self.port if port is None else port)),
            *("--transcript", str(self.transcript), "--patience", "120"),
            *("--log-file", str(self.home / "log.txt")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "VERISH_HOME": str(self.home), "VERISH_LANG": "en"},
            limit=1 << 20,
            start_new_session=True,
        )
        self.reader = asyncio.create_task(self._read(self.process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        complaint = asyncio.create_task(process.stderr.read())
        async for line in process.stdout:
            with suppress(json.JSONDecodeError):  # a killed process leaves half a line
                self._take(json.loads(line))
        self.complaint = (await complaint).decode(errors="replace").strip()
        self.news.set()

    def _take(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "step":
                self.position = (event["deal"], event["step"])
                self.steps[event["deal"]] = event["step"]
                self.words += 1
            case "resume":
                self.words += 1
            case "deal_over":
                self.ended[event["deal"]] = event
            case "result":
                self.result = event
            case _:
                return
        self.news.set()

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self.process is not None and self.process.returncode is None

    def signal(self, number: int) -> None:
        """Send a signal to its own process, by its id."""
        if self.process is not None and self.running:
            self.process.send_signal(number)

    async def kill(self) -> None:
        """Kill its process, and wait until it is gone."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            await self.process.wait()
        if self.reader is not None:
            await self.reader


@dataclass
class Tally:
    """What came of it."""

    faults: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    """Deals with a kill before their end; one that came a moment later does not count."""
    finished: int = 0
    lost: int = 0
    second: int = 0
    blamed: int = 0
    unequal: int = 0
    failed: list[str] = field(default_factory=list)
    back_s: list[float] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.lost or self.second or self.blamed or self.unequal or self.failed)

    def rows(self) -> list[tuple[str, str]]:
        """The printed table."""
        faults = ", ".join(f"{count} x {name}" for name, count in sorted(self.faults.items()))
        slow = f"{max(self.back_s, default=0.0):.1f} s"
        return [
            ("faults injected", f"{self.faults.total()} ({faults})"),
            ("deals with a kill in them", str(self.killed)),
            ("deals finished", str(self.finished)),
            ("entries lost", str(self.lost)),
            ("second entries for a step", str(self.second)),
            ("wrong blames", str(self.blamed)),
            ("transcripts that differ", str(self.unequal)),
            ("slowest return to a deal", slow),
            ("failures", str(len(self.failed))),
        ]


@dataclass(frozen=True)
class Wish:
    """What is asked for."""

    deals: int = 20
    peers: int = 3
    seed: int = 1
    rules: str = "pagat"
    faults: tuple[str, ...] = FAULTS


class Evening:
    """One table with its processes and its faults."""

    def __init__(self, folder: Path, wish: "Wish", deals: int, seed: int, tally: Tally) -> None:
        self.chance = random.Random(seed)
        self.tally = tally
        self.deals = deals
        self.faults = self.chance.sample(wish.faults, len(wish.faults))
        seats, rules = wish.peers, wish.rules
        title, self.news = f"Kills {seed}", asyncio.Event()
        # One deal more than there are faults: in the last one nobody may be away when the others go home.
        self.players = [
            Player(
                index,
                folder / NAMES[index],
                title,
                seats=seats,
                deals=deals + 1,
                seed=seed * 100 + index,
                port=_free_port(),
                rules=rules,
                news=self.news,
            )
            for index in range(seats)
        ]
        self.steps = FIRST_GUESS

    async def play(self, say: Callable[[str], None]) -> None:
        """Play the evening; what fails is noted."""
        async with self._all_started():
            for deal in range(1, self.deals + 1):
                began = time.monotonic()
                try:
                    async with asyncio.timeout(DEAL_LIMIT_S):
                        fault = await self._one_deal(deal)
                except TimeoutError:
                    self._fail(f"deal {deal} stood still: {self._where()}")
                    return
                took = time.monotonic() - began
                self.tally.finished += 1
                say(f"{self.players[0].title}, deal {deal}: {fault}; over after {took:.1f} s")
            with suppress(TimeoutError):
                async with asyncio.timeout(DEAL_LIMIT_S):
                    await self._until(lambda: all(player.result for player in self.players))
            for player in self.players:
                if player.result is None:
                    self._fail(f"no result after the last deal: {self._where()}")
                    break
        self._compare()

    @asynccontextmanager
    async def _all_started(self) -> AsyncIterator[None]:
        try:
            for player in self.players:
                await player.start()
            yield
        finally:
            for player in self.players:
                player.signal(signal.SIGCONT)
                await player.kill()

    async def _one_deal(self, deal: int) -> str:
        """Wait for the deal, do something bad in it, and wait until all have come to its end."""
        moment = (deal, self.chance.randrange(self.steps))
        await self._until(lambda: any(player.position >= moment for player in self.players))
        await asyncio.sleep(self.chance.uniform(0.0, WITHIN_A_STEP_S))
        fault = self.faults[deal % len(self.faults)]
        place = max(player.position for player in self.players)
        count = {"kill two": 2, "kill all": len(self.players)}.get(fault, 1)
        victims = self.chance.sample(self.players, min(count, len(self.players)))
        self.tally.faults[fault] += 1
        self.tally.killed += place[0] == deal and fault != "stop"
        if fault == "stop":
            victims[0].signal(signal.SIGSTOP)
            await asyncio.sleep(STOPPED_S)
            victims[0].signal(signal.SIGCONT)
        else:
            await asyncio.gather(*(player.kill() for player in victims))
            await asyncio.gather(*(self._bring_back(player) for player in victims))
        await self._until(lambda: all(deal in player.ended for player in self.players))
        length = max(player.steps.get(deal, 0) for player in self.players)
        self.steps = length if deal == 1 else min(self.steps, length)
        for player in self.players:
            self._judge(player, player.ended[deal])
        names = ", ".join(NAMES[player.index] for player in victims)
        return f"{fault} ({names}) at deal {place[0]}, step {place[1]}"

    async def _bring_back(self, player: Player) -> None:
        await asyncio.sleep(self.chance.uniform(0.0, 3.0))
        before = time.monotonic()
        heard = player.words
        await player.start(port=self.chance.choice((None, 0)))
        await self._until(lambda: player.words > heard or not player.running)
        self.tally.back_s.append(time.monotonic() - before)

    async def _until(self, look: Callable[[], bool]) -> None:
        """Wait until `look()`; whoever has ended before his time is a failure and is started again."""
        while not look():
            for player in self.players:
                process = player.process
                gone = process is not None and process.returncode not in (None, -signal.SIGKILL)
                if gone and player.result is None:
                    assert process is not None
                    assert player.reader is not None
                    player.process = None  # who else looks now does not start it a second time
                    await player.reader
                    self._fail(f"{NAMES[player.index]} ended with {process.returncode}: {player.complaint}")
                    await player.start()
            self.news.clear()
            with suppress(TimeoutError):  # a process may end without a word
                async with asyncio.timeout(0.25):
                    await self.news.wait()

    def _judge(self, player: Player, over: dict[str, Any]) -> None:
        if over["outcome"] != "finished":
            self.tally.blamed += 1
            self._fail(f"{NAMES[player.index]}: deal {over['deal']} {over['outcome']}, {over['check']}")
        elif over["audit"] != "ok":
            self._fail(f"{NAMES[player.index]}: audit of deal {over['deal']}: {over['audit']}")

    def _compare(self) -> None:
        """Compare the journals of all, entry by entry, and let the auditor go over the last transcripts."""
        journals = [_journal(player.home) for player in self.players]
        everything: dict[Step, set[bytes]] = {}
        for journal in journals:
            for place, signed in journal.items():
                everything.setdefault(place, set()).add(signed)
        played = {place for place in everything if place[1] <= self.deals}
        self.tally.second += sum(len(everything[place]) > 1 for place in played)
        for journal in journals:
            missing = played - journal.keys()
            self.tally.lost += len(missing)
            self.tally.unequal += bool(missing)
        for player in self.players:
            if player.transcript.exists() and not audit(player.transcript.read_bytes(), os.urandom).ok:
                self._fail(f"{NAMES[player.index]}: the last transcript does not pass")

    def _where(self) -> str:
        return ", ".join(
            f"{NAMES[player.index]} {'at' if player.running else 'gone at'} {player.position}"
            for player in self.players
        )

    def _fail(self, text: str) -> None:
        self.tally.failed.append(f"{self.players[0].title}: {text}")
        print(f"FAILED {self.tally.failed[-1]}", flush=True)


def _journal(home: Path) -> dict[Step, bytes]:
    """All entries of one seat's journal."""
    store, _ = open_store(home / "profiles" / "main.sqlite")
    try:
        found = {}
        for record in store.deals():
            for entry in store.entries(record.table_id, record.number):
                found[record.table_id, record.number, entry.step, entry.seat] = entry.signed
        return found
    finally:
        store.close()


def _free_port() -> int:
    """Return one that no system gives out by itself: nobody gets it while its owner is dead."""
    while True:
        port = random.SystemRandom().choice(OWN_PORTS)
        with suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sock:
            sock.bind(("::", port))
            return port


async def run(wish: Wish, say: Callable[[str], None]) -> Tally:
    """Play so many deals with a fault in each, and return what came of it."""
    tally = Tally()
    left, number = wish.deals, wish.seed
    while left:
        part = min(left, TABLE_DEALS)
        with tempfile.TemporaryDirectory(prefix="verish-kills-") as folder:
            await Evening(Path(folder), wish, part, number, tally).play(say)
        left -= part
        number += 1
    return tally


def main() -> int:
    """Play, and print the table."""
    usual = Wish()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=usual.deals)
    parser.add_argument("--peers", type=int, default=usual.peers)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--rules", default=usual.rules)
    parser.add_argument("--faults", nargs="+", choices=sorted(set(FAULTS)), default=list(usual.faults))
    asked = parser.parse_args()
    wish = Wish(asked.deals, asked.peers, asked.seed, asked.rules, tuple(asked.faults))

    def say(line: str) -> None:
        print(line, flush=True)

    tally = asyncio.run(run(wish, say))
    for name, value in tally.rows():
        print(f"{name:28} {value}")
    if not tally.ok:
        print(f"Repeat: python -m tests.kills {' '.join(sys.argv[1:])}")
    return 0 if tally.ok else 1


if __name__ == "__main__":
    sys.exit(main())
