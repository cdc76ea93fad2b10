"""Whether there is a terminal that a screen can be drawn in, and whether it is still there."""

import os
import sys
from collections.abc import Callable

from ui.i18n import gettext as _


def in_browser() -> bool:
    """Whether a page in a browser is the terminal: `verish serve`, or whatever serves it, says so."""
    return os.environ.get("TEXTUAL_DRIVER") == "textual.drivers.web_driver:WebDriver"


def has_screen() -> bool:
    """Whether there is one. The screen is drawn on standard error, so that must be the terminal as well."""
    return in_browser() or (_is_terminal() and sys.stderr.isatty() and not _is_dumb())


def is_plain() -> bool:
    """Whether there is a terminal that lines can be typed in, and nothing can be drawn in."""
    return not in_browser() and _is_terminal() and _is_dumb()


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _is_dumb() -> bool:
    return os.environ.get("TERM", "dumb") == "dumb"


def loss_of_screen() -> Callable[[], bool]:
    """Return what tells, now and later, whether the terminal that is there now has gone.

    Whoever started us may have kept the hang-up to himself. In a browser it has gone with the program that
    serves the page, which is the one that started us.
    """
    server = os.getppid()
    if in_browser():
        return lambda: os.getppid() != server
    assert sys.__stderr__ is not None, "the screen is drawn there"
    screen = sys.__stderr__.fileno()
    return lambda: not os.isatty(screen)


def no_screen() -> str:
    """There is none, and a screen was asked for."""
    return _("There is no terminal to draw in. Start it in a terminal window.")
