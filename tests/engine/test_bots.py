"""Bots: legal moves, from Views alone, repeatable by seed, quick, and each as clever as it says."""

import time
from dataclasses import replace
from random import Random

import pytest
from bounds import slowness
from open_table import OpenTable

from engine import (
    CHOICES,
    VARIATIONS,
    Answer,
    Call,
    Duty,
    GoOut,
    Lay,
    Obligation,
    Phase,
    PickUp,
    Rank,
    Removed,
    Reveal,
    Ruleset,
    Seat,
    Slot,
    View,
    apply,
    deal_events,
    deck_of,
    events,
)
from engine.bots import POLICIES, CountingPolicy, policy
from engine.bots.memory import Habits, Memory, own_counts
from engine.sim import Table

FORMS = ["club", "pagat", "encyclopedia", "dictionary"]
ORDER = tuple(Seat(seat) for seat in range(4))


class Checked(dict):
    """Faces that a seat may read; asking for any other slot fails the test."""

    def __missing__(self, slot):
        raise AssertionError(f"a bot asked for slot {slot}, which its seat has not read")


def play(table, minds, each=lambda view, owed, move: None, limit=2000):
    """Plays a deal, and gives every decision to `each`."""

    def tell(happened):
        for seat in minds:
            for event in happened:
                minds[seat].observe(View(table.state, seat, Checked(table.view(seat).faces)), event)

    tell(deal_events(table.state))
    for _ in range(limit):
        if table.state.over:
            return
        moves = [table.answer()]
        if moves[0] is None:
            moves = []
            for owed in table.state.owed:
                view = View(table.state, owed.seat, Checked(table.view(owed.seat).faces))
                moves.append(minds[owed.seat].choose(view, owed))
                each(view, owed, moves[-1])
        for move in moves:
            tell(table.play(move))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", POLICIES)
def test_bots_choose_only_legal_moves_and_ask_only_for_what_they_have_read(name, form):
    seen = set()

    def each(view, owed, move):
        assert owed.duty in CHOICES
        apply(view.state, move)
        seen.add(type(move))

    for seed in range(6):
        table = Table(Ruleset.preset(form), ORDER, Seat(seed % 4), Random(seed))
        play(table, {seat: policy(name, seed + seat) for seat in ORDER}, each)
    assert {Lay, Call} <= seen


MANY = [
    *((variation.form, dict(variation.options)) for variation in VARIATIONS.values()),
    ("club", {"check": "one_by_caller", "number_test": "ignored"}),
    ("club", {"callers": "any", "open_turn": "normal_rotation", "out_call": "manual", "lead_min": 3}),
    ("pagat", {"deal": "hand", "hand_size": 6, "refill": "every_turn", "out_call": "manual"}),
    ("dictionary", {"callers": "any", "must_call_pending": "yes", "check": "one_by_caller"}),
    ("encyclopedia", {"rank_rule": "ascending", "ascending_after_pickup": "choose", "no_aces": "yes"}),
]


@pytest.mark.parametrize(("form", "options"), MANY)
@pytest.mark.parametrize("name", POLICIES)
def test_bots_play_every_option_legally_to_the_end(name, form, options):
    duties = set()

    def each(view, owed, move):
        apply(view.state, move)
        duties.add(owed.duty)

    for players in (2, 4):
        table = Table(Ruleset.with_preset(form, options), ORDER[:players], Seat(1), Random(players))
        play(table, {seat: policy(name, seat) for seat in ORDER[:players]}, each)
    assert Duty.LAY_OR_CALL in duties or Duty.ANSWER in duties


def test_counting_says_one_and_lays_more_where_nobody_sees_it():
    table = OpenTable({"A": "6S 7S 8S 9S 10S JS", "B": "QC JC 6C", "C": "6D AD 7D"}, form="club")
    table.follow("K", ("C", "KS"))
    lays = [
        move for move in (choose("counting", table, 0, seed) for seed in range(40)) if isinstance(move, Lay)
    ]
    assert any(move.number < len(move.slots) for move in lays)


@pytest.mark.parametrize("name", ["honest", "counting"])
def test_in_an_open_window_a_claim_that_cannot_be_true_is_called(name):
    table = OpenTable({"A": "8H 9S", "B": "6S 7S", "C": "KS KH KD"}, form="dictionary", callers="any")
    table.lay("A", "8H 9S", "K")
    answer = {choose(name, table, 2, seed, 1) for seed in range(10)}
    assert answer == {Answer(Seat(2), Call(Seat(2), False))}


