"""Taking up a table again after the program ended in the middle: what there is, and what it means."""

from collections.abc import Sequence

from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.words.enter import EnterLine
from ui.words.people import listed


def title(*, between: bool) -> str:
    """The place; between: a deal is over and the next has not begun."""
    return _("A table was left") if between else _("A deal was left")


def take_up(*, between: bool) -> EnterLine:
    """What Enter does: between two deals there are no cards to come back to."""
    aside = _("you sit in your seat") if between else _("you sit in your seat, with your cards")
    return EnterLine(_("Take it up again"), aside)


def leave(*, between: bool) -> str:
    """What Esc does."""
    return pgettext("key", "leave the table") if between else pgettext("key", "leave it unfinished")


def nothing_unfinished() -> str:
    """Say that there is nothing to take up."""
    return _("There is no unfinished deal to take up.")


def offered(title: str, names: Sequence[str], deal: int, *, between: bool) -> str:
    """Say which table waits."""
    text = (
        _("At the table “{title}” with {names}, deal {deal} is over and the next has not begun.")
        if between
        else _("At the table “{title}” with {names}, deal {deal} is unfinished.")
    )
    return text.format(title=title, names=listed(names), deal=deal)


def consequence(*, between: bool) -> str:
    """Say what it means to come back, and not to."""
    if between:
        return _("If you do not come back, the next deal waits until the others go on without you.")
    return _(
        "If you do not come back, the others wait for you or end the deal without you, and it stays "
        "unfinished in your record."
    )


def taking_up() -> str:
    """Say what the program does before it plays on."""
    return _("Taking up the deal again: the others tell what happened.")


def only_watching() -> str:
    """Say why the own seat cannot play on."""
    return _("You only watch: moves that you signed are lost here.")
