"""Opening a table: its name, seats, and the options of its rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engine import OPTIONS, Ruleset, RulesetError, Value
from p2p.protocol.text import TextError, TextProblem, own_title
from ui.glyphs import NEW
from ui.i18n import gettext as _
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
    panel,
    paragraph,
    split,
    window,
)
from ui.lobby.text_field import TextField
from ui.lobby.wishes import Go, OpenTable, Where, Wish
from ui.table.canvas import Canvas, Ink, clip
from ui.table.frame import Cap
from ui.table.size import Rect
from ui.words.enter import EnterLine
from ui.words.options import option_explanation, option_name, option_value, ruleset_refused, usual_value
from ui.words.rules import form_with_differences
from ui.words.table import form_name

T = TypeVar("T")

FORMS: Final = ("pagat",)
"""The forms that can be chosen here; the others are laid out in the engine and come with their screens."""

MOST_SEATS: Final = 6


@dataclass(frozen=True, slots=True)
class OptionField:
    """One row of the form: the options that it sets together, and the values it offers."""

    options: tuple[str, ...]
    values: tuple[Value, ...]


FIELDS: Final = (
    # One row for both limits: a table where leads and later packets differ is no variation of this form.
    OptionField(("follow_max", "lead_max"), (1, 2, 3, 4, "none")),
    OptionField(("sets",), ("none", "optional")),
    OptionField(("burn",), (0, 1)),
    OptionField(("pack",), ("auto", 36, 52)),
    OptionField(("no_aces",), ("no", "yes")),
    OptionField(("must_call_pending",), ("no", "yes")),
    OptionField(("rank_after_wrong_ne",), ("fresh", "same")),
    OptionField(("retired_ranks",), ("claimable", "barred")),
    OptionField(("stall_guard",), ("none", "no_repeat_claim")),
    OptionField(("first_lead",), ("dealer_left", "dealer")),
    OptionField(("next_dealer",), ("left", "loser")),
)
"""Most changed first. Each value is one that the engine plays."""

_TITLE, _SEATS = 0, 1
_FIXED: Final = 2


class OpenTablePage(Page):
    """The form; nothing is sent before Enter."""

    place = Place.FORM
    has_banner = False

    def __init__(self, title: str, seats: int = 4) -> None:
        self.field = TextField(title)
        self.seats = seats
        self.ruleset = Ruleset.preset(FORMS[0])
        self.index = 0

    @property
    def title(self) -> str:
        """The place."""
        return _("Open a table")

    @property
    def typing(self) -> bool:  # type: ignore[override]
        """Letters belong to the name while it is open."""
        return self.field.open

    @property
    def count(self) -> int:
        """How many rows the form has."""
        return _FIXED + len(FIELDS)

    def fault(self) -> str:
        """Return why this table cannot be opened; "" if it can."""
        try:
            own_title(self.field.text)
        except TextError as error:
            return title_refused(error)
        try:
            self.ruleset.resolve(self.seats)
        except RulesetError as error:
            return ruleset_refused(error)
        return ""

    def press(self, name: str) -> Wish | None:
        """Move among the fields, change one, open the table."""
        if self.field.open and name not in ("up", "down", "tab", "shift_tab", "help"):
            if name in ("enter", "back"):
                self.field.close(keep=name == "enter")
            else:
                self.field.press(name)
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
        """A click on a field chooses it; one on its value changes it."""
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
        """Letters go into the name."""
        self.field.type_text(text)

    def enter_line(self) -> EnterLine:
        """Open the table, or edit its name."""
        if self.field.open:
            return EnterLine(_("Keep this name"), _("Esc takes the old one back"))
        fault = self.fault()
        if self.index == _TITLE and fault:
            return EnterLine(_("Name the table"), fault)
        text = _("Open the table “{title}”").format(title=self.field.text.strip())
        return EnterLine(text, fault or form_with_differences(self.ruleset, self.seats), live=not fault)

    def acts(self) -> Sequence[Cap]:
        """What changes the form."""
        if self.field.open:
            return ()
        found = [Cap("↑↓", _("field"), "down")]
        if self.index == _TITLE:
            found.append(Cap("→", _("edit the name"), "right"))
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
            left, right = split(body, body.width * 35 // 80)
            self._draw_forms(canvas, panel(canvas, left, _("Form"), framed=layout.framed))
        self._draw_fields(canvas, panel(canvas, right, _("Rules and table"), framed=layout.framed))

    def _draw_forms(self, canvas: Canvas, rect: Rect) -> None:
        """The forms that can be chosen."""
        left = rect
        for form in FORMS:
            canvas.put(left.row, left.column, f"{NEW} {form_name(form)}", ACCENT)
            text = _("One card burned unseen, 1 to 3 cards a turn, the number is true.")
            left = below(paragraph(canvas, below(left, 1), text, MUTE, first="  "), 1)
        paragraph(canvas, left, _("More forms come with later versions."), MUTE, first="  ")

    def _draw_fields(self, canvas: Canvas, rect: Rect) -> None:
        """The rows of the form, and a sentence below them."""
        value_column = rect.column + max(18, rect.width * 40 // 100)
        rows = max(1, rect.height - 3)
        row = rect.row
        for number in window(self.count, rows, self.index):
            chosen = number == self.index
            ink = ACCENT if chosen else Ink()
            canvas.fill(row, rect.column, rect.width, 1, Ink(), Pick("field", number))
            canvas.put(row, rect.column, arrow(chosen), ink, Pick("field", number))
            name_room = value_column - rect.column - 5
            canvas.put(
                row,
                rect.column + 2,
                clip(self._name(number), name_room),
                ink if chosen else MUTE,
                Pick("field", number),
            )
            self._draw_value(canvas, row, value_column, rect.column + rect.width, number)
            row += 1
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
        value, usual = self._value(number), self._usual(number)
        if usual:
            canvas.put(row, column - 2, "≠", ACCENT)
        column = canvas.put(row, column, clip(value, end - column), BOLD if usual else Ink(), target)
        if usual:
            text = _("usually {value}").format(value=usual)
            canvas.put(row, column + 2, clip(text, end - column - 2) if end - column > 6 else "", MUTE)

    def _name(self, number: int) -> str:
        """The name of a field."""
        if number == _TITLE:
            return _("Name")
        return _("Seats") if number == _SEATS else option_name(FIELDS[number - _FIXED].options[0])

    def _value(self, number: int) -> str:
        """The value of a field, in words."""
        if number == _SEATS:
            return str(self.seats)
        option = FIELDS[number - _FIXED].options[0]
        return option_value(option, self.ruleset.to_mapping()[option])

    def _usual(self, number: int) -> str:
        """The usual value of a field that differs from the form; "" for all others."""
        if number < _FIXED:
            return ""
        options = FIELDS[number - _FIXED].options
        for option, _value, usual in self.ruleset.differences():
            if option in options:
                return usual_value(option, usual)
        return ""

    def _explanation(self) -> str:
        """The sentence below the fields."""
        if self.index == _TITLE:
            return _("Others see this name in their lobby.")
        if self.index == _SEATS:
            return _("The deal starts when all seats are taken and everybody agrees.")
        return option_explanation(FIELDS[self.index - _FIXED].options[0])

    def _move(self, by: int) -> None:
        """Choose another field; an open name is kept."""
        self.field.close(keep=True)
        self.index = max(0, min(self.count - 1, self.index + by))

    def _change(self, by: int, *, around: bool = False) -> None:
        """Change the chosen field by one value; `around` goes on at the other end."""
        if self.index == _TITLE:
            self.field.open_it()
            return
        if self.index == _SEATS:
            self.seats = _next(tuple(range(2, MOST_SEATS + 1)), self.seats, by, around)
            return
        field = FIELDS[self.index - _FIXED]
        value = _next(field.values, self.ruleset.to_mapping()[field.options[0]], by, around)
        self._set(field, value)

    def _reset(self) -> None:
        """Set the chosen field back to the usual."""
        if self.index >= _FIXED:
            field = FIELDS[self.index - _FIXED]
            self._set(field, Ruleset.preset(self.ruleset.form).to_mapping()[field.options[0]])

    def _set(self, field: OptionField, value: Value) -> None:
        """Set all options of a field; a combination that the rules refuse is said and not taken."""
        try:
            self.ruleset = self.ruleset.with_(**dict.fromkeys(field.options, value))
        except RulesetError as error:
            self.note = ruleset_refused(error)

    def _enter(self) -> Wish | None:
        """Open the table if that can be done."""
        fault = self.fault()
        if not fault:
            return OpenTable(own_title(self.field.text), self.ruleset, self.seats)
        if self.index == _TITLE:
            self.field.open_it()
        else:
            self.note = fault
        return None


def _next(values: Sequence[T], value: T, by: int, around: bool) -> T:
    """Return the value after (or before) `value`; at the ends it stays, or goes around."""
    place = values.index(value) if value in values else 0
    place += by
    return values[place % len(values)] if around else values[max(0, min(len(values) - 1, place))]


def title_refused(error: TextError) -> str:
    """Return why a table cannot have this name."""
    return {
        TextProblem.EMPTY: _("The table needs a name."),
        TextProblem.CONTROL: _("The name must be one line of letters."),
        TextProblem.LONG: _("The name is too long."),
    }[error.problem]


def unplayed_values() -> list[tuple[str, Value]]:
    """Return the values offered here that the engine refuses; empty unless the two have drifted apart."""
    return [
        (option, value)
        for field in FIELDS
        for option in field.options
        for value in field.values
        if not OPTIONS[option].holds(value) or value in OPTIONS[option].unplayed
    ]
