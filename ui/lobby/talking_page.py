"""A page of a table, before or after its deals, at which people talk as they do while cards are played."""

from abc import abstractmethod

from p2p.protocol.snapshot import TableSnapshot
from ui.lobby.page import Page
from ui.lobby.talking import Talking
from ui.lobby.wishes import Say, Wish
from ui.table.canvas import Canvas
from ui.table.frame import Cap
from ui.table.logbook import Line, broken, talk_lines
from ui.table.size import Height, Size
from ui.words.actions import action_word
from ui.words.enter import watching

_ROWS = {Height.SHORT: 1, Height.STD: 2, Height.TALL: 4}
"""How many lines of talk stand above the banner, the latest."""


class TalkingPage(Page):
    """A page with the latest lines of talk above its banner, and a line to type one in."""

    def __init__(self, table: TableSnapshot, talking: Talking | None = None) -> None:
        self.table = table
        self.talking = talking or Talking()

    @property
    def typing(self) -> bool:
        """Letters belong to the line of talk while it is open."""
        return self.talking.open

    def type_text(self, text: str) -> None:
        """Text was pasted into the line."""
        self.talking.paste(text)

    def type_character(self, character: str) -> Wish | None:
        """A letter of the line, or the number of a remark."""
        said = self.talking.type_character(character)
        return None if said is None else Say(said)

    def press(self, name: str) -> Wish | None:
        """Talk; what else a key means is the page's own."""
        if self.talking.open:
            said = self.talking.press(name)
            return None if said is None else Say(said)
        if name in ("talk", "mute") and self.table.watching:
            self.note = watching(own_seat=False, at_table=False).text
            return None
        if name in ("talk", "mute"):
            (self.talking.start if name == "talk" else self.talking.mute)()
            self.note = self.talking.note
            return None
        return self.pressed(name)

    @abstractmethod
    def pressed(self, name: str) -> Wish | None:
        """Do what the key or click `name` means while nobody types."""

    def said(self, size: Size) -> tuple[Line, ...]:
        """The latest lines of talk."""
        lines = broken(talk_lines(self.table, self.talking.heard(self.table)), size.width - 2)
        return tuple(lines[-_ROWS[size.high] :])

    def talk_caps(self) -> tuple[Cap, ...]:
        """The keys of talk, for the foot: none for one who only watches, and is not heard."""
        if self.table.watching:
            return ()
        words = action_word("unmute") if self.talking.muted else None
        return (self.cap("talk"), self.cap("mute", words))

    def draw(self, size: Size, *, hollow: bool = False) -> Canvas:
        """Paint the page, and the line of talk over its lowest rows while it is open."""
        canvas = super().draw(size, hollow=hollow)
        typed = self.talking.typed
        if typed is not None:
            layout = self.layout(size)
            typed.draw(canvas, layout.enter, layout.acts, layout.foot)
        return canvas
