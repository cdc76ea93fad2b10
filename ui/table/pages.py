"""Pages to read over the table: could anyone have peeked, and the log of the whole deal."""

from abc import abstractmethod
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from p2p.protocol.snapshot import TableSnapshot
from ui import keys
from ui.glyphs import FALSE, MISSING, TRUE
from ui.i18n import current_language
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.talking import Talking
from ui.lobby.wishes import Where
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.cards import draw_box
from ui.table.coach import Coach
from ui.table.frame import Cap, Press, draw_acts, draw_enter, draw_foot, draw_top
from ui.table.logbook import broken, draw_log, worded
from ui.table.notice import draw_notice
from ui.table.situation import Situation
from ui.table.size import PAGE_WIDTH, Height, Rect, Size
from ui.table.view import CanvasView
from ui.words import proof, trust
from ui.words import table as table_words
from ui.words.actions import action_word
from ui.words.enter import EnterLine
from ui.words.situation import table_banner


def _keys(name: str, place: Place) -> str:
    """Return the keys of an action as a binding takes them."""
    return ",".join(keys.action_named(name, place).keys)


_SCROLLS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -10_000, "end": 10_000}


class ReadingScreen(Screen[None]):
    """A page over the table that follows the snapshots and closes on Esc, Enter or its own key."""

    place: Place = Place.TRUST
    page_on: ClassVar[int] = _SCROLLS["pagedown"]
    """How far a click on the cap of scrolling moves the text."""
    scrolls: ClassVar[bool] = True
    """Whether there can be more text than rows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "close", "back", show=False),
        *(Binding(key, f"scroll({steps})", "move", show=False) for key, steps in _SCROLLS.items()),
        Binding(_keys("help", Place.EVERYWHERE), "help", "help", show=False),
    ]

    class HelpWanted(Message):
        """The reader asks what this page is."""

    def __init__(self, table: TableSnapshot, *, follows: bool = True) -> None:
        super().__init__()
        self.table = table
        self.follows = follows
        """Whether it shows the table as it goes on, or as it was."""
        self.scrolled = 0
        self.note = ""
        self._view = CanvasView()

    def compose(self) -> ComposeResult:
        """One widget holds the page."""
        yield self._view

    def update_table(self, table: TableSnapshot) -> None:
        """Show a new snapshot."""
        if self.follows:
            self.table = table
            self.redraw()

    def on_mount(self) -> None:
        """Draw the page."""
        self.redraw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.redraw()

    def redraw(self) -> None:
        """Draw the page as it is now."""
        size = Size.within(*self.size)
        if size.too_small:
            self._view.show(draw_notice(size.width, size.height, table_banner(self.table).line))
        else:
            self._view.show(self.draw(Size(min(size.width, PAGE_WIDTH), size.height)))

    @abstractmethod
    def draw(self, size: Size) -> Canvas:
        """Paint the page."""

    def answer(self, sentence: str) -> None:
        """Say something in the place of what Enter does, until the next key."""
        self.note = sentence
        self.redraw()

    def action_close(self) -> None:
        """Go back to the table."""
        self.dismiss()

    def action_help(self) -> None:
        """Ask for the help."""
        self.post_message(self.HelpWanted())

    def action_scroll(self, steps: int) -> None:
        """Move the text."""
        self.scrolled = max(0, self.scrolled + steps)
        self.note = ""
        self.redraw()

    def on_canvas_view_clicked(self, event: CanvasView.Clicked) -> None:
        """Caps are clicked as keys are pressed; the right button goes back."""
        name = event.target.name if isinstance(event.target, Press) else ""
        if event.back or name in {"back", "enter"}:
            self.dismiss()
        elif name == "help":
            self.action_help()
        elif name == "scroll":
            self.action_scroll(self.page_on)

    def on_canvas_view_scrolled(self, event: CanvasView.Scrolled) -> None:
        """The wheel moves the text."""
        self.action_scroll(1 if event.down else -1)

    def draw_back(self, canvas: Canvas, size: Size) -> int:
        """Paint what Enter does: it leads back; return the rows used."""
        return _draw_enter(canvas, size, _("Back"), self.note)

    def frame(self, size: Size, place: str, title: str) -> tuple[Canvas, Rect]:
        """Paint what pages share; return the canvas and the rectangle for the text."""
        canvas = Canvas(size.width, size.height)
        draw_top(canvas, place, good=True, trust="", clock="")
        foot = size.height - 1
        help_keys, back = (keys.action_named(name, self.place) for name in ("help", "back"))
        caps = [
            Cap(help_keys.cap, action_word("help"), "help"),
            *((Cap("↑↓", _("scroll"), "scroll"),) if self.scrolls else ()),
            Cap(back.cap, _("back"), "back"),
        ]
        draw_foot(canvas, foot, caps)
        body = Rect(1, 0, size.width, foot - 3)
        if size.high is Height.SHORT:
            return canvas, Rect(2, 2, size.width - 4, body.height - 1)
        draw_box(canvas, *body, Ink("line"), title)
        return canvas, Rect(body.row + 1, 3, size.width - 6, body.height - 2)


class TrustScreen(ReadingScreen):
    """Could anyone have peeked? The answer, then each promise with its own number, from the live snapshot."""

    place = Place.TRUST
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "proof", "proof", show=False),
        Binding(_keys("trust", Place.TABLE), "close", "back", show=False),
        Binding(_keys("save", Place.TRUST), "save", "save", show=False),
        Binding(_keys("fingerprints", Place.TRUST), "fingerprints", "fingerprints", show=False),
    ]

    class MoreWanted(Message):
        """The reader wants a page behind this one."""

        def __init__(self, where: Where) -> None:
            super().__init__()
            self.where = where

    class SaveWanted(Message):
        """The reader wants the transcript as a file."""

    def draw(self, size: Size) -> Canvas:
        """Paint the answer and its reasons."""
        table = self.table
        canvas, rect = self.frame(size, f"{table.title} · {table_words.deal_number(table.deal)}", "")
        good, answer = trust.answer(table)
        question = trust.question()
        column = canvas.put(rect.row, rect.column, question, Ink(bold=True))
        fill = Ink("on", "success" if good else "error", bold=True, filled=True)
        mark = TRUE if good else FALSE
        row = rect.row + 2
        if column + 3 + len(answer) + 4 <= rect.column + rect.width:
            canvas.put(rect.row, column + 2, f" {mark} {answer} ", fill)
        else:
            canvas.put(rect.row + 1, rect.column, clip(f" {mark} {answer} ", rect.width), fill)
            row += 1
        lines = [
            (TRUE if line.kept else MISSING, piece, number, line.kept)
            for line in trust.lines(table)
            for number, piece in enumerate(wrap(line.text, rect.width - 2))
        ]
        room = rect.row + rect.height - row - 1
        self.scrolled = min(self.scrolled, max(0, len(lines) - room))
        for mark, text, number, kept in lines[self.scrolled : self.scrolled + room]:
            if number == 0:
                canvas.put(row, rect.column, mark, Ink("text-success" if kept else "mute"))
            canvas.put(row, rect.column + 2, text, Ink() if kept else Ink("mute"))
            row += 1
        canvas.put(
            rect.row + rect.height - 1, rect.column, clip(trust.seals_line(table), rect.width), Ink("mute")
        )
        if _draw_enter(canvas, size, proof.show(), self.note) == 1:
            actions = (keys.action_named(name, Place.TRUST) for name in ("save", "fingerprints"))
            caps = [
                Cap(keys.cap_of(one, current_language()), action_word(one.words), one.name) for one in actions
            ]
            draw_acts(canvas, size.height - 2, caps)
        return canvas

    def action_proof(self) -> None:
        """Ask for the proof behind the promises."""
        self.post_message(self.MoreWanted(Where.PROOF))

    def action_fingerprints(self) -> None:
        """Ask for the fingerprints."""
        self.post_message(self.MoreWanted(Where.FINGERPRINTS))

    def action_save(self) -> None:
        """Ask for the transcript as a file; the answer comes in the place of what Enter does."""
        self.answer("")
        self.post_message(self.SaveWanted())

    def on_canvas_view_clicked(self, event: CanvasView.Clicked) -> None:
        """The caps work as their keys."""
        name = event.target.name if isinstance(event.target, Press) else ""
        does = {
            "save": self.action_save,
            "enter": self.action_proof,
            "fingerprints": self.action_fingerprints,
        }.get(name)
        if does is not None:
            # Enter means the proof here, not the way back that it is on other pages to read.
            event.prevent_default()
            does()


class LogScreen(ReadingScreen):
    """Everything that happened in this deal, and was said; `c` shows calls only."""

    place = Place.LOG
    page_on = _SCROLLS["pageup"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(_keys("log", Place.TABLE), "close", "back", show=False),
        Binding(_keys("calls_only", Place.LOG), "calls_only", "calls", show=False),
    ]

    def __init__(
        self,
        table: TableSnapshot,
        *,
        follows: bool = True,
        talking: Talking | None = None,
        coach: Coach | None = None,
    ) -> None:
        super().__init__(table, follows=follows)
        self._calls_only = False
        self._talking = talking or Talking()
        self._coach = coach

    def draw(self, size: Size) -> Canvas:
        """Paint the newest lines that fit, or older ones after scrolling back."""
        table = self.table
        canvas, rect = self.frame(
            size, f"{table.title} · {table_words.deal_number(table.deal)}", table_words.log_title()
        )
        situation = Situation(table)
        talk = () if self._calls_only else self._talking.heard(table)
        coach = () if self._calls_only or self._coach is None else self._coach.lines(table)
        lines = broken(
            worded(situation, table.happened, calls_only=self._calls_only, talk=talk, coach=coach), rect.width
        )
        self.scrolled = min(self.scrolled, max(0, len(lines) - rect.height))
        draw_log(canvas, rect, lines, back=self.scrolled)
        self.draw_back(canvas, size)
        action = keys.action_named("calls_only", Place.LOG)
        fill = "accent" if self._calls_only else "panel"
        cap = Cap(keys.cap_of(action, current_language()), action_word(action.words), "calls_only", fill)
        draw_acts(canvas, size.height - 2, (cap,))
        return canvas

    def action_scroll(self, steps: int) -> None:
        """Up goes back in time: the newest line is at the bottom."""
        super().action_scroll(-steps)

    def action_calls_only(self) -> None:
        """Show calls and what came of them, or everything."""
        self._calls_only = not self._calls_only
        self.redraw()

    def on_canvas_view_clicked(self, event: CanvasView.Clicked) -> None:
        """The cap of the calls works as its key."""
        if isinstance(event.target, Press) and event.target.name == "calls_only":
            self.action_calls_only()


def _draw_enter(canvas: Canvas, size: Size, words: str, note: str = "") -> int:
    cap = keys.cap_of(keys.action_named("enter", Place.TRUST), current_language())
    return draw_enter(canvas, size.height - 3, EnterLine(words), cap, note=note)
