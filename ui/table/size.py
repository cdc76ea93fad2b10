"""Where everything lies at a size of the window: the classes of width and height, and the rows from below."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from ui.table.cards import SHORT, TALL

LEAST_WIDTH: Final = 60
LEAST_HEIGHT: Final = 20
MOST_WIDTH: Final = 144
MOST_HEIGHT: Final = 46
"""Nothing is larger: eyes should not have to travel further. A bigger window shows the whole in its
middle."""
PAGE_WIDTH: Final = 110
"""Pages to read stop here."""

_MID: Final = 76
_WIDE: Final = 110
_STD: Final = 23
_TALL: Final = 32


class Width(Enum):
    """Class of width."""

    NARROW = "narrow"
    MID = "mid"
    WIDE = "wide"


class Height(Enum):
    """Class of height."""

    SHORT = "short"
    STD = "std"
    TALL = "tall"


class Rect(NamedTuple):
    """A rectangle of cells."""

    row: int
    column: int
    width: int
    height: int

    def inside(self) -> "Rect":
        """The rectangle within a frame."""
        return Rect(self.row + 1, self.column + 1, max(0, self.width - 2), max(0, self.height - 2))


@dataclass(frozen=True, slots=True)
class Size:
    """The size that a screen is drawn at, and its classes."""

    width: int
    height: int

    @classmethod
    def within(cls, width: int, height: int) -> "Size":
        """Return the size used of a window."""
        return cls(min(width, MOST_WIDTH), min(height, MOST_HEIGHT))

    @property
    def too_small(self) -> bool:
        """Whether only the notice can be shown."""
        return self.width < LEAST_WIDTH or self.height < LEAST_HEIGHT

    @property
    def wide(self) -> Width:
        """The class of width."""
        if self.width < _MID:
            return Width.NARROW
        return Width.MID if self.width < _WIDE else Width.WIDE

    @property
    def high(self) -> Height:
        """The class of height."""
        if self.height < _STD:
            return Height.SHORT
        return Height.STD if self.height < _TALL else Height.TALL

    @property
    def card_height(self) -> int:
        """Rows of a card."""
        return TALL if self.high is Height.TALL else SHORT

    @property
    def tall_rows(self) -> int:
        """Rows that a high window spends on the frame around the hand and a blank line below the acts."""
        return 3 if self.high is Height.TALL else 0

    def hand_rows(self, players: int) -> int:
        """Rows that the hand may take beside so many players."""
        beside = -(-players // 2) + 5 if self.wide is Width.NARROW else max(players + 2, 9)
        return max(4, min(10, self.height - 5 - beside - self.tall_rows))

    @property
    def hand_width(self) -> int:
        """Cells of a row of cards."""
        return self.width - (4 if self.high is Height.TALL else 2)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of the frame, from above; `hand` is the first row of cards, `hand_frame` that of a frame."""

    body: Rect
    banner: int
    hand_frame: int | None
    hand: int
    enter: int
    acts: int
    foot: int


def rows_of(size: Size, hand_height: int) -> Rows:
    """Return where the frame's parts lie, given the height of the hand."""
    foot = size.height - 1
    frame: int | None = None
    if size.high is Height.TALL:
        acts = foot - 2
        enter = acts - 1
        hand = enter - 1 - hand_height
        frame = hand - 1
        banner = hand - 2
    else:
        acts = foot - 1
        enter = acts - 1
        hand = enter - hand_height
        banner = hand - 1
    return Rows(Rect(1, 0, size.width, banner - 1), banner, frame, hand, enter, acts, foot)
