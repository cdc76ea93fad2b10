"""A terminal under a pilot: what the program sends to it is counted, and read as a terminal reads it."""

import re

from model_table import ModelTable
from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from table_pictures import Clock
from textual.drivers.headless_driver import HeadlessDriver

from ui.house_app import HouseApp
from ui.repaint import briefly_styled
from ui.table.screen import TableScreen

Look = tuple[str, Style | None]
"""A character and its style; of a blank only the ground."""

_MOVES = re.compile(r"\x1b\[(\d+);(\d+)H([^\x1b]*(?:\x1b\[[\d;]*m[^\x1b]*)*)")


class Metered(HeadlessDriver):
    """Keeps what is sent."""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        assert isinstance(self._app, MeteredTable)
        self._app.sent += briefly_styled(data)


class MeteredTable(HouseApp):
    """Shows one table screen; `sent` grows by what a terminal would get. To be run with `headless=False`."""

    def __init__(self, model: ModelTable, *, animate: bool = False) -> None:
        super().__init__()
        self.driver_class = Metered
        self.sent = ""
        self.model = model
        self.ticks = Clock()
        self.table = TableScreen(model.snapshot(), now=self.ticks, animate=animate)

    def on_mount(self) -> None:
        self.push_screen(self.table)

    def take_sent(self) -> str:
        """What was sent since this was last asked."""
        sent, self.sent = self.sent, ""
        return sent

    @property
    def picture(self) -> dict[tuple[int, int], Look]:
        """What a terminal should show, by row and column."""
        found: dict[tuple[int, int], Look] = {}
        for row in range(self.table.view.size.height):
            column = 0
            for text, style, _ in self.table.view.render_line(row):
                for character in text:
                    found[row, column] = look(character, style or Style.null())
                    column += cell_len(character)
        return found


class Glass:
    """The picture of a terminal."""

    def __init__(self) -> None:
        self.shows: dict[tuple[int, int], Look] = {}
        self._decoder = AnsiDecoder()
        self._console = Console()

    def take(self, sent: str) -> None:
        """Paint what was sent."""
        for match in _MOVES.finditer(sent):
            row, column = int(match[1]) - 1, int(match[2]) - 1
            text = self._decoder.decode_line(match[3].replace("\n", ""))
            for place, character in enumerate(text.plain):
                if cell_len(self.shows.get((row, column - 1), " ")[0]) == 2:
                    self.shows[row, column - 1] = (" ", None)  # half of it is painted over
                self.shows[row, column] = look(character, text.get_style_at_offset(self._console, place))
                for covered in range(column + 1, column + cell_len(character)):
                    self.shows.pop((row, covered), None)
                column += cell_len(character)


def look(character: str, style: Style) -> Look:
    """How a character in a style looks."""
    fore, ground = (
        None if color is None or color.is_default else color for color in (style.color, style.bgcolor)
    )
    reverse = bool(style.reverse)
    if character == " ":
        return character, Style(color=fore if reverse else None, bgcolor=ground, reverse=reverse)
    return character, Style(
        color=fore, bgcolor=ground, bold=bool(style.bold), italic=bool(style.italic), reverse=reverse
    )
