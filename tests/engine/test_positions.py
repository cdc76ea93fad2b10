"""The worked positions, and the runner that replays them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.positions import PositionError, check_position, main

FOLDER = Path(__file__).parents[1] / "positions"
FILES = sorted(FOLDER.glob("*.json"))
FIRST = json.loads((FOLDER / "pagat-P1.json").read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_position_holds(path):
    check_position(json.loads(path.read_text(encoding="utf-8")))


def test_every_file_is_named_as_it_says():
    assert [json.loads(path.read_text())["name"] for path in FILES] == [path.stem for path in FILES]


def test_runner_prints_one_line_a_file_and_exits_0_when_all_hold():
    run = subprocess.run(
        [sys.executable, "-m", "engine.positions", *map(str, FILES)],
        capture_output=True,
        text=True,
        check=False,
        cwd=FOLDER.parents[1],
    )
    assert run.returncode == 0
    assert run.stderr == ""
    assert run.stdout.splitlines() == [f"ok {path.stem}" for path in FILES]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": {"preset": "pagat", "refill": "every_turn"}}, "refill=every_turn: refill-needs-hand"),
        ({"rules": {"preset": "poker"}}, "option form=poker: unknown-form"),
        ({"rules": {"preset": "pagat", "jokers": 2}}, "option jokers=2: unknown-option"),
        ({"rules": {"preset": "pagat", "burn": True}}, "option burn=True: bad-value"),
        ({"stock": "1S"}, "not a card"),
        ({"then": {"stock": "6S"}}, "stock is '', expected '6S'"),
        ({"then": {"ascending_next": "K"}}, "ascending_next is None, expected 'K'"),
        ({"then": {"turn": "C"}}, "turn is 'B', expected 'C'"),
        ({"then": {"hands": {"A": "3D"}}}, "hand of A is"),
        ({"then": {"colour": "red"}}, "unknown field then.colour"),
        ({"weather": "fine"}, "unknown field weather"),
        ({"play": [{"seat": "A", "do": "lay", "cards": "AH", "rank": "K", "number": 1}]}, "AH is not held"),
        ({"play": [{"seat": "B", "do": "ne_veryu"}]}, "act 1 is refused"),
        ({"play": [{"seat": "A", "do": "ne_veryu", "refused": True}]}, "act 1 is accepted"),
        ({"play": [{"seat": "Z", "do": "ne_veryu"}]}, "no seat Z"),
        ({"play": [{"seat": "A", "do": "pass"}]}, "unknown act pass"),
        ({"hands": FIRST["hands"] | {"A": "1S"}}, "not a card"),
        ({"hands": None}, "malformed"),
        ({"play": [{"do": "close_window"}]}, "act 1 is refused: ('not-now'"),
    ],
)
def test_runner_says_what_is_wrong_in_one_line(tmp_path, capsys, change, said):
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(FIRST | change))
    assert main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("FAIL wrong: ")
    assert said in lines[0]


def test_runner_reports_an_unreadable_file_and_goes_on(tmp_path, capsys):
    cut = tmp_path / "cut.json"
    cut.write_text('{"name": "cu')
    assert main([str(cut), str(tmp_path / "absent.json"), str(FOLDER / "pagat-P1.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAIL cut: cannot be read")
    assert lines[1].startswith("FAIL absent: cannot be read")
    assert lines[2] == "ok pagat-P1"


def test_a_difference_is_an_error_of_its_own_kind():
    with pytest.raises(PositionError, match="over is False, expected True"):
        check_position(FIRST | {"then": {"over": True}})
