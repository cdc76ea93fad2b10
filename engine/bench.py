"""What the rules cost on this machine: deals of `pagat` with four random players, on one core.

Processor time is measured, so that other programs on the machine change little.
"""

import random
import time
from dataclasses import dataclass
from typing import Final

from engine.bots import policy
from engine.moves import Move, Seat
from engine.rules import Ruleset
from engine.sim import Table, play_deal, run
from engine.state import State
from engine.transitions import apply

PLAYERS: Final = 4
FORM: Final = "pagat"

PART: Final = 100
"""Moves of each part that is compared."""
LATE: Final = 400
"""The later part begins here; a deal of random players has some 430 moves."""


@dataclass(frozen=True, slots=True)
class EngineBench:
    """Every move counts for `apply_per_second`; lays and calls, chosen by random bots, for `sim_per_second`.

    early_us, late_us: one move among the first hundred of a deal, and among a hundred late ones of the same
    deals.
    """

    apply_per_second: float
    sim_per_second: float
    early_us: float
    late_us: float


class _Recorder(Table):
    """A table that remembers the moves made at it."""

    def __init__(self, ruleset: Ruleset, order: tuple[Seat, ...], chance: random.Random) -> None:
        super().__init__(ruleset, order, order[0], chance)
        self.start = self.state
        self.moves: list[Move] = []

    def make(self, move: Move) -> None:
        """Makes the move and keeps it."""
        super().make(move)
        self.moves.append(move)


def measure(deals: int = 60, seed: int = 1, rounds: int = 3) -> EngineBench:
    """Plays `deals` deals and makes their moves again, and again; the best of the rounds counts."""
    chance = random.Random(seed)  # noqa: S311 - deals to be measured, not to be played
    order = tuple(Seat(seat) for seat in range(PLAYERS))
    ruleset = Ruleset.preset(FORM)
    minds = {seat: policy("random", seed + seat) for seat in order}
    tables = [_Recorder(ruleset, order, chance) for _ in range(deals)]
    for table in tables:
        play_deal(table, minds)
    moves = sum(len(table.moves) for table in tables)
    whole = min(sum(_time(table.start, table.moves)[0] for table in tables) for _ in range(rounds))
    long = [table for table in tables if len(table.moves) >= LATE + PART]
    parts = [_parts(table) for table in long for _ in range(rounds)]
    return EngineBench(
        apply_per_second=moves / whole if whole else 0.0,
        sim_per_second=max(_sim(deals, ruleset, seed) for _ in range(rounds)),
        early_us=sum(early for early, _late in parts) / max(1, len(parts)) / PART * 1e6,
        late_us=sum(late for _early, late in parts) / max(1, len(parts)) / PART * 1e6,
    )


def _sim(deals: int, ruleset: Ruleset, seed: int) -> float:
    """Lays and calls a second of whole simulated deals."""
    started = time.process_time()
    moves = run(deals, PLAYERS, ruleset, seed, ("random",) * PLAYERS).moves
    seconds = time.process_time() - started
    return moves / seconds if seconds else 0.0


def _parts(table: _Recorder) -> tuple[float, float]:
    """Seconds of the first moves of a deal, and of a hundred late ones."""
    early, state = _time(table.start, table.moves[:PART])
    _, state = _time(state, table.moves[PART:LATE])
    late, _ = _time(state, table.moves[LATE : LATE + PART])
    return early, late


def _time(state: State, moves: list[Move]) -> tuple[float, State]:
    """Makes the moves; how many seconds that took, and where it led."""
    started = time.process_time()
    for move in moves:
        state = apply(state, move)
    return time.process_time() - started, state
