"""`verish sim --tournament`: what is measured, what is asked, and the exit code between them."""

import json

import pytest

import engine.tournament
from engine.tournament import Bound
from ui.cli.exits import Exit
from ui.cli.run import run

SHORT = ["sim", "--tournament", "--rules", "dictionary", "--deals", "3", "--seed", "5"]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept depends on the seed alone here, not on how busy the machine is."""
    monkeypatch.setattr("ui.cli.tournament.LONGEST_DECISION_S", 60.0)


def measured(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict]:
    code = run([*SHORT, "--json", *more])
    return code, json.loads(capsys.readouterr().out)


def without_times(record: dict) -> list:
    return [
        {name: value for name, value in row.items() if name not in ("seconds", "decisions")}
        for row in record["rows"]
    ]


def test_rows_tell_rates_with_intervals_and_what_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    code, record = measured(capsys)
    assert code == Exit.DONE
    assert (record["deals"], record["seed"], record["kept"]) == (3, 5, True)
    assert [row["bots"].count("counting") for row in record["rows"]] == [1, 1]
    for row in record["rows"]:
        assert set(row["loses"]["counting"]) == {"count", "total", "share", "low", "high"}
        assert [(asked["what"], asked["bound"]) for asked in row["asked"]] == [
            ("loses", 0.02),
            ("void", 0.01),
        ]
        assert row["decisions"]["counting"]["longest_ms"] <= record["longest_decision_ms"]


def test_any_number_of_workers_finds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    alone, together = measured(capsys)[1], measured(capsys, "--workers", "2")[1]
    assert without_times(alone) == without_times(together)


def test_every_mix_has_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    record = measured(capsys, "--every-mix")[1]
    assert len({tuple(row["bots"]) for row in record["rows"]}) == 15


def test_both_ends_of_club_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    run(["sim", "--tournament", "--rules", "club", "--deals", "1", "--seed", "1", "--json"])
    record = json.loads(capsys.readouterr().out)
    assert {row["rules"] for row in record["rows"]} == {"club", "club-sole-loser"}


def test_the_table_marks_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(SHORT) == Exit.DONE
    shown = capsys.readouterr().out
    assert shown.count("loses at most 2 %: kept") == 2
    assert shown.count("void under 1 %: kept") == 2
    assert "MISSED" not in shown
    assert shown.endswith("Everything asked is kept.\n")


def test_a_missed_bound_is_marked_and_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    impossible = dict.fromkeys(("honest", "random"), Bound("wins", 1.01, "counting"))
    monkeypatch.setitem(engine.tournament._ASKED, "dictionary", impossible)
    assert run(SHORT) == Exit.MISSED == 1
    shown = capsys.readouterr().out
    assert shown.count("wins at least 101 %: MISSED") == 2
    assert shown.endswith("Not everything asked is kept.\n")


def test_a_slow_bot_misses_what_is_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.cli.tournament.LONGEST_DECISION_S", 1e-9)
    code, record = measured(capsys)
    assert (code, record["kept"]) == (Exit.MISSED, False)


def test_progress_is_told_only_to_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(SHORT)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    run(SHORT)
    assert capsys.readouterr().err == "\r1 of 2 rows\r2 of 2 rows\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tournament", "--players", "3"],
        ["--tournament", "--bots", "honest,honest"],
        ["--workers", "2"],
        ["--every-mix"],
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sim", *arguments]) == Exit.USAGE
    assert "--" in capsys.readouterr().err