@pytest.mark.parametrize("name", POLICIES)
def test_an_empty_hand_that_must_be_announced_is_announced_or_calls(name):
    table = OpenTable({"A": "10S", "B": "8S 8D", "C": "9S JS"}, form="dictionary", out_call="manual")
    for seat, card in (("A", "10S"), ("B", "8S"), ("C", "9S")):
        table.lay(seat, card, "10")
    found = {type(choose(name, table, 0, seed)) for seed in range(20)}
    assert found <= {Call, GoOut}


@pytest.mark.parametrize(
    "options", [{"stall_guard": "no_repeat_claim"}, {"stall_guard": "no_repeat_claim", "lead_max": 1}]
)
@pytest.mark.parametrize("name", POLICIES)
def test_bots_find_their_way_round_the_stall_guard(name, options):
    for seed in range(6):
        rules = Ruleset.preset("pagat").with_(**options)
        table = Table(rules, ORDER[:2], Seat(0), Random(seed))
        play(table, {seat: policy(name, seed + seat) for seat in ORDER[:2]}, limit=600)


@pytest.mark.parametrize("name", POLICIES)
def test_bots_lay_within_lead_min_and_follow_limits(name):
    rules = Ruleset.preset("dictionary").with_(lead_min=5, lead_max=6, follow_max=2, must_call_pending="yes")
    for seed in range(4):
        table = Table(rules, ORDER, Seat(0), Random(seed))
        play(table, {seat: policy(name, seed + seat) for seat in ORDER}, limit=600)


@pytest.mark.parametrize("name", POLICIES)
def test_bots_find_the_only_number_that_is_left_to_claim(name):
    options = {"pack": 24, "retired_ranks": "barred", "stall_guard": "no_repeat_claim"}
    table = OpenTable({"A": "QH QD JH", "B": "KS"}, **options)
    others = " ".join(str(card) for card in deck_of(24) if card.rank is not Rank.KING)
    gone = tuple(Removed(slot, table.faces[slot]) for slot in table.add(others))
    table.state = replace(table.state, removed=gone, last_lead=(Rank.KING, 1))
    found = {choose(name, table, 0, seed).number for seed in range(10)}
    assert found <= {2, 3}


@pytest.mark.parametrize("name", POLICIES)
def test_bots_believe_where_nothing_else_is_allowed(name):
    options = {"lead_exempt": "any_round_lead", "must_call_pending": "yes"}
    table = OpenTable({"A": "QH", "B": "KS 9S", "C": "8S"}, form="encyclopedia", **options)
    table.lay("A", "QH", "Q")
    assert {choose(name, table, 1, seed) for seed in range(10)} == {Call(Seat(1), True)}


def moves_of(name, seed):
    moves = []
    table = Table(Ruleset.preset("pagat"), ORDER, Seat(0), Random(3))
    minds = {seat: policy(name, seed + seat) for seat in ORDER}
    play(table, minds, lambda view, owed, move: moves.append(move))
    return moves


@pytest.mark.parametrize("name", POLICIES)
def test_the_seed_decides_and_nothing_else_does(name):
    assert moves_of(name, 1) == moves_of(name, 1)
    assert moves_of(name, 1) != moves_of(name, 100)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="clever"):
        policy("clever", 1)


def test_a_bot_answers_only_what_its_own_seat_may_choose():
    table = OpenTable({"A": "KH", "B": "6S"}, pack=36)
    view = View(table.state, Seat(0), table.faces)
    mind = policy("honest", 1)
    with pytest.raises(ValueError, match="another seat"):
        mind.choose(view, Obligation(Seat(1), Duty.LAY))
    with pytest.raises(ValueError, match="nothing to choose"):
        mind.choose(view, Obligation(Seat(0), Duty.PICK_UP))


def choose(name, table, seat, seed=1, place=0):
    mine = {slot: table.faces[slot] for slot in table.state.hand_of(Seat(seat))}
    own = [s for packet in table.state.table if packet.owner == seat for s in packet.slots]
    view = View(table.state, Seat(seat), Checked(mine | {slot: table.faces[slot] for slot in own}))
    mind = policy(name, seed)
    return mind.choose(view, table.state.owed[place])


