"""What is typed, as the program understands it."""

import pytest

from engine import Rank
from ui.i18n import use_language
from ui.plain.answers import WORDS, NoRankError, ranks_typed
from ui.plain.question import Option, Question, chosen, yes_or_no

MENU = Question(
    ("Your turn.",),
    (
        Option("lay", "lay queens"),
        Option("call", "I don't believe"),
        Option("believe", "I believe"),
        Option("log", "log"),
    ),
)


def name(typed: str, question: Question = MENU) -> str | None:
    option = chosen(question, typed, WORDS)
    return None if option is None else option.name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", "lay"),
        (" 2 ", "call"),
        ("call", "call"),
        ("CALL!", "call"),
        ("I don’t believe", "call"),
        ("не верю", "call"),
        ("«Не верю!»", "call"),
        ("верю", "believe"),
        ("lay q", "lay"),
        ("журнал", "log"),
    ],
)
def test_a_number_a_word_or_a_beginning_means_an_answer_in_either_language(typed: str, meant: str) -> None:
    assert name(typed) == meant


@pytest.mark.parametrize("typed", ["0", "5", "99999999", "-1", "I", "queens", "²", "", "remove"])
def test_what_is_no_answer_of_the_question_means_none(typed: str) -> None:
    assert name(typed) is None


def test_yes_and_no_stand_in_the_line_of_their_question() -> None:
    question = yes_or_no("Quit Verish?", "yes", "no")
    assert question.text() == ("Quit Verish? 1 yes, 2 no",)
    assert name("да", question) == "yes"
    assert name("2", question) == "no"


def test_answers_are_numbered_in_rows_that_fit_a_narrow_terminal() -> None:
    options = tuple(Option(str(number), "x" * 20) for number in range(7))
    rows = Question((), options).text()
    assert all(len(row) <= 76 for row in rows)
    assert " ".join(rows).count("x" * 20) == 7
    assert len(Question((), options, long=True).text()) == 7


Q, SEVEN, TEN, JACK = Rank.QUEEN, Rank.SEVEN, Rank.TEN, Rank.JACK


@pytest.mark.parametrize(
    ("typed", "ranks"),
    [
        ("q 7", (Q, SEVEN)),
        ("Q,7", (Q, SEVEN)),
        ("q7", (Q, SEVEN)),
        ("д 7", (Q, SEVEN)),
        ("й 7", (Q, SEVEN)),
        ("10 10", (TEN, TEN)),
        ("0", (TEN,)),
        ("10q", (TEN, Q)),
        ("в", (JACK,)),
        ("о", (JACK,)),
        ("т ф a", (Rank.ACE,) * 3),
        ("к л k", (Rank.KING,) * 3),
        ("queen sevens", (Q, SEVEN)),
        ("", ()),
    ],
)
def test_cards_are_typed_by_rank_in_either_layout_and_as_printed(typed: str, ranks: tuple[Rank, ...]) -> None:
    assert ranks_typed(typed) == ranks


def test_ranks_go_by_their_names_in_russian_too() -> None:
    use_language("ru")
    assert ranks_typed("дама семёрки туз") == (Q, SEVEN, Rank.ACE)


@pytest.mark.parametrize("typed", ["1", "z", "q x", "11", "7h"])
def test_what_is_no_rank_is_named(typed: str) -> None:
    with pytest.raises(NoRankError) as refused:
        ranks_typed(typed)
    assert refused.value.word in typed
