"""Ranks, numbers, claims and cards in words.

A rank and a number have several forms, which languages need in different places, so a sentence asks for the
form in its field, and a translation may ask for another:

| field | English | what Russian makes of it |
|---|---|---|
| `{ranks}` | queens | plural, nominative: дамы |
| `{ranks:of}` | queens | plural, genitive: дам |
| `{ranks:as}` | queens | plural, instrumental: дамами |
| `{ranks:a}` | a queen | singular: дама |
| `{count}` | 3 | the digits |
| `{count:word}`, `{count:m}`, `{count:f}` | three | the word, of that gender |
| `{count:p}` | three | the word that counts people: трое |

A form written with a capital, `{ranks:Many}`, `{ranks:Of}`, begins a sentence (`many` is the plain plural).
"""

from dataclasses import dataclass

from engine import Card, Rank, Suit
from ui.i18n import gettext as _
from ui.i18n import ngettext, npgettext, pgettext


@dataclass(frozen=True, slots=True)
class RankWord:
    """A rank as a word of a sentence; the format spec chooses the form, see the module."""

    rank: Rank

    def __format__(self, spec: str) -> str:
        """Return the form `spec`. Raises: ValueError for a form that no rank has."""
        match spec.lower():
            case "" | "many":
                word = _many(self.rank)
            case "of":
                word = _genitive(self.rank)
            case "as":
                word = _instrumental(self.rank)
            case "a":
                word = _single(self.rank)
            case _:
                raise ValueError(f"a rank has no form {spec!r}")
        return word[:1].upper() + word[1:] if spec[:1].isupper() else word


@dataclass(frozen=True, slots=True)
class Number:
    """A count as digits or as a word; the format spec chooses, see the module; above twelve it is digits."""

    value: int

    def __format__(self, spec: str) -> str:
        """Return the form `spec`. Raises: ValueError for a form that no number has."""
        match spec:
            case "":
                words: dict[int, str] = {}
            case "word":
                words = _numbers()
            case "m":
                words = _numbers_masculine()
            case "f":
                words = _numbers_feminine()
            case "p":
                words = _numbers_of_people()
            case _:
                raise ValueError(f"a number has no form {spec!r}")
        return words.get(self.value, str(self.value))


def claim(rank: Rank, number: int | None) -> str:
    """Return what a player says with a packet: "two queens", or "queens" where no number is named."""
    if number is None:
        return format(RankWord(rank))
    return _counted(rank, number).format(count=Number(number))


def quoted(text: str) -> str:
    """Return `text` as somebody's words, in the quotation marks of the language."""
    return _("“{text}”").format(text=text)


def cards(count: int) -> str:
    """Return a number of cards, "3 cards", as the subject of a sentence."""
    return ngettext("{count} card", "{count} cards", count).format(count=count)


class _Printed:
    """How cards are printed. One process prints them in one way at a time, as it speaks one language."""

    latin: bool = False


def print_latin(latin: bool) -> None:
    """Print J Q K A on cards from now on, in any language; or the letters of the language."""
    _Printed.latin = latin


def rank_label(rank: Rank) -> str:
    """Return a rank as printed on a card: 10, J."""
    if rank <= Rank.TEN:
        return str(int(rank))
    return "JQKA"[rank - Rank.JACK] if _Printed.latin else _labels()[rank]


def card_label(card: Card, suits: str = "♠♥♦♣") -> str:
    """Return a card as printed: "Q♠".

    suits: the signs of spades, hearts, diamonds, clubs; "" takes the letters of the language, "Qs".
    """
    order = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
    sign = suits[order.index(card.suit)] if suits else suit_letter(card.suit)
    return f"{rank_label(card.rank)}{sign}"


def card_name(card: Card) -> str:
    """Return a card as it is read aloud: "Q of spades"."""
    return _("{rank} of {suit}").format(rank=rank_label(card.rank), suit=_suits()[card.suit])


def suit_letter(suit: Suit) -> str:
    """Return the letter that stands for a suit where its sign cannot be written."""
    return {
        Suit.SPADES: pgettext("letter of a suit", "s"),
        Suit.HEARTS: pgettext("letter of a suit", "h"),
        Suit.DIAMONDS: pgettext("letter of a suit", "d"),
        Suit.CLUBS: pgettext("letter of a suit", "c"),
    }[suit]


