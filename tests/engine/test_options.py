"""Options that other forms use: each in its one branch. The worked positions show most of them too."""

from dataclasses import replace

import pytest
from open_table import OpenTable

from engine import IllegalMove, Lead, Phase, Rank, Refusal, Removed, Seat, choices, deck_of, next_dealer

HANDS = {"A": "KH KD 7D 8D 9D", "B": "6S 9C 10C", "C": "JH QS AS"}


def refusal(act):
    with pytest.raises(IllegalMove) as caught:
        act()
    return caught.value


def test_unstated_claims_name_a_rank_and_no_number():
    table = OpenTable(HANDS, form="dictionary")
    assert refusal(lambda: table.lay("A", "KH", "K", 1)).reason is Refusal.NUMBER_UNSTATED
    table.lay("A", "KH KD 7D 8D 9D", "K")
    assert table.state.table[-1].number is None


def test_honest_numbers_never_pass_the_copies_of_a_rank():
    table = OpenTable(HANDS, pack=36, lead_max="none")
    assert refusal(lambda: table.lay("A", "KH KD 7D 8D 9D", "K")).data == {"most": 4}


@pytest.mark.parametrize(("value", "most"), [(2, 2), ("copies", 4), ("none", 5)])
def test_lead_max(value, most):
    table = OpenTable(HANDS, form="dictionary", pack=36, lead_max=value)
    assert choices(table.state).most == most


@pytest.mark.parametrize(("value", "most"), [(2, 2), ("copies", 4), ("live_copies", 4), ("none", 5)])
def test_follow_max(value, most):
    table = OpenTable(HANDS, form="dictionary", pack=36, follow_max=value).follow("K", ("C", "KS"))
    assert choices(table.state).most == most


def test_copies_are_eight_with_two_packs():
    hand = "6S 7S 8S 9S 10S JS QS KS AS"
    table = OpenTable({"A": hand, "B": "6H"}, form="dictionary", packs=2, lead_max="copies")
    assert choices(table.state).most == 8


def test_a_leader_lays_at_least_lead_min_or_the_whole_smaller_hand():
    table = OpenTable(HANDS, form="dictionary", lead_min=3)
    assert refusal(lambda: table.lay("A", "KH KD", "K")).reason is Refusal.TOO_FEW
    table.lay("A", "KH KD 7D", "K")
    table.lay("B", "6S", "K")
    small = OpenTable({"A": "KH", "B": "6S 7S"}, form="dictionary", lead_min=3)
    small.lay("A", "KH", "K")


def test_right_veryu_of_the_pile_discards_all_and_the_caller_leads():
    table = OpenTable(HANDS, form="dictionary").follow("K", ("B", "6C"), ("C", "KS"))
    table.call("A", believe=True)
    assert (table.turn, table.state.rank, table.state.lead) == ("A", None, Lead.DUE)
    assert [str(card.face) for card in table.state.removed] == ["None", "KS"]
    assert table.state.table == ()


def test_wrong_veryu_gives_the_pile_to_the_caller_and_the_lead_to_the_next():
    table = OpenTable(HANDS, form="dictionary").follow("K", ("C", "6C"))
    table.call("A", believe=True)
    assert (table.hand("A"), table.turn) == ("6C 7D 8D 9D KH KD", "B")


def test_right_veryu_of_a_packet_keeps_the_pile_and_the_next_player_must_follow():
    table = OpenTable(HANDS, form="dictionary", veryu="packet", follow_max=2)
    table.follow("K", ("B", "6C"), ("C", "KS"))
    table.call("A", believe=True)
    assert (table.turn, table.state.rank, table.state.lead) == ("B", Rank.KING, Lead.NONE)
    assert len(table.state.table) == 1
    assert refusal(lambda: table.call("B")).reason is Refusal.NOTHING_TO_CALL
    assert refusal(lambda: table.lay("B", "6S", "6")).reason is Refusal.WRONG_RANK
    assert refusal(lambda: table.lay("B", "6S 9C 10C", "K")).reason is Refusal.TOO_MANY


def test_right_veryu_releases_a_pending_owner():
    table = OpenTable({"A": "KH", "B": "6S 9C", "C": "JH QS"}, form="dictionary")
    table.lay("A", "KH", "K")
    table.call("B", believe=True)
    assert (table.out, table.turn, table.state.phase) == ("A", "B", Phase.PLAY)


