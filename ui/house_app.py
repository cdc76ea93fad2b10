"""What every app of the house shares: its themes, what the terminal can show, the settings that change how
screens look, and no colour where none is wanted.
"""

import os
import sys
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from rich.console import RenderableType
from textual._compositor import ChopsUpdate
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from ui import keys
from ui.glyphs import GlyphSet
from ui.keys import Place
from ui.repaint import ChangedSpans
from ui.settings import OwnSettings, Suits
from ui.settings_form import take_hold
from ui.table.view import CanvasView
from ui.theme import HOUSE_THEMES, NO_COLOR_THEME, VERISH_DARK, computed_variables
from ui.words.ranks import print_latin


def app_bindings(name: str, action: str) -> list[Binding]:
    """Bindings of the app itself, which come before those of every screen. name: one of `keys.OF_THE_APP`."""
    found = keys.action_named(name, Place.TABLE).keys
    return [Binding(key, action, name, show=False, priority=True) for key in found]


@runtime_checkable
class Drawn(Protocol):
    """A screen that paints what it shows."""

    def redraw(self) -> None:
        """Paint it as it is now."""


class HouseApp(App[int]):
    """An app with the house's themes.

    settings: those of the person. glyphs: what the terminal can show.
    """

    TITLE = "Verish"
    ALLOW_SELECT = False
    CSS_PATH = Path(__file__).with_name("verish.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [*app_bindings("quit", "quit")]

    def __init__(self, settings: OwnSettings | None = None, glyphs: GlyphSet = GlyphSet.FULL) -> None:
        self.no_colors = bool(os.environ.get("NO_COLOR"))
        # Textual chooses its filter here once: only with native ANSI colours does it send no colour at all.
        super().__init__(ansi_color=True if self.no_colors else None)
        self.settings = OwnSettings() if settings is None else settings
        self._shown = glyphs
        for theme in HOUSE_THEMES:
            self.register_theme(theme)
        if self.no_colors:
            # Whoever wants no colours is asked for no theme.
            self.settings.override("theme", NO_COLOR_THEME, "NO_COLOR")
        self.theme = self._wished_theme()
        print_latin(self.settings.now.letters == "latin")

    def get_driver_class(self) -> type[Driver]:
        """Return what draws in this terminal."""
        usual = super().get_driver_class()
        if sys.platform == "win32":
            return usual
        from textual.drivers.linux_driver import LinuxDriver  # noqa: PLC0415 - it exists elsewhere only

        from ui.terminal_driver import LastingDriver  # noqa: PLC0415

        return LastingDriver if usual is LinuxDriver else usual

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Send a picture, or what changed in it, to the terminal."""
        if isinstance(renderable, ChopsUpdate):
            renderable = ChangedSpans.of(renderable)
        super()._display(screen, renderable)

    @property
    def glyphs(self) -> GlyphSet:
        """Which characters are drawn."""
        return GlyphSet.ASCII if self.settings.now.ascii else self._shown

    @property
    def suits(self) -> Suits:
        """In how many colours suits are drawn."""
        return self.settings.now.suits

    def _wished_theme(self) -> str:
        """The theme of the settings; the house's dark one where there is none of that name."""
        wished = self.settings.now.theme
        return wished if wished in self.available_themes else VERISH_DARK.name

    def look_again(self, setting: str) -> None:
        """Let a setting that has just changed be seen."""
        take_hold(self.settings, setting)
        if setting == "theme":
            self.theme = self._wished_theme()
        for screen in self.screen_stack:
            for view in screen.query(CanvasView):
                view.restyle()
            if isinstance(screen, Drawn):
                screen.redraw()

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's variables with those that are computed from them."""
        variables = super().get_css_variables()
        self.theme_variables = {**computed_variables(variables), **variables}
        return self.theme_variables
