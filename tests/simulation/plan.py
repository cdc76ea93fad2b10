"""What a seed of the simulator says: who plays what, at which rules of the table, and what goes wrong.

Every third seed is about absence: there seats are away about as long as the grace time, or for ever, and
leave; what is usual elsewhere goes wrong while they are polled about.
"""

import random
from dataclasses import dataclass
from typing import Final

from memory_table import Chaos

from engine import Ruleset
from p2p.protocol.table_rules import USUAL, TableRules
from tests.simulation.faults import Strike, draw_absences, draw_strikes

DEALS: Final = 2
"""At each table: the way from one deal to the next is part of it."""
STORM_S: Final = (4.0, 16.0)
"""In this time all faults strike."""
PAUSE_S: Final = (0.5, 3.0)
"""Between two of them, on average."""
POLLS_STORM_S: Final = (10.0, 30.0)
"""The same where seats are missed: in this time all absences begin."""
GRACES_S: Final = (10, 10, 12, 15)
"""Short ones: the least that a table can have, and not much more."""

_SHORT = {"pack": 24, "end": "first_out"}
FORMS: Final = {
    "pagat": Ruleset.preset("pagat").with_(**_SHORT),
    "pagat, forced sets": Ruleset.preset("pagat").with_(**_SHORT, sets="forced"),
    "club": Ruleset.preset("club").with_(**_SHORT, claim_number="honest"),
    "club, open calls": Ruleset.preset("club").with_(**_SHORT, claim_number="honest", callers="any"),
    "club, stock": Ruleset.preset("club").with_(
        **_SHORT, claim_number="honest", deal="hand", hand_size=4, refill="every_turn"
    ),
    "dictionary": Ruleset.with_preset("dictionary", {**_SHORT, "next_dealer": "left"}),
    "dictionary, one random card": Ruleset.with_preset(
        "dictionary", {**_SHORT, "next_dealer": "left", "check": "one_random"}
    ),
}
"""The forms, short: the smallest pack, and whoever is out first ends the deal."""


@dataclass(frozen=True)
class Plan:
    """What a seed says."""

    players: int
    form: str
    chaos: Chaos
    think: tuple[float, float]
    strikes: tuple[Strike, ...]
    table_rules: TableRules = USUAL
    absences: bool = False
    """Whether seats leave and stay away."""
    hurried: bool = False
    """Whether they play on, deal after deal, while anything still goes wrong."""

    @classmethod
    def draw(cls, seed: int) -> "Plan":
        """Draw everything that varies."""
        return cls._about_absence(seed) if seed % 3 == 1 else cls._usual(seed)

    @classmethod
    def _usual(cls, seed: int) -> "Plan":
        chance = random.Random(f"plan/{seed}")
        players = chance.choice((2, 2, 2, 3, 3, 4))
        storm_s, pause_s = chance.uniform(*STORM_S), chance.uniform(*PAUSE_S)
        return cls(
            players,
            chance.choice(list(FORMS)),
            Chaos(most_delay=chance.choice((0.02, 0.1, 0.3))),
            (0.0, chance.choice((0.1, 0.5))),
            draw_strikes(chance, players, storm_s, pause_s),
        )

    @classmethod
    def _about_absence(cls, seed: int) -> "Plan":
        chance = random.Random(f"absence/{seed}")
        players, grace_s = chance.choice((2, 3, 3, 3, 3, 4, 4)), chance.choice(GRACES_S)
        storm_s = chance.uniform(*POLLS_STORM_S)
        strikes = draw_absences(chance, players, storm_s, grace_s)
        if chance.random() < 0.3:
            strikes += draw_strikes(chance, players, storm_s, 5.0)
        return cls(
            players,
            chance.choice(list(FORMS)),
            Chaos(most_delay=chance.choice((0.02, 0.1, 0.3))),
            (0.0, chance.choice((0.1, 0.5, 2.0))),
            tuple(sorted(strikes, key=lambda one: one.at)),
            TableRules(
                grace_s=grace_s,
                clock_s=chance.choice((0, 0, 10)),
                absence=chance.choice(("forfeit", "forfeit", "forfeit", "wait")),
            ),
            absences=True,
            hurried=chance.random() < 0.5,
        )
