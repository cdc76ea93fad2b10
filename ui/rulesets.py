"""Rules by name, and what becomes of them at a table over the network."""

from typing import Final

from engine import VARIATIONS, Ruleset, Value
from engine.rules import PRESETS
from p2p.protocol.carried import UncarriedRulesError, as_carried, check_carried

FIRST_FORM: Final = "pagat"
"""The form where none is named."""

USUAL_BOTS: Final = 3
"""How many bots play with somebody who found nobody: a table of four is the game's best."""

MOST_BOTS: Final = 5
"""Each is a process with proofs of its own to make, on the person's computer."""

RULESETS: Final = (*PRESETS, *VARIATIONS)
"""Every form and every named variation, as the command line knows them."""


MOST_DIGITS: Final = 9
"""Of a number on the command line; no option has one that is longer."""


def named(text: str) -> Ruleset:
    """The rules of a form or of a named variation, with the options that follow it changed, as in
    `pagat,session=to_n_losses,session_losses=2`.

    Raises: KeyError for an unknown name, ValueError for an option without a value, RulesetError.
    """
    name, *changes = text.split(",")
    rules = Ruleset.preset(name) if name in PRESETS else VARIATIONS[name].ruleset
    options: dict[str, Value] = {}
    for change in changes:
        option, value = change.split("=")
        number = value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS
        options[option] = int(value) if number else value
    return rules.with_(**options)


def on_the_network(rules: Ruleset) -> Ruleset:
    """The same rules with numbers that may be false made true, as the network needs it; the rest stays."""
    if rules.claim_number != "free":
        return rules
    return rules.with_(claim_number="honest", number_test="bluff")


def for_the_network(name: str) -> Ruleset:
    """The rules of a name as a networked table plays them. Raises: UncarriedRulesError if it cannot."""
    return as_carried(named(name))


def uncarried(rules: Ruleset) -> UncarriedRulesError | None:
    """Why a table by these rules cannot be played over the network yet; None if it can."""
    try:
        check_carried(rules)
    except UncarriedRulesError as error:
        return error
    return None
