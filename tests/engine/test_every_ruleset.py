"""What holds whatever is played: any valid ruleset, any legal and illegal moves, in any order."""

import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from any_rules import COUNTS, rulesets
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import (
    CHOICES,
    OPTIONS,
    Answer,
    Call,
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    GoOut,
    IllegalMove,
    Lay,
    Phase,
    PickUp,
    Rank,
    Reveal,
    Ruleset,
    RulesetError,
    Seat,
    Slot,
    View,
    apply,
    choices,
    deck_of,
    events,
    move_from_text,
    move_to_text,
    state_from_text,
    state_to_text,
)
from engine.bots import policy
from engine.rules import PRESETS
from engine.sim import Table


@st.composite
def arbitrary_moves(draw):
    """Moves of every kind with values near those that exist."""
    seat = Seat(draw(st.integers(-1, 12)))
    slots = tuple(Slot(n) for n in draw(st.lists(st.integers(-1, 120), max_size=5)))
    faces = tuple(draw(st.lists(st.sampled_from(deck_of(52)), max_size=5)))
    rank = draw(st.sampled_from(list(Rank)))
    call = Call(seat, draw(st.booleans()), draw(st.none() | st.integers(-1, 9)))
    number = draw(st.none() | st.integers(-1, 9))
    return draw(
        st.sampled_from(
            [
                Lay(seat, slots, rank, number, draw(st.booleans())),
                call,
                Answer(seat, draw(st.sampled_from([None, call]))),
                GoOut(seat),
                Draw(seat),
                DrawIndex(seat, draw(st.integers(-1, 900))),
                Reveal(seat, slots, faces),
                PickUp(seat),
                DiscardSets(seat, slots, faces),
            ]
        )
    )


class AnyDeal(RuleBasedStateMachine):
    """One deal by any rules, played by coins, with nonsense tried in between."""

    @initialize(ruleset=rulesets(), seed=st.integers(0, 2**32))
    def deal(self, ruleset, seed):
        rules, players = ruleset
        chance = Random(seed)
        order = [Seat(seat) for seat in range(players)]
        chance.shuffle(order)
        self.table = Table(rules, tuple(order), order[0], chance)
        self.minds = {seat: policy("random", chance.getrandbits(32)) for seat in order}
        self.deck = Counter(deck_of(rules.pack, rules.packs))

    @property
    def state(self):
        return self.table.state

    @precondition(lambda self: not self.state.over)
    @rule(steps=st.integers(1, 30), which=st.integers(0, 11))
    def play(self, steps, which):
        for _ in range(steps):
            if self.state.over:
                break
            before = self.state
            owed = before.owed[which % len(before.owed)]
            view = self.table.view(owed.seat)
            move = self.table.only_answer(owed) or self.minds[owed.seat].choose(view, owed)
            told = events(before, move, apply(before, move))
            self.table.make(move)
            names = [type(event).__name__ for event in told]
            assert names.count("WentOut") == len(self.state.out) - len(before.out)
            assert names.count("DealOver") == self.state.over
            assert move_from_text(move_to_text(move)) == move
            self.fresh_handles(before, move)

    def fresh_handles(self, before, move):
        fresh = set(slots_of(self.state)) - set(slots_of(before))
        assert all(slot >= before.next_slot for slot in fresh)
        assert isinstance(move, PickUp | Draw) or not fresh

    @rule(move=arbitrary_moves())
    def try_anything(self, move):
        text = state_to_text(self.state)
        try:
            after = apply(self.state, move)
        except IllegalMove:
            after = None
        assert state_to_text(self.state) == text
        if after is not None:
            assert len(slots_of(after)) == after.ruleset.cards
            assert move in [move_from_text(move_to_text(move))]

    @invariant()
    def every_card_is_in_one_place(self):
        slots = slots_of(self.state)
        assert len(slots) == len(set(slots)) == self.state.ruleset.cards
        assert Counter(self.table.faces[slot] for slot in slots) == self.deck
        for card in self.state.removed:
            assert card.face in (None, self.table.faces[card.slot])

    @invariant()
    def what_is_owed_is_owed_by_those_who_are_in_and_can_be_done(self):
        state = self.state
        owed = state.owed
        assert (not owed) == state.over == (state.phase is Phase.OVER) == (state.turn is None)
        assert len({one.seat for one in owed}) == len(owed)
        assert len(owed) <= 1 or all(one.duty is Duty.ANSWER for one in owed)
        assert state.turn is None or state.turn in state.seats_in
        for one in owed:
            if one.duty in CHOICES:
                assert one.seat in state.seats_in
            if one.duty in CHOICES and one.duty is not Duty.DISCARD_SETS:
                found = choices(state, one.seat)
                lays = found.most and found.ranks
                assert lays or found.may_doubt or found.may_believe or found.may_pass

    @invariant()
    def empty_hands_are_known_and_have_a_reason(self):
        state = self.state
        empty = {seat for seat in state.seats_in if not state.hand_of(seat)}
        assert empty == set(state.emptied)
        assert len(empty) == len(state.emptied)
        assert set(state.announced) <= empty
        settled = state.phase in (Phase.PLAY, Phase.DRAW, Phase.ANSWER)
        if settled and not state.stock and not state.ruleset.manual_out:
            assert empty == ({state.pending} if state.pending is not None else set())

    @invariant()
    def a_state_reads_back_from_its_text(self):
        assert state_from_text(state_to_text(self.state)) == self.state

    @invariant()
    def a_view_shows_no_more_than_its_seat_may_know(self):
        state = self.state
        for seat in (None, state.order[0]):
            seen = View(state, seat, {}).state
            assert seen.owed == state.owed or state.ruleset.hides_sizes
            assert seen.emptied == state.emptied
            if state.ruleset.hides_sizes:
                assert all(not seen.hand_of(other) for other in state.order if other != seat)
                assert all(not packet.slots for packet in seen.table if packet.owner != seat)


