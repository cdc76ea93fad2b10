"""One seed of the simulator: a table from the lobby to its last receipt, with all that goes wrong at it."""

import traceback
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Final

from tests.simulation.plan import Plan
from tests.simulation.simulated import AbsenceSimulation, Simulation

COMMAND: Final = "python -m tests.simulation --seeds {seed}"


@dataclass
class Result:
    """What came of one seed or of many."""

    seeds: int = 0
    deals: int = 0
    finished: int = 0
    """Deals that have ended for all who are there in the same way."""
    voted: int = 0
    """Those of them that a poll has ended."""
    lost: int = 0
    blamed: int = 0
    restarts: int = 0
    polls: int = 0
    absent: int = 0
    """Seats that were voted absent, each in its deal."""
    wrong: int = 0
    """Those of them that were there."""
    leaves: int = 0
    held: int = 0
    """Tables whose last deal stands still: too few can answer a poll, or the only other one put it aside."""
    faults: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[int, str]] = field(default_factory=list)
    """Seeds, and what was found."""

    def add(self, other: "Result") -> None:
        """Take in the result of more seeds."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def simulate(seed: int) -> Result:
    """Play one seed."""
    plan, result = Plan.draw(seed), Result(seeds=1)
    simulation = AbsenceSimulation(seed, plan) if plan.absences else Simulation(seed, plan)
    try:
        simulation.play()
    except Exception as error:  # whatever a peer or a checker raises is a find
        where = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{simulation.network.now:.3f} s, {where.name}:{where.lineno}"
        result.failed.append((seed, f"{type(error).__name__}: {error} ({at})"))
    result.deals, result.finished = simulation.deals, simulation.finished
    result.lost, result.blamed = simulation.lost, simulation.blamed
    result.faults = simulation.faults.injected
    result.restarts = sum(player.lives - 1 for player in simulation.network.players)
    result.leaves = sum(bool(player.disk.left) for player in simulation.network.players)
    if isinstance(simulation, AbsenceSimulation):
        result.voted, result.polls = simulation.ends.voted, simulation.story.polls
        result.held = int(simulation.held)
        result.absent, result.wrong = len(simulation.absence.absent), simulation.absence.wrong
    return result
