"""The banner: whose turn it is and what is asked, in one line."""

from dataclasses import dataclass
from enum import StrEnum

from engine import Rank
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words.people import Who, clock
from ui.words.ranks import RankWord


class BannerKind(StrEnum):
    """What a banner is for; it decides glyph and colour."""

    TURN = "turn"
    EVENT = "event"
    TROUBLE = "trouble"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Banner:
    """A banner: `head` in capitals (may be empty), then `text`."""

    kind: BannerKind
    head: str
    text: str

    @property
    def line(self) -> str:
        """Both parts, two spaces apart."""
        return self._joined("  ")

    @property
    def spoken(self) -> str:
        """Both parts as sentences, to be read aloud."""
        return self._joined(". ")

    def _joined(self, between: str) -> str:
        return between.join(filter(None, (self.head, self.text)))


def lead(least: int, most: int | None) -> Banner:
    """My lead, of any rank: from `least` to `most` cards (None: no limit)."""
    if most is None:
        text = ngettext(
            "You lead: {least} card or more, any rank.", "You lead: {least} cards or more, any rank.", least
        )
        return _turn(text.format(least=least))
    if most == least:
        text = ngettext(
            "You lead: exactly {most} card, any rank.", "You lead: exactly {most} cards, any rank.", most
        )
        return _turn(text.format(most=most))
    text = ngettext(
        "You lead: {least} to {most} card, any rank.", "You lead: {least} to {most} cards, any rank.", most
    )
    return _turn(text.format(least=least, most=most))


def lead_due(rank: Rank) -> Banner:
    """My lead, of the one rank that is due."""
    return _turn(_("You lead: {ranks:of} are due.").format(ranks=RankWord(rank)))


def lay_or_call(rank: Rank, owner: Who, last_cards: bool = False, veryu: bool = False) -> Banner:
    """My turn against a live packet of `owner`.

    last_cards: his hand is empty. veryu: at this table one may also believe.
    """
    if last_cards:
        text = _("{name}'s last cards. Uncalled, {name} is out.").format(name=owner.name)
    elif veryu:
        text = _("Lay {ranks:of}, believe {name} or not.").format(ranks=RankWord(rank), name=owner.name)
    else:
        text = _("Lay {ranks:of}, or call {name}.").format(ranks=RankWord(rank), name=owner.name)
    return _turn(text)


def must_call(owner: Who) -> Banner:
    """My turn, and the last cards of `owner` may not be passed over."""
    return _turn(_("{name}'s last cards: you must call.").format(name=owner.name))


def lay_only(rank: Rank) -> Banner:
    """My turn with the rank in force and nothing to call."""
    return _turn(_("Nothing to call: lay {ranks:of}.").format(ranks=RankWord(rank)))


def empty_hand(owner: Who) -> Banner:
    """My hand is empty and not announced: say so, or call the live packet of `owner`."""
    return _turn(_("Your hand is empty: say so, or call {name}.").format(name=owner.name))


def anyone_may_call(seconds: float | None) -> Banner:
    """The window after a lay is open for me, for so many seconds (None: until I answer)."""
    text = "" if seconds is None else clock(max(0.0, seconds))
    return Banner(BannerKind.TURN, pgettext("banner", "ANYONE MAY CALL"), text)


def waiting_for_answers(names: str) -> Banner:
    """The window is open, and others have not answered; `names` already in a row."""
    return _quiet(_("Anyone may call. Not answered yet: {names}.").format(names=names))


def waiting_to_draw(who: Who) -> Banner:
    """Somebody draws from the stock: his new hand is being shuffled."""
    if who.own:
        return _quiet(_("You draw cards: they are being shuffled into your hand."))
    return _quiet(_("{name} draws cards: they are being shuffled face down.").format(name=who.name))


def waiting_for_lot() -> Banner:
    """All draw together which card is opened."""
    return _quiet(_("All draw together which card is opened."))


def waiting_to_go_out(who: Who) -> Banner:
    """Somebody with an empty hand announces it."""
    if who.own:
        return _quiet(_("You say that you have no cards."))
    return _quiet(_("{name} says that no cards are left.").format(name=who.name))


def forced_fours() -> Banner:
    """I hold four of a kind, and at this table the program removes it by itself."""
    return _quiet(_("You remove four of a kind, as the rules want it."))


def no_fours() -> Banner:
    """I am asked for four of a kind and hold none: the program answers after a moment."""
    return _quiet(_("You hold no four of a kind; the others do not see that."))


