"""The hands of a replay: a row a player, with the cards that can be shown."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.cells import cell_len

from engine import Card, Seat, Slot, State
from ui.glyphs import BAR
from ui.lobby.page import MUTE, arrow, mark_hidden
from ui.table.canvas import Canvas, Ink, clip
from ui.table.cards import suit_sign
from ui.table.players import BAR_CARDS, name_cells
from ui.table.size import Rect
from ui.words.people import Who
from ui.words.ranks import rank_label
from ui.words.replay import burned

_COUNT_CELLS = 4
_MARK_CELLS = 2
"""Before a name: who acts in this step, also where no colours are. Behind the cards: that more follow."""


def draw_hands(
    canvas: Canvas,
    rect: Rect,
    state: State,
    faces: Mapping[Slot, Card],
    people: Mapping[Seat, Who],
    acting: Seat | None,
) -> None:
    """Paint the hands clockwise, then the burned card, as many rows as there are; where rows are scarce the
    one who acts is in view.
    """
    rows = [(people[seat].label, state.hand_of(seat), seat == acting) for seat in state.order]
    if state.burned and all(slot in faces for slot in state.burned):
        rows.append((burned(), state.burned, False))
    if len(rows) > rect.height:
        at = next((number for number, row in enumerate(rows) if row[2]), 0)
        start = min(max(0, at - rect.height // 2), len(rows) - rect.height)
        mark_hidden(canvas, rect, above=start > 0, below=start + rect.height < len(rows))
        rows = rows[start : start + rect.height]
    for number, (label, slots, acts) in enumerate(rows):
        _draw_row(canvas, Rect(rect.row + number, rect.column, rect.width, 1), label, slots, faces, acts)


def _draw_row(
    canvas: Canvas, rect: Rect, label: str, slots: Sequence[Slot], faces: Mapping[Slot, Card], acts: bool
) -> None:
    wide = _MARK_CELLS + name_cells(rect.width)
    ink = Ink("text-accent", bold=True) if acts else Ink("text-primary", bold=True)
    canvas.put(rect.row, rect.column, arrow(acts), ink)
    canvas.put(rect.row, rect.column + _MARK_CELLS, clip(label, wide - _MARK_CELLS), ink)
    column = canvas.put(rect.row, rect.column + wide, f"{len(slots):>{_COUNT_CELLS - 1}} ", MUTE)
    room = rect.column + rect.width - column - _MARK_CELLS
    known = sorted(faces[slot] for slot in slots if slot in faces)
    closed = len(slots) - len(known)
    if not known:
        end = canvas.put(rect.row, column, BAR * min(closed, BAR_CARDS), MUTE)
        canvas.put(rect.row, end, "+" if closed > BAR_CARDS else "", MUTE)
        return
    by_rank = [(rank, list(cards)) for rank, cards in groupby(known, key=lambda card: card.rank)]
    if sum(cell_len(rank_label(rank)) + len(cards) + 1 for rank, cards in by_rank) <= room:
        for rank, cards in by_rank:
            column = canvas.put(rect.row, column, rank_label(rank), Ink(bold=True))
            for card in cards:
                ink = Ink("text-error" if suit_sign(card) in "♥♦" else "foreground", bold=True)
                column = canvas.put(rect.row, column, suit_sign(card), ink)
            column += 1
    else:
        counted = " ".join(f"{rank_label(rank)}×{len(cards)}" for rank, cards in by_rank)
        column = canvas.put(rect.row, column, clip(counted, room), Ink(bold=True)) + 1
    if closed and column + 3 < rect.column + rect.width:
        canvas.put(rect.row, column, f"+{closed}", MUTE)
