"""The log: one line for each thing that happened at the table."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine import Card, Event, Rank, Seat
from engine.events import (
    Called,
    CallVoid,
    DealOver,
    DealStarted,
    Drew,
    IndexDrawn,
    Laid,
    LaidNothing,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    SaidOut,
    SetsRemoved,
    WentOut,
    WindowClosed,
)
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.banner import leads
from ui.words.people import Who
from ui.words.ranks import RankWord, card_label, claim, quoted
from ui.words.result import Verdict, fours_removed, leaves, packet_out_of_play, takes, verdict


class LogKind(StrEnum):
    """What a line tells; it decides how it is drawn."""

    SPEECH = "speech"
    """Somebody said `text`."""
    CALL = "call"
    """Somebody called."""
    TRUTH = "truth"
    BLUFF = "bluff"
    QUIET = "quiet"
    """A new round."""
    NEWS = "news"
    """Somebody took, left, lost."""
    COACH = "coach"
    """The coach explains."""
    TALK = "talk"
    """Somebody said `text` beside the game."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line. `speaker` stands in the column of names; None where the text is a sentence of its own."""

    kind: LogKind
    text: str
    speaker: Who | None = None


def dont_believe() -> str:
    """The call, as spoken."""
    return _("I don't believe!")


def do_believe() -> str:
    """The other call, as spoken."""
    return _("I believe!")


def log_lines(  # noqa: PLR0911 - one for each kind of event
    event: Event, who: Callable[[Seat], Who]
) -> tuple[LogLine, ...]:
    """Word one event; some have nothing to say. `who`: who sits at a seat."""
    match event:
        case DealStarted(_, dealer):
            return (LogLine(LogKind.QUIET, _dealt(who(dealer))),)
        case RoundStarted(leader, rank):
            return (LogLine(LogKind.QUIET, _round(who(leader), rank)),)
        case Laid(seat, _, rank, number):
            return (LogLine(LogKind.SPEECH, quoted(claim(rank, number)), who(seat)),)
        case Called(seat, _, believe):
            return (LogLine(LogKind.CALL, do_believe() if believe else dont_believe(), who(seat)),)
        case LaidNothing(seat):
            return (LogLine(LogKind.SPEECH, _("lays no card"), who(seat)),)
        case SaidOut(seat):
            return (LogLine(LogKind.SPEECH, _("no cards left!"), who(seat)),)
        case CallVoid(seat, believe):
            return (LogLine(LogKind.QUIET, _call_void(believe), who(seat)),)
        case WindowClosed():
            return (LogLine(LogKind.QUIET, _("Nobody calls.")),)
        case Drew(seat, count, left):
            return (LogLine(LogKind.QUIET, " ".join((drew(who(seat), count), left_to_draw(left)))),)
        case IndexDrawn(_, index):
            return (LogLine(LogKind.CALL, _("The draw opens card {number}.").format(number=index + 1)),)
        case Revealed():
            found = revealed_verdict(event)
            kind = LogKind.TRUTH if found.truthful else LogKind.BLUFF
            return (LogLine(kind, f"{found.word}. {found.reason}"),)
        case _:
            text = _news(event, who)
            return (LogLine(LogKind.NEWS, text),) if text else ()


def revealed_verdict(event: Revealed, label: Callable[[Card], str] = card_label) -> Verdict:
    """Word what an opened packet turned out to be; `label`: how cards are printed."""
    false = [label(card) for card in event.cards if card.rank != event.rank]
    return verdict(event.rank, len(event.cards), false, event.number)


def _news(event: Event, who: Callable[[Seat], Who]) -> str:
    """Word what is told as a sentence; "" for what goes without saying."""
    text = ""
    match event:
        case PickedUp(seat, count):
            text = takes(who(seat), count)
        case PacketDiscarded(count, whole_pile):
            text = all_out_of_play(count) if whole_pile else packet_out_of_play(count)
        case SetsRemoved(seat, cards):
            text = " ".join(fours_removed(who(seat), rank, count) for rank, count in _sets(cards))
        case WentOut(seat, place):
            text = leaves(who(seat), place)
        case DealOver(loser, winner):
            text = lost(who(loser)) if loser is not None else won(who(winner))
    return text


def all_out_of_play(count: int) -> str:
    """A right "I believe" of a pile."""
    return ngettext("The {count} card goes out of play.", "All {count} cards go out of play.", count).format(
        count=count
    )


def _dealt(dealer: Who) -> str:
    """Who dealt."""
    return _("You deal.") if dealer.own else _("{name} deals.").format(name=dealer.name)


def _round(leader: Who, rank: Rank | None) -> str:
    """Who leads the new round."""
    text = " ".join((_("New round."), leads(leader)))
    if rank is not None:
        text += " " + in_force(rank)
    return text


def in_force(rank: Rank) -> str:
    """Which rank has to be said in a round, where the rules name it."""
    return _("{ranks:Many} are in force.").format(ranks=RankWord(rank))


def lost(loser: Who) -> str:
    """Who is left with cards."""
    if loser.own:
        return _("You are left with cards and lose.")
    return _("{name} is left with cards and loses.").format(name=loser.name)


def won(winner: Who) -> str:
    """Who was out first, where that ends the deal."""
    if winner.own:
        return _("You are out first and win.")
    return _("{name} is out first and wins.").format(name=winner.name)


def rest_unseen() -> str:
    """One card of a packet was opened."""
    return _("The rest stays unseen.")


def drew(who: Who, count: int) -> str:
    """Who draws how many cards."""
    if who.own:
        return ngettext("You draw {count} card.", "You draw {count} cards.", count).format(count=count)
    return ngettext("{name} draws {count} card.", "{name} draws {count} cards.", count).format(
        name=who.name, count=count
    )


def left_to_draw(count: int) -> str:
    """How many cards remain in the draw pile."""
    if not count:
        return _("The draw pile is empty.")
    return ngettext("{count} is left.", "{count} are left.", count).format(count=count)


def _call_void(believe: bool) -> str:
    """Somebody called too, but another was nearer."""
    return _("believed too, but another was nearer") if believe else _("called too, but another was nearer")


def _sets(cards: Sequence[Card]) -> list[tuple[Rank, int]]:
    """The ranks of complete sets, ascending, and how many cards of each."""
    return sorted(Counter(card.rank for card in cards).items())
