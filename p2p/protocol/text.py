"""Text from people and peers, made harmless once, where it is decoded.

A name or a title is one line of visible characters. Everything that steers a terminal, turns the direction
of writing or cannot be seen is removed; white space of every kind becomes one plain space; the rest is cut to
a number of characters and of UTF-8 bytes. What survives is plain content and never markup, whatever it looks
like.

Two names can still look alike in two alphabets. `skeleton` maps both to one form, so that a warning can be
shown; it is never shown itself.
"""

import unicodedata
from enum import StrEnum

from p2p.errors import P2PError

NAME_CHARACTERS = 24
"""Longest name in characters: what a player's row shows at 80 columns."""
NAME_BYTES = 63
"""Longest name in bytes: one DNS label, so that a name never needs a second cut to be announced."""
TITLE_CHARACTERS = 40
"""Longest table title in characters: the first column of the lobby's list."""
TITLE_BYTES = 120
"""Longest table title in bytes."""
TALK_CHARACTERS = 120
"""Longest line of talk: three lines of the log at 80 columns, so that nobody fills it with a few of them."""
TALK_BYTES = 4 * TALK_CHARACTERS
"""Longest line of talk in bytes: whatever alphabet it is in."""
RAW_CHARACTERS = 512
"""No more than this much of a text is looked at, so that cleaning costs the same whatever was sent."""
MARKS_IN_A_ROW = 2
"""Combining marks kept on one letter; more of them only paint over the neighbouring lines."""

_REMOVED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARK_CATEGORIES = frozenset({"Mn", "Me"})
# White space by nature, though its category is that of control characters.
_SPACES = frozenset("\t\n\v\f\r\x85")
# Letters, marks and symbols that draw nothing: joiners, fillers, blank Braille, variation selectors.
_INVISIBLE = (
    frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
    | frozenset(map(chr, range(0x180B, 0x1810)))
    | frozenset(map(chr, range(0xFE00, 0xFE10)))
    | frozenset(map(chr, range(0xE0000, 0xE0200)))
)


class TextProblem(StrEnum):
    """Why a text typed by the own person was refused."""

    EMPTY = "empty"
    CONTROL = "control"
    """It holds line breaks, a bell or other control characters."""
    LONG = "long"


class TextError(P2PError):
    """A name or title of the own person cannot be used as it stands."""

    def __init__(self, problem: TextProblem) -> None:
        super().__init__(problem)
        self.problem = problem


def clean_text(raw: str, characters: int, octets: int) -> str:
    """One harmless line of at most `characters` characters and `octets` UTF-8 bytes; may come out empty.

    Cleaning twice gives the same as cleaning once.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", raw[:RAW_CHARACTERS]):
        category = unicodedata.category(character)
        if character in _SPACES or category in {"Zs", "Zl", "Zp"}:
            kept.append(" ")
            marks = MARKS_IN_A_ROW  # a mark on a space is a mark on nothing
        elif character in _INVISIBLE or category in _REMOVED_CATEGORIES:
            continue
        elif category in _MARK_CATEGORIES:
            marks += 1
            if kept and marks <= MARKS_IN_A_ROW:
                kept.append(character)
        else:
            kept.append(character)
            marks = 0
    # What stood apart may compose now that nothing invisible lies between.
    text = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    return cut_bytes(text[:characters], octets).strip()


def clean_name(raw: str) -> str:
    """A person's name made harmless; may come out empty."""
    return clean_text(raw, NAME_CHARACTERS, NAME_BYTES)


def clean_title(raw: str) -> str:
    """A table's title made harmless; may come out empty."""
    return clean_text(raw, TITLE_CHARACTERS, TITLE_BYTES)


def clean_talk(raw: str) -> str:
    """A line of talk made harmless; may come out empty."""
    return clean_text(raw, TALK_CHARACTERS, TALK_BYTES)


def cut_bytes(text: str, octets: int) -> str:
    """The longest beginning of `text` that fits into `octets` bytes of UTF-8 and splits no character."""
    return text.encode("utf-8", "ignore")[:octets].decode("utf-8", "ignore")


def own_text(raw: str, characters: int, octets: int) -> str:
    """Check a text that the own person gave, by option, file or keyboard.

    Raises:
        TextError: it holds control characters, is empty once cleaned, or is too long. Nothing is cut here:
            somebody who names himself should learn that the name does not fit.
    """
    stripped = raw.strip(" ")
    if any(
        unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"} for character in stripped[:RAW_CHARACTERS]
    ):
        raise TextError(TextProblem.CONTROL)
    cleaned = clean_text(stripped, RAW_CHARACTERS, 4 * RAW_CHARACTERS)
    if not cleaned:
        raise TextError(TextProblem.EMPTY)
    if len(stripped) > RAW_CHARACTERS or len(cleaned) > characters or len(cleaned.encode()) > octets:
        raise TextError(TextProblem.LONG)
    return cleaned


def own_name(raw: str) -> str:
    """Check the own person's name. Raises: TextError."""
    return own_text(raw, NAME_CHARACTERS, NAME_BYTES)


def own_title(raw: str) -> str:
    """Check the title of a table to be opened. Raises: TextError."""
    return own_text(raw, TITLE_CHARACTERS, TITLE_BYTES)


# Each letter on the left is taken for the one on the right: Cyrillic and Greek for Latin, digits for letters,
# and the strokes i, l and 1 for each other. Only lower case is listed: the skeleton folds case first.
_LOOK_ALIKE = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕһԁԛԝӏґѵԍ", "abekmhopctyxljshdqwlrvg", strict=True)),
        **dict(zip("αβεηικνορτυχγ", "abenlkvoptyxy", strict=True)),
        **dict(zip("0136i|!", "olebll" + "l", strict=True)),
        "ь": "b",
        "ъ": "b",
        "з": "e",
        "б": "b",
        "п": "n",
        "г": "r",
        "и": "u",
        "ш": "w",
        "щ": "w",
        "я": "r",
    }
)


def skeleton(text: str) -> str:
    """A form that is equal for texts which can be taken for each other at a glance."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = (
        c for c in unicodedata.normalize("NFKD", plain) if unicodedata.category(c)[0] in "LNP" or c == "|"
    )
    return "".join(letters).translate(_LOOK_ALIKE).replace("rn", "m").replace("vv", "w")
