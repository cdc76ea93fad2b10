"""How a reveal unfolds, is hurried and holds back what it would give away."""

import pytest
from model_table import ModelTable, cards, to_answer
from table_pictures import Clock, drawn, flow_of, press

from engine import DiscardSets, Rank, Seat
from engine import Phase as EnginePhase

ME = Seat(3)


def test_a_reveal_unfolds_and_holds_back_what_it_would_give_away(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    model.call(ME)
    flow.update(model.snapshot())
    assert flow.scene().banner.line == "You do not believe Boris."
    model.forced()
    flow.update(model.snapshot())
    model.settle()
    flow.update(model.snapshot())
    seen = []
    for _ in range(40):
        picture = "\n".join(drawn(flow))
        seen.append(("✗" in picture, "BLUFF" in picture, "takes 7" in picture))
        wait = flow.wake_in_s()
        if not flow.showing or wait is None:
            break
        clock.pass_s(wait + 0.001)
    assert seen[0] == (False, False, False)
    assert seen == sorted(seen), "marks come first, then the verdict, then the consequence"
    assert seen[-1] == (True, True, True)
    assert clock.now - 100 == pytest.approx(0.6 + 3 * 0.2 + 0.3 + 0.4 + 2.5, abs=0.1)


@pytest.mark.parametrize("own", [Seat(0), Seat(1)])
def test_the_last_call_of_a_deal_gives_nothing_away_before_its_verdict(clock: Clock, own: Seat) -> None:
    model = ModelTable(("Vera", "Anna"), own=own, dealer=Seat(1))
    while model.state.pending is None:
        seat = model.state.owed[0].seat
        model.lay(seat, min(3 if seat == Seat(0) else 1, len(model.state.hand_of(seat))), Rank.QUEEN)
    last = model.state.table[-1].slots
    model.faces |= dict(zip(last, cards("QS QH QD"), strict=False))
    flow = flow_of(model, clock)
    before = drawn(flow)
    model.call(Seat(1))
    model.settle()
    assert model.state.over
    flow.update(model.snapshot())
    assert flow.showing
    rows = slice(1, 5)
    hand = slice(17, 21)
    seen = []
    for _ in range(40):
        picture = drawn(flow)
        told = "\n".join(picture)
        frame = flow.scene().frame
        seen.append(("TRUTH" in told, "out, place 1" in told))
        if frame is not None and not frame.consequence:
            assert [line[:24] for line in picture[rows]] == [line[:24] for line in before[rows]]
            assert picture[hand] == before[hand]
            assert "could peek" not in told
        wait = flow.wake_in_s()
        if not flow.showing or wait is None:
            break
        clock.pass_s(wait + 0.001)
    assert seen[0] == (False, False)
    assert seen[-1] == (True, True)
    assert (True, False) in seen, "the verdict stands before its consequence"


def test_a_reveal_is_deaf_at_first_then_any_key_goes_on_and_does_nothing_else(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    press(flow, "7")
    model.call(ME)
    model.forced()
    flow.update(model.snapshot())
    assert "Any key goes on." in "\n".join(drawn(flow))
    press(flow, "9")
    assert flow.showing
    clock.pass_s(0.6)
    press(flow, "9")
    assert not flow.showing
    assert len(flow.choice.chosen) == 1
    assert "BLUFF" in "\n".join(drawn(flow)), "the end picture stays until the next lay"


def test_the_next_act_hurries_the_reveal_to_its_end_picture(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    model.call(ME)
    model.settle()
    flow.update(model.snapshot())
    if model.state.phase is EnginePhase.SETS:
        model.play(DiscardSets(Seat(2), (), ()))
    model.lay(ME, 1, Rank.NINE)
    flow.update(model.snapshot())
    assert flow.showing
    assert "BLUFF" in "\n".join(drawn(flow))
    clock.pass_s(0.51)
    assert not flow.showing
    assert "“one nine”" in "\n".join(drawn(flow))


def test_without_animation_the_end_picture_stands_at_once(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock, animate=False)
    model.call(ME)
    model.forced()
    flow.update(model.snapshot())
    assert not flow.showing
    assert "BLUFF" in "\n".join(drawn(flow))


def test_a_screen_that_starts_late_shows_the_end_picture(clock: Clock) -> None:
    model = to_answer()
    model.call(ME)
    model.forced()
    flow = flow_of(model, clock)
    assert not flow.showing
    assert "Boris takes 7 cards. You lead." in "\n".join(drawn(flow))
