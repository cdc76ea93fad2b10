"""Counts of the positions that small deals reach, as data; and what holds in each of them."""

import pytest
from every_move import reachable, small_tables

from engine import Duty, Lay, choices

SMALL = [pytest.param(entry, table, id=entry["name"]) for entry, table in small_tables()]


def agrees(state, moves):
    """Whether there is a legal move, and `choices` says exactly what may be laid and called."""
    owed = state.owed[0]
    assert moves
    assert all(move.seat == owed.seat for move in moves)
    if owed.duty not in (Duty.LAY, Duty.LAY_OR_CALL, Duty.GO_OUT, Duty.GO_OUT_OR_CALL, Duty.ANSWER):
        return
    found = choices(state, owed.seat)
    hides = state.ruleset.hides_sizes
    lays = [move for move in moves if isinstance(move, Lay) and (move.slots or move.number)]
    lays = [move for move in lays if move.number != 0]
    sizes = {move.number if hides else len(move.slots) for move in lays}
    assert sizes == (set(range(found.least, found.most + 1)) if found.most and found.ranks else set())
    assert {move.rank for move in lays} == (set(found.ranks) if found.most else set())
    calls = [move if owed.duty is not Duty.ANSWER else move.call for move in moves]
    believes = {call.believe for call in calls if hasattr(call, "believe")}
    assert believes == {b for b, may in ((False, found.may_doubt), (True, found.may_believe)) if may}
    if owed.duty is Duty.ANSWER:
        assert (None in calls) == found.may_pass
    if hides and lays:
        assert {len(move.slots) for move in lays} == set(range(found.real_most + 1))


@pytest.mark.parametrize(("entry", "table"), SMALL)
def test_the_positions_of_a_small_deal_are_as_many_as_before_and_each_offers_what_it_says(entry, table):
    counted = reachable(table.state, table.faces, agrees)
    assert counted == (entry["positions"], entry["ended"])
