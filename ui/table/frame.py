"""The parts that every screen of the table shares: top line, banner, Enter line, acts, foot."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from ui.glyphs import CHOSEN_LEFT, CHOSEN_RIGHT, EVENT, FALSE, LOGO, QUIET, TROUBLE, TRUE, TURN
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.words import table as table_words
from ui.words.banner import Banner, BannerKind
from ui.words.enter import EnterLine

PANEL = Ink("foreground", "panel")

_TITLE_CELLS = 7


@dataclass(frozen=True, slots=True)
class Press:
    """A click target: the same as the key of an action of `ui.keys`."""

    name: str


@dataclass(frozen=True, slots=True)
class Cap:
    """A key's cap and its words. `fill` is the theme variable of the cap's ground; dead caps are dim."""

    cap: str
    words: str
    name: str
    fill: str = "panel"
    live: bool = True
    chosen: bool = False


_BANNERS = {
    BannerKind.TURN: (TURN, Ink("on", "accent", bold=True, filled=True)),
    BannerKind.EVENT: (EVENT, Ink("on", "primary", bold=True, filled=True)),
    BannerKind.TROUBLE: (TROUBLE, Ink("on", "warning", bold=True, filled=True)),
    BannerKind.QUIET: (QUIET, PANEL),
}


def table_place(title: str, form: str, deal: int, width: int) -> str:
    """Return a table's place for the top line, in so many cells.

    Deal and form go before more of the title is cut off than leaves it to be known again.
    """
    named = f" · {table_words.form_name(form)}"
    least = min(cell_len(title), _TITLE_CELLS)
    for tail in (f"{named} · {table_words.deal_number(deal)}", f"{named} · {deal}", named):
        if least + cell_len(tail) <= width:
            return clip(title, width - cell_len(tail)) + tail
    return clip(title, width)


def draw_top(
    canvas: Canvas, place: str, *, good: bool, trust: str, clock: str, warn_clock: bool = False
) -> None:
    """Paint the top line: the place, clipped, on the left; trust word and clock on the right."""
    canvas.fill(0, 0, canvas.width, 1, PANEL)
    right = canvas.width - 1
    if clock:
        right -= cell_len(clock)
        canvas.put(0, right, clock, Ink("text-warning" if warn_clock else "foreground", "panel", bold=True))
        right -= 2
    if trust:
        words = f"{TRUE if good else FALSE} {trust}"
        right -= cell_len(words)
        ink = Ink("text-success" if good else "text-error", "panel")
        canvas.put(0, max(0, right), words, ink, Press("trust"))
        right -= 2
    column = canvas.put(0, 1, f"{LOGO} Verish", Ink("text-primary", "panel", bold=True))
    canvas.put(0, column + 2, clip(place, right - column - 2), PANEL)


def draw_banner(canvas: Canvas, row: int, banner: Banner) -> None:
    """Paint the banner over the whole width."""
    glyph, ink = _BANNERS[banner.kind]
    canvas.fill(row, 0, canvas.width, 1, ink)
    canvas.put(row, 1, clip(f"{glyph} {banner.line}", canvas.width - 2), ink)


def draw_enter(
    canvas: Canvas, row: int, line: EnterLine, cap: str, *, hollow: bool = False, note: str = ""
) -> int:
    """Paint the Enter line. hollow: Enter is dead for the moment. note: an answer that stands instead of it.

    Returns: how many rows were painted; a long note takes that of the acts as well.
    """
    if note:
        return _draw_note(canvas, row, note)
    if not line.live:
        text = "  ".join(filter(None, line.fitted(canvas.width - 2)))
        canvas.put(row, 1, clip(text, canvas.width - 2), Ink("mute"))
        return 1
    target = Press("enter")
    if hollow:
        column = canvas.put(row, 1, f"[{cap}]", Ink("text-accent"), target)
    else:
        column = canvas.put(row, 1, f" {cap} ", Ink("on", "accent", bold=True, filled=True), target)
    text, aside = line.fitted(canvas.width - column - 2)
    column = canvas.put(row, column + 1, clip(text, canvas.width - column - 2), Ink(bold=True), target)
    canvas.put(row, column + 2, aside, Ink("mute"))
    return 1


def _draw_note(canvas: Canvas, row: int, note: str) -> int:
    ink = Ink("text-warning", bold=True)
    first, *more = wrap(note, max(1, canvas.width - 4))
    canvas.put(row, 1, f"{TROUBLE} {first}", ink)
    if not more:
        return 1
    canvas.put(row + 1, 3, clip(" ".join(more), canvas.width - 4), ink)
    return 2


def draw_acts(canvas: Canvas, row: int, caps: Sequence[Cap]) -> None:
    """Paint the acts, as many as fit; what is worth least stands on the right and is dropped first."""
    column = 1
    for cap in caps:
        width = cell_len(cap.cap) + 2 + (cell_len(cap.words) + 1 if cap.words else 0)
        if column + width > canvas.width - 1:
            return
        target = Press(cap.name)
        column = canvas.put(row, column, f" {cap.cap} ", _cap_ink(cap), target)
        if cap.words:
            words_ink = Ink() if cap.live else Ink("mute")
            column = canvas.put(row, column + 1, cap.words, words_ink, target)
        column += 2


def _cap_ink(cap: Cap) -> Ink:
    if not cap.live:
        return Ink("mute", "panel", filled=False)
    if cap.fill == "panel":
        return Ink("foreground", "panel", bold=True, filled=True)
    return Ink("on", cap.fill, bold=True, filled=True)


def draw_ranks(canvas: Canvas, row: int, caps: Sequence[Cap]) -> None:
    """Paint the ranks to name, the chosen one marked; all fit into the least width."""
    column = 1
    step = 4 if canvas.width < 76 else 6
    for cap in caps:
        target = Press(cap.name)
        if cap.chosen:
            text = f"{CHOSEN_LEFT}{cap.cap}{CHOSEN_RIGHT}"
            canvas.put(row, column, text, Ink("on", "accent", bold=True, filled=True), target)
        else:
            text = f" {cap.cap} " if cell_len(cap.cap) < 2 or step > 4 else f"{cap.cap} "
            ink = Ink("foreground" if cap.live else "mute", "panel", bold=cap.live, filled=cap.live)
            canvas.put(row, column, text, ink, target)
        column += max(step, cell_len(text))


def draw_foot(canvas: Canvas, row: int, caps: Sequence[Cap]) -> None:
    """Paint the foot: other keys, dropped from the right."""
    canvas.fill(row, 0, canvas.width, 1, PANEL)
    column = 1
    for cap in caps:
        width = cell_len(cap.cap) + 1 + cell_len(cap.words)
        if column + width > canvas.width:
            return
        target = Press(cap.name)
        column = canvas.put(row, column, cap.cap, Ink("text-primary", "panel", bold=True), target)
        column = canvas.put(row, column + 1, cap.words, Ink("mute", "panel"), target) + 2
