"""The rows of the players: arrow, name, cards, then a word or a bar of small cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine import Phase as EnginePhase
from engine import Seat, State
from p2p.protocol.snapshot import MemberView
from ui.glyphs import BAR, TURN
from ui.table.canvas import Canvas, Ink, clip, clip_name
from ui.table.reveal import Picture
from ui.table.situation import Situation
from ui.words import rows
from ui.words.people import Who

BAR_CARDS = 9
"""More small cards than this are a number beside a plus: nobody counts twelve of them."""


class Tone(Enum):
    """How a row's word is coloured."""

    ACT = "text-primary"
    QUIET = "mute"
    WARNING = "text-warning"


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One row. `count` is None for who has left; `word` is empty where the bar stands."""

    label: str
    turn: bool
    own: bool
    count: int | None
    word: str = ""
    tone: Tone = Tone.ACT


def player_rows(situation: Situation, picture: Picture | None, now: float) -> tuple[PlayerRow, ...]:
    """Return a row for each seat, clockwise. picture: the reveal whose end picture stands on the table."""
    state = situation.state
    if state is None:
        return ()
    actor = situation.actor
    acting = situation.unanswered or (frozenset() if actor is None else frozenset({actor}))
    found = []
    for seat in state.order:
        who = situation.who(seat)
        word, tone = _word(situation, state, picture, seat, who, now)
        count = None if seat in state.out else len(state.hand_of(seat))
        found.append(PlayerRow(who.label, seat in acting, who.own, count, word, tone))
    return tuple(found)


def _word(
    situation: Situation, state: State, picture: Picture | None, seat: Seat, who: Who, now: float
) -> tuple[str, Tone]:
    if seat in state.out:
        return rows.out(state.out.index(seat) + 1), Tone.QUIET
    member = situation.member(seat)
    if member is not None and not member.own:
        gone = _absence(member, now)
        if gone:
            return gone, Tone.WARNING
    if picture is not None:
        if seat == picture.taker:
            return rows.takes(who, picture.count), Tone.ACT
        if seat == picture.shown.caller:
            return rows.called(who, picture.shown.believe), Tone.ACT
    if state.phase is EnginePhase.ANSWER and seat in state.answering and seat not in situation.unanswered:
        return rows.answered(), Tone.ACT
    return _act(state, seat, who)


def _absence(member: MemberView, now: float) -> str:
    if member.left:
        return rows.left()
    if member.connected or member.away_since is None:
        return ""
    return rows.away(now - member.away_since)


def _act(  # noqa: PLR0911 - one for each word
    state: State, seat: Seat, who: Who
) -> tuple[str, Tone]:
    if state.phase in {EnginePhase.REVEAL, EnginePhase.INDEX} and state.called is not None:
        if seat == state.called.seat:
            return rows.called(who, state.called.believe), Tone.ACT
        if seat == state.table[-1].owner:
            return rows.opens(), Tone.ACT
    if state.phase is EnginePhase.SETS and seat == state.taker:
        return rows.has_fours(), Tone.ACT
    if state.phase is EnginePhase.DRAW and seat == state.turn:
        return rows.draws(), Tone.ACT
    if seat == state.pending:
        return rows.last_cards(), Tone.WARNING
    if state.table and state.live and state.table[-1].owner == seat:
        return rows.laid(len(state.table[-1].slots)), Tone.ACT
    if seat in state.emptied:
        return rows.no_cards(), Tone.WARNING
    return "", Tone.ACT


def draw_rows(
    canvas: Canvas,
    row: int,
    column: int,
    width: int,
    players: Sequence[PlayerRow],
    *,
    back: str,
    pitch: int = 1,
) -> None:
    """Paint the rows below each other, `pitch` lines apart, each `width` cells wide."""
    for number, player in enumerate(players):
        draw_row(canvas, row + number * pitch, column, width, player, back)


def draw_row(canvas: Canvas, row: int, column: int, width: int, player: PlayerRow, back: str) -> None:
    """Paint one row: two cells for the arrow, the name, three cells for the count, then word or bar."""
    name_width = name_cells(width)
    fore = "text-accent" if player.turn else "mute" if player.count is None else "foreground"
    ink = Ink(fore, back, bold=player.turn or player.own)
    if player.turn:
        canvas.put(row, column, TURN, ink)
    canvas.put(row, column + 2, clip_name(player.label, name_width), ink)
    after = column + 2 + name_width
    if player.count is not None:
        canvas.put(row, after, f"{player.count:>3}", ink)
    left = width - (after + 5 - column)
    if player.word:
        word_ink = Ink(player.tone.value, back, bold=player.tone is not Tone.QUIET)
        canvas.put(row, after + 5, clip(player.word, left), word_ink)
    elif player.count is not None:
        shown = min(player.count, BAR_CARDS, left)
        bar_ink = Ink("text-accent" if player.turn else "mute", back)
        end = canvas.put(row, after + 5, BAR * shown, bar_ink)
        if player.count > shown and end < column + width:
            canvas.put(row, end, "+", bar_ink)


def name_cells(width: int) -> int:
    """Return the cells of the name in a row; the rest must hold a bar of nine or "out, place 1"."""
    return 10 if width <= 33 else 14
