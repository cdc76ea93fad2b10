"""Joining by address, for networks that hide computers from each other."""

from collections.abc import Sequence
from typing import Final

from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import ACCENT, MUTE, Layout, Page, below, panel, paragraph
from ui.lobby.text_field import MOST_CHARACTERS, TextField
from ui.lobby.wishes import Connect, Go, Where, Wish
from ui.table.canvas import Canvas, clip
from ui.table.frame import Cap, Press
from ui.table.size import Rect
from ui.words import news
from ui.words.enter import EnterLine

_FIELD: Final = "field"


class AddressPage(Page):
    """One field for the address; the own addresses to read aloud."""

    place = Place.FIELD
    has_banner = False

    def __init__(self, addresses: Sequence[str] = ()) -> None:
        self.field = TextField()
        self.field.open_it()
        self.addresses = tuple(addresses)
        self.connecting = ""

    @property
    def title(self) -> str:
        """The place."""
        return _("Join by address")

    @property
    def typing(self) -> bool:
        """Letters belong to the field."""
        return self.field.open

    @property
    def typed(self) -> str:
        """The address, without the spaces that people put around a colon when they read it aloud."""
        return "".join(self.field.text.split())

    def failed(self, sentence: str) -> None:
        """The connection could not be made."""
        self.connecting = ""
        self.note = sentence

    def type_text(self, text: str) -> None:
        """Letters go into the address."""
        if not self.field.type_text(text):
            self.note = news.cut(MOST_CHARACTERS)

    def press(self, name: str) -> Wish | None:
        """Type, connect, go back."""
        if name == "enter":
            if not self.enter_line().live:
                self.note = self.enter_line().text
                return None
            self.connecting = self.typed
            return Connect(self.typed)
        if name == "back":
            return Go(Where.BACK)
        if name == "help":
            return Go(Where.HELP)
        self.field.press(name)
        return None

    def enter_line(self) -> EnterLine:
        """Connect to what was typed."""
        if self.connecting:
            return EnterLine(_("Connecting to {address}…").format(address=self.connecting), live=False)
        if not looks_like_address(self.typed):
            return EnterLine(_("Type an address and a port, as 192.168.1.23:52417."), live=False)
        return EnterLine(
            _("Connect to {address}").format(address=self.typed), _("their tables then appear in the lobby")
        )

    def foot(self) -> Sequence[Cap]:
        """The other keys. The question mark belongs to the field, so help has F1 alone."""
        return (self.cap("help"), self.cap("back", _("back")))

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """The field, then how to find an address."""
        inner = panel(canvas, layout.body, _("Their address"), framed=layout.framed)
        left = below(inner, 1)
        self.field.draw(canvas, left.row, left.column + 2, min(50, left.width - 2), Press(_FIELD))
        canvas.put(left.row + 1, left.column + 2, "─" * min(50, left.width - 2), MUTE)
        left = below(left, 3)
        text = _("It is in the other lobby: Verish shows its own address there after a while.")
        left = below(paragraph(canvas, left, text), 1)
        if not self.addresses:
            paragraph(canvas, left, _("This computer has no address yet."), MUTE)
            return
        left = paragraph(canvas, left, _("Yours, to read aloud:"), MUTE)
        for address in self.addresses[: max(0, left.height)]:
            canvas.put(left.row, left.column + 2, clip(address, left.width - 2), ACCENT)
            left = Rect(left.row + 1, left.column, left.width, left.height - 1)


def looks_like_address(text: str) -> bool:
    """Tell whether text has a host and a port, so that Enter makes sense; the network decides the rest."""
    host, colon, port = text.rpartition(":")
    return bool(host and colon and port.isascii() and port.isdigit() and 0 < int(port) < 65536)
