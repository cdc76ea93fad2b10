"""The menu: back, leave the table, quit. Whatever costs something says so before Enter does it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p.protocol.snapshot import TableSnapshot
from ui.glyphs import TROUBLE
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import ACCENT, BOLD, WARN, Layout, Page, Pick, arrow, below, panel, paragraph
from ui.lobby.wishes import Go, Leave, Quit, Where, Wish
from ui.table.canvas import Canvas, Ink
from ui.table.frame import Cap
from ui.words.enter import EnterLine
from ui.words.leaving import leaving_costs
from ui.words.window import quit_question

_ENTER_CELLS: Final = 10
"""Beside the words of the Enter line: its cap and the edges."""


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the menu: what it is called, what it does to the game, and the wish."""

    text: str
    cost: str
    wish: Wish


class MenuPage(Page):
    """The menu over any screen. `quitting`: it was opened to quit, so that row is chosen."""

    place = Place.FORM
    has_banner = False

    def __init__(self, table: TableSnapshot | None = None, *, quitting: bool = False) -> None:
        self.table = table
        self.quitting = False
        self.index = 0
        if quitting:
            self.ask_to_quit()

    def ask_to_quit(self) -> None:
        """Choose the last row, and ask."""
        self.quitting = True
        self.index = len(self.items) - 1

    def show(self, table: TableSnapshot | None) -> None:
        """Take new data; the chosen row stays chosen if it is still there."""
        wish = self.items[self.index].wish
        self.table = table
        wishes = [item.wish for item in self.items]
        self.index = wishes.index(wish) if wish in wishes else 0

    @property
    def title(self) -> str:
        """The place."""
        return _("Menu")

    @property
    def items(self) -> tuple[Item, ...]:
        """The rows."""
        found = [
            Item(_("Back"), "", Go(Where.BACK)),
            Item(_("Help"), "", Go(Where.HELP)),
            Item(_("Settings"), "", Go(Where.SETTINGS)),
        ]
        if self.table is not None:
            found.append(Item(_("Leave the table"), leaving_costs(self.table), Leave()))
        cost = leaving_costs(self.table) if self.table is not None else ""
        return (*found, Item(_("Quit Verish"), cost, Quit()))

    def enter_line(self) -> EnterLine:
        """The chosen row."""
        item = self.items[self.index]
        return EnterLine(item.text, item.cost)

    def acts(self) -> Sequence[Cap]:
        """How to choose."""
        return (Cap("↑↓", _("choose"), "down"),)

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), self.cap("back", _("back")))

    def press(self, name: str) -> Wish | None:
        """Choose a row, or do it."""
        match name:
            case "up" | "shift_tab":
                self.index = max(0, self.index - 1)
            case "down" | "tab":
                self.index = min(len(self.items) - 1, self.index + 1)
            case "enter":
                return self.items[self.index].wish
        return {"help": Go(Where.HELP), "back": Go(Where.BACK)}.get(name)

    def pick(self, what: str, index: int) -> Wish | None:
        """A click chooses a row."""
        if what == "item" and 0 <= index < len(self.items):
            self.index = index
        return None

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """The rows. What the chosen one costs stands on the Enter line, or below where that has no room."""
        left = below(panel(canvas, layout.body, "", framed=layout.framed), 1)
        if self.quitting:
            left = below(paragraph(canvas, left, quit_question(), BOLD), 1)
        for number, item in enumerate(self.items):
            chosen = number == self.index
            target = Pick("item", number)
            canvas.fill(left.row, left.column, left.width, 1, Ink(), target)
            canvas.put(
                left.row, left.column, f"{arrow(chosen)} {item.text}", ACCENT if chosen else Ink(), target
            )
            left = below(left, 1)
        line = self.enter_line()
        if line.aside and not line.fitted(canvas.width - _ENTER_CELLS)[1]:
            paragraph(canvas, below(left, 1), line.aside, WARN, first=f"{TROUBLE} ")
