"""The one word beside a player's cards: his last act or his state."""

from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words.people import Who, clock
from ui.words.ranks import Number


def laid(count: int) -> str:
    """He laid so many cards."""
    return ngettext("laid {count}", "laid {count}", count).format(count=Number(count))


def takes(who: Who, count: int) -> str:
    """He takes so many cards."""
    if who.own:
        return pgettext("you", "take {count}").format(count=count)
    return pgettext("somebody", "takes {count}").format(count=count)


def called(who: Who, believe: bool) -> str:
    """He called."""
    if who.own:
        return pgettext("you", "believed") if believe else pgettext("you", "called")
    return pgettext("somebody", "believed") if believe else pgettext("somebody", "called")


def last_cards() -> str:
    """His hand is empty and his packet can still be called."""
    return pgettext("player row", "last cards")


def out(place: int) -> str:
    """He has left the deal."""
    return _("out, place {place}").format(place=place)


def away(seconds: float) -> str:
    """He has no link for so long."""
    return _("away {time}").format(time=clock(seconds))


def answered() -> str:
    """He has answered in the window of open calls."""
    return pgettext("player row", "answered")


def draws() -> str:
    """He draws from the stock."""
    return pgettext("player row", "draws")


def no_cards() -> str:
    """His hand is empty, and he has not left."""
    return pgettext("player row", "no cards")


def opens() -> str:
    """He has to open the called packet."""
    return pgettext("player row", "opens")


def has_fours() -> str:
    """He may remove four of a kind."""
    return pgettext("player row", "fours?")


def left() -> str:
    """He has left the table for good."""
    return pgettext("player row", "left")
