"""The command palette, which Textual draws: what it offers here, and its own words in our language."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from textual.app import SystemCommand
from textual.command import CommandList, CommandPalette
from textual.screen import Screen
from textual.theme import ThemeProvider

from ui import keys
from ui.i18n import gettext as _
from ui.keys import Place
from ui.table.screen import TableScreen
from ui.words.actions import action_help, action_word

_AT_THE_TABLE: Final = frozenset({"help", "trust", "log", "cover", "back"})


def commands(screen: Screen[Any], app_actions: dict[str, Callable[[], Any]]) -> Iterable[SystemCommand]:
    """Return what the palette offers over a screen: its actions, then those of the app by their words."""
    if isinstance(screen, TableScreen):
        for action in keys.actions_at(Place.TABLE):
            if action.name in _AT_THE_TABLE:
                press = partial(screen.action_press, action.name)
                yield SystemCommand(action_word(action.words), action_help(action.words), press)
    for words, do in app_actions.items():
        yield SystemCommand(action_word(words), action_help(words), do)


class _Offered(CommandPalette):
    """The palette of Textual, whose list cannot turn a page that has no rows: that ended the program."""

    def _action_command_list(self, action: str) -> None:
        """Pass a key on to the list, unless the window is so low that nothing of it is shown."""
        if self.query_one(CommandList).scrollable_content_region.height:
            super()._action_command_list(action)


def command_palette() -> CommandPalette:
    """Return the palette of commands."""
    return _Offered(placeholder=_("Search for commands…"), id="--command-palette")


def theme_palette() -> CommandPalette:
    """Return the palette of themes."""
    return _Offered(providers=[ThemeProvider], placeholder=_("Search for colours…"))
