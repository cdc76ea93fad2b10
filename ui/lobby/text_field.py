"""A line of text that is typed into a page."""

import unicodedata
from typing import Final

from rich.cells import cell_len

from ui.table.canvas import Canvas, Ink, clip

MOST_CHARACTERS: Final = 64
"""More than any title or address needs; what is sent has its own, tighter limits."""

MOST_PASTED: Final = 16 * MOST_CHARACTERS
"""So much of a text is looked at: a megabyte that is pasted by mistake must not hold the screen up."""


class TextField:
    """One line of at most `most` characters. While it is open, letters go into it; closed, it only shows its
    text.
    """

    def __init__(self, text: str = "", most: int = MOST_CHARACTERS) -> None:
        self.text = text
        self._most = most
        self.open = False
        self.cursor = len(text)
        self._before = text

    def open_it(self) -> None:
        """Start typing at the end."""
        if not self.open:
            self.open, self._before, self.cursor = True, self.text, len(self.text)

    def close(self, *, keep: bool) -> None:
        """Stop typing; without `keep` the text from before comes back."""
        if self.open and not keep:
            self.text = self._before
        self.open = False

    def type_text(self, text: str) -> bool:
        """Put text in at the cursor; control and format characters are left out. Returns whether all of the
        rest did fit; otherwise its end was cut off.
        """
        clean = "".join(char for char in text[:MOST_PASTED] if unicodedata.category(char)[0] != "C")
        fits = clean[: self._most - len(self.text)]
        self.text = self.text[: self.cursor] + fits + self.text[self.cursor :]
        self.cursor += len(fits)
        return len(fits) == len(clean) and len(text) <= MOST_PASTED

    def press(self, name: str) -> None:
        """Move the cursor or delete."""
        match name:
            case "left":
                self.cursor = max(0, self.cursor - 1)
            case "right":
                self.cursor = min(len(self.text), self.cursor + 1)
            case "home":
                self.cursor = 0
            case "end":
                self.cursor = len(self.text)
            case "backspace" if self.cursor:
                self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
                self.cursor -= 1
            case "delete":
                self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]

    def draw(self, canvas: Canvas, row: int, column: int, width: int, target: object) -> None:
        """Paint the text; while it is open, so much of it that the cursor is in view."""
        if not self.open:
            canvas.put(row, column, clip(self.text, width), Ink(), target)
            return
        before = self.text[: self.cursor]
        while cell_len(before) > width - 2:
            before = before[1:]
        at = self.text[self.cursor : self.cursor + 1] or " "
        after = self.text[self.cursor + 1 :]
        end = canvas.put(row, column, before, Ink(bold=True), target)
        end = canvas.put(row, end, at, Ink(reverse=True), target)
        canvas.put(row, end, clip(after, max(0, column + width - end)), Ink(bold=True), target)
