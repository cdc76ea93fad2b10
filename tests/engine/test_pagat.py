"""The rules of `pagat`, one by one, and every refusal that it knows."""

import pytest
from open_table import OpenTable

from engine import (
    Call,
    Card,
    DiscardSets,
    Duty,
    IllegalMove,
    Lay,
    Phase,
    PickUp,
    Rank,
    Refusal,
    Reveal,
    Ruleset,
    Seat,
    Slot,
    apply,
    new_deal,
    next_dealer,
)

THREE = {"A": "KH KD 3D 4D 5D", "B": "5S 9C", "C": "JH QS"}
WIDE = {"pack": 52}


def refusal(table, act):
    """The reason for which `act` is refused; checks that nothing changed."""
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        act()
    assert table.state is before
    return caught.value.reason


# Dealing


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, [17, 18]),
        (3, [11, 12, 12]),
        (4, [12, 13, 13, 13]),
        (5, [10, 11, 10, 10, 10]),
        (6, [8, 9, 9, 9, 8, 8]),
    ],
)
def test_one_card_is_burned_and_the_rest_is_dealt_singly_from_the_dealers_left(players, sizes):
    order = tuple(Seat(place) for place in range(players))
    state = new_deal(Ruleset.preset("pagat"), order, Seat(0))
    assert state.burned == (0,)
    assert [len(hand) for hand in state.hands] == sizes
    assert state.hand_of(Seat(1))[:2] == (1, 1 + players)
    assert state.turn == 1
    assert state.owed[0].duty is Duty.LAY
    assert state.next_slot == state.ruleset.cards


def test_seats_keep_their_numbers_whatever_the_order_of_seating():
    state = new_deal(Ruleset.preset("pagat"), (Seat(2), Seat(0), Seat(1)), Seat(0))
    assert state.turn == 1
    assert state.hand_of(Seat(1))[0] == 1
    assert state.hand_of(Seat(2))[0] == 2
    assert state.next_in(Seat(1)) == 2


# Turns


def test_follower_lays_under_the_rank_in_force_and_the_turn_goes_clockwise():
    table = OpenTable(THREE, **WIDE)
    table.lay("A", "KH KD", "K")
    assert (table.turn, table.state.rank, table.state.live) == ("B", Rank.KING, True)
    table.lay("B", "9C", "K")
    assert table.turn == "C"
    assert [packet.number for packet in table.state.table] == [2, 1]
    assert table.state.owed[0].duty is Duty.LAY_OR_CALL


def test_a_false_packet_goes_with_the_pile_to_its_owner_and_the_caller_leads():
    table = OpenTable(THREE, **WIDE).follow("K", ("B", "KS 2C"), ("C", "8D"))
    table.lay("A", "KH 3D", "K")
    table.call("B")
    assert table.hand("A") == "2C 3D 4D 5D 8D KS KH KD"
    assert table.waits_for_sets
    table.sets("A", "")
    assert (table.turn, table.state.rank, table.state.table) == ("B", None, ())


def test_a_true_packet_goes_with_the_pile_to_the_caller_and_the_next_player_leads():
    table = OpenTable(THREE, **WIDE).follow("K", ("B", "2C"), ("C", "8D"))
    table.lay("A", "KH KD", "K")
    table.call("B")
    assert table.hand("B") == "2C 5S 8D 9C KH KD"
    table.sets("B", "")
    assert table.turn == "C"
    assert table.state.revealed is not None
    assert table.state.revealed.truthful


def test_only_the_live_packet_is_judged():
    table = OpenTable(THREE, **WIDE).follow("K", ("B", "2C 3C"), ("C", "8D"))
    table.lay("A", "KH", "K")
    table.call("B", settle=False)
    owed = table.state.owed
    assert [(o.seat, o.duty, o.slots) for o in owed] == [(Seat(0), Duty.REVEAL, table.state.table[-1].slots)]


def test_pick_up_lists_the_hand_by_slot_and_then_the_pile_as_laid():
    table = OpenTable(THREE, **WIDE).follow("K", ("C", "8D"))
    table.lay("A", "KH 3D", "K")
    table.call("B", settle=False)
    packet = table.state.table[-1]
    table.do(Reveal(Seat(0), packet.slots, tuple(table.faces[slot] for slot in packet.slots)))
    (owed,) = table.state.owed
    assert (owed.seat, owed.duty) == (Seat(0), Duty.PICK_UP)
    assert owed.slots == table.state.hand_of(Seat(0)) + table.state.table[0].slots + packet.slots
    before = table.state
    table.do(PickUp(Seat(0)))
    assert table.state.hand_of(Seat(0)) == tuple(range(before.next_slot, before.next_slot + 6))
    assert table.state.next_slot == before.next_slot + 6


