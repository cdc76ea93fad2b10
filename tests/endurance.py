"""`python -m tests.endurance`: faults and cheats of every kind, one after the other, and one table of it all.

Plays seeds of the simulator and deals between real processes that are killed, and tries every attack of
docs/threats.md. Exits 1 if an entry was lost, somebody honest was blamed, a deal did not come to its end, or
a cheat was not caught.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from tests import cheats, kills
from tests.simulation.__main__ import play, seeds_of
from tests.simulation.run import Result


def rows(
    simulated: Result, killed: kills.Tally, tried: Sequence[cheats.Attack], outcomes: cheats.Outcomes
) -> list[tuple[str, int]]:
    """The table: what was done, and what came of it, over both kinds of deals."""
    return [
        ("deals begun", simulated.deals + killed.finished + len(killed.failed)),
        ("deals finished", simulated.finished + killed.finished),
        ("deals with a killed process", killed.killed),
        ("faults injected", simulated.faults.total() + killed.faults.total()),
        ("entries lost", simulated.lost + killed.lost),
        ("second entries for a step", killed.second),
        ("transcripts that differ", killed.unequal),
        ("wrong blames", simulated.blamed + killed.blamed),
        ("failures", len(simulated.failed) + len(killed.failed)),
        ("cheats tried", len(tried)),
        ("cheats caught", sum(outcomes.caught(attack) for attack in tried)),
    ]


def main() -> int:
    """Try everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description=__doc__)
    parser.add_argument("--seeds", type=seeds_of, default=range(1, 251), help="of the simulator: FIRST..LAST")
    parser.add_argument("--deals", type=int, default=20, help="between real processes, each with a fault")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the seeds")
    asked = parser.parse_args()

    def say(line: str) -> None:
        print(line, flush=True)

    simulated = play(asked.seeds, asked.jobs)
    killed = asyncio.run(kills.run(kills.Wish(deals=asked.deals), say))
    tried = cheats.attacks(cheats.PAGE.read_text(encoding="utf-8"))
    outcomes = cheats.run(tried)
    for line in cheats.table(tried, outcomes):
        say(line)
    table = rows(simulated, killed, tried, outcomes)
    for name, value in table:
        say(f"{name:28} {value}")
    caught = all(map(outcomes.caught, tried))
    finished = simulated.finished == simulated.deals
    return 0 if killed.ok and finished and not simulated.failed and caught else 1


if __name__ == "__main__":
    sys.exit(main())
