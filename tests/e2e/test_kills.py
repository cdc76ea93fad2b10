"""A few deals of `make kills`: processes that are killed or stopped in the middle come back."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.network

ROOT = Path(__file__).parents[2]
LIMIT_S = 420
"""A deal takes some ten seconds with a core to itself, and a bounded number of them is played."""


def kills(*arguments: str) -> dict[str, str]:
    """Run it; the rows of its table by name."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.kills", "--peers", "2", *arguments],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.partition("  ") for line in done.stdout.splitlines()]
    return {name: value.strip() for name, _, value in rows}


def test_processes_killed_or_stopped_at_random_moments_lose_nothing_and_blame_nobody() -> None:
    rows = kills("--deals", "3", "--seed", "21", "--faults", "kill", "kill all", "stop")
    assert rows["faults injected"] == "3 (1 x kill, 1 x kill all, 1 x stop)"
    assert rows["deals finished"] == "3"
    for name in ("entries lost", "second entries for a step", "wrong blames", "transcripts that differ"):
        assert rows[name] == "0"
    assert rows["failures"] == "0"
