"""The game explained, as one would at the table: how it goes by these rules, and what each variation changes.

Every sentence is chosen by the options, so that none can disagree with them. The single rules, differences
marked, are `ui.words.rules`.
"""

from engine import Ruleset, variations_of
from ui.i18n import gettext as _
from ui.words.rules import difference_lines, rule_lines
from ui.words.variations import variation_title


def how_it_goes(rules: Ruleset) -> tuple[str, ...]:
    """How the game goes by these rules, in a few sentences."""
    return (_goal(rules), _turn(rules), *_call(rules), _end(rules))


def _goal(rules: Ruleset) -> str:
    """What one wants."""
    if rules.end == "first_out":
        return _("You want to be the first to be rid of all cards. Lay them face down and say what they are.")
    return _("You want to be rid of your cards. Lay them face down and say what they are.")


def _turn(rules: Ruleset) -> str:
    """Which rank is said."""
    if rules.rank_rule == "ascending":
        return _("Each packet must be said to be of the next rank up.")
    return _("The first packet of a round names a rank; everybody after it must say the same rank.")


def _call(rules: Ruleset) -> tuple[str, ...]:
    """What a call does."""
    if rules.open_calls:
        doubt = _("Anyone may say “I don't believe”.")
    else:
        doubt = _("Instead of laying, the next player may say “I don't believe”.")
    opened = {
        "all": _("Then the last packet is opened."),
        "one_random": _("Then one card of the last packet, drawn by lot, is opened."),
        "one_by_caller": _("Then one card of the last packet, which the caller picks, is opened."),
    }[str(rules.check)]
    cost = _("If it was a lie, its owner takes all cards on the table; if it was true, the caller does.")
    believe = {
        "none": (),
        "packet": (
            _(
                "Or one says “I believe”: a true packet then goes out of play, but for a lie the believer "
                "takes all."
            ),
        ),
        "pile": (
            _(
                "Or one says “I believe”: if the packet is true, all cards on the table go out of play, but "
                "for a lie the believer takes them."
            ),
        ),
    }[str(rules.veryu)]
    return (f"{doubt} {opened}", cost, *believe)


def _end(rules: Ruleset) -> str:
    """How the deal ends."""
    last = _("Who has laid the last cards is out as soon as that packet can no longer be called.")
    if rules.draws:
        last = _("Nobody is out while the draw pile lasts.")
    if rules.end == "first_out":
        return f"{last} " + _("The first one out wins, and the deal is over.")
    return f"{last} " + _("The last one who holds cards loses.")


def rule_texts(rules: Ruleset, players: int | None = None) -> tuple[str, ...]:
    """Every single rule with its mark, what differs from the form first."""
    return tuple(
        f"≠ {line.text} ({line.usual})" if line.differs else f"· {line.text}"
        for line in rule_lines(rules, players)
    )


def variation_texts(form: str) -> tuple[tuple[str, str, str], ...]:
    """Identifier, name, and what it changes, for each named variation of a form."""
    return tuple(
        (
            variation.name,
            variation_title(variation),
            "; ".join(line.text for line in difference_lines(variation.ruleset)),
        )
        for variation in variations_of(form)
    )
