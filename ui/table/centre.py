"""The middle of the table: the live packet and the pile, a reveal, or an empty place."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from engine import Card, Packet
from engine import Phase as EnginePhase
from ui.glyphs import FALSE, TRUE
from ui.table.canvas import Canvas, Ink, clip, clip_name
from ui.table.cards import (
    BACKS_SHOWN,
    Marks,
    Paper,
    covered_width,
    draw_backs,
    draw_empty,
    draw_face,
    draw_pile,
    full_width,
)
from ui.table.reveal import Frame, Picture
from ui.table.situation import Situation
from ui.table.size import Rect
from ui.words import banner, claim, log, quoted, result, table

SPARE_ROWS = 4
"""Rows of the block beside the cards: a blank or the claim above, and marks, verdict, consequence below."""
TIGHT_ROWS = 2
"""The same where rows are scarce: verdict above, consequence below, marks in the frames."""

_CENTRED_FROM = 66
"""Cells inside a panel of 71 columns; in a narrower one the block stands at the left, over the log."""
_BLOCK_WIDTH = 44
_PILE_AT = 21
_BACK_WIDTH = 5
_QUIET = Ink("mute")
_NAME = Ink("text-primary", bold=True)
_CLAIM = Ink("on", "primary", bold=True, filled=True)


@dataclass(frozen=True, slots=True)
class Checked:
    """A click target: the card of the packet that a call would check, from 0."""

    place: int


def block_rows(card_height: int, *, tight: bool) -> int:
    """Return the rows of the block."""
    return card_height + (TIGHT_ROWS if tight else SPARE_ROWS)


def draw_centre(
    canvas: Canvas,
    rect: Rect,
    situation: Situation,
    picture: Picture | None,
    frame: Frame | None,
    *,
    card_height: int,
    tight: bool,
    picked: int | None = None,
) -> None:
    """Paint the block into a rectangle of `block_rows` rows.

    picture: the reveal that stands on the table. frame: how far it has come; None for its end. picked: the
    card that an armed call would check; the closed cards then carry numbers.
    """
    state = situation.state
    if state is None or rect.height <= 0:
        return
    if rect.width >= _CENTRED_FROM:
        aside = (rect.width - _BLOCK_WIDTH) // 2
        rect = Rect(rect.row, rect.column + aside, rect.width - aside, rect.height)
    if picture is not None:
        shown = frame or Frame(len(picture.cards), verdict=True, consequence=True, done=True)
        paint = _draw_reveal_tight if tight else _draw_reveal
        paint(canvas, rect, situation, picture, shown, card_height)
        return
    top = rect.row if tight else rect.row + 1
    if state.stock:
        _draw_stock(canvas, top, rect, len(state.stock))
    if state.table:
        _draw_packet(canvas, rect, top, situation, state.table[-1], card_height)
        if picked is not None:
            _draw_places(canvas, top + 1 + card_height // 2, rect.column, len(state.table[-1].slots), picked)
        return
    draw_empty(canvas, top + 1, rect.column, min(30, rect.width), table.empty_table(), height=card_height)
    if state.due_rank is not None:
        fixed = state.ruleset.rank_rule == "fixed"
        words = table.still_in_force(state.due_rank) if fixed else table.due(state.due_rank)
        note = clip(words, rect.width)
        canvas.put(top + 1 + card_height, rect.column, note, _QUIET)


def _draw_stock(canvas: Canvas, row: int, rect: Rect, count: int) -> None:
    """Paint how many cards the draw pile holds, at the right."""
    words = table.draw_pile(count)
    canvas.put(row, rect.column + rect.width - cell_len(words), words, _QUIET)


def _draw_places(canvas: Canvas, row: int, column: int, count: int, picked: int) -> None:
    """Paint the numbers of closed cards, the picked one marked; of many, those that can be seen."""
    shown = min(count, BACKS_SHOWN)
    for place in range(shown):
        number = picked if place == shown - 1 and picked >= shown else place
        ink = (
            Ink("on", "accent", bold=True, filled=True)
            if number == picked
            else Ink("card-back-ink", "card-back")
        )
        cells = 3 if place == shown - 1 else 2  # the last back is whole
        canvas.put(row, column + 3 * place + 1, f"{number + 1:<{cells}}", ink, Checked(number))


def _draw_packet(
    canvas: Canvas, rect: Rect, top: int, situation: Situation, packet: Packet, card_height: int
) -> None:
    state = situation.state
    assert state is not None
    owner = situation.who(packet.owner)
    column = canvas.put(top, rect.column, clip_name(owner.label, rect.width // 2), _NAME)
    column = canvas.put(top, column + 1, table.says(owner), Ink())
    words = clip(f" {quoted(claim(packet.rank, packet.number))} ", rect.column + rect.width - column - 2)
    canvas.put(top, column + 2, words, _CLAIM)
    draw_backs(canvas, top + 1, rect.column, len(packet.slots), height=card_height)
    older = situation.pile_size - len(packet.slots)
    if older:
        end = draw_pile(canvas, top + 1, rect.column + _PILE_AT, older, height=card_height)
        room = rect.column + rect.width - end - 2
        for line, text in enumerate(table.pile_note(older)):
            canvas.put(top + 2 + line, end + 2, clip(text, room), Ink() if line == 0 else _QUIET)
    caller = situation.who(state.turn) if state.live and state.turn is not None else None
    if state.phase in {EnginePhase.REVEAL, EnginePhase.INDEX}:
        caller = None
    last = state.pending is not None
    anyone = state.phase is EnginePhase.ANSWER
    note = table.packet_note(len(packet.slots), caller, last, anyone)
    ink = Ink("text-warning", bold=True) if last else _QUIET
    canvas.put(top + 1 + card_height, rect.column, clip(note, rect.width), ink)


def _draw_reveal(
    canvas: Canvas, rect: Rect, situation: Situation, picture: Picture, frame: Frame, card_height: int
) -> None:
    _draw_said(canvas, rect, situation, picture)
    places = _draw_cards(canvas, rect.row + 1, rect, picture, frame, card_height, framed=False)
    below = rect.row + 1 + card_height
    for number, (column, card) in enumerate(places):
        if number < frame.turned:
            good = card.rank == picture.shown.rank
            ink = Ink("text-success" if good else "text-error", bold=True)
            canvas.put(below, column + full_width(card, card_height) // 2, TRUE if good else FALSE, ink)
    if frame.verdict:
        _draw_verdict(canvas, below + 1, rect, picture)
    if frame.consequence:
        _draw_consequence(canvas, below + 2, rect, situation, picture)


def _draw_reveal_tight(
    canvas: Canvas, rect: Rect, situation: Situation, picture: Picture, frame: Frame, card_height: int
) -> None:
    if frame.verdict:
        _draw_verdict(canvas, rect.row, rect, picture)
    else:
        _draw_said(canvas, rect, situation, picture)
    _draw_cards(canvas, rect.row + 1, rect, picture, frame, card_height, framed=True)
    if frame.consequence:
        _draw_consequence(canvas, rect.row + 1 + card_height, rect, situation, picture)


def _draw_said(canvas: Canvas, rect: Rect, situation: Situation, picture: Picture) -> None:
    owner = situation.who(picture.shown.owner)
    column = canvas.put(rect.row, rect.column, clip_name(owner.label, rect.width // 2), _NAME)
    column = canvas.put(rect.row, column + 1, table.said(owner), Ink())
    words = quoted(claim(picture.shown.rank, picture.shown.number))
    canvas.put(rect.row, column + 2, clip(words, rect.column + rect.width - column - 2), Ink(bold=True))


def _draw_cards(
    canvas: Canvas, row: int, rect: Rect, picture: Picture, frame: Frame, card_height: int, *, framed: bool
) -> list[tuple[int, Card]]:
    """Paint the cards, open or still closed; return the column of each that opens. Too many overlap."""
    columns = _columns(picture.faces, rect, card_height)
    places: list[tuple[int, Card]] = []
    turned = 0
    for card, column in zip(picture.faces, columns, strict=True):
        if card is not None:
            places.append((column, card))
            turned += 1
        if card is None or turned > frame.turned:
            draw_backs(canvas, row, column, 1, height=card_height)
            continue
        good = card.rank == picture.shown.rank
        marks = Marks(frame_mark=(TRUE if good else FALSE) if framed else "")
        draw_face(
            canvas,
            row,
            column,
            card,
            height=card_height,
            paper=Paper.TRUE if good else Paper.FALSE,
            marks=marks,
        )
    return places


def _columns(cards: Sequence[Card | None], rect: Rect, card_height: int) -> list[int]:
    apart = [(_BACK_WIDTH if card is None else full_width(card, card_height)) + 1 for card in cards]
    if sum(apart) - 1 > rect.width:
        apart = [3 if card is None else covered_width(card, card_height) for card in cards]
    columns = [rect.column]
    for step in apart[:-1]:
        columns.append(columns[-1] + step)
    return columns[: len(cards)]


def _draw_verdict(canvas: Canvas, row: int, rect: Rect, picture: Picture) -> None:
    found = log.revealed_verdict(picture.shown)
    mark, fill = (TRUE, "success") if found.truthful else (FALSE, "error")
    column = canvas.put(row, rect.column, f" {mark} {found.word} ", Ink("on", fill, bold=True, filled=True))
    canvas.put(row, column + 2, clip(found.reason, rect.column + rect.width - column - 2), Ink(bold=True))


def _draw_consequence(canvas: Canvas, row: int, rect: Rect, situation: Situation, picture: Picture) -> None:
    ink = Ink("text-accent" if picture.concerns(situation.seat) else "foreground", bold=True)
    canvas.put(row, rect.column, clip(consequence_of(situation, picture), rect.width), ink)


def consequence_of(situation: Situation, picture: Picture) -> str:
    """Word who takes, or what goes out of play, and who leads then."""
    leader = None if picture.leader is None else situation.who(picture.leader)
    if picture.taker is not None:
        return result.pick_up(situation.who(picture.taker), picture.count, leader)
    gone = log.all_out_of_play(picture.count)
    if leader is None:
        return gone
    state = situation.state
    if picture.whole_pile or state is None or state.due_rank is None:
        return f"{gone} {banner.leads(leader)}"
    return result.packet_gone(picture.count, leader, state.due_rank)
