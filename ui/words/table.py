"""Words on the table itself: who says what, notes under a packet, the pile, panel titles."""

from engine import Rank
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words.people import Who
from ui.words.ranks import RankWord, cards


def says(who: Who) -> str:
    """The word between a name and the claim, as long as the packet lies face down."""
    return pgettext("you", "say") if who.own else pgettext("somebody", "says")


def said(who: Who) -> str:
    """The word between a name and the claim, once the packet is open."""
    return pgettext("you", "said") if who.own else pgettext("somebody", "said")


def packet_note(count: int, caller: Who | None, last_cards: bool = False, anyone: bool = False) -> str:
    """The line under a live packet: its size and who may call it; that it is the last stands first."""
    parts = [_("last cards!")] if last_cards else [cards(count)]
    if anyone:
        parts.append(_("anyone may call it"))
    elif caller is not None and caller.own:
        parts.append(_("only you may call it"))
    elif caller is not None:
        parts.append(_("only {name} may call it").format(name=caller.name))
    return " · ".join(parts)


def pile_note(count: int) -> tuple[str, str]:
    """The two lines beside the older cards: how many, and that they lie under the packet."""
    return (
        ngettext("+ {count} card", "+ {count} cards", count).format(count=count),
        ngettext("under it", "under it", count),
    )


def draw_pile(count: int) -> str:
    """How many cards can still be drawn."""
    return _("draw pile {count}").format(count=count)


def due(rank: Rank) -> str:
    """The note of an empty place where ranks go up by themselves."""
    return _("{ranks:Of} are due.").format(ranks=RankWord(rank))


def empty_table() -> str:
    """What the empty place says."""
    return _("The table is empty.")


def still_in_force(rank: Rank) -> str:
    """The note of an empty place where a rank is still in force."""
    return _("{ranks} still in force, nothing to call").format(ranks=RankWord(rank))


def covered() -> str:
    """What stands in place of the hand while it is covered."""
    return _("Your cards are covered.")


def no_cards() -> str:
    """What an empty hand says."""
    return _("No cards in your hand.")


def players_title(watchers: int) -> str:
    """Title of the panel of players; `watchers`: how many watch them."""
    if not watchers:
        return _("Players, clockwise")
    return ngettext("Players · {count} watches", "Players · {count} watch", watchers).format(count=watchers)


def table_title() -> str:
    """Title of the panel of the table."""
    return _("On the table")


def log_title() -> str:
    """Title of the log."""
    return _("What happened")


def hand_title(count: int) -> str:
    """Title of the frame around the own hand."""
    return _("Your hand · {count}").format(count=count)


def deal_number(deal: int) -> str:
    """The deal's number, for the top line."""
    return _("deal {deal}").format(deal=deal)


def form_name(form: str) -> str:
    """The name of a form of the game."""
    return {
        "pagat": pgettext("form", "pagat"),
        "club": pgettext("form", "club"),
        "encyclopedia": pgettext("form", "encyclopedia"),
        "dictionary": pgettext("form", "dictionary"),
    }.get(form, form)
