"""How the own deals went so far: in all, by form, by opponent; shares as bars."""

from collections.abc import Sequence
from typing import Final

from p2p.net.history import History
from ui import statistics
from ui.columns import Fit, table_lines
from ui.glyphs import BAR, MISSING
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import ACCENT, BOLD, MUTE, Layout, Page, below, mark_hidden, panel, paragraph
from ui.lobby.wishes import Go, Where, Wish
from ui.statistics import Sum
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap
from ui.words import past
from ui.words.enter import EnterLine

BAR_CELLS: Final = 10
"""So long is the bar of a share of 100 %."""
_SCROLLS: Final = {"up": -1, "down": 1, "page_up": -10, "page_down": 10, "home": -10_000, "end": 10_000}

_Line = tuple[str, Ink]


class StatisticsPage(Page):
    """What past deals add up to."""

    place = Place.STATISTICS
    has_banner = False
    to_read = True

    def __init__(self, history: History) -> None:
        self.deals = history.deals
        self._first = 0

    @property
    def title(self) -> str:
        """The place."""
        return past.title()

    def enter_line(self) -> EnterLine:
        """Back to where one came from."""
        return EnterLine(_("Back"))

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), Cap("↑↓", _("scroll"), "down"), self.cap("back", _("back")))

    def press(self, name: str) -> Wish | None:
        """Scroll, or go back."""
        if name in _SCROLLS:
            self._first = max(0, self._first + _SCROLLS[name])
            return None
        return {"enter": Go(Where.BACK), "back": Go(Where.BACK), "help": Go(Where.HELP)}.get(name)

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """As many lines as fit."""
        inner = panel(canvas, layout.body, self.title, framed=layout.framed)
        if not self.deals:
            paragraph(canvas, inner, past.nothing_yet(), MUTE)
            return
        lines = self._lines(inner.width)
        last = max(0, len(lines) - inner.height)
        self._first = min(self._first, last)
        left = inner
        for text, ink in lines[self._first : self._first + inner.height]:
            canvas.put(left.row, left.column, clip(text, left.width), ink)
            left = below(left, 1)
        mark_hidden(canvas, inner, above=self._first > 0, below=self._first < last)

    def _lines(self, width: int) -> list[_Line]:
        total = statistics.own_sum(self.deals)
        lines: list[_Line] = [(past.together(total.deals, total.won, total.lost), BOLD)]
        for words, count, of in (
            (past.lies_found(), total.tally.lies, total.tally.opened),
            (past.right_calls(), total.tally.right_calls, total.tally.calls),
        ):
            if of:
                lines.append((f"{_bar(count, of)} {count}/{of}  {words}", ACCENT))
        head = past.columns()
        forms = [
            (past.form_played(row.form, row.changes, row.players), *_counts(row.own))
            for row in statistics.by_form(self.deals)
        ]
        lines += [("", MUTE), *_table((past.form(), *head), forms, width)]
        opponents = [(row.name or "?", *_counts(row.theirs)) for row in statistics.by_opponent(self.deals)]
        if opponents:
            lines += [("", MUTE), *_table((past.opponent(), *head), opponents, width)]
        return lines


def _counts(one: Sum) -> tuple[str, ...]:
    tally = one.tally
    return (
        *(str(one.deals), str(one.won), str(one.lost)),
        _bar(tally.lies, tally.opened),
        _bar(tally.right_calls, tally.calls),
    )


def _bar(count: int, of: int) -> str:
    """A share as a bar; nothing where there is nothing to share."""
    if not of:
        return ""
    full = round(BAR_CELLS * count / of)
    return BAR * full + MISSING * (BAR_CELLS - full)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[_Line]:
    """Lines of a table: names, three numbers, two bars; the names give way where the whole is too wide."""
    lines = table_lines(head, rows, right=range(1, 4), width=width, fit=Fit(shrink=(0,)))
    return [(line, MUTE if number == 0 else Ink()) for number, line in enumerate(lines)]
