"""The program in the terminal: owns no game, only a node; turns its events into screens and wishes into
commands.

Which screens are up is the business of `ui.navigation`. Nothing here waits for the network: answers come as
events.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual.app import SystemCommand
from textual.binding import BindingType
from textual.command import CommandPalette
from textual.message import Message
from textual.screen import Screen

from p2p.errors import P2PError
from p2p.net.node_events import NodeEvent
from p2p.protocol.snapshot import MoveRefused
from ui import keys, palette, settings_form
from ui.arrival import played_table
from ui.attention import Attention
from ui.base import Base
from ui.evening import Evening
from ui.glyphs import GlyphSet
from ui.house_app import HouseApp, app_bindings
from ui.i18n import current_language
from ui.keys import Place
from ui.lobby import (
    ChangeSetting,
    Connect,
    CopyAddress,
    EndWait,
    EnterCode,
    Go,
    Join,
    Leave,
    NextDeal,
    OpenBooks,
    OpenTable,
    PlayWithBots,
    Quit,
    Reopen,
    SaveTranscript,
    Say,
    SetReady,
    StartWithout,
    Surroundings,
    TakeUp,
    Watch,
    WatchAgain,
    WatchPast,
    Where,
    Wish,
    Wished,
)
from ui.lobby.page_screen import NOTE_S
from ui.manner import Manner
from ui.navigation import Navigation
from ui.play_node import Company, PlayNode
from ui.settings import OwnSettings
from ui.table.coach import Coach
from ui.table.flow import Leave as LeaveTable
from ui.table.pages import TrustScreen
from ui.table.screen import TableScreen
from ui.words import news, refusals, trouble
from ui.words import replay as replay_words
from ui.words import settings as setting_words

_LOOK_EVERY_S = 1.0
"""The lobby says for how long it has looked; once somebody is found it is redrawn by events alone."""


class VerishApp(HouseApp):
    """Verish in a terminal, over a running node.

    settings: those of the person. glyphs: what the terminal can show. company: calls in headless peers; None
    where that cannot be done. now: the clock of the node's snapshots. otherwise: is called if an unfinished
    table is there and is not taken up. coach: explains the first deal of a table that is opened at the start.
    watch: the title of a table to watch as soon as it is played.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *app_bindings("palette", "command_palette"),
        *app_bindings("sound", "toggle_sound"),
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
        settings: OwnSettings | None = None,
        glyphs: GlyphSet = GlyphSet.FULL,
        company: Company | None = None,
        now: Callable[[], float] = time.monotonic,
        otherwise: Callable[[], None] = lambda: None,
        coach: Coach | None = None,
        watch: str | None = None,
    ) -> None:
        super().__init__(settings, glyphs)
        self._node = node
        self._evening = Evening(node, company)
        self._otherwise = otherwise
        self._watch = watch
        self._now = now
        self._looking_since = now()
        self._novice = False
        self._navigation = Navigation(self, node, self._surroundings, now, self.settings, coach=coach)
        self._attention = Attention(self.settings, self.bell, self._write)
        self._stale = False

    async def on_mount(self) -> None:
        """Show the first screen and listen to the node."""
        self.run_worker(self._listen(), name="node", exit_on_error=True)
        self.set_interval(_LOOK_EVERY_S, self._navigation.refresh_lobby)
        await self._bring_up_to_date()
        await self._navigation.ask_to_resume()
        self._attention.show_title()
        self.say(self._told_at_start())
        if self._watch is not None:
            self.say(news.looking_for(self._watch))

    def _told_at_start(self) -> str:
        """What is wrong with the settings; "" if nothing is."""
        wished = self.settings.now.theme
        if self.settings.unreadable is not None:
            return setting_words.set_aside(self.settings.unreadable)
        return "" if wished in (None, self.theme) else setting_words.no_theme(wished)

    def on_unmount(self) -> None:
        """Leave the terminal with its own title."""
        self._attention.put_back()

    async def _listen(self) -> None:
        async for event in self._node.events():
            self.post_message(self.Said(event))

    async def on_verish_app_said(self, message: Said) -> None:
        """Tell the screens what the node said; pictures are brought up to date once for many events."""
        event = message.event
        if isinstance(event, MoveRefused):
            table = self._navigation.table_screen
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
        before = self._navigation.base
        more = await self._navigation.follow()
        self._attention.follow(self._node.table, bots_called=self._evening.keeps_company)
        base = self._navigation.base
        if base is not before:
            if base is Base.LOBBY and before is not None:
                # The table is gone, whoever has left it.
                self._evening.dismiss_company()
                self._navigation.coach = None
            if base is Base.LOBBY:
                self.run_worker(self._look_back(), name="history", exclusive=True, group="history")
            if base is not Base.TABLE:
                self._attention.turn(mine=False)
        if more:
            self.call_later(self._bring_up_to_date)
        await self._look_for_table()

    async def _look_for_table(self) -> None:
        """Watch the table that the program was started for, once it is played here."""
        offer = played_table(self._node, self._watch)
        if offer is not None:
            self._watch = None
            watch = Watch(offer.opener, offer.offer_id)
            await self.do(EnterCode(*offer.place, watch=True) if offer.needs_code else watch)

    async def _look_back(self) -> None:
        """Find out whether the person has ever played: whoever has not is offered a first deal."""
        try:
            self._novice = not (await self._node.history()).deals
        except P2PError:
            # Whoever has a store that cannot be read is no newcomer; the page of statistics says what it is.
            self._novice = False
        self._navigation.refresh_lobby()

    # What a person wishes

    async def on_wished(self, message: Wished) -> None:
        """Do what a screen of the lobby asks for."""
        await self.do(message.wish)

    async def do(self, wish: Wish) -> None:
        """Carry out a wish."""
        match wish:
            case Go(where):
                await self._navigation.go(where)
            case EnterCode(opener, offer_id, watch):
                await self._navigation.ask_for_code(opener, offer_id, watch=watch)
            case Connect(address):
                self.run_worker(self._dial(address), name="dial", exclusive=True, group="dial")
            case PlayWithBots(count, manner, coached):
                self._play_with_bots(count, manner, coached=coached)
            case TakeUp(really):
                await self._take_up(really)
            case SaveTranscript():
                self.run_worker(self._save_transcript(), name="save", exclusive=True, group="save")
            case WatchAgain() | WatchPast():
                self._show_again(wish)
            case ChangeSetting(setting, value):
                self._change_setting(setting, value)
            case CopyAddress(address):
                self.copy_to_clipboard(address)
                self.say(news.copied(address))
            case Quit():
                self._evening.quit()
                self.exit(0)
            case _:
                self._at_tables(wish)

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
            case Watch(opener, offer_id, code):
                node.watch(opener, offer_id, code)
            case SetReady(ready):
                node.set_ready(ready)
            case StartWithout():
                node.start_without()
            case NextDeal():
                node.next_deal()
            case EndWait():
                node.end_wait()
            case OpenBooks():
                node.open_books()
            case Say(said):
                node.say(said)
            case Leave():
                self._evening.leave()

    async def _take_up(self, really: bool) -> None:
        """Take up the unfinished table, with the companions who sat there; or leave it."""
        if really and self._node.unfinished is not None:
            self._evening.take_up()
            return
        await self._navigation.go(Where.BACK)
        self._otherwise()

    def _show_again(self, wish: WatchAgain | WatchPast) -> None:
        """Read a deal to show it again. Pressing once more while that takes its time begins nothing anew."""
        if any(worker.group == "replay" and not worker.is_finished for worker in self.workers):
            self.say(replay_words.reading())
        else:
            self.run_worker(self._replay(wish), name="replay", group="replay")

    async def _replay(self, wish: WatchAgain | WatchPast) -> None:
        """Show a deal again, once every proof was checked again."""
        evening = self._evening
        if isinstance(wish, WatchPast):
            reading = asyncio.ensure_future(evening.watch_past(wish.table_id, wish.number))
        else:
            reading = asyncio.ensure_future(evening.watch_again())
        try:
            while not reading.done():
                # What is said fades; this holds for as long as it takes.
                self.say(replay_words.reading())
                await asyncio.wait({reading}, timeout=NOTE_S / 2)
            replay = await reading
        finally:
            reading.cancel()
        if isinstance(replay, str):
            self.say(replay)
        else:
            await self._navigation.show_replay(replay)

    async def _save_transcript(self) -> None:
        self.say(await self._evening.save())

    def _play_with_bots(self, count: int, manner: Manner, *, coached: bool) -> None:
        fresh, rules = self._node.table is None, self.settings.now.table_rules
        refused = self._evening.play_with_bots(count, table_rules=rules, manner=manner)
        if fresh and not refused:
            self._navigation.coach = Coach() if coached else None
        self.say(refused)

    async def _dial(self, address: str) -> None:
        try:
            await self._node.dial(address)
        except P2PError as error:
            await self._navigation.dialled(trouble.explained(error) or str(error))
        else:
            await self._navigation.dialled()

    async def on_table_screen_left(self, message: TableScreen.Left) -> None:
        """The table wants another page over it."""
        await self._navigation.go(_WHERE[message.where])

    async def on_trust_screen_more_wanted(self, message: TrustScreen.MoreWanted) -> None:
        """The page of promises leads to the proof, and to fingerprints."""
        await self._navigation.go(message.where)

    async def on_trust_screen_save_wanted(self) -> None:
        """The page of promises offers the proof to take away."""
        await self.do(SaveTranscript())

    async def on_reading_screen_help_wanted(self) -> None:
        """A page to read is explained like any other screen."""
        await self._navigation.go(Where.HELP)

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
        self._attention.turn(mine=message.mine)

    def on_table_screen_time_short(self) -> None:
        """Ring once more before the program plays for a person who is late."""
        self._attention.bell()

    async def action_quit(self) -> None:
        """Ask before the program ends: leaving may cost the deal."""
        await self._navigation.ask_before_quitting()

    def action_help_quit(self) -> None:
        """Ctrl+C is no answer to a game: ask as Ctrl+Q does."""
        self.call_later(self.action_quit)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Return what the palette offers: the actions of the screen below it, colours, quitting."""
        of_the_app = {
            "theme": self.action_change_theme,
            "sound": self.action_toggle_sound,
            "quit": self.action_quit,
        }
        return palette.commands(screen, of_the_app)

    def action_command_palette(self) -> None:
        """Show the palette."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(palette.command_palette())

    def search_themes(self) -> None:
        """Show the themes to choose from."""
        self.push_screen(palette.theme_palette())

    # What is set

    def _change_setting(self, setting: str, value: object) -> None:
        """Set something: it holds at once, and is written down beside the loop."""
        refused = settings_form.refused(setting, value)
        if refused:
            self.say(refused)
            return
        self.settings.change(setting, value)
        self.look_again(setting)
        self._navigation.settings_changed()
        self._attention.show_title()
        if setting == "sound":
            # So it is heard what was switched on.
            self._attention.bell()
        self.run_worker(self._keep_settings(), name="settings", group="settings")

    def action_toggle_sound(self) -> None:
        """Switch the bells off, or on again, unless the start settled it."""
        by = self.settings.overridden_by("sound")
        if by:
            self.say(setting_words.locked(by))
            return
        rings = not self.settings.now.sound
        self._change_setting("sound", rings)
        self.say(setting_words.sound(keys.action_named("sound", Place.TABLE).cap, rings=rings))

    async def _keep_settings(self) -> None:
        self.say(await settings_form.keep(self.settings))

    def watch_theme(self, name: str) -> None:
        """A theme that was chosen in the palette is the setting, too."""
        if name != self._wished_theme() and not self.settings.overridden_by("theme"):
            self._change_setting("theme", name)

    # What is seen

    def say(self, sentence: str) -> None:
        """Say something, if it is anything, on the Enter line of the screen that is open."""
        if sentence:
            self._navigation.say(sentence)

    def _surroundings(self) -> Surroundings:
        lobby = self._node.lobby
        if not lobby.alone:
            # Looking begins anew when the last one has gone.
            self._looking_since = self._now()
        addresses = tuple(str(address) for address in self._node.addresses)
        return Surroundings(
            self._now() - self._looking_since, addresses, tuple(self._node.interfaces), self._novice
        )

    def _write(self, text: str) -> None:
        """Write to the terminal past the screen, if it is one of our own, with characters that it has."""
        driver = self._driver
        if driver is not None and not driver.is_headless and not driver.is_web:
            driver.write(text.translate(self.glyphs.table(current_language())))


_WHERE = {
    LeaveTable.HELP: Where.HELP,
    LeaveTable.MENU: Where.MENU,
    LeaveTable.TRUST: Where.TRUST,
    LeaveTable.LOG: Where.LOG,
}
