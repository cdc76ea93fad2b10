"""The code of a private table: what people read out to each other, and what programs compare of it.

Two spellings are one code if people would take them for one: case, spaces and punctuation do not count, nor
do different encodings of the same letters. A code is a secret: it shows itself in no `repr`, is never sent,
and is kept only as long as one is at its table, and never on disk.
"""

import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

from crypto import Draw, fresh_stream, tagged_hash, uniform_below
from p2p.errors import P2PError
from p2p.protocol.text import TextError, own_text

CODE_CHARACTERS = 40
"""Longest code in characters: a sentence that can be read out and typed without a slip."""
CODE_BYTES = 160
"""The same in UTF-8."""
CODE_LEAST = 6
"""Fewest letters and digits. Six digits are a million; at 24 guesses a minute (`guesses`) a stranger who
tries for a whole hour finds them once in 690 evenings.
"""
NEW_DIGITS = 8
"""Digits of a code that the program makes: read out in any language, typed on any keyboard, and found by
an hour of guessing once in 69,000 evenings.
"""


class CodeProblem(StrEnum):
    """Why a code that the own person gave was refused."""

    EMPTY = "empty"
    CONTROL = "control"
    """It holds line breaks or other control characters."""
    LONG = "long"
    SHORT = "short"
    """It could be guessed."""


class CodeError(P2PError):
    """A code of the own person cannot be used as it stands. The code is not in it."""

    def __init__(self, problem: CodeProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class TableCode:
    """A code that has been checked. text: one line, as a person would read it out."""

    text: str = field(repr=False)

    @property
    def password(self) -> bytes:
        """What two programs compare: 32 bytes that are equal for spellings of one code."""
        return tagged_hash(b"table code", (_letters(self.text).encode(),))


def own_code(raw: str) -> TableCode:
    """Check a code that the own person typed, or gave by option, file or environment.

    Raises:
        CodeError: it holds control characters, is empty, too short or too long.
    """
    try:
        text = own_text(raw, CODE_CHARACTERS, CODE_BYTES)
    except TextError as error:
        raise CodeError(CodeProblem(error.problem.value)) from None
    letters = _letters(text)
    if not letters:
        raise CodeError(CodeProblem.EMPTY)
    if len(letters) < CODE_LEAST:
        raise CodeError(CodeProblem.SHORT)
    return TableCode(text)


def new_code(draw: Draw) -> TableCode:
    """Make a code of digits, in two groups.

    Raises:
        RandomSourceError: the random source is stuck.
    """
    digits = f"{uniform_below(fresh_stream(draw, b'table code'), 10**NEW_DIGITS):0{NEW_DIGITS}d}"
    half = NEW_DIGITS // 2
    return TableCode(f"{digits[:half]} {digits[half:]}")


def _letters(text: str) -> str:
    """What counts of a code: letters, digits, marks and symbols, in one form and one case."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(one for one in folded if unicodedata.category(one)[0] not in "CPZ")
