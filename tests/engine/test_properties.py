"""What holds in every state that play can reach, whoever plays and by whichever options."""

import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    CHOICES,
    Call,
    DiscardSets,
    Duty,
    IllegalMove,
    Lay,
    Lead,
    Phase,
    PickUp,
    Rank,
    Reveal,
    Ruleset,
    Seat,
    Slot,
    apply,
    deck_of,
    events,
    move_from_text,
    move_to_text,
    state_from_text,
    state_to_text,
)
from engine.bots import policy
from engine.sim import Table

VARIANTS = [
    ("pagat", {}),
    ("pagat", {"pack": 24, "no_aces": "yes"}),
    ("pagat", {"packs": 2, "pack": 24, "set_size": "copies", "retired_ranks": "barred"}),
    ("pagat", {"sets": "none", "lead_max": "none", "follow_max": "copies", "stall_guard": "no_repeat_claim"}),
    ("pagat", {"rank_after_wrong_ne": "same", "after_bluff": "next_after_owner", "burn": 0}),
    ("encyclopedia", {"must_call_pending": "yes"}),
    ("encyclopedia", {"lead_exempt": "any_round_lead", "veryu": "none"}),
    ("dictionary", {"veryu": "packet", "follow_max": "live_copies", "retired_ranks": "barred"}),
    ("dictionary", {"end": "first_out", "next_dealer": "left", "lead_min": 2}),
]

deals = st.tuples(st.sampled_from(VARIANTS), st.integers(2, 6), st.integers(0, 2**32), st.integers(0, 120))
quick = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def played(deal):
    """A table after some moves of random players; yields `(before, move, after)` of each."""
    (form, options), players, seed, moves = deal
    chance = Random(seed)
    order = [Seat(seat) for seat in range(players)]
    chance.shuffle(order)
    rules = Ruleset.with_preset(form, options)
    table = Table(rules, tuple(order), order[chance.randrange(players)], chance)
    minds = {seat: policy("random", chance.getrandbits(32)) for seat in order}
    for _ in range(moves):
        if table.state.over:
            break
        before, owed = table.state, table.state.owed[0]
        move = table.answer() or minds[owed.seat].choose(table.view(owed.seat), owed)
        table.play(move)
        yield table, before, move, table.state


def slots_of(state):
    """Every slot that the state mentions, once for each place."""
    places = [slot for hand in state.hands for slot in hand]
    places += state.pile
    places += state.burned
    return places + [card.slot for card in state.removed]


@quick
@given(deals)
def test_cards_are_conserved_and_every_slot_is_in_one_place(deal):
    for table, _, _, after in played(deal):
        slots = slots_of(after)
        rules = after.ruleset
        assert len(slots) == len(set(slots)) == rules.cards
        assert max(slots) < after.next_slot
        deck = Counter(deck_of(rules.pack, rules.packs))
        assert Counter(table.faces[slot] for slot in slots) == deck
        for card in after.removed:
            assert card.face in (None, table.faces[card.slot])


@quick
@given(deals)
def test_handles_are_never_used_again(deal):
    for _, before, move, after in played(deal):
        fresh = set(slots_of(after)) - set(slots_of(before))
        assert all(slot >= before.next_slot for slot in fresh)
        assert isinstance(move, PickUp) or not fresh


@quick
@given(deals)
def test_exactly_one_thing_is_owed_until_the_end_and_by_someone_who_is_in(deal):
    for _, _, _, after in played(deal):
        assert len(after.owed) == (0 if after.over else 1)
        for owed in after.owed:
            if owed.duty in CHOICES or owed.duty is Duty.PICK_UP:
                assert owed.seat in after.seats_in
        assert (after.turn is None) == after.over
        assert after.over == (after.phase is Phase.OVER)


@quick
@given(deals)
def test_nobody_without_cards_is_in_unless_his_packet_is_live_or_being_settled(deal):
    for _, _, _, after in played(deal):
        if after.phase is not Phase.PLAY:
            continue
        empty = [seat for seat in after.seats_in if not after.hand_of(seat)]
        assert empty == ([after.pending] if after.pending is not None else [])
        assert after.turn not in empty