def test_honest_calls_a_claim_that_its_own_cards_disprove():
    table = OpenTable({"A": "KH KD KC 9S", "B": "6S 7S", "C": "8S 8D"}, pack=36)
    table.follow("K", ("C", "7D 7H"))
    assert all(choose("honest", table, 0, seed) == Call(Seat(0), False) for seed in range(20))


@pytest.mark.parametrize("name", ["honest", "counting"])
def test_a_claim_of_a_rank_that_has_left_the_game_is_called(name):
    table = OpenTable({"A": "JH 8H 9S", "B": "6S 7S", "C": "8S 8D"}, pack=36)
    table.follow("K", ("C", "7D 7H"))
    gone = tuple(Removed(slot, table.faces[slot]) for slot in table.add("KS KH KD KC"))
    table.state = replace(table.state, removed=gone)
    assert all(choose(name, table, 0, seed) == Call(Seat(0), False) for seed in range(20))


@pytest.mark.parametrize("name", ["honest", "counting"])
def test_a_last_packet_with_two_left_is_always_called(name):
    table = OpenTable({"A": "6S 7S 8S", "B": "KS"}, pack=36)
    table.state = apply(table.state, Lay(Seat(0), (Slot(0),), table.faces[Slot(0)].rank, 1))
    table.lay("B", "KS", "6")
    assert all(choose(name, table, 0, seed) == Call(Seat(0), False) for seed in range(20))


def test_honest_lays_all_it_has_of_the_rank():
    table = OpenTable({"A": "KH KD 9S 9D", "B": "6S 7S", "C": "8S 8D"}, pack=36).follow("K", ("C", "KS"))
    assert choose("honest", table, 0) == Lay(Seat(0), table.held("A", "KH KD"), table.state.rank, 2)


def test_honest_bluffs_with_one_card_of_its_shortest_rank_or_calls():
    table = OpenTable({"A": "6S 6D 9S 9D JH", "B": "7S", "C": "8S 8D"}, pack=36).follow("K", ("C", "KS"))
    found = {choose("honest", table, 0, seed) for seed in range(30)}
    assert found == {Call(Seat(0), False), Lay(Seat(0), table.held("A", "JH"), table.state.rank, 1)}


@pytest.mark.parametrize("name", ["honest", "counting"])
def test_complete_fours_are_removed(name):
    table = OpenTable({"A": "KH KD KC 9S", "B": "6S", "C": "8S 8D"}, pack=36).follow("K", ("C", "KS"))
    table.call("A")
    assert table.state.phase is Phase.SETS
    assert len(choose(name, table, 0).slots) == 4


def test_counting_comes_back_in_the_middle_of_a_deal():
    table = OpenTable({"A": "KH KD 9S", "B": "6S 7S", "C": "8S 8D"}, pack=36).follow("K", ("C", "KS"))
    assert apply(table.state, choose("counting", table, 0)) is not None


def watch(table, seat=0):
    view = View(table.state, Seat(seat), table.faces)
    return Memory.of_table(view)


def observe(memory, table, before, move):
    for event in events(before, move, table.state):
        memory.observe(View(table.state, memory.seat, table.faces), event)


def test_memory_knows_the_cards_it_laid_when_another_takes_them():
    table = OpenTable({"A": "KH 9S 8C", "B": "6S 7S JD", "C": "8S 8D"}, pack=36)
    memory = watch(table)
    before = table.state
    move = Lay(Seat(0), table.held("A", "KH"), table.faces[Slot(0)].rank, 1)
    memory.intend([table.faces[Slot(0)].rank])
    table.do(move)
    observe(memory, table, before, move)
    before, move = table.state, Call(Seat(1), False)
    table.do(move)
    observe(memory, table, before, move)
    for _ in range(2):
        before = table.state
        owed = before.owed[0]
        move = _settling(table, owed)
        table.do(move)
        observe(memory, table, before, move)
    king = table.faces[Slot(0)].rank
    assert memory.hands[Seat(1)][king] == 1
    assert memory.pile == []


def _settling(table, owed):
    if owed.duty is Duty.REVEAL:
        return Reveal(owed.seat, owed.slots, tuple(table.faces[slot] for slot in owed.slots))
    return PickUp(owed.seat)


