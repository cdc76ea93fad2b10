"""The options of a ruleset as a form shows them: name, value, one sentence of explanation."""

from engine import RulesetError
from engine.errors import RulesetFault
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext

Value = int | str


def option_name(option: str) -> str:
    """The name of an option in the form; its identifier where it has none."""
    return {
        "pack": pgettext("option", "Pack"),
        "packs": pgettext("option", "Packs"),
        "burn": pgettext("option", "Burned card"),
        "hand_size": pgettext("option", "Cards dealt"),
        "next_dealer": pgettext("option", "Next dealer"),
        "first_lead": pgettext("option", "First lead"),
        "lead_min": pgettext("option", "Least lead"),
        "lead_max": pgettext("option", "Cards to lead"),
        "follow_max": pgettext("option", "Cards a turn"),
        "claim_number": pgettext("option", "Number said"),
        "no_aces": pgettext("option", "Aces"),
        "retired_ranks": pgettext("option", "Ranks gone"),
        "veryu": pgettext("option", "“I believe”"),
        "lead_exempt": pgettext("option", "Lead of one"),
        "after_bluff": pgettext("option", "After a bluff"),
        "rank_after_wrong_ne": pgettext("option", "Wrong call"),
        "sets": pgettext("option", "Fours"),
        "set_size": pgettext("option", "Size of fours"),
        "end": pgettext("option", "End"),
        "must_call_pending": pgettext("option", "Last cards"),
        "stall_guard": pgettext("option", "Same words"),
        "session": pgettext("option", "Session"),
    }.get(option, option)


def option_value(option: str, value: Value) -> str:
    """The value of an option, short."""
    words = _values().get((option, value))
    if words is not None:
        return words
    if option in ("lead_max", "follow_max") and isinstance(value, int):
        return ngettext("up to {count}", "up to {count}", value).format(count=value)
    if option == "pack" and isinstance(value, int):
        return ngettext("{count} card", "{count} cards", value).format(count=value)
    return str(value)


def usual_value(option: str, value: Value) -> str:
    """The value of the form, beside the one that it would be: a limit is its number alone, "usually: 3"."""
    if option in ("lead_max", "follow_max") and isinstance(value, int):
        return str(value)
    return option_value(option, value)


def option_explanation(option: str) -> str:
    """One sentence on what changing an option does to the game; "" where there is nothing to say."""
    return {
        "pack": _("More cards make longer deals."),
        "burn": _("A burned card lies unseen to the end: nobody can count all four of a rank."),
        "next_dealer": _("The deal goes on from there: who leads first depends on who deals."),
        "first_lead": _("Who leads lays first, of any rank."),
        "lead_min": _("A bigger lead cannot be one safe card; a smaller hand leads whole."),
        "lead_max": _("A bigger packet hides more lies."),
        "follow_max": _("A bigger packet hides more lies."),
        "no_aces": _("Aces can then be laid only as something else: whoever holds them has to lie."),
        "retired_ranks": _("Whether a rank can be named when all its cards are openly out of play."),
        "rank_after_wrong_ne": _("A wrong call can keep the old rank in force for the next leader."),
        "sets": _("Removing a four shortens the hand, but everybody sees it."),
        "must_call_pending": _("Nobody leaves unchecked, so the last packet had better be true."),
        "stall_guard": _("Two players cannot go on for ever with the same words."),
        "session": _("The table counts who has lost how many deals."),
    }.get(option, "")


def ruleset_refused(error: RulesetError) -> str:
    """Why a combination of options cannot be played."""
    return {
        RulesetFault.NOT_YET_PLAYED: _("This version does not play that yet."),
        RulesetFault.TOO_FEW_PLAYERS: _("A table needs two players or more."),
        RulesetFault.TOO_MANY_PLAYERS: _("These rules do not allow so many players."),
        RulesetFault.TOO_FEW_CARDS: _("There are too few cards for so many players."),
        RulesetFault.LOSER_DEALS_NEEDS_LOSER: _("The loser can deal only where the deal has a loser."),
        RulesetFault.LEAD_MIN_OVER_MAX: _("The least lead is bigger than the biggest."),
        RulesetFault.MUST_CALL_WITHOUT_CALL: _("Last cards that must be called need a call that is allowed."),
        RulesetFault.SET_OPTIONS_NEED_SETS: _("Where no fours are removed, their size says nothing."),
        RulesetFault.SAME_RANK_WITH_ASCENDING: _("Ranks that ascend leave no old rank in force."),
    }.get(error.reason, _("These options do not fit together."))


