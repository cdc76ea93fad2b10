"""Plain mode without a process: what is said in a list, what is typed by a script, over a scripted node."""

import asyncio
from dataclasses import dataclass, field

from bounds import WAIT_S
from fake_node import FakeCompany, FakeNode

from ui.plain.console import InputEnded, Typed
from ui.plain.program import PlainProgram
from ui.settings import OwnSettings


@dataclass
class Voice:
    """Notes each line; a question ends with the prompt."""

    lines: list[str] = field(default_factory=list)
    spoke: asyncio.Event = field(default_factory=asyncio.Event)

    def say(self, sentence: str) -> None:
        """Noted."""
        if sentence:
            self.lines.append(sentence)
            self.spoke.set()

    def ask(self) -> None:
        """Noted, once."""
        if self.lines[-1:] != [">"]:
            self.lines.append(">")

    def answered(self, text: str) -> None:
        """Noted behind the prompt."""
        if self.lines[-1:] == [">"]:
            self.lines[-1] = f"> {text}".rstrip()


@dataclass
class PlainPlayer:
    """A program over a scripted node, and somebody who types. `with`: it runs until its end."""

    node: FakeNode
    at_terminal: bool = True
    now: float = 0.0
    settings: OwnSettings = field(default_factory=OwnSettings)
    watch: str | None = None

    def __post_init__(self) -> None:
        self.voice = Voice()
        self.company = FakeCompany()
        self.program = PlainProgram(
            self.node,
            self.voice,
            company=self.company,
            now=lambda: self.now,
            at_terminal=self.at_terminal,
            settings=self.settings,
            watch=self.watch,
        )
        self._running: asyncio.Task[int] | None = None

    async def __aenter__(self) -> "PlainPlayer":
        self._running = asyncio.create_task(self.program.run())
        await self.settled()
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._running is not None
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    async def type(self, *lines: str) -> None:
        """Type lines, each when what came of the one before was said."""
        for line in lines:
            self.program.dialogue.put(Typed(line))
            await self.settled()

    async def settled(self) -> None:
        """Let the program do all that it can do without waiting."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def hear(self, words: str) -> None:
        """Wait until that was said: a thread has to do its work first."""
        async with asyncio.timeout(WAIT_S):
            while not any(words in line for line in self.voice.lines):
                self.voice.spoke.clear()
                await self.voice.spoke.wait()

    async def exit_code(self) -> int:
        """Wait for the end."""
        assert self._running is not None
        return await self._running

    def hang_up(self) -> None:
        """End the input."""
        self.program.dialogue.put(InputEnded())

    def said_since(self, mark: int) -> list[str]:
        """What was said from a place in the lines on."""
        return self.voice.lines[mark:]

    @property
    def mark(self) -> int:
        """The place after the last line."""
        return len(self.voice.lines)
