"""Text from peers: what is removed, what is kept, where it is cut, and what looks alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.protocol.text import (
    NAME_BYTES,
    NAME_CHARACTERS,
    TextError,
    TextProblem,
    clean_name,
    clean_title,
    cut_bytes,
    own_name,
    own_title,
    skeleton,
)


@pytest.mark.parametrize(
    "raw",
    [
        " Boris",
        "Boris\u00a0",
        "\u200bBo\u200dris\u2060",
        "Boris\U000e0041\U000e007f",
        "\u202eBoris\u202c",
        "\u2066Boris\u2069\u200f\u200e",
        "Bo\u00adris\ufeff",
        "\u3164Boris\u2800",
        "Boris\ufe0f",
        "\x00Boris\x07\x9b\x85",
        "\n\r\tBoris\u2028",
        "\u0301Boris",
    ],
)
def test_invisible_and_steering_characters_leave_the_plain_name(raw: str) -> None:
    assert clean_name(raw) == "Boris"


@pytest.mark.parametrize(
    "raw",
    [
        "\x1b]0;owned\x07",
        "\x1b]8;;http://x\x1b\\link",
        "\x1b]52;c;aGk=\x07",
        "\x1b[2J",
        "\x9b2J",
        "\x1b]0;for ever",
    ],
)
def test_no_control_code_of_a_terminal_survives(raw: str) -> None:
    assert not any(unicodedata.category(character) == "Cc" for character in clean_title(raw))


@pytest.mark.parametrize("raw", ["[/]", "[bold", "[b + 1", "[00]", "[@click=app.quit]x"])
def test_markup_is_kept_literally(raw: str) -> None:
    assert clean_name(raw) == raw


def test_white_space_of_every_kind_becomes_one_plain_space() -> None:
    assert clean_title("Evening\u2003\u00a0\n\n game\t\u3000 2") == "Evening game 2"


def test_names_are_composed() -> None:
    assert clean_name("Андреи\u0306") == "Андрей"


def test_heaps_of_marks_are_cut_to_two() -> None:
    assert clean_name("q" + "\u0316" * 40) == "q\u0316\u0316"


def test_a_long_name_is_cut_at_a_character_within_both_bounds() -> None:
    name = clean_name("Ж" * 40)
    assert set(name) == {"Ж"}
    assert len(name) <= NAME_CHARACTERS
    assert len(name.encode()) <= NAME_BYTES
    assert cut_bytes("Ж" * 40, 63) == "Ж" * 31
    assert len(clean_name("😀" * 40).encode()) <= NAME_BYTES


def test_a_million_characters_are_not_read_through() -> None:
    assert clean_name("x" * 1_000_000) == "x" * NAME_CHARACTERS


@pytest.mark.parametrize("raw", ["", "   ", "\u200b\u202e", "\n\n", "\U000e0041"])
def test_a_title_of_nothing_visible_comes_out_empty(raw: str) -> None:
    assert clean_title(raw) == ""


@given(st.text(max_size=80))
def test_cleaning_twice_is_cleaning_once(raw: str) -> None:
    once = clean_name(raw)
    assert clean_name(once) == once
    assert len(once) <= NAME_CHARACTERS
    assert len(once.encode()) <= NAME_BYTES
    assert all(unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in once)


@pytest.mark.parametrize("raw", ["Bo\rris", "Bo\nris", "Boris\x07", "Bo\u2028ris"])
def test_the_own_name_with_control_characters_is_refused(raw: str) -> None:
    with pytest.raises(TextError) as refused:
        own_name(raw)
    assert refused.value.problem is TextProblem.CONTROL


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", TextProblem.EMPTY),
        ("  \u200b ", TextProblem.EMPTY),
        ("t" * 300, TextProblem.LONG),
        ("a\nb", TextProblem.CONTROL),
    ],
)
def test_a_bad_own_title_is_refused_with_its_reason(raw: str, problem: TextProblem) -> None:
    with pytest.raises(TextError) as refused:
        own_title(raw)
    assert refused.value.problem is problem


def test_a_good_own_name_is_trimmed_and_kept() -> None:
    assert own_name("  Вера ") == "Вера"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Boris", "Воris"),
        ("Anna", "Аnnа"),
        ("Oleg", "0leg"),
        ("Oleg", "Оlеg"),
        ("pocax", "росах"),
        ("Bill", "BiII"),
        ("Boris", "boris"),
        ("Boris", "Bórís"),
        ("Boris", "Bo ris"),
        ("Boris", "Ｂｏｒｉｓ"),
    ],
)
def test_look_alikes_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Boris", "Vera"), ("Анна", "Вера"), ("Anna", "Anja"), ("Олег", "Ольга")]
)
def test_different_names_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)
