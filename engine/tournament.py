"""How well each policy plays: every mix of them at a table of four, with intervals, against what is asked of
`counting`.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import sqrt
from typing import Final

from engine.bots import POLICIES, Policy
from engine.moves import Move, Obligation
from engine.rules import Ruleset
from engine.sim import TURN_LIMIT, run
from engine.variations import VARIATIONS
from engine.view import View

SEATS: Final = 4
"""What is asked is asked of a table of four."""

ASKED_DEALS: Final = 2000
"""Deals of a row: then an interval is at most 2.2 % wide to either side."""

LONGEST_DECISION_S: Final = 0.02
"""A bot that took longer would be felt in deals that a person watches."""

RULES: Final = ("club", "club-sole-loser", "pagat", "encyclopedia", "dictionary")
"""Every form, and `club` also to the last one with cards."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share, `count` of `total`, with the ends of its 95 % interval (Wilson)."""

    count: int
    total: int
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, count: int, total: int) -> "Rate":
        """The rate of `count` in `total`; of nothing nothing is known."""
        if total == 0:
            return cls(0, 0, 0.0, 0.0, 1.0)
        z, share = 1.96, count / total
        weight = 1 + z * z / total
        middle = (share + z * z / (2 * total)) / weight
        reach = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / weight
        return cls(count, total, share, max(0.0, middle - reach), min(1.0, middle + reach))


@dataclass(frozen=True, slots=True)
class Decisions:
    """How long a policy took to choose its moves, in seconds of processor time."""

    count: int = 0
    seconds: float = 0.0
    longest_s: float = 0.0

    def with_one(self, seconds: float) -> "Decisions":
        """These and one more."""
        return Decisions(self.count + 1, self.seconds + seconds, max(self.longest_s, seconds))

    @property
    def mean_s(self) -> float:
        """The mean of one decision."""
        return self.seconds / self.count if self.count else 0.0


@dataclass(frozen=True, slots=True)
class MixResult:
    """What came of one mix of policies: how often a seat of each loses and wins, and void deals.

    moves: lays and calls. decisions: by policy.
    """

    bots: tuple[str, ...]
    deals: int
    loses: dict[str, Rate]
    wins: dict[str, Rate]
    void: Rate
    moves: int
    seconds: float
    decisions: dict[str, Decisions]


class _Stopwatch:
    """Asks policies for moves and measures how long they take.

    Processor time: a busy machine makes nobody's decision harder.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names: dict[type[Policy], str] = {POLICIES[name]: name for name in names}
        self.decisions = dict.fromkeys(names, Decisions())

    def choose(self, mind: Policy, view: View, owed: Obligation) -> Move:
        """What the policy decides."""
        started = time.thread_time()
        move = mind.choose(view, owed)
        took = time.thread_time() - started
        name = self._names[type(mind)]
        self.decisions[name] = self.decisions[name].with_one(took)
        return move


def mixes(players: int, names: Sequence[str] = tuple(POLICIES)) -> tuple[tuple[str, ...], ...]:
    """Every mix of policies at a table of so many, in a fixed order."""
    return tuple(combinations_with_replacement(names, players))


def play_mix(
    deals: int, ruleset: Ruleset, seed: int, bots: tuple[str, ...], limit: int = TURN_LIMIT
) -> MixResult:
    """Plays `deals` deals of one mix; seats rotate.

    Raises: as `run`.
    """
    watch = _Stopwatch(bots)
    result = run(deals, len(bots), ruleset, seed, bots, limit=limit, choose=watch.choose)
    seats = {name: bots.count(name) * deals for name in result.loses}
    return MixResult(
        bots=bots,
        deals=deals,
        loses={name: Rate.of(round(result.loses[name] * seats[name]), seats[name]) for name in seats},
        wins={name: Rate.of(round(result.wins[name] * seats[name]), seats[name]) for name in seats},
        void=Rate.of(result.void, deals),
        moves=result.moves,
        seconds=result.seconds,
        decisions=watch.decisions,
    )


@dataclass(frozen=True, slots=True)
class Bound:
    """What is asked of a mix: that the share of `what` ("loses", "wins", "void") keeps to `share`.

    policy: whose share; None for void deals, which are the table's.
    """

    what: str
    share: float
    policy: str | None = None

    def rate(self, result: MixResult) -> Rate:
        """The measured share that the bound is about."""
        if self.policy is None:
            return result.void
        return (result.wins if self.what == "wins" else result.loses)[self.policy]

    def kept(self, result: MixResult) -> bool:
        """Whether what was measured keeps the bound; a deal in a hundred is no longer few void deals."""
        share = self.rate(result).share
        if self.what == "void":
            return share < self.share
        return share >= self.share if self.what == "wins" else share <= self.share


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the tournament: rules by name, a mix, and what is asked of it."""

    rules: str
    bots: tuple[str, ...]
    bounds: tuple[Bound, ...] = field(default=())

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""
        return VARIATIONS[self.rules].ruleset if self.rules in VARIATIONS else Ruleset.preset(self.rules)

    def play(self, deals: int, seed: int) -> MixResult:
        """Plays the row."""
        return play_mix(deals, self.ruleset, seed, self.bots)


_MOST_VOID: Final = Bound("void", 0.01)

_ASKED: Final = {
    "club": {"honest": Bound("wins", 0.8, "counting"), "random": Bound("wins", 0.5, "counting")},
    "pagat": dict.fromkeys(("honest", "random"), Bound("loses", 0.12, "counting")),
}
_ASKED_ELSEWHERE: Final = dict.fromkeys(("honest", "random"), Bound("loses", 0.02, "counting"))


def rows(names: Sequence[str] = RULES, *, every_mix: bool = False) -> tuple[Row, ...]:
    """The rows of a tournament by these rules: one `counting` among three `honest` and among three `random`,
    or every mix.
    """
    asked = {("honest",) * 3 + ("counting",): "honest", ("random",) * 3 + ("counting",): "random"}
    found = []
    for name in names:
        for bots in mixes(SEATS) if every_mix else asked:
            bounds = [_ASKED.get(name, _ASKED_ELSEWHERE)[asked[bots]]] if bots in asked else []
            found.append(Row(name, bots, (*bounds, _MOST_VOID)))
    return tuple(found)
