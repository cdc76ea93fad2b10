"""`claim_number` free: numbers may be false, sizes are secret, and zero is another matter."""

import pytest
from open_table import OpenTable

from engine import (
    Call,
    IllegalMove,
    Laid,
    LaidNothing,
    Lay,
    PickedUp,
    PickUp,
    Rank,
    Refusal,
    Reveal,
    Seat,
    View,
    choices,
    events,
    state_to_text,
)

HANDS = {"A": "KS KH JD 7C 8C", "B": "QC JC 6C", "C": "6S AD"}


def club(hands=HANDS, **options):
    return OpenTable(hands, form="club", **options)


def refusal(act):
    with pytest.raises(IllegalMove) as caught:
        act()
    return caught.value.reason


@pytest.mark.parametrize(
    ("cards", "number", "truthful"),
    [("KS KH", 2, True), ("KS KH", 1, False), ("KS KH", 3, False), ("KS JD", 2, False), ("", 1, False)],
)
def test_a_false_number_makes_a_bluff(cards, number, truthful):
    table = club()
    table.lay("A", cards, "K", number)
    table.call("B")
    assert table.state.revealed.truthful is truthful
    assert table.turn == ("C" if truthful else "B")


@pytest.mark.parametrize(
    ("cards", "number", "truthful"),
    [("KS KH", 1, True), ("KS", 4, True), ("KS JD", 2, False), ("", 1, False)],
)
def test_where_the_number_is_ignored_only_cards_count_and_none_are_false(cards, number, truthful):
    table = club(number_test="ignored")
    table.lay("A", cards, "K", number)
    table.call("B")
    assert table.state.revealed.truthful is truthful


def test_numbers_run_from_one_to_the_copies_and_cards_up_to_the_copies():
    table = club()
    assert refusal(lambda: table.lay("A", "KS", "K", 5)) is Refusal.TOO_MANY
    assert refusal(lambda: table.lay("A", "KS", "K", -1)) is Refusal.TOO_FEW
    assert refusal(lambda: table.lay("A", "KS KH JD 7C 8C", "K", 1)) is Refusal.TOO_MANY
    assert refusal(lambda: table.lay("A", "KS", "K", None)) is Refusal.NUMBER_MISSING
    found = choices(table.state)
    assert (found.least, found.most, found.real_most) == (1, 4, 4)


def test_limits_go_by_the_announced_number_and_never_by_a_hidden_hand():
    table = club({"A": "KS", "B": "QC JC"}, lead_min=3, lead_max=4)
    assert refusal(lambda: table.lay("A", "KS", "K", 1)) is Refusal.TOO_FEW
    table.lay("A", "KS", "K", 3)
    assert table.state.pending == Seat(0)


def test_the_exemption_goes_by_the_announced_number():
    table = club(lead_exempt="any_round_lead")
    table.lay("A", "KS KH JD", "K", 1)
    assert refusal(lambda: table.call("B")) is Refusal.LEAD_EXEMPT
    table = club(lead_exempt="any_round_lead")
    table.lay("A", "KS", "K", 2)
    table.call("B")


def test_a_lead_lost_by_a_visible_zero_is_the_next_players():
    table = club()
    table.lay("A", "", "K", 0)
    assert (table.turn, table.state.first_lead, table.hand("A")) == ("B", True, "7C 8C JD KS KH")
    table.lay("B", "QC", "Q")
    before = table.state
    move = Lay(Seat(2), table.held("C", "6S"), Rank.QUEEN, 0)
    table.do(move)
    assert events(before, move, table.state) == (LaidNothing(Seat(2)),)
    table.settle()
    assert (table.turn, table.hand("C"), table.state.first_lead) == ("A", "6S QC AD", False)


def test_on_a_table_emptied_by_a_right_veryu_a_zero_passes_the_rank_on():
    table = club()
    table.lay("A", "KS", "K")
    table.call("B", believe=True)
    table.lay("C", "", "K", 0)
    assert (table.turn, table.state.rank, table.state.table) == ("A", Rank.KING, ())


