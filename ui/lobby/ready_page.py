"""Getting ready: who sits at the table, its rules in sentences, and the own agreement."""

import time
from collections.abc import Callable, Sequence

from p2p.protocol.snapshot import MemberView, TableSnapshot
from ui.gathering import keeps_waiting
from ui.glyphs import TRUE, TURN
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.keys import Place
from ui.lobby.lists import (
    RuleRow,
    draw_name,
    draw_rule_row,
    rule_rows,
)
from ui.lobby.page import (
    ACCENT,
    BOLD,
    GOOD,
    MUTE,
    SCROLLS,
    WARN,
    Layout,
    below,
    mark_hidden,
    panel,
    paragraph,
    split,
    who_i_am,
)
from ui.lobby.talking import Talking
from ui.lobby.talking_page import TalkingPage
from ui.lobby.wishes import Go, SetReady, StartWithout, Where, Wish, going_to
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.frame import Cap
from ui.table.size import Rect
from ui.words import asks, company
from ui.words.banner import Banner
from ui.words.enter import EnterLine
from ui.words.people import name_warning
from ui.words.rules import form_with_differences, rule_lines
from ui.words.situation import gathering_banner


class ReadyPage(TalkingPage):
    """The table before its first deal. `now`: the clock of `ready_locked_until`, seconds; `talking`: the own
    part in the talk.
    """

    place = Place.READY

    def __init__(
        self,
        table: TableSnapshot,
        now: Callable[[], float] = time.monotonic,
        talking: Talking | None = None,
    ) -> None:
        super().__init__(table, talking)
        self._now = now
        self._first_rule = 0
        self._starting = False
        self._narrow = False

    def show(self, table: TableSnapshot) -> None:
        """Take new data; an armed start falls when somebody takes his readiness back or arrives."""
        if table.can_start_without != self.table.can_start_without:
            self._starting = False
        self.table = table

    @property
    def own(self) -> MemberView | None:
        """The own seat."""
        return self.table.own_member

    @property
    def title(self) -> str:
        """The table, and what goes on."""
        return _("{title} · getting ready").format(title=self.table.title)

    def corner(self, width: int) -> str:
        """Who I am."""
        own = self.own
        return "" if own is None else who_i_am(own.name, own.fingerprint, width)

    def banner(self) -> Banner | None:
        """Read the rules, or whom the table waits for."""
        return gathering_banner(self.table)

    def enter_line(self) -> EnterLine:
        """Agree, take it back, or start without the one who keeps the others waiting."""
        waiting = keeps_waiting(self.table)
        if self._starting and waiting is not None:
            text = _("Start without {name}").format(name=waiting.name)
            count = len(self.table.members) - 1
            aside = ngettext("{count} of you play", "{count} of you play", count).format(count=count)
            return EnterLine(text, aside)
        if self.own is None or not self.own.ready:
            return EnterLine(_("I am ready"), _("the deal starts when all are"))
        locked = self.table.ready_locked_until
        wait = 0.0 if locked is None else locked - self._now()
        if wait > 0:
            return EnterLine(_("You are ready."), _("it can be taken back in a moment"), live=False)
        return EnterLine(_("Take it back: I am not ready"))

    def acts(self) -> Sequence[Cap]:
        """Starting without somebody, once that is possible; the ways back and to the other table."""
        found: list[Cap] = []
        waiting = keeps_waiting(self.table)
        if waiting is not None and not self._starting:
            words = asks.start_without(waiting.name)
            found.append(Cap("Space", words, "space"))
        if self.table.reopened is not None:
            found.append(self.cap("elsewhere", company.going_there(self.table.reopened.name)))
        if self.table.before is not None:
            found.append(self.cap("result"))
        return found

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (
            self.cap("help", _("all rules")),
            Cap("↑↓", _("scroll"), "down"),
            self.cap("back", _("leave")),
            *self.talk_caps(),
        )

    def pressed(self, name: str) -> Wish | None:
        """Agree, scroll the rules, leave."""
        match name:
            case "up" | "down" | "page_up" | "page_down":
                self._first_rule = max(0, self._first_rule + SCROLLS[name])
            case "space":
                self._starting = keeps_waiting(self.table) is not None
            case "enter":
                return self._enter()
            case "back":
                if not self._starting:
                    return Go(Where.MENU)
                self._starting = False
            case "elsewhere" if self.table.reopened is not None:
                return going_to(self.table.reopened)
            case "result" if self.table.before is not None:
                return Go(Where.RESULT)
        return Go(Where.RULES) if name == "help" else None

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Seats on the left or above, rules on the right or below."""
        body, self._narrow = layout.body, layout.narrow
        if layout.narrow:
            rows = min(self.table.seats + 1 + (self.table.code is not None), body.height // 2)
            seats = Rect(body.row, body.column, body.width, rows)
            rules = below(body, rows)
        else:
            seats, rules = split(body, body.width * 38 // 80)
        ready = sum(member.ready for member in self.table.members)
        title = _("Seats · {ready} of {seats} ready").format(ready=ready, seats=self.table.seats)
        self._draw_seats(canvas, panel(canvas, seats, title, framed=layout.framed))
        title = form_with_differences(self.table.ruleset, self.table.seats, self.table.table_rules)
        self._draw_rules(canvas, panel(canvas, rules, title, framed=layout.framed))

    def _draw_seats(self, canvas: Canvas, rect: Rect) -> None:
        """One row a seat, then when the deal starts."""
        counted = bool(company.carried(self.table, 0))
        wide = max(8, min(20, rect.width // 2 - (7 if counted else 4)))
        left = rect
        if self.table.code is not None:
            column = canvas.put(left.row, left.column, _("Code to read out"), MUTE) + 2
            room = left.column + left.width - column
            canvas.put(left.row, column, clip(self.table.code.text, room), ACCENT)
            left = below(left, 1)
        spare = left.height - self.table.seats
        for number, member in enumerate(self.table.members[: left.height]):
            name = _("{name} (you)").format(name=member.name) if member.own else member.name
            ink = BOLD if member.own else Ink()
            column = draw_name(canvas, left.row, left.column, wide, name, member.fingerprint, ink)
            if counted:
                count = company.carried(self.table, number)
                column = canvas.put(left.row, column + 3 - len(count), count, BOLD)
            words, ink = _state(member)
            warning = _warning(member)
            if warning and spare <= 0:
                # No row is left for it: the sign at least.
                column = canvas.put(left.row, column + 2, warning[0], WARN) - 1
            canvas.put(left.row, column + 2, clip(words, left.column + left.width - column - 2), ink)
            left = below(left, 1)
            if warning and spare > 0:
                canvas.put(left.row, left.column + 2, clip(warning, left.width - 2), WARN)
                left, spare = below(left, 1), spare - 1
        free = self.table.seats - len(self.table.members)
        if free and left.height:
            text = ngettext("{count} seat free", "{count} seats free", free).format(count=free)
            canvas.put(left.row, left.column, clip(text, left.width), MUTE)
            left = below(left, 1)
        for text, ink in () if self._narrow else self._company_notes():
            left = paragraph(canvas, below(left, 1), text, ink)
        seats = self.table.seats
        text = _("The deal starts when all are ready, or when {count} are and one keeps waiting.").format(
            count=seats - 1
        )
        if seats > 2 and left.height > 2:
            paragraph(canvas, below(left, 1), text, MUTE)

    def _company_notes(self) -> list[tuple[str, Ink]]:
        """What is special about a table that goes on from another one."""
        notes = [(company.goes_on(self.table.ruleset), MUTE)] if self.table.goes_on else []
        if self.table.reopened is not None:
            notes.insert(0, (company.opened_twice(self.table.reopened), WARN))
        return notes

    def _draw_rules(self, canvas: Canvas, rect: Rect) -> None:
        """The rules, differences first; they scroll where they do not fit."""
        rows: list[RuleRow] = []
        for text, ink in self._company_notes() if self._narrow else ():
            rows += [RuleRow("", part, "", ink) for part in wrap(text, max(1, rect.width - 2))]
        for line in rule_lines(self.table.ruleset, self.table.seats, self.table.table_rules):
            rows += rule_rows(line, rect.width - 2)
        hidden = max(0, len(rows) - rect.height)
        self._first_rule = min(self._first_rule, hidden)
        for number, row in enumerate(rows[self._first_rule :][: rect.height]):
            draw_rule_row(canvas, rect.row + number, rect.column, row)
        mark_hidden(canvas, rect, above=self._first_rule > 0, below=hidden > self._first_rule)

    def _enter(self) -> Wish | None:
        """Do what the Enter line says."""
        if not self.enter_line().live:
            self.note = _("Readiness can be taken back once in 5 s.")
            return None
        if self._starting and keeps_waiting(self.table) is not None:
            self._starting = False
            return StartWithout()
        return SetReady(self.own is None or not self.own.ready)


def _warning(member: MemberView) -> str:
    """Why a member's name deserves a second look; "" if it does not."""
    return "" if member.warning is None or member.own else name_warning(member.warning, member.name)


def _state(member: MemberView) -> tuple[str, Ink]:
    """What a member is doing."""
    if not member.connected and not member.own:
        return _("no connection"), WARN
    if member.ready:
        return f"{TRUE} " + _("ready"), GOOD
    return (f"{TURN} " + _("your answer?"), ACCENT) if member.own else (_("reading"), MUTE)
