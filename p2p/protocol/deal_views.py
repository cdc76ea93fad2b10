"""What a table shows of a deal, derived from its ledger alone: stage, shuffles, what was proven, who can
read what.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine import Card, Seat, Slot
from p2p.protocol.deal_cards import Reading
from p2p.protocol.deal_record import DealRecord
from p2p.protocol.effects import Absent, Outcome, Stopped, Void
from p2p.protocol.ledger import FIRST_SHUFFLE_STEP, DealState, Owed, Phase, SeatTrust

__all__ = [
    "CardReading",
    "Owed",
    "SeatTrust",
    "ShuffleProgress",
    "Stage",
    "Trust",
    "readings_of",
    "shuffles_of",
    "stage_of",
    "trust_of",
]


class Stage(StrEnum):
    """Where a deal stands, coarsely."""

    OPENING = "opening"
    SHUFFLING = "shuffling"
    SEALING = "sealing"
    """The first deck is being sealed."""
    DEALING = "dealing"
    PLAYING = "playing"
    """From hands in hand to the end, the seals and shares of calls and pick-ups included."""
    OVER = "over"
    VOID = "void"
    STOPPED = "stopped"
    ABSENT = "absent"


_STAGES = {
    Phase.COMMIT: Stage.OPENING,
    Phase.OPEN: Stage.OPENING,
    Phase.SHUFFLE: Stage.SHUFFLING,
    Phase.SEAL_DECK: Stage.SEALING,
    Phase.DEAL: Stage.DEALING,
    Phase.OVER: Stage.OVER,
}


@dataclass(frozen=True, slots=True)
class ShuffleProgress:
    """One seat's shuffle of the whole deck. `checked_by`: how many seats are known to have verified it, its
    own among them.
    """

    seat: Seat
    done: bool
    working: bool
    checked_by: int


@dataclass(frozen=True, slots=True)
class Trust:
    """What this peer has verified itself: totals, and what each seat has proven."""

    shuffles: int
    repacks: int
    shares: int
    seals: int
    seals_complete: int
    packets_opened: int
    seats: tuple[SeatTrust, ...]


@dataclass(frozen=True, slots=True)
class CardReading:
    """Who could read the card of one slot, and from the end of which step on.

    `made_at`: the step of the shuffle that put it there. `face`: only where everybody can read it. No
    readings: nobody ever could.
    """

    slot: Slot
    made_at: int
    readings: tuple[Reading, ...]
    face: Card | None


def stage_of(state: DealState, outcome: Outcome | None) -> Stage:
    """The stage of a deal."""
    if isinstance(outcome, Void):
        return Stage.VOID
    if isinstance(outcome, Stopped):
        return Stage.STOPPED
    if isinstance(outcome, Absent):
        return Stage.ABSENT
    return _STAGES.get(state.phase, Stage.PLAYING)


def trust_of(state: DealState) -> Trust:
    """What has been proven up to a state."""
    seats = state.trust
    return Trust(
        shuffles=sum(one.shuffles for one in seats),
        repacks=sum(one.repacks for one in seats),
        shares=sum(one.shares for one in seats),
        seals=sum(one.seals for one in seats),
        seals_complete=state.seals_complete,
        packets_opened=state.packets_opened,
        seats=seats,
    )


def readings_of(state: DealState) -> tuple[CardReading, ...]:
    """Who can read what, by slot."""
    cards = state.cards.cards
    return tuple(
        CardReading(slot, cards[slot].made_at, cards[slot].readings, cards[slot].face)
        for slot in sorted(cards)
    )


def shuffles_of(record: DealRecord, own: Seat | None) -> tuple[ShuffleProgress, ...]:
    """How far the shuffles of the whole deck are. A seat has verified a shuffle if it spoke at a later
    step, or made it.
    """
    state = record.latest
    if state.step < FIRST_SHUFFLE_STEP:
        return ()
    progress = []
    for step, seat in enumerate(state.order, start=FIRST_SHUFFLE_STEP):
        done = step < state.step
        checked = {seat} if done else set()
        if done:
            if own is not None:
                checked.add(own)
            # The seal of the deck is the last step that matters: after it everybody has verified everything.
            for later in range(step + 1, min(state.step, FIRST_SHUFFLE_STEP + len(state.order)) + 1):
                checked.update(record.accepted_at(later))
        working = step == state.step and state.phase is Phase.SHUFFLE
        progress.append(ShuffleProgress(seat, done, working, len(checked)))
    return tuple(progress)