def fours(at_deal: bool = False) -> Banner:
    """I took the pile, or got my first cards, and hold four of a kind."""
    if at_deal:
        return _turn(_("You hold four of a kind. Remove?"))
    return Banner(
        BannerKind.TURN,
        pgettext("banner", "YOUR PICK-UP"),
        _("You hold four of a kind. Remove?"),
    )


def waiting_to_act(actor: Who, rank: Rank | None, owner: Who | None) -> Banner:
    """Somebody else is to move: `rank` in force and the `owner` of the live packet, if any."""
    if rank is None:
        return _quiet(leads(actor))
    if owner is None:
        return _quiet(_("{name} to move: lay {ranks}.").format(name=actor.name, ranks=RankWord(rank)))
    if owner.own:
        text = _("{name} to move: lay {ranks}, or call you.").format(name=actor.name, ranks=RankWord(rank))
    else:
        text = _("{name} to move: lay {ranks}, or call {owner}.").format(
            name=actor.name, ranks=RankWord(rank), owner=owner.name
        )
    return _quiet(text)


def waiting_to_open(owner: Who) -> Banner:
    """Somebody has to open the called packet."""
    return _quiet(opens(owner))


def waiting_for_pick_up(taker: Who) -> Banner:
    """Somebody takes the pile: his new hand is being shuffled."""
    if taker.own:
        return _quiet(_("You take the cards: they are being shuffled into your hand."))
    return _quiet(_("{name} takes the cards: they are being shuffled face down.").format(name=taker.name))


def waiting_for_fours(taker: Who) -> Banner:
    """Somebody decides whether to show four of a kind."""
    return _quiet(_("{name} may remove four of a kind.").format(name=taker.name))


def waiting_for(names: str) -> Banner:
    """The programs of others have something to send; `names` already in a row."""
    return _quiet(_("Waiting for {names}.").format(names=names))


def called(caller: Who, owner: Who, believe: bool) -> Banner:
    """A call was just made."""
    if caller.own:
        text = _("You believe {owner}.") if believe else _("You do not believe {owner}.")
    elif owner.own:
        text = _("{name} believes you.") if believe else _("{name} does not believe you.")
    else:
        text = _("{name} believes {owner}.") if believe else _("{name} does not believe {owner}.")
    return Banner(BannerKind.EVENT, "", text.format(name=caller.name, owner=owner.name))


def opened(caller: Who, owner: Who, believe: bool) -> Banner:
    """The called cards lie open."""
    before = called(caller, owner, believe)
    return Banner(BannerKind.EVENT, "", " ".join((before.text, _("The cards are open."))))


def polled(names: str, answered: int, voters: int) -> Banner:
    """All others are asked whether to go on without those of `names`."""
    text = _("Asked to end the wait for {names}: {answered} of {voters} have answered.")
    return Banner(BannerKind.TROUBLE, "", text.format(names=names, answered=answered, voters=voters))


def away(who: Who, seconds: float, until: float | None = None) -> Banner:
    """Somebody owes something and has no link for `seconds`; the table waits until `until` seconds."""
    text = _("{name} has been away for {time}.").format(name=who.name, time=clock(seconds))
    if until is not None and seconds >= until:
        text += " " + _("The wait can be ended.")
    elif until is not None:
        text += " " + _("The table waits until {time}.").format(time=clock(until))
    return Banner(BannerKind.TROUBLE, "", text)


def on_its_way() -> Banner:
    """My move is sent, and not yet in the ledger."""
    return _quiet(_("Your move is on its way."))


def you_are_out(place: int) -> Banner:
    """I have left the deal."""
    return _quiet(_("You are out, place {place}. The others play on.").format(place=place))


def as_watcher(shown: Banner) -> Banner:
    """What everybody is told, to somebody who only watches."""
    return Banner(shown.kind, pgettext("banner", "WATCHING"), shown.text)


def too_small_line(banner: Banner) -> str:
    """The one line about the game that the too-small notice shows."""
    return f"► {banner.head.capitalize()}" if banner.kind is BannerKind.TURN else banner.text


def leads(who: Who) -> str:
    """Who leads the next round, as a sentence."""
    return _("You lead.") if who.own else _("{name} leads.").format(name=who.name)


def opens(who: Who) -> str:
    """Who opens the cards, as a sentence."""
    return _("You open the cards.") if who.own else _("{name} opens the cards.").format(name=who.name)


def _turn(text: str) -> Banner:
    """A banner of my turn."""
    return Banner(BannerKind.TURN, pgettext("banner", "YOUR TURN"), text)


def _quiet(text: str) -> Banner:
    """A banner that asks nothing."""
    return Banner(BannerKind.QUIET, "", text)