# Refusals


@pytest.mark.parametrize(
    ("reason", "cards", "rank", "number"),
    [
        (Refusal.NO_CARDS, "", "K", 0),
        (Refusal.TOO_MANY, "KH KD 3D 4D", "K", 4),
        (Refusal.FALSE_NUMBER, "KH KD", "K", 1),
        (Refusal.FALSE_NUMBER, "KH KD", "K", 3),
        (Refusal.FALSE_NUMBER, "KH", "K", 0),
        (Refusal.NUMBER_MISSING, "KH", "K", None),
    ],
)
def test_a_lay_that_breaks_a_limit_or_a_number_is_refused(reason, cards, rank, number):
    table = OpenTable(THREE, **WIDE)
    assert refusal(table, lambda: table.lay("A", cards, rank, number)) is reason


def test_another_rank_than_the_one_in_force_is_refused():
    table = OpenTable(THREE, **WIDE).follow("Q", ("C", "QH"))
    assert refusal(table, lambda: table.lay("A", "KH", "K")) is Refusal.WRONG_RANK


def test_a_rank_that_the_pack_lacks_is_refused():
    table = OpenTable({"A": "KH", "B": "6S", "C": "7S"}, pack=36)
    assert refusal(table, lambda: table.lay("A", "KH", "5")) is Refusal.RANK_NOT_IN_PACK


def test_slots_must_be_held_distinct_and_ascending():
    table = OpenTable(THREE, **WIDE)
    first, second = table.held("A", "KH KD")
    foreign = table.held("B", "5S")
    for slots, reason in [
        ((second, first), Refusal.SLOTS_OUT_OF_ORDER),
        ((first, first), Refusal.SLOTS_OUT_OF_ORDER),
        (foreign, Refusal.NOT_IN_HAND),
        ((Slot(-1),), Refusal.NOT_IN_HAND),
        ((Slot(99),), Refusal.NOT_IN_HAND),
    ]:
        move = Lay(Seat(0), slots, Rank.KING, len(slots))
        assert refusal(table, lambda move=move: table.do(move)) is reason


def test_a_call_needs_a_live_packet():
    table = OpenTable(THREE, **WIDE)
    assert refusal(table, lambda: table.call("A")) is Refusal.NOTHING_TO_CALL


def test_pagat_has_no_veryu():
    table = OpenTable(THREE, **WIDE).follow("K", ("C", "KS"))
    assert refusal(table, lambda: table.call("A", believe=True)) is Refusal.NO_VERYU


def test_only_the_seat_on_turn_acts():
    table = OpenTable(THREE, **WIDE).follow("K", ("C", "KS"))
    assert refusal(table, lambda: table.call("B")) is Refusal.NOT_YOUR_TURN
    assert refusal(table, lambda: table.call("C")) is Refusal.NOT_YOUR_TURN
    assert refusal(table, lambda: table.lay("B", "9C", "K")) is Refusal.NOT_YOUR_TURN
    assert refusal(table, lambda: table.do(Call(Seat(7), False))) is Refusal.NOT_YOUR_TURN


def test_a_reveal_opens_exactly_the_packet_with_faces_that_exist():
    table = OpenTable(THREE, pack=36).follow("K", ("C", "KS 7C"))
    table.call("A", settle=False)
    slots = table.state.table[-1].slots
    true = (Card.parse("KS"), Card.parse("7C"))
    for owner, given, faces, reason in [
        (Seat(0), slots, true, Refusal.NOT_YOUR_TURN),
        (Seat(2), slots[:1], true[:1], Refusal.WRONG_SLOTS),
        (Seat(2), slots[::-1], true, Refusal.WRONG_SLOTS),
        (Seat(2), slots, true[:1], Refusal.WRONG_FACES),
        (Seat(2), slots, (true[0], true[0]), Refusal.WRONG_FACES),
        (Seat(2), slots, (true[0], Card.parse("2C")), Refusal.WRONG_FACES),
    ]:
        move = Reveal(owner, given, faces)
        assert refusal(table, lambda move=move: table.do(move)) is reason


