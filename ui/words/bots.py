"""Words of the page on which one chooses the bots to play with."""

from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext


def title() -> str:
    """The place."""
    return _("Play with bots")


def fields() -> tuple[str, ...]:
    """What is chosen, in its order."""
    return (pgettext("field", "Bots"), pgettext("field", "Strength"), pgettext("field", "Pace"))


def strength(name: str) -> str:
    """A strength in a word."""
    return {
        "easy": pgettext("strength", "easy"),
        "middling": pgettext("strength", "middling"),
        "strong": pgettext("strength", "strong"),
    }[name]


def pace(name: str) -> str:
    """A pace in a word."""
    return {"quick": pgettext("pace", "quick"), "calm": pgettext("pace", "calm")}[name]


def explained(field: int, value: str) -> str:
    """What the chosen value of a field means."""
    if field == 0:
        return _(
            "They find your table like anybody else, and know only their own cards. Their names are theirs."
        )
    return {
        "easy": _("They lay, lie and call by chance."),
        "middling": _("They tell the truth where they can, and call what cannot be true."),
        "strong": _("They remember where cards went, and weigh what a lie gains against what a call costs."),
        "quick": _("They answer at once."),
        "calm": _("They think for a second, so that you can follow."),
    }[value]


def play(count: int) -> str:
    """Enter."""
    text = ngettext("Play with {count} bot", "Play with {count} bots", count)
    return text.format(count=count)


def helped() -> tuple[str, ...]:
    """What the page is for, for the help."""
    return (_("Choose how many bots play with you, how well and how fast. They play pagat."),)
