"""Somebody is away, thinks for too long, has left, or is not reached: what is said, and what can be done."""

from dataclasses import replace

from model_table import ModelTable, to_answer
from table_pictures import Clock, drawn, flow_of, line, press

from engine import Seat
from p2p.protocol.snapshot import PollView
from ui.table.flow import EndWait, Flow, Leave, Send
from ui.table.situation import Stage

ME = Seat(3)


def test_somebody_away_is_a_word_and_a_warning(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.away[Seat(0)] = clock.now
    flow = flow_of(model, clock)
    clock.pass_s(72)
    text = "\n".join(drawn(flow))
    assert "away 1:12" in text
    assert "Vera has been away for 1:12." in text


def test_the_wait_for_somebody_can_be_ended_once_the_grace_time_is_over(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.away[Seat(0)] = clock.now
    model.wait_until = clock.now + 60
    flow = flow_of(model, clock)
    clock.pass_s(45)
    assert "The table waits until 1:00." in "\n".join(drawn(flow))
    assert "end the wait" in "\n".join(drawn(flow))
    assert press(flow, "end_wait") == []
    assert line(flow) == "! The table waits for 0:15 more."
    clock.pass_s(15)
    assert press(flow, "end_wait") == [EndWait()]
    model.poll = PollView((Seat(0),), (), (Seat(1), Seat(2), ME), (ME,), clock.now)
    flow.update(model.snapshot())
    clock.pass_s(1)
    assert "Asked to end the wait for Vera: 1 of 3 have answered." in "\n".join(drawn(flow))
    assert press(flow, "end_wait") == []
    assert line(flow) == "! All are asked already whether to end the wait."


def test_who_thinks_for_too_long_can_be_asked_about_too_and_nobody_else(clock: Clock) -> None:
    model = ModelTable(("Vera", "Oleg"), own=Seat(1), dealer=Seat(1))
    flow = flow_of(model, clock)
    assert press(flow, "end_wait") == []
    assert line(flow) == "! The table waits for nobody but you."
    model.wait_until = clock.now + 300
    flow.update(model.snapshot())
    clock.pass_s(299)
    assert "put the deal aside" not in "\n".join(drawn(flow))
    clock.pass_s(1)
    assert "put the deal aside" in "\n".join(drawn(flow))


def test_where_two_are_left_the_deal_can_be_put_aside_though_a_poll_about_a_third_runs(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Oleg"), own=Seat(2), dealer=Seat(2))
    model.wait_until = clock.now
    model.poll = PollView((Seat(0),), (Seat(0),), (Seat(1), Seat(2)), (Seat(2),), clock.now)
    table = model.snapshot()
    members = tuple(replace(one, left=one.seat == Seat(0)) for one in table.members)
    flow = Flow(replace(table, members=members, two_alone=True), clock)
    clock.pass_s(1)
    assert "put the deal aside" in "\n".join(drawn(flow))
    assert press(flow, "end_wait") == [EndWait()]


def test_who_watches_cannot_end_a_wait_and_is_told_why(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Oleg"), own=Seat(2), dealer=Seat(2))
    model.wait_until = clock.now
    table = model.snapshot()
    flow = Flow(replace(table, silent=True), clock)
    clock.pass_s(1)
    assert press(flow, "end_wait") == []
    assert line(flow) == "! Your seat moves no more in this deal."


def test_when_somebody_has_left_nothing_is_asked_and_the_line_says_how_to_leave(clock: Clock) -> None:
    table = to_answer().snapshot()
    flow = Flow(table, clock)
    assert flow.situation.stage is Stage.FOLLOWING
    members = tuple(replace(one, left=one.name == "Anna") for one in table.members)
    flow.update(replace(table, members=members))
    clock.pass_s(1)
    assert flow.situation.stage is Stage.ENDED
    assert line(flow) == "All others end this deal now. Leave the table: Esc."
    assert press(flow, "enter") == []
    assert line(flow) == "! All others end this deal now. Leave the table: Esc."
    clock.pass_s(1)
    for name in ("12", "call", "name_rank", "toggle"):
        assert press(flow, name) == []
        assert line(flow) == "! Somebody has left: the others end this deal."
        clock.pass_s(1)
    assert flow.choice.chosen == ()
    assert press(flow, "back") == [Leave.MENU]


def test_a_move_that_does_not_reach_everybody_says_whom_until_something_else_happens(clock: Clock) -> None:
    model = to_answer()
    model.away[Seat(0)] = 90.0
    flow = Flow(model.snapshot(), clock)
    (sent,) = press(flow, "12", "enter")
    assert isinstance(sent, Send)
    model.play(sent.move)
    flow.update(model.snapshot())
    assert line(flow) == "! No connection to Vera. Your move is kept and sent when it is back."
    model.away.clear()
    model.lay(Seat(0), 1)
    flow.update(model.snapshot())
    assert not line(flow).startswith("!")
