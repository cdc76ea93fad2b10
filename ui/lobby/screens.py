"""The screens: each is a page shown by `PageScreen`, with `show` for new data."""

import time
from collections.abc import Callable, Sequence

from p2p.net.history import History
from p2p.net.unfinished import UnfinishedTable
from p2p.protocol.snapshot import LobbySnapshot, OfferView, TableSnapshot
from p2p.protocol.table_rules import USUAL, TableRules
from ui.keys import Place
from ui.lobby.address_page import AddressPage
from ui.lobby.bots_page import BotsPage
from ui.lobby.code_page import CodePage
from ui.lobby.help_page import HelpPage
from ui.lobby.lobby_page import LobbyPage
from ui.lobby.menu_page import MenuPage
from ui.lobby.open_page import OpenTablePage
from ui.lobby.over_page import OverPage, ResultPage
from ui.lobby.page_screen import PageScreen
from ui.lobby.ready_page import ReadyPage
from ui.lobby.records_page import RecordsPage
from ui.lobby.resume_page import ResumePage
from ui.lobby.settings_page import SettingsPage
from ui.lobby.statistics_page import StatisticsPage
from ui.lobby.talking import Talking
from ui.settings import OwnSettings
from ui.words.looking import Surroundings


class LobbyScreen(PageScreen[LobbyPage]):
    """Open tables and people."""

    def __init__(self, snapshot: LobbySnapshot, surroundings: Surroundings | None = None) -> None:
        super().__init__(LobbyPage(snapshot, surroundings))

    def show(self, snapshot: LobbySnapshot, surroundings: Surroundings | None = None) -> None:
        """Take new data."""
        before = self.enter_state
        self.page.show(snapshot, surroundings)
        self.data_changed(before)


class StatisticsScreen(PageScreen[StatisticsPage]):
    """What past deals add up to."""

    def __init__(self, history: History) -> None:
        super().__init__(StatisticsPage(history))


class BotsScreen(PageScreen[BotsPage]):
    """Which bots to play with."""

    def __init__(self) -> None:
        super().__init__(BotsPage())


class RecordsScreen(PageScreen[RecordsPage]):
    """Past deals, to be watched again."""

    def __init__(self, history: History) -> None:
        super().__init__(RecordsPage(history))


class OpenTableScreen(PageScreen[OpenTablePage]):
    """The form of a new table; `title` is the name it starts with, `begin` its rules beside the game."""

    def __init__(self, title: str, seats: int = 4, begin: TableRules = USUAL) -> None:
        super().__init__(OpenTablePage(title, seats, begin=begin))


class SettingsScreen(PageScreen[SettingsPage]):
    """The person's settings."""

    def __init__(self, settings: OwnSettings, own_name: str) -> None:
        super().__init__(SettingsPage(settings, own_name))


class AddressScreen(PageScreen[AddressPage]):
    """Joining by address; `addresses` are the own ones."""

    def __init__(self, addresses: Sequence[str] = ()) -> None:
        super().__init__(AddressPage(addresses))

    def failed(self, sentence: str) -> None:
        """Say why no connection was made."""
        self.page.failed(sentence)
        self.redraw()


class CodeScreen(PageScreen[CodePage]):
    """Typing the code of a private table, to join or to watch it."""

    def __init__(self, offer: OfferView, snapshot: LobbySnapshot, *, watch: bool = False) -> None:
        super().__init__(CodePage(offer, snapshot, watch=watch))

    def show(self, snapshot: LobbySnapshot) -> None:
        """Take new data. Enter changes by the own key alone, so it is never dead here."""
        self.page.show(snapshot)
        self.redraw()


class ReadyScreen(PageScreen[ReadyPage]):
    """Seats, rules, readiness."""

    def __init__(
        self,
        table: TableSnapshot,
        now: Callable[[], float] = time.monotonic,
        talking: Talking | None = None,
    ) -> None:
        super().__init__(ReadyPage(table, now, talking))

    def on_mount(self) -> None:
        """Draw now and each second: readiness can be taken back after a while, with no news from anybody."""
        super().on_mount()
        self.set_interval(1.0, self.redraw)

    def show(self, table: TableSnapshot) -> None:
        """Take new data."""
        before = self.enter_state
        self.page.show(table)
        self.data_changed(before)


class OverScreen(PageScreen[OverPage]):
    """The end of a deal."""

    def __init__(self, table: TableSnapshot, talking: Talking | None = None) -> None:
        super().__init__(OverPage(table, talking))

    def show(self, table: TableSnapshot) -> None:
        """Take new data."""
        before = self.enter_state
        self.page.show(table)
        self.data_changed(before)


class ResultScreen(PageScreen[ResultPage]):
    """The end of the last deal, over the page on which people get ready for a table that goes on from it."""

    def __init__(self, table: TableSnapshot, talking: Talking | None = None) -> None:
        super().__init__(ResultPage(table, talking))

    def show(self, table: TableSnapshot) -> None:
        """Take new data."""
        self.page.show(table)
        self.redraw()


class HelpScreen(PageScreen[HelpPage]):
    """Help about another screen: its keys, and `sentences` or what the table asks now."""

    def __init__(
        self,
        about: Place,
        table: TableSnapshot | None = None,
        sentences: Sequence[str] = (),
        *,
        rules: bool = False,
    ) -> None:
        super().__init__(HelpPage(about, table, sentences))
        self.page.rules = rules

    def show(self, table: TableSnapshot | None) -> None:
        """Take new data."""
        self.page.show(table)
        self.redraw()


class ResumeScreen(PageScreen[ResumePage]):
    """Whether to take up an unfinished table."""

    def __init__(self, unfinished: UnfinishedTable) -> None:
        super().__init__(ResumePage(unfinished))


class MenuScreen(PageScreen[MenuPage]):
    """The menu; `quitting` chooses the last row, for Ctrl+Q."""

    def __init__(self, table: TableSnapshot | None = None, *, quitting: bool = False) -> None:
        super().__init__(MenuPage(table, quitting=quitting))

    def ask_to_quit(self) -> None:
        """The key of quitting was pressed in the menu itself."""
        self.page.ask_to_quit()
        self.redraw()

    def show(self, table: TableSnapshot | None) -> None:
        """Take new data."""
        before = self.enter_state
        self.page.show(table)
        self.data_changed(before)
