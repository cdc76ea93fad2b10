"""The pages below the promises: the proof itself, and fingerprints to be compared aloud."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import Binding, BindingType

from p2p.protocol.deal_views import CardReading
from p2p.protocol.snapshot import MemberView, TableSnapshot
from ui.columns import Fit, table_lines
from ui.glyphs import FALSE, TRUE
from ui.keys import Place
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.frame import Cap, Press, draw_acts
from ui.table.pages import ReadingScreen
from ui.table.proof import who_reads
from ui.table.situation import Situation
from ui.table.size import Size
from ui.table.view import CanvasView
from ui.words import proof, trust
from ui.words import table as table_words
from ui.words.people import Who

_SHORT_HEAD: Final = 16
"""Hexadecimal digits of a head that are shown: enough to be compared aloud."""


class ProofScreen(ReadingScreen):
    """What each player has proven, and who can read which cards, from the live table.

    readings: asked whenever the page is drawn.
    """

    place = Place.TRUST

    def __init__(self, table: TableSnapshot, readings: Callable[[], Sequence[CardReading]]) -> None:
        super().__init__(table)
        self._readings = readings

    def draw(self, size: Size) -> Canvas:
        """Paint two tables and the head."""
        table = self.table
        canvas, rect = self.frame(
            size, f"{table.title} · {table_words.deal_number(table.deal)}", proof.title()
        )
        lines = self._lines(rect.width)
        self.scrolled = min(self.scrolled, max(0, len(lines) - rect.height))
        for number, (text, ink) in enumerate(lines[self.scrolled : self.scrolled + rect.height]):
            canvas.put(rect.row + number, rect.column, clip(text, rect.width), ink)
        self.draw_back(canvas, size)
        return canvas

    def _lines(self, width: int) -> list[tuple[str, Ink]]:
        table, quiet = self.table, Ink("mute")
        situation = Situation(table)
        members = {member.seat: member for member in table.members if member.seat is not None}
        proven = [
            (
                Who(members[one.seat].name, members[one.seat].own).label,
                members[one.seat].fingerprint,
                TRUE if one.key_proven else FALSE,
                str(one.shuffles),
                str(one.shares),
                f"{one.seals}/{table.trust.seals_complete}",
            )
            for one in table.trust.seats
            if one.seat in members
        ]
        rows = [(one.cards, one.readers, one.since) for one in who_reads(situation, self._readings())]
        names = Fit(shrink=(0,))
        numbers = range(3, 6)
        checked = table_lines(proof.proven_head(), proven, right=numbers, width=width, fit=names)
        found = _head_quiet(checked)
        if rows:
            readers = table_lines(proof.readers_head(), rows, width=width, fit=Fit(shrink=(1, 0)))
            found += [("", quiet), *_head_quiet(readers)]
        found += [("", quiet), (trust.seals_line(table), quiet)]
        if table.head is not None:
            words = table.head.hex()[:_SHORT_HEAD]
            spaced = " ".join(words[at : at + 4] for at in range(0, len(words), 4))
            found += [(line, quiet) for line in wrap(proof.head(spaced), width)]
        return found


class FingerprintScreen(ReadingScreen):
    """One player's fingerprint, big; the arrows go on to the next one."""

    place = Place.TRUST
    scrolls = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", "next", show=False),
        Binding("right", "turn(1)", "next", show=False),
    ]

    def __init__(self, table: TableSnapshot) -> None:
        super().__init__(table)
        self._at = 0

    @property
    def _member(self) -> MemberView:
        everybody = self.table.everybody
        return everybody[self._at % len(everybody)]

    def action_turn(self, by: int) -> None:
        """Show the next player's, or the one's before."""
        self._at = (self._at + by) % len(self.table.everybody)
        self.redraw()

    def on_canvas_view_clicked(self, event: CanvasView.Clicked) -> None:
        """The cap goes on as the right arrow does."""
        if isinstance(event.target, Press) and event.target.name == "turn":
            self.action_turn(1)

    def draw(self, size: Size) -> Canvas:
        """Paint the name, the four groups far apart, and what to do with them."""
        canvas, rect = self.frame(size, self.table.title, proof.fingerprint_title())
        member = self._member
        who = Who(member.name, member.own)
        row = rect.row + max(0, (rect.height - 7) // 2)
        _centred(canvas, row, rect.column, rect.width, who.label, Ink("text-primary", bold=True))
        groups = "   ".join(" ".join(group) for group in member.fingerprint.split("-"))
        _centred(canvas, row + 2, rect.column, rect.width, groups, Ink("text-accent", bold=True))
        for number, line in enumerate(wrap(proof.read_aloud(who), rect.width)):
            _centred(canvas, row + 4 + number, rect.column, rect.width, line, Ink("mute"))
        self.draw_back(canvas, size)
        draw_acts(canvas, size.height - 2, (Cap("← →", proof.next_player(), "turn"),))
        return canvas


def _centred(canvas: Canvas, row: int, column: int, width: int, text: str, ink: Ink) -> None:
    shown = clip(text, width)
    canvas.put(row, column + (width - cell_len(shown)) // 2, shown, ink)


def _head_quiet(lines: Sequence[str]) -> list[tuple[str, Ink]]:
    """Lines of a table with its head in quiet ink."""
    return [(line, Ink("mute") if number == 0 else Ink()) for number, line in enumerate(lines)]
