"""Processes of their own find each other by mDNS and play a deal; its transcript is then attacked."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.protocol.audit import audit
from ui.cli.exits import Exit

pytestmark = pytest.mark.network


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ui", "demo", *arguments],
        capture_output=True,
        text=True,
        timeout=240,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("demo") / "deal.jsonl"
    rules = ("--rules", "pagat,first_dealer=chosen", "--dealer", "2", "--clock", "30")
    played = demo("--peers", "2", "--seed", "3", "--json", "--transcript", str(file), "--open-books", *rules)
    assert played.returncode == Exit.DONE, played.stderr
    record = json.loads(played.stdout.splitlines()[-1])
    assert set(record) >= {"peers", "form", "loser", "steps", "digests_equal", "audit", "seconds"}
    assert set(record["seconds"]) == {"discover", "table", "open", "shuffle", "deal", "play", "total"}
    assert record["audit"] == "ok"
    assert record["digests_equal"] is True
    assert record["loser"] in {0, 1}
    return file


def verdict(data: bytes) -> bool:
    return audit(data, os.urandom).ok


def test_transcript_of_a_real_deal_passes(transcript: Path) -> None:
    assert verdict(transcript.read_bytes())


def test_a_transcript_holds_the_rules_of_the_table_and_the_chosen_dealer(transcript: Path) -> None:
    table, *_ = (json.loads(line) for line in transcript.read_text().splitlines())
    assert table["table_rules"]["clock_s"] == 30
    assert table["table_rules"]["dealer"] == 1


def test_the_books_of_a_real_deal_are_opened_by_the_wish_of_all(transcript: Path) -> None:
    report = audit(transcript.read_bytes(), os.urandom)
    assert report.wished == report.opened == {0, 1}


def test_any_one_character_changed_is_noticed(transcript: Path) -> None:
    data, chance = transcript.read_bytes(), random.Random(1)
    # Every line is hit, and the first and the last one often: no other line covers them.
    starts = [0]
    for line in data.splitlines(keepends=True)[:-1]:
        starts.append(starts[-1] + len(line))
    ends = [*starts[1:], len(data)]
    places = [chance.randrange(start, end) for start, end in zip(starts, ends, strict=True)]
    places += [chance.randrange(starts[0], ends[0]) for _ in range(40)]
    places += [chance.randrange(starts[-1], ends[-1]) for _ in range(40)]
    for place in chance.sample(places, 60):
        other = chance.choice([byte for byte in b'0123456789abcdefABCDEF",:{}[] \n' if byte != data[place]])
        changed = data[:place] + bytes([other]) + data[place + 1 :]
        assert not verdict(changed), f"byte {place}: {data[place]:c} -> {other:c}"


def test_lines_missing_doubled_or_moved_are_noticed(transcript: Path) -> None:
    lines, chance = transcript.read_bytes().splitlines(keepends=True), random.Random(2)
    for _ in range(12):
        place = chance.randrange(1, len(lines) - 1)
        assert not verdict(b"".join(lines[:place] + lines[place + 1 :])), f"line {place} missing"
        assert not verdict(b"".join(lines[: place + 1] + lines[place:])), f"line {place} doubled"
        moved = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        assert not verdict(b"".join(moved)), f"line {place} moved"


def test_a_transcript_without_its_end_is_unfinished(transcript: Path, tmp_path: Path) -> None:
    lines = transcript.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:-1]))
    answer = subprocess.run(
        [sys.executable, "-m", "ui", "audit", str(cut), "--json"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert answer.returncode == Exit.BREACH
    assert json.loads(answer.stdout)["check"] == "unfinished"


def audit_command(*arguments: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-m", "ui", "audit", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "80", "VERISH_LANG": "en"},
        timeout=60,
        check=True,
    )
    return answer.stdout


def test_an_audit_fits_two_screens_and_shows_every_card_on_request(transcript: Path) -> None:
    cards = json.loads(audit_command(str(transcript), "--json"))["cards"]
    short = audit_command(str(transcript)).splitlines()
    assert len(short) <= 66
    assert max(map(len, short)) <= 80
    every = audit_command(str(transcript), "--all").splitlines()
    assert [line.split()[0] for line in every if line.startswith("#")] == [
        f"#{card['slot']}" for card in cards
    ]
    assert short[-1] == every[-1] == "Audit: ok. Every signature, proof and rule holds."


def test_three_peers_play_and_name_a_loser() -> None:
    played = demo("--peers", "3", "--seed", "1")
    assert played.returncode == Exit.DONE, played.stderr
    assert "Audit: ok" in played.stdout
