"""How a hand lies: a loose fan, a tight fan or strips, whichever the free rows allow.

A layout is computed from the cards alone, so choosing one raises it and moves nothing else. Painting goes
from left to right; what a later card covers, it also takes from the mouse, because the hit-test reads the
canvas.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from rich.cells import cell_len

from engine import Card, Slot
from ui.glyphs import MISSING
from ui.table.canvas import Canvas, Ink
from ui.table.cards import (
    SHORT,
    Marks,
    Paper,
    covered_width,
    draw_backs,
    draw_face,
    full_width,
    suit_ink,
    suit_sign,
)
from ui.words import rank_label

STRIP_ROWS = 2
"""Rows of one line of strips: the line of chosen suits and the strip below it."""


_CLOSED_STEP = 3
"""What stays visible of a closed card when the next one overlaps it."""

_Row = list[tuple[Slot, Card, int]]


class Fan(Enum):
    """How closely the cards of a hand lie."""

    LOOSE = "loose"
    """Cards of a rank overlap, ranks stand one cell apart."""
    TIGHT = "tight"
    """All cards of a row overlap."""
    STRIPS = "strips"
    """A rank and its suits, without frames."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one card of a hand lies within its layout. `row` is that of a card that is not raised."""

    slot: Slot
    card: Card
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class HandLayout:
    """Where all cards of a hand lie; `rows` counts every line that the layout needs."""

    fan: Fan
    card_height: int
    rows: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class HandLook:
    """What of a hand changes without moving a card."""

    chosen: Collection[Slot] = ()
    new: Collection[Slot] = ()
    cursor: Slot | None = None


def lay_out(
    hand: Sequence[tuple[Slot, Card]], width: int, free_rows: int, card_height: int = SHORT
) -> HandLayout:
    """Lay a hand, sorted by rank, into `width` cells and at most `free_rows` rows where that can be done.

    The gap between ranks goes first if that saves a row; strips come when neither fan fits.
    """
    loose = _rows_of(hand, width, card_height, gap=1)
    tight = _rows_of(hand, width, card_height, gap=0)
    fan, rows = (Fan.TIGHT, tight) if len(tight) < len(loose) else (Fan.LOOSE, loose)
    row_height = card_height + 1
    if len(rows) * row_height <= free_rows:
        places = tuple(
            Place(slot, card, number * row_height + 1, column)
            for number, row in enumerate(rows)
            for slot, card, column in row
        )
        return HandLayout(fan, card_height, len(rows) * row_height, places)
    if card_height != SHORT:
        return lay_out(hand, width, free_rows, SHORT)
    return _strips(hand, width)


def draw_hand(canvas: Canvas, row: int, column: int, layout: HandLayout, look: HandLook) -> None:
    """Paint a hand with the layout's top left corner at row and column; every card is a target: its slot."""
    if layout.fan is Fan.STRIPS:
        _draw_strips(canvas, row, column, layout, look)
        return
    for place in layout.places:
        raised = place.slot in look.chosen
        draw_face(
            canvas,
            row + place.row - (1 if raised else 0),
            column + place.column,
            place.card,
            height=layout.card_height,
            paper=Paper.UP if raised else Paper.NORMAL,
            marks=Marks(cursor=place.slot == look.cursor, new=place.slot in look.new),
            target=place.slot,
        )


def draw_closed(
    canvas: Canvas, row: int, column: int, count: int, width: int, free_rows: int, card_height: int = SHORT
) -> None:
    """Paint a hand of `count` cards face down: covered from neighbours, or not read yet."""
    a_row = max(1, (width - 5) // _CLOSED_STEP + 1)
    for line in range(closed_rows(count, width, free_rows, card_height) // (card_height + 1)):
        shown = min(a_row, count - line * a_row)
        for number in range(shown):
            at = column + number * _CLOSED_STEP
            draw_backs(canvas, row + line * (card_height + 1) + 1, at, 1, height=card_height)


def closed_rows(count: int, width: int, free_rows: int, card_height: int = SHORT) -> int:
    """Return the rows of a closed hand: about those of the open one, so that reading it moves little."""
    a_row = max(1, (width - 5) // _CLOSED_STEP + 1)
    wanted = max(1, -(-count // a_row))
    return min(wanted, max(1, free_rows // (card_height + 1))) * (card_height + 1)


def _groups(hand: Sequence[tuple[Slot, Card]]) -> list[list[tuple[Slot, Card]]]:
    return [list(group) for _, group in groupby(hand, key=lambda pair: pair[1].rank)]


def _rows_of(hand: Sequence[tuple[Slot, Card]], width: int, card_height: int, gap: int) -> list[_Row]:
    """Break a hand into rows of a fan. With a gap the last card of each rank is whole, else of each row."""
    rows: list[_Row] = []
    row: _Row = []
    column = 0
    for group in _groups(hand):
        covered = [covered_width(card, card_height) for _, card in group]
        whole = sum(covered[:-1]) + full_width(group[-1][1], card_height)
        if row and column + whole > width:
            rows.append(row)
            row, column = [], 0
        for (slot, card), step in zip(group, covered, strict=True):
            if row and column + full_width(card, card_height) > width:
                # A group wider than the window, possible only with two packs: break inside of it.
                rows.append(row)
                row, column = [], 0
            row.append((slot, card, column))
            column += step
        if gap:
            column += full_width(group[-1][1], card_height) - covered[-1] + gap
    if row:
        rows.append(row)
    return rows


def _strips(hand: Sequence[tuple[Slot, Card]], width: int) -> HandLayout:
    places: list[Place] = []
    row = column = 0
    for group in _groups(hand):
        label = cell_len(rank_label(group[0][1].rank))
        whole = label + len(group) + 3
        if column and column + whole > width:
            row, column = row + 1, 0
        places.extend(
            Place(slot, card, row * STRIP_ROWS + 1, column + label + 2 + number)
            for number, (slot, card) in enumerate(group)
        )
        column += whole + 1
    return HandLayout(Fan.STRIPS, 1, (row + 1) * STRIP_ROWS, tuple(places))


def _draw_strips(canvas: Canvas, row: int, column: int, layout: HandLayout, look: HandLook) -> None:
    for _, group in groupby(layout.places, key=lambda place: (place.card.rank, place.row)):
        places = list(group)
        first = places[0]
        label = rank_label(first.card.rank)
        left = column + first.column - cell_len(label) - 2
        line = row + first.row
        paper = Ink("card-black", "card", bold=True)
        canvas.put(line, left, f" {label} " + " " * len(places) + " ", paper, first.slot)
        for place in places:
            spot = column + place.column
            cursor = place.slot == look.cursor
            if place.slot in look.chosen:
                canvas.put(line, spot, MISSING, Ink("card-edge", "card"), place.slot)
                canvas.put(
                    line - 1,
                    spot,
                    suit_sign(place.card),
                    suit_ink(place.card, "card-up", reverse=cursor),
                    place.slot,
                )
            else:
                canvas.put(
                    line, spot, suit_sign(place.card), suit_ink(place.card, reverse=cursor), place.slot
                )
