"""An app with nothing but one table screen: for tests of its keys, its clicks and its sizes."""

from model_table import ModelTable
from table_pictures import Clock
from textual.app import App

from engine import Move
from ui.glyphs import GlyphSet
from ui.settings import Suits
from ui.table.flow import Leave
from ui.table.screen import TableScreen
from ui.theme import VERISH_DARK, computed_variables


class Host(App[None]):
    """Shows one table screen and notes what it posts."""

    def __init__(
        self,
        model: ModelTable,
        *,
        glyphs: GlyphSet = GlyphSet.FULL,
        no_colors: bool = False,
        animate: bool = False,
    ) -> None:
        super().__init__(ansi_color=True if no_colors else None)
        self.glyphs = glyphs
        self.no_colors = no_colors
        self.suits: Suits = "two"
        self.model = model
        self.ticks = Clock()
        self.table = TableScreen(model.snapshot(), now=self.ticks, animate=animate)
        self.moves: list[Move] = []
        self.left: list[Leave] = []
        self.waits_ended = 0
        self.register_theme(VERISH_DARK)
        self.theme = "ansi-dark" if no_colors else "verish-dark"

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**computed_variables(variables), **variables}

    def on_mount(self) -> None:
        self.push_screen(self.table)

    def on_table_screen_move_made(self, message: TableScreen.MoveMade) -> None:
        self.moves.append(message.send.move)

    def on_table_screen_left(self, message: TableScreen.Left) -> None:
        self.left.append(message.where)

    def on_table_screen_end_wait(self) -> None:
        self.waits_ended += 1

    def where(self, target: object) -> tuple[int, int]:
        """Column and row of something that can be clicked. Raises: AssertionError where nothing can."""
        canvas, (top, left) = self.table.view.canvas, self.table.view.origin
        found = (
            (left + column, top + row)
            for row in range(canvas.height)
            for column in range(canvas.width)
            if canvas.hit(row, column) == target
        )
        place = next(found, None)
        assert place is not None, f"{target} can not be clicked:\n{self.text}"
        return place

    @property
    def lines(self) -> list[str]:
        return list(self.table.view.canvas.lines())

    @property
    def text(self) -> str:
        return "\n".join(self.lines)
