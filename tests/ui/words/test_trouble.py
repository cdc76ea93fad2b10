"""Every error that a person can meet has a sentence, in both languages."""

import pytest

from p2p.errors import LocalError, LocalReason, NetworkError, NetworkReason
from p2p.protocol.table_code import CodeError, CodeProblem
from p2p.protocol.text import TextError, TextProblem
from ui.words.trouble import code_problem, explained, text_problem, title_problem


@pytest.mark.parametrize("reason", LocalReason)
def test_what_is_wrong_on_this_machine_is_said(reason: LocalReason) -> None:
    assert explained(LocalError(reason, "there", "because"))


@pytest.mark.parametrize("reason", NetworkReason)
def test_what_is_wrong_with_the_network_is_said(reason: NetworkReason) -> None:
    assert explained(NetworkError(reason, "there", "because"))


@pytest.mark.parametrize("problem", TextProblem)
def test_what_is_wrong_with_a_text_is_said(problem: TextProblem) -> None:
    assert text_problem(TextError(problem)) != title_problem(TextError(problem))


@pytest.mark.parametrize("problem", CodeProblem)
def test_what_is_wrong_with_a_code_is_said(problem: CodeProblem) -> None:
    assert explained(CodeError(problem)) == code_problem(CodeError(problem))


def test_what_nobody_foresaw_is_not_explained_away() -> None:
    assert explained(ZeroDivisionError()) is None


def test_a_time_that_ran_out_is_not_taken_for_a_file() -> None:
    assert explained(TimeoutError()) is None  # to Python it is an OSError, without a number or a name
