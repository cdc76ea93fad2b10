"""The house themes, the variables computed from any theme, and inks turned into terminal styles.

Colours are theme variables only, so every Textual theme works. `mute` and `line` are blended from a theme's
own foreground and ground, because Textual's `auto` colours lose their alpha in text that is not styled by
CSS. Cards are paper in dark and light alike; a theme may override `card*`. Where no colours are sent,
papers are transparent and what is filled becomes reverse video, so height, frames and marks carry
everything.
"""

from collections.abc import Mapping

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from ui.settings import Suits
from ui.table.canvas import Ink

CARD_VARIABLES: dict[str, str] = {
    "card": "#f6f2e7",
    "card-edge": "#b3ac99",
    "card-black": "#1b2320",
    "card-red": "#b8202f",
    "card-green": "#1b7340",
    "card-blue": "#1f56a8",
    "card-up": "#fff3c9",
    "card-up-edge": "#9a6a00",
    "card-true": "#d9f0dc",
    "card-true-edge": "#1b7340",
    "card-false": "#ffd9d6",
    "card-false-edge": "#b8202f",
    "card-back": "#2f6f8f",
    "card-back-ink": "#8fc0d6",
}

VERISH_DARK = Theme(
    name="verish-dark",
    primary="#6fb7a0",
    secondary="#86a8d8",
    accent="#f0b84c",
    warning="#e8945a",
    error="#ee6f6f",
    success="#7fd08f",
    foreground="#dfe8e2",
    background="#0f1715",
    surface="#15201d",
    panel="#1e2d28",
    dark=True,
)

VERISH_LIGHT = Theme(
    name="verish-light",
    primary="#17695a",
    secondary="#2f5f9e",
    accent="#e0a52f",
    warning="#c9621f",
    error="#b3262e",
    success="#1f7a3d",
    foreground="#1d2924",
    background="#e3e8e0",
    surface="#edf1ea",
    panel="#d3dcd2",
    dark=False,
)

HOUSE_THEMES = (VERISH_DARK, VERISH_LIGHT)
NO_COLOR_THEME = "ansi-dark"
"""The theme without any colour of its own; with it, and native colours, no colour code is sent."""

SUIT_INKS: Mapping[Suits, Mapping[str, str]] = {
    "two": {"spades": "card-black", "hearts": "card-red", "diamonds": "card-red", "clubs": "card-black"},
    "four": {"spades": "card-black", "hearts": "card-red", "diamonds": "card-blue", "clubs": "card-green"},
}
"""The theme variables of the inks `suit-…`, by the setting of the suits."""


def theme_names() -> tuple[str, ...]:
    """Return the names of all themes, those of the house first."""
    house = tuple(theme.name for theme in HOUSE_THEMES)
    return (*house, *sorted(BUILTIN_THEMES))


_MUTE_CONTRAST = 4.5
"""WCAG's floor for running text; quiet words go down to it and no further."""
_LINE_SHARE = 0.22

# Black for what stands on a filled ground unless white contrasts better there: in both house themes every
# fill is light enough or dark enough for one of the two to reach 4.5:1.
_ON_FILL = ("#000000", "#ffffff")


def _luminance(color: Color) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)


def contrast(one: Color, other: Color) -> float:
    """Return WCAG's contrast of two opaque colours, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def computed_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return `mute`, `line` and the card colours for a theme's variables; what the theme sets itself
    stands."""
    ground = _parse(variables.get("background"), "#000000")
    ink = _parse(variables.get("foreground"), "#ffffff")
    panel = _parse(variables.get("panel"), ground.hex)
    found = dict(CARD_VARIABLES)
    found["mute"] = _muted(ink, ground, panel).hex
    found["line"] = ground.blend(ink, _LINE_SHARE).hex
    return {name: value for name, value in found.items() if name not in variables}


def _muted(ink: Color, ground: Color, panel: Color) -> Color:
    # The foot lies on the panel, so the words must keep the contrast on both grounds.
    for percent in range(40, 100, 2):
        color = ground.blend(ink, percent / 100)
        if min(contrast(color, ground), contrast(color, panel)) >= _MUTE_CONTRAST:
            return color
    return ink


def _parse(value: str | None, fallback: str) -> Color:
    try:
        color = Color.parse(value or fallback)
    except ColorParseError:
        return Color.parse(fallback)
    return Color.parse(fallback) if color.ansi is not None else color


class Palette:
    """Turns inks into terminal styles for one theme."""

    def __init__(self, variables: Mapping[str, str], *, colors: bool = True, suits: Suits = "two") -> None:
        """variables: the theme's. colors: False where no colour code is sent (NO_COLOR, ANSI themes).
        suits: in how many colours they are drawn.
        """
        self._variables = dict(variables)
        self._suit_inks = {f"suit-{suit}": ink for suit, ink in SUIT_INKS[suits].items()}
        self._colors = colors
        self._styles: dict[Ink, Style] = {}

    def style(self, ink: Ink) -> Style:
        """Return the style of an ink."""
        found = self._styles.get(ink)
        if found is None:
            found = self._styles[ink] = self._make(ink)
        return found

    def _make(self, ink: Ink) -> Style:
        if not self._colors:
            return Style(bold=ink.bold, italic=ink.italic, reverse=ink.filled or ink.reverse)
        ground = self._color(ink.back)
        if ink.fore == "on":
            fore = max((Color.parse(one) for one in _ON_FILL), key=lambda color: contrast(color, ground))
        else:
            fore = self._color(ink.fore)
        return Style(
            color=RichColor.parse(fore.hex6),
            bgcolor=RichColor.parse(ground.hex6),
            bold=ink.bold,
            italic=ink.italic,
            reverse=ink.reverse,
        )

    def _color(self, name: str) -> Color:
        name = self._suit_inks.get(name, name)
        return _parse(self._variables.get(name), self._variables.get("foreground", "#ffffff")).with_alpha(1.0)
