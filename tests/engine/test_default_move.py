"""Whoever lets his time run out makes a legal move that he could have known beforehand."""

from dataclasses import replace
from random import Random

import pytest
from any_rules import rulesets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from open_table import OpenTable

from engine import (
    CHOICES,
    Answer,
    Call,
    DiscardSets,
    Duty,
    GoOut,
    Lay,
    Rank,
    Ruleset,
    Seat,
    View,
    apply,
    variations_of,
)
from engine.bots import policy
from engine.default_move import default_move
from engine.rules import PRESETS
from engine.sim import Table


def dealt(rules, players, seed):
    """A table of so many players, its random players, and its chance."""
    chance = Random(seed)
    order = tuple(Seat(seat) for seat in range(players))
    table = Table(rules, order, order[chance.randrange(players)], chance)
    return table, {seat: policy("random", chance.getrandbits(32)) for seat in order}, chance


def seen(table, name):
    """What a seat of an open table sees."""
    seat = table.seat(name)
    hand = table.state.hand_of(seat)
    return View(table.state, seat, {slot: table.faces[slot] for slot in hand})


def checked(table, owed):
    """The default move for an obligation, after checking that it depends on the view alone and is legal."""
    view = table.view(owed.seat)
    move = default_move(view)
    assert move == default_move(View(view.state, view.seat, dict(view.faces)))
    apply(table.state, move)
    return move


def by_a_coin(minds, table, owed):
    """What a random player does, who now and then forgets to announce his last cards."""
    move = minds[owed.seat].choose(table.view(owed.seat), owed)
    return replace(move, out=False) if isinstance(move, Lay) else move


def walk(rules, players, seed, *, steps, share):
    """Play on, trying the default of everybody who has something to choose; `share` of the moves are it."""
    table, minds, chance = dealt(rules, players, seed)
    duties = set()
    for _ in range(steps):
        if table.state.over:
            break
        for owed in table.state.owed:
            if owed.duty in CHOICES:
                duties.add(owed.duty)
                checked(table, owed)
        owed = chance.choice(table.state.owed)
        move = table.only_answer(owed)
        if move is None:
            lapsed = chance.random() < share
            move = default_move(table.view(owed.seat)) if lapsed else by_a_coin(minds, table, owed)
        table.play(move)
    return duties


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(rulesets(), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]))
def test_the_default_of_every_view_in_which_something_is_chosen_is_legal(chosen, seed, share):
    rules, players = chosen
    walk(rules, players, seed, steps=120, share=share)


@pytest.mark.parametrize("form", PRESETS)
def test_the_default_is_legal_in_every_named_variation_of_a_form_and_a_deal_of_defaults_goes_on(form):
    for rules in (Ruleset.preset(form), *(one.ruleset for one in variations_of(form))):
        for seed in range(3):
            walk(rules.resolve(4), 4, seed, steps=200, share=0.5)


def test_every_kind_of_choice_is_met():
    duties = set()
    for form, options in (
        ("pagat", {}),
        ("dictionary", {"callers": "any"}),
        ("dictionary", {"out_call": "manual"}),
    ):
        for seed in range(12):
            duties |= walk(Ruleset.with_preset(form, options).resolve(3), 3, seed, steps=400, share=0.2)
    assert duties == CHOICES


def test_a_packet_that_may_be_doubted_is_doubted():
    table = OpenTable({"A": "KH KD", "B": "6S", "C": "7S"}, pack=36).follow("K", ("C", "KS"))
    assert default_move(seen(table, "A")) == Call(table.seat("A"), False)


def test_with_a_rank_due_and_nothing_to_call_one_true_card_is_laid():
    table = OpenTable({"A": "KH KD QD QS", "B": "6S", "C": "7S"}, form="dictionary", rank_rule="ascending")
    move = default_move(seen(table, "A"))
    assert isinstance(move, Lay)
    assert (move.rank, len(move.slots)) == (table.state.due_rank, 1)


def test_without_a_card_of_the_rank_one_of_the_scarcest_others_is_laid():
    table = OpenTable(
        {"A": "KH KD QS 7D 7S", "B": "6S", "C": "8S"}, form="dictionary", pack=36, rank_rule="ascending"
    )
    assert table.state.due_rank is Rank.ACE
    move = default_move(seen(table, "A"))
    assert [seen(table, "A").faces[slot].rank for slot in move.slots] == [Rank.QUEEN]
    assert move.rank is Rank.ACE


def test_a_leader_lays_one_card_of_what_he_has_most_of_and_names_it_truly():
    table = OpenTable({"A": "6S QS QH QD KD", "B": "7S", "C": "8S"}, pack=36)
    move = default_move(seen(table, "A"))
    assert (move.rank, move.number, len(move.slots)) == (Rank.QUEEN, 1, 1)
    assert seen(table, "A").faces[move.slots[0]].rank is Rank.QUEEN


def test_a_leader_who_has_to_lay_two_lays_two_true_ones_if_he_can():
    table = OpenTable({"A": "6S QS QH KD", "B": "7S", "C": "8S"}, form="dictionary", pack=36, lead_min=2)
    move = default_move(seen(table, "A"))
    assert {seen(table, "A").faces[slot].rank for slot in move.slots} == {Rank.QUEEN}
    assert len(move.slots) == 2


def test_fours_are_kept_an_empty_hand_is_announced_and_in_the_window_nothing_is_said():
    """By playing until each is owed."""
    kept = announced = silent = False
    for seed in range(12):
        for form, options in (
            ("pagat", {}),
            ("dictionary", {"out_call": "manual"}),
            ("dictionary", {"callers": "any"}),
        ):
            table, minds, chance = dealt(Ruleset.with_preset(form, options), 3, seed)
            for _ in range(300):
                if table.state.over:
                    break
                owed = chance.choice(table.state.owed)
                move = table.only_answer(owed)
                if move is None:
                    lapsed = checked(table, owed)
                    if owed.duty is Duty.DISCARD_SETS:
                        assert lapsed == DiscardSets(owed.seat, (), ())
                        kept = True
                    elif owed.duty is Duty.GO_OUT_OR_CALL:
                        assert lapsed == GoOut(owed.seat)
                        announced = True
                    elif owed.duty is Duty.ANSWER:
                        assert lapsed == Answer(owed.seat, None)
                        silent = True
                    move = by_a_coin(minds, table, owed)
                table.play(move)
    assert kept
    assert announced
    assert silent


def test_where_a_call_is_demanded_and_only_veryu_is_possible_it_is_veryu():
    options = {"must_call_pending": "yes", "lead_exempt": "any_round_lead"}
    table = OpenTable({"A": "KH", "B": "6S 9C", "C": "JH"}, form="dictionary", **options)
    table.lay("A", "KH", "K")
    assert default_move(seen(table, "B")) == Call(table.seat("B"), True)


def test_who_has_nothing_to_choose_has_no_default():
    table = OpenTable({"A": "KH", "B": "6S", "C": "7S"}, pack=36)
    for view in (seen(table, "B"), View(table.state, None, {})):
        with pytest.raises(ValueError, match="owed"):
            default_move(view)
