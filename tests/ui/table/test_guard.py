"""Keys that are dead after a change by others, and moves that belong to one step."""

from model_table import HAND, ModelTable, cards, to_answer, to_lead
from table_pictures import Clock, flow_of, line, press, sent

from engine import Call, Lay, Rank, Seat
from p2p.protocol.snapshot import MoveRefused
from ui.table.flow import Send
from ui.table.frame import Press

ME = Seat(3)


def test_sending_keys_are_dead_for_half_a_second_after_a_change_by_others(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(1))
    model.give(ME, cards(HAND))
    flow = flow_of(model, clock)
    press(flow, "7")
    model.lay(Seat(2), 2, Rank.KING)
    flow.update(model.snapshot())
    assert flow.scene().hollow
    for name in ("enter", "call"):
        assert press(flow, name) == []
        assert line(flow) == "! The table has just changed. Look, then press again."
    assert flow.click(Press("call")) is None
    assert flow.choice.armed is None
    wait = flow.wake_in_s()
    assert wait is not None
    clock.pass_s(wait)
    assert not flow.scene().hollow
    assert isinstance(sent(flow, "enter"), Lay)


def test_picking_keys_work_while_sending_keys_are_dead(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(1))
    model.give(ME, cards(HAND))
    flow = flow_of(model, clock)
    model.lay(Seat(2), 2, Rank.KING)
    flow.update(model.snapshot())
    press(flow, "7")
    assert line(flow) == "Lay 1 and say “one king” | a bluff"


def test_a_snapshot_that_changes_nothing_for_enter_leaves_the_keys_alive(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    model.away[Seat(1)] = clock.now
    flow.update(model.snapshot())
    press(flow, "call")
    assert sent(flow, "enter") == Call(ME, believe=False)


def test_an_armed_call_and_a_named_rank_fall_with_their_step(clock: Clock) -> None:
    model = to_lead()
    flow = flow_of(model, clock)
    press(flow, "7", "name_rank", "8")
    model.step += 1
    flow.update(model.snapshot())
    assert flow.choice.named is None
    assert len(flow.choice.chosen) == 1
    answering = to_answer()
    flow = flow_of(answering, clock)
    press(flow, "call")
    answering.step += 1
    flow.update(answering.snapshot())
    assert flow.choice.armed is None


def test_enter_twice_within_a_quarter_second_counts_once(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    assert press(flow, "6", "7", "enter", "enter") == []
    clock.pass_s(0.3)
    press(flow, "11")
    assert len(press(flow, "enter", "enter")) == 1


def test_nothing_is_sent_twice_for_one_step_until_the_move_was_refused(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "12")
    assert len(press(flow, "enter")) == 1
    clock.pass_s(1)
    assert press(flow, "enter") == []
    flow.refused(MoveRefused("too-many", (("most", 3),)))
    assert line(flow) == "! At most 3 cards a turn here."
    clock.pass_s(1)
    assert len(press(flow, "enter")) == 1


def test_a_move_carries_its_deal_and_step(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    (command,) = press(flow, "call", "enter")
    assert isinstance(command, Send)
    assert command.step == (model.deal, model.step)


def test_clicks_on_cards_are_dead_after_a_change_by_others(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(1))
    flow = flow_of(model, clock)
    model.lay(Seat(2), 2, Rank.KING)
    flow.update(model.snapshot())
    flow.click(flow.situation.hand[0][0])
    assert flow.choice.chosen == ()
    clock.pass_s(0.6)
    flow.click(flow.situation.hand[0][0])
    assert len(flow.choice.chosen) == 1
