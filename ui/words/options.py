"""The options of a ruleset as a form shows them: name, value, one sentence of explanation."""

from engine import OPTIONS, RulesetError
from engine.errors import RulesetFault
from p2p.protocol.carried import UncarriedRulesError
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext

Value = int | str


def option_name(option: str) -> str:
    """The name of an option in the form."""
    return {
        "pack": pgettext("option", "Pack"),
        "packs": pgettext("option", "Packs"),
        "burn": pgettext("option", "Burned card"),
        "deal": pgettext("option", "Dealing"),
        "hand_size": pgettext("option", "Cards dealt"),
        "refill": pgettext("option", "Drawing"),
        "first_dealer": pgettext("option", "First dealer"),
        "next_dealer": pgettext("option", "Next dealer"),
        "first_lead": pgettext("option", "First lead"),
        "lead_min": pgettext("option", "Least lead"),
        "lead_max": pgettext("option", "Cards to lead"),
        "follow_max": pgettext("option", "Cards a turn"),
        "claim_number": pgettext("option", "Number said"),
        "number_test": pgettext("option", "False number"),
        "rank_rule": pgettext("option", "Ranks"),
        "ascending_after_pickup": pgettext("option", "Rank after a round"),
        "no_aces": pgettext("option", "Aces"),
        "retired_ranks": pgettext("option", "Ranks gone"),
        "veryu": pgettext("option", "“I believe”"),
        "lead_exempt": pgettext("option", "Lead of one"),
        "callers": pgettext("option", "Who may call"),
        "open_turn": pgettext("option", "After an open call"),
        "check": pgettext("option", "A call opens"),
        "after_bluff": pgettext("option", "After a bluff"),
        "rank_after_wrong_ne": pgettext("option", "Wrong call"),
        "sets": pgettext("option", "Fours"),
        "set_size": pgettext("option", "Size of fours"),
        "sets_at_deal": pgettext("option", "Fours at the deal"),
        "out_call": pgettext("option", "Going out"),
        "illegal_zero": pgettext("option", "No card laid"),
        "end": pgettext("option", "End"),
        "must_call_pending": pgettext("option", "Last cards"),
        "stall_guard": pgettext("option", "Same words"),
        "session": pgettext("option", "Session"),
        "session_losses": pgettext("option", "Session goes to"),
    }[option]


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
    """One sentence on what changing an option does to the game."""
    return {
        "pack": _("More cards make longer deals."),
        "packs": _("With two packs each card is there twice, and eight of a rank."),
        "burn": _("A burned card lies unseen to the end: nobody can count all four of a rank."),
        "deal": _("With a draw pile hands stay small, and nobody is out while it lasts."),
        "hand_size": _("So many cards are dealt to each, and drawn up to from the draw pile."),
        "refill": _("Drawing at every turn keeps hands full; drawing each round lets them run down."),
        "first_dealer": _("Who deals first decides who leads first."),
        "next_dealer": _("The deal goes on from there: who leads first depends on who deals."),
        "first_lead": _("Who leads lays first, of any rank."),
        "lead_min": _("A bigger lead cannot be one safe card; a smaller hand leads whole."),
        "lead_max": _("A bigger packet hides more lies."),
        "follow_max": _("A bigger packet hides more lies."),
        "claim_number": _("A number that may be false hides how many cards are laid and held."),
        "number_test": _("Whether a packet of true cards with a false number is a bluff."),
        "rank_rule": _("Ranks that go up by themselves leave nobody a choice: one has to lie more often."),
        "ascending_after_pickup": _("After a round ranks can go on where they were, or start anew."),
        "no_aces": _("Aces can then be laid only as something else: whoever holds them has to lie."),
        "retired_ranks": _("Whether a rank can be named when all its cards are openly out of play."),
        "veryu": _("Whoever believes rightly sends cards out of play; whoever believes a bluff takes them."),
        "lead_exempt": _("A single card that opens a round can be safe from “I don't believe”."),
        "callers": _("When anyone may call, bluffs are caught more often, and each packet waits a moment."),
        "open_turn": _("Whether a wrong call out of turn moves the turn to the caller."),
        "check": _("When one card decides for the packet, a single lie in it may pass."),
        "after_bluff": _("Who leads after a caught bluff."),
        "rank_after_wrong_ne": _("A wrong call can keep the old rank in force for the next leader."),
        "sets": _("Removing a four shortens the hand, but everybody sees it."),
        "set_size": _("With two packs a set can be four cards, or all eight of a rank."),
        "sets_at_deal": _("Fours can also be removed before the first lead."),
        "out_call": _("Whoever forgets to say that the cards are gone stays in for another round."),
        "illegal_zero": _("A turn without a card can cost the pile, or cannot be made at all."),
        "end": _("Either the deal ends with its winner, or it goes on until one is left."),
        "must_call_pending": _("Nobody leaves unchecked, so the last packet had better be true."),
        "stall_guard": _("Two players cannot go on for ever with the same words."),
        "session": _("The table counts deals won or lost."),
        "session_losses": _("So many deals lost end a session; where the first out wins, so many won."),
    }[option]


