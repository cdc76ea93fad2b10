"""`python -m tests.matrix`: every form and named variation, played over real sockets and audited.

Each row is one `verish demo`: processes of their own that find each other by mDNS. Prints a table; exits 1
if any row failed. `--only TEXT` plays the rows whose name holds the text.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass

from engine.rules import PRESETS
from engine.variations import VARIATIONS

MANY = {"club-two-packs": 6}
"""Rows that are not played by four."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    rules: str
    peers: int
    ok: bool
    outcome: str
    steps: int = 0
    seconds: float = 0.0


def play(rules: str, peers: int) -> Row:
    """Play one deal and read what came of it.

    The demonstration bounds its own time and then leaves no peer behind, so it is not killed from here.
    """
    options = ("--json", "--seed", "1", "--rules", rules, "--peers", str(peers))
    command = [sys.executable, "-m", "ui", "demo", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        complaint = (done.stderr.strip() or done.stdout.strip() or "nothing said").splitlines()[-1]
        return Row(rules, peers, False, f"exit {done.returncode}: {complaint}")
    record = json.loads(done.stdout.splitlines()[-1])
    ok = record["audit"] == "ok" and record["digests_equal"]
    outcome = "nobody lost" if record["loser"] is None else f"seat {record['loser']} lost"
    return Row(rules, peers, ok, outcome, record["steps"], record["seconds"]["total"])


def main() -> int:
    """Play all rows and print them as they end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT")
    wanted = parser.parse_args().only
    names = [name for name in (*PRESETS, *VARIATIONS) if wanted in name]
    failed = 0
    print(f"{'rules':34} {'peers':>5} {'steps':>6} {'seconds':>8}  audit")
    for name in names:
        row = play(name, MANY.get(name, 4))
        failed += not row.ok
        verdict = "ok" if row.ok else "FAILED"
        print(
            f"{row.rules:34} {row.peers:5} {row.steps:6} {row.seconds:8.1f}  {verdict}, {row.outcome}",
            flush=True,
        )
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
