"""Plain mode: what happens at the table, one line an event, and what is asked. Sentences of its own stand
here; all others are those of the screens.
"""

from collections.abc import Sequence

from engine import Card, Rank
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words.people import Who, listed
from ui.words.ranks import RankWord, card_name, cards, quoted


def says(who: Who, words: str) -> str:
    """Somebody says words with a packet."""
    text = _("You say {words}.") if who.own else _("{name} says {words}.")
    return text.format(name=who.name, words=quoted(words))


def packet(count: int, older: int) -> str:
    """How many cards were laid, and how many lie under them."""
    if not older:
        return f"{cards(count)}."
    if count == 1:
        text = ngettext(
            "{cards}, {older} older one under it.", "{cards}, {older} older ones under it.", older
        )
    else:
        text = ngettext(
            "{cards}, {older} older one under them.", "{cards}, {older} older ones under them.", older
        )
    return text.format(cards=cards(count), older=older)


def lays_nothing(who: Who) -> str:
    """Somebody lays no card, for all to see."""
    return _("You lay no card.") if who.own else _("{name} lays no card.").format(name=who.name)


def says_out(who: Who) -> str:
    """Somebody says that the hand is empty."""
    return _("You say: no cards left!") if who.own else _("{name} says: no cards left!").format(name=who.name)


def calls(who: Who, *, believe: bool) -> str:
    """Somebody calls the last packet."""
    if who.own:
        return _("You believe.") if believe else _("You do not believe.")
    text = _("{name} believes.") if believe else _("{name} does not believe.")
    return text.format(name=who.name)


def opens(who: Who, opened: Sequence[Card]) -> str:
    """Somebody opens the called cards."""
    text = _("You open: {cards}.") if who.own else _("{name} opens: {cards}.")
    return text.format(name=who.name, cards=listed(card_name(card) for card in opened) or _("no card"))


def clockwise(names: Sequence[str]) -> str:
    """Who sits where."""
    return _("Clockwise: {names}.").format(names=listed(names))


def your_turn() -> str:
    """Something is asked of the reader at the table."""
    return _("Your turn.")


def hand(count: int, ranks: str) -> str:
    """The own hand, read by rank."""
    return _("{cards}: {ranks}.").format(cards=cards(count), ranks=ranks)


def unread_hand(count: int) -> str:
    """The own cards cannot be read yet."""
    return _("{cards}, not dealt to the end yet.").format(cards=cards(count))


def which_cards(first: str, second: str) -> str:
    """Asks for cards; the example names two ranks as they are printed."""
    return _("Which cards? Ranks, for example: {first} {second}").format(first=first, second=second)


def which_rank(rank: Rank | None) -> str:
    """Asks which rank is said of a lead; `rank`: what Enter alone says."""
    if rank is None:
        return _("Which rank do you say?")
    return _("Which rank do you say? Enter alone: {ranks}.").format(ranks=RankWord(rank))


def which_fours(ranks: str) -> str:
    """Asks which complete sets are removed."""
    return _("Which ranks do you remove? You hold all of: {ranks}.").format(ranks=ranks)


def which_card(count: int) -> str:
    """Asks which card of the packet is opened."""
    return _("Which card is to be opened, from 1 to {count}?").format(count=count)


def also_out() -> str:
    """Asks whether it is said that these cards are the last."""
    return _("These are your last cards. Do you say so? Who does not stays in.")


def lay(labels: Sequence[str], words: str, *, truth: bool | None, out: bool) -> str:
    """Reads a lay back before it is sent; truth: None where that is not told."""
    text = _("Lay {cards} and say {words}.").format(cards=listed(labels), words=quoted(words))
    if out:
        text += " " + _("Say that they are your last.")
    if truth is None:
        return text
    return f"{text} " + (_("The truth.") if truth else _("A bluff."))


def no_more_of(rank: Rank) -> str:
    """More cards of a rank were named than are held."""
    return _("You hold no more {ranks:of}.").format(ranks=RankWord(rank))


def no_rank(word: str) -> str:
    """What was typed is no rank."""
    return _("{word} is no rank. Type ranks with spaces between them.").format(word=quoted(word))


def anyone_may_call() -> str:
    """The window after a lay is open for the reader."""
    return _("Anyone may call the last packet, you too.")


def last_cards(who: Who) -> str:
    """Somebody's hand is empty, and the packet can still be called."""
    return _("Your last cards.") if who.own else _("{name}: last cards.").format(name=who.name)


def to_move() -> str:
    """Somebody is to move."""
    return pgettext("player", "to move")


def nothing_happened() -> str:
    """The log is empty."""
    return _("Nothing has happened yet.")


def proven(who: Who, shuffles: int, shares: int, seals: int) -> str:
    """What one player has proven."""
    return _("{name}: shuffles {shuffles}, shares {shares}, seals {seals}, all checked here.").format(
        name=who.label, shuffles=shuffles, shares=shares, seals=seals
    )


def readable(held: str, readers: str, since: str) -> str:
    """Who can read some cards, and since when."""
    if not since:
        return _("{cards}: can be read by {readers}.").format(cards=held, readers=readers)
    return _("{cards}: can be read by {readers}, since {since}.").format(
        cards=held, readers=readers, since=since
    )


def not_understood() -> str:
    """An answer that is none of those that were asked for."""
    return _("That is no answer here. Type a number or a word of the list; Enter alone repeats it.")


def no_number(least: int, most: int) -> str:
    """A number was asked for, and none of these was typed."""
    return _("Type a number from {least} to {most}.").format(least=least, most=most)


def time_left(seconds: int) -> str:
    """The own time is nearly over."""
    return ngettext("{count} second left.", "{count} seconds left.", seconds).format(count=seconds)


def welcome() -> str:
    """Said once at the start."""
    return _(
        "Verish in plain mode. Answer with a number or a word. Enter alone repeats the question, “back” "
        "leaves it, “quit” ends the program."
    )


def meanwhile() -> str:
    """Said once, when there is nothing to answer for the first time."""
    return _("While others are busy, press Enter to hear how things stand and what you can do.")


def input_ended(*, at_table: bool) -> str:
    """Standard input was closed; nothing can be asked any more."""
    if at_table:
        return _("The input has ended. You have not left the table: start Verish again to take the deal up.")
    return _("The input has ended.")


def no_input() -> str:
    """Standard input ended before the first answer, and it is no terminal."""
    return _(
        "There is nobody to answer: the input has ended. Start it in a terminal window, or run a headless "
        "peer: verish bot."
    )
