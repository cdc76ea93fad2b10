"""What happened, in public: typed events for the log, for JSON lines and for bots' memories."""

from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.moves import Call, DiscardSets, Lay, Move, PickUp, Reveal, Seat
from engine.state import Lead, Phase, State


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Cards are in hand. `order`: seats clockwise."""

    order: tuple[Seat, ...]
    dealer: Seat


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """`leader` opens a round. `rank`: the one he has to claim, None if he may choose."""

    leader: Seat
    rank: Rank | None


@dataclass(frozen=True, slots=True)
class Laid:
    """A packet of `count` cards; `number` is what was said, None where numbers are not stated."""

    seat: Seat
    count: int
    rank: Rank
    number: int | None


@dataclass(frozen=True, slots=True)
class Called:
    """`seat` called the packet of `owner`: veryu if `believe`, else ne veryu."""

    seat: Seat
    owner: Seat
    believe: bool


@dataclass(frozen=True, slots=True)
class Revealed:
    """The called packet was opened. `believe`: which call it was."""

    owner: Seat
    caller: Seat
    believe: bool
    cards: tuple[Card, ...]
    rank: Rank
    number: int | None
    truthful: bool


@dataclass(frozen=True, slots=True)
class PickedUp:
    """`seat` took the pile of `count` cards."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class PacketDiscarded:
    """A right veryu: `count` cards left the table for good. `whole_pile`: not only the packet."""

    count: int
    whole_pile: bool


@dataclass(frozen=True, slots=True)
class SetsRemoved:
    """`seat` showed and removed complete sets."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SetsKept:
    """`seat` was asked about sets and removed none; he may hold none."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WentOut:
    """`seat` has left the deal. `place`: 1 for the first."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class DealOver:
    """The deal has ended. `loser` is None where the first one out wins and nobody loses.

    `places`: the seats that left, in order, then those who still held cards, clockwise from the first of
    the order.
    """

    loser: Seat | None
    winner: Seat
    places: tuple[Seat, ...]


Event = (
    DealStarted
    | RoundStarted
    | Laid
    | Called
    | Revealed
    | PickedUp
    | PacketDiscarded
    | SetsRemoved
    | SetsKept
    | WentOut
    | DealOver
)


def deal_events(state: State) -> tuple[Event, ...]:
    """What a new deal begins with."""
    assert state.turn is not None
    return (DealStarted(state.order, state.dealer), RoundStarted(state.turn, state.rank))


def events(before: State, move: Move, after: State) -> tuple[Event, ...]:
    """What a move made happen, in the order in which one would tell it. `after` is `apply(before, move)`."""
    found: list[Event] = []
    match move:
        case Lay(seat, slots, rank, number):
            found.append(Laid(seat, len(slots), rank, number))
        case Call(seat, believe):
            found.append(Called(seat, before.table[-1].owner, believe))
        case Reveal():
            found.extend(_revealed(before, after))
        case PickUp(seat):
            found.append(PickedUp(seat, len(before.pile)))
        case DiscardSets(seat, slots, faces):
            found.append(SetsRemoved(seat, faces) if slots else SetsKept(seat))
    if len(after.out) != len(before.out):
        first = len(before.out)
        found.extend(WentOut(seat, first + i + 1) for i, seat in enumerate(after.out[first:]))
    if after.over:
        found.append(DealOver(after.loser, after.out[0], after.out + after.seats_in))
    elif after.phase is Phase.PLAY and after.lead is Lead.DUE:
        assert after.turn is not None
        found.append(RoundStarted(after.turn, after.rank))
    return tuple(found)


def _revealed(before: State, after: State) -> list[Event]:
    shown = after.revealed
    assert shown is not None
    packet, call = shown.packet, shown.call
    found: list[Event] = [
        Revealed(
            packet.owner, call.seat, call.believe, shown.faces, packet.rank, packet.number, shown.truthful
        )
    ]
    if call.believe and shown.truthful:
        whole = before.ruleset.veryu == "pile"
        found.append(PacketDiscarded(len(before.pile) if whole else len(packet.slots), whole))
    elif after.over:
        # The pile fell to its taker without a pick-up of its own.
        taker = call.seat if call.believe or shown.truthful else packet.owner
        found.append(PickedUp(taker, len(before.pile)))
    return found
