"""One queue for all that arrives, and questions over it.

Theory of operation. Typed lines and the node's events wait in one queue, in the order in which they came.
`ask` says a question and takes from the queue until an answer stands. An event may be news, which are said
(`News`), and then the question is asked again. If what the person is asked has become another thing meanwhile
(`meaning`), `Overtaken` leaves the dialogue, with all of its parts: whatever was half answered has fallen,
and the caller looks anew at where the person is. `Back`, `Quitting` and `Ended` leave it likewise.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from p2p.net.node_events import NodeEvent
from ui.plain.answers import BACK, QUIT, WORDS
from ui.plain.console import InputEnded, Typed
from ui.plain.question import Option, Question, chosen, normal, yes_or_no
from ui.words import asks, plain

T = TypeVar("T")

CLOCK_S: Final = 1.0
"""How often to look whether time alone has brought news."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Ctrl+C."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that came of something begun earlier."""

    sentence: str


@dataclass(frozen=True, slots=True)
class End:
    """The process was told to end, with this exit code."""

    code: int


Arrival = Typed | InputEnded | Interrupt | Told | End | NodeEvent


class OvertakenError(Exception):
    """What is asked has changed: the question makes no sense any more."""


class BackError(Exception):
    """The person leaves a part of a dialogue."""


class QuittingError(Exception):
    """The person wants to end the program."""


class EndedError(Exception):
    """There is no more input, or the process was told to end (`code`)."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class Output(Protocol):
    """Where lines go."""

    def say(self, sentence: str) -> None:
        """Write one line."""

    def ask(self) -> None:
        """Write the prompt."""

    def answered(self, text: str) -> None:
        """A typed line was taken."""


class News(Protocol):
    """What there is to say."""

    def take(self, event: NodeEvent) -> tuple[str, ...]:
        """Return what an event says of itself."""

    def catch_up(self, *, whole: bool) -> tuple[str, ...]:
        """Return what has changed since the last time; whole: also what may still go on."""

    def due(self) -> tuple[str, ...]:
        """Return what time alone has brought."""

    @property
    def meaning(self) -> object:
        """What the person is asked now; equal as long as it is the same thing."""


