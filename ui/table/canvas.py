"""A canvas of cells on which a whole screen is painted: character, ink and what a click there means.

Painting later covers painting earlier, so overlapping and raised cards need no arithmetic, and hit-testing is
the same picture read back. Nothing here knows Textual: a test draws and reads rows as text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.cells import cell_len

from ui.literal import literal


class Ink(NamedTuple):
    """How a cell looks, in names of theme variables.

    `filled` says that the ground itself carries meaning (banner, cap, claim), so that it becomes reverse
    video where no colours are sent. `reverse` is reversed everywhere (the cursor).
    """

    fore: str = "foreground"
    back: str = "background"
    bold: bool = False
    italic: bool = False
    filled: bool = False
    reverse: bool = False

    @property
    def ground(self) -> tuple[str, bool, bool, bool]:
        """What is seen of it where no character stands. Some terminals reverse what is italic."""
        return self.fore if self.reverse else self.back, self.filled, self.italic, self.reverse

    def around(self, blank: "Ink") -> "Ink":
        """Return the ink most like this one in which a blank looks as in its own."""
        if self.reverse or blank.reverse or self.italic != blank.italic:
            return blank
        return self._replace(back=blank.back, filled=blank.filled)


PLAIN = Ink()


class Cell(NamedTuple):
    """One cell. `char` is empty in the second half of a wide character."""

    char: str
    ink: Ink
    target: object | None


_BLANK = Cell(" ", PLAIN, None)

_APART = 8
"""More equal cells than this between two that differ cost more than moving the cursor over them."""


def _alike(one: Cell, other: Cell) -> bool:
    """Whether two cells look the same: a blank shows its ground alone."""
    if one.char != other.char:
        return False
    return one.ink == other.ink or (one.char == " " and one.ink.ground == other.ink.ground)


_FINGERPRINT = re.compile(r" [0-9A-Z]{4}$")


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """Return text cut to at most `width` cells, with an ellipsis where something was lost."""
    text = literal(text)
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    kept = ""
    used = 0
    for char in text:
        size = cell_len(char)
        if used + size > width - 1:
            break
        kept += char
        used += size
    return kept + ellipsis


def clip_name(name: str, width: int) -> str:
    """Return a name cut to at most `width` cells.

    The group of a fingerprint that tells two people of one name apart stays behind it.
    """
    name = literal(name)
    mark = _FINGERPRINT.search(name)
    if mark is None or cell_len(name) <= width:
        return clip(name, width)
    return clip(name[: mark.start()], width - len(mark[0])) + mark[0]


def wrap(text: str, width: int) -> tuple[str, ...]:
    """Return text broken at spaces into lines of at most `width` cells; longer words are clipped."""
    lines: list[str] = []
    line = ""
    for word in literal(text).split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = clip(word, width)
    if line or not lines:
        lines.append(line)
    return tuple(lines)


class Canvas:
    """A grid of `width` x `height` cells; painting outside of it is cut off silently, so no size is too
    small."""

    def __init__(self, width: int, height: int, ink: Ink = PLAIN) -> None:
        self.width = max(0, width)
        self.height = max(0, height)
        blank = Cell(" ", ink, None)
        self._rows: list[list[Cell]] = [[blank] * self.width for _ in range(self.height)]

    def put(self, row: int, column: int, text: str, ink: Ink = PLAIN, target: object | None = None) -> int:
        """Paint text and return the column after it. Combining characters join the cell before them."""
        for char in literal(text):
            size = cell_len(char)
            if size == 0:
                self._join(row, column - 1, char)
                continue
            self._set(row, column, Cell(char, ink, target))
            if size == 2:
                self._set(row, column + 1, Cell("", ink, target))
                if column + 1 == self.width:
                    self._set(row, column, Cell(" ", ink, target))
            column += size
        return column

    def fill(
        self, row: int, column: int, width: int, height: int, ink: Ink, target: object | None = None
    ) -> None:
        """Paint a rectangle of spaces."""
        for line in range(row, row + height):
            for place in range(column, column + width):
                self._set(line, place, Cell(" ", ink, target))

    def copy(self) -> "Canvas":
        """Return a canvas of the same cells, to be painted further."""
        other = Canvas(0, 0)
        other.width, other.height = self.width, self.height
        other._rows = [cells.copy() for cells in self._rows]
        return other

    def cell(self, row: int, column: int) -> Cell:
        """Return a cell; a blank one outside of the canvas."""
        if 0 <= row < self.height and 0 <= column < self.width:
            return self._rows[row][column]
        return _BLANK

    def hit(self, row: int, column: int) -> object | None:
        """Return what was painted there to be clicked, if anything."""
        return self.cell(row, column).target

    def cells(self, row: int) -> tuple[Cell, ...]:
        """Return one row of cells."""
        return tuple(self._rows[row])

    def text(self, row: int) -> str:
        """Return one row as text, without the blanks at its end."""
        return "".join(cell.char for cell in self._rows[row]).rstrip()

    def lines(self) -> tuple[str, ...]:
        """Return all rows as text."""
        return tuple(self.text(row) for row in range(self.height))

    def runs(self, row: int) -> Iterator[tuple[str, Ink]]:
        """Yield one row as few pieces of one ink each; a blank takes over what is not seen in it."""
        piece = ""
        ink: Ink | None = None
        for cell in self._rows[row]:
            looks = ink.around(cell.ink) if ink is not None and cell.char == " " else cell.ink
            if looks == ink:
                piece += cell.char
                continue
            if piece and ink is not None:
                yield piece, ink
            piece, ink = cell.char, looks
        if piece and ink is not None:
            yield piece, ink

    def changed_spans(self, before: "Canvas") -> Iterable[tuple[int, int, int]]:
        """Yield (row, first column, column after the last) of what differs; both canvases have one size.

        What differs in two places of a row far apart comes in two spans.
        """
        for row, (new, old) in enumerate(zip(self._rows, before._rows, strict=True)):
            if new == old:
                continue
            first = last = -_APART - 1
            for place in range(self.width):
                if _alike(new[place], old[place]):
                    continue
                if place - last > _APART:
                    if last >= 0:
                        yield row, first, self._after(row, last)
                    first = place
                last = place
            if last >= 0:
                yield row, first, self._after(row, last)

    def _after(self, row: int, column: int) -> int:
        """The column after what stands in a column: half a wide character cannot be painted."""
        return column + 2 if self.cell(row, column + 1).char == "" else column + 1

    def _join(self, row: int, column: int, char: str) -> None:
        if 0 <= row < self.height and 0 <= column < self.width:
            cell = self._rows[row][column]
            if cell.char:
                self._rows[row][column] = cell._replace(char=cell.char + char)

    def _set(self, row: int, column: int, cell: Cell) -> None:
        if not (0 <= row < self.height and 0 <= column < self.width):
            return
        line = self._rows[row]
        if line[column].char == "" and column > 0:
            line[column - 1] = line[column - 1]._replace(char=" ")
        if cell.char != "" and column + 1 < self.width and line[column + 1].char == "":
            line[column + 1] = line[column + 1]._replace(char=" ")
        line[column] = cell
