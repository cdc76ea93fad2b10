"""What all pages of the lobby share: frame, panels, lists that scroll, and the interface of a page.

A page holds what it shows and what is chosen on it. It draws itself on a canvas and turns presses into
wishes; it knows neither Textual nor the node, so a test draws a page as text and presses keys by name.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len

from ui.glyphs import TURN
from ui.i18n import current_language
from ui.i18n import gettext as _
from ui.keys import Place, action_named, cap_of
from ui.lobby.wishes import Wish
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.frame import Cap, draw_acts, draw_banner, draw_enter, draw_foot, draw_top
from ui.table.logbook import Line, draw_log
from ui.table.size import Height, Rect, Size, Width
from ui.words.actions import action_word
from ui.words.banner import Banner
from ui.words.enter import EnterLine
from ui.words.people import carries, short_fingerprint

MUTE = Ink("mute")
BOLD = Ink(bold=True)
ACCENT = Ink("text-accent", bold=True)
GOOD = Ink("text-success")
WARN = Ink("text-warning", bold=True)
BAD = Ink("text-error", bold=True)
NAME = Ink("text-primary")

SCROLLS: Final = {"up": -1, "down": 1, "page_up": -10, "page_down": 10}
"""By how many rows each move scrolls."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A click target: the `index`-th thing of a list."""

    what: str
    index: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a page lie."""

    size: Size
    body: Rect
    said: Rect
    banner: int
    enter: int
    acts: int
    foot: int

    @classmethod
    def of(cls, size: Size, *, banner: bool, said: int = 0) -> "Layout":
        """Return the rows of a page; without a banner the body reaches down to the Enter line.

        said: rows between body and banner for what people say.
        """
        foot = size.height - 1
        acts = foot - 2 if size.high is Height.TALL else foot - 1
        enter = acts - 1
        bottom = enter - 1 if banner else enter
        body = Rect(1, 0, size.width, bottom - 1 - said)
        above_banner = Rect(bottom - said, 1, size.width - 2, said)
        return cls(size, body, above_banner, enter - 1, enter, acts, foot)

    @property
    def narrow(self) -> bool:
        """Whether panels have no room beside each other."""
        return self.size.wide is Width.NARROW

    @property
    def framed(self) -> bool:
        """Whether panels have frames."""
        return not self.narrow and self.size.high is not Height.SHORT


class Page(ABC):
    """One page. Subclasses draw the body and answer presses."""

    place: ClassVar[Place]
    """Whose keys of `ui.keys` work here."""
    has_banner: ClassVar[bool] = True
    to_read: ClassVar[bool] = False
    """Text to read: no wider than eyes like to travel."""
    note: str = ""
    """An answer on the Enter line, until the next key."""

    @property
    def typing(self) -> bool:
        """Whether a text field takes letters now."""
        return False

    @property
    @abstractmethod
    def title(self) -> str:
        """The place, as the top line says it."""

    @abstractmethod
    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Paint what is between the top line and the banner."""

    @abstractmethod
    def enter_line(self) -> EnterLine:
        """Return what Enter does now."""

    @abstractmethod
    def press(self, name: str) -> Wish | None:
        """Do what the key or click `name` means; return a wish if it goes beyond the page."""

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on the `index`-th thing of the list `what`."""
        del what, index
        return None

    def type_text(self, text: str) -> None:
        """Text was typed or pasted into the field that is open."""
        del text

    def type_character(self, character: str) -> Wish | None:
        """A key with a character was pressed while a field is open."""
        self.type_text(character)
        return None

    def said(self, size: Size) -> tuple[Line, ...]:
        """Return what people say, as far as it stands above the banner of a page of this size."""
        del size
        return ()

    def layout(self, size: Size) -> Layout:
        """Return where the parts of this page lie."""
        return Layout.of(size, banner=self.has_banner, said=len(self.said(size)))

    def banner(self) -> Banner | None:
        """Return the banner; None where there is nothing to say."""
        return None

    def place_line(self, width: int) -> str:
        """Return the place in at most `width` cells."""
        return clip(self.title, width)

    def corner(self, width: int) -> str:
        """Return the words at the right of the top line, in at most `width` cells."""
        del width
        return ""

    def acts(self) -> Sequence[Cap]:
        """Return what can be done besides Enter, the most useful first."""
        return ()

    def foot(self) -> Sequence[Cap]:
        """Return the other keys."""
        return (self.cap("help"), self.cap("back"))

    def cap(self, name: str, words: str | None = None, *, live: bool = True, fill: str = "panel") -> Cap:
        """Return the cap of an action of this page, with its usual words or others."""
        action = action_named(name, self.place)
        text = action_word(action.words) if words is None else words
        return Cap(cap_of(action, current_language()), text, name, fill=fill, live=live)

    def draw(self, size: Size, *, hollow: bool = False) -> Canvas:
        """Paint the whole page. hollow: Enter is dead for a moment."""
        canvas = Canvas(size.width, size.height)
        layout = self.layout(size)
        self.draw_body(canvas, layout)
        draw_log(canvas, layout.said, self.said(size))
        corner = clip(self.corner(size.width // 2), size.width // 2)
        column = size.width - 1 - cell_len(corner)
        draw_top(canvas, self.place_line(column - 13), good=True, trust="", clock="")
        canvas.put(0, column, corner, Ink("mute", "panel"))
        banner = self.banner()
        if banner is not None:
            draw_banner(canvas, layout.banner, banner)
        enter = action_named("enter", Place.LOBBY).cap
        rows = draw_enter(canvas, layout.enter, self.enter_line(), enter, hollow=hollow, note=self.note)
        if rows == 1:
            draw_acts(canvas, layout.acts, self.acts())
        draw_foot(canvas, layout.foot, self.foot())
        return canvas


def panel(canvas: Canvas, rect: Rect, title: str, *, framed: bool) -> Rect:
    """Paint a panel and return the rectangle for what is in it: inside the frame, or below the title.

    A panel that is the whole page has no title: the top line has said it.
    """
    if not framed and not title:
        return Rect(rect.row, rect.column + 1, max(0, rect.width - 2), rect.height)
    if not framed:
        canvas.put(rect.row, rect.column + 1, clip(title, rect.width - 2), Ink("text-primary", bold=True))
        return Rect(rect.row + 1, rect.column + 1, max(0, rect.width - 2), max(0, rect.height - 1))
    line = Ink("line")
    last = rect.row + rect.height - 1
    side = rect.column + rect.width - 1
    canvas.put(rect.row, rect.column, "╭" + "─" * (rect.width - 2) + "╮", line)
    canvas.put(last, rect.column, "╰" + "─" * (rect.width - 2) + "╯", line)
    for row in range(rect.row + 1, last):
        canvas.put(row, rect.column, "│", line)
        canvas.put(row, side, "│", line)
    if title:
        canvas.put(rect.row, rect.column + 2, f" {clip(title, rect.width - 6)} ", MUTE)
    return Rect(rect.row + 1, rect.column + 2, max(0, rect.width - 4), max(0, rect.height - 2))


def paragraph(canvas: Canvas, rect: Rect, text: str, ink: Ink = Ink(), first: str = "") -> Rect:  # noqa: B008
    """Paint text wrapped to a rectangle, `first` before its first line; return what is left of the rectangle.

    `first` is a mark such as a tick; the lines after the first are indented by its width.
    """
    indent = cell_len(first)
    row = rect.row
    for number, line in enumerate(wrap(text, max(1, rect.width - indent))):
        if row >= rect.row + rect.height:
            break
        if number == 0 and first:
            canvas.put(row, rect.column, first, ink)
        canvas.put(row, rect.column + indent, line, ink)
        row += 1
    return below(rect, row - rect.row)


def who_i_am(name: str, fingerprint: str, width: int) -> str:
    """Say who the own person is, for the top line; a name that is too long gives way to its fingerprint.

    What others read aloud must be this.
    """
    words = _("you are {name}")
    tail = "" if carries(name, fingerprint) else f" · {short_fingerprint(fingerprint)}"
    room = width - cell_len(words.format(name=tail))
    return words.format(name=clip(name, room) + tail)


def below(rect: Rect, rows: int) -> Rect:
    """Return a rectangle without its first rows."""
    used = min(rows, rect.height)
    return Rect(rect.row + used, rect.column, rect.width, rect.height - used)


def window(count: int, rows: int, chosen: int) -> range:
    """Return which of `count` things are shown in `rows` rows so that the chosen one is in view."""
    if count <= rows or rows <= 0:
        return range(min(count, max(0, rows)))
    start = min(max(0, chosen - rows // 2), count - rows)
    return range(start, start + rows)


def mark_hidden(canvas: Canvas, rect: Rect, *, above: bool, below: bool) -> None:
    """Mark at the right edge of a list that it goes on above or below what is shown."""
    if not rect.height:
        return
    right = rect.column + rect.width - 1
    if above:
        canvas.put(rect.row, right, "↑", MUTE)
    if below:
        canvas.put(rect.row + rect.height - 1, right, "↓", MUTE)


def arrow(chosen: bool) -> str:
    """Return the mark before a row."""
    return TURN if chosen else " "


def split(rect: Rect, left: int, gap: int = 1) -> tuple[Rect, Rect]:
    """Cut a rectangle into a left part of `left` cells and the rest."""
    left = min(left, rect.width)
    rest = rect.width - left - gap
    return (
        Rect(rect.row, rect.column, left, rect.height),
        Rect(rect.row, rect.column + left + gap, max(0, rest), rect.height),
    )
