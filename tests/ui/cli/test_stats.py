"""`verish stats`: a person's deals in a table that fits, in both languages, and as JSON."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from p2p.net.profile import store_of, take_profile
from p2p.net.store import DealEnd, JournalBatch, open_store
from p2p.protocol.deal_tally import PlayerRecord, Tally
from ui.cli import output
from ui.cli.exits import Exit
from ui.cli.run import run
from ui.columns import Fit, width_of

KITCHEN, CELLAR = b"k" * 32, b"c" * 32
EVENING = time.mktime((2026, 11, 12, 20, 15, 0, 0, 0, -1))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERISH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VERISH_LANG", "en")
    return tmp_path / "home"


def player(seat: int, name: str, *, won: bool = False, lost: bool = False) -> PlayerRecord:
    tally = Tally(lays=9, opened=4, lies=seat, calls=5, right_calls=3)
    key = name.encode().ljust(32, b".")[:32]
    return PlayerRecord(seat, key, name, name == "Me", None, won, lost, tally)


def record(home: Path, *ends: tuple[bytes, DealEnd], profile: str = "main") -> None:
    held = take_profile(home, profile)
    store, _ = open_store(held.path)
    for number, (table, end) in enumerate(ends, 1):
        now = EVENING + 600 * number
        store.write([JournalBatch(table, number, b"terms")], now)
        store.end_deal(table, number, end, now + 500)
    store.close()
    held.release()


def evening(home: Path, friend: str = "Boris") -> None:
    won = (player(0, "Me", won=True), player(1, friend, lost=True))
    lost = (player(0, "Me", lost=True), player(1, friend, won=True), player(2, "Vera"))
    record(
        home,
        (KITCHEN, DealEnd("pagat", "finished", "Kitchen", "", None, won)),
        (KITCHEN, DealEnd("pagat", "finished", "Kitchen", "", None, lost)),
        (CELLAR, DealEnd("club", "finished", "Cellar", "claim_number=honest number_test=bluff", None, won)),
        (CELLAR, DealEnd("club", "void", "Cellar", "claim_number=honest number_test=bluff", "fork", won)),
    )


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["stats", *arguments]) == Exit.DONE
    return capsys.readouterr().out


def lines_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line]


@pytest.mark.parametrize("made", [False, True])
def test_who_has_not_played_is_told_so_and_nothing_is_made(
    home: Path, made: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if made:
        record(home)
    before = sorted(home.rglob("*"))
    assert shown(capsys) == "No deal has been played to its end here yet.\n"
    assert sorted(home.rglob("*")) == before


def test_sums_stand_by_form_by_opponent_and_by_table(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening(home)
    text = shown(capsys)
    found = lines_of(text)
    assert ["pagat", "2", "1", "1", "0", "0/8", "6/10"] in found
    assert ["club", "≠1", "2", "2", "0", "1", "0/8", "6/10"] in found
    assert ["together", "4", "3", "1", "1", "0/16", "12/20"] in found
    assert [row[2:] for row in found if row[0] == "Boris"] == [["4", "3", "1", "1", "3", "4/16", "12/20"]]
    assert [row[2:] for row in found if row[0] == "Vera"] == [["1", "0", "1", "0", "0", "2/4", "3/5"]]
    assert "2026-11-12 20:25  Kitchen  pagat        2  Vera 0-0, You 1-1, Boris 1-1" in text
    assert "2026-11-12 20:45  Cellar   club ≠1      2  You 2-0, Boris 0-2" in text
    assert "2026-11-12 21:03  Cellar  Boris    told two stories" in text


def test_deals_may_be_chosen_by_form_and_opponent(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening(home)
    assert json.loads(shown(capsys, "--form", "pagat", "--json"))["all"]["deals"] == 2
    assert json.loads(shown(capsys, "--with", "vera", "--json"))["all"]["deals"] == 1
    assert shown(capsys, "--with", "Olga") == "No such deal is remembered.\n"
    one_form = shown(capsys, "--form", "pagat")
    assert "together" not in one_form
    assert "Cellar" not in one_form


def test_in_plain_mode_the_same_is_told_in_sentences(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(home)
    told = shown(capsys, "--plain").splitlines()
    assert told[0].startswith("Your deals so far. 4 deals: 3 won, 1 lost.")
    assert any(line.startswith("Boris. 4 deals: 1 won, 3 lost.") for line in told)
    assert "2026-11-12 20:25, Kitchen, pagat. 2 deals. Vera: won 0, lost 0. You: won 1, lost 1." in "\n".join(
        told
    )
    assert any("told two stories" in line for line in told)
    assert not any("  " in line for line in told)
    monkeypatch.setattr("ui.cli.commands.stats.is_plain", lambda: True)
    assert shown(capsys).splitlines() == told
    assert run(["stats", "--plain", "--json"]) == Exit.USAGE


def test_programs_get_every_sum(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening(home)
    found = json.loads(shown(capsys, "--json"))
    assert set(found) == {
        "profile",
        "unfinished",
        "watched",
        "all",
        "forms",
        "opponents",
        "tables",
        "broken_off",
    }
    assert found["all"] == {
        "deals": 4,
        "won": 3,
        "lost": 1,
        "broken_off": 1,
        "lays": 36,
        "opened": 16,
        "lies": 0,
        "calls": 20,
        "right_calls": 12,
    }
    assert found["forms"][1]["changes"] == {"claim_number": "honest", "number_test": "bluff"}
    boris = found["opponents"][0]
    assert (boris["name"], boris["you"]["won"], boris["they"]["lost"]) == ("Boris", 3, 3)
    assert [(table["title"], table["deals"]) for table in found["tables"]] == [("Cellar", 2), ("Kitchen", 2)]
    assert [player["won"] for player in found["tables"][1]["players"]] == [0, 1, 1]
    (broken,) = found["broken_off"]
    assert (broken["cause"], [one["name"] for one in broken["lost_by"]]) == ("fork", ["Boris"])


def test_no_deals_are_an_object_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(shown(capsys, "--json"))
    assert (found["all"]["deals"], found["tables"], found["unfinished"]) == (0, [], 0)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_tables_fit_the_terminal(
    home: Path, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(home, friend="Бонифаций Аристархович 漢字漢字漢字")
    monkeypatch.setattr("ui.cli.commands.stats.terminal_width", lambda: width)
    text = shown(capsys)
    assert max(width_of(line) for line in text.splitlines()) <= width
    assert "Бонифаци" in text
    assert ("…" in text) is (width < 120)
    assert ("right calls" in text) is (width > 60)


def test_it_speaks_russian(home: Path) -> None:
    evening(home)
    answer = subprocess.run(
        [sys.executable, "-m", "ui", "--lang", "ru", "stats"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "VERISH_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    assert "сдачи" in answer.stdout
    assert "соперник" in answer.stdout
    assert "Вы 2-0" in answer.stdout
    assert "две версии хода" in answer.stdout


def test_a_profile_is_read_while_another_process_holds_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(home)
    held = take_profile(home, "main")
    store, _ = open_store(held.path)
    store.write([JournalBatch(KITCHEN, 9, b"terms")], EVENING)
    found = json.loads(shown(capsys, "--json"))
    assert (found["all"]["deals"], found["unfinished"]) == (4, 1)
    store.write([JournalBatch(KITCHEN, 10, b"terms")], EVENING)
    store.close()
    held.release()


def test_another_profile_is_read_by_its_name(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    end = DealEnd("pagat", "finished", "Hall", "", None, (player(0, "Me"), player(1, "Dina", lost=True)))
    record(home, (KITCHEN, end), profile="second")
    assert json.loads(shown(capsys, "--profile", "second", "--json"))["profile"] == "second"
    assert "Dina" in shown(capsys, "--profile", "second")


@pytest.mark.parametrize("name", ["nobody", "../outside", ""])
def test_a_profile_that_is_not_there_is_a_wrong_argument(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", "--profile", name]) == Exit.USAGE
    assert len(capsys.readouterr().err.splitlines()) >= 1
    assert not home.exists()


def test_a_store_that_cannot_be_read_is_told_and_exits_with_2(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(home)
    store_of(home).write_bytes(b"scribble" * 100)
    assert run(["stats"]) == Exit.USAGE
    assert "damaged" in capsys.readouterr().err


def test_rules_that_this_version_does_not_know_are_named_as_they_stand(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = (player(0, "Me", won=True), player(1, "Boris", lost=True))
    record(home, (KITCHEN, DealEnd("pagat", "finished", "Kitchen", "jokers=2", None, players)))
    assert "pagat jokers=2" in shown(capsys)


def test_only_the_last_tables_are_shown_and_the_rest_is_counted(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = (player(0, "Me", won=True), player(1, "Boris", lost=True))
    ends = [
        (bytes([number]) * 32, DealEnd("pagat", "finished", f"T{number:02}", "", None, players))
        for number in range(12)
    ]
    record(home, *ends)
    text = shown(capsys)
    assert "T11" in text
    assert "T02" in text
    assert "T01" not in text
    assert "And 2 more: --json shows all." in text


def test_what_a_dropped_column_frees_is_given_back_to_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("a" * 30, "1", "x" * 20)]
    output.print_table(("n", "k", "d"), rows, width=34, fit=Fit(shrink=(0,), drop=(2,)))
    assert capsys.readouterr().out.splitlines()[1] == "a" * 30 + "  1"
    output.print_table(("n", "k", "d"), rows, width=20, fit=Fit(shrink=(0,), drop=(2,)))
    assert capsys.readouterr().out.splitlines()[1] == "a" * 16 + "…  1"
