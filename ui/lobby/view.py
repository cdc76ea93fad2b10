"""The one widget of a page: it shows a canvas, repaints only what changed, and reports clicks."""

from rich.segment import Segment
from textual import events
from textual.app import App
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ui.glyphs import GlyphSet
from ui.i18n import current_language
from ui.table.canvas import PLAIN, Canvas
from ui.theme import Palette, computed_variables


class Look:
    """How canvases become terminal cells in one app: the palette of its theme and its set of glyphs."""

    def __init__(self, app: App[object]) -> None:
        variables = dict(app.theme_variables)
        colours = not getattr(app, "no_colors", False) and not app.ansi_color
        self.palette = Palette(computed_variables(variables) | variables, colors=colours)
        glyphs = getattr(app, "glyphs", GlyphSet.FULL)
        self.table = glyphs.table(current_language())


class CanvasView(Widget):
    """Shows a canvas in the middle of its space."""

    DEFAULT_CSS = """
    CanvasView { width: 1fr; height: 1fr; }
    """

    class Clicked(Message):
        """Something that can be clicked was clicked; `target` is what the canvas has there."""

        def __init__(self, target: object) -> None:
            super().__init__()
            self.target = target

    class Scrolled(Message):
        """The wheel was turned; `down` or up."""

        def __init__(self, down: bool) -> None:
            super().__init__()
            self.down = down

    def __init__(self) -> None:
        super().__init__()
        self._canvas = Canvas(0, 0)
        self._look: Look | None = None

    def show(self, canvas: Canvas) -> None:
        """Show another canvas; of one as large, only the cells that differ are painted."""
        before, self._canvas = self._canvas, canvas
        if (before.width, before.height) != (canvas.width, canvas.height):
            self.refresh()
            return
        top, left = self._corner()
        regions = [
            Region(left + first, top + row, last - first, 1)
            for row, first, last in canvas.changed_rows(before)
        ]
        if regions:
            self.refresh(*regions)

    def forget_look(self) -> None:
        """The theme changed."""
        self._look = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one row of the window."""
        if self._look is None:
            self._look = Look(self.app)
        look = self._look
        top, left = self._corner()
        ground = look.palette.style(PLAIN)
        width = self.size.width
        row = y - top
        if not 0 <= row < self._canvas.height:
            return Strip([Segment(" " * width, ground)], width)
        segments = [Segment(" " * left, ground)] if left else []
        for text, ink in self._canvas.runs(row):
            segments.append(Segment(text.translate(look.table), look.palette.style(ink)))
        return Strip(segments).adjust_cell_length(width, ground)

    def on_click(self, event: events.Click) -> None:
        """Report what was clicked."""
        top, left = self._corner()
        target = self._canvas.hit(event.y - top, event.x - left)
        if target is not None:
            self.post_message(self.Clicked(target))

    def on_mouse_scroll_down(self) -> None:
        """Report the wheel."""
        self.post_message(self.Scrolled(down=True))

    def on_mouse_scroll_up(self) -> None:
        """Report the wheel."""
        self.post_message(self.Scrolled(down=False))

    def _corner(self) -> tuple[int, int]:
        """Row and column of the canvas in the window."""
        return (
            max(0, (self.size.height - self._canvas.height) // 2),
            max(0, (self.size.width - self._canvas.width) // 2),
        )
