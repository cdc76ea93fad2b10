"""What moves of every kind have in common: whose turn begins, who leaves, what a round's end changes.

Each function takes a state and returns the next one. Exits are settled one by one, and the deal ends at the
first one that ends it: whoever calls `leave` or `release` must return at once if the state is over.
"""

from dataclasses import replace

from engine.moves import Seat, Slot
from engine.state import Lead, Phase, State


def begin_turn(state: State) -> State:
    """The state as the seat on turn finds it: a draw first if one is due, then the window for calls if it is
    open, else its own act.
    """
    phase = Phase.ANSWER if state.live and state.ruleset.open_calls else Phase.PLAY
    if not state.stock:
        return state if state.phase is phase else replace(state, phase=phase)
    turn = state.turn
    assert turn is not None
    asked = state.ruleset.refill == "every_turn" or turn in state.refill_due or turn in state.emptied
    if asked and state.drawing > 0:
        return replace(state, phase=Phase.DRAW)
    # A full hand has had its draw of the round all the same: its first turn has come.
    return replace(state, phase=phase, refill_due=without(state.refill_due, turn))


def draw(state: State) -> State:
    """The seat on turn draws. If that empties the stock, those with empty hands and no live packet leave."""
    seat, rules, count = state.turn, state.ruleset, state.drawing
    assert seat is not None
    hand, next_slot = fresh_slots(state, len(state.hand_of(seat)) + count)
    stock = state.stock[count:]
    after = replace(
        state,
        phase=Phase.ANSWER if state.live and rules.open_calls else Phase.PLAY,
        hands=with_hand(state, seat, hand),
        stock=stock,
        refill_due=without(state.refill_due, seat) if stock else (),
        emptied=without(state.emptied, seat),
        next_slot=next_slot,
    )
    if stock:
        return after
    owner = after.table[-1].owner if after.live else None
    for emptied in after.emptied:
        if emptied != owner and not after.over:
            after = release(after, emptied)
    return after


def end_round(state: State) -> State:
    """A pick-up, or a discarded pile, has ended the round: draws become due, and ranks perhaps free."""
    rules = state.ruleset
    if not state.stock and rules.ascending_after_pickup == "continue":
        return state
    return replace(
        state,
        refill_due=state.seats_in if state.stock else (),
        rising=None if rules.ascending_after_pickup == "choose" else state.rising,
    )


def release(state: State, seat: Seat) -> State:
    """Lets a seat leave whose last packet is settled: if its hand is empty, nothing is left to draw, and,
    where that is asked for, it has announced it.
    """
    if seat not in state.emptied or state.stock:
        return state
    if state.ruleset.manual_out and seat not in state.announced:
        return state
    return leave(state, seat)


def leave(state: State, seat: Seat) -> State:
    """One seat goes out. If only one stays, or the first one out wins, the deal is over."""
    out = (*state.out, seat)
    gone = replace(
        state,
        out=out,
        emptied=without(state.emptied, seat),
        announced=without(state.announced, seat),
        refill_due=without(state.refill_due, seat),
    )
    if len(out) < len(state.order) - 1 and state.ruleset.end != "first_out":
        return replace(gone, turn=gone.next_in(seat)) if state.turn == seat else gone
    hands, table, emptied = state.hands, state.table, gone.emptied
    if state.phase is Phase.PICK_UP:
        # The pile still falls to its taker, but nobody reads it any more, so no shuffle hides it.
        taker = state.taker
        assert taker is not None
        hand = state.hand_of(taker) + state.pile
        hands, table = with_hand(state, taker, hand), ()
        emptied = without(emptied, taker) if hand else emptied
    return replace(
        gone,
        phase=Phase.OVER,
        hands=hands,
        table=table,
        emptied=emptied,
        rank=None,
        live=False,
        turn=None,
        taker=None,
        lead=Lead.NONE,
        asked_next=(),
    )


def with_hand(state: State, seat: Seat, hand: tuple[Slot, ...]) -> tuple[tuple[Slot, ...], ...]:
    """All hands, one of them replaced."""
    place = state.order.index(seat)
    return (*state.hands[:place], hand, *state.hands[place + 1 :])


def fresh_slots(state: State, size: int) -> tuple[tuple[Slot, ...], int]:
    """New slots for a hand, and the next slot after them.

    Where sizes are hidden the numbers go on by the same step for every hand, so that they tell none.
    """
    first = state.next_slot
    step = state.ruleset.cards if state.ruleset.hides_sizes else size
    return tuple(Slot(slot) for slot in range(first, first + size)), first + step


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """The seats but one."""
    return tuple(other for other in seats if other != seat) if seat in seats else seats
