"""Playing with bots: how many, how strong, how fast."""

from collections.abc import Sequence
from typing import Final

from ui.i18n import gettext as _
from ui.keys import Place
from ui.lobby.page import ACCENT, BOLD, MUTE, Layout, Page, Pick, arrow, below, panel, paragraph
from ui.lobby.wishes import Go, PlayWithBots, Where, Wish
from ui.manner import PACES, STRENGTHS, USUAL_MANNER, Manner
from ui.rulesets import MOST_BOTS, USUAL_BOTS
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap
from ui.words import bots as words
from ui.words.enter import EnterLine

_VALUES: Final = (tuple(map(str, range(1, MOST_BOTS + 1))), tuple(STRENGTHS), tuple(PACES))
_USUAL: Final = (str(USUAL_BOTS), USUAL_MANNER.strength, USUAL_MANNER.pace)


class BotsPage(Page):
    """A form of three fields."""

    place = Place.BOTS
    has_banner = False
    to_read = True

    def __init__(self) -> None:
        self.values = list(_USUAL)
        self.index = 0

    @property
    def title(self) -> str:
        """The place."""
        return words.title()

    @property
    def count(self) -> int:
        """How many bots."""
        return int(self.values[0])

    def enter_line(self) -> EnterLine:
        """Play."""
        return EnterLine(words.play(self.count))

    def acts(self) -> Sequence[Cap]:
        """What changes the form."""
        return (Cap("↑↓", _("field"), "down"), Cap("←→", _("change"), "right"), self.cap("reset"))

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), self.cap("back", _("back")))

    def press(self, name: str) -> Wish | None:
        """Choose a field, change it, or play."""
        match name:
            case "up" | "down" | "tab" | "shift_tab":
                self.index = (self.index + (1 if name in ("down", "tab") else -1)) % len(_VALUES)
            case "left" | "right":
                self._change(1 if name == "right" else -1)
            case "reset":
                self.values[self.index] = _USUAL[self.index]
            case "enter":
                return PlayWithBots(self.count, Manner(self.values[1], self.values[2]))
        return {"help": Go(Where.HELP), "back": Go(Where.BACK)}.get(name)

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on a field chooses it, a second one changes it."""
        if what == "field" and 0 <= index < len(_VALUES):
            if self.index == index:
                self._change(1)
            self.index = index
        return None

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """The fields, and what the chosen value means."""
        left = panel(canvas, layout.body, "", framed=layout.framed)
        value_column = left.column + 18
        for number, name in enumerate(words.fields()):
            chosen, target = number == self.index, Pick("field", number)
            canvas.fill(left.row, left.column, left.width, 1, Ink(), target)
            canvas.put(left.row, left.column, arrow(chosen), ACCENT, target)
            canvas.put(left.row, left.column + 2, clip(name, 14), ACCENT if chosen else MUTE, target)
            canvas.put(left.row, value_column, self._shown(number), BOLD if chosen else Ink(), target)
            left = below(left, 1)
        paragraph(canvas, below(left, 1), words.explained(self.index, self.values[self.index]), MUTE)

    def _shown(self, number: int) -> str:
        value = self.values[number]
        return (str, words.strength, words.pace)[number](value)

    def _change(self, by: int) -> None:
        values = _VALUES[self.index]
        at = values.index(self.values[self.index]) + by
        self.values[self.index] = values[at % len(values)]
