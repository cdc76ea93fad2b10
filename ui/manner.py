"""How the bots play that keep a person company: their strength and their pace."""

from dataclasses import dataclass
from typing import Final

STRENGTHS: Final = {"easy": "random", "middling": "honest", "strong": "counting"}
"""What a person chooses, and the policy of `engine.bots` that it means; docs/bots.md measures them."""

PACES: Final = {"quick": 0.2, "calm": 1.0}
"""What a person chooses, and for how many seconds a bot thinks before each move."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How bots play. strength: of `STRENGTHS`. pace: of `PACES`."""

    strength: str = "strong"
    pace: str = "calm"

    @property
    def policy(self) -> str:
        """The policy, as `engine.bots` names it."""
        return STRENGTHS[self.strength]

    @property
    def pause_s(self) -> float:
        """How long a bot thinks before each move."""
        return PACES[self.pace]


USUAL_MANNER: Final = Manner()
"""What a person gets who chooses nothing: the best that there is, at a pace that one can follow."""
