"""Whether there is a terminal that a screen can be drawn in."""

import os
import sys

from ui.i18n import gettext as _


def has_screen() -> bool:
    """Whether there is one. The screen is drawn on standard error, so that must be the terminal as well."""
    return (
        all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
        and os.environ.get("TERM", "dumb") != "dumb"
    )


def no_screen() -> str:
    """There is none, and a screen was asked for."""
    return _("There is no terminal to draw in. Start it in a terminal window.")
