"""What one seat knows, and what it may do."""

from random import Random

from open_table import OpenTable

from engine import Duty, Rank, Ruleset, Seat, Slot, View
from engine.sim import Table


def view(table, seat):
    held = table.state.hand_of(Seat(seat))
    return View(table.state, Seat(seat), {slot: table.faces[slot] for slot in held})


def test_hand_is_sorted_by_rank_then_suit():
    table = OpenTable({"A": "KH 3C 10D 3S AD", "B": "6S"}, pack=52)
    assert [str(card) for _, card in view(table, 0).hand] == ["3S", "3C", "10D", "KH", "AD"]


def test_cards_not_yet_read_are_left_out_of_the_hand():
    table = OpenTable({"A": "KH 3C", "B": "6S"}, pack=52)
    assert [str(card) for _, card in View(table.state, Seat(0), {Slot(1): table.faces[Slot(1)]}).hand] == [
        "3C"
    ]


def test_a_watcher_has_no_hand_no_duty_and_no_choice():
    table = OpenTable({"A": "KH 3C", "B": "6S"}, pack=52)
    watcher = View(table.state, None, {})
    assert (watcher.hand, watcher.owed, watcher.choices.most) == ((), (), 0)


def test_choices_are_those_of_the_seat_on_turn_alone():
    table = OpenTable({"A": "KH 3C 4D 5D", "B": "6S"}, pack=52)
    leader = view(table, 0).choices
    assert (leader.least, leader.most, len(leader.ranks)) == (1, 3, 13)
    assert not leader.may_doubt
    assert view(table, 1).choices.most == 0
    table.lay("A", "KH", "K")
    follower = view(table, 1).choices
    assert (follower.most, follower.ranks, follower.may_doubt, follower.may_believe) == (
        1,
        (Rank.KING,),
        True,
        False,
    )


def test_nothing_may_be_laid_while_a_call_is_settled():
    table = OpenTable({"A": "KH 3C", "B": "6S"}, pack=52)
    table.lay("A", "KH", "K")
    table.call("B", settle=False)
    assert (view(table, 1).choices.most, view(table, 1).choices.may_doubt) == (0, False)
    assert [owed.duty for owed in view(table, 0).owed] == [Duty.REVEAL]


def test_complete_sets_are_found_by_rank():
    table = OpenTable({"A": "KC 3C KH KD 3S KS 3H 3D 9S", "B": "6S"}, pack=52)
    found = [{str(table.faces[slot]) for slot in group} for group in view(table, 0).sets]
    assert found == [{"3S", "3H", "3D", "3C"}, {"KS", "KH", "KD", "KC"}]
    assert all(group == tuple(sorted(group)) for group in view(table, 0).sets)


def test_faces_do_not_show_in_the_text_of_a_view():
    table = OpenTable({"A": "KH 3C", "B": "6S"}, pack=52)
    assert "KH" not in repr(view(table, 0))
    assert "faces" not in repr(view(table, 0))


def test_the_model_table_shows_each_seat_its_own_cards_only():
    order = (Seat(0), Seat(1), Seat(2))
    table = Table(Ruleset.preset("pagat"), order, Seat(0), Random(1))
    for seat in order:
        assert set(table.view(seat).faces) == set(table.state.hand_of(seat))