def slots_of(state):
    """Every slot that the state mentions, once for each place."""
    places = [slot for hand in state.hands for slot in hand]
    places += [*state.pile, *state.burned, *state.stock]
    return places + [card.slot for card in state.removed]


AnyDeal.TestCase.settings = settings(
    max_examples=150,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestAnyDeal(AnyDeal.TestCase):
    """Run by pytest."""


DIGESTS = """
from random import Random
from engine import VARIATIONS, Seat
from engine.bots import policy
from engine.sim import Table
for name, variation in VARIATIONS.items():
    chance = Random(name)
    order = tuple(Seat(seat) for seat in range(4))
    table = Table(variation.ruleset, order, Seat(0), chance)
    minds = {seat: policy(("honest", "counting")[seat % 2], seat) for seat in order}
    for _ in range(60):
        if table.state.over:
            break
        owed = table.state.owed[0]
        move = table.answer() or minds[owed.seat].choose(table.view(owed.seat), owed)
        for event in table.play(move):
            for seat in order:
                minds[seat].observe(table.view(seat), event)
        print(table.state.digest().hex())
"""


def test_two_engines_have_equal_digests_in_every_variation_under_every_hash_seed():
    outputs = set()
    for seed in ("0", "4294967295"):
        run = subprocess.run(
            [sys.executable, "-c", DIGESTS],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        )
        outputs.add(run.stdout)
    (output,) = outputs
    assert len(output.splitlines()) > 500


@pytest.mark.parametrize("seed", range(40))
def test_any_ruleset_is_played_by_any_bots_to_the_end(seed):
    chance = Random(seed)
    while True:
        options = {}
        for name, domain in OPTIONS.items():
            if chance.random() < 0.25:
                options[name] = chance.choice([*domain.values, *(COUNTS if domain.numbers else ())])
        players = chance.randint(2, 6)
        try:
            rules = Ruleset.with_preset(chance.choice(list(PRESETS)), options).resolve(players)
        except RulesetError:
            continue
        break
    order = tuple(Seat(seat) for seat in range(players))
    table = Table(rules, order, Seat(0), chance)
    minds = {seat: policy(chance.choice(("random", "honest", "counting")), seat) for seat in order}
    for _ in range(400):
        if table.state.over:
            break
        owed = table.state.owed
        only = table.only_answer(owed[0])
        moves = [only] if only else [minds[one.seat].choose(table.view(one.seat), one) for one in owed]
        for move in moves:
            for event in table.play(move):
                for seat in order:
                    minds[seat].observe(table.view(seat), event)
