"""Words of past deals: what they add up to, and the list of those to watch again."""

import time
from collections.abc import Mapping

from engine import EngineError, Ruleset
from p2p.net.history import PastDeal
from p2p.protocol.deal_tally import PlayerRecord
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.statistics import Sum
from ui.words.people import Who, listed
from ui.words.rules import form_with_mark


def title() -> str:
    """The place."""
    return _("Your deals so far")


def nothing_yet() -> str:
    """No deal has ended."""
    return _("No deal has been played to its end here yet.")


def together(deals: int, won: int, lost: int) -> str:
    """All of them."""
    text = ngettext("{deals} deal: {won} won, {lost} lost.", "{deals} deals: {won} won, {lost} lost.", deals)
    return text.format(deals=deals, won=won, lost=lost)


def deals(count: int) -> str:
    """So many."""
    return ngettext("{count} deal.", "{count} deals.", count).format(count=count)


def summed(name: str, total: Sum) -> str:
    """What one player did in several deals, in sentences. name: of the player, the form, or all of them."""
    tally = total.tally
    parts = [f"{name}.", together(total.deals, total.won, total.lost)]
    if tally.opened:
        parts.append(
            _("Bluffs among packets opened: {count} of {total}.").format(count=tally.lies, total=tally.opened)
        )
    if tally.calls:
        parts.append(_("Right calls: {count} of {total}.").format(count=tally.right_calls, total=tally.calls))
    return " ".join(parts)


def won_and_lost(who: Who, won: int, lost: int) -> str:
    """How one player fared at a table."""
    return _("{name}: won {won}, lost {lost}.").format(name=who.label, won=won, lost=lost)


def by_opponent() -> str:
    """Heading: what each opponent did."""
    return _("Your opponents, by what they did in deals with you:")


def by_table() -> str:
    """Heading: the tables."""
    return _("Tables, the last one first:")


def those_broken_off() -> str:
    """Heading: deals that were not played to their end."""
    return _("Deals that were broken off:")


def and_more(count: int) -> str:
    """What is left out."""
    return ngettext("And {count} more.", "And {count} more.", count).format(count=count)


def lost_by(deal: PastDeal) -> str:
    """Who lost it, in a list."""
    return _("lost by {names}").format(names=losers(deal) or "?")


def lies_found() -> str:
    """Beside a bar: own packets that a call opened, and how many of them were bluffs."""
    return _("of your opened packets were bluffs")


def right_calls() -> str:
    """Beside a bar: own calls, and how many of them were right."""
    return _("of your calls were right")


def form() -> str:
    """Column: the form."""
    return _("form")


def opponent() -> str:
    """Column: who."""
    return _("opponent")


def columns() -> tuple[str, ...]:
    """The other columns."""
    return (
        pgettext("column", "deals"),
        pgettext("column", "won"),
        pgettext("column", "lost"),
        pgettext("column", "lies found"),
        pgettext("column", "right calls"),
    )


def helped() -> tuple[str, ...]:
    """What the page shows, for the help."""
    return (
        _("What your program remembers of the deals that have ended here, your own and your opponents'."),
        _("“Lies found” is the share of bluffs among the packets that a call opened."),
        _("verish stats shows the same in numbers, and each table."),
    )


def when(seconds: float) -> str:
    """A time since the epoch, by this machine's clock and zone."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def form_played(form: str, changes: Mapping[str, str | int], players: int) -> str:
    """The form with the number of its changes."""
    try:
        return form_with_mark(Ruleset.with_preset(form, dict(changes)), players)
    except (EngineError, KeyError, TypeError):
        return form or "?"  # of a version that had other rules


def records_title() -> str:
    """The place where a deal is chosen to be watched again."""
    return _("Deals to watch again")


def records_head(count: int) -> str:
    """The same with the number of them."""
    return _("Deals to watch again · {count}").format(count=count)


def record_columns() -> tuple[str, ...]:
    """The columns of that list."""
    return (_("date"), _("table"), _("form"), _("lost by"))


def who(player: PlayerRecord) -> Who:
    """Who a remembered player is; a name that was not kept is a question mark."""
    return Who(player.name or "?", player.own)


def losers(deal: PastDeal) -> str:
    """Who lost it."""
    return listed(who(player).label for player in deal.players if player.lost)


def players(deal: PastDeal) -> str:
    """Who played it, and who lost."""
    names = listed(who(player).label for player in deal.players)
    lost = losers(deal)
    if not lost:
        return _("Players: {names}.").format(names=names)
    return _("Players: {names}. Lost by: {losers}.").format(names=names, losers=lost)


def broken_off() -> str:
    """In the place of the loser of a deal that was not played to its end."""
    return pgettext("in the place of who lost", "broken off")


def only_watched() -> str:
    """The own person did not play it."""
    return _("You watched this deal.")


def watch() -> str:
    """Enter."""
    return _("Watch this deal again")


def checked_first() -> str:
    """Beside it."""
    return _("every proof is checked first")


def how_to_get_one() -> str:
    """Below a list without deals."""
    return _("Every deal that ends is kept by itself: open a table, or play with bots, and look here again.")


def too_little_kept() -> str:
    """The chosen deal cannot be watched."""
    return _("Too little of this deal is kept to watch it again.")


def records_helped() -> tuple[str, ...]:
    """What the list shows, for the help."""
    return (
        _("The deals that your program remembers, the latest first."),
        _(
            "A deal is shown as everybody saw it: the keys to hidden cards are erased when it ends. "
            "A transcript that was saved after the books were opened shows every card: verish replay FILE."
        ),
    )
