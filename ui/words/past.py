"""Words of what past deals add up to."""

from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext


def title() -> str:
    """The place."""
    return _("Your deals so far")


def nothing_yet() -> str:
    """No deal has ended."""
    return _("No deal has been played to its end here yet.")


def together(deals: int, won: int, lost: int) -> str:
    """All of them."""
    text = ngettext("{deals} deal: {won} won, {lost} lost.", "{deals} deals: {won} won, {lost} lost.", deals)
    return text.format(deals=deals, won=won, lost=lost)


def lies_found() -> str:
    """Beside a bar: own packets that a call opened, and how many of them were bluffs."""
    return _("of your opened packets were bluffs")


def right_calls() -> str:
    """Beside a bar: own calls, and how many of them were right."""
    return _("of your calls were right")


def form() -> str:
    """Column: the form."""
    return _("form")


def opponent() -> str:
    """Column: who."""
    return _("opponent")


def columns() -> tuple[str, ...]:
    """The other columns."""
    return (
        pgettext("column", "deals"),
        pgettext("column", "won"),
        pgettext("column", "lost"),
        pgettext("column", "lies found"),
        pgettext("column", "right calls"),
    )


def helped() -> tuple[str, ...]:
    """What the page shows, for the help."""
    return (
        _("What your program remembers of the deals that have ended here, your own and your opponents'."),
        _("“Lies found” is the share of bluffs among the packets that a call opened."),
        _("verish stats shows the same in numbers, and each table."),
    )
