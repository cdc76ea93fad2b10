"""The screen of a replay: its page, and the clock that lets it run."""

from textual.timer import Timer

from p2p.protocol.replay import Replay
from ui.lobby.page_screen import PageScreen
from ui.replay.page import ReplayPage
from ui.table.pages import LogScreen


class ReplayScreen(PageScreen[ReplayPage]):
    """Shows a replay; while it runs, each step stands for its time."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(ReplayPage(replay))
        self._clock: Timer | None = None
        self._timed: tuple[int, int] | None = None
        """Step and speed that the clock was set for."""

    def log_so_far(self) -> LogScreen:
        """The log of the deal up to this step."""
        return LogScreen(self.page.replay.table(self.page.at), follows=False)

    def redraw(self) -> None:
        """Draw the page, and set the clock for the step that it shows."""
        super().redraw()
        page = self.page
        timed = (page.at, page.speed) if page.running else None
        if timed == self._timed:
            return
        if self._clock is not None:
            self._clock.stop()
        self._timed = timed
        self._clock = None if timed is None else self.set_timer(page.stands_s, self._next)

    def _next(self) -> None:
        self._timed = None
        self.page.tick()
        self.redraw()
