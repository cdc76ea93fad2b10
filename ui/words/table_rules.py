"""The rules of the table in words: its times, what follows absence, who deals first, and who may watch."""

from engine import Answer, Call, DiscardSets, GoOut, Lay, Ruleset
from p2p.protocol.table_rules import BOUNDS, USUAL, TableRules, TableRulesError
from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.words.ranks import claim, quoted

Value = int | str

_MINUTE_S = 60


def table_rule_name(rule: str) -> str:
    """The name of a rule of the table in the form."""
    return {
        "window_s": pgettext("table rule", "Call time"),
        "clock_s": pgettext("table rule", "Turn time"),
        "grace_s": pgettext("table rule", "Absence time"),
        "absence": pgettext("table rule", "Absence"),
        "dealer": pgettext("table rule", "Dealer's seat"),
        "watchers": pgettext("table rule", "Watchers"),
    }[rule]


def table_rule_value(rule: str, value: Value) -> str:
    """The value of a rule of the table, short."""
    if rule == "absence":
        return {
            "wait": pgettext("who stays away", "others may vote"),
            "forfeit": pgettext("who stays away", "vote at once"),
        }[str(value)]
    if rule == "watchers":
        return {
            "yes": pgettext("watchers", "allowed"),
            "no": pgettext("watchers", "not allowed"),
        }[str(value)]
    if rule == "dealer":
        # The opener always has the first seat.
        return str(int(value) + 1) if value else pgettext("first dealer's seat", "1, who opens the table")
    return span(int(value)) if value else pgettext("time for a turn", "no limit")


def span(seconds: int) -> str:
    """A time as people say it: 20 s, 2 min."""
    if seconds % _MINUTE_S == 0:
        return _("{count} min").format(count=seconds // _MINUTE_S)
    return _("{count} s").format(count=seconds)


def table_rule_explanation(rule: str) -> str:
    """One sentence on what changing a rule of the table does."""
    return {
        "window_s": _("Where anyone may call, silence after this time means that one does not."),
        "clock_s": _("When it is over, the program plays for whoever is late: help says how."),
        "grace_s": _("Nobody can be voted out before he has been away for so long."),
        "absence": _("A vote on who stays away is asked for by somebody, or comes by itself."),
        "dealer": _("Where the first dealer is chosen: whose seat. Seats are taken in the order of coming."),
        "watchers": _("Whether others may watch. They see no hand, and need the code where there is one."),
    }[rule]


def table_rule_refused(error: TableRulesError) -> str:
    """Why a rule of the table cannot have a value."""
    if error.name == "dealer":
        return _("The first dealer's seat is one of the table's, and only where the first dealer is chosen.")
    if error.name == "watchers":
        return _("Others may either watch a table or not: yes or no.")
    if error.name not in BOUNDS:
        return _("Who stays away is either waited for or put to the vote.")
    least, most = BOUNDS[error.name]
    if error.name == "clock_s":
        text = _("{rule}: 0 for no limit, or from {least} to {most} seconds.")
    else:
        text = _("{rule}: from {least} to {most} seconds.")
    return text.format(rule=table_rule_name(error.name), least=least, most=most)


def table_rule_sentences(rules: TableRules, game: Ruleset) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rules of a table in sentences, each with the names of the rules that it speaks of.

    How long a call may take matters only where the game lets anyone call.
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    if game.open_calls:
        text = _("{time} to call after each packet").format(time=span(rules.window_s))
        found.append((text, ("window_s",)))
    if rules.clock_s:
        text = _("{time} for a turn, then the program plays for you").format(time=span(rules.clock_s))
    else:
        text = _("A turn may take as long as it likes")
    found.append((text, ("clock_s",)))
    text = (
        _("Who is away for {time} can be voted out")
        if rules.absence == "wait"
        else _("Who is away for {time} is put to the vote at once")
    )
    found.append((text.format(time=span(rules.grace_s)), ("grace_s", "absence")))
    if game.first_dealer == "chosen":
        text = _("Who opened the table deals first") if not rules.dealer else _("Seat {seat} deals first")
        found.append((text.format(seat=rules.dealer + 1), ("dealer",)))
    may_watch = rules.watchers == "yes"
    text = _("Others may watch; they see no hand") if may_watch else _("Nobody else may watch")
    found.append((text, ("watchers",)))
    return tuple(found)


def table_rule_texts() -> tuple[str, ...]:
    """What each rule of a table is about, and what it usually is."""
    return tuple(
        _("{rule} (usually {value}). {explanation}").format(
            rule=table_rule_name(rule),
            value=table_rule_value(rule, value),
            explanation=table_rule_explanation(rule),
        )
        for rule, value in USUAL.to_mapping().items()
    )


def when_time_is_over() -> tuple[str, ...]:
    """What the program does for whoever is late, in sentences."""
    return (
        _("When your time for a turn is over, the program plays for you, always by the same rule."),
        _("If a packet can be doubted it says “I don't believe”."),
        _(
            "Else it lays as few cards as it may: true ones if you hold any, otherwise of the rank that you "
            "have least of; a free lead is of the rank that you have most of."
        ),
        _("It keeps fours, announces an empty hand, and says nothing where anyone may call."),
    )


def default_sentence(move: Lay | Call | Answer | GoOut | DiscardSets) -> str:
    """What the program will do for the reader when his time is over."""
    match move:
        case Lay():
            words = quoted(claim(move.rank, move.number))
            return _("When your time is over, the program lays for you and says {claim}.").format(claim=words)
        case Call(believe=True) | Answer(call=Call(believe=True)):
            return _("When your time is over, the program says “I believe” for you.")
        case Call() | Answer(call=Call()):
            return _("When your time is over, the program says “I don't believe” for you.")
        case Answer():
            return _("When the time is over, you have said nothing.")
        case GoOut():
            return _("When your time is over, the program says for you that your hand is empty.")
        case DiscardSets():
            return _("When your time is over, the program keeps everything for you.")


def time_left(left: str, *, own: bool) -> str:
    """The clock of whoever has to choose, `left` as 0:42; that of others is an estimate."""
    return (_("{time} left") if own else _("~{time} left")).format(time=left)


def time_ran_out() -> str:
    """The line of the log above what the program did for the reader."""
    return _("Your time ran out: the program plays for you.")
