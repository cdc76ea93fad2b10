"""The log: one line for each thing that happened at the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine import Card, Event, Rank, Seat
from engine.events import (
    Called,
    DealOver,
    DealStarted,
    Laid,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    SetsRemoved,
    WentOut,
)
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.banner import leads
from ui.words.people import Who
from ui.words.ranks import RankWord, card_label, claim, quoted
from ui.words.result import Verdict, fours_removed, leaves, takes, verdict


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


def log_lines(event: Event, who: Callable[[Seat], Who]) -> tuple[LogLine, ...]:
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
            text = all_out_of_play(count) if whole_pile else _("They go out of play.")
        case SetsRemoved(seat, cards):
            text = " ".join(fours_removed(who(seat), rank) for rank in _ranks(cards))
        case WentOut(seat, place):
            text = leaves(who(seat), place)
        case DealOver(loser):
            text = _lost(who(loser)) if loser is not None else _("The deal is over.")
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
        text += " " + _("{ranks:Many} are in force.").format(ranks=RankWord(rank))
    return text


def _lost(loser: Who) -> str:
    """Who is left with cards."""
    if loser.own:
        return _("You are left with cards and lose.")
    return _("{name} is left with cards and loses.").format(name=loser.name)


def _ranks(cards: Sequence[Card]) -> list[Rank]:
    """The ranks of complete sets, ascending."""
    return sorted({card.rank for card in cards})
