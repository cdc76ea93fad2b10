"""The rules at work: `apply` takes a state and a move to the next state.

Theory of operation. A deal waits in one phase at a time:

    PLAY --lay--> PLAY            covering a packet releases its pending owner, perhaps ending the deal
    PLAY --call--> REVEAL --reveal--> PICK_UP --pick-up--> SETS --sets or none--> PLAY
                              |                   `--> PLAY   if the hand is too small for a set
                              |--> PLAY    after a right veryu: nobody picks up
                              `--> OVER    the owner was pending, the cards stay away, one seat is left

`_TABLE` lists the pairs of phase and move that mean anything; every other pair is refused. Whatever a call
decides (who takes, who leads, which rank holds) is settled at the reveal and only carried out afterwards.
Exits are settled one by one, and the deal ends at the first one that ends it. A handler either raises
before it has built anything or returns a new state.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from engine.errors import IllegalMove, Refusal
from engine.legality import check_call, check_faces, check_lay, check_sets
from engine.moves import Call, DiscardSets, Lay, Move, PickUp, Reveal, Seat, Slot
from engine.state import Lead, Opened, Packet, Phase, Removed, State


def apply(state: State, move: Move) -> State:
    """The state after a move. Raises: IllegalMove, with the reason; `state` never changes."""
    handler = _TABLE.get((state.phase, type(move)))
    if handler is None:
        raise IllegalMove(Refusal.DEAL_OVER if state.over else Refusal.NOT_NOW)
    if move.seat != _actor(state):
        raise IllegalMove(Refusal.NOT_YOUR_TURN)
    return handler(state, move)


def _actor(state: State) -> Seat | None:
    """The one seat that acts in this phase."""
    if state.phase is Phase.PLAY:
        return state.turn
    if state.phase is Phase.REVEAL:
        return state.table[-1].owner
    return state.taker


def _lay(state: State, move: Lay) -> State:
    check_lay(state, move)
    pending = state.pending
    hand = tuple(slot for slot in state.hand_of(move.seat) if slot not in move.slots)
    opens = state.lead is Lead.DUE
    after = replace(
        state,
        hands=_with_hand(state, move.seat, hand),
        table=(*state.table, Packet(move.seat, move.slots, move.rank, move.number)),
        rank=move.rank,
        live=True,
        turn=state.next_in(move.seat),
        revealed=None,
        lead=Lead.LIVE if opens else Lead.NONE,
        first_lead=state.first_lead and opens,
        last_lead=(move.rank, move.number) if opens else state.last_lead,
    )
    return after if pending is None else _leave(after, pending)


def _call(state: State, move: Call) -> State:
    check_call(state, move)
    return replace(state, phase=Phase.REVEAL, called=move)


def _reveal(state: State, move: Reveal) -> State:
    packet, call = state.table[-1], state.called
    assert call is not None, "a reveal is owed only after a call"
    if move.slots != packet.slots:
        raise IllegalMove(Refusal.WRONG_SLOTS)
    check_faces(state.ruleset, move.slots, move.faces)
    truthful = all(face.rank == packet.rank for face in move.faces)
    checked = replace(
        state,
        live=False,
        called=None,
        revealed=Opened(packet, move.faces, call, truthful),
        lead=Lead.NONE,
        first_lead=False,
    )
    if call.believe and truthful:
        return _right_veryu(checked)
    taker = call.seat if call.believe or truthful else packet.owner
    if not truthful and not call.believe:
        challenger_leads = state.ruleset.after_bluff == "challenger"
        leader = call.seat if challenger_leads else state.next_in(packet.owner)
    else:
        leader = state.next_in(call.seat)
    keeps_rank = truthful and not call.believe and state.ruleset.rank_after_wrong_ne == "same"
    settled = replace(
        checked,
        phase=Phase.PICK_UP,
        taker=taker,
        turn=leader,
        rank=state.rank if keeps_rank else None,
        lead=Lead.DUE,
    )
    return _release_owner(settled)


def _right_veryu(checked: State) -> State:
    """The packet, or the whole pile, goes out of play; of the pile only the packet has been seen."""
    revealed = checked.revealed
    assert revealed is not None
    caller, packet = revealed.call.seat, revealed.packet
    shown = tuple(Removed(slot, face) for slot, face in zip(packet.slots, revealed.faces, strict=True))
    if checked.ruleset.veryu == "packet":
        after = replace(
            checked,
            phase=Phase.PLAY,
            table=checked.table[:-1],
            removed=checked.removed + shown,
            turn=checked.next_in(caller),
        )
    else:
        unseen = tuple(Removed(slot, None) for older in checked.table[:-1] for slot in older.slots)
        after = replace(
            checked,
            phase=Phase.PLAY,
            table=(),
            removed=checked.removed + unseen + shown,
            turn=caller,
            rank=None,
            lead=Lead.DUE,
        )
    return _release_owner(after)


def _release_owner(settled: State) -> State:
    """Lets the owner of the checked packet leave if it was his last and did not come back to him."""
    assert settled.revealed is not None
    owner = settled.revealed.packet.owner
    if owner == settled.taker or settled.hand_of(owner):
        return settled
    return _leave(settled, owner)


def _pick_up(state: State, move: PickUp) -> State:
    size = len(state.hand_of(move.seat)) + sum(len(packet.slots) for packet in state.table)
    hand = tuple(Slot(slot) for slot in range(state.next_slot, state.next_slot + size))
    # Hands are hidden, so everybody who could hold a set is asked; that is a matter of the size alone.
    asked = state.ruleset.sets != "none" and size >= state.ruleset.set_cards
    return replace(
        state,
        phase=Phase.SETS if asked else Phase.PLAY,
        hands=_with_hand(state, move.seat, hand),
        table=(),
        taker=move.seat if asked else None,
        next_slot=state.next_slot + size,
    )


def _discard_sets(state: State, move: DiscardSets) -> State:
    check_sets(state, move)
    if not move.slots:
        return replace(state, phase=Phase.PLAY, taker=None)
    hand = tuple(slot for slot in state.hand_of(move.seat) if slot not in move.slots)
    shown = tuple(Removed(slot, face) for slot, face in zip(move.slots, move.faces, strict=True))
    after = replace(
        state,
        phase=Phase.PLAY,
        hands=_with_hand(state, move.seat, hand),
        removed=state.removed + shown,
        taker=None,
    )
    return after if hand else _leave(after, move.seat)


def _leave(state: State, seat: Seat) -> State:
    """One seat goes out. If only one stays, or the first one out wins, the deal is over."""
    out = (*state.out, seat)
    gone = replace(state, out=out)
    if len(out) < len(state.order) - 1 and state.ruleset.end != "first_out":
        # Only the next player calls, so the seat that leaves is never the one that leads.
        return gone
    hands, table = state.hands, state.table
    if state.phase is Phase.PICK_UP:
        # The pile still falls to its taker, but nobody reads it any more, so no shuffle hides it.
        assert state.taker is not None
        hands = _with_hand(state, state.taker, state.hand_of(state.taker) + state.pile)
        table = ()
    return replace(
        gone,
        phase=Phase.OVER,
        hands=hands,
        table=table,
        rank=None,
        live=False,
        turn=None,
        taker=None,
        lead=Lead.NONE,
    )


def _with_hand(state: State, seat: Seat, hand: tuple[Slot, ...]) -> tuple[tuple[Slot, ...], ...]:
    place = state.order.index(seat)
    return (*state.hands[:place], hand, *state.hands[place + 1 :])


_TABLE: Final[dict[tuple[Phase, type[Move]], Callable[[State, Any], State]]] = {
    (Phase.PLAY, Lay): _lay,
    (Phase.PLAY, Call): _call,
    (Phase.REVEAL, Reveal): _reveal,
    (Phase.PICK_UP, PickUp): _pick_up,
    (Phase.SETS, DiscardSets): _discard_sets,
}