@pytest.mark.parametrize("believe", [True, False])
def test_with_two_left_any_wrong_call_of_a_last_packet_ends_the_deal(believe):
    cards = "7H" if believe else "KH"
    table = OpenTable({"A": cards, "B": "6S 9C"}, form="dictionary")
    table.lay("A", cards, "K")
    table.call("B", believe=believe)
    assert (table.state.over, table.state.loser, table.out) == (True, Seat(1), "A")


def test_the_first_lead_of_one_card_is_exempt_from_ne_veryu_only():
    table = OpenTable(HANDS, form="encyclopedia")
    table.lay("A", "7D", "K")
    assert refusal(lambda: table.call("B")).reason is Refusal.LEAD_EXEMPT
    assert not choices(table.state).may_doubt
    assert choices(table.state).may_believe
    table.call("B", believe=True)
    assert table.turn == "C"
    table.lay("C", "JH", "K")
    table.call("A")


def test_a_first_lead_of_two_cards_is_not_exempt():
    table = OpenTable(HANDS, form="encyclopedia")
    table.lay("A", "7D 8D", "K")
    table.call("B")
    assert table.turn == "B"


def test_with_no_veryu_an_exempt_lead_can_only_be_followed():
    table = OpenTable(HANDS, form="encyclopedia", veryu="none")
    table.lay("A", "7D", "K")
    assert table.state.owed[0].duty.value == "lay"
    table.lay("B", "6S", "K")
    assert table.state.owed[0].duty.value == "lay-or-call"


def test_every_single_lead_may_be_exempt():
    table = OpenTable(HANDS, form="encyclopedia", lead_exempt="any_round_lead")
    table.lay("A", "7D 8D", "K")
    table.call("B")
    table.lay("B", "6S", "6")
    assert refusal(lambda: table.call("C")).reason is Refusal.LEAD_EXEMPT


def test_after_a_bluff_the_player_after_its_owner_may_lead():
    table = OpenTable(HANDS, form="dictionary", after_bluff="next_after_owner").follow("K", ("C", "6C"))
    table.call("A")
    assert table.turn == "A"


def test_after_a_wrong_ne_veryu_the_rank_may_stay_and_the_next_packet_is_a_lead():
    table = OpenTable(HANDS, form="dictionary", rank_after_wrong_ne="same").follow("K", ("C", "KS"))
    table.call("A")
    assert (table.turn, table.state.rank, table.state.lead) == ("B", Rank.KING, Lead.DUE)
    assert refusal(lambda: table.lay("B", "6S", "6")).reason is Refusal.WRONG_RANK
    table.lay("B", "6S", "K")
    assert table.state.lead is Lead.LIVE


def test_a_caught_bluff_frees_the_rank_even_so():
    table = OpenTable(HANDS, form="dictionary", rank_after_wrong_ne="same").follow("K", ("C", "6C"))
    table.call("A")
    assert table.state.rank is None


def test_no_sets_means_that_nobody_is_asked():
    table = OpenTable(HANDS, pack=36, sets="none").follow("K", ("C", "KS"))
    table.call("A")
    assert table.state.phase is Phase.PLAY


def test_a_set_may_need_all_copies_of_two_packs():
    queens = "QS QS QH QH QD QD QC"
    table = OpenTable({"A": "6S 7S", "B": queens, "C": "8S"}, packs=2, set_size="copies")
    table.follow("Q", ("A", "QC"), turn="B")
    table.call("B")
    assert refusal(lambda: table.sets("B", "QS QS QH QH")).reason is Refusal.NOT_A_SET
    table.sets("B", f"{queens} QC")
    assert table.out == "B"


def test_barred_ranks_may_not_be_chosen_once_openly_out():
    table = OpenTable({"A": "KH KD KC 3D", "B": "5S", "C": "JH QS"}, pack=52, retired_ranks="barred")
    table.follow("K", ("C", "KS"))
    table.call("A")
    table.sets("A", "KS KH KD KC")
    assert refusal(lambda: table.lay("B", "5S", "K")).reason is Refusal.RANK_BARRED
    assert Rank.KING not in choices(table.state).ranks


def test_without_aces_an_ace_may_be_laid_but_not_claimed():
    table = OpenTable({"A": "AH KH", "B": "6S", "C": "7S"}, pack=36, no_aces="yes")
    assert refusal(lambda: table.lay("A", "AH", "A")).reason is Refusal.NO_ACES
    assert Rank.ACE not in choices(table.state).ranks
    table.lay("A", "AH", "K")


