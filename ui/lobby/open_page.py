"""Opening a table: its name, seats, form, variation, and every option of its rules."""

import os
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from crypto import Draw
from engine import Ruleset
from engine.rules import MOST_PLAYERS
from p2p.protocol.table_code import CodeError, TableCode, new_code, own_code
from p2p.protocol.table_rules import USUAL, TableRules
from p2p.protocol.text import TextError, own_title
from ui.glyphs import NEW
from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.keys import Place
from ui.lobby.page import (
    ACCENT,
    BOLD,
    MUTE,
    WARN,
    Layout,
    Page,
    Pick,
    arrow,
    below,
    mark_hidden,
    panel,
    paragraph,
    split,
    window,
)
from ui.lobby.text_field import MOST_CHARACTERS, TextField
from ui.lobby.wishes import Go, OpenTable, Where, Wish
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.frame import Cap
from ui.table.size import Rect
from ui.table_form import FORMS, TableForm, stepped
from ui.words import news
from ui.words.enter import EnterLine
from ui.words.rules import form_with_differences
from ui.words.table import form_name
from ui.words.trouble import code_problem, title_problem
from ui.words.variations import form_line

_TITLE, _SEATS, _CODE, _FORM, _VARIATION = range(5)
_FIXED: Final = 5


class OpenTablePage(Page):
    """The form; nothing is sent before Enter."""

    place = Place.FORM
    has_banner = False

    def __init__(
        self, title: str, seats: int = 4, draw: Draw = os.urandom, begin: TableRules = USUAL
    ) -> None:
        """draw: where a made code comes from. begin: the rules of the table that it starts with."""
        self.field = TextField(title)
        self.code_field = TextField()
        self.private = False
        self.seats = seats
        self._draw = draw
        self.form = TableForm(begin=begin)
        self.index = 0

    @property
    def title(self) -> str:
        """The place."""
        return _("Open a table")

    @property
    def typing(self) -> bool:
        """Letters belong to the name or the code while it is open."""
        return self._open_field is not None

    @property
    def _open_field(self) -> TextField | None:
        """What is being typed into."""
        return next((field for field in (self.field, self.code_field) if field.open), None)

    @property
    def count(self) -> int:
        """How many rows the form has."""
        return _FIXED + len(self.form.offered)

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules as chosen; None while they contradict each other."""
        return self.form.ruleset

    def fault(self) -> str:
        """Return why this table cannot be opened; "" if it can."""
        try:
            own_title(self.field.text)
        except TextError as error:
            return title_problem(error)
        try:
            self._code()
        except CodeError as error:
            return code_problem(error)
        return self.form.fault(self.seats)

    def _code(self) -> TableCode | None:
        """The code as it stands; None without one. Raises: CodeError."""
        return own_code(self.code_field.text) if self.private else None

    def press(self, name: str) -> Wish | None:
        """Move among the fields, change one, open the table."""
        field = self._open_field
        if field is not None and name not in ("up", "down", "tab", "shift_tab", "help"):
            if name in ("enter", "back"):
                field.close(keep=name == "enter")
            else:
                field.press(name)
            return None
        match name:
            case "up" | "shift_tab":
                self._move(-1)
            case "down" | "tab":
                self._move(1)
            case "left" | "right":
                self._change(1 if name == "right" else -1)
            case "reset":
                self._reset()
            case "enter":
                return self._enter()
        return {"help": Go(Where.HELP), "back": Go(Where.BACK)}.get(name)

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on a field chooses it, one on its value changes it; a click on a form takes that form."""
        if what == "form" and 0 <= index < len(FORMS):
            self._move(_FORM - self.index)
            self.form.choose_form(FORMS[index])
            return None
        if what not in ("field", "value") or not 0 <= index < self.count:
            return None
        self._move(index - self.index)
        if what == "value":
            if index == _TITLE:
                self.field.open_it()
            else:
                self._change(1, around=True)
        return None

    def type_text(self, text: str) -> None:
        """Letters go into the name, or into the code."""
        field = self._open_field
        if field is not None and not field.type_text(text):
            self.note = news.cut(MOST_CHARACTERS)

    def enter_line(self) -> EnterLine:
        """Open the table, or edit its name."""
        if self.field.open:
            return EnterLine(_("Keep this name"), _("Esc takes the old one back"))
        if self.code_field.open:
            return EnterLine(_("Keep this code"), _("Esc takes the old one back"))
        fault = self.fault()
        if self.index == _TITLE and fault:
            return EnterLine(_("Name the table"), fault)
        text = _("Open the table “{title}”").format(title=self.field.text.strip())
        rules = self.ruleset
        differences = form_with_differences(rules, self.seats, self.form.table_rules) if rules else ""
        aside = fault or differences
        return EnterLine(text, aside, live=not fault, brief=_("Open the table"))

    def acts(self) -> Sequence[Cap]:
        """What changes the form."""
        if self.typing:
            return ()
        found = [Cap("↑↓", _("field"), "down")]
        if self.index == _TITLE:
            found.append(Cap("→", _("edit the name"), "right"))
        elif self.index == _CODE:
            found.append(Cap("→", _("edit the code") if self.private else _("make a code"), "right"))
            if self.private:
                found.append(Cap("←", _("no code"), "left"))
        else:
            found.append(Cap("←→", _("change"), "right"))
        return (*found, self.cap("reset"))

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), Cap("Tab", _("next field"), "tab"), self.cap("back", _("back")))

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Forms on the left, the fields on the right; in a narrow window only the fields."""
        body = layout.body
        right = body
        if not layout.narrow:
            left, right = split(body, body.width * 30 // 80)
            self._draw_forms(canvas, panel(canvas, left, _("Form"), framed=layout.framed))
        self._draw_fields(canvas, panel(canvas, right, _("Rules and table"), framed=layout.framed))

    def _draw_forms(self, canvas: Canvas, rect: Rect) -> None:
        """The forms, the chosen one marked, and what each is; in a low window only what the chosen one is."""
        rows = sum(2 + len(wrap(form_line(form), max(1, rect.width - 2))) for form in FORMS)
        all_told = rows - 1 <= rect.height
        left = rect
        for number, form in enumerate(FORMS):
            chosen = form == self.form.form
            target = Pick("form", number)
            name = f"{NEW if chosen else ' '} {form_name(form)}"
            canvas.put(left.row, left.column, name, ACCENT if chosen else BOLD, target)
            left = below(left, 1)
            if all_told:
                left = below(paragraph(canvas, left, form_line(form), MUTE, first="  "), 1)
        if not all_told:
            paragraph(canvas, below(left, 1), form_line(self.form.form), MUTE, first="  ")

    def _draw_fields(self, canvas: Canvas, rect: Rect) -> None:
        """The rows of the form, and a sentence below them."""
        names = self._names()
        value_column = rect.column + min(max(map(cell_len, names)), rect.width // 2 - 5) + 5
        rows = max(1, rect.height - 3)
        row = rect.row
        shown = window(self.count, rows, self.index)
        for number in shown:
            chosen = number == self.index
            ink = ACCENT if chosen else Ink()
            canvas.fill(row, rect.column, rect.width, 1, Ink(), Pick("field", number))
            canvas.put(row, rect.column, arrow(chosen), ink, Pick("field", number))
            name_room = value_column - rect.column - 5
            canvas.put(
                row,
                rect.column + 2,
                clip(names[number], name_room),
                ink if chosen else MUTE,
                Pick("field", number),
            )
            self._draw_value(canvas, row, value_column, rect.column + rect.width - 1, number)
            row += 1
        listed = rect._replace(height=len(shown))
        mark_hidden(canvas, listed, above=shown.start > 0, below=shown.stop < self.count)
        fault = self.fault()
        text, tone = (fault, WARN) if fault else (self._explanation(), MUTE)
        paragraph(
            canvas,
            Rect(row + 1, rect.column + 2, rect.width - 2, rect.row + rect.height - row - 1),
            text,
            tone,
        )

    def _draw_value(self, canvas: Canvas, row: int, column: int, end: int, number: int) -> None:
        """The value of one field, marked where it differs from the form."""
        target = Pick("value", number)
        if number == _TITLE:
            self.field.draw(canvas, row, column, end - column, target)
            return
        if number == _CODE and self.private:
            self.code_field.draw(canvas, row, column, end - column, target)
            return
        value, usual = self._value(number), self._usual(number)
        if usual:
            canvas.put(row, column - 2, "≠", ACCENT)
        column = canvas.put(row, column, clip(value, end - column), BOLD if usual else Ink(), target)
        if usual:
            text = _("usually {value}").format(value=usual)
            canvas.put(row, column + 2, clip(text, end - column - 2) if end - column > 6 else "", MUTE)

    def _names(self) -> tuple[str, ...]:
        """The names of all fields."""
        fixed = (_("Name"), _("Seats"), _("Code"), _("Form"), pgettext("field", "Variation"))
        return (*fixed, *map(self.form.name_of, self.form.offered))

    def _value(self, number: int) -> str:
        """The value of a field, in words."""
        if number >= _FIXED:
            return self.form.value_word(self.form.offered[number - _FIXED])
        code = self.code_field.text if self.private else _("no code")
        fixed = (self.field.text, str(self.seats), code, self.form.form_word, self.form.variation_word)
        return fixed[number]

    def _usual(self, number: int) -> str:
        """The usual value of a field that differs from the form; "" for all others."""
        return "" if number < _FIXED else self.form.usual_word(self.form.offered[number - _FIXED])

    def _explanation(self) -> str:
        """The sentence below the fields."""
        if self.index >= _FIXED:
            return self.form.explanation_of(self.form.offered[self.index - _FIXED])
        return (
            _("Others see this name in their lobby."),
            _("The deal starts when all seats are taken and everybody agrees."),
            _("With a code, only those can join who know it: read it out to them."),
            form_line(self.form.form),
            _("A named variation sets several options at once; each can be changed after it."),
        )[self.index]

    def _move(self, by: int) -> None:
        """Choose another field; an open name or code is kept."""
        self.field.close(keep=True)
        self.code_field.close(keep=True)
        self.index = max(0, min(self.count - 1, self.index + by))

    def _change(self, by: int, *, around: bool = False) -> None:
        """Change the chosen field by one value; `around` goes on at the other end."""
        if self.index == _TITLE:
            self.field.open_it()
            return
        if self.index == _CODE:
            self._change_code(by)
        elif self.index == _SEATS:
            self.seats = stepped(tuple(range(2, MOST_PLAYERS + 1)), self.seats, by, around=around)
        elif self.index == _FORM:
            self.form.next_form(by, around=around)
        elif self.index == _VARIATION:
            self.form.next_variation(by, around=around)
        else:
            self.form.change(self.form.offered[self.index - _FIXED], by, around=around)

    def _change_code(self, by: int) -> None:
        """Make a code, or change the one that is there; one step back there is none."""
        if by < 0:
            self.private = False
        elif self.private:
            self.code_field.open_it()
        else:
            self.private, self.code_field = True, TextField(new_code(self._draw).text)

    def _reset(self) -> None:
        """Set the chosen field back to the usual."""
        if self.index == _CODE:
            self.private = False
        if self.index >= _FIXED:
            self.form.reset(self.form.offered[self.index - _FIXED])
        elif self.index in (_FORM, _VARIATION):
            self.form.choose_form(self.form.form)

    def _enter(self) -> Wish | None:
        """Open the table if that can be done."""
        fault, rules = self.fault(), self.ruleset
        if not fault and rules is not None:
            return OpenTable(
                own_title(self.field.text), rules, self.seats, self.form.table_rules, self._code()
            )
        if self.index == _TITLE:
            self.field.open_it()
        else:
            self.note = fault
        return None
