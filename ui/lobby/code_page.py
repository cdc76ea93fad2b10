"""Asking for a seat at a private table, or to watch it: the code, as its opener has read it out."""

from collections.abc import Sequence
from typing import Final

from p2p.protocol.snapshot import LobbySnapshot, OfferView, RefusedJoin
from p2p.protocol.table_code import CodeError, own_code
from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import MUTE, Layout, Page, below, panel, paragraph
from ui.lobby.text_field import TextField
from ui.lobby.wishes import Go, Join, Watch, Where, Wish
from ui.table.canvas import Canvas
from ui.table.frame import Cap, Press
from ui.words.enter import EnterLine, watch_table
from ui.words.refusals import join_refused
from ui.words.trouble import code_problem

_FIELD: Final = "field"
_FIELD_CELLS: Final = 42


class CodePage(Page):
    """One field for the code of one table. It stays until the table is there or the person goes back.

    watch: the table is to be watched.
    """

    place = Place.FIELD
    has_banner = False

    def __init__(self, offer: OfferView, snapshot: LobbySnapshot, *, watch: bool = False) -> None:
        self.watch = watch
        self.offer = offer
        self.snapshot = snapshot
        self.field = TextField()
        self.field.open_it()

    def show(self, snapshot: LobbySnapshot) -> None:
        """Take new data. A code that was compared in vain is no longer in the field."""
        compared = self.asking
        self.snapshot = snapshot
        if compared and not self.asking:
            self.field = TextField()
            self.field.open_it()

    @property
    def title(self) -> str:
        """The place."""
        return _("{title} · code").format(title=self.offer.title)

    @property
    def typing(self) -> bool:
        """Letters belong to the field."""
        return self.field.open

    @property
    def asking(self) -> bool:
        """Whether the code is being compared just now."""
        return self.snapshot.joining == self.offer.offer_id

    def type_text(self, text: str) -> None:
        """Letters go into the code."""
        self.field.type_text(text)

    def press(self, name: str) -> Wish | None:
        """Type, ask, go back."""
        if name == "enter":
            line = self.enter_line()
            if not line.live:
                self.note = line.text
                return None
            wish = Watch if self.watch else Join
            return wish(self.offer.opener, self.offer.offer_id, own_code(self.field.text))
        if name == "back":
            return Go(Where.BACK)
        if name == "help":
            return Go(Where.HELP)
        self.field.press(name)
        return None

    def enter_line(self) -> EnterLine:
        """Ask with what was typed."""
        if self.asking:
            return EnterLine(
                _("Comparing codes with {name}…").format(name=self.offer.opener_name), live=False
            )
        if not any(offer.place == self.offer.place for offer in self.snapshot.offers):
            return EnterLine(join_refused(RefusedJoin.CLOSED), live=False)
        try:
            own_code(self.field.text)
        except CodeError as error:
            return EnterLine(code_problem(error), live=False)
        if self.watch:
            return watch_table(self.offer.title)
        text = _("Join {title}").format(title=self.offer.title)
        return EnterLine(text, _("you see the rules before you agree"))

    def foot(self) -> Sequence[Cap]:
        """The other keys. The question mark belongs to the field, so help has F1 alone."""
        return (self.cap("help"), self.cap("back", _("back")))

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """The field, and what becomes of the code."""
        inner = panel(canvas, layout.body, _("Code of this table"), framed=layout.framed)
        left = below(inner, 1)
        width = min(_FIELD_CELLS, left.width - 2)
        self.field.draw(canvas, left.row, left.column + 2, width, Press(_FIELD))
        canvas.put(left.row + 1, left.column + 2, "─" * width, MUTE)
        left = below(left, 3)
        text = _("Ask {name}, who has opened the table. Capitals, spaces and signs do not matter.")
        left = below(paragraph(canvas, left, text.format(name=self.offer.opener_name)), 1)
        text = _(
            "The code is not sent: both programs only find out whether they have the same. "
            "If somebody else has opened a table of this name, yours notices."
        )
        paragraph(canvas, left, text, MUTE)
