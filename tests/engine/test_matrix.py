"""Every kind of move in every phase: what is accepted, and why the rest is refused."""

from dataclasses import replace
from typing import get_args

import pytest
from open_table import OpenTable

from engine import (
    Answer,
    Call,
    Card,
    DiscardSets,
    Draw,
    DrawIndex,
    GoOut,
    IllegalMove,
    Lay,
    Move,
    Phase,
    PickUp,
    Rank,
    Refusal,
    Reveal,
    Seat,
    apply,
)


def table_in(phase):
    """A table in the phase; A owes the act, except that C owes a reveal of the kings that A has called."""
    table = OpenTable({"A": "KH KD KC 9D", "B": "6S 9C", "C": "JH"}, pack=36)
    if phase is Phase.OVER:
        table = OpenTable({"A": "KH", "B": "6S", "C": "JH"}, pack=36)
        for seat, card in (("A", "KH"), ("B", "6S"), ("C", "JH")):
            table.lay(seat, card, "K")
        return table
    if phase is Phase.DRAW:
        table = OpenTable({"A": "KH", "B": "6S", "C": "JH"}, pack=36, deal="hand")
        table.state = replace(table.state, stock=table.add("7S 8S"), turn=Seat(2))
        table.state = replace(table.state, refill_due=(Seat(0),))
        table.lay("C", "JH", "J")
        return table
    if phase is Phase.ANSWER:
        table = OpenTable({"A": "KH", "B": "6S", "C": "JH 6D"}, pack=36, callers="any")
        table.state = replace(table.state, turn=Seat(2))
        table.lay("C", "JH", "J")
        table.do(Answer(Seat(1), None))
        return table
    if phase is Phase.INDEX:
        table = OpenTable({"A": "KH", "B": "6S", "C": "JH 6D"}, pack=36, check="one_random")
        table.follow("K", ("C", "KS KD"))
        table.do(Call(Seat(0), False))
        return table
    table.follow("K", ("C", "KS"))
    if phase is not Phase.PLAY:
        table.call("A", settle=False)
    if phase in (Phase.PICK_UP, Phase.SETS):
        table.do(Reveal(Seat(2), table.state.table[-1].slots, (Card.parse("KS"),)))
    if phase is Phase.SETS:
        table.do(PickUp(Seat(0)))
    assert table.state.phase is phase
    return table


def move_of(kind, table, seat):
    """A move of this kind by this seat, right in everything else where that is possible."""
    state = table.state
    hand = state.hand_of(seat)[:1]
    if kind is Lay:
        return Lay(seat, hand, Rank.KING, 1)
    if kind is Call:
        return Call(seat, False)
    if kind is Reveal:
        slots = state.table[-1].slots if state.table else ()
        return Reveal(seat, slots, tuple(table.faces[slot] for slot in slots))
    if kind is Answer:
        return Answer(seat, None)
    if kind is DrawIndex:
        return DrawIndex(seat, 0)
    if kind is DiscardSets:
        return DiscardSets(seat, (), ())
    return kind(seat)


ACCEPTED = {
    (Phase.PLAY, Lay): 0,
    (Phase.PLAY, Call): 0,
    (Phase.PLAY, GoOut): None,
    (Phase.DRAW, Draw): 0,
    (Phase.ANSWER, Answer): 0,
    (Phase.INDEX, DrawIndex): 0,
    (Phase.REVEAL, Reveal): 2,
    (Phase.PICK_UP, PickUp): 0,
    (Phase.SETS, DiscardSets): 0,
}
"""Who may make the move; None if it means something in the phase, but not now for anybody."""
KINDS = get_args(Move)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", list(Phase))
def test_every_pair_of_phase_and_move_is_accepted_or_refused_for_its_reason(phase, kind, seat):
    table = table_in(phase)
    move = move_of(kind, table, Seat(seat))
    digest = table.state.digest()
    owner = ACCEPTED.get((phase, kind), "nobody")
    if owner == seat:
        assert apply(table.state, move) != table.state
        return
    with pytest.raises(IllegalMove) as caught:
        apply(table.state, move)
    if phase is Phase.OVER:
        expected = Refusal.DEAL_OVER
    elif owner == "nobody":
        expected = Refusal.NOT_NOW
    elif owner is None and seat == 0:
        expected = Refusal.NO_ANNOUNCING
    else:
        expected = Refusal.NOT_YOUR_TURN
    assert caught.value.reason is expected
    assert table.state.digest() == digest


@pytest.mark.parametrize("phase", list(Phase))
def test_exactly_one_seat_owes_one_thing_until_the_end(phase):
    owed = table_in(phase).state.owed
    assert len(owed) == (0 if phase is Phase.OVER else 1)


def test_a_refusal_carries_its_reason_and_its_data():
    table = table_in(Phase.PLAY)
    with pytest.raises(IllegalMove) as caught:
        apply(table.state, Lay(Seat(0), table.state.hand_of(Seat(0))[:1], Rank.QUEEN, 1))
    assert (caught.value.reason, caught.value.data) == (Refusal.WRONG_RANK, {"rank": Rank.KING})
    assert "wrong-rank" in str(caught.value)


def test_states_are_frozen():
    state = table_in(Phase.PLAY).state
    with pytest.raises(AttributeError):
        state.turn = Seat(1)
    assert replace(state) == state