@pytest.mark.parametrize("name", POLICIES)
def test_bots_that_hear_of_events_late_still_play_legally(name):
    for seed in range(4):
        table = Table(Ruleset.preset("pagat"), ORDER, Seat(0), Random(seed))
        minds = {seat: policy(name, seed + seat) for seat in ORDER}
        unheard = {seat: list(deal_events(table.state)) for seat in ORDER}
        while not table.state.over:
            owed = table.state.owed[0]
            move = table.answer()
            if move is None:
                for event in unheard[owed.seat]:
                    minds[owed.seat].observe(table.view(owed.seat), event)
                unheard[owed.seat].clear()
                move = minds[owed.seat].choose(table.view(owed.seat), owed)
            happened = table.play(move)
            for seat in ORDER:
                unheard[seat].extend(happened)


def test_belief_in_a_claim_falls_with_the_cards_that_one_holds_oneself():
    beliefs = []
    for hand in ("9S 9D 9H 8C", "KH 9S 9D 8C", "KH KD 9S 8C", "KH KD KC 8C"):
        table = OpenTable({"A": hand, "B": "6S 7S JD", "C": "8S 8D"}, pack=36).follow("K", ("C", "KS 7C"))
        view = View(table.state, Seat(0), {s: table.faces[s] for s in table.state.hand_of(Seat(0))})
        memory = Memory.of_table(view)
        beliefs.append(memory.belief(own_counts(view), memory.pile[-1]))
    assert beliefs == sorted(beliefs, reverse=True)
    assert beliefs[0] > 0.2
    assert beliefs[-1] == 0.0


@pytest.mark.parametrize(
    ("form", "players", "options"),
    [
        ("pagat", 4, {}),
        ("club", 12, {"callers": "any"}),
        ("club", 2, {"pack": 52, "packs": 2}),
        ("encyclopedia", 2, {"pack": 52, "packs": 2}),
    ],
)
def test_no_decision_takes_20_ms(form, players, options):
    order = tuple(Seat(seat) for seat in range(players))
    spent = []

    class Timed(CountingPolicy):
        def choose(self, view, obligation):
            started = time.thread_time()
            move = super().choose(view, obligation)
            spent.append(time.thread_time() - started)
            return move

    table = Table(Ruleset.with_preset(form, options), order, Seat(0), Random(1))
    play(table, {seat: Timed(seat) for seat in order}, limit=150)
    assert len(spent) > 20
    # The slowest may have had the machine taken away while its clock ran.
    assert sorted(spent)[-2] < 0.020 * slowness()


def test_guesses_about_a_seat_are_corrected_by_what_its_packets_were():
    habits = Habits()
    assert habits.correction((True, False)) == 1.0
    habits.opened[(True, False)] = [5.0, 10.0, 10.0]
    habits.opened[(False, True)] = [5.0, 0.0, 10.0]
    assert habits.correction((True, False)) > 3
    assert habits.correction((False, True)) < 1 / 3
    assert habits.correction((False, False)) == 1.0
    assert 1.0 < habits.aged().correction((True, False)) < habits.correction((True, False))


def test_what_a_deal_taught_follows_the_neighbour_to_his_next_seat():
    table = OpenTable({"A": "6S", "B": "7S", "C": "8S"}, form="dictionary")
    last = watch(table, 0)
    last.habits[Seat(1)].random = 0.9
    now = watch(table, 2)
    now.learn_from(last)
    assert now.habits[Seat(0)].random > 0.4
    assert now.habits[Seat(1)].random < 0.4


def test_an_opened_packet_counts_among_the_guesses_about_its_owner():
    table = OpenTable({"A": "KH 9S", "B": "6S 7S", "C": "8S 8D"}, form="dictionary")
    memory = watch(table, 2)
    for move in (Lay(Seat(0), table.held("A", "KH"), Rank.KING, None), Call(Seat(1), False)):
        before = table.state
        table.do(move)
        observe(memory, table, before, move)
    before, move = table.state, _settling(table, table.state.owed[0])
    table.do(move)
    observe(memory, table, before, move)
    ((kind, sums),) = memory.habits[Seat(0)].opened.items()
    assert kind == (True, False)
    assert sums[1:] == [1.0, 1.0]
    assert 0.5 < sums[0] < 1
