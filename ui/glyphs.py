"""Three sets of glyphs: full Unicode, the Linux console's code page 437, and plain ASCII.

Everything is drawn with the full set; a set is a table from character to character, applied to the finished
canvas, so it reaches frames, marks and the words of sentences alike, and no drawing knows which set is in
use. Every glyph of the full set is one cell wide and none but the four suits has an emoji form.
"""

from enum import Enum

TURN = "►"
QUIET = "◌"
EVENT = "◆"
TROUBLE = "!"
TRUE = "✓"
FALSE = "✗"
CURSOR = "▴"
NEW = "•"
BAR = "▮"
DONE = "━"
TO_DO = "─"
NOW = "●"
CHOSEN_LEFT = "▸"
CHOSEN_RIGHT = "◂"
MISSING = "·"
BACK = "░"
SUITS = "♠♥♦♣"
"""In the order of `engine.Suit`."""
LOGO = "♤"
"""Shown as a spade, except where suits are letters: one before the name would be read with it."""

FRAME = "╭─╮│╰╯"
"""Top left, horizontal, top right, vertical, bottom left, bottom right."""
HEAVY = "┏━┓┃┗┛"
DASHED = "╭╌╮┆╰╯"

_FULL = {LOGO: SUITS[0]}

_CONSOLE = {
    LOGO: SUITS[0],
    "╭": "┌", "╮": "┐", "╰": "└", "╯": "┘", "╌": "─", "┆": "│",
    "┏": "╔", "┓": "╗", "┗": "╚", "┛": "╝", "━": "═", "┃": "║",
    "✓": "√", "✗": "x", "▮": "■", "◌": "○", "◆": "*", "▴": "▲", "▸": "►", "◂": "◄", "●": "•",
    "“": '"', "”": '"', "’": "'", "—": "-", "–": "-", "…": ".", "≠": "#",
}  # fmt: skip

_ASCII = {
    LOGO: "*",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "─": "-", "│": "|", "╌": "-", "┆": "|",
    "┏": "#", "┓": "#", "┗": "#", "┛": "#", "━": "#", "┃": "#",
    "✓": "+", "✗": "X", "▮": "|", "◌": ".", "◆": "*", "▴": "^", "▸": ">", "◂": "<", "►": ">",
    "●": "o", "×": "x", "•": "*", "░": "#", "“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "—": "-", "–":
    "-", "…": "-", "·": "-", "≠": "#", "←": "<", "→": ">", "↑": "^", "↓": "v", "№": "#",
}  # fmt: skip

_ASCII_SUITS = {"en": "shdc", "ru": "пчбт"}


class GlyphSet(Enum):
    """Which characters the terminal can show."""

    FULL = "full"
    CONSOLE = "console"
    ASCII = "ascii"

    def table(self, language: str) -> dict[int, str]:
        """Return what `str.translate` takes to draw with this set; letters of suits follow the language."""
        if self is GlyphSet.FULL:
            return str.maketrans(_FULL)
        if self is GlyphSet.CONSOLE:
            return str.maketrans(_CONSOLE)
        letters = _ASCII_SUITS.get(language, _ASCII_SUITS["en"])
        return str.maketrans(_ASCII | dict(zip(SUITS, letters, strict=True)))


def choose(term: str, encoding: str, *, ascii_wanted: bool = False) -> GlyphSet:
    """Choose the set for a terminal.

    term: the value of TERM. encoding: that of the standard output. ascii_wanted: asked for by option.
    """
    if ascii_wanted:
        return GlyphSet.ASCII
    try:
        (SUITS + FRAME).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return GlyphSet.ASCII
    return GlyphSet.CONSOLE if term == "linux" else GlyphSet.FULL
