"""The time that is left for a choice: never more hurried than promised, and in its own cell."""

from dataclasses import replace

import pytest
from model_table import ModelTable, cards

from engine import Laid, Rank, Seat
from p2p.protocol.table_rules import TableRules
from ui import i18n
from ui.table.flow import Flow
from ui.table.logbook import worded
from ui.table.scene import clock_words, draw_scene, with_clock
from ui.table.situation import Situation
from ui.table.size import Size
from ui.words.situation import asked_now

ME = Seat(3)


class Time:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def timed(clock_s: int = 30, *, mine: bool = True) -> tuple[ModelTable, Flow, Time]:
    """A table with a turn clock, at which it is my turn, or that of somebody before me."""
    model = ModelTable(
        ("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME, table_rules=TableRules(clock_s=clock_s)
    )
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD"))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3)
    if mine:
        model.lay(Seat(2), 3, lie=True)
    time = Time()
    return model, Flow(model.snapshot(), time, animate=False), time


def top(flow: Flow, width: int = 80) -> str:
    """The top line."""
    return draw_scene(flow.scene(), Size(width, 24)).lines()[0]


def test_my_own_time_runs_down_and_is_marked_when_it_is_short() -> None:
    _, flow, time = timed()
    assert top(flow).rstrip().endswith("0:30 left")
    time.now = 19.5
    assert "  0:10 left" in top(flow)
    time.now = 22.0
    assert "! 0:08 left" in top(flow)
    time.now = 31.0
    assert "! 0:00 left" in top(flow)


def test_the_time_of_the_others_is_an_estimate_and_never_marked() -> None:
    _, flow, time = timed(mine=False)
    time.now = 25.0
    assert "~0:05 left" in top(flow)
    assert clock_words(flow.scene())[1] is False


def test_without_a_clock_the_time_that_has_passed_is_shown_as_ever() -> None:
    model, _, time = timed()
    model.table_rules = TableRules()
    flow = Flow(model.snapshot(), time, animate=False)
    time.now = 42.0
    assert top(flow).rstrip().endswith(" 0:42")
    assert "left" not in top(flow)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_second_changes_the_cells_of_the_clock_only(width: int, language: str) -> None:
    i18n.use_language(language)
    _, flow, time = timed()
    size = Size(width, 24)
    before, scene = draw_scene(flow.scene(), size), flow.scene()
    time.now = 1.0
    later = flow.scene()
    assert later.only_later_than(scene)
    after = with_clock(before, later, size)
    assert list(after.lines())[1:] == list(before.lines())[1:]
    old, new = before.lines()[0], after.lines()[0]
    changed = [column for column, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
    assert changed
    assert changed[-1] - changed[0] < 4
    assert list(after.lines()) == list(draw_scene(later, size).lines())


def test_help_says_what_the_program_will_do_when_my_time_is_over() -> None:
    model, _, _ = timed()
    assert asked_now(model.snapshot())[-1] == (
        "When your time is over, the program says “I don't believe” for you."
    )
    model.table_rules = TableRules()
    assert "When your time is over" not in " ".join(asked_now(model.snapshot()))


@pytest.mark.parametrize("width", [60, 80, 144])
def test_the_table_says_below_the_log_what_the_program_will_do_when_my_time_is_over(width: int) -> None:
    model, flow, _ = timed()
    size = Size(width, 30)
    promised = "When your time is over, the program says “I don't believe” for you."

    def shown(flow: Flow) -> str:
        return " ".join(" ".join(draw_scene(flow.scene(), size).lines()).replace("│", " ").split())

    # In a wide window the log has a column of its own, so that only parts of a sentence stand in a row.
    assert (promised if width < 144 else promised[:20]) in shown(flow)
    flow.press("cover")
    assert promised[:20] not in shown(flow)
    _, others, _ = timed(mine=False)
    assert promised[:20] not in shown(others)
    model.table_rules = TableRules()
    assert promised[:20] not in shown(Flow(model.snapshot(), Time(), animate=False))


def test_the_log_says_above_my_lay_that_the_program_made_it() -> None:
    model, _, _ = timed()
    table = model.snapshot()
    last = next(number for number, one in enumerate(table.happened) if isinstance(one.event, Laid))
    happened = tuple(
        replace(one, lapsed=True) if number == last else one for number, one in enumerate(table.happened)
    )
    lines = [line.text for line in worded(Situation(table), happened)]
    at = lines.index("Your time ran out: the program plays for you.")
    assert lines[at + 1] == "“one queen”"
    assert lines.count("Your time ran out: the program plays for you.") == 1
