"""The page of a replay: the hands, what happens in the step, and the line of time. It moves by keys and
ticks.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from engine import Revealed, Seat
from p2p.protocol.replay import Moment, Replay
from ui.glyphs import DONE, EVENT, NOW, TO_DO
from ui.keys import Place
from ui.lobby.page import ACCENT, BAD, GOOD, MUTE, Layout, Page, Pick, below, panel
from ui.lobby.text_field import TextField
from ui.lobby.wishes import Go, Where, Wish
from ui.replay.hands import draw_hands
from ui.table.canvas import Canvas, clip
from ui.table.centre import block_rows, draw_centre
from ui.table.frame import Cap, table_place
from ui.table.reveal import Frame, Picture, picture_of
from ui.table.situation import Situation
from ui.table.size import Rect, Size
from ui.words import replay as words
from ui.words.actions import action_word
from ui.words.banner import Banner
from ui.words.enter import EnterLine
from ui.words.people import Who
from ui.words.table import deal_number, form_name

SPEEDS: Final = (1, 2, 4, 8)
LAY_S: Final = 2.0
"""So long a lay stands at speed 1."""
CALL_S: Final = 5.0
"""And so long a call with what came of it."""
_TIME_LINE: Final = "time"
_MOST_DIGITS: Final = 5


class ReplayPage(Page):
    """A deal, one step of it at a time."""

    place = Place.REPLAY

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.at = 0
        self.running = False
        self.speed = SPEEDS[0]
        self.field = TextField()

    @property
    def typing(self) -> bool:
        """The number of a step is being typed."""
        return self.field.open

    @property
    def moment(self) -> Moment:
        """The step that is shown."""
        return self.replay.moments[self.at]

    @property
    def steps(self) -> int:
        """How many there are."""
        return len(self.replay.moments)

    @property
    def at_end(self) -> bool:
        """Whether the last step is shown."""
        return self.at == self.steps - 1

    @property
    def stands_s(self) -> float:
        """For how long this step is shown while the replay runs."""
        return (LAY_S if self.moment.call is None else CALL_S) / self.speed

    @property
    def title(self) -> str:
        """The table, the form and the deal."""
        report = self.replay.report
        return " · ".join(
            (words.title(self.replay.title), form_name(report.form or ""), deal_number(report.deal))
        )

    def place_line(self, width: int) -> str:
        """As at the table: where room is scarce, the table's name gives way."""
        report = self.replay.report
        free = width - cell_len(words.title(""))
        return words.title(table_place(self.replay.title, report.form or "", report.deal, free))

    def corner(self, width: int) -> str:
        """Whether the books are open."""
        del width
        return words.corner(all_open=self.replay.open)

    def banner(self) -> Banner:
        """What happens in this step."""
        return words.banner_of(
            self.moment.events,
            self.moment.step,
            self._who,
            running=self.running,
            truthful=self._truthful,
            broken_off=self.at_end and not self.replay.finished,
        )

    def enter_line(self) -> EnterLine:
        """Run or pause; or go to the step whose number was typed."""
        if self.field.open:
            return words.go_to(self.field.text, self.replay.last_step)
        return words.enter(running=self.running, at_end=self.at_end)

    def acts(self) -> Sequence[Cap]:
        """The ways through the deal."""
        if self.field.open:
            return ()
        return (
            Cap("← →", action_word("step"), "right"),
            Cap("↑ ↓", action_word("next_call"), "down", live=bool(self.replay.calls)),
            Cap("-", "", "slower"),
            Cap("+", action_word("speed"), "faster"),
            self.cap("go_to"),
        )

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (self.cap("help"), self.cap("log"), self.cap("back", words.close()))

    def tick(self) -> None:
        """The step has stood for its time: go on to the next; the last one ends the run."""
        if self.running:
            self._go(self.at + 1)
            self.running = not self.at_end

    def press(self, name: str) -> Wish | None:
        """Move through the deal."""
        if self.field.open:
            self._press_in_field(name)
            return None
        match name:
            case "enter" | "run":
                self.running = not self.running
                if self.running and self.at_end:
                    self.at = 0
            case "go_to":
                self.running, self.field = False, TextField()
                self.field.open_it()
            case "slower" | "faster":
                by = 1 if name == "faster" else -1
                self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + by))]
            case "log" | "help" | "back":
                return Go({"log": Where.LOG, "help": Where.HELP, "back": Where.BACK}[name])
            case _:
                self._move(name)
        return None

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on the line of time."""
        if what == _TIME_LINE:
            self._go(index)
        return None

    def type_text(self, text: str) -> None:
        """Digits go into the number."""
        digits = "".join(char for char in text if char.isascii() and char.isdecimal())
        self.field.type_text(digits[: _MOST_DIGITS - len(self.field.text)])

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Hands above, the step in the middle, the line of time below; what is scarce is taken from the
        hands.
        """
        body, framed, replay = layout.body, layout.framed, self.replay
        around = 2 if framed else 1
        card_height = layout.size.card_height if framed else Size(60, 20).card_height
        rows = len(self.moment.before.order) + len(self.moment.before.burned)
        time_rows = 2 + (2 if framed else 0)
        tight = body.height < rows + around + block_rows(card_height, tight=False) + around + time_rows
        step_rows = block_rows(card_height, tight=tight) + around
        hands_rows = max(1 + around, min(rows + around, body.height - step_rows - time_rows))
        hands, rest = Rect(body.row, body.column, body.width, hands_rows), below(body, hands_rows)
        inner = panel(canvas, hands, words.hands_title(all_open=replay.open), framed=framed)
        table = Situation(replay.table_before(self.at))
        state = self.moment.before
        people = {seat: table.who(seat) for seat in state.order}
        draw_hands(canvas, inner, state, replay.faces, people, self.moment.actor)
        step = Rect(rest.row, rest.column, rest.width, max(step_rows, rest.height - time_rows))
        inner = panel(canvas, step, words.step_title(), framed=framed)
        self._draw_step(canvas, inner, card_height, tight=tight)
        time = below(rest, step.height)
        self._draw_time(canvas, panel(canvas, time, "", framed=framed))

    @property
    def _truthful(self) -> bool | None:
        """Whether the packet laid in this step is what was said; None if that cannot be known."""
        shown = self.replay.opened(self.at)
        return None if shown is None else shown.truthful

    def _draw_step(self, canvas: Canvas, rect: Rect, card_height: int, *, tight: bool) -> None:
        situation = Situation(self.replay.table(self.at))
        opened = self.replay.opened(self.at)
        if opened is None:
            picture = picture_of(situation) if self.moment.call is not None else None
            draw_centre(canvas, rect, situation, picture, None, card_height=card_height, tight=tight)
            return
        picture = Picture(
            deal=self.replay.report.deal,
            step=self.moment.step,
            shown=opened,
            taker=None,
            count=0,
            whole_pile=False,
            leader=None,
            size=len(opened.cards),
        )
        frame = Frame(len(opened.cards), verdict=True, consequence=False, done=True)
        draw_centre(canvas, rect, situation, picture, frame, card_height=card_height, tight=tight)

    def _draw_time(self, canvas: Canvas, rect: Rect) -> None:
        """The line with its calls, and where on it we are."""
        if rect.height <= 0:
            return
        columns = [self._column(at, rect.width) for at in range(self.steps)]
        for cell in range(rect.width):
            at = bisect_right(columns, cell) - 1
            char, ink = (DONE, GOOD) if cell < columns[self.at] else (TO_DO, MUTE)
            canvas.put(rect.row, rect.column + cell, char, ink, Pick(_TIME_LINE, at))
        for at in self.replay.calls:
            events = self.replay.moments[at].events
            shown = next((event for event in events if isinstance(event, Revealed)), None)
            ink = MUTE if shown is None else GOOD if shown.truthful else BAD
            canvas.put(rect.row, rect.column + columns[at], EVENT, ink, Pick(_TIME_LINE, at))
        canvas.put(rect.row, rect.column + columns[self.at], NOW, ACCENT)
        if rect.height > 1:
            seen = sum(call <= self.at for call in self.replay.calls)
            step, last = self.moment.step, self.replay.last_step
            text = words.position(step, last, seen, len(self.replay.calls), self.speed)
            canvas.put(rect.row + 1, rect.column, clip(text, rect.width), MUTE)

    def _column(self, at: int, width: int) -> int:
        return 0 if self.steps == 1 else at * (width - 1) // (self.steps - 1)

    def _press_in_field(self, name: str) -> None:
        if name == "back":
            self.field.close(keep=False)
        elif name == "enter":
            place = self.replay.place_of(int(self.field.text)) if self.field.text.isdecimal() else None
            if place is None:
                self.note = words.no_such_step(self.replay.last_step)
            else:
                self.field.close(keep=False)
                self._go(place)
        else:
            self.field.press(name)

    def _move(self, name: str) -> None:
        """A key that moves by a step, by a call, or to an end; it pauses the run."""
        calls = self.replay.calls
        target = {
            "left": self.at - 1,
            "right": self.at + 1,
            "home": 0,
            "end": self.steps - 1,
            "up": max((call for call in calls if call < self.at), default=self.at),
            "down": min((call for call in calls if call > self.at), default=self.at),
        }.get(name)
        if target is not None:
            self.running = False
            self._go(target)

    def _go(self, at: int) -> None:
        self.at = max(0, min(self.steps - 1, at))

    def _who(self, seat: Seat) -> Who:
        return Situation(self.replay.table(self.at)).who(seat)