def test_a_zero_is_judged_before_rank_limits_and_the_duty_to_call():
    table = club({"A": "KS", "B": "QC JC", "C": "6S"}, must_call_pending="yes", end="sole_loser")
    table.lay("A", "KS", "K")
    assert refusal(lambda: table.lay("B", "QC", "K")) is Refusal.MUST_CALL
    table.lay("B", "", "7", 0)
    table.settle()
    assert (table.out, table.turn, table.hand("B")) == ("A", "C", "JC QC KS")


def test_a_zero_that_ends_the_deal_tells_who_got_the_pile():
    table = club({"A": "KS", "B": "QC JC"})
    table.lay("A", "KS", "K")
    before, move = table.state, Lay(Seat(1), (), Rank.KING, 0)
    table.do(move)
    assert (table.state.over, table.hand("B")) == (True, "JC QC KS")
    assert events(before, move, table.state)[:2] == (LaidNothing(Seat(1)), PickedUp(Seat(1), 1))


def test_where_zero_is_rejected_it_is_refused():
    table = club(illegal_zero="reject")
    assert refusal(lambda: table.lay("A", "KS", "K", 0)) is Refusal.NO_CARDS
    table.lay("A", "", "K", 1)


def test_a_visible_zero_where_sizes_show_is_no_cards():
    table = OpenTable(HANDS, form="dictionary", illegal_zero="penalty")
    table.lay("A", "KS", "K")
    table.lay("B", "", "Q", None)
    table.settle()
    assert (table.hand("B"), table.turn) == ("6C JC QC KS", "C")


def played(cards, number):
    """What C may see after A laid `cards`, B covered, C called truly, and A laid again."""
    table = club()
    seen, told = [], []

    def do(move):
        before = table.state
        table.do(move)
        told.extend(events(before, move, table.state))
        seen.append(state_to_text(View(table.state, Seat(2), {}).state))

    do(Lay(Seat(0), table.held("A", cards), Rank.KING, number))
    do(Lay(Seat(1), table.held("B", "QC"), Rank.KING, 1))
    do(Call(Seat(2), False))
    packet = table.state.table[-1]
    do(Reveal(Seat(1), packet.slots, tuple(table.faces[slot] for slot in packet.slots)))
    do(PickUp(Seat(1)))
    do(Lay(Seat(2), table.held("C", "6S"), Rank.SIX, 1))
    return seen, told


def test_nothing_that_another_seat_sees_or_hears_tells_a_hidden_size():
    first = played("KS", 2)
    assert first == played("KS JD 7C", 2) == played("", 2)
    assert first != played("KS", 1)


def test_a_view_keeps_the_seats_own_cards_and_says_whose_hands_are_empty():
    table = club({"A": "KS", "B": "QC JC", "C": "6S AD"}, end="sole_loser")
    table.lay("A", "KS", "K")
    view = View(table.state, Seat(1), table.faces)
    assert len(view.state.hand_of(Seat(1))) == 2
    assert view.state.hand_of(Seat(2)) == ()
    assert view.state.table[0].slots == ()
    assert view.state.pending == Seat(0)
    assert View(table.state, Seat(0), table.faces).state.table[0].slots != ()


def test_what_is_told_of_sizes_is_what_was_announced():
    table = club()
    before = table.state
    move = Lay(Seat(0), table.held("A", "KS JD"), Rank.KING, 1)
    table.do(move)
    assert events(before, move, table.state) == (Laid(Seat(0), 1, Rank.KING, 1),)
    table.call("B", settle=False)
    slots = table.state.owed[0].slots
    table.do(Reveal(Seat(0), slots, tuple(table.faces[slot] for slot in slots)))
    before = table.state
    table.do(PickUp(Seat(0)))
    assert events(before, PickUp(Seat(0)), table.state)[0] == PickedUp(Seat(0), 1)


def test_every_taker_is_asked_about_sets_where_his_size_is_hidden():
    table = club({"A": "KS QH", "B": "QC", "C": "6S AD"}, sets="optional")
    table.lay("A", "QH", "K", 1)
    table.call("B")
    assert table.waits_for_sets
