"""Players that decide by themselves, from a `View` and nothing else.

`policy(name, seed)` makes one of three strengths: `random`, `honest` (lays what it has, calls what cannot be
true, else tosses a coin) and `counting` (remembers where cards went and weighs belief against cost). The seed
steers decisions only; it has nothing to do with how cards are shuffled. One object plays deal after deal.
"""

from typing import Final

from engine.bots.counting import CountingPolicy
from engine.bots.policy import Policy
from engine.bots.simple import HonestPolicy, RandomPolicy

POLICIES: Final[dict[str, type[Policy]]] = {
    "random": RandomPolicy,
    "honest": HonestPolicy,
    "counting": CountingPolicy,
}


def policy(name: str, seed: int) -> Policy:
    """A policy of one of the names in `POLICIES`. Raises: ValueError for another name."""
    if name not in POLICIES:
        raise ValueError(f"no policy {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name](seed)


__all__ = ["POLICIES", "CountingPolicy", "HonestPolicy", "Policy", "RandomPolicy", "policy"]
