"""How the own deals went so far: in all, by form, by opponent; shares as bars."""

from collections.abc import Sequence
from typing import Final

from p2p.net.history import History
from ui import statistics
from ui.columns import Fit, table_lines
from ui.glyphs import BAR, MISSING
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import ACCENT, BOLD, MUTE, SCROLLS, Layout, Page, below, mark_hidden, panel, paragraph
from ui.lobby.wishes import Go, Where, Wish
from ui.statistics import Sum
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap
from ui.words import past
from ui.words.enter import EnterLine

BAR_CELLS: Final = 10
"""So long is the bar of a share of 100 %."""
_NARROW_BAR_CELLS: Final = 6
_ROOMY: Final = 70
"""From so many cells on the longer bars leave room for names."""
_SCROLLS: Final = {**SCROLLS, "home": -10_000, "end": 10_000}

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
        inner = panel(canvas, layout.body, "", framed=layout.framed)
        if not self.deals:
            paragraph(canvas, inner, past.nothing_yet(), MUTE)
            return
        # Its last column is that of the marks of what is hidden.
        lines = self._lines(inner.width - 2)
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
        shares = [
            (f"{count}/{of}", _bar(count, of, BAR_CELLS), words)
            for words, count, of in (
                (past.lies_found(), total.tally.lies, total.tally.opened),
                (past.right_calls(), total.tally.right_calls, total.tally.calls),
            )
            if of
        ]
        wide = max((len(share) for share, _bar_of, _words in shares), default=0)
        lines += [(f"{bar} {share:>{wide}}  {words}", ACCENT) for share, bar, words in shares]
        return [*lines, *self._tables(width)]

    def _tables(self, width: int) -> list[_Line]:
        """By form and by opponent, in the same columns."""
        cells = BAR_CELLS if width >= _ROOMY else _NARROW_BAR_CELLS
        head = past.columns()
        forms = [
            (past.form_played(row.form, row.changes, row.players), *_counts(row.own, cells))
            for row in statistics.by_form(self.deals)
        ]
        opponents = [
            (row.name or "?", *_counts(row.theirs, cells)) for row in statistics.by_opponent(self.deals)
        ]
        blank = ("",) * (1 + len(head))
        rows = [*forms, blank, (past.opponent(), *head), *opponents]
        # The names give way where the whole is too wide.
        texts = table_lines((past.form(), *head), rows, right=range(1, 4), width=width, fit=Fit(shrink=(0,)))
        if not opponents:
            texts = texts[: 1 + len(forms)]
        heads = (0, len(forms) + 2)
        return [("", MUTE), *((text, MUTE if at in heads else Ink()) for at, text in enumerate(texts))]


def _counts(one: Sum, cells: int) -> tuple[str, ...]:
    tally = one.tally
    return (
        *(str(one.deals), str(one.won), str(one.lost)),
        _bar(tally.lies, tally.opened, cells),
        _bar(tally.right_calls, tally.calls, cells),
    )


def _bar(count: int, of: int, cells: int) -> str:
    """A share as a bar of so many cells; nothing where there is nothing to share."""
    if not of:
        return ""
    full = round(cells * count / of)
    return BAR * full + MISSING * (cells - full)
