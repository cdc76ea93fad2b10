"""What follows a call: the answers of an open window, the card that is checked, the reveal, the verdict."""

from dataclasses import replace

from engine.cards import Card
from engine.errors import IllegalMove, Refusal
from engine.legality import check_answer, check_call, check_faces, check_index
from engine.moves import Answer, Call, DrawIndex, Reveal, Seat
from engine.rules import Ruleset
from engine.state import Lead, Opened, Packet, Phase, Removed, State
from engine.turns import begin_turn, end_round, release


def call(state: State, move: Call) -> State:
    """The next player calls."""
    check_call(state, move)
    return _called(state, move)


def answer(state: State, move: Answer) -> State:
    """One seat says in the open window whether it calls; the last answer closes the window."""
    asked = state.answering
    if move.seat not in asked or any(given.seat == move.seat for given in state.answers):
        raise IllegalMove(Refusal.NOT_YOUR_TURN)
    check_answer(state, move)
    answers = tuple(sorted((*state.answers, move), key=lambda given: asked.index(given.seat)))
    if len(answers) < len(asked):
        return replace(state, answers=answers)
    # Answers lie clockwise from the owner, so the first call is the nearest.
    prevailing = next((given.call for given in answers if given.call is not None), None)
    closed = replace(state, answers=())
    if prevailing is not None:
        return _called(closed, prevailing)
    return release(replace(closed, phase=Phase.PLAY, live=False), state.table[-1].owner)


def _called(state: State, call: Call) -> State:
    """A call stands. The packet is opened next, once it is known which card of it decides."""
    rules, size = state.ruleset, len(state.table[-1].slots)
    if rules.check == "one_random" and size:
        return replace(state, phase=Phase.INDEX, called=call)
    index = None if call.index is None or not size else call.index % size
    return replace(state, phase=Phase.REVEAL, called=call, index=index)


def draw_index(state: State, move: DrawIndex) -> State:
    """Chance has chosen the card."""
    check_index(state, move)
    return replace(state, phase=Phase.REVEAL, index=move.index % len(state.table[-1].slots))


def reveal(state: State, move: Reveal) -> State:
    """The owner opens what is checked, and the call is settled."""
    packet, call, rules = state.table[-1], state.called, state.ruleset
    assert call is not None, "a reveal is owed only after a call"
    if move.slots != state.opening:
        raise IllegalMove(Refusal.WRONG_SLOTS)
    check_faces(rules, move.slots, move.faces)
    truthful = claim_is_true(rules, packet, move.faces, state.index)
    checked = replace(
        state,
        live=False,
        called=None,
        revealed=Opened(packet, move.faces, call, truthful, state.index),
        lead=Lead.NONE,
        first_lead=False,
        index=None,
    )
    if call.believe and truthful:
        return _right_veryu(checked)
    taker = call.seat if call.believe or truthful else packet.owner
    if not truthful and not call.believe:
        challenger_leads = rules.after_bluff == "challenger"
        leader = call.seat if challenger_leads else state.next_in(packet.owner)
    else:
        leader = _after_caller(state, call.seat, packet.owner)
    keeps_rank = truthful and not call.believe and rules.rank_after_wrong_ne == "same"
    settled = end_round(
        replace(
            checked,
            phase=Phase.PICK_UP,
            taker=taker,
            turn=leader,
            rank=state.rank if keeps_rank else None,
            lead=Lead.DUE,
        )
    )
    return settled if packet.owner == taker else release(settled, packet.owner)


def claim_is_true(rules: Ruleset, packet: Packet, faces: tuple[Card, ...], index: int | None) -> bool:
    """Whether what was opened of a packet makes its claim true: `faces`, of all of it, or of the one card at
    `index`. A packet without cards is false.
    """
    if not faces or any(face.rank != packet.rank for face in faces):
        return False
    tests_number = rules.hides_sizes and rules.number_test == "bluff" and index is None
    return not tests_number or packet.number == len(faces)


def _after_caller(state: State, caller: Seat, owner: Seat) -> Seat:
    """Who goes on after a wrong call, or a right veryu of a packet."""
    if state.ruleset.open_turn == "normal_rotation" and caller != state.turn:
        return state.next_in(owner)
    return state.next_in(caller)


def _right_veryu(checked: State) -> State:
    """The packet, or the whole pile, goes out of play; what has not been opened goes unseen."""
    revealed = checked.revealed
    assert revealed is not None
    packet, caller = revealed.packet, revealed.call.seat
    faces = dict(zip(revealed.slots, revealed.faces, strict=True))
    gone = tuple(Removed(slot, faces.get(slot)) for slot in packet.slots)
    if checked.ruleset.veryu == "packet":
        after = replace(
            checked,
            phase=Phase.PLAY,
            table=checked.table[:-1],
            removed=checked.removed + gone,
            turn=_after_caller(checked, caller, packet.owner),
        )
    else:
        unseen = tuple(Removed(slot, None) for older in checked.table[:-1] for slot in older.slots)
        after = end_round(
            replace(
                checked,
                phase=Phase.PLAY,
                table=(),
                removed=checked.removed + unseen + gone,
                turn=caller,
                rank=None,
                lead=Lead.DUE,
            )
        )
    after = release(after, packet.owner)
    return after if after.over else begin_turn(after)