@quick
@given(deals)
def test_every_reachable_state_offers_a_legal_move(deal):
    for table, _, _, after in played(deal):
        for owed in after.owed:
            mind = policy("honest", 1)
            apply(after, table.answer() or mind.choose(table.view(owed.seat), owed))
            if owed.duty in (Duty.LAY, Duty.LAY_OR_CALL):
                found = table.view(owed.seat).choices
                assert found.most or found.may_doubt or found.may_believe
                assert owed.duty is Duty.LAY_OR_CALL or not (found.may_doubt or found.may_believe)


@quick
@given(deals)
def test_states_and_moves_read_back_from_their_texts(deal):
    for _, _, move, after in played(deal):
        assert state_from_text(state_to_text(after)) == after
        assert move_from_text(move_to_text(move)) == move


@quick
@given(deals)
def test_events_tell_of_every_exit_and_of_the_end_once(deal):
    for _, before, move, after in played(deal):
        told = events(before, move, after)
        names = [type(event).__name__ for event in told]
        assert names.count("WentOut") == len(after.out) - len(before.out)
        assert names.count("DealOver") == after.over
        free_to_lead = after.phase is Phase.PLAY and after.lead is Lead.DUE
        assert names.count("RoundStarted") == free_to_lead


@st.composite
def arbitrary_moves(draw):
    """Moves of every kind with values near those that exist."""
    seat = Seat(draw(st.integers(-1, 6)))
    slots = tuple(Slot(n) for n in draw(st.lists(st.integers(-1, 60), max_size=5)))
    faces = tuple(draw(st.lists(st.sampled_from(deck_of(52)), max_size=5)))
    rank = draw(st.sampled_from(list(Rank)))
    return draw(
        st.sampled_from(
            [
                Lay(seat, slots, rank, draw(st.none() | st.integers(-1, 5))),
                Call(seat, draw(st.booleans())),
                Reveal(seat, slots, faces),
                PickUp(seat),
                DiscardSets(seat, slots, faces),
            ]
        )
    )


@quick
@given(deals, st.lists(arbitrary_moves(), min_size=1, max_size=20))
def test_an_illegal_move_changes_nothing_and_a_legal_one_keeps_the_cards(deal, moves):
    *_, (_, _, _, state) = [*played((*deal[:3], deal[3] + 1))]
    text = state_to_text(state)
    for move in moves:
        try:
            after = apply(state, move)
        except IllegalMove:
            after = None
        assert state_to_text(state) == text
        if after is not None:
            assert len(slots_of(after)) == state.ruleset.cards


DIGESTS = """
from random import Random
from engine import Ruleset, Seat
from engine.bots import policy
from engine.sim import Table
chance = Random(5)
order = tuple(Seat(seat) for seat in range(4))
table = Table(Ruleset.preset("pagat"), order, Seat(0), chance)
minds = {seat: policy("counting", seat) for seat in order}
while not table.state.over:
    owed = table.state.owed[0]
    move = table.answer() or minds[owed.seat].choose(table.view(owed.seat), owed)
    for event in table.play(move):
        for seat in order:
            minds[seat].observe(table.view(seat), event)
    print(table.state.digest().hex())
"""


def test_digests_are_equal_under_every_hash_seed_and_locale():
    outputs = set()
    for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("4294967295", "tr_TR.UTF-8")):
        run = subprocess.run(
            [sys.executable, "-c", DIGESTS],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONPATH": ":".join(sys.path)},
        )
        outputs.add(run.stdout)
    (output,) = outputs
    lines = output.splitlines()
    assert len(lines) > 20
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(("form", "options"), VARIANTS)
def test_every_variant_plays_to_an_end(form, options):
    deal = ((form, options), 4, 11, 3000)
    *_, (_, _, _, state) = played(deal)
    assert state.over
    assert state.winner == state.out[0]
    assert (state.loser is None) == (options.get("end") == "first_out")
