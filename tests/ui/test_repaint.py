"""A turn costs a terminal few bytes, and what they paint is the picture."""

import random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metered import Glass, MeteredTable
from model_table import ModelTable, to_answer
from pilots import settled
from rich.ansi import AnsiDecoder
from rich.color import Color
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot
from textual.strip import Strip

from engine import DiscardSets, Duty, Seat, choices
from ui.repaint import briefly_styled

TURN_BYTES = 4000
HAND_BYTES = 5500
MANY_CARDS = 24
"""A larger hand than this that is laid out anew costs more than all the rest of a turn."""
ME = Seat(3)
CLOCK_BYTES = 100
MOVES = 60

_COLORS = st.sampled_from(["default", "red", "bright_blue", "color(200)", "#102030", "#ffee00"])
_FLAGS = st.sampled_from([None, True, False])
_STYLES = st.builds(
    lambda fore, back, bold, dim, italic, under, double, reverse: Style(
        color=fore,
        bgcolor=back,
        bold=bold,
        dim=dim,
        italic=italic,
        underline=under,
        underline2=double,
        reverse=reverse,
    ),
    *[st.none() | _COLORS] * 2,
    *[_FLAGS] * 6,
)
_PIECES = st.lists(st.tuples(st.text("ab ", min_size=1, max_size=3), _STYLES | st.none()), max_size=8)


def _read(sent: str) -> list[tuple[str, str]]:
    """Each character and its style, as a terminal reads them."""
    console, text = Console(), AnsiDecoder().decode_line(sent)
    parts = [text.get_style_at_offset(console, place) for place in range(len(text.plain))]
    return [(character, _told(style)) for character, style in zip(text.plain, parts, strict=True)]


def _told(style: Style) -> str:
    colors = [Color.default() if color is None else color for color in (style.color, style.bgcolor)]
    flags = (style.bold, style.dim, style.italic, style.underline, style.underline2, style.reverse)
    return f"{[color.get_ansi_codes() for color in colors]} {[bool(flag) for flag in flags]}"


@given(_PIECES)
def test_brief_styles_look_like_those_that_are_said_whole(pieces: list[tuple[str, Style | None]]) -> None:
    console = Console(color_system="truecolor", force_terminal=True)
    sent = Strip([Segment(text, style) for text, style in pieces]).render(console)
    assert _read(briefly_styled(sent)) == _read(sent)
    assert len(briefly_styled(sent)) <= len(sent)


@pytest.mark.parametrize(
    ("sent", "brief"),
    [
        ("\x1b[31;44ma\x1b[0m\x1b[32;44mb\x1b[0m", "\x1b[31;44ma\x1b[32mb\x1b[0m"),
        ("\x1b[31ma\x1b[0m\x1b[31mb\x1b[0m", "\x1b[31mab\x1b[0m"),
        ("\x1b[1;31ma\x1b[0m\x1b[31mb\x1b[0m", "\x1b[1;31ma\x1b[22mb\x1b[0m"),
        ("\x1b[31;44ma\x1b[0m\x1b[31mb\x1b[0m", "\x1b[31;44ma\x1b[0;31mb\x1b[0m"),
        ("\x1b[44m\x1b[1ma\x1b[0m\x1b[1;31mb\x1b[0m", "\x1b[44m\x1b[1ma\x1b[0m\x1b[1;31mb\x1b[0m"),
        ("\x1b[31ma\x1b[0m\x1b[3;4H\x1b[32mb\x1b[0m", "\x1b[31ma\x1b[3;4H\x1b[32mb\x1b[0m"),
        ("\x1b[31ma\x1b[0m\n\x1b[3;1H\x1b[32mb\x1b[0m", "\x1b[31ma\n\x1b[3;1H\x1b[32mb\x1b[0m"),
        ("\x1b[31ma\x1b[0m\n\x1b[31mb\x1b[0m", "\x1b[31ma\x1b[0m\n\x1b[31mb\x1b[0m"),
        ("\x1b[31ma\x1b[0m\x1b[1;1H", "\x1b[31ma\x1b[0m\x1b[1;1H"),
        ("\x1b[?25l\x1b[2Jplain", "\x1b[?25l\x1b[2Jplain"),
    ],
)
def test_only_between_pieces_that_follow_on_each_other_is_less_said(sent: str, brief: str) -> None:
    assert briefly_styled(sent) == brief


def _move_on(model: ModelTable, luck: random.Random) -> None:
    """Let whoever owes a move make one."""
    if model.forced():
        return
    state = model.state
    owed = state.owed[0]
    if owed.duty is Duty.DISCARD_SETS:
        model.play(DiscardSets(owed.seat, (), ()))
        return
    may = choices(state)
    if may.may_doubt and (not may.most or luck.random() < 0.3):
        model.call(owed.seat)
    else:
        count, rank = luck.randint(max(1, may.least), may.most), luck.choice(may.ranks)
        model.lay(owed.seat, count, rank, lie=luck.random() < 0.3)


@pytest.fixture
def true_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dearest terminal."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


async def _seen(app: MeteredTable, pilot: Pilot[int], glass: Glass) -> int:
    """Let the terminal show what has happened; return what it cost."""
    app.table.update_table(app.model.snapshot())
    await settled(pilot)
    sent = app.take_sent()
    glass.take(sent)
    assert glass.shows == app.picture
    return len(sent.encode())


@pytest.mark.parametrize("names", [("Vera", "Anna", "Boris", "Oleg"), ("山田", "林檎", "田中さん", "王")])
async def test_every_move_repaints_few_bytes_and_all_that_differs(
    names: tuple[str, ...], true_colors: None
) -> None:
    app = MeteredTable(to_answer(names))
    glass, luck = Glass(), random.Random(7)
    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        await settled(pilot)
        await _seen(app, pilot, glass)
        costs, held = [], len(app.model.state.hand_of(ME))
        for _ in range(MOVES):
            _move_on(app.model, luck)
            cost = await _seen(app, pilot, glass)
            before, held = held, len(app.model.state.hand_of(ME))
            large = held != before and max(held, before) > MANY_CARDS
            assert cost < (HAND_BYTES if large else TURN_BYTES), app.model.happened[-1]
            costs.append(cost)
    assert median(costs) < TURN_BYTES / 2


async def test_what_is_repainted_without_colors_is_the_picture_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    app = MeteredTable(to_answer())
    glass, luck = Glass(), random.Random(7)
    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        await settled(pilot)
        for _ in range(MOVES // 3):
            await _seen(app, pilot, glass)
            _move_on(app.model, luck)
            await pilot.press("right", "space")


async def test_a_reveal_unfolds_in_few_bytes(true_colors: None) -> None:
    app = MeteredTable(to_answer(), animate=True)
    glass = Glass()
    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        await settled(pilot)
        await _seen(app, pilot, glass)
        app.model.call(ME)
        cost = await _seen(app, pilot, glass)
        app.model.settle()
        cost += await _seen(app, pilot, glass)
        while app.table.flow.showing:
            app.ticks.pass_s(0.1)
            cost += await _seen(app, pilot, glass)
    assert cost < 2 * TURN_BYTES


async def test_one_more_second_is_paint_of_the_clock_alone(true_colors: None) -> None:
    app = MeteredTable(to_answer())
    glass = Glass()
    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        await settled(pilot)
        await _seen(app, pilot, glass)
        app.ticks.pass_s(1.0)
        assert 0 < await _seen(app, pilot, glass) < CLOCK_BYTES
        assert await _seen(app, pilot, glass) == 0
