"""Which action a key means on a page: the table of `ui.keys`, and the keys that move about."""

from typing import Final

from ui.keys import Place, actions_at, is_later

MOVES: Final = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "tab": "tab",
    "shift+tab": "shift_tab",
    "space": "space",
    "backspace": "backspace",
    "delete": "delete",
    "home": "home",
    "end": "end",
    "pageup": "page_up",
    "pagedown": "page_down",
}
"""Textual's names of the keys that move about, and what a page calls them."""

TEXT_KEYS: Final = frozenset({"backspace", "delete", "left", "right", "home", "end"})
"""Keys that belong to a text field while one is being typed in."""


def key_actions(place: Place) -> dict[str, str]:
    """Return what each key means at `place`: the name of its action, or of a move."""
    found = dict(MOVES)
    for action in actions_at(place):
        if not is_later(action):
            found.update(dict.fromkeys(action.keys, action.name))
    return found