def all_out_but(table, *ranks):
    """Every card of the pack openly out of play, except those of some ranks."""
    rules = table.state.ruleset
    cards = [str(card) for card in deck_of(rules.pack) if str(card.rank) not in ranks]
    gone = tuple(Removed(slot, table.faces[slot]) for slot in table.add(" ".join(cards)))
    table.state = replace(table.state, removed=gone)
    return table


def test_if_every_rank_is_barred_none_is():
    table = all_out_but(OpenTable({"A": "KH QH", "B": "6S"}, pack=24, retired_ranks="barred"))
    assert choices(table.state).ranks == table.state.ruleset.ranks
    table.lay("A", "KH", "K")


def test_the_stall_guard_never_leaves_a_leader_without_a_claim():
    options = {"pack": 24, "retired_ranks": "barred", "stall_guard": "no_repeat_claim"}
    table = all_out_but(OpenTable({"A": "KH", "B": "KS"}, **options), "K")
    table.state = replace(table.state, last_lead=(Rank.KING, 1))
    table.lay("A", "KH", "K")


def test_the_stall_guard_leaves_another_number_of_the_only_rank():
    options = {"pack": 24, "retired_ranks": "barred", "stall_guard": "no_repeat_claim"}
    table = all_out_but(OpenTable({"A": "KH KD", "B": "KS"}, **options), "K")
    table.state = replace(table.state, last_lead=(Rank.KING, 1))
    assert refusal(lambda: table.lay("A", "KH", "K")).reason is Refusal.REPEATED_CLAIM
    table.lay("A", "KH KD", "K")


def test_a_pending_player_may_have_to_be_called():
    table = OpenTable({"A": "KH", "B": "6S 9C", "C": "JH"}, form="dictionary", must_call_pending="yes")
    table.lay("A", "KH", "K")
    assert refusal(lambda: table.lay("B", "6S", "K")).reason is Refusal.MUST_CALL
    assert choices(table.state).most == 0
    table.call("B")
    assert table.out == "A"


def test_must_call_does_not_bind_where_no_call_is_possible():
    table = OpenTable(
        {"A": "KH", "B": "6S 9C", "C": "JH"},
        form="encyclopedia",
        must_call_pending="yes",
        veryu="none",
    )
    table.lay("A", "KH", "K")
    table.lay("B", "6S", "K")
    assert table.out == "A"


def stalled(**options):
    table = OpenTable({"A": "6S 7S 8S", "B": "9S JS"}, stall_guard="no_repeat_claim", **options)
    table.lay("A", "6S", "6", 1 if options.get("form") != "dictionary" else None)
    table.call("B")
    return table


def test_with_two_left_the_claim_of_the_last_lead_may_not_be_repeated():
    table = stalled(pack=36)
    assert refusal(lambda: table.lay("A", "7S", "6")).reason is Refusal.REPEATED_CLAIM
    found = choices(table.state)
    assert (found.barred_rank, found.barred_number) == (Rank.SIX, 1)
    table.lay("A", "7S 8S", "6")


def test_where_numbers_are_unstated_the_rank_alone_is_the_claim():
    table = stalled(form="dictionary", pack=36)
    assert refusal(lambda: table.lay("A", "7S 8S", "6")).reason is Refusal.REPEATED_CLAIM
    assert Rank.SIX not in choices(table.state).ranks


def test_the_stall_guard_sleeps_while_three_are_in():
    table = OpenTable({"A": "6S 7S", "B": "9S JS", "C": "8D"}, stall_guard="no_repeat_claim")
    table.lay("A", "6S", "6")
    table.call("B")
    table.lay("C", "8D", "6")


def test_first_out_wins_and_ends_the_deal_without_a_loser():
    table = OpenTable(
        {"A": "KH", "B": "6S", "C": "7S"}, form="dictionary", end="first_out", next_dealer="left"
    )
    table.lay("A", "KH", "K")
    table.lay("B", "6S", "K")
    assert (table.state.over, table.state.winner, table.state.loser) == (True, Seat(0), None)
    assert next_dealer(table.state) == 1


def test_the_loser_deals_next_where_the_rules_say_so():
    table = OpenTable({"A": "KH", "B": "6S"}, form="dictionary", dealer="A")
    table.lay("A", "KH", "K")
    table.call("B")
    assert next_dealer(table.state) == 1
