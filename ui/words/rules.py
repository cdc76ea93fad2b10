"""A table's rules in sentences, in the order of a turn, differences from the form marked."""

from collections.abc import Callable
from dataclasses import dataclass

from engine import Ruleset, without_effect
from p2p.protocol.table_rules import TableRules
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.options import usual_value
from ui.words.table import form_name
from ui.words.table_rules import table_rule_sentences, table_rule_value


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule. `usual`: what the form usually has, where this table differs from it; else ""."""

    text: str
    usual: str = ""

    @property
    def differs(self) -> bool:
        """Whether this table plays it otherwise than the form."""
        return bool(self.usual)


def rule_lines(
    ruleset: Ruleset, players: int | None = None, table_rules: TableRules | None = None
) -> tuple[RuleLine, ...]:
    """All rules of a table: first what differs from the usual, then the rest in the order of a turn, those of
    the table itself last (`table_rules`; None leaves them out).
    """
    moot = without_effect(Ruleset.preset(ruleset.form).to_mapping())
    differing = {name: usual for name, _value, usual in ruleset.differences(players)}
    lines = []
    for options, word in _RULES:
        told = [option for option in options if option in differing]
        # What usually does nothing is no part of what is usual, unless the sentence is about nothing else.
        told = [option for option in told if option not in moot] or told
        values = [usual_value(option, differing[option]) for option in told]
        text = word(ruleset)
        if text:
            lines.append(RuleLine(text, _usually(", ".join(dict.fromkeys(values))) if values else ""))
    if table_rules is not None:
        lines += table_rule_lines(table_rules, ruleset)
    return tuple(sorted(lines, key=lambda line: not line.differs))


def table_rule_lines(table_rules: TableRules, ruleset: Ruleset) -> tuple[RuleLine, ...]:
    """The rules of the table itself, at which `ruleset` is played."""
    differing = {rule: usual for rule, _value, usual in table_rules.differences()}
    lines = []
    for text, speaks_of in table_rule_sentences(table_rules, ruleset):
        values = [table_rule_value(rule, differing[rule]) for rule in speaks_of if rule in differing]
        lines.append(RuleLine(text, _usually(", ".join(values)) if values else ""))
    return tuple(lines)


def difference_lines(
    ruleset: Ruleset, players: int | None = None, table_rules: TableRules | None = None
) -> tuple[RuleLine, ...]:
    """Only the rules that differ from the usual."""
    return tuple(line for line in rule_lines(ruleset, players, table_rules) if line.differs)


def form_with_mark(
    ruleset: Ruleset, players: int | None = None, table_rules: TableRules | None = None
) -> str:
    """The form, and in a list the number of differences: "pagat ≠1"."""
    count = len(difference_lines(ruleset, players, table_rules))
    return f"{form_name(ruleset.form)} ≠{count}" if count else form_name(ruleset.form)


def form_with_differences(
    ruleset: Ruleset, players: int | None = None, table_rules: TableRules | None = None
) -> str:
    """The form and how many rules differ: "pagat, 1 difference"."""
    name, count = form_name(ruleset.form), len(difference_lines(ruleset, players, table_rules))
    if not count:
        return name
    return ngettext("{form}, {count} difference", "{form}, {count} differences", count).format(
        form=name, count=count
    )


def card_head(ruleset: Ruleset, players: int | None = None, table_rules: TableRules | None = None) -> str:
    """The first line of a table's card in the lobby."""
    count = len(difference_lines(ruleset, players, table_rules))
    if not count:
        return _("{form}, as usual.").format(form=form_name(ruleset.form))
    return ngettext("{form}, {count} difference:", "{form}, {count} differences:", count).format(
        form=form_name(ruleset.form), count=count
    )


def ready_question(
    ruleset: Ruleset, players: int | None = None, table_rules: TableRules | None = None
) -> str:
    """The banner's question to somebody who has not said that he is ready."""
    count = len(difference_lines(ruleset, players, table_rules))
    if not count:
        return _("They are those of {form}. Do you agree?").format(form=form_name(ruleset.form))
    return ngettext(
        "{count} differs from {form} (≠). Do you agree?",
        "{count} differ from {form} (≠). Do you agree?",
        count,
    ).format(count=count, form=form_name(ruleset.form))


def _usually(value: str) -> str:
    """What stands beside a difference."""
    return _("usually: {value}").format(value=value)


def _pack(rules: Ruleset) -> str:
    """How many cards, and the burned one."""
    if isinstance(rules.pack, int):
        decks = rules.packs if isinstance(rules.packs, int) else 1
        size = rules.pack * decks
        text = ngettext("{count} card", "{count} cards", size).format(count=size)
    elif rules.form == "pagat":
        text = _("36 cards, or 52 from four players")
    else:
        text = _("36 cards, or 52 from five players")
    if rules.packs == "auto":
        text = _("{cards}, two packs from six players").format(cards=text)
    elif rules.packs == 2:
        text = _("{cards} in two packs").format(cards=text)
    return _("{cards}, one burned unseen").format(cards=text) if rules.burned else text


