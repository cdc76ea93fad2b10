"""What happens at the table, in lines: an event of the rules each, a call together with what came of it.

A call and the opening of the cards make one line, and the verdict another one with who takes the cards and
who leads: programs do all that within a moment. Until then such a line is held, and `flush` gives out what
there is of it.
"""

from collections.abc import Callable, Sequence

from engine import (
    Called,
    CallVoid,
    DealOver,
    DealStarted,
    Event,
    Laid,
    LaidNothing,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    SaidOut,
    Seat,
    SetsRemoved,
    WentOut,
)
from p2p.protocol.snapshot import Happened
from ui.words import plain
from ui.words.banner import leads
from ui.words.log import in_force, log_lines, rest_unseen, revealed_verdict
from ui.words.people import Who
from ui.words.ranks import card_name, claim
from ui.words.table_rules import time_ran_out

_FOLLOWS = (PickedUp, PacketDiscarded, SetsRemoved, WentOut, RoundStarted, DealOver)
"""What may follow a verdict on its line."""
_CLOSES = (RoundStarted, DealOver)


class Teller:
    """Tells one deal. `who`: who sits at a seat. `to_the_end`: also how it ends, which is told at length
    where the deal has just been played.
    """

    def __init__(self, who: Callable[[Seat], Who], *, to_the_end: bool = False) -> None:
        self._who = who
        self._to_the_end = to_the_end
        self._step = 0
        """Of the line that is held: that of the call, also for all that follows it."""
        self._held: list[str] = []
        self._verdict = False
        """Whether what is held is a verdict, so that who takes and leads belongs to it."""
        self._on_table = 0
        self._laid = 0

    def tell(self, happened: Happened) -> tuple[str, ...]:
        """Return the lines that an event makes complete."""
        event = happened.event
        found: list[str] = []
        if happened.lapsed:
            found += [*self.flush(), line(happened.step, time_ran_out())]
        match event:
            case Called(seat, _, believe):
                found += self.flush()
                self._hold(happened.step, plain.calls(self._who(seat), believe=believe))
            case Revealed():
                step = self._step if self._held else happened.step
                self._hold(step, plain.opens(self._who(event.owner), event.cards))
                found += self.flush()
                self._hold(step, *self._judged(event))
                self._verdict = True
            case _ if self._verdict and isinstance(event, _FOLLOWS):
                self._held.append(self._sentence(event, follows=True))
                if isinstance(event, _CLOSES):
                    found += self.flush()
            case _:
                sentence = self._sentence(event, follows=False)
                if sentence and self._held and not self._verdict:
                    # Between a call and the cards: others who called too, or the lot.
                    self._held.append(sentence)
                elif sentence:
                    found += [*self.flush(), line(happened.step, sentence)]
        self._count(event)
        return tuple(found)

    @property
    def holds(self) -> bool:
        """Whether a line is held."""
        return any(self._held)

    def flush(self) -> tuple[str, ...]:
        """Return the line that is held, as far as it goes."""
        held, self._held, self._verdict = self._held, [], False
        return (line(self._step, " ".join(filter(None, held))),) if any(held) else ()

    def _hold(self, step: int, *sentences: str) -> None:
        self._step = step
        self._held += sentences

    def _judged(self, event: Revealed) -> list[str]:
        found = revealed_verdict(event, card_name)
        rest = [rest_unseen()] if self._laid > len(event.cards) else []
        return [f"{found.word}. {found.reason}", *rest]

    def _sentence(  # noqa: PLR0911 - one for each kind of event
        self, event: Event, *, follows: bool
    ) -> str:
        who = self._who
        match event:
            case DealStarted(order):
                names = plain.clockwise([who(seat).label for seat in order])
                return " ".join((*_texts(event, who), names))
            case RoundStarted(leader, rank) if follows:
                force = in_force(rank) if rank is not None else ""
                return " ".join(filter(None, (leads(who(leader)), force)))
            case Laid(seat, count, rank, number):
                said = plain.says(who(seat), claim(rank, number))
                older = 0 if who(seat).own else self._on_table
                return f"{said} {plain.packet(count, older)}"
            case DealOver() if not self._to_the_end:
                return ""
            case LaidNothing(seat):
                return plain.lays_nothing(who(seat))
            case SaidOut(seat):
                return plain.says_out(who(seat))
            case CallVoid(seat):
                return f"{who(seat).label}: {' '.join(_texts(event, who))}."
            case _:
                return " ".join(_texts(event, who))

    def _count(self, event: Event) -> None:
        """Count what lies on the table."""
        match event:
            case Laid(count=count):
                self._laid = count
                self._on_table += count
            case PacketDiscarded(count, whole):
                self._on_table = 0 if whole else self._on_table - count
            case PickedUp() | DealStarted():
                self._on_table = 0


def told(happened: Sequence[Happened], who: Callable[[Seat], Who]) -> tuple[str, ...]:
    """Return the lines of a deal, or of its beginning: the log."""
    teller = Teller(who, to_the_end=True)
    lines = [one for event in happened for one in teller.tell(event)]
    return (*lines, *teller.flush())


def line(step: int, text: str) -> str:
    """Return a line from the table."""
    return f"[{step}] {text}" if text else ""


def _texts(event: Event, who: Callable[[Seat], Who]) -> tuple[str, ...]:
    """The words of the log."""
    return tuple(one.text for one in log_lines(event, who))
