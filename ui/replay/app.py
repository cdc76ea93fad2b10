"""`verish replay FILE`: an app of its own around one replay."""

from p2p.protocol.replay import Replay
from ui.glyphs import GlyphSet
from ui.house_app import HouseApp
from ui.keys import Place
from ui.lobby import Go, HelpScreen, Where, Wished
from ui.replay.screen import ReplayScreen
from ui.settings import OwnSettings


class ReplayApp(HouseApp):
    """Shows a replay until the person has seen enough. settings, glyphs: as for `HouseApp`."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, replay: Replay, settings: OwnSettings | None = None, glyphs: GlyphSet = GlyphSet.FULL
    ) -> None:
        super().__init__(settings, glyphs)
        self._replay = replay

    async def on_mount(self) -> None:
        """Show the replay."""
        await self.push_screen(ReplayScreen(self._replay))

    async def on_wished(self, message: Wished) -> None:
        """Show another page over the replay, or leave."""
        screen = self.screen
        match message.wish:
            case Go(Where.LOG) if isinstance(screen, ReplayScreen):
                await self.push_screen(screen.log_so_far())
            case Go(Where.HELP) if isinstance(screen, ReplayScreen):
                await self.push_screen(HelpScreen(Place.REPLAY, self._replay.table(screen.page.at)))
            case Go(Where.BACK) if isinstance(screen, ReplayScreen):
                self.exit(0)
            case Go(Where.BACK | Where.LOBBY):
                await self.pop_screen()

    async def on_reading_screen_help_wanted(self) -> None:
        """The log is explained like any other screen."""
        await self.push_screen(HelpScreen(Place.LOG, None))

    async def action_quit(self) -> None:
        """Nothing is lost by leaving."""
        self.exit(0)
