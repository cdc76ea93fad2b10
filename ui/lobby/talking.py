"""The own part in the talk of a table: the line that is typed, the ready remarks, and whether talk is muted.

One of these goes with a person through all screens of an evening: what is typed when a deal ends is still
there on the next page.
"""

from dataclasses import dataclass
from typing import Final

from p2p.protocol.snapshot import Remark, TableSnapshot, TalkLine
from p2p.protocol.talk import Said
from p2p.protocol.text import TALK_CHARACTERS, clean_talk
from ui import keys
from ui.i18n import current_language
from ui.keys import Place
from ui.lobby.text_field import TextField
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap, draw_acts, draw_enter
from ui.words import news, talk
from ui.words.actions import action_word
from ui.words.enter import EnterLine

_REMARKS: Final = {f"remark_{one.value}": one for one in Remark}
"""Ready remarks by the names of their caps."""


class Talking:
    """What the own person says, and whether he reads what others say.

    note: the answer to the last key; "" if there was nothing to answer.
    """

    def __init__(self) -> None:
        self.muted = False
        self.note = ""
        self._field: TextField | None = None

    @property
    def open(self) -> bool:
        """Whether letters go into the line now."""
        return self._field is not None

    def heard(self, table: TableSnapshot) -> tuple[TalkLine, ...]:
        """What is shown of a table's talk, the oldest first."""
        return () if self.muted else table.talk

    def start(self) -> None:
        """Open the line, unless talk is muted."""
        self.note = talk.is_muted(_cap("mute")) if self.muted else ""
        if not self.muted:
            self._field = TextField(most=TALK_CHARACTERS)
            self._field.open_it()

    def close(self) -> None:
        """Say nothing."""
        self._field, self.note = None, ""

    def mute(self) -> None:
        """Show nobody's words, or show them again."""
        self.muted = not self.muted
        self.note = talk.muted(_cap("mute")) if self.muted else talk.shown_again()

    def type_character(self, character: str) -> Said | None:
        """A key with a character: a number in an empty line is a remark. Returns what is said by it."""
        if self._field is not None and not self._field.text and f"remark_{character}" in _REMARKS:
            return self.press(f"remark_{character}")
        self._put(character)
        return None

    def paste(self, text: str) -> None:
        """Put text into the line, as one line."""
        self._put(" ".join(text.split()))

    def _put(self, text: str) -> None:
        """What does not fit is cut, and that is said."""
        self.note = ""
        if self._field is not None and not self._field.type_text(text):
            self.note = news.cut(TALK_CHARACTERS)

    def press(self, name: str) -> Said | None:
        """A key without a character, or a click on a cap. Returns what is said by it."""
        field, self.note = self._field, ""
        if field is None:
            return None
        if name in _REMARKS:
            self._field = None
            return _REMARKS[name]
        if name == "enter" and field.text:
            said = clean_talk(field.text)
            self._field = None if said else field
            self.note = "" if said else talk.nothing_said()
            return said or None
        if name in ("enter", "back"):
            self._field = None
        else:
            field.press(name)
        return None

    @property
    def typed(self) -> "Typed | None":
        """The line as it is now; None while it is closed."""
        return None if self._field is None else Typed(self._field.text, self._field.cursor, self.note)


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that is being typed. note: an answer that stands beside it."""

    text: str
    cursor: int
    note: str = ""

    def draw(self, canvas: Canvas, enter: int, acts: int, foot: int) -> None:
        """Paint the line over the foot, and what can be said or done over Enter line and acts."""
        for row in range(enter, foot + 1):
            canvas.fill(row, 0, canvas.width, 1, Ink())
        column = canvas.put(foot, 1, talk.label(), Ink("text-accent", bold=True)) + 1
        field = TextField(self.text)
        field.open_it()
        field.cursor = self.cursor
        field.draw(canvas, foot, column, canvas.width - column - 1, None)
        if self.text:
            line = EnterLine(talk.send(), talk.heard_by())
            if draw_enter(canvas, enter, line, _cap("enter"), note=self.note) == 1:
                draw_acts(canvas, acts, (Cap("Esc", action_word("say_nothing"), "back"),))
            return
        canvas.put(foot, column + 2, clip(talk.hint(), canvas.width - column - 3), Ink("mute"))
        caps = [Cap(f"{one.value}", talk.remark(one), name) for name, one in _REMARKS.items()]
        half = len(caps) // 2
        draw_acts(canvas, enter, caps[:half])
        draw_acts(canvas, acts, caps[half:])


def _cap(name: str) -> str:
    return keys.cap_of(keys.action_named(name, Place.TABLE), current_language())
