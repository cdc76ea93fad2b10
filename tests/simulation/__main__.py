"""`python -m tests.simulation`: play many seeds of the simulator, and print what came of them.

A seed that fails is printed with the command that repeats it; then the exit code is 1.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

from tests.simulation.run import COMMAND, Result, simulate


def main() -> int:
    """Play, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=seeds_of, default=range(1, 51), help="one, or FIRST..LAST")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the seeds")
    asked = parser.parse_args()
    began = time.monotonic()
    total = play(asked.seeds, asked.jobs)
    for line in rows(total, time.monotonic() - began):
        print(line)
    return 1 if total.failed else 0


def play(seeds: Iterable[int], jobs: int = 1) -> Result:
    """Play the seeds in so many processes, printing those that fail as they do."""
    total = Result()
    pool = ProcessPoolExecutor(jobs) if jobs > 1 else None
    results = map(simulate, seeds) if pool is None else pool.map(simulate, seeds, chunksize=5)
    for one in results:
        total.add(one)
        for seed, found in one.failed:
            print(f"seed {seed}: {found}\n  repeat: {COMMAND.format(seed=seed)}", flush=True)
    if pool is not None:
        pool.shutdown()
    return total


def rows(total: Result, seconds: float) -> list[str]:
    """The table of a run."""
    counts = {
        "deals": total.deals,
        "ended for all alike": total.finished,
        "  by a poll": total.voted,
        "faults injected": total.faults.total(),
        **{f"  {kind}": count for kind, count in sorted(total.faults.items())},
        "processes started again": total.restarts,
        "polls": total.polls,
        "seats voted absent": total.absent,
        "seats voted absent wrongly": total.wrong,
        "seats that have left": total.leaves,
        "deals held up": total.held,
        "entries lost": total.lost,
        "wrong blames": total.blamed,
        "seeds failed": len(total.failed),
    }
    return [f"{name:28} {count:9}" for name, count in counts.items()] + [f"{'seconds':28} {seconds:9.1f}"]


def seeds_of(text: str) -> range:
    """Read a seed, or FIRST..LAST. Raises: ValueError."""
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    sys.exit(main())
