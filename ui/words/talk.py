"""Talk at the table: ready remarks in the reader's own language, and what the line of talk says of itself."""

from p2p.protocol.snapshot import Remark
from p2p.protocol.talk import Said
from ui.i18n import gettext as _


def remark(one: Remark) -> str:
    """A ready remark, as everybody reads it."""
    return {
        Remark.HELLO: _("Hello, everybody!"),
        Remark.HM: _("Hm…"),
        Remark.ONE_MOMENT: _("One moment."),
        Remark.WELL_PLAYED: _("Well played!"),
        Remark.BAD_LUCK: _("Bad luck!"),
        Remark.THANKS: _("Thanks for the game!"),
    }[one]


def spoken(said: Said) -> str:
    """What somebody said."""
    return remark(said) if isinstance(said, Remark) else said


def label() -> str:
    """What stands before the line that is typed."""
    return _("Say:")


def hint() -> str:
    """What stands in the empty line."""
    return _("type a line, or press a number")


def send() -> str:
    """What Enter does with the typed line."""
    return _("Say it")


def heard_by() -> str:
    """Who hears it."""
    return _("all at the table read it")


def muted(key: str) -> str:
    """Talk has just been muted. key: the cap of the key that brings it back."""
    return _("Talk is muted: nobody's words are shown. {key} shows them again.").format(key=key)


def shown_again() -> str:
    """Talk is not muted any more."""
    return _("Talk is shown again.")


def is_muted(key: str) -> str:
    """Why nothing can be said now."""
    return _("You have muted talk. Press {key} first.").format(key=key)


def too_much() -> str:
    """The own person said too much at once."""
    return _("That was much at once. Wait a moment, then say it again.")


def nothing_said() -> str:
    """Nothing of the text can be shown."""
    return _("Nothing of this text can be shown to others.")
