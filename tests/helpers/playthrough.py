"""One whole deal as text: every move, what happened, and the digest after it.

`python tests/helpers/playthrough.py FORM` prints a new one; run it only when the rules or the texts of the
engine are meant to change, and read the difference to the old one.
"""

import sys
from dataclasses import fields
from random import Random

from engine import Ruleset, Seat, apply, deal_events, events, move_to_text, state_to_text
from engine.bots import policy
from engine.sim import Table, play_deal

SEATS = tuple(Seat(seat) for seat in (2, 0, 3, 1))
MINDS = ("counting", "honest", "honest", "counting")
CLUB_MINDS = ("honest", "honest", "random", "honest")
"""The counting policy hardly ever believes a packet there."""
SEEDS = {"club": 4, "pagat": 8, "encyclopedia": 10, "dictionary": 11}


def event_text(event):
    """An event as one line."""
    values = ((field.name, getattr(event, field.name)) for field in fields(event))
    return " ".join([type(event).__name__, *(f"{name}={_value(value)}" for name, value in values)])


def _value(value):
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def render(state, moves):
    """The deal that begins in `state` and goes on by `moves`."""
    lines = ["start", *state_to_text(state).splitlines()]
    lines += [f"  {event_text(event)}" for event in deal_events(state)]
    for move in moves:
        before, state = state, apply(state, move)
        lines.append(f"move {move_to_text(move)}")
        lines += [f"  {event_text(event)}" for event in events(before, move, state)]
        lines.append(f"digest {state.digest().hex()}")
    return "\n".join([*lines, "end", *state_to_text(state).splitlines()]) + "\n"


class _Recorded(Table):
    """A table that keeps what is played on it."""

    def __init__(self, form):
        super().__init__(Ruleset.preset(form), SEATS, Seat(3), Random(SEEDS[form]))
        self.start, self.moves = self.state, []

    def make(self, move):
        self.moves.append(move)
        super().make(move)


if __name__ == "__main__":
    recorded = _Recorded(sys.argv[1])
    minds = CLUB_MINDS if sys.argv[1] == "club" else MINDS
    play_deal(recorded, {seat: policy(minds[seat], 20 + seat) for seat in SEATS})
    print(render(recorded.start, recorded.moves), end="")
