"""The one widget of a screen: shows a canvas, repaints what differs, tells what lies under the mouse."""

from functools import cached_property
from typing import Protocol, runtime_checkable

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.theme import Theme
from textual.widget import Widget

from ui.glyphs import GlyphSet
from ui.i18n import current_language
from ui.settings import Suits
from ui.table.canvas import PLAIN, Canvas
from ui.theme import Palette, computed_variables

_RIGHT_BUTTON = 3


@runtime_checkable
class TerminalFacts(Protocol):
    """What a view may know of the terminal: an app that offers it is asked, any other gets the usual."""

    @property
    def glyphs(self) -> GlyphSet:
        """Which characters are drawn."""

    @property
    def no_colors(self) -> bool:
        """Whether no colour code is sent."""

    @property
    def suits(self) -> Suits:
        """In how many colours suits are drawn."""


class CanvasView(Widget):
    """Shows a canvas in the middle of its area.

    `show` compares the new canvas with the old one and repaints the columns that differ, in one go: another
    player's lay costs a quarter of what the whole screen would.
    """

    DEFAULT_CSS = """
    CanvasView { width: 1fr; height: 1fr; background: $background; }
    """

    class Clicked(Message):
        """What was painted at the mouse, if anything; `back` for the right button."""

        def __init__(self, target: object | None, *, back: bool) -> None:
            super().__init__()
            self.target = target
            self.back = back

    class Scrolled(Message):
        """The wheel was turned; `target` is what lies under it."""

        def __init__(self, target: object | None, *, down: bool) -> None:
            super().__init__()
            self.target = target
            self.down = down

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._canvas = Canvas(0, 0)

    @property
    def canvas(self) -> Canvas:
        """What is shown."""
        return self._canvas

    @property
    def origin(self) -> tuple[int, int]:
        """Row and column of the canvas's corner within the widget."""
        return (
            max(0, (self.size.height - self._canvas.height) // 2),
            max(0, (self.size.width - self._canvas.width) // 2),
        )

    def show(self, canvas: Canvas) -> None:
        """Show a canvas."""
        before, self._canvas = self._canvas, canvas
        if (before.width, before.height) != (canvas.width, canvas.height):
            self.refresh()
            return
        top, left = self.origin
        regions = [
            Region(left + first, top + row, last - first, 1)
            for row, first, last in canvas.changed_spans(before)
        ]
        if regions:
            self.refresh(*regions)

    def hit(self, row: int, column: int) -> object | None:
        """Return what was painted at a place of the widget to be clicked."""
        top, left = self.origin
        return self._canvas.hit(row - top, column - left)

    def on_click(self, event: events.Click) -> None:
        """Report what was clicked."""
        self.post_message(self.Clicked(self.hit(event.y, event.x), back=event.button == _RIGHT_BUTTON))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Report the wheel."""
        self.post_message(self.Scrolled(self.hit(event.y, event.x), down=True))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Report the wheel."""
        self.post_message(self.Scrolled(self.hit(event.y, event.x), down=False))

    def on_mount(self) -> None:
        """Follow the theme."""
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)

    def _theme_changed(self, _: Theme) -> None:
        self.restyle()

    def restyle(self) -> None:
        """Draw all of it again: colours or characters have changed."""
        self.__dict__.pop("palette", None)
        self.refresh()

    @cached_property
    def palette(self) -> Palette:
        """The styles of the theme in use."""
        variables = self.app.get_css_variables()
        facts = self._facts
        colors = not (facts is not None and facts.no_colors) and not self.app.native_ansi_color
        suits: Suits = "two" if facts is None else facts.suits
        return Palette({**computed_variables(variables), **variables}, colors=colors, suits=suits)

    def render_line(self, y: int) -> Strip:
        """Return one row of the widget."""
        top, left = self.origin
        width = self.size.width
        blank = self.palette.style(PLAIN)
        row = y - top
        if not 0 <= row < self._canvas.height:
            return Strip.blank(width, blank)
        table = self._glyphs.table(current_language())
        segments = [Segment(" " * left, blank)] if left else []
        segments += [
            Segment(text.translate(table), self.palette.style(ink)) for text, ink in self._canvas.runs(row)
        ]
        return Strip(segments).adjust_cell_length(width, blank)

    @property
    def _glyphs(self) -> GlyphSet:
        facts = self._facts
        return GlyphSet.FULL if facts is None else facts.glyphs

    @property
    def _facts(self) -> TerminalFacts | None:
        app: object = self.app
        return app if isinstance(app, TerminalFacts) else None
