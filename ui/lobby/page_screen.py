"""The screen that shows a page: keys and clicks in, a canvas out, wishes to the app."""

import time
from typing import Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from ui.keys import OF_THE_APP
from ui.lobby.navigation import TEXT_KEYS, key_actions
from ui.lobby.page import Page, Pick
from ui.lobby.wishes import Wish, Wished
from ui.table.frame import Press
from ui.table.guard import Guard
from ui.table.notice import draw_notice
from ui.table.size import PAGE_WIDTH, Size
from ui.table.view import CanvasView

P = TypeVar("P", bound=Page)

NOTE_S = 6.0
"""How long a note stands in the place of what Enter does: enough to read it twice."""


class PageScreen(Screen[None], Generic[P]):
    """Shows one page. What the page wishes is posted as `Wished`; the app does it."""

    def __init__(self, page: P) -> None:
        super().__init__()
        self.page = page
        self._guard = Guard(time.monotonic)
        self._view = CanvasView()
        self._keys = key_actions(page.place)

    def compose(self) -> ComposeResult:
        """One widget holds the whole page."""
        yield self._view

    def on_mount(self) -> None:
        """Draw the page."""
        self.redraw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.redraw()

    def redraw(self) -> None:
        """Draw the page as it is now."""
        width, height = self.size
        size = Size.within(width, height)
        if size.too_small:
            self._view.show(draw_notice(width, height, self._notice_line()))
        else:
            most = PAGE_WIDTH if self.page.to_read else size.width
            size = Size(min(size.width, most), size.height)
            self._view.show(self.page.draw(size, hollow=self._guard.dead))

    def on_key(self, event: events.Key) -> None:
        """Turn a key into what it means here."""
        page = self.page
        if Size.within(*self.size).too_small:
            return
        named = self._keys.get(event.key)
        if page.typing and named not in ("enter", "back", "up", "down", "tab", "shift_tab"):
            if named in TEXT_KEYS:
                self._do(str(named))
            elif event.character is not None and event.is_printable:
                page.note = ""
                self._post(page.type_character(event.character))
                self.redraw()
            else:
                return
            event.stop()
            return
        if named is None or named in OF_THE_APP:
            return
        event.stop()
        self._do(named)

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text goes into the open field, as one line."""
        if self.page.typing:
            self.page.note = ""
            self.page.type_text(" ".join(event.text.split()))
            self.redraw()
            event.stop()

    def on_canvas_view_clicked(self, event: CanvasView.Clicked) -> None:
        """A click is the same as a key, or picks from a list; the right button goes back."""
        if event.back:
            self._do("back")
        elif isinstance(event.target, Press):
            self._do(event.target.name)
        elif isinstance(event.target, Pick):
            self.page.note = ""
            self._post(self.page.pick(event.target.what, event.target.index))
            self.redraw()

    def on_canvas_view_scrolled(self, event: CanvasView.Scrolled) -> None:
        """The wheel moves as the arrows do."""
        self._do("down" if event.down else "up")

    def answer(self, sentence: str) -> None:
        """Say on the Enter line, for a while, why something was not done."""
        self.page.note = sentence
        self.set_timer(NOTE_S, lambda: self._forget(sentence))
        self.redraw()

    def _forget(self, sentence: str) -> None:
        """Let the Enter line say again what Enter does."""
        if self.page.note == sentence:
            self.page.note = ""
            self.redraw()

    def _do(self, name: str) -> None:
        """Press a key of the page, unless Enter is dead or only bounced."""
        dead = self._guard.dead and not self.page.typing
        if name == "enter" and (dead or self._guard.enter_again()):
            return
        self.page.note = ""
        self._post(self.page.press(name))
        if self.page.note:
            self.answer(self.page.note)
        self.redraw()

    def _post(self, wish: Wish | None) -> None:
        """Hand a wish to the app."""
        if wish is not None:
            self.post_message(Wished(wish))

    def _notice_line(self) -> str:
        """What the page is about, for the notice of a window that is too small."""
        banner = self.page.banner()
        return banner.line if banner is not None else self.page.title

    def data_changed(self, before: tuple[str, bool]) -> None:
        """Draw after new data. before: `enter_state` from before it came."""
        if before != self.enter_state:
            self._guard.changed_by_others()
            self.set_timer(self._guard.dead_for_s, self.redraw)
        self.redraw()

    @property
    def enter_state(self) -> tuple[str, bool]:
        """What Enter does now, to be compared after new data."""
        line = self.page.enter_line()
        return line.text, line.live