def _next_dealer(rules: Ruleset) -> str:
    """Who deals the next deal."""
    return _("The loser deals next") if rules.next_dealer == "loser" else _("The deal moves to the left")


def _dealing(rules: Ruleset) -> str:
    """What is dealt, and when one draws, where there is a draw pile."""
    if not rules.draws:
        return ""
    text = (
        ngettext(
            "{count} card each, the rest is a draw pile; draw up to {count} at each own turn",
            "{count} cards each, the rest is a draw pile; draw up to {count} at each own turn",
            rules.hand_cards,
        )
        if rules.refill == "every_turn"
        else ngettext(
            "{count} card each, the rest is a draw pile; draw up to {count} at the first turn of a round",
            "{count} cards each, the rest is a draw pile; draw up to {count} at the first turn of a round",
            rules.hand_cards,
        )
    )
    return text.format(count=rules.hand_cards)


def _first_dealer(rules: Ruleset) -> str:
    """Who deals the first deal; that it is drawn goes without saying."""
    return _("The first dealer is chosen, not drawn") if rules.first_dealer == "chosen" else ""


def _first_lead(rules: Ruleset) -> str:
    """Who leads first."""
    return _("The dealer leads first") if rules.first_lead == "dealer" else _("The dealer's left leads first")


def _sizes(rules: Ruleset) -> str:
    """How many cards a lay may hold."""
    least, lead, follow = rules.lead_min, rules.lead_max, rules.follow_max
    if lead == follow and least == 1:
        return _size_of_turn(follow)
    parts = [_size_of_lead(least, lead), _size_of_follow(follow)]
    return "; ".join(parts)


def _size_of_turn(most: int | str) -> str:
    """A limit for every lay."""
    if isinstance(most, int):
        return ngettext("Lay {most} card a turn", "Lay 1 to {most} cards a turn", most).format(most=most)
    return _("Lay 1 card or more a turn") if most == "none" else _("Lay 1 to 4 cards a turn for each pack")


def _size_of_lead(least: int, most: int | str) -> str:
    """A limit for leads."""
    if isinstance(most, int):
        return ngettext("Lead {least}-{most} card", "Lead {least}-{most} cards", most).format(
            least=least, most=most
        )
    if most == "none":
        return ngettext("Lead {least} card or more", "Lead {least} cards or more", least).format(least=least)
    return _("Lead up to 4 cards for each pack")


def _size_of_follow(most: int | str) -> str:
    """A limit for the lays after a lead."""
    if isinstance(most, int):
        return ngettext("then {most} card a turn", "then 1 to {most} cards a turn", most).format(most=most)
    if most == "none":
        return _("then 1 card or more a turn")
    if most == "copies":
        return _("then 1 to 4 cards a turn for each pack")
    return _("then as many as that rank has in play")


def _claim(rules: Ruleset) -> str:
    """What is said with a packet."""
    return {
        "honest": _("Say rank and number, number true"),
        "unstated": _("Say the rank, no number"),
        "free": _("Say rank and number; both may be false"),
    }[str(rules.claim_number)]


def _number_test(rules: Ruleset) -> str:
    """What a false number is, where numbers may be false."""
    if not rules.hides_sizes:
        return ""
    if rules.number_test == "bluff":
        return _("A false number is a bluff, like a false card")
    return _("A false number alone is no bluff")


def _ascending(rules: Ruleset) -> str:
    """How ranks go up by themselves."""
    if rules.rank_rule == "fixed":
        return ""
    first = _("Ranks go up") if rules.no_aces == "yes" else _("Ranks go up, aces first")
    if rules.ascending_after_pickup == "choose":
        return _("{ranks}; after a round the leader may choose").format(ranks=first)
    return _("{ranks}; whoever takes the pile, they go on").format(ranks=first)


def _aces(rules: Ruleset) -> str:
    """Whether aces may be named."""
    return _("Aces may be laid but not named") if rules.no_aces == "yes" else ""


def _retired(rules: Ruleset) -> str:
    """Whether gone ranks may be named."""
    return _("A rank that is out of play may not be named") if rules.retired_ranks == "barred" else ""


def _callers(rules: Ruleset) -> str:
    """Who may call."""
    if rules.open_calls:
        return _("Anyone may call; the nearest to the packet's owner counts")
    return _("Only the next player may call")


def _open_turn(rules: Ruleset) -> str:
    """Who goes on after somebody out of turn has called wrongly."""
    if not rules.open_calls:
        return ""
    if rules.open_turn == "normal_rotation":
        return _("After a wrong call out of turn, play goes on after the packet's owner")
    return _("After a wrong call, play goes on after the caller")


def _check(rules: Ruleset) -> str:
    """What a call opens; that it is the whole packet goes without saying."""
    return {
        "one_random": _("A call opens one card, drawn by lot: it decides alone"),
        "one_by_caller": _("A call opens one card that the caller picks: it decides alone"),
    }.get(str(rules.check), "")


