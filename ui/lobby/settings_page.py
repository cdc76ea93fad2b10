"""The person's settings: a field for each; what is changed holds at once."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from p2p.protocol.text import TextError, own_name
from ui import settings_form
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
from ui.lobby.text_field import MOST_CHARACTERS, TextField
from ui.lobby.wishes import ChangeSetting, Go, Where, Wish
from ui.settings import USUAL, OwnSettings
from ui.settings_form import SETTING_VALUES
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap
from ui.table.size import Rect
from ui.table_form import stepped
from ui.words import news
from ui.words import settings as words
from ui.words.enter import EnterLine
from ui.words.trouble import text_problem

_BELOW: Final = 4
"""Rows below the fields: a blank one, the explanation, where all is kept."""


class SettingsPage(Page):
    """The settings. own_name: what the person is called where no name is set."""

    place = Place.SETTINGS
    has_banner = False
    to_read = True

    def __init__(self, settings: OwnSettings, own_name: str) -> None:
        self.settings = settings
        self.index = 0
        self._own_name = own_name
        self.field = TextField(settings.now.name or own_name)

    @property
    def title(self) -> str:
        """The place."""
        return words.title()

    @property
    def typing(self) -> bool:
        """Letters belong to the name while it is open."""
        return self.field.open

    @property
    def offered(self) -> tuple[str, ...]:
        """The settings that do something as things stand."""
        return settings_form.offered()

    @property
    def chosen(self) -> str:
        """The setting of the chosen field."""
        return self.offered[self.index]

    @property
    def _by(self) -> str:
        """What settles the chosen setting for this start; "" if nothing does."""
        return self.settings.overridden_by(self.chosen)

    def press(self, name: str) -> Wish | None:
        """Move among the fields, or change one."""
        if self.field.open:
            return self._typed(name)
        match name:
            case "up" | "shift_tab":
                self._move(-1)
            case "down" | "tab":
                self._move(1)
            case "left" | "right":
                return self._changed(1 if name == "right" else -1)
            case "enter":
                return self._changed(1, around=True)
            case "reset":
                return self._reset()
        return {"help": Go(Where.HELP), "back": Go(Where.BACK)}.get(name)

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on a field chooses it, one on its value changes it."""
        if what not in ("field", "value") or not 0 <= index < len(self.offered):
            return None
        kept = self._keep_name() if self.field.open else None
        if not self.field.open:
            self.index = index
            if what == "value" and kept is None:
                return self._changed(1, around=True)
        return kept

    def type_text(self, text: str) -> None:
        """Letters go into the name."""
        if self.field.open and not self.field.type_text(text):
            self.note = news.cut(MOST_CHARACTERS)

    def enter_line(self) -> EnterLine:
        """Keep the name, type it, or take the next value."""
        if self.field.open:
            return EnterLine(_("Keep it as your name"), _("Esc takes the old one back"))
        if self._by:
            return EnterLine(words.locked(self._by), live=False)
        if self.chosen == "name":
            return EnterLine(_("Change your name"))
        value = words.setting_value(self.chosen, self._next(1, around=True))
        return EnterLine(_("Change it to: {value}").format(value=value))

    def acts(self) -> Sequence[Cap]:
        """What changes a field."""
        if self.field.open:
            return ()
        found = [Cap("↑↓", _("field"), "down")]
        if not self._by:
            how = Cap("→", _("edit your name"), "right")
            found += [how if self.chosen == "name" else Cap("←→", _("change"), "right"), self.cap("reset")]
        return found

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), Cap("Tab", _("next field"), "tab"), self.cap("back", _("back")))

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """The fields; below them what the chosen one does, and where all is kept."""
        rect = panel(canvas, layout.body, "", framed=layout.framed)
        # With one setting fewer than before, another language may leave the chosen one behind the last.
        self.index = min(self.index, len(self.offered) - 1)
        names = [words.setting_name(setting) for setting in self.offered]
        column = rect.column + min(max(map(cell_len, names)), rect.width // 2) + 4
        shown = window(len(names), max(1, rect.height - _BELOW), self.index)
        for row, number in enumerate(shown, rect.row):
            chosen = number == self.index
            target = Pick("field", number)
            ink = ACCENT if chosen else Ink()
            canvas.fill(row, rect.column, rect.width, 1, Ink(), target)
            canvas.put(row, rect.column, arrow(chosen), ink, target)
            name = clip(names[number], column - rect.column - 3)
            canvas.put(row, rect.column + 2, name, ink if chosen else MUTE, target)
            self._draw_value(canvas, row, column, rect.column + rect.width - 1, number)
        listed = rect._replace(height=len(shown))
        mark_hidden(canvas, listed, above=shown.start > 0, below=shown.stop < len(names))
        left = below(rect, len(shown) + 1)
        left = paragraph(canvas, _indented(left), words.setting_explanation(self.chosen), MUTE)
        if self.settings.path is not None and left.height > 0:
            last = left.row + left.height - 1
            canvas.put(last, left.column, clip(words.kept_in(str(self.settings.path)), left.width), MUTE)

    def _draw_value(self, canvas: Canvas, row: int, column: int, end: int, number: int) -> None:
        setting, target = self.offered[number], Pick("value", number)
        if setting == "name" and self.field.open:
            self.field.draw(canvas, row, column, end - column, target)
            return
        by = self.settings.overridden_by(setting)
        text = clip(self._value_word(setting), end - column)
        column = canvas.put(row, column, text, MUTE if by else Ink(), target)
        if by:
            canvas.put(row, column + 2, clip(words.settled_by(by), max(0, end - column - 2)), MUTE)

    def _value_word(self, setting: str) -> str:
        if setting == "name":
            return self.settings.now.name or self._own_name
        return words.setting_value(setting, settings_form.value_of(self.settings, setting))

    def _next(self, by: int, *, around: bool = False) -> object:
        """The value after that of the chosen setting, or before it."""
        value = settings_form.value_of(self.settings, self.chosen)
        return stepped(SETTING_VALUES[self.chosen], value, by, around=around)

    def _move(self, by: int) -> None:
        self.index = max(0, min(len(self.offered) - 1, self.index + by))

    def _changed(self, by: int, *, around: bool = False) -> Wish | None:
        """Take the next value of the chosen setting, or open the name."""
        if self._by:
            self.note = words.locked(self._by)
            return None
        if self.chosen == "name":
            self.field = TextField(self.settings.now.name or self._own_name)
            self.field.open_it()
            return None
        return ChangeSetting(self.chosen, self._next(by, around=around))

    def _reset(self) -> Wish | None:
        """Take back what was set in the chosen field."""
        if self._by:
            self.note = words.locked(self._by)
            return None
        return ChangeSetting(self.chosen, getattr(USUAL, self.chosen))

    def _typed(self, name: str) -> Wish | None:
        """A key while the name is open."""
        if name == "help":
            return Go(Where.HELP)
        if name == "back":
            self.field.close(keep=False)
            return None
        if name not in ("enter", "up", "down", "tab", "shift_tab"):
            self.field.press(name)
            return None
        kept = self._keep_name()
        if not self.field.open and name != "enter":
            self._move(-1 if name in ("up", "shift_tab") else 1)
        return kept

    def _keep_name(self) -> Wish | None:
        """Keep what was typed, if others can read it; otherwise say why not, and leave the field open."""
        try:
            name = own_name(self.field.text)
        except TextError as error:
            self.note = text_problem(error)
            return None
        self.field.close(keep=True)
        return None if name == (self.settings.now.name or self._own_name) else ChangeSetting("name", name)


def _indented(rect: Rect) -> Rect:
    return Rect(rect.row, rect.column + 2, max(0, rect.width - 2), rect.height)
