"""Which rulesets a table over the network can play: the one place that says so.

The engine plays every option. Some need of the protocol what it does not do yet; a table with such a value is
neither opened nor joined, and a proposal with it is no table. The value is refused by name, never ignored.
"""

from collections.abc import Mapping
from typing import Final

from engine import Ruleset, Value
from p2p.errors import P2PError

UNCARRIED: Final[Mapping[str, tuple[Value, ...]]] = {
    # Packets whose size nobody sees: slots are visible in every entry.
    "claim_number": ("free",),
}
"""By option, the values that the network cannot carry yet."""


class UncarriedRulesError(P2PError):
    """These rules can be played, but not over the network yet: `option` has `value`."""

    def __init__(self, option: str, value: Value) -> None:
        super().__init__(f"{option}={value}")
        self.option = option
        self.value = value


def check_carried(ruleset: Ruleset) -> None:
    """Check that a table over the network can play by these rules.

    Raises:
        UncarriedRulesError: naming the first option that it cannot.
    """
    for option, values in UNCARRIED.items():
        value = getattr(ruleset, option)
        if value in values:
            raise UncarriedRulesError(option, value)


def as_carried(ruleset: Ruleset) -> Ruleset:
    """The nearest rules that the network can carry: numbers that may be false become honest ones.

    Raises:
        UncarriedRulesError: if something else cannot be carried.
    """
    if ruleset.claim_number == "free":
        ruleset = ruleset.with_(claim_number="honest", number_test="bluff")
    check_carried(ruleset)
    return ruleset
