"""Cards, and the packs they come from."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from engine.errors import NotationError


class Rank(IntEnum):
    """A rank; the text form is `2` to `10`, `J`, `Q`, `K`, `A`."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    def __str__(self) -> str:
        return _RANK_TEXT[self]

    @classmethod
    def parse(cls, text: str) -> "Rank":
        """The rank of the text form. Raises: NotationError."""
        try:
            return _RANK_OF_TEXT[text]
        except KeyError:
            raise NotationError(f"not a rank: {text!r}") from None


class Suit(IntEnum):
    """A suit, in the order in which cards of one rank are listed; the text form is its first letter."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    def __str__(self) -> str:
        return "SHDC"[self]


_RANK_TEXT: Final = {
    rank: {11: "J", 12: "Q", 13: "K", 14: "A"}.get(int(rank), str(int(rank))) for rank in Rank
}
_RANK_OF_TEXT: Final = {text: rank for rank, text in _RANK_TEXT.items()}

PACK_SIZES: Final = (24, 32, 36, 52)
"""Packs are the upper end of a full one: 24 from the nine, 32 from the seven, 36 from the six, 52 from the
two.
"""

SUITS: Final = len(Suit)


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """A face. Two packs hold each face twice; faces are values, slots tell cards apart."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    @classmethod
    def parse(cls, text: str) -> "Card":
        """The card of the text form, such as `10D`. Raises: NotationError."""
        try:
            return _CARD_OF_TEXT[text]
        except KeyError:
            raise NotationError(f"not a card: {text!r}") from None


_CARD_OF_TEXT: Final = {str(card): card for card in (Card(rank, suit) for rank in Rank for suit in Suit)}


@cache
def ranks_of(size: int) -> tuple[Rank, ...]:
    """The ranks of a pack of `size` cards, ascending. Raises: ValueError for a size not in `PACK_SIZES`."""
    if size not in PACK_SIZES:
        raise ValueError(f"no pack has {size} cards")
    return tuple(Rank)[-size // SUITS :]


@cache
def deck_of(size: int, packs: int = 1) -> tuple[Card, ...]:
    """All cards of `packs` packs of `size` cards: rank ascending, then suit, equal faces side by side.

    This order is the first deck of the protocol, so it never changes.
    """
    return tuple(Card(rank, suit) for rank in ranks_of(size) for suit in Suit for _ in range(packs))
