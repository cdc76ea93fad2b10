"""The canvas: painting, literal text, clipping by cells, hit-testing."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ui.literal import literal
from ui.table.canvas import Canvas, Ink, clip, clip_name, wrap


def test_later_painting_covers_earlier_and_takes_its_clicks() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "aaaa", target="left")
    canvas.put(0, 2, "bb", target="right")
    assert canvas.text(0) == "aabb"
    assert [canvas.hit(0, column) for column in range(6)] == ["left"] * 2 + ["right"] * 2 + [None] * 2


def test_painting_outside_is_cut_off_at_any_size() -> None:
    for width, height in ((0, 0), (1, 1), (3, 2)):
        canvas = Canvas(width, height)
        canvas.put(-1, -2, "outside")
        canvas.put(0, -2, "abcdefg")
        canvas.put(5, 0, "below")
        canvas.fill(-3, -3, 20, 20, Ink("mute"))
        assert len(canvas.lines()) == height
        assert all(cell_len(line) <= width for line in canvas.lines())


def test_control_and_format_characters_are_shown_as_question_marks() -> None:
    assert literal("a\x1b[31mb\u202ec\u200bd\ne") == "a?[31mb?c?d?e"
    canvas = Canvas(20, 1)
    canvas.put(0, 0, "[/] [@click=app.quit]\x1b")
    assert canvas.text(0) == "[/] [@click=app.quit"


def test_a_wide_character_takes_two_cells_and_never_half_of_the_edge() -> None:
    canvas = Canvas(5, 1)
    assert canvas.put(0, 0, "田中太") == 6
    assert cell_len(canvas.text(0)) <= 5
    canvas.put(0, 1, "x")
    assert canvas.text(0) == " x中"


def test_combining_marks_join_the_cell_before_them() -> None:
    canvas = Canvas(4, 1)
    assert canvas.put(0, 0, "e\u0301b") == 2
    assert canvas.text(0) == "e\u0301b"


@given(st.text(max_size=40), st.integers(0, 20))
def test_clipped_text_fits_whatever_it_is(text: str, width: int) -> None:
    assert cell_len(clip(text, width)) <= width


@given(st.text(alphabet="ab я田 ", max_size=60), st.integers(4, 20))
def test_wrapped_lines_fit_whatever_they_hold(text: str, width: int) -> None:
    assert all(cell_len(line) <= width for line in wrap(text, width))


def test_only_what_differs_is_repainted() -> None:
    before, after = Canvas(10, 3), Canvas(10, 3)
    before.put(1, 2, "abc")
    after.put(1, 2, "axc")
    assert list(after.changed_spans(before)) == [(1, 3, 4)]
    after.put(1, 3, "b", target="new target only")
    assert list(after.changed_spans(before)) == []


def test_runs_join_cells_of_one_ink() -> None:
    canvas = Canvas(5, 1)
    canvas.put(0, 0, "ab", Ink(bold=True))
    assert list(canvas.runs(0)) == [("ab   ", Ink(bold=True))]


def test_a_name_is_cut_before_the_fingerprint_that_tells_it_from_another() -> None:
    assert clip_name("Wilhelmina 9XW2", 16) == "Wilhelmina 9XW2"
    assert clip_name("Wilhelmina of Wolfsburg 9XW2", 16) == "Wilhelmina… 9XW2"
    assert clip_name("Wilhelmina of Wolfsburg", 10) == "Wilhelmin…"
    assert clip_name("田中さんと鈴木さん 9XW2", 10) == "田中… 9XW2"


def test_what_differs_far_apart_in_a_row_is_repainted_in_two_goes() -> None:
    before, after = Canvas(40, 1), Canvas(40, 1)
    after.put(0, 2, "ab")
    after.put(0, 8, "c")
    after.put(0, 30, "d")
    assert list(after.changed_spans(before)) == [(0, 2, 9), (0, 30, 31)]


def test_wide_characters_are_repainted_whole() -> None:
    before, after = Canvas(10, 1), Canvas(10, 1)
    before.put(0, 2, "王")
    after.put(0, 2, "李")
    assert list(after.changed_spans(before)) == [(0, 2, 4)]


def test_a_blank_of_another_ink_on_the_same_ground_is_no_difference() -> None:
    before, after = Canvas(10, 1), Canvas(10, 1)
    after.fill(0, 0, 10, 1, Ink("mute", bold=True))
    assert list(after.changed_spans(before)) == []
    for ink in (Ink(back="panel"), Ink(reverse=True), Ink(filled=True), Ink(italic=True)):
        after.fill(0, 0, 10, 1, ink)
        assert list(after.changed_spans(before)) == [(0, 0, 10)]


def test_runs_keep_what_is_seen_of_a_blank() -> None:
    canvas = Canvas(7, 1)
    canvas.put(0, 0, "a", Ink("mute", bold=True))
    canvas.fill(0, 1, 2, 1, Ink(back="panel"))
    canvas.put(0, 3, " ", Ink("line", reverse=True))
    canvas.put(0, 4, "b", Ink(italic=True))
    assert list(canvas.runs(0)) == [
        ("a", Ink("mute", bold=True)),
        ("  ", Ink("mute", "panel", bold=True)),
        (" ", Ink("line", reverse=True)),
        ("b", Ink(italic=True)),
        ("  ", Ink()),
    ]
