"""The program in plain mode: where the person is decides what is asked, again and again, until the end."""

import asyncio
import signal
import time
from collections.abc import Callable
from typing import Protocol

from ui.base import Base, base_of
from ui.cli.ending import exit_code
from ui.cli.exits import Exit
from ui.evening import Evening
from ui.plain.dialogue import (
    BackError,
    Dialogue,
    End,
    EndedError,
    Interrupt,
    Output,
    OvertakenError,
    QuittingError,
)
from ui.plain.lobby import Lobby
from ui.plain.means import Means
from ui.plain.news import TableNews
from ui.plain.over import AfterDeal
from ui.plain.question import Option, Question
from ui.plain.ready import GettingReady
from ui.plain.table import AtTable
from ui.play_node import Company, PlayNode
from ui.settings import OwnSettings
from ui.table.coach import Coach
from ui.words import asks, news, plain, resuming
from ui.words.leaving import leaving_costs
from ui.words.window import quit_question


class Place(Protocol):
    """Where a person can be."""

    async def visit(self) -> None:
        """Ask once what is to be asked there."""


class PlainProgram:
    """Verish in plain mode, over a running node.

    output: where lines go. company: calls in headless peers; None where that cannot be done. now: the clock
    of the node's snapshots. otherwise: is called if an unfinished table is there and is not taken up.
    at_terminal: whether a person types, so that an end of input is an answer. settings: those of the person.
    watch: the title of a table to watch as soon as it is played. coach: explains the first deal of a table
    that is opened at the start.
    """

    def __init__(
        self,
        node: PlayNode,
        output: Output,
        *,
        company: Company | None = None,
        now: Callable[[], float] = time.monotonic,
        otherwise: Callable[[], None] = lambda: None,
        at_terminal: bool = True,
        settings: OwnSettings | None = None,
        watch: str | None = None,
        coach: Coach | None = None,
    ) -> None:
        self._node = node
        self._evening = Evening(node, company)
        self._news = TableNews(node, now, watch, coach)
        self.dialogue = Dialogue(output, self._news)
        self._otherwise = otherwise
        self._at_terminal = at_terminal
        own = OwnSettings() if settings is None else settings
        means = Means(node, self._evening, self.dialogue, self._news, now, own)
        self._places: dict[Base, Place] = {
            Base.LOBBY: Lobby(means),
            Base.READY: GettingReady(means),
            Base.TABLE: AtTable(means),
            Base.OVER: AfterDeal(means),
        }
        self._base: Base | None = None
        self._waits_explained = False

    async def run(self) -> int:
        """Play until the person quits, the input ends or the process is told to end; return the exit code."""
        listening = asyncio.create_task(self._listen())
        self.dialogue.say(plain.welcome())
        if self._news.watch is not None:
            self.dialogue.say(news.looking_for(self._news.watch))
        try:
            if self._node.unfinished is not None and self._node.table is None:
                await self._ask_to_resume()
            while True:
                await self._turn()
        except _QuitError:
            return Exit.DONE
        except EndedError as ended:
            return self._ended(ended)
        finally:
            listening.cancel()

    def interrupt(self) -> None:
        """Ctrl+C: ask whether to quit; a second time, while that is asked, ends the program."""
        self.dialogue.put(Interrupt())

    def exit(self, code: int) -> None:
        """End the program, as somebody else wants it."""
        self.dialogue.put(End(code))

    async def _listen(self) -> None:
        async for event in self._node.events():
            self.dialogue.put(event)

    async def _turn(self) -> None:
        """Ask once what is to be asked where the person is. Raises: _QuitError, EndedError."""
        try:
            await self.dialogue.settle()
            self._arrive()
            self.dialogue.catch_up()
            place = self._places[base_of(self._node.table)]
            await place.visit()
        except (OvertakenError, BackError):
            pass
        except QuittingError:
            await self._ask_to_quit()

    def _arrive(self) -> None:
        """Notice that the person is somewhere else than before."""
        base = base_of(self._node.table)
        if base is self._base:
            return
        if base is Base.LOBBY and self._base is not None:
            # The table is gone, whoever has left it.
            self._evening.dismiss_company()
            self._news.coach = None
        if base is Base.TABLE and not self._waits_explained:
            self._waits_explained = True
            self.dialogue.say(plain.meanwhile())
        self._base = base

    async def _ask_to_quit(self) -> None:
        """Leaving may cost the deal: say so first. Raises: _QuitError, EndedError."""
        table = self._node.table
        cost = "" if table is None else leaving_costs(table)
        sentence = f"{quit_question()} {cost[:1].upper()}{cost[1:]}".strip()
        try:
            really = await self.dialogue.confirm(sentence if sentence.endswith("?") else f"{sentence}.")
        except (OvertakenError, BackError):
            return
        except QuittingError:
            raise EndedError(Exit.INTERRUPTED) from None
        if really:
            self._evening.quit()
            raise _QuitError

    async def _ask_to_resume(self) -> None:
        """Offer the unfinished table. Raises: _QuitError, EndedError."""
        unfinished = self._node.unfinished
        assert unfinished is not None
        offered = resuming.offered(
            unfinished.title, unfinished.names, unfinished.deal, between=unfinished.between
        )
        self.dialogue.say(offered, resuming.consequence(between=unfinished.between))
        options = (
            Option("resume", asks.take_up()),
            Option("leave", resuming.leave(between=unfinished.between)),
        )
        try:
            answer = await self.dialogue.pick(lambda: Question((), options))
        except (OvertakenError, BackError):
            answer = "leave"
        except QuittingError:
            await self._ask_to_quit()
            return
        if answer == "resume":
            self._evening.take_up()
        else:
            self._otherwise()

    def _ended(self, ended: EndedError) -> int:
        """Why nothing is asked any more, and the exit code."""
        if ended.code is not None:
            return ended.code
        if not (self.dialogue.answers or self._at_terminal):
            self.dialogue.say(plain.no_input())
            return Exit.NO_TERMINAL
        at_table = self._node.table is not None
        self.dialogue.say(plain.input_ended(at_table=at_table))
        # As if the terminal were closed: nobody was asked whether to leave, so the seat is kept.
        return exit_code(signal.SIGHUP) if at_table else Exit.DONE


class _QuitError(Exception):
    """The person has quit."""
