"""The log: what happened, worded and broken into lines, the newest at the end."""

from collections.abc import Sequence

from rich.cells import cell_len

from engine import Called, Laid, Revealed
from p2p.protocol.snapshot import Happened, TableSnapshot, TalkLine
from ui.glyphs import EVENT
from ui.table.canvas import Canvas, Ink, clip_name, wrap
from ui.table.coach import Explained
from ui.table.situation import Situation
from ui.table.size import Rect
from ui.words import talk as talk_words
from ui.words.log import LogKind, LogLine, log_lines, rest_unseen
from ui.words.people import Who
from ui.words.table_rules import time_ran_out

NAME_CELLS = 10
"""Longer names are clipped, so that what was said stands in one column."""

Line = tuple[str, str, LogKind]
"""Name (or nothing), text, kind."""

_INKS = {
    LogKind.SPEECH: Ink(),
    LogKind.CALL: Ink(bold=True),
    LogKind.TRUTH: Ink("text-success"),
    LogKind.BLUFF: Ink("text-error"),
    LogKind.QUIET: Ink("mute"),
    LogKind.NEWS: Ink(bold=True),
    LogKind.TALK: Ink(italic=True),
    LogKind.COACH: Ink("text-accent"),
}


def talk_lines(table: TableSnapshot, talk: Sequence[TalkLine]) -> list[LogLine]:
    """Return the lines of what was said, oldest first, but for those who sit there no more."""
    names = {member.key: Who(member.name, member.own) for member in table.everybody}
    return [
        LogLine(LogKind.TALK, talk_words.spoken(line.said), names[line.key])
        for line in talk
        if line.key in names
    ]


def worded(
    situation: Situation,
    happened: Sequence[Happened],
    *,
    calls_only: bool = False,
    talk: Sequence[TalkLine] = (),
    coach: Sequence[Explained] = (),
    first: int = 0,
) -> list[LogLine]:
    """Return the lines of the events, oldest first, and of what was said among them.

    calls_only: from each call to the next lay. talk: what is shown of the talk. coach: what the coach says;
    what it says of later events waits for them. first: how many events of the deal came before these.
    """
    found: list[LogLine] = []
    laid = 0
    beside = _beside(situation.table, talk, coach, first, len(happened))
    for number, one in enumerate(happened):
        found.extend(beside.get(number, ()))
        lines = log_lines(one.event, situation.who)
        if one.lapsed:
            lines = (LogLine(LogKind.QUIET, time_ran_out()), *lines)
        if isinstance(one.event, Laid):
            laid = one.event.count
        if isinstance(one.event, Revealed) and laid > len(one.event.cards):
            lines = (*lines, LogLine(LogKind.QUIET, rest_unseen()))
        if calls_only:
            wanted = {LogKind.CALL, LogKind.TRUTH, LogKind.BLUFF, LogKind.NEWS}
            lines = tuple(line for line in lines if line.kind in wanted)
            if isinstance(one.event, Called) and (claim := _claim_before(situation, happened, one)):
                found.append(claim)
        found.extend(lines)
    found.extend(beside.get(len(happened), ()))
    return found


def _beside(
    table: TableSnapshot, talk: Sequence[TalkLine], coach: Sequence[Explained], first: int, count: int
) -> dict[int, list[LogLine]]:
    """What stands among `count` events, by how many of them come before it."""
    found: dict[int, list[LogLine]] = {}
    for line in talk:
        after = (line.after if line.deal == table.deal else 0) - first
        if after >= 0:
            found.setdefault(min(after, count), []).extend(talk_lines(table, (line,)))
    for one in coach:
        if first <= one.after <= first + count:
            text = f"{EVENT} {one.text}"
            found.setdefault(one.after - first, []).append(LogLine(LogKind.COACH, text))
    return found


def _claim_before(situation: Situation, happened: Sequence[Happened], call: Happened) -> LogLine | None:
    before = [
        line for one in happened[: list(happened).index(call)] for line in log_lines(one.event, situation.who)
    ]
    return next((line for line in reversed(before) if line.kind is LogKind.SPEECH), None)


def broken(lines: Sequence[LogLine], width: int) -> list[Line]:
    """Break lines to a width: names in a column of their own, what does not fit on lines below it."""
    labels = [_label(line.kind, line.speaker) for line in lines if line.speaker is not None]
    indent = max((cell_len(label) for label in labels), default=0) + 2
    found: list[Line] = []
    for line in lines:
        if line.speaker is None:
            found.extend(("", text, line.kind) for text in wrap(line.text, width))
            continue
        label = _label(line.kind, line.speaker)
        padding = " " * (indent - cell_len(label))
        for number, text in enumerate(wrap(line.text, width - indent)):
            found.append((label + padding if number == 0 else " " * indent, text, line.kind))
    return found


def _label(kind: LogKind, speaker: Who) -> str:
    """A name in its column; a colon tells what is said beside the game, where italics cannot."""
    if kind is LogKind.TALK:
        return clip_name(speaker.label, NAME_CELLS - 1) + ":"
    return clip_name(speaker.label, NAME_CELLS)


def draw_log(canvas: Canvas, rect: Rect, lines: Sequence[Line], back: int = 0) -> None:
    """Paint the newest lines that fit; `back`: how many lines to look back from the newest."""
    if rect.height <= 0:
        return
    end = max(min(rect.height, len(lines)), len(lines) - back)
    for number, (name, text, kind) in enumerate(lines[max(0, end - rect.height) : end]):
        column = canvas.put(rect.row + number, rect.column, name, Ink("text-primary"))
        canvas.put(rect.row + number, column, text, _INKS[kind])
