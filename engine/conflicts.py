"""Options that contradict each other: a ruleset that combines them is refused, with the reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.cards import SUITS
from engine.errors import RulesetFault

if TYPE_CHECKING:
    from engine.rules import Ruleset, Value

_Conflict = tuple[RulesetFault, str, Callable[["Ruleset"], bool]]


@dataclass(frozen=True, slots=True)
class Dependency:
    """An option that does something only where another has one of some values; else it has to stay `idle`."""

    option: str
    idle: "Value"
    needs: str
    values: tuple["Value", ...]
    fault: RulesetFault

    def offends(self, rules: "Ruleset") -> bool:
        """Whether another value was chosen where the option does nothing."""
        idle = getattr(rules, self.needs) not in self.values
        return idle and getattr(rules, self.option) != self.idle


DEPENDENCIES: Final = (
    Dependency("number_test", "bluff", "claim_number", ("free",), RulesetFault.NUMBER_TEST_NEEDS_FREE),
    Dependency("hand_size", 5, "deal", ("hand",), RulesetFault.HAND_SIZE_NEEDS_HAND),
    Dependency("refill", "new_round", "deal", ("hand",), RulesetFault.REFILL_NEEDS_HAND),
    Dependency(
        "rank_after_wrong_ne", "fresh", "rank_rule", ("fixed",), RulesetFault.SAME_RANK_WITH_ASCENDING
    ),
    Dependency(
        "ascending_after_pickup",
        "continue",
        "rank_rule",
        ("ascending",),
        RulesetFault.AFTER_PICKUP_NEEDS_ASCENDING,
    ),
    Dependency("open_turn", "after_picker", "callers", ("any",), RulesetFault.OPEN_TURN_NEEDS_OPEN_CALLS),
    Dependency("set_size", "four", "sets", ("optional", "forced"), RulesetFault.SET_OPTIONS_NEED_SETS),
    Dependency("sets_at_deal", "no", "sets", ("optional", "forced"), RulesetFault.SET_OPTIONS_NEED_SETS),
    Dependency("session_losses", 3, "session", ("to_n_losses",), RulesetFault.SESSION_LOSSES_NEED_SESSION),
)


def without_effect(values: Mapping[str, "Value"]) -> Mapping[str, "Value"]:
    """The options that do nothing where the options have these values, each with the value it has to keep."""
    return {one.option: one.idle for one in DEPENDENCIES if values[one.needs] not in one.values}


def _lead_min_over_max(rules: "Ruleset") -> bool:
    most = {"none": None, "copies": SUITS}.get(str(rules.lead_max), rules.lead_max)
    if rules.lead_max == "copies" and rules.packs != 1:
        # With automatic packs eight may be meant; two packs surely mean eight.
        most = 2 * SUITS
    return isinstance(most, int) and rules.lead_min > most


CONFLICTS: Final[tuple[_Conflict, ...]] = (
    *((one.fault, one.option, one.offends) for one in DEPENDENCIES),
    (
        RulesetFault.ONE_CARD_CHECK_WITH_FREE,
        "check",
        lambda r: r.check != "all" and r.claim_number == "free" and r.number_test == "bluff",
    ),
    (
        RulesetFault.LOSER_DEALS_NEEDS_LOSER,
        "next_dealer",
        lambda r: r.next_dealer == "loser" and r.end == "first_out",
    ),
    (RulesetFault.LEAD_MIN_OVER_MAX, "lead_min", _lead_min_over_max),
    (
        RulesetFault.MUST_CALL_WITHOUT_CALL,
        "must_call_pending",
        lambda r: (
            r.must_call_pending == "yes"
            and ((r.lead_exempt == "any_round_lead" and r.veryu == "none") or r.out_call == "manual")
        ),
    ),
)
"""Combinations that contradict themselves: why, the option named, and the test."""
