"""What can be said at a table beside the game: a line of text, or one of a few ready remarks.

A remark travels as its number, so that everybody reads it in his own language.
"""

from dataclasses import dataclass
from enum import IntEnum


class Remark(IntEnum):
    """A ready remark."""

    HELLO = 1
    HM = 2
    ONE_MOMENT = 3
    WELL_PLAYED = 4
    BAD_LUCK = 5
    THANKS = 6


Said = str | Remark
"""One line of cleaned text, or a remark."""


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Somebody said something.

    key: who, by his key. deal, after: when, as this peer saw it: in which deal (0 while the table gathered),
    and after how many of its events.
    """

    key: bytes
    said: Said
    deal: int
    after: int
