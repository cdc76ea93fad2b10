"""`out_call` manual: who does not announce an empty hand stays in."""

import pytest
from open_table import OpenTable

from engine import Duty, GoOut, IllegalMove, Refusal, SaidOut, Seat, WentOut, choices, events

HANDS = {"A": "10S", "B": "8S 8D", "C": "9S JS"}


def table_of(hands=HANDS, **options):
    return OpenTable(hands, form="dictionary", out_call="manual", **options)


def refusal(act):
    with pytest.raises(IllegalMove) as caught:
        act()
    return caught.value.reason


def test_one_who_announces_with_the_lay_leaves_when_covered():
    table = table_of()
    table.lay("A", "10S", "10", out=True)
    assert (table.state.pending, table.state.announced) == (0, (0,))
    table.lay("B", "8S", "10")
    assert (table.out, table.state.announced, table.state.emptied) == ("A", (), ())


def test_one_who_does_not_stays_and_may_announce_or_call_on_his_turn_but_not_lay():
    table = table_of()
    table.lay("A", "10S", "10")
    table.lay("B", "8S", "10")
    table.lay("C", "9S", "10")
    assert (table.out, table.turn) == ("", "A")
    assert table.state.owed[0].duty is Duty.GO_OUT_OR_CALL
    found = choices(table.state)
    assert (found.most, found.may_doubt, found.may_believe, found.may_pass) == (0, True, True, True)
    assert refusal(lambda: table.lay("A", "", "10")) is Refusal.EMPTY_HAND
    before = table.state
    table.go_out("A")
    assert events(before, GoOut(Seat(0)), table.state) == (SaidOut(Seat(0)), WentOut(Seat(0), 1))
    assert (table.turn, table.state.live, table.out) == ("B", True, "A")
    table.call("B")
    assert table.hand("C") == "8S 9S 10S JS"


def test_a_wrong_call_with_an_empty_hand_fills_it_again():
    table = table_of()
    table.lay("A", "10S", "10")
    table.lay("B", "8S", "10")
    table.lay("C", "9S", "10")
    table.call("A", believe=True)
    assert (table.hand("A"), table.state.emptied, table.turn) == ("8S 9S 10S", (), "B")


def test_with_nothing_to_call_an_empty_hand_can_only_announce():
    table = table_of()
    table.lay("A", "10S", "10")
    table.call("B", believe=True)
    table.lay("B", "8S", "8")
    table.call("C", believe=True)
    assert table.out == ""
    table.lay("C", "9S", "9", out=False)
    table.call("A", believe=True)
    assert (table.turn, table.state.owed[0].duty) == ("A", Duty.GO_OUT)
    assert refusal(lambda: table.call("A")) is Refusal.NOTHING_TO_CALL
    table.go_out("A")
    assert (table.turn, table.out) == ("B", "A")


def test_announcing_with_cards_or_a_stock_left_is_refused():
    table = table_of()
    assert refusal(lambda: table.go_out("A")) is Refusal.CARDS_LEFT
    table.lay("A", "10S", "10")
    assert refusal(lambda: table.lay("B", "8S", "10", out=True)) is Refusal.CARDS_LEFT
    table = table_of(deal="hand", stock="6S")
    assert refusal(lambda: table.lay("A", "10S", "10", out=True)) is Refusal.CARDS_LEFT


def test_where_going_out_is_automatic_nobody_announces():
    table = OpenTable(HANDS, form="dictionary")
    assert refusal(lambda: table.lay("A", "10S", "10", out=True)) is Refusal.NO_ANNOUNCING
    assert refusal(lambda: table.go_out("A")) is Refusal.NO_ANNOUNCING


def test_a_returned_packet_takes_the_announcement_back():
    table = table_of()
    table.lay("A", "10S", "9", out=True)
    table.call("B")
    assert (table.out, table.state.announced, table.hand("A")) == ("", (), "10S")


def test_an_announced_owner_leaves_when_his_packet_is_believed_and_another_stays():
    for out, left in ((True, "A"), (False, "")):
        table = table_of()
        table.lay("A", "10S", "10", out=out)
        table.call("B", believe=True)
        assert table.out == left


def test_a_hand_emptied_by_sets_leaves_without_a_word():
    table = table_of({"A": "QC", "B": "QS", "C": "9S 9H"}, sets="optional").follow("Q", ("C", "QH QD"))
    table.lay("A", "QC", "Q")
    table.call("B")
    table.sets("B", "QS QH QD QC")
    assert (table.out, table.turn) == ("B", "C")


def test_a_false_announcement_at_a_zero_is_refused():
    table = table_of(illegal_zero="penalty")
    assert refusal(lambda: table.lay("A", "", "10", out=True)) is Refusal.CARDS_LEFT


def test_the_last_but_one_who_announces_ends_the_deal():
    table = table_of({"A": "10S", "B": "8S 8D"})
    table.lay("A", "10S", "10")
    table.lay("B", "8S", "10")
    table.go_out("A")
    assert (table.state.over, table.state.winner, table.state.loser) == (True, 0, 1)