def _suits() -> dict[Suit, str]:
    """Return the suits as after "of"."""
    return {
        Suit.SPADES: pgettext("of a suit", "spades"),
        Suit.HEARTS: pgettext("of a suit", "hearts"),
        Suit.DIAMONDS: pgettext("of a suit", "diamonds"),
        Suit.CLUBS: pgettext("of a suit", "clubs"),
    }


def _labels() -> dict[Rank, str]:
    """Return the letters of the pictures and the ace."""
    return {
        Rank.JACK: pgettext("letter of a rank", "J"),
        Rank.QUEEN: pgettext("letter of a rank", "Q"),
        Rank.KING: pgettext("letter of a rank", "K"),
        Rank.ACE: pgettext("letter of a rank", "A"),
    }


def _single(rank: Rank) -> str:
    """Return one card of a rank, with its article."""
    return {
        Rank.TWO: pgettext("one card of a rank", "a two"),
        Rank.THREE: pgettext("one card of a rank", "a three"),
        Rank.FOUR: pgettext("one card of a rank", "a four"),
        Rank.FIVE: pgettext("one card of a rank", "a five"),
        Rank.SIX: pgettext("one card of a rank", "a six"),
        Rank.SEVEN: pgettext("one card of a rank", "a seven"),
        Rank.EIGHT: pgettext("one card of a rank", "an eight"),
        Rank.NINE: pgettext("one card of a rank", "a nine"),
        Rank.TEN: pgettext("one card of a rank", "a ten"),
        Rank.JACK: pgettext("one card of a rank", "a jack"),
        Rank.QUEEN: pgettext("one card of a rank", "a queen"),
        Rank.KING: pgettext("one card of a rank", "a king"),
        Rank.ACE: pgettext("one card of a rank", "an ace"),
    }[rank]


def _many(rank: Rank) -> str:
    """Return the cards of a rank as a subject."""
    return {
        Rank.TWO: pgettext("cards of a rank", "twos"),
        Rank.THREE: pgettext("cards of a rank", "threes"),
        Rank.FOUR: pgettext("cards of a rank", "fours"),
        Rank.FIVE: pgettext("cards of a rank", "fives"),
        Rank.SIX: pgettext("cards of a rank", "sixes"),
        Rank.SEVEN: pgettext("cards of a rank", "sevens"),
        Rank.EIGHT: pgettext("cards of a rank", "eights"),
        Rank.NINE: pgettext("cards of a rank", "nines"),
        Rank.TEN: pgettext("cards of a rank", "tens"),
        Rank.JACK: pgettext("cards of a rank", "jacks"),
        Rank.QUEEN: pgettext("cards of a rank", "queens"),
        Rank.KING: pgettext("cards of a rank", "kings"),
        Rank.ACE: pgettext("cards of a rank", "aces"),
    }[rank]


def _genitive(rank: Rank) -> str:
    """Return the cards of a rank as in "some of the queens"."""
    return {
        Rank.TWO: pgettext("cards of a rank, genitive", "twos"),
        Rank.THREE: pgettext("cards of a rank, genitive", "threes"),
        Rank.FOUR: pgettext("cards of a rank, genitive", "fours"),
        Rank.FIVE: pgettext("cards of a rank, genitive", "fives"),
        Rank.SIX: pgettext("cards of a rank, genitive", "sixes"),
        Rank.SEVEN: pgettext("cards of a rank, genitive", "sevens"),
        Rank.EIGHT: pgettext("cards of a rank, genitive", "eights"),
        Rank.NINE: pgettext("cards of a rank, genitive", "nines"),
        Rank.TEN: pgettext("cards of a rank, genitive", "tens"),
        Rank.JACK: pgettext("cards of a rank, genitive", "jacks"),
        Rank.QUEEN: pgettext("cards of a rank, genitive", "queens"),
        Rank.KING: pgettext("cards of a rank, genitive", "kings"),
        Rank.ACE: pgettext("cards of a rank, genitive", "aces"),
    }[rank]


def _instrumental(rank: Rank) -> str:
    """Return the cards of a rank as in "to pass for queens"."""
    return {
        Rank.TWO: pgettext("cards of a rank, instrumental", "twos"),
        Rank.THREE: pgettext("cards of a rank, instrumental", "threes"),
        Rank.FOUR: pgettext("cards of a rank, instrumental", "fours"),
        Rank.FIVE: pgettext("cards of a rank, instrumental", "fives"),
        Rank.SIX: pgettext("cards of a rank, instrumental", "sixes"),
        Rank.SEVEN: pgettext("cards of a rank, instrumental", "sevens"),
        Rank.EIGHT: pgettext("cards of a rank, instrumental", "eights"),
        Rank.NINE: pgettext("cards of a rank, instrumental", "nines"),
        Rank.TEN: pgettext("cards of a rank, instrumental", "tens"),
        Rank.JACK: pgettext("cards of a rank, instrumental", "jacks"),
        Rank.QUEEN: pgettext("cards of a rank, instrumental", "queens"),
        Rank.KING: pgettext("cards of a rank, instrumental", "kings"),
        Rank.ACE: pgettext("cards of a rank, instrumental", "aces"),
    }[rank]


