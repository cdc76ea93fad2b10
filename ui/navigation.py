"""Which screens are up: the one at the bottom follows from the node's table alone (`Base`); help, menu, forms
and pages to read lie on top of it and go when it changes.
"""

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.screen import Screen

from p2p.errors import P2PError
from p2p.net.history import History
from p2p.protocol.replay import Replay
from p2p.protocol.snapshot import Phase, RefusedJoin, TableSnapshot
from ui.base import Base, base_of
from ui.keys import Place
from ui.lobby import (
    AddressScreen,
    BotsScreen,
    CodeScreen,
    HelpScreen,
    LobbyScreen,
    MenuScreen,
    OpenTableScreen,
    OverScreen,
    PageScreen,
    ReadyScreen,
    RecordsScreen,
    ResultScreen,
    ResumeScreen,
    SettingsScreen,
    StatisticsScreen,
    Surroundings,
    Where,
)
from ui.lobby.talking import Talking
from ui.play_node import PlayNode
from ui.replay.screen import ReplayScreen
from ui.settings import OwnSettings
from ui.table.coach import Coach
from ui.table.pages import LogScreen, ReadingScreen, TrustScreen
from ui.table.proof_pages import FingerprintScreen, ProofScreen
from ui.table.screen import TableScreen
from ui.words import refusals, trouble


