"""A table's rules in sentences, in the order of a turn, differences from the form marked."""

from collections.abc import Callable
from dataclasses import dataclass

from engine import Ruleset
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.options import option_name, option_value, usual_value
from ui.words.table import form_name


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule. `usual`: what the form usually has, where this table differs from it; else ""."""

    text: str
    usual: str = ""

    @property
    def differs(self) -> bool:
        """Whether this table plays it otherwise than the form."""
        return bool(self.usual)


def rule_lines(ruleset: Ruleset, players: int | None = None) -> tuple[RuleLine, ...]:
    """All rules of a table: first what differs from its form, then the rest in the order of a turn."""
    found = ruleset.differences(players)
    differing = {option: usual for option, _value, usual in found}
    lines = []
    for options, word in _RULES:
        values = [usual_value(option, differing[option]) for option in options if option in differing]
        text = word(ruleset)
        if text:
            lines.append(RuleLine(text, _usually(", ".join(dict.fromkeys(values))) if values else ""))
    covered = {option for options, _word in _RULES for option in options}
    lines += [
        RuleLine(
            f"{option_name(option)}: {option_value(option, value)}", _usually(usual_value(option, usual))
        )
        for option, value, usual in found
        if option not in covered
    ]
    return tuple(sorted(lines, key=lambda line: not line.differs))


def difference_lines(ruleset: Ruleset, players: int | None = None) -> tuple[RuleLine, ...]:
    """Only the rules that differ from the form."""
    return tuple(line for line in rule_lines(ruleset, players) if line.differs)


def form_with_mark(ruleset: Ruleset, players: int | None = None) -> str:
    """The form, and in a list the number of differences: "pagat ≠1"."""
    count = len(difference_lines(ruleset, players))
    return f"{form_name(ruleset.form)} ≠{count}" if count else form_name(ruleset.form)


def form_with_differences(ruleset: Ruleset, players: int | None = None) -> str:
    """The form and how many rules differ: "pagat, 1 difference"."""
    name, count = form_name(ruleset.form), len(difference_lines(ruleset, players))
    if not count:
        return name
    return ngettext("{form}, {count} difference", "{form}, {count} differences", count).format(
        form=name, count=count
    )


def card_head(ruleset: Ruleset, players: int | None = None) -> str:
    """The first line of a table's card in the lobby."""
    count = len(difference_lines(ruleset, players))
    if not count:
        return _("{form}, as usual.").format(form=form_name(ruleset.form))
    return ngettext("{form}, {count} difference:", "{form}, {count} differences:", count).format(
        form=form_name(ruleset.form), count=count
    )


def ready_question(ruleset: Ruleset, players: int | None = None) -> str:
    """The banner's question to somebody who has not said that he is ready."""
    count = len(difference_lines(ruleset, players))
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
    return _("{cards}, one burned unseen").format(cards=text) if rules.burned else text


def _next_dealer(rules: Ruleset) -> str:
    """Who deals the next deal."""
    return _("The loser deals next") if rules.next_dealer == "loser" else _("The deal moves to the left")


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


def _aces(rules: Ruleset) -> str:
    """Whether aces may be named."""
    return _("Aces may be laid but not named") if rules.no_aces == "yes" else ""


def _retired(rules: Ruleset) -> str:
    """Whether gone ranks may be named."""
    return _("A rank that is out of play may not be named") if rules.retired_ranks == "barred" else ""


def _callers(rules: Ruleset) -> str:
    """Who may call."""
    return _("Anyone may call") if rules.callers == "any" else _("Only the next player may call")


def _veryu(rules: Ruleset) -> str:
    """What "I believe" does."""
    return {
        "none": _("No “I believe”"),
        "packet": _("“I believe”, rightly: the packet goes out of play"),
        "pile": _("“I believe”, rightly: the pile goes out of play"),
    }[str(rules.veryu)]


def _exempt(rules: Ruleset) -> str:
    """Whether a lead of one card may be called."""
    return {
        "first_of_deal": _("The first lead of the deal is not called if it is one card"),
        "any_round_lead": _("A lead of one card is not called"),
    }.get(str(rules.lead_exempt), "")


def _must_call(rules: Ruleset) -> str:
    """Whether last cards have to be called."""
    return _("Last cards must be called") if rules.must_call_pending == "yes" else ""


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
    """What becomes of four of a kind."""
    return {
        "none": _("Four of a kind stay in the hand"),
        "optional": _("After taking, four of a kind may be removed"),
        "forced": _("After taking, four of a kind must be removed"),
    }[str(rules.sets)]


def _stall(rules: Ruleset) -> str:
    """Whether the last two may repeat themselves."""
    return _("The last two may not lead with the same words again") if rules.stall_guard != "none" else ""


def _end(rules: Ruleset) -> str:
    """Who wins or loses."""
    return _("The first one out wins") if rules.end == "first_out" else _("The last with cards loses")


def _session(rules: Ruleset) -> str:
    """What is counted from deal to deal."""
    return _("Lost deals are counted") if rules.session == "count_losses" else _("Each deal stands alone")


_RULES: tuple[tuple[tuple[str, ...], Callable[[Ruleset], str]], ...] = (
    (("pack", "packs", "burn"), _pack),
    (("first_lead",), _first_lead),
    (("lead_min", "lead_max", "follow_max"), _sizes),
    (("claim_number",), _claim),
    (("no_aces",), _aces),
    (("retired_ranks",), _retired),
    (("callers",), _callers),
    (("veryu",), _veryu),
    (("lead_exempt",), _exempt),
    (("must_call_pending",), _must_call),
    (("after_bluff",), _bluff),
    (("rank_after_wrong_ne",), _wrong_call),
    (("sets",), _sets),
    (("stall_guard",), _stall),
    (("end",), _end),
    (("next_dealer",), _next_dealer),
    (("session",), _session),
)
"""Which options each sentence speaks of, in the order of a turn."""
