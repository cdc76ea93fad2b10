"""The program in the terminal: owns no game, only a node; turns its events into screens and wishes into
commands.

Which screen lies at the bottom follows from the node's table alone (`Base`); help, menu, forms and pages to
read lie on top of it and go when it changes. Nothing here waits for the network: answers come as events.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.message import Message
from textual.screen import Screen

from engine import Ruleset
from p2p.errors import P2PError
from p2p.net.node_events import NodeEvent
from p2p.protocol.snapshot import MoveRefused, Phase, RefusedCommand, RefusedJoin, TableSnapshot
from ui import keys, palette
from ui.glyphs import GlyphSet
from ui.keys import Place
from ui.lobby import (
    AddressScreen,
    CodeScreen,
    Connect,
    CopyAddress,
    EndWait,
    EnterCode,
    Go,
    HelpScreen,
    Join,
    Leave,
    LobbyScreen,
    MenuScreen,
    NextDeal,
    OpenTable,
    OpenTableScreen,
    OverScreen,
    PageScreen,
    PlayWithBots,
    Quit,
    ReadyScreen,
    Reopen,
    ResultScreen,
    ResumeScreen,
    SaveTranscript,
    SetReady,
    StartWithout,
    Surroundings,
    TakeUp,
    Where,
    Wish,
    Wished,
)
from ui.play_node import Company, PlayNode
from ui.saving import save_transcript
from ui.table.flow import Leave as LeaveTable
from ui.table.pages import LogScreen, ReadingScreen, TrustScreen
from ui.table.screen import TableScreen
from ui.theme import VERISH_DARK, VERISH_LIGHT, computed_variables
from ui.words import news, refusals, trouble, window


class Base(Enum):
    """The screen at the bottom."""

    LOBBY = "lobby"
    READY = "ready"
    TABLE = "table"
    OVER = "over"


_LOOK_EVERY_S = 1.0
"""The lobby says for how long it has looked; once somebody is found it is redrawn by events alone."""


def _app_bindings(name: str, action: str) -> list[Binding]:
    """Bindings of the app itself, which come before those of every screen."""
    found = keys.action_named(name, Place.EVERYWHERE).keys
    return [Binding(key, action, name, show=False, priority=True) for key in found]


class VerishApp(App[int]):
    """Verish in a terminal, over a running node.

    glyphs: what the terminal can show. animate: whether reveals take their time. bell: ring at my turn.
    theme: a theme's name, the house's dark one if None. company: calls in headless peers; None where that
    cannot be done. now: the clock of the node's snapshots. otherwise: is called if an unfinished table is
    there and is not taken up.
    """

    TITLE = "Verish"
    ALLOW_SELECT = False
    CSS_PATH = "verish.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *_app_bindings("quit", "quit"),
        *_app_bindings("palette", "command_palette"),
    ]

    class Said(Message):
        """The node said something."""

        def __init__(self, event: NodeEvent) -> None:
            super().__init__()
            self.event = event

    def __init__(
        self,
        node: PlayNode,
        *,
        glyphs: GlyphSet = GlyphSet.FULL,
        animate: bool = True,
        bell: bool = True,
        theme: str | None = None,
        company: Company | None = None,
        now: Callable[[], float] = time.monotonic,
        otherwise: Callable[[], None] = lambda: None,
    ) -> None:
        self.no_colors = bool(os.environ.get("NO_COLOR"))
        # Textual chooses its filter here once: only with native ANSI colours does it send no colour at all.
        super().__init__(ansi_color=True if self.no_colors else None)
        self.glyphs = glyphs
        self._node = node
        self._reveals_move = animate
        self._ring = bell
        self._company = company
        self._otherwise = otherwise
        self._now = now
        self._looking_since = now()
        self._base: Base | None = None
        self._stale = False
        self.register_theme(VERISH_DARK)
        self.register_theme(VERISH_LIGHT)
        self.theme = theme or ("ansi-dark" if self.no_colors else VERISH_DARK.name)

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's variables with those that are computed from them."""
        variables = super().get_css_variables()
        self.theme_variables = {**computed_variables(variables), **variables}
        return self.theme_variables

    async def on_mount(self) -> None:
        """Show the first screen and listen to the node."""
        self.run_worker(self._listen(), name="node", exit_on_error=True)
        self.set_interval(_LOOK_EVERY_S, self._still_looking)
        await self._bring_up_to_date()
        unfinished = self._node.unfinished
        if unfinished is not None and self._base is Base.LOBBY:
            await self.push_screen(ResumeScreen(unfinished))

    async def _listen(self) -> None:
        async for event in self._node.events():
            self.post_message(self.Said(event))

    async def on_verish_app_said(self, message: Said) -> None:
        """Tell the screens what the node said; pictures are brought up to date once for many events."""
        event = message.event
        if isinstance(event, MoveRefused):
            table = self._table_screen
            if table is not None:
                table.move_refused(event)
        else:
            self.say(news.sentence(event))
        if not self._stale:
            self._stale = True
            self.call_later(self._bring_up_to_date)

    async def _bring_up_to_date(self) -> None:
        """Show what the node's snapshots say."""
        self._stale = False
        table = self._node.table
        base = self._base_for(table)
        if base is not self._base:
            await self._set_base(base, table)
        for screen in self.screen_stack[1:]:
            self._show_on(screen, table)
        if base is Base.TABLE and self._base_for(self._node.table) is not Base.TABLE:
            # The update itself may have ended the show that kept the table on the screen.
            self.call_later(self._bring_up_to_date)

    def _show_on(self, screen: Screen[Any], table: TableSnapshot | None) -> None:
        match screen:
            case ResultScreen() if table is not None and table.before is not None:
                screen.show(table.before)
            case LobbyScreen():
                screen.show(self._node.lobby, self._surroundings())
            case CodeScreen():
                screen.show(self._node.lobby)
            case HelpScreen() | MenuScreen():
                screen.show(table)
            case ReadyScreen() | OverScreen() if table is not None:
                screen.show(table)
            case TableScreen() | ReadingScreen() if table is not None:
                screen.update_table(table)
            case _:
                pass

    def _base_for(self, table: TableSnapshot | None) -> Base:
        if table is None:
            return Base.LOBBY
        if table.phase is Phase.GATHERING:
            return Base.READY
        if table.phase not in {Phase.OVER, Phase.VOID, Phase.STOPPED, Phase.ABSENT}:
            return Base.TABLE
        screen = self._table_screen
        # A breach is told at once; only a deal that was played to its end waits for its last reveal.
        last = screen is not None and table.phase is Phase.OVER and screen.keeps(table)
        return Base.TABLE if last else Base.OVER

    async def _set_base(self, base: Base, table: TableSnapshot | None) -> None:
        first = self._base is None
        self._base = base
        if base is Base.LOBBY and not first:
            # The table is gone, whoever has left it.
            self._dismiss_company()
        while len(self.screen_stack) > 2:
            await self.pop_screen()
        if base is Base.LOBBY or table is None:
            screen: PageScreen[Any] | TableScreen = LobbyScreen(self._node.lobby, self._surroundings())
        elif base is Base.READY:
            screen = ReadyScreen(table, self._now)
        elif base is Base.OVER:
            screen = OverScreen(table)
        else:
            screen = TableScreen(table, now=self._now, animate=self._reveals_move)
        if first:
            await self.push_screen(screen)
        else:
            await self.switch_screen(screen)
        if base is not Base.TABLE:
            self._set_title(mine=False)

    # What a person wishes

    async def on_wished(self, message: Wished) -> None:
        """Do what a screen of the lobby asks for."""
        await self.do(message.wish)

    async def do(self, wish: Wish) -> None:
        """Carry out a wish."""
        match wish:
            case Go(where):
                await self._go(where)
            case EnterCode(offer_id):
                await self._ask_for_code(offer_id)
            case Connect(address):
                self.run_worker(self._dial(address), name="dial", exclusive=True, group="dial")
            case PlayWithBots(count):
                self._play_with_bots(count)
            case TakeUp(really):
                await self._take_up(really)
            case SaveTranscript():
                self.run_worker(self._save_transcript(), name="save", exclusive=True, group="save")
            case CopyAddress(address):
                self.copy_to_clipboard(address)
                self.say(news.copied(address))
            case Quit():
                if self._node.table is not None:
                    # What that costs was said: the others need not wait for who has quit.
                    self._node.leave()
                self.exit(0)
            case _:
                self._at_tables(wish)

    async def _ask_for_code(self, offer_id: bytes) -> None:
        """Let the code of a table be typed, if the table is still there."""
        lobby = self._node.lobby
        offer = next((one for one in lobby.offers if one.offer_id == offer_id), None)
        if offer is None:
            self.say(refusals.join_refused(RefusedJoin.CLOSED))
        else:
            await self.push_screen(CodeScreen(offer, lobby))

    def _at_tables(self, wish: Wish) -> None:
        """Carry out a wish about a table: open it, join it, agree to it, go on at it, leave it."""
        node = self._node
        match wish:
            case OpenTable(title, ruleset, seats, table_rules, code):
                node.open_table(title, ruleset, seats, table_rules, code)
            case Reopen(seats):
                node.reopen(seats)
            case Join(opener, offer_id, code):
                node.join(opener, offer_id, code)
            case SetReady(ready):
                node.set_ready(ready)
            case StartWithout():
                node.start_without()
            case NextDeal():
                node.next_deal()
            case EndWait():
                node.end_wait()
            case Leave():
                if node.table is None or node.table.before is None:
                    # From the way to a table that goes on, one is back at the own one, company and all.
                    self._dismiss_company()
                node.leave()

    async def _take_up(self, really: bool) -> None:
        """Take up the unfinished table, with the companions who sat there; or leave it."""
        unfinished = self._node.unfinished
        if not really or unfinished is None:
            await self._go(Where.BACK)
            self._otherwise()
            return
        self._node.resume()
        if self._company is not None:
            self._company.recall(unfinished.title)

    async def _save_transcript(self) -> None:
        table = self._node.table
        if table is not None and table.before is not None:
            table = table.before
        content = await self._node.transcript()
        if table is None or content is None or not table.deal:
            self.say(news.nothing_to_save())
            return
        try:
            # The disk may be slow, and nothing here waits for it.
            path = await asyncio.to_thread(save_transcript, Path.cwd(), table.title, table.deal, content)
        except (P2PError, OSError) as error:
            self.say(trouble.explained(error) or str(error))
            return
        self.say(news.saved(path.name, str(path.parent)))

    def _play_with_bots(self, count: int) -> None:
        if self._company is None:
            self.say(refusals.command_refused(RefusedCommand.NOT_NOW))
            return
        if self._node.table is not None:
            # The key was pressed twice: the table is there, and the bots are on their way.
            return
        title = self._node.lobby.own_name
        self._node.open_table(title, Ruleset.preset("pagat"), count + 1)
        self._company.call(title, count)

    def _dismiss_company(self) -> None:
        if self._company is not None:
            self._company.dismiss()

    async def _dial(self, address: str) -> None:
        try:
            await self._node.dial(address)
        except P2PError as error:
            sentence = trouble.explained(error) or str(error)
            if isinstance(self.screen, AddressScreen):
                self.screen.failed(sentence)
            else:
                self.say(sentence)
            return
        if isinstance(self.screen, AddressScreen):
            await self.pop_screen()

    async def _go(self, where: Where) -> None:
        table = self._node.table
        match where:
            case Where.BACK | Where.LOBBY:
                if len(self.screen_stack) > 2:
                    await self.pop_screen()
            case Where.OPEN_TABLE:
                await self.push_screen(OpenTableScreen(self._node.lobby.own_name))
            case Where.ADDRESS:
                await self.push_screen(AddressScreen(self._addresses()))
            case Where.HELP:
                if isinstance(self.screen, MenuScreen):
                    # Whoever asks from the menu means the screen that it was opened on.
                    await self.pop_screen()
                if not isinstance(self.screen, HelpScreen):
                    await self.push_screen(HelpScreen(self._place(), table))
            case Where.RULES:
                await self.push_screen(HelpScreen(self._place(), table, rules=True))
            case Where.MENU:
                await self.push_screen(MenuScreen(table))
            case _ if table is not None:
                await self._look_at(where, table)

    async def _look_at(self, where: Where, table: TableSnapshot) -> None:
        """Show a page about the own table over what is there."""
        match where:
            case Where.RESULT if table.before is not None:
                await self.push_screen(ResultScreen(table.before))
            case Where.TRUST:
                await self.push_screen(TrustScreen(table))
            case Where.LOG:
                await self.push_screen(LogScreen(table))

    def _place(self) -> Place:
        match self.screen:
            case PageScreen() as screen:
                place: Place = screen.page.place
                return place
            case ReadingScreen() as reading:
                return reading.place
            case _:
                return Place.TABLE

    async def on_table_screen_left(self, message: TableScreen.Left) -> None:
        """The table wants another page over it."""
        await self._go(_WHERE[message.where])

    async def on_trust_screen_save_wanted(self) -> None:
        """The page of promises offers the proof to take away."""
        await self.do(SaveTranscript())

    async def on_reading_screen_help_wanted(self) -> None:
        """A page to read is explained like any other screen."""
        await self._go(Where.HELP)

    def on_table_screen_move_made(self, message: TableScreen.MoveMade) -> None:
        """Make a move, unless the ledger has gone on since the key was pressed."""
        table = self._node.table
        if table is None or (table.deal, table.step) != message.send.step:
            self.say(refusals.table_changed())
            return
        self._node.submit(message.send.move)

    def on_table_screen_end_wait(self) -> None:
        """Ask the others to end the wait for who is missed."""
        self._node.end_wait()

    async def on_table_screen_show_ended(self) -> None:
        """The end of the deal may have waited for its last reveal."""
        await self._bring_up_to_date()

    def on_table_screen_turn_changed(self, message: TableScreen.TurnChanged) -> None:
        """Ring, and say it in the terminal's title."""
        if message.mine and self._ring:
            self.bell()
        self._set_title(mine=message.mine)

    def on_table_screen_time_short(self) -> None:
        """Ring once more before the program plays for a person who is late."""
        if self._ring:
            self.bell()

    async def action_quit(self) -> None:
        """Ask before the program ends: leaving may cost the deal."""
        if not isinstance(self.screen, MenuScreen):
            await self.push_screen(MenuScreen(self._node.table, quitting=True))

    def action_help_quit(self) -> None:
        """Ctrl+C is no answer to a game: ask as Ctrl+Q does."""
        self.call_later(self.action_quit)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Return what the palette offers: the actions of the screen below it, colours, quitting."""
        return palette.commands(screen, {"theme": self.action_change_theme, "quit": self.action_quit})

    def action_command_palette(self) -> None:
        """Show the palette."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(palette.command_palette())

    def search_themes(self) -> None:
        """Show the themes to choose from."""
        self.push_screen(palette.theme_palette())

    # What is seen

    @property
    def _table_screen(self) -> TableScreen | None:
        return next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)

    def say(self, sentence: str) -> None:
        """Say something on the Enter line of the screen that is open."""
        if not sentence:
            return
        for screen in reversed(self.screen_stack):
            if isinstance(screen, TableScreen):
                screen.say(sentence)
                return
            if isinstance(screen, (PageScreen, TrustScreen)):
                screen.answer(sentence)
                return

    def _surroundings(self) -> Surroundings:
        lobby = self._node.lobby
        if lobby.offers or any(person.reachable for person in lobby.people):
            # Looking begins anew when the last one has gone.
            self._looking_since = self._now()
        return Surroundings(self._now() - self._looking_since, self._addresses())

    def _addresses(self) -> tuple[str, ...]:
        return tuple(str(address) for address in self._node.addresses)

    def _still_looking(self) -> None:
        lobby = self._node.lobby
        if isinstance(self.screen, LobbyScreen) and not lobby.people and not lobby.offers:
            self.screen.show(lobby, self._surroundings())

    def _set_title(self, *, mine: bool) -> None:
        """Write the terminal's title: our own words only, never a name."""
        words = window.turn_title() if mine else window.idle_title()
        driver = self._driver
        if driver is not None and not driver.is_headless and not driver.is_web:
            driver.write(f"\x1b]2;{words}\x07")


_WHERE = {
    LeaveTable.HELP: Where.HELP,
    LeaveTable.MENU: Where.MENU,
    LeaveTable.TRUST: Where.TRUST,
    LeaveTable.LOG: Where.LOG,
}