class Navigation:
    """The screens of one app, over a node.

    surroundings: what the lobby says of the network. now: the clock of the node's snapshots. settings: those
    of the person.
    """

    def __init__(
        self,
        app: App[int],
        node: PlayNode,
        surroundings: Callable[[], Surroundings],
        now: Callable[[], float],
        settings: OwnSettings,
        *,
        coach: Coach | None = None,
    ) -> None:
        self._app = app
        self._node = node
        self._surroundings = surroundings
        self._now = now
        self._talking = Talking()
        self.coach = coach
        """Explains the first deal of the own table; None where nobody wants that."""
        self._settings = settings
        self._base: Base | None = None

    @property
    def base(self) -> Base | None:
        """The screen at the bottom; None before the first."""
        return self._base

    @property
    def table_screen(self) -> TableScreen | None:
        """The table, wherever it lies."""
        return next((screen for screen in self._app.screen_stack if isinstance(screen, TableScreen)), None)

    async def follow(self) -> bool:
        """Show what the node's snapshots say.

        Returns: whether more has changed meanwhile: the update itself may have ended the show that kept the
        table on the screen.
        """
        table = self._node.table
        base = self._base_for(table)
        if base is not self._base:
            await self._set_base(base, table)
        for screen in self._app.screen_stack[1:]:
            self._update(screen, table)
        return self._base_for(self._node.table) is not base

    def say(self, sentence: str) -> None:
        """Say something on the Enter line of the screen that is open."""
        for screen in reversed(self._app.screen_stack):
            if isinstance(screen, TableScreen):
                screen.say(sentence)
                return
            if isinstance(screen, (PageScreen, TrustScreen)):
                screen.answer(sentence)
                return

    async def go(self, where: Where) -> None:
        """Show another screen over those that are there, or go back to the one below."""
        table, screen = self._node.table, self._app.screen
        match where:
            case Where.BACK | Where.LOBBY:
                if len(self._app.screen_stack) > 2:
                    await self._app.pop_screen()
            case Where.OPEN_TABLE | Where.ADDRESS | Where.BOTS:
                await self._app.push_screen(self._form(where))
            case Where.SETTINGS:
                await self._app.push_screen(SettingsScreen(self._settings, self._node.lobby.own_name))
            case Where.HELP:
                await self._help()
            case Where.STATISTICS:
                await self._past(StatisticsScreen)
            case Where.RECORDS:
                await self._past(RecordsScreen)
            case Where.RULES:
                await self._app.push_screen(HelpScreen(self._place(), table, rules=True))
            case Where.MENU:
                await self._app.push_screen(MenuScreen(table))
            case Where.LOG if isinstance(screen, ReplayScreen):
                await self._app.push_screen(screen.log_so_far())
            case _ if table is not None:
                page = self._page(where, table)
                if page is not None:
                    await self._app.push_screen(page)

    def _form(self, where: Where) -> Screen[Any]:
        """A form over the lobby."""
        match where:
            case Where.ADDRESS:
                return AddressScreen(self._surroundings().addresses)
            case Where.BOTS:
                return BotsScreen()
            case _:
                return OpenTableScreen(self._node.lobby.own_name, begin=self._settings.now.table_rules)

    def settings_changed(self) -> None:
        """Let the table follow the settings, wherever it lies."""
        table = self.table_screen
        if table is not None:
            table.take_settings(self._settings.now)

    def _page(self, where: Where, table: TableSnapshot) -> Screen[Any] | None:
        """A page about the own table."""
        match where:
            case Where.RESULT if table.before is not None:
                return ResultScreen(table.before, self._talking)
            case Where.TRUST:
                return TrustScreen(table)
            case Where.PROOF:
                return ProofScreen(table, lambda: self._node.readings)
            case Where.FINGERPRINTS:
                return FingerprintScreen(table)
            case Where.LOG:
                return LogScreen(table, talking=self._talking, coach=self.coach)
        return None

    async def show_replay(self, replay: Replay) -> None:
        """Show a replay, unless the next deal has begun meanwhile: then nobody has time for it."""
        if self._base is not Base.TABLE:
            await self._app.push_screen(ReplayScreen(replay))

    async def ask_to_resume(self) -> None:
        """Offer the unfinished table, if there is one and no other."""
        unfinished = self._node.unfinished
        if unfinished is not None and self._base is Base.LOBBY:
            await self._app.push_screen(ResumeScreen(unfinished))

    async def ask_before_quitting(self) -> None:
        """Leaving may cost the deal: say so first."""
        screen = self._app.screen
        if isinstance(screen, MenuScreen):
            screen.ask_to_quit()
        else:
            await self._app.push_screen(MenuScreen(self._node.table, quitting=True))

    async def ask_for_code(self, opener: bytes, offer_id: bytes, *, watch: bool = False) -> None:
        """Let the code of a table be typed, to join or to watch it, if the table is still there."""
        lobby = self._node.lobby
        offer = next((one for one in lobby.offers if one.place == (opener, offer_id)), None)
        if offer is None:
            self.say(refusals.join_refused(RefusedJoin.CLOSED))
        else:
            await self._app.push_screen(CodeScreen(offer, lobby, watch=watch))

    async def dialled(self, refusal: str = "") -> None:
        """A typed address was tried, with success or with a `refusal`."""
        page = self._app.screen if isinstance(self._app.screen, AddressScreen) else None
        if not refusal:
            if page is not None:
                await self._app.pop_screen()
        elif page is not None:
            page.failed(refusal)
        else:
            self.say(refusal)

    def refresh_lobby(self) -> None:
        """While nobody is found, the lobby says for how long it has looked."""
        stack = self._app.screen_stack
        # While the program ends there may be no screen any more.
        screen = stack[-1] if stack else None
        if not isinstance(screen, LobbyScreen):
            return
        lobby = self._node.lobby
        if lobby.alone:
            screen.show(lobby, self._surroundings())

    def _update(self, screen: Screen[Any], table: TableSnapshot | None) -> None:
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
        base = base_of(table)
        if base is not Base.OVER or table is None:
            return base
        screen = self.table_screen
        # A breach is told at once; only a deal that was played to its end waits for its last reveal.
        last = screen is not None and table.phase is Phase.OVER and screen.keeps(table)
        return Base.TABLE if last else Base.OVER

    async def _set_base(self, base: Base, table: TableSnapshot | None) -> None:
        first = self._base is None
        self._base = base
        while len(self._app.screen_stack) > 2:
            await self._app.pop_screen()
        if base is Base.LOBBY or table is None:
            self._talking.close()
            screen: PageScreen[Any] | TableScreen = LobbyScreen(self._node.lobby, self._surroundings())
        elif base is Base.READY:
            screen = ReadyScreen(table, self._now, self._talking)
        elif base is Base.OVER:
            screen = OverScreen(table, self._talking)
        else:
            screen = TableScreen(table, now=self._now, talking=self._talking, coach=self.coach)
            screen.take_settings(self._settings.now)
        if first:
            await self._app.push_screen(screen)
        else:
            await self._app.switch_screen(screen)

    async def _past(self, page: Callable[[History], Screen[Any]]) -> None:
        """Show a page about the deals that the program remembers."""
        try:
            history = await self._node.history()
        except P2PError as error:
            self.say(trouble.explained(error) or str(error))
        else:
            await self._app.push_screen(page(history))

    async def _help(self) -> None:
        if isinstance(self._app.screen, MenuScreen):
            # Whoever asks from the menu means the screen that it was opened on.
            await self._app.pop_screen()
        if not isinstance(self._app.screen, HelpScreen):
            await self._app.push_screen(HelpScreen(self._place(), self._node.table))

    def _place(self) -> Place:
        match self._app.screen:
            case PageScreen() as screen:
                place: Place = screen.page.place
                return place
            case ReadingScreen() as reading:
                return reading.place
            case _:
                return Place.TABLE
