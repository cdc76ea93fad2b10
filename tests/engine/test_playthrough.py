"""One whole deal of each form as data: nothing about it may change unseen."""

from pathlib import Path

import pytest
from playthrough import render

from engine import move_from_text, state_from_text
from engine.rules import PRESETS

FOLDER = Path(__file__).parent
EVENTS = {
    "club": ("PacketDiscarded",),
    "pagat": ("SetsRemoved", "SetsKept"),
    "encyclopedia": ("PacketDiscarded",),
    "dictionary": ("PacketDiscarded",),
}


def golden(form):
    return (FOLDER / f"playthrough-{form}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", PRESETS)
def test_the_recorded_deal_is_played_exactly_so(form):
    text = golden(form)
    lines = text.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("  "))
    start = state_from_text("".join(lines[1:first]))
    moves = [move_from_text(line[5:-1]) for line in lines if line.startswith("move ")]
    assert render(start, moves) == text
    assert lines[0] == "start\n"
    assert lines[1].startswith(f"rules {form}")


@pytest.mark.parametrize("form", PRESETS)
def test_the_recorded_deal_shows_every_kind_of_event_of_its_form(form):
    text = golden(form)
    for name in ("Laid", "Called", "Revealed", "PickedUp", "WentOut", "DealOver", *EVENTS[form]):
        assert f"  {name} " in text
    assert "truthful=True" in text
    assert "truthful=False" in text
