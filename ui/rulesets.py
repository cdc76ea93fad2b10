"""Which rules a networked table can have, and the names under which the command line knows them."""

from typing import Final

from engine import VARIATIONS, Ruleset, Value
from engine.rules import PRESETS

RULESETS: Final = (*PRESETS, *VARIATIONS)
"""Every form and every named variation."""

_CARRIED_INSTEAD: Final[dict[str, tuple[Value, Value]]] = {"claim_number": ("free", "honest")}
"""What the network cannot carry yet, and what is played instead."""


def named(name: str) -> Ruleset:
    """The rules of a form or of a named variation. Raises: KeyError for an unknown name."""
    return Ruleset.preset(name) if name in PRESETS else VARIATIONS[name].ruleset


def on_the_network(rules: Ruleset) -> Ruleset:
    """The same rules, with what the network cannot carry replaced: numbers that may be false become true."""
    changes = {
        option: instead
        for option, (value, instead) in _CARRIED_INSTEAD.items()
        if getattr(rules, option) == value
    }
    return rules.with_(**changes) if changes else rules


def is_carried(rules: Ruleset) -> bool:
    """Whether a table by these rules can be played over the network."""
    return on_the_network(rules) == rules
