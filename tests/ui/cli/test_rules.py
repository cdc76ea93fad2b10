"""`verish rules`, and the options that choose the rules of a table."""

from collections.abc import Callable

import pytest
from command_line import Answer, verish

from engine.rules import OPTIONS, PRESETS
from ui.cli.exits import Exit
from ui.cli.run import run
from ui.rulesets import RULESETS


def test_the_rules_of_every_form_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == Exit.DONE
    forms = capsys.readouterr().out
    assert all(form.capitalize() in forms for form in PRESETS)
    for name in RULESETS:
        assert run(["rules", name]) == Exit.DONE
        told = capsys.readouterr().out
        assert "You want to be" in told
        assert ("Variations" in told) == (name in PRESETS)


def test_options_follow_the_name_of_a_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "pagat,session=to_n_losses,session_losses=2"]) == Exit.DONE
    assert "A session goes to 2 losses" in capsys.readouterr().out
    for wrong, said in (
        ("pagat,burn", "burn is no option with its value, as in burn=0."),
        ("pagat,burn=0=1", "burn=0=1 is no option with its value"),
        ("pagat,jokers=2", "The rules have no option “jokers”"),
        ("pagat,burn=2", "burn cannot be 2. It can be: 0, 1."),
        ("pagat,lead_max=all", "lead_max cannot be all. It can be: none, copies, 1…104."),
        (f"pagat,lead_max={'9' * 5000}", "lead_max cannot be 999"),
        ("pagat,session_losses=2", "Where no number of losses ends the session"),
        ("bridge,burn=0", "'bridge' is not one of"),
    ):
        assert run(["rules", wrong]) == Exit.USAGE
        assert said in capsys.readouterr().err


def test_every_option_is_listed_with_its_value_and_the_values_that_it_can_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules", "club,burn=1", "--options"]) == Exit.DONE
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines()}
    assert set(OPTIONS) < set(rows)
    assert rows["burn"] == ["burn", "1", "0,", "1"]
    assert rows["veryu"] == ["veryu", "packet", "none,", "packet,", "pile"]


def test_rules_are_told_in_russian() -> None:
    answer = verish("rules", "club", "--lang", "ru", PYTHONIOENCODING="utf-8")
    assert answer.returncode == Exit.DONE
    assert "Выигрывает вышедший первым" in answer.stdout or "первым" in answer.stdout
    assert "Варианты" in answer.stdout


def test_an_unknown_form_is_a_wrong_argument(quickly: Callable[..., Answer]) -> None:
    answer = quickly("rules", "bridge")
    assert answer.returncode == Exit.USAGE
    assert "Traceback" not in answer.stderr


def test_the_rules_of_the_table_are_told_with_each_form(quickly: Callable[..., Answer]) -> None:
    told = " ".join(quickly("rules", "dictionary").stdout.split())
    assert "Rules of the table" in told
    assert "Turn time (usually no limit). When it is over, the program plays" in told
    assert "If a packet can be doubted it says “I don't believe”." in told


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--clock", "9"), "Turn time: 0 for no limit, or from 10 to 600 seconds."),
        (("--window", "4"), "Call time: from 5 to 120 seconds."),
        (("--dealer", "13"), "The first dealer's seat is one of the table's"),
        (("--dealer", "0"), "The first dealer's seat is one of the table's"),
        (("--dealer", "2"), "only where the first dealer is chosen"),
        (("--rules", "pagat,first_dealer=chosen", "--dealer", "9"), "is one of the table's"),
        (("--clock", "soon"), "'soon' is not a valid integer"),
    ],
    ids=str,
)
def test_a_rule_that_no_table_has_is_refused_in_a_sentence(
    option: tuple[str, ...], sentence: str, quickly: Callable[..., Answer]
) -> None:
    for command in (("bot", "--open", "K"), ("demo",), ("play", "--bots", "2")):
        answer = quickly(*command, *option)
        assert answer.returncode == Exit.USAGE
        assert sentence in " ".join(answer.stderr.split())


def test_the_rules_of_a_table_belong_to_who_opens_it(quickly: Callable[..., Answer]) -> None:
    for command in (("bot", "--join", "K"), ("play",)):
        answer = quickly(*command, "--window", "30")
        assert answer.returncode == Exit.USAGE
        assert "the rules of the table belong to" in answer.stderr
