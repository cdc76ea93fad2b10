"""Words of the proof behind the promises: what each player has proven, who can read what, fingerprints."""

from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.people import Who


def title() -> str:
    """Title of the page."""
    return _("The proof")


def show() -> str:
    """What Enter does on the page of promises."""
    return _("Show the proof, player by player and card by card")


def proven_head() -> tuple[str, ...]:
    """Columns: the player, what he has proven, checked by this computer."""
    return (_("player"), _("fingerprint"), _("key"), _("shuffles"), _("shares"), _("seals"))


def readers_head() -> tuple[str, ...]:
    """Columns: cards, who can read them, since when."""
    return (_("cards"), _("who can read them"), _("since"))


def hand(who: Who, count: int) -> str:
    """The cards that somebody holds."""
    if who.own:
        return _("your hand, {count}").format(count=count)
    return _("{name}, {count}").format(name=who.name, count=count)


def packet(who: Who) -> str:
    """A packet on the table."""
    if who.own:
        return _("your packet")
    return _("packet of {name}").format(name=who.name)


def pile(count: int) -> str:
    """The older cards on the table."""
    return ngettext("{count} card under it", "{count} cards under it", count).format(count=count)


def stock(count: int) -> str:
    """The draw pile."""
    return _("draw pile, {count}").format(count=count)


def burned() -> str:
    """The card that was put aside unseen."""
    return _("burned card")


def nobody() -> str:
    """Nobody can read it."""
    return _("nobody")


def everybody() -> str:
    """All can read it."""
    return _("everybody")


def books_opened() -> str:
    """Since when all can read every card of a deal that is over."""
    return _("the books are open")


def some(names: str) -> str:
    """Several, each some of the cards."""
    return _("each their own: {names}").format(names=names)


def since(first: int, last: int) -> str:
    """From which step of the ledger on."""
    if first == last:
        return _("step {step}").format(step=first)
    return _("steps {first} to {last}").format(first=first, last=last)


def head(words: str) -> str:
    """What all machines have in common, for those who compare it aloud."""
    return _("head of the ledger  {words}  the same on every machine").format(words=words)


def fingerprint_title() -> str:
    """Title of the page of fingerprints."""
    return _("Fingerprints, to compare aloud")


def read_aloud(who: Who) -> str:
    """What to do with it."""
    if who.own:
        return _("This is yours. Read it aloud: the others see the same beside your name.")
    return _("{name} reads it aloud. If one letter differs, somebody else has that seat.").format(
        name=who.name
    )


def next_player() -> str:
    """What the arrows do."""
    return _("next player")