def test_only_the_taker_picks_up():
    table = OpenTable(THREE, **WIDE).follow("K", ("C", "KS"))
    table.call("A", settle=False)
    table.do(Reveal(Seat(2), table.state.table[-1].slots, (Card.parse("KS"),)))
    assert refusal(table, lambda: table.do(PickUp(Seat(2)))) is Refusal.NOT_YOUR_TURN


# Fours


def asked(hands="KC 9C 4S"):
    """B has just taken the pile and holds four kings."""
    table = OpenTable({"A": "KH KD 3D", "B": hands, "C": "9S 9H", "D": "3S 3H"}, **WIDE)
    table.follow("K", ("D", "KS 2C"))
    table.lay("A", "KH KD", "K")
    table.call("B")
    return table


def test_every_taker_of_four_cards_is_asked_whatever_he_holds():
    table = OpenTable({"A": "KH 3D", "B": "9C 2D", "C": "9S 9H"}, **WIDE).follow("K", ("C", "KS"))
    table.lay("A", "KH", "K")
    table.call("B")
    assert [(o.seat, o.duty) for o in table.state.owed] == [(Seat(1), Duty.DISCARD_SETS)]
    table.sets("B", "")
    assert table.state.phase is Phase.PLAY
    assert table.turn == "C"


def test_a_taker_of_three_cards_is_not_asked():
    table = OpenTable({"A": "KH 3D", "B": "9C", "C": "9S 9H"}, **WIDE).follow("K", ("C", "KS"))
    table.lay("A", "KH", "K")
    table.call("B")
    assert len(table.state.hand_of(Seat(1))) == 3
    assert [(o.seat, o.duty) for o in table.state.owed] == [(Seat(2), Duty.LAY)]


def test_a_four_leaves_the_game_openly_and_the_leader_stays():
    table = asked()
    assert table.turn == "C"
    table.sets("B", "KC KS KH KD")
    assert table.hand("B") == "2C 4S 9C"
    assert sorted(str(card.face) for card in table.state.removed) == ["KC", "KD", "KH", "KS"]
    assert table.turn == "C"


def test_two_fours_may_leave_at_once():
    table = asked("KC 4S 4H 4D 4C 9C")
    table.sets("B", "KC KS KH KD 4S 4H 4D 4C")
    assert table.hand("B") == "2C 9C"


def test_what_is_no_complete_four_stays():
    table = asked()
    assert refusal(table, lambda: table.sets("B", "KC KS KH")) is Refusal.NOT_A_SET
    assert refusal(table, lambda: table.sets("B", "KC KS KH 9C")) is Refusal.NOT_A_SET
    slots = table.state.hand_of(Seat(1))[:4]
    faces = tuple(Card.parse(text) for text in ("KC", "KS", "KH", "KH"))
    for move, reason in [
        (DiscardSets(Seat(1), slots, faces), Refusal.WRONG_FACES),
        (DiscardSets(Seat(1), slots, faces[:3]), Refusal.WRONG_FACES),
        (DiscardSets(Seat(1), (), faces), Refusal.WRONG_FACES),
        (DiscardSets(Seat(1), slots[::-1], faces), Refusal.SLOTS_OUT_OF_ORDER),
        (DiscardSets(Seat(1), (Slot(0),), faces[:1]), Refusal.NOT_IN_HAND),
    ]:
        assert refusal(table, lambda move=move: table.do(move)) is reason
    assert refusal(table, lambda: table.sets("C", "")) is Refusal.NOT_YOUR_TURN
    assert refusal(table, lambda: table.lay("C", "9S", "9")) is Refusal.NOT_NOW


def test_fours_are_not_asked_for_at_any_other_time():
    table = OpenTable({"A": "KS KH KD KC", "B": "9C", "C": "9S"}, **WIDE)
    assert refusal(table, lambda: table.sets("A", "KS KH KD KC")) is Refusal.NOT_NOW


# Going out


def test_covering_the_last_packet_lets_its_owner_leave():
    table = OpenTable({"A": "7S", "B": "QS 7D", "C": "9S 9H"}, pack=36).follow("10", ("C", "10D"))
    table.lay("A", "7S", "10")
    assert (table.state.pending, table.out) == (Seat(0), "")
    table.lay("B", "7D", "10")
    assert (table.state.pending, table.out, table.turn) == (None, "A", "C")
    table.call("C")
    assert table.hand("B") == "7S 7D 10D QS"
    table.sets("B", "")
    assert table.turn == "C"