def possible_values(option: str | None) -> str:
    """Which values an option may have, as the command line spells them."""
    domain = OPTIONS.get(option or "")
    if domain is None:
        return ""
    values = [str(value) for value in domain.values]
    if domain.numbers:
        values.append(f"{domain.numbers.start}…{domain.numbers.stop - 1}")
    return ", ".join(values)


def ruleset_refused(error: RulesetError) -> str:
    """Why a combination of options cannot be played."""
    return {
        RulesetFault.UNKNOWN_FORM: _("There is no such form of the game."),
        RulesetFault.UNKNOWN_OPTION: _(
            "The rules have no option “{option}”; “verish rules FORM --options” lists them."
        ).format(option=error.option),
        RulesetFault.MISSING_OPTION: _("An option of the rules is missing."),
        RulesetFault.BAD_VALUE: _("{option} cannot be {value}. It can be: {values}.").format(
            option=error.option, value=error.value, values=possible_values(error.option)
        ),
        RulesetFault.TOO_FEW_PLAYERS: _("A table needs two players or more."),
        RulesetFault.TOO_MANY_PLAYERS: _("These rules do not allow so many players."),
        RulesetFault.TOO_FEW_CARDS: _("There are too few cards for so many players."),
        RulesetFault.NO_STOCK_LEFT: _("The hands take the whole pack: nothing is left to draw."),
        RulesetFault.NUMBER_TEST_NEEDS_FREE: _("A false number matters only where numbers may be false."),
        RulesetFault.ONE_CARD_CHECK_WITH_FREE: _("One card cannot show that the number is false."),
        RulesetFault.LOSER_DEALS_NEEDS_LOSER: _("The loser can deal only where the deal has a loser."),
        RulesetFault.HAND_SIZE_NEEDS_HAND: _("When all cards are dealt, hands have no size to choose."),
        RulesetFault.REFILL_NEEDS_HAND: _("When all cards are dealt, there is nothing to draw."),
        RulesetFault.SAME_RANK_WITH_ASCENDING: _("Ranks that ascend leave no old rank in force."),
        RulesetFault.AFTER_PICKUP_NEEDS_ASCENDING: _("Only ranks that go up can go on after a round."),
        RulesetFault.OPEN_TURN_NEEDS_OPEN_CALLS: _("Where only the next may call, nobody calls out of turn."),
        RulesetFault.SET_OPTIONS_NEED_SETS: _("Where no fours are removed, there is nothing to choose."),
        RulesetFault.LEAD_MIN_OVER_MAX: _("The least lead is bigger than the biggest."),
        RulesetFault.MUST_CALL_WITHOUT_CALL: _("Last cards that must be called need a call that is allowed."),
        RulesetFault.SESSION_LOSSES_NEED_SESSION: _(
            "Where no number of losses ends the session, there is no number to choose."
        ),
    }[error.reason]


def not_carried(error: UncarriedRulesError) -> str:
    """Why rules that the engine plays cannot be chosen for a table over the network."""
    if error.option == "claim_number":
        return _("Numbers that may be false are not played over the network yet; there they are true.")
    return _("Not played over the network yet: {option}, {value}.").format(
        option=option_name(error.option), value=option_value(error.option, error.value)
    )


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
        ("deal", "all"): pgettext("dealing", "all cards"),
        ("deal", "hand"): pgettext("dealing", "with a draw pile"),
        ("refill", "new_round"): pgettext("drawing", "each round"),
        ("refill", "every_turn"): pgettext("drawing", "each turn"),
        ("first_dealer", "random"): pgettext("first dealer", "drawn"),
        ("first_dealer", "chosen"): pgettext("first dealer", "chosen"),
        ("number_test", "bluff"): pgettext("false number", "a bluff"),
        ("number_test", "ignored"): pgettext("false number", "no bluff"),
        ("rank_rule", "fixed"): pgettext("ranks", "the leader names one"),
        ("rank_rule", "ascending"): pgettext("ranks", "go up by themselves"),
        ("ascending_after_pickup", "continue"): pgettext("rank after a round", "goes on"),
        ("ascending_after_pickup", "choose"): pgettext("rank after a round", "the leader chooses"),
        ("callers", "next"): pgettext("who may call", "the next player"),
        ("callers", "any"): pgettext("who may call", "anyone"),
        ("open_turn", "after_picker"): pgettext("after an open call", "next after the caller"),
        ("open_turn", "normal_rotation"): pgettext("after an open call", "next after the owner"),
        ("check", "all"): pgettext("a call opens", "the whole packet"),
        ("check", "one_random"): pgettext("a call opens", "one card by lot"),
        ("check", "one_by_caller"): pgettext("a call opens", "one card, the caller's pick"),
        ("sets_at_deal", "no"): pgettext("fours at the deal", "stay"),
        ("sets_at_deal", "yes"): pgettext("fours at the deal", "removed too"),
        ("out_call", "automatic"): pgettext("going out", "by itself"),
        ("out_call", "manual"): pgettext("going out", "to be announced"),
        ("illegal_zero", "penalty"): pgettext("no card laid", "costs the pile"),
        ("illegal_zero", "reject"): pgettext("no card laid", "not allowed"),
        ("session", "to_n_losses"): pgettext("session", "to a number of losses"),
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
        ("session", "count_losses"): pgettext("session", "deals are counted"),
        ("session", "none"): pgettext("session", "single deals"),
    }
