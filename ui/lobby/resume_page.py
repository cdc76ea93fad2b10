"""A table was left by a crash: take it up again, or leave it unfinished."""

from collections.abc import Sequence

from p2p.net.unfinished import UnfinishedTable
from ui.keys import Place
from ui.lobby.page import BOLD, Layout, Page, below, panel, paragraph
from ui.lobby.wishes import Go, TakeUp, Where, Wish
from ui.table.canvas import Canvas
from ui.table.frame import Cap
from ui.words import resuming
from ui.words.enter import EnterLine


class ResumePage(Page):
    """One question, with what either answer means."""

    place = Place.RESUME
    has_banner = False

    def __init__(self, unfinished: UnfinishedTable) -> None:
        self.unfinished = unfinished

    @property
    def title(self) -> str:
        """The place."""
        return resuming.title(between=self.unfinished.between)

    def enter_line(self) -> EnterLine:
        """Take it up."""
        return resuming.take_up(between=self.unfinished.between)

    def foot(self) -> Sequence[Cap]:
        """Not now."""
        return (self.cap("help"), self.cap("back", resuming.leave(between=self.unfinished.between)))

    def press(self, name: str) -> Wish | None:
        """Answer."""
        answers: dict[str, Wish] = {
            "enter": TakeUp(really=True),
            "back": TakeUp(really=False),
            "help": Go(Where.HELP),
        }
        return answers.get(name)

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Which table, and what it means."""
        at = self.unfinished
        left = below(panel(canvas, layout.body, "", framed=layout.framed), 1)
        text = resuming.offered(at.title, at.names, at.deal, between=at.between)
        left = below(paragraph(canvas, left, text, BOLD), 1)
        paragraph(canvas, left, resuming.consequence(between=at.between))
