"""Three processes find each other: two play, the third one watches and writes the transcript."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.protocol.audit import audit
from ui.cli.exits import Exit

pytestmark = pytest.mark.network

LIMIT_S = 900
"""A deal takes some ten seconds with a core to itself; a busy machine needs much more."""


def bot(home: Path, name: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A headless peer in a process of its own, which says into a file what it does."""
    patience = ("--patience", f"{LIMIT_S}")
    with (home / f"{name}.said").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "ui", "bot", "--json", "--name", name, *patience, *arguments],
            stdout=said,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "VERISH_HOME": str(home / name), "VERISH_LANG": "en"},
        )


def test_a_process_that_watches_writes_the_transcript_of_the_deal_that_others_play(tmp_path: Path) -> None:
    title = f"Kitchen {os.getpid()}"
    played, watched = tmp_path / "played.jsonl", tmp_path / "watched.jsonl"
    rules = ("--rules", "pagat,pack=24", "--pause", "0.2")
    processes = [
        bot(tmp_path, "Anna", "--open", title, *rules, "--transcript", str(played)),
        bot(tmp_path, "Boris", "--join", title, "--pause", "0.2"),
        bot(tmp_path, "Vera", "--watch", title, "--transcript", str(watched)),
    ]
    try:
        assert [process.wait(LIMIT_S) for process in processes] == [Exit.DONE] * 3
    finally:
        for process in processes:
            process.kill()
            process.wait()
    said = [tmp_path / f"{name}.said" for name in ("Anna", "Boris", "Vera")]
    results = [json.loads(file.read_text().splitlines()[-1]) for file in said]
    assert [one["audit"] for one in results] == ["ok"] * 3
    assert results[2]["seat"] is None
    assert len({one["head"] for one in results}) == 1
    assert watched.read_bytes() == played.read_bytes()
    assert audit(watched.read_bytes(), os.urandom).ok
