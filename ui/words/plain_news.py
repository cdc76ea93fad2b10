"""Plain mode: what changes around the game, a sentence each: in the lobby, while people take seats, and while
a program works.
"""

from ui.i18n import gettext as _
from ui.words.people import Who


def arrives(name: str, note: str = "") -> str:
    """Somebody is found on this network; note: a warning about the name, or where that person is."""
    text = _("{name} is here.").format(name=name)
    return f"{text} {note}." if note else text


def vanishes(name: str) -> str:
    """Somebody is no longer found."""
    return _("{name} is gone.").format(name=name)


def says(who: Who, words: str) -> str:
    """Somebody says something beside the game."""
    text = _("You say: {words}") if who.own else _("{name} says: {words}")
    return text.format(name=who.name, words=words)


def table_opens(title: str, rules: str, seats: str) -> str:
    """A table can be joined; rules: its form and how many differ, seats: how many are taken."""
    return _("Open table: {title}. {rules}, {seats}.").format(title=title, rules=rules, seats=seats)


def table_closes(title: str) -> str:
    """A table cannot be joined any more."""
    return _("Table {title}: closed, or its deal has begun.").format(title=title)


def seats_taken(taken: int, seats: int) -> str:
    """How many seats of a table are taken."""
    return _("{taken} of {seats} seats taken").format(taken=taken, seats=seats)


def sits_down(name: str) -> str:
    """Somebody takes a seat at the own table."""
    return _("{name} takes a seat.").format(name=name)


def gets_up(name: str) -> str:
    """Somebody gives up a seat at the own table."""
    return _("{name} gives up the seat.").format(name=name)


def ready(who: Who, count: int, seats: int) -> str:
    """Somebody agrees to the rules."""
    text = _("You are ready.") if who.own else _("{name} is ready.").format(name=who.name)
    return " ".join((text, _("Ready: {count} of {total}.").format(count=count, total=seats)))


def not_ready(who: Who) -> str:
    """Somebody takes that back."""
    return _("You are no longer ready.") if who.own else _("{name} is no longer ready.").format(name=who.name)


def shuffles(who: Who, number: int, seats: int) -> str:
    """A seat begins its shuffle."""
    if who.own:
        return _("You shuffle, {number} of {seats}.").format(number=number, seats=seats)
    return _("{name} shuffles, {number} of {seats}.").format(name=who.name, number=number, seats=seats)


def wait_can_be_ended(name: str) -> str:
    """Somebody has been waited for long enough."""
    return _("{name} has been waited for long enough: the wait can be ended.").format(name=name)


def wants_next(who: Who, count: int, seats: int) -> str:
    """Somebody wants the next deal."""
    text = _("You want the next deal.") if who.own else _("{name} wants the next deal.").format(name=who.name)
    return " ".join((text, _("Ready: {count} of {total}.").format(count=count, total=seats)))


def wants_books(who: Who, count: int, seats: int) -> str:
    """Somebody agrees to open the books."""
    if who.own:
        text = _("You agree to open the books.")
    else:
        text = _("{name} agrees to open the books.").format(name=who.name)
    return " ".join((text, _("{count} of {total} agree.").format(count=count, total=seats)))


def standing(who: Who, exposed: int, guessed: int) -> str:
    """What all know of one player's deal."""
    return _("{name}: bluffs exposed {exposed}, calls right {guessed}.").format(
        name=who.label, exposed=exposed, guessed=guessed
    )


def counted(count: int, *, wins: bool) -> str:
    """What the session counts of one player."""
    text = _("Deals won: {count}.") if wins else _("Deals lost: {count}.")
    return text.format(count=count)