def _veryu(rules: Ruleset) -> str:
    """What "I believe" does."""
    return {
        "none": _("No “I believe”"),
        "packet": _("“I believe”, rightly: the packet goes out of play, the rank stays, the next one lays"),
        "pile": _("“I believe”, rightly: the pile goes out of play, the caller leads"),
    }[str(rules.veryu)]


def _wrong_veryu(rules: Ruleset) -> str:
    """What it costs to believe a bluff."""
    if rules.veryu == "none":
        return ""
    return _("“I believe”, wrongly: the caller takes all, the next player leads")


def _exempt(rules: Ruleset) -> str:
    """Whether a lead of one card may be called."""
    return {
        "none": _("A lead of one card may be called like any other"),
        "first_of_deal": _("The first lead of the deal is not called if it is one card"),
        "any_round_lead": _("A lead of one card is not called"),
    }[str(rules.lead_exempt)]


def _must_call(rules: Ruleset) -> str:
    """Whether last cards have to be called."""
    return _("Last cards must be called") if rules.must_call_pending == "yes" else ""


def _zero(rules: Ruleset) -> str:
    """What becomes of a turn without cards."""
    if rules.illegal_zero == "penalty":
        return _("Whoever lays no card takes the pile")
    return _("A turn without a card is refused")


def _out(rules: Ruleset) -> str:
    """How one leaves; that it needs no word goes without saying."""
    if rules.manual_out:
        return _("Whoever lays the last cards says so, or stays in until the next turn")
    return ""


def _bluff(rules: Ruleset) -> str:
    """What a caught bluff costs."""
    if rules.after_bluff == "challenger":
        return _("A caught bluff: its owner takes all, the caller leads")
    return _("A caught bluff: its owner takes all, the next player leads")


def _wrong_call(rules: Ruleset) -> str:
    """What a wrong call costs."""
    if rules.rank_after_wrong_ne == "same":
        return _("A wrong call: the caller takes all, the old rank stays")
    return _("A wrong call: the caller takes all, the next player leads")


def _sets(rules: Ruleset) -> str:
    """What becomes of complete sets."""
    if rules.sets == "none":
        return _("Four of a kind stay in the hand")
    all_copies = rules.set_size == "copies" and rules.packs != 1
    must, at_deal = rules.sets == "forced", rules.sets_at_deal == "yes"
    if all_copies:
        what = _("all cards of a rank must be removed") if must else _("all cards of a rank may be removed")
    else:
        what = _("four of a kind must be removed") if must else _("four of a kind may be removed")
    when = _("After dealing and after taking, {what}") if at_deal else _("After taking, {what}")
    return when.format(what=what)


def _stall(rules: Ruleset) -> str:
    """Whether the last two may repeat themselves."""
    return _("The last two may not lead with the same words again") if rules.stall_guard != "none" else ""


def _end(rules: Ruleset) -> str:
    """Who wins or loses."""
    return _("The first one out wins") if rules.end == "first_out" else _("The last with cards loses")


def _session(rules: Ruleset) -> str:
    """What is counted from deal to deal."""
    if rules.session == "none":
        return _("Each deal stands alone")
    if rules.session == "to_n_losses":
        return _session_goal(rules)
    return _("Won deals are counted") if rules.end == "first_out" else _("Lost deals are counted")


def _session_goal(rules: Ruleset) -> str:
    """What ends a session, and who has done best in it."""
    if rules.end == "first_out":
        text = ngettext(
            "A session goes to {count} win",
            "A session goes to {count} wins",
            rules.session_losses,
        )
    else:
        text = ngettext(
            "A session goes to {count} loss; fewest losses are best, and a tie takes one more deal",
            "A session goes to {count} losses; fewest losses are best, and a tie takes one more deal",
            rules.session_losses,
        )
    return text.format(count=rules.session_losses)


_RULES: tuple[tuple[tuple[str, ...], Callable[[Ruleset], str]], ...] = (
    (("pack", "packs", "burn"), _pack),
    (("deal", "hand_size", "refill"), _dealing),
    (("first_dealer",), _first_dealer),
    (("first_lead",), _first_lead),
    (("lead_min", "lead_max", "follow_max"), _sizes),
    (("illegal_zero",), _zero),
    (("claim_number",), _claim),
    (("number_test",), _number_test),
    (("rank_rule", "ascending_after_pickup"), _ascending),
    (("no_aces",), _aces),
    (("retired_ranks",), _retired),
    (("callers",), _callers),
    (("open_turn",), _open_turn),
    (("check",), _check),
    (("veryu",), _veryu),
    ((), _wrong_veryu),
    (("lead_exempt",), _exempt),
    (("must_call_pending",), _must_call),
    (("after_bluff",), _bluff),
    (("rank_after_wrong_ne",), _wrong_call),
    (("sets", "set_size", "sets_at_deal"), _sets),
    (("out_call",), _out),
    (("stall_guard",), _stall),
    (("end",), _end),
    (("next_dealer",), _next_dealer),
    (("session", "session_losses"), _session),
)
"""Which options each sentence speaks of, in the order of a turn; every option stands in one of them."""
