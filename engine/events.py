"""What happened, in public: typed events for the log, for JSON lines and for bots' memories."""

from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.legality import is_visible_zero
from engine.moves import Answer, Call, DiscardSets, Draw, DrawIndex, GoOut, Lay, Move, PickUp, Reveal, Seat
from engine.state import Lead, Packet, Phase, State


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
    """A packet of `count` cards; `number` is what was said, None where numbers are not stated.

    Where numbers are free nobody sees the size, and `count`, here and in what is told of piles, is the number
    announced.
    """

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
class LaidNothing:
    """`seat` laid no cards for all to see (`illegal_zero` penalty); what it takes for that is told next."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SaidOut:
    """`seat` announced that its hand is empty (`out_call` manual)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CallVoid:
    """In an open window `seat` called too, but somebody nearer to the owner did."""

    seat: Seat
    believe: bool


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """Nobody called the packet of `owner` in the open window."""

    owner: Seat


@dataclass(frozen=True, slots=True)
class Drew:
    """`seat` drew `count` cards; `left` remain in the stock."""

    seat: Seat
    count: int
    left: int


@dataclass(frozen=True, slots=True)
class IndexDrawn:
    """Chance chose the card of the packet of `owner` that is checked; `index` is its place, from 0."""

    owner: Seat
    index: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """The called packet was opened. `believe`: which call it was. `cards`: what was opened, perhaps one of
    several (option `check`).
    """

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
    | LaidNothing
    | SaidOut
    | Called
    | CallVoid
    | WindowClosed
    | Drew
    | IndexDrawn
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
    started = DealStarted(state.order, state.dealer)
    if state.phase is not Phase.PLAY:
        return (started,)
    return (started, RoundStarted(state.turn, state.due_rank))


def events(before: State, move: Move, after: State) -> tuple[Event, ...]:
    """What a move made happen, in the order in which one would tell it. `after` is `apply(before, move)`."""
    found: list[Event] = []
    match move:
        case Lay():
            found.extend(_laid(before, move, after))
        case Call(seat, believe):
            found.append(Called(seat, before.table[-1].owner, believe))
        case Reveal():
            found.extend(_revealed(before, after))
        case Answer():
            found.extend(_answered(before, move, after))
        case GoOut(seat):
            found.append(SaidOut(seat))
        case Draw(seat):
            found.append(Drew(seat, before.drawing, len(after.stock)))
        case DrawIndex():
            owner = before.table[-1].owner
            found.append(IndexDrawn(owner, move.index if after.index is None else after.index))
        case PickUp(seat):
            found.append(PickedUp(seat, _told_size(before, before.table)))
        case DiscardSets(seat, slots, faces):
            found.append(SetsRemoved(seat, faces) if slots else SetsKept(seat))
    if len(after.out) != len(before.out):
        first = len(before.out)
        found.extend(WentOut(seat, first + i + 1) for i, seat in enumerate(after.out[first:]))
    if after.over:
        found.append(DealOver(after.loser, after.out[0], after.out + after.seats_in))
    elif after.phase is Phase.PLAY and after.lead is Lead.DUE:
        assert after.turn is not None
        found.append(RoundStarted(after.turn, after.due_rank))
    return tuple(found)


def _told_size(state: State, packets: tuple[Packet, ...]) -> int:
    """How many cards packets hold, as far as everybody may know."""
    return sum(state.size_of(packet) for packet in packets)


def _laid(before: State, move: Lay, after: State) -> list[Event]:
    seat = move.seat
    if is_visible_zero(before, move):
        # At the end of a deal the pile falls to its taker without a pick-up of its own.
        taken = [PickedUp(seat, _told_size(before, before.table))] if after.over else []
        return [LaidNothing(seat), *taken]
    packet = Packet(seat, move.slots, move.rank, move.number)
    found: list[Event] = [Laid(seat, _told_size(before, (packet,)), move.rank, move.number)]
    return [*found, SaidOut(seat)] if move.out else found


def _answered(before: State, move: Answer, after: State) -> list[Event]:
    """Answers are told once all are in."""
    if after.phase is Phase.ANSWER:
        return []
    owner = before.table[-1].owner
    if after.called is None:
        return [WindowClosed(owner)]
    given = [answer.call for answer in (*before.answers, move) if answer.call is not None]
    void = [CallVoid(call.seat, call.believe) for call in given if call.seat != after.called.seat]
    return [Called(after.called.seat, owner, after.called.believe), *void]


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
        found.append(PacketDiscarded(_told_size(before, before.table if whole else (packet,)), whole))
    elif after.over:
        # The pile fell to its taker without a pick-up of its own.
        taker = call.seat if call.believe or shown.truthful else packet.owner
        found.append(PickedUp(taker, _told_size(before, before.table)))
    return found
