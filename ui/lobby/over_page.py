"""The end of a deal: the result, what was exposed, the audit's verdict, and the next deal."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from p2p.protocol.snapshot import (
    BooksView,
    MemberView,
    Phase,
    ReopenedView,
    ResultView,
    Standing,
    TableSnapshot,
    TrustAnswer,
)
from ui import after_deal
from ui.glyphs import CHOSEN_RIGHT, FALSE, MISSING, QUIET, TRUE, TURN
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import (
    ACCENT,
    BAD,
    BOLD,
    GOOD,
    MUTE,
    SCROLLS,
    Layout,
    below,
    mark_hidden,
    panel,
    paragraph,
)
from ui.lobby.talking import Talking
from ui.lobby.talking_page import TalkingPage
from ui.lobby.wishes import (
    EndWait,
    Go,
    NextDeal,
    OpenBooks,
    Reopen,
    SaveTranscript,
    WatchAgain,
    Where,
    Wish,
    going_to,
)
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap, table_place
from ui.table.size import Height, Rect
from ui.table_form import stepped
from ui.words import books, company, ends
from ui.words.banner import Banner
from ui.words.ends import who_at
from ui.words.enter import EnterLine
from ui.words.people import Who
from ui.words.session import session_line
from ui.words.table import deal_number
from ui.words.trust import top_word

_COLUMN, _NARROW_COLUMN = 12, 11
_MARKED_CELLS = 14
"""So much of a name stands in a row of marks: enough to know who it is."""
_MEASURED = 60
"""More rows than either panel of this page ever needs: on so many it is tried out what it takes."""
_BESIDE_PLAYERS = 4
"""Rows of the result beside those of the players, blank ones included."""
_CHOOSING = frozenset({"left", "right", "enter", "back"})
"""What means something else while the number of seats is chosen."""


class OverPage(TalkingPage):
    """A deal that is finished, void or stopped."""

    place = Place.OVER

    def __init__(self, table: TableSnapshot, talking: Talking | None = None) -> None:
        super().__init__(table, talking)
        self._seats: int | None = None
        self._asks_books = False
        """The key for opening the books was pressed: Enter agrees to it."""
        self._first = 0
        """The first player whose row is shown, where not all have room."""
        self._all_shown = True

    def show(self, table: TableSnapshot) -> None:
        """Take new data."""
        self.table = table

    @property
    def reopened(self) -> ReopenedView | None:
        """Who has opened this table again."""
        return self.table.reopened

    @property
    def result(self) -> ResultView | None:
        """How the deal ended."""
        return self.table.result

    @property
    def title(self) -> str:
        """The table and the deal."""
        return f"{self.table.title} · {deal_number(self.table.deal)}"

    def place_line(self, width: int) -> str:
        """The same as at the table."""
        return table_place(self.table.title, self.table.ruleset.form, self.table.deal, width)

    def corner(self, width: int) -> str:
        """The trust word, in the past."""
        del width
        good, word = top_word(self.table)
        return f"{TRUE if good else FALSE} {word}" if word else ""

    def banner(self) -> Banner | None:
        """Who lost, and why."""
        return ends.over_banner(self.table, self.result) if self.result else None

    def enter_line(self) -> EnterLine:
        """Want the next deal, or go where this table was opened again."""
        if self._seats is not None:
            return EnterLine(company.reopening(self._seats), _("everybody around sees the free seats"))
        if self._asks_books:
            return books.asks()
        away = after_deal.leads_away(self.table)
        if away is not None:
            return EnterLine(_("Take your seat"), company.reopened_briefly(away))
        return after_deal.next_line(self.table)

    def acts(self) -> Sequence[Cap]:
        """Look closer at what happened, or change the company."""
        if self._seats is not None:
            return (Cap("←", "", "left"), Cap("→", _("seats"), "right"))
        if self._asks_books:
            return ()
        found: list[Cap] = []
        if after_deal.leads_away(self.table) is not None and after_deal.next_line(self.table).live:
            found.append(self.cap("next_deal"))
        if after_deal.may_end_wait(self.table):
            found.append(self.cap("go_on_without"))
        back = after_deal.way_back(self.table)
        if back is not None:
            found.append(self.cap("elsewhere", company.going_there(back.name)))
        if after_deal.may_open_books(self.table):
            found.append(self.cap("books"))
        looks = (self.cap("trust", _("was it fair?")), self.cap("replay"), self.cap("log"))
        reopening = (self.cap("reopen"),) if after_deal.may_reopen(self.table) else ()
        return (*found, *looks, *reopening, self.cap("save", _("save it")))

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        back = _("back") if self._asks_books or self._seats is not None else _("leave")
        moves = () if self._all_shown else (Cap("↑↓", _("scroll"), "down"),)
        return (self.cap("help"), *moves, self.cap("back", back), *self.talk_caps())

    def pressed(self, name: str) -> Wish | None:
        """Next deal or another company, open books, trust, log, saving, leave."""
        if self._seats is not None and name in _CHOOSING:
            return self._choose(self._seats, name)
        if name == "books" or (self._asks_books and name in ("enter", "back")):
            return self._open_books(name)
        if name == "reopen" and after_deal.may_reopen(self.table):
            self._seats, self._asks_books = len(self.table.everybody), False
            return None
        if name in ("enter", "next_deal", "elsewhere"):
            return self._go_on(name)
        return self._other(name)

    def _other(self, name: str) -> Wish | None:
        """End a wait, save, or look at another page."""
        if name == "go_on_without" and after_deal.may_end_wait(self.table):
            # How long the others have to be waited for first is said where it is known.
            return EndWait()
        places = {"trust": Where.TRUST, "log": Where.LOG, "help": Where.HELP, "back": Where.MENU}
        if name in places:
            return Go(places[name])
        if name in SCROLLS:
            self._first = max(0, self._first + SCROLLS[name])
            return None
        if name == "replay":
            return WatchAgain()
        return SaveTranscript() if name == "save" else None

    def _open_books(self, name: str) -> Wish | None:
        """Let Enter agree to open the books, agree, or do not; where it cannot be, the answer says why."""
        may = after_deal.may_open_books(self.table)
        self._seats, self._asks_books = None, name == "books" and may
        return OpenBooks() if name == "enter" or (name == "books" and not may) else None

    def _go_on(self, name: str) -> Wish | None:
        """Play on, here or where the table was opened again, as the key `name` means it."""
        ways = {"enter": after_deal.leads_away, "elsewhere": after_deal.way_back}
        there = ways[name](self.table) if name in ways else None
        if there is not None:
            return going_to(there)
        return None if name == "elsewhere" else self._want_next()

    def _want_next(self) -> Wish | None:
        """Want the next deal at this table, if that can be wanted now."""
        self._seats = None
        line = after_deal.next_line(self.table)
        self.note = "" if line.live else line.text
        return NextDeal() if line.live else None

    def _choose(self, seats: int, name: str) -> Wish | None:
        """Choose for how many the table is opened again."""
        if name in ("left", "right"):
            by = 1 if name == "right" else -1
            self._seats = stepped(self.table.company_sizes, seats, by, around=False)
            return None
        self._seats = None
        return Reopen(seats) if name == "enter" else None

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Result above, audit and readiness below, which has as many rows as it needs once the result has."""
        body, result = layout.body, self.result
        if result is None:
            return
        airy = layout.size.high is not Height.SHORT
        edge, sides = (2, 4) if layout.framed else (1, 2)
        scratch = Canvas(body.width - sides, _MEASURED)
        whole = Rect(0, 0, scratch.width, scratch.height)
        above = edge + _MEASURED - self._draw_standings(scratch, whole, result, airy=airy).height
        wanted = edge + _MEASURED - self._draw_going_on(scratch, whole, result).height
        lower = max(min(6 if layout.framed else 4, body.height // 2), min(wanted, body.height - above))
        upper = Rect(body.row, body.column, body.width, body.height - lower)
        inner = panel(canvas, upper, _("Result"), framed=layout.framed)
        players = len(result.standings)
        airy = airy and players + _BESIDE_PLAYERS <= inner.height
        rows = max(0, inner.height - 1 - airy)
        self._all_shown = players <= rows
        self._first = min(self._first, max(0, players - rows))
        self._draw_standings(canvas, inner, result, self._first, airy=airy)
        inner = panel(canvas, below(body, upper.height), _("Before you go on"), framed=layout.framed)
        self._draw_going_on(canvas, inner, result)

    def _company_note(self) -> tuple[str, Ink]:
        """What is to be known before the company changes."""
        if self._seats is not None:
            return company.reopening_explained(), Ink()
        if self._asks_books:
            return books.explained(len(self.table.members)), Ink()
        if self.table.poll is not None:
            return ends.poll_sentence(self.table, self.table.poll), ACCENT
        return ("", Ink()) if self.reopened is None else self._reopened_note(self.reopened)

    def _reopened_note(self, view: ReopenedView) -> tuple[str, Ink]:
        """Somebody has opened the table again."""
        if not view.agrees:
            return company.counted_otherwise(view), BAD
        if view.can_join:
            return company.reopened(view), ACCENT
        return (company.reopened_and_left if view.left else company.reopened_and_full)(view), MUTE

    def _draw_standings(
        self, canvas: Canvas, rect: Rect, result: ResultView, first: int = 0, *, airy: bool
    ) -> Rect:
        """One row a seat from the `first` on, in order of places where the deal was finished; return what is
        left below.
        """
        row = rect.row + (1 if airy else 0)
        step = _COLUMN if rect.width >= 70 else _NARROW_COLUMN
        wide = max(10, min(20, rect.width - 8 - 3 * step))
        columns = self._columns()
        name_column = rect.column + cell_len(f"{len(result.standings)}. ")
        for number, (head, _count) in enumerate(columns):
            _right(canvas, row, rect.column + 4 + wide + (number + 1) * step, head, MUTE)
        rows = max(0, rect.row + rect.height - row - 1)
        shown = list(enumerate(result.standings, 1))[first : first + rows]
        listed = Rect(row + 1, rect.column, rect.width, len(shown))
        more = first + len(shown) < len(result.standings)
        mark_hidden(canvas, listed, above=first > 0, below=more)
        for place, standing in shown:
            row += 1
            who = who_at(self.table, standing.seat)
            lost = standing.seat == result.loser or standing.seat in result.losers
            ink = BAD if lost else BOLD if who.own else Ink()
            canvas.put(
                row,
                rect.column,
                f"{place:>{name_column - rect.column - 2}}." if result.winner is not None else MISSING,
                MUTE,
            )
            canvas.put(row, name_column, clip(who.label, wide), ink)
            for number, (_head, count) in enumerate(columns):
                column = rect.column + 4 + wide + (number + 1) * step
                _right(canvas, row, column, str(count(standing)), BAD if lost and number == 2 else Ink())
            if lost:
                canvas.put(row, rect.column + 6 + wide + 3 * step, CHOSEN_RIGHT, BAD)
        row = self._draw_others(canvas, row, rect, rect.column + 4 + wide + 3 * step, wide)
        left = below(rect, row + (2 if airy else 1) - rect.row)
        line = session_line(self.table)
        if line and left.height:
            over = self.table.session is not None and self.table.session.over
            left = paragraph(canvas, left, line, ACCENT if over else Ink())
        opened = self.table.trust.answer is TrustAnswer.OPENED
        return paragraph(
            canvas, left, books.opened() if opened else ends.secret_lies(), GOOD if opened else MUTE
        )

    def _draw_others(self, canvas: Canvas, row: int, rect: Rect, end: int, wide: int) -> int:
        """What the session counts of those who did not play this deal; the last row used."""
        session = self.table.session
        counts = {} if session is None else {one.key: one for one in session.counts}
        for member in self.table.aside:
            if member.key not in counts or row + 1 >= rect.row + rect.height:
                break
            row += 1
            one = counts[member.key]
            count = one.wins if self.table.ruleset.end == "first_out" else one.losses
            canvas.put(row, rect.column, MISSING, MUTE)
            canvas.put(row, rect.column + 3, clip(Who(member.name, member.own).label, wide), MUTE)
            _right(canvas, row, end, str(count), MUTE)
        return row

    def _columns(self) -> tuple[tuple[str, Callable[[Standing], int]], ...]:
        """Heads, and what is counted below them: deals only where the table counts them."""
        found: list[tuple[str, Callable[[Standing], int]]] = [
            (ends.exposed_head(), lambda standing: standing.exposed),
            (ends.guessed_head(), lambda standing: standing.guessed),
        ]
        rules = self.table.ruleset
        if rules.session != "none" and rules.end == "first_out":
            found.append((ends.wins_head(), lambda standing: standing.wins))
        elif rules.session != "none":
            found.append((ends.losses_head(), lambda standing: standing.losses))
        return tuple(found)

    def _draw_going_on(self, canvas: Canvas, rect: Rect, result: ResultView) -> Rect:
        """What changes the company, the auditor's verdict, who wants to go on; return what is left below."""
        note, note_ink = self._company_note()
        left = paragraph(canvas, rect, note, note_ink) if note else rect
        if self.table.phase is not Phase.STOPPED:
            passed, sentence = ends.audit_sentence(self.table, result.audit)
            mark = QUIET if passed is None else TRUE if passed else FALSE
            ink = MUTE if passed is None else GOOD if passed else BAD
            left = paragraph(canvas, left, sentence, ink, first=f"{mark} ")
        else:
            left = paragraph(
                canvas, left, _("The transcript of this deal was kept: it shows the step."), MUTE
            )
        left = _marked(
            canvas,
            left,
            _("Next deal"),
            [(one, self._wish_of(one)) for one in after_deal.next_members(self.table)],
        )
        view = self.table.books
        if view is not None and view.wished and self.table.trust.answer is not TrustAnswer.OPENED:
            marks = [(one, self._consent_of(one, view)) for one in self.table.members]
            left = _marked(canvas, left, books.head(), marks)
            if after_deal.keeps_books_closed(self.table):
                left = paragraph(canvas, left, books.key_erased(), MUTE)
        return left

    def _consent_of(self, member: MemberView, view: BooksView) -> tuple[str, Ink]:
        """The mark of a player: has agreed to open the books, cannot any more, or has not said."""
        if member.seat in view.wished:
            return TRUE, GOOD
        if member.own and not view.can_wish:
            return FALSE, MUTE
        return (TURN, ACCENT) if member.own else (MISSING, MUTE)

    def _wish_of(self, member: MemberView) -> tuple[str, Ink]:
        """The mark of a player: wants the next deal, has left, or has not said."""
        if member.key in self.table.next_ready:
            return TRUE, GOOD
        if member.left:
            return FALSE, MUTE
        return (TURN, ACCENT) if member.own else (MISSING, MUTE)


def _marked(
    canvas: Canvas, rect: Rect, head: str, marks: Sequence[tuple[MemberView, tuple[str, Ink]]]
) -> Rect:
    """Paint one row of people with their marks, as many as fit, and how many more there are; what is left of
    the rectangle below.
    """
    if not rect.height or not marks:
        return rect
    column = canvas.put(rect.row, rect.column, head, MUTE) + 2
    for number, (member, (mark, ink)) in enumerate(marks):
        text = f"{mark} {clip(Who(member.name, member.own).label, _MARKED_CELLS)}"
        rest = len(marks) - number - 1
        more = cell_len(f"  +{rest}") if rest else 0
        if column + cell_len(text) + more > rect.column + rect.width:
            canvas.put(rect.row, column, f"+{rest + 1}", MUTE)
            break
        column = canvas.put(rect.row, column, text, ink) + 2
    return below(rect, 1)


def _right(canvas: Canvas, row: int, end: int, text: str, ink: Ink) -> None:
    """Paint text that ends before the column `end`."""
    canvas.put(row, end - cell_len(text), text, ink)


class ResultPage(OverPage):
    """The result of a table's last deal, looked at while people gather for a table that goes on from it."""

    def enter_line(self) -> EnterLine:
        """Back to the table that is being formed."""
        return EnterLine(_("Back to getting ready"))

    def acts(self) -> Sequence[Cap]:
        """The deal can be taken away here, too."""
        return (self.cap("save"),)

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), self.cap("back", _("back")), *self.talk_caps())

    def pressed(self, name: str) -> Wish | None:
        """Save, or go back."""
        if name == "save":
            return SaveTranscript()
        return {"enter": Go(Where.BACK), "back": Go(Where.BACK), "help": Go(Where.HELP)}.get(name)
