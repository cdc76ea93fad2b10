"""`verish play` on the command line: what it needs, and what contradicts itself."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Answer, verish

from ui.cli.exits import Exit
from ui.cli.run import run


def test_play_without_a_terminal_says_so_and_exits_with_5() -> None:
    answer = verish("play")
    assert answer.returncode == Exit.NO_TERMINAL
    assert "verish bot" in answer.stderr
    assert answer.stdout == ""


def test_plain_mode_without_anybody_to_answer_says_so_and_exits_with_5(tmp_path: Path) -> None:
    answer = verish("play", "--plain", VERISH_HOME=str(tmp_path))
    assert answer.returncode == Exit.NO_TERMINAL
    assert "There is nobody to answer" in answer.stdout


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--open", "K", "--join", "K"), "either --open (or --bots) or --join"),
        (("--join", "K", "--resume"), "say one of them"),
        (("--bots", "1", "--code", "ABCD-1234"), "Bots do not know the code"),
        (("--code", "ABCD-1234"), "belongs to --open or --join"),
        (("--open", "K", "--seats", "1"), "--seats"),
        (("--watch", "K", "--join", "K"), "--watch looks on without a seat"),
        (("--theme", "nord"), "--theme: that is about the screen"),
        (("--still", "--quiet"), "--still, --quiet: that is about the screen"),
    ],
    ids=str,
)
def test_play_refuses_options_that_contradict_each_other(
    options: tuple[str, ...], sentence: str, quickly: Callable[..., Answer]
) -> None:
    answer = quickly("play", "--plain", *options)
    assert answer.returncode == Exit.USAGE
    assert sentence in " ".join(answer.stderr.split())


def test_rules_for_the_evening_need_a_table_to_play_by_them(quickly: Callable[..., Answer]) -> None:
    answer = quickly("play", "--rules", "club")
    assert answer.returncode == Exit.USAGE
    assert "the rules of the table belong to --open and --bots" in " ".join(answer.stderr.split())


def test_how_bots_play_is_asked_only_where_they_are_called(quickly: Callable[..., Answer]) -> None:
    for option in (("--bot-strength", "easy"), ("--bot-pace", "quick")):
        answer = quickly("play", *option)
        assert answer.returncode == Exit.USAGE
        assert "belong to --bots" in answer.stderr
    assert quickly("play", "--bots", "2", "--bot-strength", "mighty").returncode == Exit.USAGE


@pytest.mark.parametrize("more", [["--bots", "2"], ["--rules", "club"], ["--resume"], ["--window", "30"]])
def test_a_first_deal_brings_its_own_table(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--first-deal", *more]) == Exit.USAGE
    assert "--first-deal brings its own table" in capsys.readouterr().err
