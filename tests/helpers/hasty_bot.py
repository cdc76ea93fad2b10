"""A policy that brings a deal to its end in a few turns, for tests that need many."""

from engine.bots.simple import RandomPolicy, lay, possible_calls
from engine.bots.simple import allowed as allowed_lead
from engine.moves import Call, Move
from engine.view import View

CALLS = 0.25
"""How often it calls where it may."""
HURRIES = 0.8
"""How often it lays as many cards as it can."""


class HastyPolicy(RandomPolicy):
    """Lays as much as it may, mostly, and calls now and then."""

    def choose_turn(self, view: View) -> Move:
        """A call sometimes, else a large lay, true or not."""
        choices = view.choices
        calls = possible_calls(choices)
        if calls and (choices.most == 0 or self.random.random() < CALLS):
            return self.call(view, self.random.choice(calls))
        assert view.seat is not None
        hand = view.state.hand_of(view.seat)
        most = min(choices.most, len(hand))
        rank = self.random.choice(choices.ranks)
        hurries = most >= choices.least and self.random.random() < HURRIES
        if hurries and allowed_lead(choices, rank, most) and not view.state.ruleset.hides_sizes:
            return lay(view, self.random.sample(hand, most), rank, most)
        return super().choose_turn(view)

    def choose_call(self, view: View) -> Call | None:
        """In an open window a call now and then."""
        calls = possible_calls(view.choices)
        if view.choices.may_pass and self.random.random() >= CALLS:
            return None
        return self.call(view, self.random.choice(calls)) if calls else None
