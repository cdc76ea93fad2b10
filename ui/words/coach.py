"""The first deal explained: one sentence for each situation that a player meets for the first time."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from engine import Rank
from ui.i18n import gettext as _
from ui.words.asks import lay_cards
from ui.words.people import Who
from ui.words.ranks import RankWord


class Lesson(Enum):
    """A situation that is explained once."""

    GOAL = "goal"
    WAITING = "waiting"
    LEADING = "leading"
    FOLLOWING = "following"
    NOTHING_TO_CALL = "nothing_to_call"
    LAST_CARDS = "last_cards"
    BLUFF = "bluff"
    TRUTH = "truth"
    TAKEN = "taken"
    FOURS = "fours"
    OUT = "out"


def offer() -> str:
    """What Enter does in the lobby for somebody who has never played."""
    return _("Play a first deal")


def offered() -> str:
    """What is special about it."""
    return _("with bots, each step explained")


def plain(lesson: Lesson, *, by_keys: bool = True) -> str:
    """The sentence of a situation in which neither a name nor a rank matters. by_keys: cards are picked by
    keys, on a screen; otherwise answers are typed.
    """
    typed = {} if by_keys else _TYPED
    if lesson in typed:
        return typed[lesson]()
    return {
        Lesson.GOAL: _("You want to be rid of your cards: who is left with cards at the end loses."),
        Lesson.WAITING: _(
            "All lay cards in turn, face down, and say what they are. It need not be true: watch the claims."
        ),
        Lesson.LEADING: _(
            "You lead: pick cards by the keys of their ranks, then Enter. Any rank may be named, whatever "
            "the cards are."
        ),
        Lesson.NOTHING_TO_CALL: _("Nothing can be called now: lay cards of the rank in force, or others."),
        Lesson.BLUFF: _(
            "That was a bluff: its owner takes all cards on the table, and the caller leads the next round."
        ),
        Lesson.TRUTH: _("That was the truth: the caller was wrong and takes all cards on the table."),
        Lesson.TAKEN: _(
            "The cards that you took carry a dot. They are no ruin: who holds more can lay more true ones."
        ),
        Lesson.FOURS: _(
            "You may show four of a kind and be rid of them; then all know that these are out of play."
        ),
        Lesson.OUT: _(
            "You are out and cannot lose any more. Keep the program open: the others still need your key."
        ),
    }[lesson]


_TYPED: Final[Mapping[Lesson, Callable[[], str]]] = {
    Lesson.LEADING: lambda: _(
        "You lead: choose “{answer}”, then type the ranks of the cards. Any rank may be named, whatever the "
        "cards are."
    ).format(answer=lay_cards()),
    Lesson.TAKEN: lambda: _("The cards that you took are no ruin: who holds more can lay more true ones."),
}
"""The sentences that are others where answers are typed."""


def following(rank: Rank, call: str | None) -> str:
    """Somebody has laid, and the rank is in force. call: the cap of the key that calls; None where answers
    are typed.
    """
    if call is None:
        return _(
            "Lay any cards and say that they are {ranks:as}. Or, if you doubt the last packet, say that you "
            "don't believe: it is opened."
        ).format(ranks=RankWord(rank))
    return _(
        "Lay any cards and say that they are {ranks:as}. Or, if you doubt the last packet, press {key}: "
        "it is opened."
    ).format(ranks=RankWord(rank), key=call)


def last_cards(who: Who) -> str:
    """Somebody has laid his last cards."""
    if who.own:
        return _("You have laid your last cards. If nobody calls them, you are out.")
    return _("{name} has laid the last cards. If nobody calls them, {name} is out.").format(name=who.name)