def _values() -> dict[tuple[str, Value], str]:
    """Return the words of the values that are no plain numbers."""
    return {
        ("pack", "auto"): pgettext("pack", "by players"),
        ("burn", 0): pgettext("burned card", "none"),
        ("burn", 1): pgettext("burned card", "one"),
        ("next_dealer", "left"): pgettext("next dealer", "left"),
        ("next_dealer", "loser"): pgettext("next dealer", "the loser"),
        ("first_lead", "dealer_left"): pgettext("first lead", "dealer's left"),
        ("first_lead", "dealer"): pgettext("first lead", "the dealer"),
        ("lead_max", "none"): pgettext("cards a turn", "no limit"),
        ("lead_max", "copies"): pgettext("cards a turn", "up to 4 a pack"),
        ("follow_max", "none"): pgettext("cards a turn", "no limit"),
        ("follow_max", "copies"): pgettext("cards a turn", "up to 4 a pack"),
        ("follow_max", "live_copies"): pgettext("cards a turn", "as many as are in play"),
        ("claim_number", "honest"): pgettext("number said", "true"),
        ("claim_number", "unstated"): pgettext("number said", "not said"),
        ("claim_number", "free"): pgettext("number said", "may be false"),
        ("no_aces", "no"): pgettext("aces", "may be named"),
        ("no_aces", "yes"): pgettext("aces", "may not be named"),
        ("set_size", "four"): pgettext("size of fours", "four"),
        ("set_size", "copies"): pgettext("size of fours", "all in the packs"),
        ("packs", "auto"): pgettext("pack", "by players"),
        ("retired_ranks", "claimable"): pgettext("ranks gone", "may be named"),
        ("retired_ranks", "barred"): pgettext("ranks gone", "may not be named"),
        ("veryu", "none"): pgettext("I believe", "not said"),
        ("veryu", "packet"): pgettext("I believe", "the packet goes out"),
        ("veryu", "pile"): pgettext("I believe", "the pile goes out"),
        ("lead_exempt", "none"): pgettext("lead of one", "may be called"),
        ("lead_exempt", "first_of_deal"): pgettext("lead of one", "first of the deal is safe"),
        ("lead_exempt", "any_round_lead"): pgettext("lead of one", "safe"),
        ("after_bluff", "challenger"): pgettext("after a bluff", "the caller leads"),
        ("after_bluff", "next_after_owner"): pgettext("after a bluff", "the next player leads"),
        ("rank_after_wrong_ne", "fresh"): pgettext("after a wrong call", "any rank"),
        ("rank_after_wrong_ne", "same"): pgettext("after a wrong call", "the same rank"),
        ("sets", "none"): pgettext("fours", "stay in the hand"),
        ("sets", "optional"): pgettext("fours", "taker may remove"),
        ("sets", "forced"): pgettext("fours", "must be removed"),
        ("end", "sole_loser"): pgettext("end", "last with cards loses"),
        ("end", "first_out"): pgettext("end", "first out wins"),
        ("must_call_pending", "no"): pgettext("last cards", "may be called"),
        ("must_call_pending", "yes"): pgettext("last cards", "must be called"),
        ("stall_guard", "none"): pgettext("same words again", "allowed"),
        ("stall_guard", "no_repeat_claim"): pgettext("same words again", "not for the last two"),
        ("session", "count_losses"): pgettext("session", "count losses"),
        ("session", "none"): pgettext("session", "single deals"),
    }
