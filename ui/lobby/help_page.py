"""Help: the keys that work on a screen, and what is asked of the reader there; Tab turns to the rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine import Rank, Ruleset
from p2p.protocol.snapshot import TableSnapshot
from p2p.protocol.table_rules import USUAL, TableRules
from ui import after_deal
from ui.gathering import keeps_waiting
from ui.i18n import current_language
from ui.i18n import gettext as _
from ui.keys import RANK_KEYS, Action, Place, actions_at, cap_of, is_later, rank_action
from ui.lobby.page import (
    ACCENT,
    BOLD,
    MUTE,
    NAME,
    SCROLLS,
    Layout,
    Page,
    below,
    mark_hidden,
    panel,
    paragraph,
    split,
)
from ui.lobby.wishes import Go, Where, Wish
from ui.table.acts import works_now
from ui.table.canvas import Canvas, clip, wrap
from ui.table.frame import Cap
from ui.table.situation import Situation
from ui.table.size import Rect
from ui.words import bots, past
from ui.words.actions import action_help
from ui.words.enter import EnterLine
from ui.words.explained import how_it_goes
from ui.words.places import (
    field_help,
    form_help,
    lobby_help,
    log_help,
    replay_help,
    resume_help,
    settings_help,
    table_help,
    trust_help,
)
from ui.words.ranks import rank_label
from ui.words.rules import form_with_differences, rule_lines
from ui.words.situation import asked_now
from ui.words.table_rules import when_time_is_over

_LEAST_KEYS: Final = 5
"""So many rows are left for keys, however much there is to say."""


class HelpPage(Page):
    """Help about the screen `about`; `table` is the own table, if there is one."""

    place = Place.EVERYWHERE
    has_banner = False
    to_read = True

    def __init__(
        self, about: Place, table: TableSnapshot | None = None, sentences: Sequence[str] = ()
    ) -> None:
        self.about = about
        self.table = table
        self.sentences = tuple(sentences)
        self.rules = False
        self._first = 0

    def show(self, table: TableSnapshot | None) -> None:
        """Take new data."""
        self.table = table

    @property
    def title(self) -> str:
        """The place."""
        return _("Help · the rules") if self.rules else _("Help")

    def enter_line(self) -> EnterLine:
        """Enter does nothing here that a line could say."""
        return EnterLine("", live=False)

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        return (
            Cap("Tab", _("keys") if self.rules else _("rules"), "tab"),
            Cap("↑↓", _("scroll"), "down"),
            self.cap("back", _("back")),
        )

    def press(self, name: str) -> Wish | None:
        """Turn the page, scroll, or go back."""
        match name:
            case "tab" | "shift_tab":
                self.rules, self._first = not self.rules, 0
            case "up" | "down" | "page_up" | "page_down":
                self._first = max(0, self._first + SCROLLS[name])
            case "back" | "help" | "enter":
                return Go(Where.BACK)
        return None

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Keys and what is asked, or the rules."""
        # Nothing is entered here, so the body takes the rows of Enter line and acts as well.
        body = Rect(layout.body.row, 0, layout.body.width, layout.foot - layout.body.row)
        if self.rules:
            self._draw_rules(canvas, panel(canvas, body, self._rules_title(), framed=layout.framed))
            return
        if layout.narrow:
            # Sentences do not scroll, keys do.
            asked = 1 + sum(len(wrap(sentence, body.width - 2)) for sentence in self._asked())
            rows = min(len(self._key_rows()) + 1, max(_LEAST_KEYS, body.height - asked))
            first, second = Rect(body.row, 0, body.width, rows), below(body, rows)
        else:
            first, second = split(body, body.width * 48 // 80)
        self._draw_keys(canvas, panel(canvas, first, _("Keys now"), framed=layout.framed))
        left = panel(canvas, second, _("What you may do"), framed=layout.framed)
        for sentence in self._asked():
            left = paragraph(canvas, left, sentence)

    def _asked(self) -> tuple[str, ...]:
        """What is asked of the reader on the screen behind this help."""
        if self.sentences:
            return self.sentences
        words = _SENTENCES.get(self.about)
        if words is not None:
            return words()
        if self.table is None:
            return form_help()
        before_or_after = self.about in (Place.READY, Place.OVER)
        return table_help(self.table) if before_or_after else asked_now(self.table)

    def _key_rows(self) -> list[tuple[str, str]]:
        """The keys of the screen: cap and what it does; the ranks are one row."""
        language = current_language()
        rows: list[tuple[str, str]] = _moves(self.about, self.table)
        ranks = {rank_action(rank) for rank in RANK_KEYS}
        together: dict[str, list[Action]] = {}
        # What works everywhere comes last: in a low window the keys of this very screen are in view.
        for action in sorted(actions_at(self.about), key=lambda one: Place.EVERYWHERE in one.places):
            if not is_later(action) and _does_something(action.name, self.about, self.table):
                together.setdefault(action.words, []).append(action)
        for words, actions in together.items():
            if actions[0].name in ranks:
                caps = " ".join(
                    [f"{self._lowest()}…9 0", *(rank_label(rank) for rank in Rank if rank > Rank.TEN)]
                )
            else:
                caps = " ".join(cap_of(action, language) for action in actions)
            rows.append((caps, action_help(words)))
        return rows

    def _lowest(self) -> int:
        """The lowest rank of the pack, as far as it is known."""
        rules = self._ruleset()
        return int(min(rules.ranks)) if rules.resolved else int(Rank.TWO)

    def _draw_keys(self, canvas: Canvas, rect: Rect) -> None:
        """One row a key."""
        rows = self._key_rows()
        wide = min(max(len(cap) for cap, _words in rows) + 2, rect.width // 2)
        hidden = max(0, len(rows) - rect.height)
        self._first = min(self._first, hidden)
        for row, (cap, words) in enumerate(rows[self._first :][: rect.height], rect.row):
            canvas.put(row, rect.column, clip(cap, wide - 1), NAME._replace(bold=True))
            canvas.put(row, rect.column + wide, clip(words, rect.width - wide))
        mark_hidden(canvas, rect, above=self._first > 0, below=self._first < hidden)

    def _ruleset(self) -> Ruleset:
        """The rules of the own table, or of the form that is usual."""
        return self.table.ruleset if self.table is not None else Ruleset.preset("pagat")

    def _seats(self) -> int | None:
        """How many play at the own table."""
        return self.table.seats if self.table is not None else None

    def _table_rules(self) -> TableRules:
        """The rules of the own table beside the game, or the usual ones."""
        return self.table.table_rules if self.table is not None else USUAL

    def _rules_title(self) -> str:
        """Which rules are shown."""
        return form_with_differences(self._ruleset(), self._seats(), self._table_rules())

    def _draw_rules(self, canvas: Canvas, rect: Rect) -> None:
        """How the game goes, then the rules of this table."""
        sentences = how_it_goes(self._ruleset())
        if self.table is None or self.table.table_rules.clock_s:
            sentences = (*sentences, *when_time_is_over())
        left = rect
        lines = rule_lines(self._ruleset(), self._seats(), self._table_rules())
        rows = [len(wrap(text, rect.width)) for text in sentences]
        rows[-1] += 1
        for line in lines:
            text = f"{line.text} ({line.usual})" if line.differs else line.text
            rows.append(len(wrap(text, max(1, rect.width - 2))))
        # The page ends when its last line stands at the bottom.
        last = len(rows)
        while last and sum(rows[last - 1 :]) <= rect.height:
            last -= 1
        self._first = min(self._first, last)
        for text in sentences[self._first :]:
            left = paragraph(canvas, left, text, BOLD)
        left = below(left, 1) if self._first < len(sentences) else left
        for line in lines[max(0, self._first - len(sentences)) :]:
            mark = "≠ " if line.differs else "· "
            text = f"{line.text} ({line.usual})" if line.differs else line.text
            left = paragraph(canvas, left, text, ACCENT if line.differs else MUTE, first=mark)
        mark_hidden(canvas, rect, above=self._first > 0, below=self._first < last)


_SENTENCES: Mapping[Place, Callable[[], tuple[str, ...]]] = {
    Place.LOBBY: lobby_help,
    Place.RESUME: resume_help,
    Place.FORM: form_help,
    Place.FIELD: field_help,
    Place.TRUST: trust_help,
    Place.LOG: log_help,
    Place.REPLAY: replay_help,
    Place.STATISTICS: past.helped,
    Place.RECORDS: past.records_helped,
    Place.BOTS: bots.helped,
    Place.SETTINGS: settings_help,
}
"""Screens whose help does not depend on the table."""


def _does_something(name: str, about: Place, table: TableSnapshot | None) -> bool:
    """Whether the key of an action does something on a screen, as the own table stands."""
    if table is None:
        return True
    if about is Place.TABLE:
        return works_now(name, Situation(table))
    if about is Place.READY:
        needs: Mapping[str, Callable[[TableSnapshot], object]] = _AT_READY
    else:
        needs = _AT_OVER if about is Place.OVER else {}
    return name not in needs or bool(needs[name](table))


_AT_READY: Final[Mapping[str, Callable[[TableSnapshot], object]]] = {
    "elsewhere": lambda table: table.reopened,
    "result": lambda table: table.before,
}
_AT_OVER: Final[Mapping[str, Callable[[TableSnapshot], object]]] = {
    "elsewhere": after_deal.way_back,
    "go_on_without": after_deal.may_end_wait,
    "reopen": after_deal.may_reopen,
    "talk": lambda table: not table.watching,
    "mute": lambda table: not table.watching,
}
"""What some keys need before and after a deal; without it they do nothing, and say nothing."""


def _moves(  # noqa: PLR0911 - one for each kind of screen
    about: Place, table: TableSnapshot | None
) -> list[tuple[str, str]]:
    """The keys that move about on a screen and are no actions of their own."""
    scroll, choose, change = ("↑ ↓", _("scroll")), _("choose a field"), ("← →", _("change it"))
    may_start = table is None or keeps_waiting(table) is not None
    match about:
        case Place.LOBBY:
            return [("↑ ↓", _("choose a table")), ("Space", _("what it plays, in a narrow window"))]
        case Place.FORM | Place.SETTINGS:
            typed = _("type a name or a code") if about is Place.FORM else _("type your name")
            kept = ("Enter Esc", _("keep what was typed, or not"))
            return [("↑ ↓ Tab", choose), change, ("→", typed), kept]
        case Place.FIELD:
            return [("← →", _("move in what is typed"))]
        case Place.READY:
            return [scroll, *([("Space", _("start without the last one"))] if may_start else [])]
        case Place.BOTS:
            return [("↑ ↓", choose), change]
        case Place.RECORDS:
            return [("↑ ↓", _("choose a deal"))]
    return [scroll] if about in (Place.TRUST, Place.LOG, Place.STATISTICS, Place.OVER) else []
