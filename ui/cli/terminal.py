"""Whether there is a terminal that a screen can be drawn in."""

import os
import sys

from ui.i18n import gettext as _


def has_screen() -> bool:
    """Whether there is one. The screen is drawn on standard error, so that must be the terminal as well."""
    return _is_terminal() and sys.stderr.isatty() and not _is_dumb()


def is_plain() -> bool:
    """Whether there is a terminal that lines can be typed in, and nothing can be drawn in."""
    return _is_terminal() and _is_dumb()


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _is_dumb() -> bool:
    return os.environ.get("TERM", "dumb") == "dumb"


def no_screen() -> str:
    """There is none, and a screen was asked for."""
    return _("There is no terminal to draw in. Start it in a terminal window.")
