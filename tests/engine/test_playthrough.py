"""One whole deal of `pagat` as data: nothing about it may change unseen."""

from pathlib import Path

from playthrough import render

from engine import move_from_text, state_from_text

GOLDEN = Path(__file__).with_name("playthrough-pagat.txt").read_text(encoding="utf-8")


def test_the_recorded_deal_is_played_exactly_so():
    lines = GOLDEN.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("  "))
    start = state_from_text("".join(lines[1:first]))
    moves = [move_from_text(line[5:-1]) for line in lines if line.startswith("move ")]
    assert render(start, moves) == GOLDEN


def test_the_recorded_deal_shows_every_kind_of_event_of_pagat():
    for name in ("Laid", "Called", "Revealed", "PickedUp", "SetsRemoved", "SetsKept", "WentOut", "DealOver"):
        assert f"  {name} " in GOLDEN
    assert "truthful=True" in GOLDEN
    assert "truthful=False" in GOLDEN
