"""The Textual screen of the table: keys and clicks into the flow, scenes onto the canvas."""

import time
from collections.abc import Callable
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from p2p.protocol.snapshot import MoveRefused, TableSnapshot
from ui import keys
from ui.keys import Place
from ui.lobby.navigation import TEXT_KEYS, key_actions
from ui.lobby.talking import Talking
from ui.lobby.wishes import Say, Wished
from ui.settings import Settings
from ui.table.canvas import Canvas
from ui.table.coach import Coach
from ui.table.flow import Command, EndWait, Flow, Leave, Send
from ui.table.notice import draw_notice
from ui.table.scene import SHORT_S, Scene, clock_words, draw_scene, with_clock
from ui.table.size import Size
from ui.table.view import CanvasView
from ui.words.banner import too_small_line

_CLOCK_S: Final = 1.0

_KEYS: Final = tuple(action for action in keys.actions_at(Place.TABLE) if action.name not in keys.OF_THE_APP)

_MEANINGS: Final = key_actions(Place.TABLE) | {key: key for key in TEXT_KEYS}


class TableScreen(Screen[None]):
    """Shows one table while its cards are shuffled, dealt and played."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(_KEYS)]

    class MoveMade(Message):
        """The player sends a move."""

        def __init__(self, send: Send) -> None:
            super().__init__()
            self.send = send

    class Left(Message):
        """The player wants to look at something else."""

        def __init__(self, where: Leave) -> None:
            super().__init__()
            self.where = where

    class EndWait(Message):
        """The player wants the wait for somebody ended."""

    class TurnChanged(Message):
        """The own turn began or ended, as far as it is shown."""

        def __init__(self, *, mine: bool) -> None:
            super().__init__()
            self.mine = mine

    class TimeShort(Message):
        """The own time for a choice, which was longer, is nearly over."""

    class ShowEnded(Message):
        """A reveal has been shown to its end."""

    def __init__(
        self,
        table: TableSnapshot,
        *,
        now: Callable[[], float] = time.monotonic,
        animate: bool = True,
        talking: Talking | None = None,
        coach: Coach | None = None,
    ) -> None:
        """now: the clock of the snapshots. talking: the own part in the talk. coach: explains a first
        deal.
        """
        super().__init__()
        self.flow = Flow(table, now, animate=animate, talking=talking, coach=coach)
        self._now = now
        self._view = CanvasView()
        self._drawn: tuple[Scene, Size] | None = None
        self._wake: Timer | None = None
        self._mine = False
        self._showing = False
        self._unhurried: tuple[int, int] | None = None

    @property
    def view(self) -> CanvasView:
        """The widget that holds the picture."""
        return self._view

    def compose(self) -> ComposeResult:
        """One widget holds the whole screen."""
        yield self._view

    def on_mount(self) -> None:
        """Draw, and let the clock tick."""
        self.set_interval(_CLOCK_S, self.redraw)
        self.redraw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.redraw()

    def update_table(self, table: TableSnapshot) -> None:
        """Show a new snapshot."""
        self.flow.update(table)
        self.redraw()

    def take_settings(self, settings: Settings) -> None:
        """Follow the settings from now on."""
        self.flow.animate, self.flow.tell_truth = settings.animation, settings.truth
        self._drawn = None  # how cards are printed may have changed
        self.redraw()

    def keeps(self, table: TableSnapshot) -> bool:
        """Whether a snapshot, taken after the deal, still leaves something to be shown here."""
        return self.flow.keeps(table)

    def move_refused(self, event: MoveRefused) -> None:
        """Say why the own move was not made."""
        self.flow.refused(event)
        self.redraw()

    def say(self, note: str) -> None:
        """Answer on the Enter line."""
        self.flow.say(note)
        self.redraw()

    def redraw(self) -> None:
        """Draw the scene of this moment, and wake when it changes by time alone."""
        if not self.is_mounted:
            return
        scene = self.flow.scene()
        size = Size.within(*self.size)
        if size.too_small:
            self._drawn = None
            self._view.show(draw_notice(size.width, size.height, self._notice_line()))
        else:
            self._view.show(self._picture(scene, size))
        self._tell()
        self._schedule()

    def _picture(self, scene: Scene, size: Size) -> Canvas:
        """Paint the scene; where only time has passed, only the clock."""
        last, self._drawn = self._drawn, (scene, size)
        if last is not None and last[1] == size and scene.only_later_than(last[0]):
            return with_clock(self._view.canvas, scene, size)
        return draw_scene(scene, size)

    def action_press(self, name: str) -> None:
        """A key of the table of actions. Under the too-small notice no game key works."""
        if Size.within(*self.size).too_small:
            return
        self._do(self.flow.press(name))

    def on_key(self, event: events.Key) -> None:
        """Keys go into the line of talk while it is open. Else any key goes on, also one that means nothing
        here.
        """
        if self.flow.talking.open:
            self._type(event)
        elif self.flow.showing and not self.active_bindings.get(event.key):
            event.stop()
            self.action_press("any")

    def _type(self, event: events.Key) -> None:
        named = _MEANINGS.get(event.key)
        if named in keys.OF_THE_APP:
            return
        event.stop()
        if Size.within(*self.size).too_small:
            return
        if named in TEXT_KEYS or named in ("enter", "back"):
            self._do(self.flow.press(named))
        elif event.character is not None and event.is_printable:
            self._do(self.flow.type_character(event.character))

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text goes into the line of talk, if it is open."""
        if self.flow.talking.open and not Size.within(*self.size).too_small:
            event.stop()
            self.flow.paste(event.text)
            self.redraw()

    def on_canvas_view_clicked(self, event: CanvasView.Clicked) -> None:
        """A click on a cap, a rank or a card; the right button puts all back."""
        if Size.within(*self.size).too_small:
            return
        if event.back:
            self.flow.put_all_back()
            self.redraw()
        else:
            self._do(self.flow.click(event.target))

    def on_canvas_view_scrolled(self, event: CanvasView.Scrolled) -> None:
        """The wheel moves the cursor over the hand."""
        self.action_press("right" if event.down else "left")

    def _do(self, command: Command | None) -> None:
        if isinstance(command, Send):
            self.post_message(self.MoveMade(command))
        elif isinstance(command, EndWait):
            self.post_message(self.EndWait())
        elif isinstance(command, Say):
            self.post_message(Wished(command))
        elif command is not None:
            self.post_message(self.Left(command))
        self.redraw()

    def _tell(self) -> None:
        showing = self.flow.showing
        mine = self.flow.situation.acting and not showing and not self.flow.choice.sent
        if mine != self._mine:
            self._mine = mine
            self.post_message(self.TurnChanged(mine=mine))
        self._ring_when_short(mine)
        if self._showing and not showing:
            self.post_message(self.ShowEnded())
        self._showing = showing

    def _ring_when_short(self, mine: bool) -> None:
        """Tell once a step that the own time is running short; a time that was never longer is no news."""
        situation = self.flow.situation
        timed = situation.timed
        if not mine or timed is None or timed.until is None:
            self._unhurried = None
        elif timed.until - self._now() >= SHORT_S:
            self._unhurried = situation.step
        elif self._unhurried == situation.step:
            self._unhurried = None
            self.post_message(self.TimeShort())

    def _schedule(self) -> None:
        if self._wake is not None:
            self._wake.stop()
            self._wake = None
        wait = self.flow.wake_in_s()
        if wait is not None:
            self._wake = self.set_timer(max(wait, 0.01), self.redraw)

    def _notice_line(self) -> str:
        scene = self.flow.scene()
        line, (time, _short) = too_small_line(scene.banner), clock_words(scene)
        return f"{line} · {time}" if time else line