def test_a_false_last_packet_brings_its_owner_back():
    table = OpenTable({"A": "7S", "B": "QS 7D", "C": "9S 9H"}, pack=36)
    table.lay("A", "7S", "10")
    table.call("B")
    assert (table.out, table.hand("A"), table.turn) == ("", "7S", "B")


def test_a_true_last_packet_that_is_doubted_releases_its_owner():
    table = OpenTable({"A": "10S", "B": "QS 7D", "C": "9S 9H"}, pack=36)
    table.lay("A", "10S", "10")
    table.call("B")
    assert (table.out, table.hand("B"), table.turn) == ("A", "7D 10S QS", "C")
    table.lay("C", "9S", "9")
    assert table.turn == "B"


def test_a_player_with_an_empty_hand_who_is_covered_by_a_last_packet_leaves_first():
    table = OpenTable({"A": "10S", "B": "JD", "C": "KS AS"}, pack=36)
    table.lay("A", "10S", "10")
    table.lay("B", "JD", "10")
    assert (table.out, table.state.pending, table.turn) == ("A", Seat(1), "C")
    table.call("C")
    assert (table.out, table.hand("B"), table.turn) == ("A", "10S JD", "C")


def test_covering_a_pending_player_with_two_left_loses_even_with_the_last_cards():
    table = OpenTable({"A": "10S", "B": "JD"}, pack=36)
    table.lay("A", "10S", "10")
    table.lay("B", "JD", "10")
    assert table.state.over
    assert (table.state.winner, table.state.loser, table.out) == (Seat(0), Seat(1), "A")
    assert table.state.owed == ()
    assert (table.turn, table.state.rank, table.state.live) == (None, None, False)


def test_deal_that_ends_at_a_reveal_leaves_the_pile_with_its_taker_and_owes_no_pick_up():
    table = OpenTable({"A": "10S", "B": "JD"}, pack=36)
    table.lay("A", "10S", "10")
    table.call("B")
    assert table.state.over
    assert table.hand("B") == "10S JD"
    assert (table.state.loser, table.state.table, table.state.taker) == (Seat(1), (), None)


def test_a_taker_who_clears_his_hand_with_a_four_leaves_after_the_owner():
    table = OpenTable({"A": "QC", "B": "QS", "C": "9S 9H"}, pack=36).follow("Q", ("C", "QH QD"))
    table.lay("A", "QC", "Q")
    table.call("B")
    assert table.out == "A"
    table.sets("B", "QS QH QD QC")
    assert (table.out, table.state.winner, table.state.loser) == ("AB", Seat(0), Seat(2))


def test_a_caught_bluffer_who_clears_his_hand_leaves_and_the_challenger_leads():
    table = OpenTable({"A": "QC 7H", "B": "9S", "C": "8S", "D": "JS"}, pack=36)
    table.follow("7", ("D", "7S 7D 7C"))
    table.lay("A", "7H QC", "7")
    table.call("B")
    table.sets("A", "7S 7H 7D 7C")
    assert (table.hand("A"), table.out, table.turn) == ("QC", "", "B")


def test_nothing_is_accepted_after_the_end():
    table = OpenTable({"A": "10S", "B": "JD"}, pack=36)
    table.lay("A", "10S", "10")
    table.lay("B", "JD", "10")
    for move in (
        Lay(Seat(1), (), Rank.TEN, 1),
        Call(Seat(1), False),
        PickUp(Seat(1)),
        Reveal(Seat(1), (), ()),
        DiscardSets(Seat(1), (), ()),
    ):
        assert refusal(table, lambda move=move: table.do(move)) is Refusal.DEAL_OVER


def test_the_deal_moves_to_the_left_whoever_lost():
    table = OpenTable({"A": "10S", "B": "JD"}, pack=36, dealer="A")
    with pytest.raises(ValueError, match="not over"):
        next_dealer(table.state)
    table.lay("A", "10S", "10")
    table.lay("B", "JD", "10")
    assert next_dealer(table.state) == 1
    again = OpenTable({"A": "10S", "B": "JD"}, pack=36, dealer="B")
    again.lay("A", "10S", "10")
    again.lay("B", "JD", "10")
    assert next_dealer(again.state) == 0


def test_apply_leaves_the_state_before_as_it_was():
    table = OpenTable(THREE, **WIDE)
    before, digest = table.state, table.state.digest()
    table.lay("A", "KH", "K")
    assert before.digest() == digest
    assert apply(before, Lay(Seat(0), table.held("A", "KD"), Rank.KING, 1)) != table.state