def _counted(rank: Rank, number: int) -> str:
    """Return a number of cards of a rank, with the field `count` left open."""
    return {
        Rank.TWO: npgettext("claim", "{count:word} two", "{count:word} twos", number),
        Rank.THREE: npgettext("claim", "{count:word} three", "{count:word} threes", number),
        Rank.FOUR: npgettext("claim", "{count:word} four", "{count:word} fours", number),
        Rank.FIVE: npgettext("claim", "{count:word} five", "{count:word} fives", number),
        Rank.SIX: npgettext("claim", "{count:word} six", "{count:word} sixes", number),
        Rank.SEVEN: npgettext("claim", "{count:word} seven", "{count:word} sevens", number),
        Rank.EIGHT: npgettext("claim", "{count:word} eight", "{count:word} eights", number),
        Rank.NINE: npgettext("claim", "{count:word} nine", "{count:word} nines", number),
        Rank.TEN: npgettext("claim", "{count:word} ten", "{count:word} tens", number),
        Rank.JACK: npgettext("claim", "{count:word} jack", "{count:word} jacks", number),
        Rank.QUEEN: npgettext("claim", "{count:word} queen", "{count:word} queens", number),
        Rank.KING: npgettext("claim", "{count:word} king", "{count:word} kings", number),
        Rank.ACE: npgettext("claim", "{count:word} ace", "{count:word} aces", number),
    }[rank]


def _numbers() -> dict[int, str]:
    """Return the number words."""
    return {
        1: pgettext("number", "one"),
        2: pgettext("number", "two"),
        3: pgettext("number", "three"),
        4: pgettext("number", "four"),
        5: pgettext("number", "five"),
        6: pgettext("number", "six"),
        7: pgettext("number", "seven"),
        8: pgettext("number", "eight"),
        9: pgettext("number", "nine"),
        10: pgettext("number", "ten"),
        11: pgettext("number", "eleven"),
        12: pgettext("number", "twelve"),
    }


def _numbers_masculine() -> dict[int, str]:
    """Return the number words, masculine."""
    return {
        1: pgettext("number, masculine", "one"),
        2: pgettext("number, masculine", "two"),
        3: pgettext("number, masculine", "three"),
        4: pgettext("number, masculine", "four"),
        5: pgettext("number, masculine", "five"),
        6: pgettext("number, masculine", "six"),
        7: pgettext("number, masculine", "seven"),
        8: pgettext("number, masculine", "eight"),
        9: pgettext("number, masculine", "nine"),
        10: pgettext("number, masculine", "ten"),
        11: pgettext("number, masculine", "eleven"),
        12: pgettext("number, masculine", "twelve"),
    }


def _numbers_feminine() -> dict[int, str]:
    """Return the number words, feminine."""
    return {
        1: pgettext("number, feminine", "one"),
        2: pgettext("number, feminine", "two"),
        3: pgettext("number, feminine", "three"),
        4: pgettext("number, feminine", "four"),
        5: pgettext("number, feminine", "five"),
        6: pgettext("number, feminine", "six"),
        7: pgettext("number, feminine", "seven"),
        8: pgettext("number, feminine", "eight"),
        9: pgettext("number, feminine", "nine"),
        10: pgettext("number, feminine", "ten"),
        11: pgettext("number, feminine", "eleven"),
        12: pgettext("number, feminine", "twelve"),
    }


def _numbers_of_people() -> dict[int, str]:
    """Return the number words as they count people."""
    return {
        1: pgettext("number of people", "one"),
        2: pgettext("number of people", "two"),
        3: pgettext("number of people", "three"),
        4: pgettext("number of people", "four"),
        5: pgettext("number of people", "five"),
        6: pgettext("number of people", "six"),
        7: pgettext("number of people", "seven"),
        8: pgettext("number of people", "eight"),
        9: pgettext("number of people", "nine"),
        10: pgettext("number of people", "ten"),
        11: pgettext("number of people", "eleven"),
        12: pgettext("number of people", "twelve"),
    }
