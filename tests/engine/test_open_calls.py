"""`callers` any: everybody answers after a lay, and the nearest call prevails."""

from itertools import permutations

import pytest
from open_table import OpenTable

from engine import (
    Answer,
    Call,
    Called,
    CallVoid,
    Duty,
    IllegalMove,
    Phase,
    Refusal,
    Seat,
    View,
    WindowClosed,
    apply,
    choices,
    events,
)

HANDS = {"A": "QS JH", "B": "7C 8C", "C": "9C 10C", "D": "KC AC"}


def table_of(hands=HANDS, **options):
    return OpenTable(hands, form="dictionary", callers="any", **options)


def refusal(act):
    with pytest.raises(IllegalMove) as caught:
        act()
    return caught.value.reason


def answer_all(table, **calls):
    for name in "BCD":
        table.answer(name, calls.get(name))
    return table


def test_after_a_lay_every_other_player_owes_an_answer_clockwise():
    table = table_of()
    table.lay("A", "QS", "Q")
    assert [(owed.seat, owed.duty) for owed in table.state.owed] == [(s, Duty.ANSWER) for s in (1, 2, 3)]
    table.answer("C")
    assert [owed.seat for owed in table.state.owed] == [1, 3]


def test_answers_in_any_order_come_to_the_same():
    table = table_of()
    table.lay("A", "QS", "Q")
    answers = [
        Answer(Seat(1), None),
        Answer(Seat(2), Call(Seat(2), True)),
        Answer(Seat(3), Call(Seat(3), False)),
    ]
    ends = set()
    for order in permutations(answers):
        state = table.state
        for answer in order:
            state = apply(state, answer)
        ends.add(state)
    (end,) = ends
    assert end.called == Call(Seat(2), True)


@pytest.mark.parametrize(
    ("calls", "caller"), [({"D": False, "C": True}, 2), ({"D": False}, 3), ({"B": True, "C": False}, 1)]
)
def test_the_nearest_call_prevails_whatever_it_is(calls, caller):
    table = table_of()
    table.lay("A", "QS", "Q")
    for name in "DCB":
        table.answer(name, calls.get(name), settle=False)
    assert table.state.called.seat == caller
    assert table.state.phase is Phase.REVEAL


def test_with_no_call_the_next_player_lays_and_nothing_can_be_called_any_more():
    table = table_of()
    table.lay("A", "QS", "Q")
    answer_all(table)
    assert (table.turn, table.state.live, table.state.owed[0].duty) == ("B", False, Duty.LAY)
    assert refusal(lambda: table.call("B")) is Refusal.NOTHING_TO_CALL
    assert refusal(lambda: table.answer("C", False)) is Refusal.NOT_NOW


def test_who_has_answered_or_is_not_asked_may_not_answer():
    table = table_of()
    table.lay("A", "QS", "Q")
    table.answer("C")
    for seat in (0, 2, 9):
        assert refusal(lambda seat=seat: table.do(Answer(Seat(seat), None))) is Refusal.NOT_YOUR_TURN
    wrong = Answer(Seat(1), Call(Seat(3), False))
    assert refusal(lambda: table.do(wrong)) is Refusal.NOT_YOUR_TURN
    assert refusal(lambda: table.lay("B", "7C", "Q")) is Refusal.NOT_NOW


def test_an_answer_is_secret_until_all_are_in():
    table = table_of()
    table.lay("A", "QS", "Q")
    table.answer("D", False)
    assert View(table.state, Seat(1), {}).state.answers == (Answer(Seat(3), None),)
    assert View(table.state, Seat(3), {}).state.answers[0].call is not None


@pytest.mark.parametrize(("option", "leader"), [("after_picker", "A"), ("normal_rotation", "B")])
@pytest.mark.parametrize("believe", [True, False])
def test_after_a_wrong_call_out_of_turn_the_lead_goes_by_open_turn(option, leader, believe):
    table = table_of(open_turn=option)
    table.lay("A", "JH" if believe else "QS", "Q")
    answer_all(table, D=believe)
    assert table.turn == leader


