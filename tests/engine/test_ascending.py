"""`rank_rule` ascending: each packet claims the next rank up."""

import pytest
from open_table import OpenTable

from engine import (
    Answer,
    IllegalMove,
    Lead,
    Phase,
    Rank,
    Refusal,
    Reveal,
    RoundStarted,
    Ruleset,
    Seat,
    choices,
    events,
)

HANDS = {"A": "AS 7H 8H KD", "B": "6S 9H 10D", "C": "JC QC"}


def table_of(hands=HANDS, form="dictionary", **options):
    return OpenTable(hands, form=form, pack=36, rank_rule="ascending", **options)


def test_aces_come_first_then_the_lowest_rank_up_to_kings():
    rules = Ruleset.preset("club").with_(rank_rule="ascending").resolve(3)
    ranks, rank = [], rules.first_rising
    for _ in range(10):
        ranks.append(str(rank))
        rank = rules.rank_after(rank)
    assert " ".join(ranks) == "A 6 7 8 9 10 J Q K A"


def test_without_aces_the_lowest_rank_comes_first_and_after_kings():
    rules = Ruleset.preset("pagat").with_(rank_rule="ascending", no_aces="yes").resolve(4)
    assert rules.first_rising is Rank.TWO
    assert rules.rank_after(Rank.KING) is Rank.TWO


def test_each_packet_claims_the_rank_that_is_due_and_no_other():
    table = table_of()
    assert choices(table.state).ranks == (Rank.ACE,)
    table.lay("A", "7H", "A")
    with pytest.raises(IllegalMove) as caught:
        table.lay("B", "6S", "A")
    assert (caught.value.reason, caught.value.data) == (Refusal.WRONG_RANK, {"rank": Rank.SIX})
    table.lay("B", "9H", "6")
    assert (table.state.rank, table.state.rising) == (Rank.SIX, Rank.SEVEN)


def test_a_taken_packet_has_used_its_rank():
    table = table_of()
    table.lay("A", "AS", "A")
    table.call("B")
    assert (table.state.lead, table.state.rank, choices(table.state).ranks) == (Lead.DUE, None, (Rank.SIX,))


@pytest.mark.parametrize("believe", [True, False])
def test_choose_frees_the_rank_whenever_a_round_ends(believe):
    table = table_of(ascending_after_pickup="choose")
    assert choices(table.state).ranks == (Rank.ACE,)
    table.lay("A", "AS", "A")
    table.call("B", believe=believe)
    assert len(choices(table.state).ranks) == 9
    leader = table.turn
    card = table.hand(leader).split()[0]
    table.lay(leader, card, "J")
    assert table.state.rising is Rank.QUEEN


def test_a_right_veryu_of_a_packet_ends_no_round():
    table = table_of(veryu="packet", ascending_after_pickup="choose")
    table.lay("A", "AS", "A")
    table.call("B", believe=True)
    assert choices(table.state).ranks == (Rank.SIX,)


def test_the_first_rank_stays_due_after_a_lead_lost_by_a_zero():
    table = table_of(form="club", ascending_after_pickup="choose")
    table.lay("A", "", "A", 0)
    assert choices(table.state).ranks == (Rank.ACE,)


def test_live_copies_count_the_rank_that_is_due():
    table = table_of(veryu="packet", follow_max="live_copies")
    table.lay("A", "AS", "A")
    table.call("B", believe=True)
    table.lay("C", "JC", "6")
    assert choices(table.state).most == 3


def test_a_leader_is_told_the_rank_he_has_to_claim():
    table = table_of({"A": "AS 7H", "B": "6S", "C": "JC"}, callers="any")
    table.lay("A", "AS", "A")
    table.answer("B")
    table.do(Answer(Seat(2), None))
    assert table.state.phase is Phase.PLAY
    table = table_of()
    table.lay("A", "AS", "A")
    table.call("B", believe=True, settle=False)
    before = table.state
    table.settle()
    assert RoundStarted(Seat(1), Rank.SIX) in events(before, _reveal(before, table), table.state)


def _reveal(before, table):
    slots = before.owed[0].slots
    return Reveal(before.owed[0].seat, slots, tuple(table.faces[slot] for slot in slots))
