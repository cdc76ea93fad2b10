"""Cards, packets and piles as painted on the canvas."""

from dataclasses import dataclass
from enum import Enum

from rich.cells import cell_len

from engine import Card
from ui.glyphs import BACK, CURSOR, DASHED, FRAME, HEAVY, NEW, SUITS
from ui.table.canvas import Canvas, Ink, clip
from ui.words import rank_label

SHORT = 3
"""Rows of a card in a low window: rank and suit side by side."""
TALL = 4
"""Rows of a card in a high window: rank above suit."""

BACKS_SHOWN = 6
"""More overlapping backs say nothing that the number beside them does not say better."""


class Paper(Enum):
    """What a face-up card lies on: the middle part of its theme variables, and whether its frame is heavy."""

    NORMAL = ("card", "card-edge")
    UP = ("card-up", "card-up-edge")
    TRUE = ("card-true", "card-true-edge")
    FALSE = ("card-false", "card-false-edge")


@dataclass(frozen=True, slots=True)
class Marks:
    """What a card carries besides its face."""

    cursor: bool = False
    new: bool = False
    frame_mark: str = ""
    """A mark in the lower frame, where there is no row for marks below the cards."""


NO_MARKS = Marks()


def suit_ink(card: Card, back: str = "card", *, reverse: bool = False) -> Ink:
    """Return the ink of a face; in how many colours suits are drawn is the palette's affair."""
    return Ink(f"suit-{card.suit.name.lower()}", back, bold=True, reverse=reverse)


def suit_sign(card: Card) -> str:
    """Return the glyph of a card's suit."""
    return SUITS[card.suit]


def label_width(card: Card, height: int) -> int:
    """Return the cells of a card's label between its frames: `10♠` needs one more than `Q♠`."""
    rank = cell_len(rank_label(card.rank))
    return max(2, rank) if height == TALL else rank + 1


def covered_width(card: Card, height: int) -> int:
    """Return how much of a card stays visible when the next one overlaps it."""
    return label_width(card, height) + 1


def full_width(card: Card, height: int) -> int:
    """Return the width of an uncovered card."""
    return label_width(card, height) + 3


def draw_face(
    canvas: Canvas,
    row: int,
    column: int,
    card: Card,
    *,
    height: int = SHORT,
    paper: Paper = Paper.NORMAL,
    marks: Marks = NO_MARKS,
    target: object | None = None,
) -> None:
    """Paint a card with its top left corner at row and column."""
    back, edge = paper.value
    width = full_width(card, height)
    frame_ink = Ink(edge, back, bold=paper is not Paper.NORMAL)
    _frame(canvas, row, column, width, height, frame_ink, HEAVY if paper is Paper.FALSE else FRAME, target)
    ink = suit_ink(card, back, reverse=marks.cursor)
    rank = rank_label(card.rank)
    if height == TALL:
        canvas.put(row + 1, column + 1, rank, ink, target)
        canvas.put(row + 2, column + 1, suit_sign(card), ink, target)
    else:
        canvas.put(row + 1, column + 1, rank + suit_sign(card), ink, target)
    if marks.new:
        canvas.put(row, column + 1, NEW, frame_ink._replace(bold=True), target)
    if marks.cursor:
        canvas.put(row + height - 1, column + 1, CURSOR, frame_ink._replace(bold=True), target)
    elif marks.frame_mark:
        canvas.put(row + height - 1, column + width // 2, marks.frame_mark, frame_ink, target)


def draw_backs(canvas: Canvas, row: int, column: int, count: int, *, height: int = SHORT) -> int:
    """Paint a packet of `count` closed cards, at most `BACKS_SHOWN` of them; return the column after it."""
    shown = min(max(count, 1), BACKS_SHOWN)
    ink = Ink("card-back-ink", "card-back")
    for _ in range(shown - 1):
        _back(canvas, row, column, 3, height, ink)
        column += 3
    _back(canvas, row, column, 5, height, ink)
    return column + 5


def draw_pile(canvas: Canvas, row: int, column: int, count: int, *, height: int = SHORT) -> int:
    """Paint a pile: up to two thin edges and a back; return the column after it."""
    ink = Ink("card-back-ink", "card-back")
    for _ in range(min(max(count, 1), 3) - 1):
        _back(canvas, row, column, 1, height, ink)
        column += 1
    _back(canvas, row, column, 5, height, ink)
    return column + 5


def draw_empty(canvas: Canvas, row: int, column: int, width: int, words: str, *, height: int = SHORT) -> None:
    """Paint the dashed place of an empty table with words in it."""
    ink = Ink("mute")
    _frame(canvas, row, column, width, height, ink, DASHED)
    words = clip(words, width - 2)
    canvas.put(row + height // 2, column + (width - cell_len(words)) // 2, words, ink)


def draw_box(
    canvas: Canvas,
    row: int,
    column: int,
    width: int,
    height: int,
    ink: Ink,
    title: str,
    *,
    heavy: bool = False,
) -> None:
    """Paint the frame of a panel with its title in the upper edge; the inside stays as it is."""
    if width < 2 or height < 2:
        return
    frame = HEAVY if heavy else FRAME
    canvas.put(row, column, frame[0] + frame[1] * (width - 2) + frame[2], ink)
    for line in range(row + 1, row + height - 1):
        canvas.put(line, column, frame[3], ink)
        canvas.put(line, column + width - 1, frame[3], ink)
    canvas.put(row + height - 1, column, frame[4] + frame[1] * (width - 2) + frame[5], ink)
    shown = clip(title, width - 6)
    if shown:
        title_ink = ink if heavy else Ink("mute")
        canvas.put(row, column + 2, f" {shown} ", title_ink)


def _frame(
    canvas: Canvas,
    row: int,
    column: int,
    width: int,
    height: int,
    ink: Ink,
    frame: str,
    target: object | None = None,
) -> None:
    canvas.put(row, column, frame[0] + frame[1] * (width - 2) + frame[2], ink, target)
    for line in range(row + 1, row + height - 1):
        canvas.put(line, column, frame[3] + " " * (width - 2) + frame[3], ink, target)
    canvas.put(row + height - 1, column, frame[4] + frame[1] * (width - 2) + frame[5], ink, target)


def _back(canvas: Canvas, row: int, column: int, width: int, height: int, ink: Ink) -> None:
    whole = width == 5
    right = 1 if whole else 0
    inner = width - 1 - right
    canvas.put(row, column, FRAME[0] + FRAME[1] * inner + (FRAME[2] if whole else ""), ink)
    for line in range(row + 1, row + height - 1):
        canvas.put(line, column, FRAME[3] + BACK * inner + (FRAME[3] if whole else ""), ink)
    canvas.put(row + height - 1, column, FRAME[4] + FRAME[1] * inner + (FRAME[5] if whole else ""), ink)