def test_after_a_wrong_call_in_turn_both_ways_agree():
    for option in ("after_picker", "normal_rotation"):
        table = table_of(open_turn=option)
        table.lay("A", "QS", "Q")
        answer_all(table, B=False)
        assert table.turn == "C"


@pytest.mark.parametrize(("option", "leader"), [("challenger", "C"), ("next_after_owner", "B")])
def test_a_caught_bluff_follows_after_bluff(option, leader):
    table = table_of(after_bluff=option, open_turn="normal_rotation")
    table.lay("A", "JH", "Q")
    answer_all(table, C=False)
    assert table.turn == leader


def test_after_a_right_veryu_of_a_packet_the_turn_goes_by_open_turn_and_of_a_pile_the_caller_leads():
    for veryu, option, turn in (
        ("packet", "after_picker", "D"),
        ("packet", "normal_rotation", "B"),
        ("pile", "normal_rotation", "C"),
    ):
        table = table_of(veryu=veryu, open_turn=option)
        table.lay("A", "QS", "Q")
        answer_all(table, C=True)
        assert table.turn == turn


def test_an_exempt_lead_is_answered_only_where_it_may_be_believed():
    table = table_of(lead_exempt="any_round_lead")
    table.lay("A", "QS", "Q")
    assert refusal(lambda: table.answer("C", False)) is Refusal.LEAD_EXEMPT
    assert not choices(table.state, Seat(2)).may_doubt
    table = table_of(lead_exempt="any_round_lead", veryu="none")
    table.lay("A", "QS", "Q")
    assert (table.state.phase, table.state.live, table.turn) == (Phase.PLAY, False, "B")


def test_a_window_that_closes_releases_a_pending_owner():
    table = table_of(HANDS | {"A": "QS"})
    table.lay("A", "QS", "Q")
    assert table.state.pending == Seat(0)
    answer_all(table)
    assert (table.out, table.turn) == ("A", "B")


def test_the_next_player_must_call_a_pending_one():
    table = table_of(HANDS | {"A": "QS"}, must_call_pending="yes")
    table.lay("A", "QS", "Q")
    assert refusal(lambda: table.answer("B")) is Refusal.MUST_ANSWER
    assert (choices(table.state, Seat(1)).may_pass, choices(table.state, Seat(2)).may_pass) == (False, True)
    table.answer("C")
    table.answer("D")
    table.answer("B", True)
    assert table.out == "A"


def test_what_was_answered_is_told_when_all_are_in():
    table = table_of()
    table.lay("A", "QS", "Q")
    for name, call, told in (
        ("D", False, ()),
        ("B", None, ()),
        ("C", True, (Called(Seat(2), Seat(0), True), CallVoid(Seat(3), False))),
    ):
        before, seat = table.state, table.seat(name)
        move = Answer(seat, None if call is None else Call(seat, call))
        assert events(before, move, table.do(move)) == told
    table = table_of()
    table.lay("A", "QS", "Q")
    table.answer("B")
    table.answer("C")
    before, move = table.state, Answer(Seat(3), None)
    assert events(before, move, table.do(move)) == (WindowClosed(Seat(0)),)


def test_a_draw_of_the_next_player_comes_before_the_window():
    table = OpenTable(
        HANDS, form="dictionary", callers="any", deal="hand", refill="every_turn", stock="6S 6H"
    )
    table.lay("A", "QS", "Q")
    assert [(owed.seat, owed.duty) for owed in table.state.owed] == [(Seat(1), Duty.DRAW)]
    table.settle()
    assert table.hand("B") == "6S 6H 7C 8C"
    assert table.state.phase is Phase.ANSWER


def test_an_empty_handed_player_answers_too_where_going_out_is_announced():
    table = table_of(HANDS | {"A": "QS"}, out_call="manual")
    table.lay("A", "QS", "Q")
    answer_all(table)
    assert table.out == ""
    table.lay("B", "7C", "Q")
    assert [owed.seat for owed in table.state.owed] == [2, 3, 0]
