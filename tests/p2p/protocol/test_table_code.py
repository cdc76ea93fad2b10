"""Codes as people say them, and how often they may be guessed."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.protocol.code_gate import exchange_names
from p2p.protocol.guesses import GUESSES_IN_ALL, GUESSES_PER_HOST, MINUTE_S, Guesses
from p2p.protocol.peer_core import Channel
from p2p.protocol.table_code import (
    CODE_CHARACTERS,
    CODE_LEAST,
    CodeError,
    CodeProblem,
    TableCode,
    new_code,
    own_code,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4821 9037", "48219037"),
        ("4821 9037", "4821-9037"),
        ("Red Cat 7", "red   cat, 7!"),
        ("КРАСНЫЙ кот", "красный КОТ"),
        ("ёжики", "е\u0308жики\u200b!"),
        ("４８２１９０３７", "48219037"),
        ("STRASSE", "straße"),
        ("ﬁnale", "finale"),
    ],
)
def test_spellings_that_people_take_for_one_are_one_code(one: str, other: str) -> None:
    if len(one) >= CODE_LEAST and len(other) >= CODE_LEAST:
        own_code(one), own_code(other)
    assert TableCode(one).password == TableCode(other).password


def test_names_and_password_are_those_of_the_protocol_pages_example() -> None:
    channel = Channel("192.0.2.1", b"\x6c" * 32)
    names = exchange_names(b"\x61" * 32, b"\x62" * 32, b"\x6f" * 16, channel)
    assert [one.hex() for one in (TableCode("4821 9037").password, *names)] == [
        "444d922d63aa03ebfe1e3121742cf5a7f9bd5f8909cff20e99f63b5e621a6e26",
        "d68e896af870b0802a1a017ac11e921c83e7dfe37af4c6e4e4ea4596de8ca704",
        "80f912e12de6e925c42ef6c995672c7d7cc7d5c5e9cb8f58014e4e50cd776294",
    ]


def test_different_codes_differ() -> None:
    codes = ["482190", "482109", "красный кот", "красный кит", "red cat", "rad cat"]
    assert len({own_code(code).password for code in codes}) == len(codes)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", CodeProblem.EMPTY),
        ("   ", CodeProblem.EMPTY),
        ("- - -!", CodeProblem.EMPTY),
        ("12345", CodeProblem.SHORT),
        ("1 2 3 4 5 .", CodeProblem.SHORT),
        ("x" * (CODE_CHARACTERS + 1), CodeProblem.LONG),
        ("line\nline", CodeProblem.CONTROL),
        ("123456\x1b[2J", CodeProblem.CONTROL),
    ],
)
def test_a_code_that_cannot_be_used_is_refused_with_its_reason(raw: str, problem: CodeProblem) -> None:
    with pytest.raises(CodeError) as caught:
        own_code(raw)
    assert caught.value.problem is problem
    assert raw.strip() == "" or raw not in str(caught.value)


def test_new_codes_are_eight_digits_in_two_groups_and_all_different() -> None:
    codes = [new_code(random.Random(seed).randbytes) for seed in range(50)]
    assert all(re.fullmatch(r"\d{4} \d{4}", code.text) for code in codes)
    assert len({code.text for code in codes}) == len(codes)
    assert all(own_code(code.text) == code for code in codes)


def test_a_code_shows_itself_in_no_text() -> None:
    code = own_code("4821 9037")
    assert "4821" not in f"{code!r} {code} {[code]}"


@given(st.text(max_size=60))
def test_any_text_makes_a_code_or_is_refused(raw: str) -> None:
    try:
        code = own_code(raw)
    except CodeError:
        return
    assert own_code(code.text) == code
    assert TableCode(f" {code.text}!").password == TableCode(code.text.casefold()).password == code.password


# Guesses


def test_one_address_gets_so_many_guesses_a_minute_and_others_still_get_theirs() -> None:
    guesses = Guesses()
    for left in range(GUESSES_PER_HOST, 0, -1):
        assert guesses.left("a", 0.0) == left
        guesses.spend("a", 0.0)
    assert guesses.left("a", MINUTE_S - 0.1) == 0
    assert guesses.left("b", MINUTE_S - 0.1) == GUESSES_PER_HOST
    assert guesses.left("a", MINUTE_S) == GUESSES_PER_HOST


def test_many_addresses_together_get_no_more_than_the_bound_in_all() -> None:
    guesses = Guesses()
    made = 0
    for second in range(180):
        for host in range(50):
            if guesses.left(f"host {host}", second):
                guesses.spend(f"host {host}", second)
                made += 1
    assert made == 3 * GUESSES_IN_ALL


def test_a_guess_that_was_none_is_given_back() -> None:
    guesses = Guesses()
    for _ in range(100):
        assert guesses.left("a", 0.0)
        guesses.spend("a", 0.0)
        guesses.give_back("a")
    guesses.give_back("nobody")
    assert guesses.left("a", 0.0) == GUESSES_PER_HOST
