"""`deal` hand: the stock, when one draws, and who may leave when."""

import pytest
from open_table import OpenTable

from engine import Draw, Drew, Duty, Phase, Rank, Ruleset, Seat, events, new_deal

HANDS = {"A": "6H 9D 9S", "B": "7C 8C", "C": "6C AC 7D 8D 9H 10H"}


def table_of(hands=HANDS, stock="10S JH QH KH", **options):
    return OpenTable(hands, form="dictionary", pack=36, deal="hand", stock=stock, **options)


def test_hands_are_dealt_singly_after_the_burned_card_and_the_rest_is_the_stock():
    rules = Ruleset.preset("club").with_(deal="hand", burn=1, hand_size=4)
    state = new_deal(rules, (Seat(0), Seat(1), Seat(2)), Seat(0))
    assert state.burned == (0,)
    assert state.hand_of(Seat(1)) == (1, 4, 7, 10)
    assert state.stock == tuple(range(13, 36))
    assert (state.phase, state.turn) == (Phase.PLAY, 1)


def test_each_turn_one_draws_up_to_the_hand_size_before_anything_else():
    table = table_of(refill="every_turn")
    table.lay("A", "6H", "6")
    (owed,) = table.state.owed
    assert (owed.seat, owed.duty) == (Seat(1), Duty.DRAW)
    assert owed.slots == table.state.hand_of(Seat(1)) + table.state.stock[:3]
    before = table.state
    table.do(Draw(Seat(1)))
    assert events(before, Draw(Seat(1)), table.state) == (Drew(Seat(1), 3, 1),)
    assert table.state.hand_of(Seat(1)) == tuple(range(before.next_slot, before.next_slot + 5))
    assert table.hand("B") == "7C 8C 10S JH QH"
    assert table.state.owed[0].duty is Duty.LAY_OR_CALL


def test_a_full_hand_draws_nothing_and_the_last_cards_go_to_who_comes_first():
    table = table_of(refill="every_turn")
    table.lay("A", "6H", "6")
    table.settle()
    table.lay("B", "7C", "6")
    assert table.state.phase is Phase.PLAY
    table.lay("C", "6C", "6")
    table.settle()
    assert (table.hand("A"), table.state.stock) == ("9S 9D KH", ())


def test_each_round_one_draws_at_ones_first_turn_of_the_new_round_only():
    table = table_of()
    table.lay("A", "9D", "6")
    assert table.state.phase is Phase.PLAY
    table.call("B")
    assert table.state.refill_due == (0, 2)
    assert table.hand("B") == "7C 8C 10S JH QH"
    table.lay("B", "7C", "7")
    assert table.state.refill_due == (0,)
    table.lay("C", "6C", "7")
    table.settle()
    assert (table.hand("A"), table.state.refill_due) == ("6H 9S 9D KH", ())


def test_a_right_veryu_of_the_pile_ends_the_round_and_of_a_packet_does_not():
    table = table_of({"A": "6H 9D", "B": "7C 8C", "C": "6C"})
    table.lay("A", "6H", "6")
    table.call("B", believe=True)
    assert table.hand("B") == "7C 8C 10S JH QH"
    table = table_of({"A": "6H 9D", "B": "7C 8C", "C": "6C"}, veryu="packet")
    table.lay("A", "6H", "6")
    table.call("B", believe=True)
    assert (table.hand("B"), table.hand("C"), table.state.refill_due) == ("7C 8C", "6C", ())


def test_an_empty_hand_draws_at_its_turn_even_when_no_round_has_ended():
    table = table_of({"A": "6H", "B": "7C 8C", "C": "6C 9H"})
    table.lay("A", "6H", "6")
    assert (table.state.pending, table.state.emptied) == (None, (0,))
    table.lay("B", "7C", "6")
    table.lay("C", "6C", "6")
    table.settle()
    assert (table.out, table.hand("A"), table.state.emptied) == ("", "10S JH QH KH", ())


def test_the_owner_of_the_live_packet_becomes_pending_when_the_stock_runs_out():
    table = table_of({"A": "6H", "B": "7C 8C", "C": "6C 9H"}, stock="10S", refill="every_turn")
    table.lay("A", "6H", "6")
    table.settle()
    assert (table.state.stock, table.state.pending, table.out) == ((), 0, "")
    table.lay("B", "7C", "6")
    assert table.out == "A"


def test_a_draw_that_empties_the_stock_may_end_the_deal():
    table = table_of(
        {"A": "6H", "B": "7C 8C", "C": "6C 9H"}, stock="10S JH QH", end="first_out", next_dealer="left"
    )
    table.lay("A", "6H", "6")
    table.lay("B", "7C 8C", "6")
    table.call("C")
    assert table.hand("B") == "6H 7C 8C"
    table.settle()
    assert (table.state.over, table.state.winner, table.state.loser) == (True, 0, None)


def test_sets_that_empty_a_hand_let_nobody_leave_while_there_is_a_stock():
    table = table_of({"A": "QC", "B": "QS", "C": "6C 9H"}, sets="optional", stock="6S 7S 8S 9S 10S JS")
    table.follow("Q", ("C", "QH QD"))
    table.lay("A", "QC", "Q")
    table.call("B")
    table.sets("B", "QS QH QD QC")
    table.settle()
    assert (table.out, table.turn, table.state.emptied) == ("", "C", (0, 1))
    assert table.hand("C") == "6S 6C 7S 8S 9H"


@pytest.mark.parametrize("refill", ["new_round", "every_turn"])
def test_nobody_draws_by_taking_a_pile(refill):
    table = table_of(refill=refill)
    table.follow("K", ("C", "7H"))
    table.settle()
    table.call("A")
    assert "7H" in table.hand("C")
    assert table.state.rank is None
    assert Rank.KING in table.state.ruleset.ranks