class Dialogue:
    """Asks. `output`: where to; `news`: what is to be said between."""

    def __init__(self, output: Output, news: News) -> None:
        self._output = output
        self._news = news
        self._arrived: deque[Arrival] = deque()
        self._wake = asyncio.Event()
        self.answers = 0
        """How many lines were typed."""

    def put(self, arrival: Arrival) -> None:
        """Add what has arrived."""
        self._arrived.append(arrival)
        self._wake.set()

    def say(self, *sentences: str) -> None:
        """Say sentences, each on a line."""
        for sentence in sentences:
            self._output.say(sentence)

    def catch_up(self) -> None:
        """Say all that has changed."""
        self.say(*self._news.catch_up(whole=True))

    async def ask(self, make: Callable[[], Question]) -> Option | str:
        """Ask and return the answer: an option, or text where that is free. `make` makes the question anew
        whenever it is asked.

        Raises: OvertakenError, BackError, QuittingError, EndedError.
        """
        meaning = self._news.meaning
        question = make()
        self._put(question)
        while True:
            arrival = await self._next()
            if isinstance(arrival, Typed):
                answer = self._answer(question, arrival.text)
                if answer is not None:
                    return answer
                self._put(question)
                continue
            if arrival is None:
                if self._said(self._news.due()):
                    self._output.ask()
                continue
            told = self._said(self._heard(arrival))
            self._check(meaning)
            again = make()
            if told or again != question:
                question = again
                self._put(question)

    async def wait(self, make: Callable[[], Question]) -> Option | str:
        """Wait with nothing asked; whoever types is answered. Returns, and raises, as `ask`."""
        meaning = self._news.meaning
        while True:
            arrival = await self._next()
            if isinstance(arrival, Typed):
                answer = self._answer(make(), arrival.text, quiet=True)
                return await self.ask(make) if answer is None else answer
            self._said(self._news.due() if arrival is None else self._heard(arrival))
            self._check(meaning)

    async def confirm(self, sentence: str) -> bool:
        """Read back what is to be done; return whether it shall be. Raises as `ask`."""
        answer = await self.ask(lambda: yes_or_no(sentence, asks.yes(), asks.no()))
        return isinstance(answer, Option) and answer.name == "yes"

    async def pick(self, make: Callable[[], Question]) -> str:
        """Ask and return the name of the option that was chosen. Raises as `ask`."""
        answer = await self.ask(make)
        assert isinstance(answer, Option), "only a free question is answered by text"
        return answer.name

    async def type_in(self, *lines: str) -> str:
        """Ask for text, which may be empty. Raises as `ask`."""
        answer = await self.ask(lambda: Question(lines, free=True))
        assert isinstance(answer, str), "there is no option"
        return answer

    async def number(self, line: str, least: int, most: int, usual: int | None = None) -> int:
        """Ask for a number until there is one. usual: what Enter alone means. Raises as `ask`."""
        while True:
            typed = (await self.type_in(line)).strip()
            if not typed and usual is not None:
                return usual
            if typed.isdecimal() and len(typed) <= len(str(most)) and least <= int(typed) <= most:
                return int(typed)
            self.say(plain.no_number(least, most))

    async def meanwhile(self, work: Coroutine[Any, Any, T]) -> T:
        """Do what takes a while, and tell what happens meanwhile; lines that are typed wait. Raises as `ask`,
        but no `BackError`.
        """
        meaning, typed = self._news.meaning, list[Typed]()
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _done: self.put(Told("")))
        try:
            while not task.done():
                arrival = await self._next()
                if isinstance(arrival, Typed):
                    typed.append(arrival)
                    continue
                self._said(self._news.due() if arrival is None else self._heard(arrival))
                self._check(meaning)
            return task.result()
        finally:
            task.cancel()
            self._arrived.extendleft(reversed(typed))

    async def settle(self) -> None:
        """Hear the events that have come already, before anything is asked. Raises as `ask`."""
        await asyncio.sleep(0)
        while self._arrived and not isinstance(self._arrived[0], Typed):
            arrival = await self._next()
            if arrival is not None and not isinstance(arrival, Typed):
                self._said(self._heard(arrival))

    async def _next(self) -> Typed | Told | NodeEvent | None:
        """Return what arrives next; None if nothing does for a moment. Raises: QuittingError, EndedError."""
        try:
            async with asyncio.timeout(CLOCK_S):
                while not self._arrived:
                    self._wake.clear()
                    await self._wake.wait()
        except TimeoutError:
            return None
        arrival = self._arrived.popleft()
        if isinstance(arrival, Interrupt):
            raise QuittingError
        if isinstance(arrival, InputEnded):
            raise EndedError
        if isinstance(arrival, End):
            raise EndedError(arrival.code)
        return arrival

    def _heard(self, event: NodeEvent | Told) -> tuple[str, ...]:
        if isinstance(event, Told):
            return (event.sentence,)
        return (*self._news.take(event), *self._news.catch_up(whole=False))

    def _check(self, meaning: object) -> None:
        """Raises: OvertakenError if something else is asked than `meaning`."""
        if self._news.meaning != meaning:
            raise OvertakenError

    def _said(self, sentences: tuple[str, ...]) -> bool:
        self.say(*sentences)
        return any(sentences)

    def _put(self, question: Question) -> None:
        self.say(*self._news.catch_up(whole=True), *question.text())
        self._output.ask()

    def _answer(self, question: Question, typed: str, *, quiet: bool = False) -> Option | str | None:
        """Return what a line means; None if it is to be asked again. Raises: BackError, QuittingError."""
        self.answers += 1
        self._output.answered(typed)
        text = normal(typed)
        if not text and not question.free:
            return None
        option = chosen(question, typed, WORDS)
        if option is not None and option.name != "quit":
            return option
        if option is not None or text in QUIT:
            raise QuittingError
        # Where numbers or ranks are typed, 0 is one: step 0 of a deal, or the key of the tens.
        typed_in = question.free and not question.options
        if text in BACK and not (typed_in and text.isdecimal()):
            raise BackError
        if question.free:
            return typed
        if not quiet:
            self.say(plain.not_understood())
        return None
