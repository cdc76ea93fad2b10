"""Before the cards are in hand: a bar for each seat's shuffle, and why everybody shuffles."""

from p2p.protocol.snapshot import ShuffleState, ShuffleView
from ui.glyphs import DONE, TO_DO
from ui.table.canvas import Canvas, Ink, clip, clip_name, wrap
from ui.table.situation import Situation
from ui.table.size import Rect
from ui.words import shuffling

_BAR = {ShuffleState.WAITING: 0.0, ShuffleState.WORKING: 0.5, ShuffleState.DONE: 1.0}
_INKS = {
    ShuffleState.WAITING: Ink("mute"),
    ShuffleState.WORKING: Ink("text-accent", bold=True),
    ShuffleState.DONE: Ink("text-success"),
}


def draw_shuffles(canvas: Canvas, rect: Rect, situation: Situation) -> int:
    """Paint one bar a seat, clockwise, then the sentence; narrow windows get shorter bars.

    Returns: how many rows were used.
    """
    row = rect.row
    bar = max(6, min(30, rect.width - 12 - 26))
    for shuffle in situation.table.shuffles:
        _draw_bar(canvas, row, rect, situation, shuffle, bar)
        row += 1
    for line in wrap(shuffling.explanation(watching=situation.seat is None), rect.width):
        row += 1
        if row < rect.row + rect.height:
            canvas.put(row, rect.column, line, Ink("mute"))
    return row + 1 - rect.row


def _draw_bar(
    canvas: Canvas, row: int, rect: Rect, situation: Situation, shuffle: ShuffleView, bar: int
) -> None:
    who = situation.who(shuffle.seat)
    ink = _INKS[shuffle.state]
    working = shuffle.state is ShuffleState.WORKING
    name_ink = Ink("text-accent" if working else "foreground", bold=working or who.own)
    canvas.put(row, rect.column, clip_name(who.label, 10), name_ink)
    done = round(_BAR[shuffle.state] * bar)
    column = canvas.put(row, rect.column + 11, DONE * done, ink)
    column = canvas.put(row, column, TO_DO * (bar - done), Ink("line"))
    words = shuffling.seat_state(shuffle.state, shuffle.checked_by)
    words_ink = Ink("mute") if shuffle.state is ShuffleState.WAITING else Ink()
    canvas.put(row, column + 2, clip(words, rect.column + rect.width - column - 2), words_ink)
