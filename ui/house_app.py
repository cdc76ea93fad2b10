"""What every app of the house shares: its themes, what the terminal can show, and no colour where none is
wanted.
"""

import os
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from ui import keys
from ui.glyphs import GlyphSet
from ui.keys import Place
from ui.theme import VERISH_DARK, VERISH_LIGHT, computed_variables


def app_bindings(name: str, action: str) -> list[Binding]:
    """Bindings of the app itself, which come before those of every screen."""
    found = keys.action_named(name, Place.EVERYWHERE).keys
    return [Binding(key, action, name, show=False, priority=True) for key in found]


class HouseApp(App[int]):
    """An app with the house's themes.

    glyphs: what the terminal can show. theme: a theme's name, the house's dark one if None.
    """

    TITLE = "Verish"
    ALLOW_SELECT = False
    CSS_PATH = Path(__file__).with_name("verish.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [*app_bindings("quit", "quit")]

    def __init__(self, glyphs: GlyphSet = GlyphSet.FULL, theme: str | None = None) -> None:
        self.no_colors = bool(os.environ.get("NO_COLOR"))
        # Textual chooses its filter here once: only with native ANSI colours does it send no colour at all.
        super().__init__(ansi_color=True if self.no_colors else None)
        self.glyphs = glyphs
        self.register_theme(VERISH_DARK)
        self.register_theme(VERISH_LIGHT)
        self.theme = theme or ("ansi-dark" if self.no_colors else VERISH_DARK.name)

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's variables with those that are computed from them."""
        variables = super().get_css_variables()
        self.theme_variables = {**computed_variables(variables), **variables}
        return self.theme_variables
