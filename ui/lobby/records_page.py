"""The deals that the program remembers, to be watched again."""

from collections.abc import Sequence
from typing import Final

from p2p.net.history import History, PastDeal
from ui.columns import Fit, table_lines
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import (
    ACCENT,
    MUTE,
    Layout,
    Page,
    Pick,
    arrow,
    below,
    mark_hidden,
    panel,
    paragraph,
    window,
)
from ui.lobby.wishes import Go, WatchPast, Where, Wish
from ui.statistics import latest
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap
from ui.table.size import Rect
from ui.words import past
from ui.words.ends import why_broken_off
from ui.words.enter import EnterLine
from ui.words.table import deal_number

MOST_LISTED: Final = 200
"""The latest deals: months of them, and still a list that one can look through."""
_CARD_ROWS: Final = 5
_STEPS: Final = {
    "up": -1,
    "down": 1,
    "page_up": -10,
    "page_down": 10,
    "home": -MOST_LISTED,
    "end": MOST_LISTED,
}


class RecordsPage(Page):
    """A list of deals, the latest first, and the chosen one's card."""

    place = Place.RECORDS
    has_banner = False
    to_read = True

    def __init__(self, history: History) -> None:
        self.deals: Sequence[PastDeal] = latest(history.deals)[:MOST_LISTED]
        self.index = 0

    @property
    def title(self) -> str:
        """The place."""
        return past.records_title()

    def enter_line(self) -> EnterLine:
        """Watch the chosen one; with none there is only the way back."""
        if not self.deals:
            return EnterLine(_("Back"))
        return EnterLine(past.watch(), past.checked_first())

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        moves = (Cap("↑↓", _("choose"), "down"),) if len(self.deals) > 1 else ()
        return (self.cap("help"), *moves, self.cap("back", _("back")))

    def press(self, name: str) -> Wish | None:
        """Choose a deal, watch it, or go back."""
        if name in _STEPS:
            self.index = max(0, min(len(self.deals) - 1, self.index + _STEPS[name]))
            return None
        if name == "enter" and self.deals:
            deal = self.deals[self.index]
            return WatchPast(deal.table_id, deal.number)
        return {"enter": Go(Where.BACK), "back": Go(Where.BACK), "help": Go(Where.HELP)}.get(name)

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on a deal chooses it."""
        if what == "deal" and 0 <= index < len(self.deals):
            self.index = index
        return None

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """The list above, the card below."""
        body = layout.body
        if not self.deals:
            inner = panel(canvas, body, "", framed=layout.framed)
            left = paragraph(canvas, inner, past.nothing_yet())
            paragraph(canvas, below(left, 1), past.how_to_get_one(), MUTE)
            return
        lower = _CARD_ROWS + layout.framed
        upper = Rect(body.row, body.column, body.width, body.height - lower)
        head = past.records_head(len(self.deals))
        self._draw_list(canvas, panel(canvas, upper, head, framed=layout.framed))
        deal = self.deals[self.index]
        name = f"{deal.title or '?'} · {deal_number(deal.number)}"
        self._draw_card(canvas, panel(canvas, below(body, upper.height), name, framed=layout.framed), deal)

    def _draw_list(self, canvas: Canvas, rect: Rect) -> None:
        rows = [
            (
                *(past.when(deal.ended), deal.title or "?"),
                past.form_played(deal.form, deal.changes, len(deal.players)),
                past.losers(deal) if deal.finished else past.broken_off(),
            )
            for deal in self.deals
        ]
        fit = Fit(shrink=(1, 3, 2))
        head, *lines = table_lines(past.record_columns(), rows, width=rect.width - 4, fit=fit)
        canvas.put(rect.row, rect.column + 2, clip(head, rect.width - 2), MUTE)
        shown = window(len(lines), rect.height - 1, self.index)
        for row, number in enumerate(shown, rect.row + 1):
            ink, target = ACCENT if number == self.index else Ink(), Pick("deal", number)
            canvas.fill(row, rect.column, rect.width, 1, Ink(), target)
            canvas.put(row, rect.column, arrow(number == self.index), ink, target)
            canvas.put(row, rect.column + 2, clip(lines[number], rect.width - 3), ink, target)
        listed = rect._replace(row=rect.row + 1, height=len(shown))
        mark_hidden(canvas, listed, above=shown.start > 0, below=shown.stop < len(lines))

    def _draw_card(self, canvas: Canvas, rect: Rect, deal: PastDeal) -> None:
        left = paragraph(canvas, rect, past.players(deal))
        if not deal.finished:
            left = paragraph(canvas, left, why_broken_off(deal.outcome, deal.cause), MUTE)
        if deal.own is None:
            paragraph(canvas, left, past.only_watched(), MUTE)
