"""The rules at work: `apply` takes a state and a move to the next state.

Theory of operation. A deal waits in one phase at a time. What stands in brackets happens only where an option
asks for it:

    [SETS at the deal -->] the first turn

    a turn begins: [DRAW --draw-->] PLAY, or, if everybody may call the live packet, ANSWER

    PLAY --lay--> the next turn      covering a packet releases its pending owner, perhaps ending the deal
         --go out--> the next turn
         --a visible zero--> PICK_UP, or the next turn if the table is empty
         --call--> REVEAL
    ANSWER --the last answer--> PLAY, or REVEAL if somebody called

    REVEAL (after [INDEX --draw index-->] where chance picks one card)
         --reveal--> PICK_UP --pick-up--> [SETS --sets or none-->] the next turn
                 |--> the next turn  after a right veryu: nobody picks up
                 `--> OVER           the owner was pending, the cards stay away, one seat is left

`_TABLE` lists the pairs of phase and move that mean anything; every other pair is refused. Whatever a call
decides (who takes, who leads, which rank holds) is settled at the reveal and only carried out afterwards. A
handler either raises before it has built anything or returns a new state. What a lay does is in this module,
what follows a call in `engine.calls`, what all share in `engine.turns`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from engine.calls import answer, call, draw_index, reveal
from engine.errors import IllegalMove, Refusal
from engine.legality import check_go_out, check_lay, check_sets, is_visible_zero
from engine.moves import Answer, Call, DiscardSets, Draw, DrawIndex, GoOut, Lay, Move, PickUp, Reveal, Seat
from engine.state import Lead, Packet, Phase, Removed, State
from engine.turns import begin_turn, draw, end_round, fresh_slots, leave, release, with_hand, without


def apply(state: State, move: Move) -> State:
    """The state after a move. Raises: IllegalMove, with the reason; `state` never changes."""
    handler = _TABLE.get((state.phase, type(move)))
    if handler is None:
        raise IllegalMove(Refusal.DEAL_OVER if state.over else Refusal.NOT_NOW)
    if state.phase is not Phase.ANSWER and move.seat != _actor(state):
        raise IllegalMove(Refusal.NOT_YOUR_TURN)
    return handler(state, move)


def _actor(state: State) -> Seat | None:
    """The one seat that acts in this phase; in `ANSWER` there are several."""
    phase = state.phase
    if phase is Phase.PLAY or phase is Phase.DRAW:
        return state.turn
    if phase is Phase.REVEAL:
        return state.table[-1].owner
    if phase is Phase.INDEX:
        assert state.called is not None
        return state.called.seat
    return state.taker


def _lay(state: State, move: Lay) -> State:
    check_lay(state, move)
    if is_visible_zero(state, move):
        return _punish_zero(state, move.seat)
    pending = state.pending
    seat, slots, rank = move.seat, move.slots, move.rank
    hand = tuple(slot for slot in state.hand_of(seat) if slot not in slots)
    opens = state.lead is Lead.DUE
    emptied = state.emptied if hand else (*state.emptied, seat)
    after = replace(
        state,
        hands=with_hand(state, seat, hand),
        table=(*state.table, Packet(seat, slots, rank, move.number)),
        rank=rank,
        live=True,
        turn=state.next_in(seat),
        revealed=None,
        lead=Lead.LIVE if opens else Lead.NONE,
        first_lead=state.first_lead and opens,
        last_lead=(rank, move.number) if opens else state.last_lead,
        emptied=emptied,
        announced=(*state.announced, seat) if move.out else state.announced,
        rising=state.rising if state.ruleset.rank_rule == "fixed" else state.ruleset.rank_after(rank),
    )
    if pending is not None:
        after = release(after, pending)
        if after.over:
            return after
    if after.ruleset.open_calls and not after.may_be_called:
        after = replace(after, live=False)
        after = release(after, seat)
        if after.over:
            return after
    return begin_turn(after)


def _punish_zero(state: State, seat: Seat) -> State:
    """Who lays nothing for all to see takes the pile; on an empty table he only loses his turn."""
    following = state.next_in(seat)
    if not state.table:
        return begin_turn(replace(state, turn=following))
    owner = state.table[-1].owner if state.live else None
    after = end_round(
        replace(
            state,
            phase=Phase.PICK_UP,
            rank=None,
            live=False,
            turn=following,
            taker=seat,
            revealed=None,
            lead=Lead.DUE,
            first_lead=False,
        )
    )
    return after if owner is None else release(after, owner)


def _go_out(state: State, move: GoOut) -> State:
    check_go_out(state, move)
    after = leave(state, move.seat)
    return after if after.over else begin_turn(after)


def _draw(state: State, _move: Draw) -> State:
    return draw(state)


def _pick_up(state: State, move: PickUp) -> State:
    seat, rules = move.seat, state.ruleset
    size = len(state.hand_of(seat)) + sum(len(packet.slots) for packet in state.table)
    hand, next_slot = fresh_slots(state, size)
    # Hands are hidden, so everybody who could hold a set is asked; that is a matter of the size alone, and
    # where that is hidden too, everybody could.
    asked = rules.sets != "none" and (size >= rules.set_cards or (rules.hides_sizes and size > 0))
    after = replace(
        state,
        phase=Phase.SETS if asked else Phase.PLAY,
        hands=with_hand(state, seat, hand),
        table=(),
        taker=seat if asked else None,
        emptied=without(state.emptied, seat) if hand else state.emptied,
        announced=without(state.announced, seat) if hand else state.announced,
        next_slot=next_slot,
    )
    return after if asked else begin_turn(after)


def _discard_sets(state: State, move: DiscardSets) -> State:
    check_sets(state, move)
    after = state
    if move.slots:
        seat = move.seat
        hand = tuple(slot for slot in state.hand_of(seat) if slot not in move.slots)
        shown = tuple(Removed(slot, face) for slot, face in zip(move.slots, move.faces, strict=True))
        after = replace(state, hands=with_hand(state, seat, hand), removed=state.removed + shown)
        if not hand:
            after = replace(after, emptied=(*after.emptied, seat))
            # Everybody has seen the last cards go, so nothing has to be announced.
            after = after if after.stock else leave(after, seat)
            if after.over:
                return after
    if after.asked_next:
        return replace(after, taker=after.asked_next[0], asked_next=after.asked_next[1:])
    return begin_turn(replace(after, taker=None))


_TABLE: Final[dict[tuple[Phase, type[Move]], Callable[[State, Any], State]]] = {
    (Phase.PLAY, Lay): _lay,
    (Phase.PLAY, Call): call,
    (Phase.PLAY, GoOut): _go_out,
    (Phase.DRAW, Draw): _draw,
    (Phase.ANSWER, Answer): answer,
    (Phase.INDEX, DrawIndex): draw_index,
    (Phase.REVEAL, Reveal): reveal,
    (Phase.PICK_UP, PickUp): _pick_up,
    (Phase.SETS, DiscardSets): _discard_sets,
}
