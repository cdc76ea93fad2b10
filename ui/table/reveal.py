"""The reveal: what its picture shows, and how it unfolds in time.

A picture is read from the snapshot alone, so a screen that starts late shows the same end. The pace is a pure
function of the time since the cards began to turn; the screen asks it what to show and when to ask again.
"""

from dataclasses import dataclass, replace
from typing import Final

from engine import (
    Called,
    Card,
    DealOver,
    Laid,
    LaidNothing,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    Seat,
)
from ui.table.situation import Situation

SPOKEN_S: Final = 0.6
"""The call stands alone before the first card turns."""
TURN_S: Final = 0.2
TURN_ALL_S: Final = 1.2
"""Eleven cards must not take longer to turn than six."""
VERDICT_S: Final = 0.3
CONSEQUENCE_S: Final = 0.4
HOLD_S: Final = 1.5
HOLD_OWN_S: Final = 2.5
"""Longer for owner, caller and taker, whom it concerns."""
DEAF_S: Final = 0.5
"""A key pressed for what was there before must not end the show."""
HURRY_S: Final = 0.5
"""How long a reveal may still take once the next act has arrived."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The end picture of a reveal. `taker` is None if the cards go out of play; `leader` if the deal is over.

    `count`: cards that are taken or discarded. `whole_pile`: what is discarded is all of the pile. `size`,
    `index`: of a packet of so many cards only this one, from 0, was opened; None if all were.
    """

    deal: int
    step: int
    shown: Revealed
    taker: Seat | None
    count: int
    whole_pile: bool
    leader: Seat | None
    size: int = 0
    index: int | None = None

    @property
    def key(self) -> tuple[int, int]:
        """What tells one reveal from another."""
        return (self.deal, self.step)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The opened cards, as laid."""
        return self.shown.cards

    @property
    def faces(self) -> tuple[Card | None, ...]:
        """Every card of the packet, as laid; None for one that stays closed."""
        if self.index is None:
            return self.cards
        return tuple(self.cards[0] if place == self.index else None for place in range(self.size))

    def concerns(self, seat: Seat | None) -> bool:
        """Whether a seat is owner, caller or taker."""
        return seat is not None and seat in {self.shown.owner, self.shown.caller, self.taker}


def picture_of(situation: Situation) -> Picture | None:
    """Return the last reveal, if no packet was laid after it."""
    state = situation.state
    if state is None:
        return None
    shown: Revealed | None = None
    step = 0
    taker, leader = state.taker, state.turn
    count, whole = situation.pile_size, True
    for happened in situation.table.happened:
        match happened.event:
            case Laid() | LaidNothing() | Called():
                shown = None
            case Revealed() as event:
                shown, step = event, happened.step
                taker, leader = state.taker, state.turn
                count, whole = situation.pile_size, True
            case PickedUp(seat, taken):
                taker, count = seat, taken
            case PacketDiscarded(discarded, whole_pile):
                taker, count, whole = None, discarded, whole_pile
            case RoundStarted(seat):
                leader = seat
            case DealOver():
                leader = None
    if shown is None:
        return None
    opened = state.revealed
    index = None if opened is None else opened.index
    size = len(shown.cards) if opened is None else len(opened.packet.slots)
    return Picture(situation.table.deal, step, shown, taker, count, whole, leader, size, index)


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a reveal: how many cards lie open, and which of its sentences stand."""

    turned: int
    verdict: bool
    consequence: bool
    done: bool


@dataclass(frozen=True, slots=True)
class Show:
    """A reveal in time. `started`: when the call was seen. `whole_from`: from then on the end picture
    stands."""

    picture: Picture
    started: float
    ends: float
    whole_from: float

    @classmethod
    def begin(
        cls, picture: Picture, own: Seat | None, now: float, called_at: float | None, *, animate: bool
    ) -> "Show":
        """Start a show at `now`. called_at: when the call was seen. animate: False gives the end picture at
        once."""
        started = now - SPOKEN_S if called_at is None else max(called_at, now - SPOKEN_S)
        if not animate:
            return cls(picture, started, now, now)
        show = cls(picture, started, float("inf"), float("inf"))
        hold = HOLD_OWN_S if picture.concerns(own) else HOLD_S
        return replace(show, ends=show.consequence_at + hold)

    @property
    def _turn_s(self) -> float:
        return min(TURN_S, TURN_ALL_S / max(1, len(self.picture.cards)))

    @property
    def verdict_at(self) -> float:
        """When the verdict appears."""
        return self.started + SPOKEN_S + self._turn_s * len(self.picture.cards) + VERDICT_S

    @property
    def consequence_at(self) -> float:
        """When the consequence appears."""
        return self.verdict_at + CONSEQUENCE_S

    def frame(self, now: float) -> Frame:
        """Return what stands at a time."""
        total = len(self.picture.cards)
        if now >= min(self.whole_from, self.ends):
            return Frame(total, verdict=True, consequence=True, done=now >= self.ends)
        passed = now - self.started - SPOKEN_S
        turned = max(0, min(total, int(passed / self._turn_s) + 1)) if passed >= 0 else 0
        return Frame(turned, now >= self.verdict_at, now >= self.consequence_at, done=False)

    def next_change_s(self, now: float) -> float | None:
        """Return in how many seconds the frame changes; None once the show is done."""
        moments = [
            self.started + SPOKEN_S + number * self._turn_s for number in range(len(self.picture.cards))
        ]
        moments += [self.verdict_at, self.consequence_at, self.whole_from, self.ends]
        later = [moment - now for moment in moments if now < moment <= self.ends]
        return min(later) if later else None

    def skip(self, now: float) -> "Show":
        """Return the show ended by a key; one in the first half second changes nothing."""
        return (
            self if now - self.started < DEAF_S else replace(self, ends=min(self.ends, now), whole_from=now)
        )

    def hurry(self, now: float) -> "Show":
        """Return the show ending soon, because the next act has arrived."""
        return replace(self, ends=min(self.ends, now + HURRY_S), whole_from=min(self.whole_from, now))
