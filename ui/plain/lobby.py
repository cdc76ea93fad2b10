"""The lobby: who is here, tables to join, a table of one's own, bots, an address."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from p2p.errors import P2PError
from ui.arrival import played_table
from ui.plain.bots import call_bots, play_with_bots
from ui.plain.changes import person_line
from ui.plain.dialogue import Told
from ui.plain.joining import join, joinable, watch, watch_there, watchable
from ui.plain.means import Means
from ui.plain.opening import open_table
from ui.plain.past import tell_statistics, watch_past
from ui.plain.question import Option, Question
from ui.plain.settings import change_settings
from ui.rulesets import USUAL_BOTS
from ui.words import asks, looking, trouble
from ui.words.actions import action_word
from ui.words.people import full_name
from ui.words.places import lobby_help

_LEADS_TO: Final[Mapping[str, Callable[[Means], Awaitable[None]]]] = {
    "join": join,
    "watch": watch,
    "open": open_table,
    "bots": play_with_bots,
    "replay": watch_past,
    "statistics": tell_statistics,
    "settings": change_settings,
}
"""Answers that open a dialogue of their own."""


class Lobby:
    """Asks what to do while no table is the own one."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._dialling: asyncio.Task[None] | None = None

    async def visit(self) -> None:
        """Ask once and do what is wished. Raises as `Dialogue.ask`."""
        means = self._means
        awaited = played_table(means.node, means.news.watch)
        if awaited is not None:
            means.news.watch = None
            await watch_there(means, awaited)
            return
        name = await means.dialogue.pick(self._question)
        await self._do(name)

    def _question(self) -> Question:
        lobby = self._means.node.lobby
        tables, people = joinable(self._means), sum(one.reachable for one in lobby.people)
        me = full_name(lobby.own_name, lobby.own_fingerprint)
        head = (
            asks.lobby(me, people, len(tables))
            if people or tables
            else f"{asks.you_are(me)} {looking.looking()}"
        )
        found = [Option("join", asks.join_a_table())] if tables else []
        if watchable(self._means):
            found.append(Option("watch", asks.watch_a_table()))
        return Question(
            (head,),
            (
                *found,
                Option("open", action_word("open")),
                Option("bots", action_word("bots")),
                Option("first_deal", asks.first_deal()),
                Option("people", asks.who_is_here()),
                Option("address", action_word("address")),
                Option("replay", asks.deals_again()),
                Option("statistics", action_word("statistics")),
                Option("settings", action_word("settings")),
                Option("help", action_word("help")),
                Option("quit", asks.quit_program()),
            ),
        )

    async def _do(self, name: str) -> None:
        means = self._means
        match name:
            case "first_deal":
                call_bots(means, USUAL_BOTS, coached=True)
            case "people":
                people = [person_line(one) for one in means.node.lobby.people if one.reachable]
                means.dialogue.say(*(people or [looking.looking()]))
            case "address":
                await self._address()
            case "help":
                means.dialogue.say(*lobby_help())
            case _:
                await _LEADS_TO[name](means)

    async def _address(self) -> None:
        """Link to a peer at an address; its tables then appear."""
        means = self._means
        own = ", ".join(str(one) for one in means.node.addresses)
        typed = "".join((await means.dialogue.type_in(asks.which_address(own))).split())
        if typed:
            means.dialogue.say(asks.connecting(typed))
            # Nothing waits for the network: the answer is news.
            self._dialling = asyncio.create_task(self._dial(typed))

    async def _dial(self, address: str) -> None:
        try:
            await self._means.node.dial(address)
        except P2PError as error:
            self._means.dialogue.put(Told(trouble.explained(error) or str(error)))
