"""Sets that are forced, or removed before the first lead; options of `sets`."""

from dataclasses import replace
from random import Random

import pytest
from open_table import OpenTable

from engine import (
    DealStarted,
    Duty,
    IllegalMove,
    Phase,
    Refusal,
    RoundStarted,
    Ruleset,
    Seat,
    deal_events,
    new_deal,
)
from engine.sim import Table

NINES = "9S 9H 9D 9C"


def at_deal(hands, first="B", asked=("B", "A"), **options):
    """A table before the first lead, where `asked` still decide."""
    table = OpenTable(hands, pack=36, sets_at_deal="yes", **options)
    seats = [table.seat(name) for name in asked]
    table.state = replace(
        table.state,
        phase=Phase.SETS,
        turn=table.seat(first),
        taker=seats[0],
        asked_next=tuple(seats[1:]),
    )
    return table


def test_before_the_first_lead_everybody_with_cards_enough_is_asked_clockwise_from_the_leader():
    rules = Ruleset.preset("pagat").with_(sets_at_deal="yes")
    order = (Seat(2), Seat(0), Seat(1))
    state = new_deal(rules, order, Seat(2))
    assert (state.phase, state.taker, state.asked_next, state.turn) == (Phase.SETS, 0, (1, 2), 0)
    assert deal_events(state) == (DealStarted(order, Seat(2)),)
    tiny = new_deal(rules.with_(deal="hand", hand_size=3), order, Seat(2))
    assert (tiny.phase, tiny.owed[0].duty) == (Phase.PLAY, Duty.LAY)
    assert deal_events(tiny)[1] == RoundStarted(Seat(0), None)


def test_each_decides_in_turn_and_then_the_leader_leads():
    table = at_deal({"A": f"{NINES} KS", "B": "6S 6H 6D 6C 7S", "C": "8S 8H"})
    with pytest.raises(IllegalMove) as caught:
        table.sets("A", NINES)
    assert caught.value.reason is Refusal.NOT_YOUR_TURN
    table.sets("B", "6S 6H 6D 6C")
    table.sets("A", "")
    assert (table.turn, table.state.phase, table.hand("B")) == ("B", Phase.PLAY, "7S")
    assert table.state.first_lead


def test_a_leader_whose_hand_is_emptied_so_leaves_and_the_next_leads():
    table = at_deal({"A": f"{NINES} KS", "B": "6S 6H 6D 6C", "C": "8S 8H"})
    table.sets("B", "6S 6H 6D 6C")
    assert (table.out, table.state.taker) == ("B", 0)
    table.sets("A", NINES)
    assert (table.turn, table.out) == ("C", "B")


def test_the_deal_may_end_before_the_first_lead():
    table = at_deal({"A": NINES, "B": "6S 6H 6D 6C"})
    table.sets("B", "6S 6H 6D 6C")
    assert (table.state.over, table.state.winner, table.state.loser) == (True, 1, 0)


def test_what_is_forced_is_done_without_a_choice():
    removed = 0
    for seed in range(20):
        rules = Ruleset.preset("pagat").with_(sets="forced", sets_at_deal="yes", pack=24)
        table = Table(rules, (Seat(0), Seat(1)), Seat(0), Random(seed))
        while table.state.phase is Phase.SETS:
            view, move = table.view(table.state.taker), table.answer()
            assert len(move.slots) == 4 * len(view.sets)
            removed += len(move.slots)
            table.play(move)
    assert removed > 0


def test_two_packs_may_hold_a_set_of_four_twice():
    queens = "QS QS QH QH QD QD QC"
    table = OpenTable({"A": "6S 7S", "B": f"{queens} 9C", "C": "8S"}, packs=2).follow(
        "Q", ("A", "QC"), turn="B"
    )
    table.call("B")
    table.sets("B", f"{queens} QC")
    assert table.hand("B") == "9C"
