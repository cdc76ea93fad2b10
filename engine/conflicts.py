"""Options that contradict each other: a ruleset that combines them is refused, with the reason."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine.cards import SUITS
from engine.errors import RulesetFault

if TYPE_CHECKING:
    from engine.rules import Ruleset


def _lead_min_over_max(rules: "Ruleset") -> bool:
    most = {"none": None, "copies": SUITS}.get(str(rules.lead_max), rules.lead_max)
    if rules.lead_max == "copies" and rules.packs != 1:
        # With automatic packs eight may be meant; two packs surely mean eight.
        most = 2 * SUITS
    return isinstance(most, int) and rules.lead_min > most


CONFLICTS: Final[tuple[tuple[RulesetFault, str, Callable[["Ruleset"], bool]], ...]] = (
    (
        RulesetFault.NUMBER_TEST_NEEDS_FREE,
        "number_test",
        lambda r: r.number_test != "bluff" and r.claim_number != "free",
    ),
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
    (RulesetFault.HAND_SIZE_NEEDS_HAND, "hand_size", lambda r: r.hand_size != 5 and r.deal != "hand"),
    (RulesetFault.REFILL_NEEDS_HAND, "refill", lambda r: r.refill != "new_round" and r.deal != "hand"),
    (
        RulesetFault.SAME_RANK_WITH_ASCENDING,
        "rank_after_wrong_ne",
        lambda r: r.rank_after_wrong_ne == "same" and r.rank_rule == "ascending",
    ),
    (
        RulesetFault.AFTER_PICKUP_NEEDS_ASCENDING,
        "ascending_after_pickup",
        lambda r: r.ascending_after_pickup != "continue" and r.rank_rule == "fixed",
    ),
    (
        RulesetFault.OPEN_TURN_NEEDS_OPEN_CALLS,
        "open_turn",
        lambda r: r.open_turn != "after_picker" and r.callers == "next",
    ),
    (RulesetFault.SET_OPTIONS_NEED_SETS, "set_size", lambda r: r.set_size != "four" and r.sets == "none"),
    (
        RulesetFault.SET_OPTIONS_NEED_SETS,
        "sets_at_deal",
        lambda r: r.sets_at_deal != "no" and r.sets == "none",
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
    (
        RulesetFault.SESSION_LOSSES_NEED_SESSION,
        "session_losses",
        lambda r: r.session_losses != 3 and r.session != "to_n_losses",
    ),
)
"""Combinations that contradict themselves: why, the option named, and the test."""
