"""From keys to moves over a real engine deal, with the clock in the test's hand."""

from dataclasses import replace

import pytest
from model_table import HAND, ModelTable, cards, to_answer
from table_pictures import Clock, drawn, flow_of

from engine import Call, DiscardSets, Lay, Rank, Ruleset, Seat
from engine import Phase as EnginePhase
from p2p.protocol.snapshot import MoveRefused, Phase, PollView
from ui.table.flow import EndWait, Flow, Leave, Send
from ui.table.frame import Press
from ui.table.situation import Stage
from ui.words.situation import asked_now

ME = Seat(3)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def to_lead() -> ModelTable:
    """Four players; I lead the first round."""
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(2))
    model.give(ME, cards(HAND))
    return model


def press(flow: Flow, *names: str) -> list[object]:
    found = [flow.press(f"rank_{name}" if name.isdigit() else name) for name in names]
    return [one for one in found if one is not None]


def line(flow: Flow) -> str:
    scene = flow.scene()
    if scene.note:
        return f"! {scene.note}"
    enter = scene.intent.line
    return f"{enter.text} | {enter.aside}" if enter.aside else enter.text


def sent(flow: Flow, *names: str) -> object:
    (command,) = press(flow, *names)
    assert isinstance(command, Send)
    return command.move


def test_following_takes_three_keys_and_tells_a_bluff(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    assert line(flow) == "Pick cards by rank, or press x."
    press(flow, "7", "12")
    assert line(flow) == "Lay 2 and say “two queens” | a bluff"
    move = sent(flow, "enter")
    assert isinstance(move, Lay)
    assert sorted(str(model.faces[slot]) for slot in move.slots) == ["7D", "QS"]
    assert (move.rank, move.number) == (Rank.QUEEN, 2)
    model.play(move)


def test_a_true_lay_says_so(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "12")
    assert line(flow) == "Lay 1 and say “one queen” | the truth"


def test_leading_with_equal_cards_names_their_rank(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    press(flow, "6", "6")
    assert line(flow) == "Lay 2 and say “two sixes” | the truth"
    move = sent(flow, "enter")
    assert isinstance(move, Lay)
    assert move.rank is Rank.SIX


def test_leading_with_unequal_cards_asks_for_the_rank(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    assert press(flow, "6", "7") == []
    assert line(flow) == "Name a rank | 2 cards chosen: 6♠ 7♦"
    assert press(flow, "enter") == []
    assert line(flow) == "2 cards chosen: 6♠ 7♦. Name a rank: | its key, or ↑↓; Tab picks cards again"
    clock.pass_s(1)
    press(flow, "11")
    assert line(flow) == "Lay 2 and say “two jacks” | a bluff"
    move = sent(flow, "enter")
    assert isinstance(move, Lay)
    assert move.rank is Rank.JACK


def test_the_row_of_ranks_stands_only_while_a_rank_key_names_one(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    press(flow, "6", "7")
    last_rows = "\n".join(drawn(flow)[-3:])
    assert "pick by rank" in last_rows
    assert "Tab  name a rank   ↑↓  next rank" in last_rows
    press(flow, "9")
    assert len(flow.choice.chosen) == 3, "a rank key still picks"
    press(flow, "enter")
    last_rows = "\n".join(drawn(flow)[-3:])
    assert "Name a rank:" in last_rows
    assert "pick by rank" not in last_rows
    press(flow, "name_rank")
    assert line(flow) == "Name a rank | 3 cards chosen: 6♠ 7♦ 9♣"


def test_enter_without_a_named_rank_asks_for_one(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    press(flow, "6", "7", "enter")
    clock.pass_s(1)
    assert press(flow, "enter") == []
    assert line(flow) == "! Name a rank:"


def test_a_rank_named_before_a_card_is_told_and_rank_keys_pick_again(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    press(flow, "name_rank")
    assert line(flow) == "Name a rank: | its key, or ↑↓; Tab picks cards again"
    press(flow, "11")
    assert line(flow) == "Pick cards by rank. | you will say: jacks"
    press(flow, "6")
    assert line(flow) == "Lay 1 and say “one jack” | a bluff"


def test_tab_names_another_rank_than_the_cards_have_and_arrows_step_it(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    press(flow, "12", "name_rank", "8")
    assert line(flow) == "Lay 1 and say “one eight” | a bluff"
    press(flow, "rank_up", "rank_up")
    assert line(flow) == "Lay 1 and say “one ten” | a bluff"
    press(flow, "back")
    assert line(flow) == "Lay 1 and say “one queen” | the truth"


def test_the_rank_cannot_be_named_when_it_is_in_force(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "name_rank")
    assert line(flow) == "! Queens are in force until somebody calls."


def test_a_call_is_armed_told_and_sent(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "7", "call")
    assert line(flow) == "Say “I don't believe”: Boris opens 3 cards | if it is true, you take 7"
    assert sent(flow, "enter") == Call(ME, believe=False)
    assert flow.scene().banner.line == "Your move is on its way."


def test_escape_lowers_the_call_then_puts_cards_back_then_opens_the_menu(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "7", "call", "back")
    assert line(flow) == "Lay 1 and say “one queen” | a bluff"
    press(flow, "back")
    assert line(flow) == "Pick cards by rank, or press x."
    assert press(flow, "back") == [Leave.MENU]


def test_picking_a_card_lowers_the_call(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "call", "7")
    assert line(flow) == "Lay 1 and say “one queen” | a bluff"


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (("8",), "You hold no eights. Any cards may be said to be eights."),
        (("enter",), "Choose cards first, by rank or with the arrows."),
        (("believe",), "This table plays without “I believe”."),
        (("6", "6", "7", "9"), "At most 3 cards a turn here."),
        (("more",), "The number must be true."),
        (("keep",), "That cannot be done now."),
    ],
)
def test_a_key_that_does_nothing_says_why(clock: Clock, keys: tuple[str, ...], sentence: str) -> None:
    flow = flow_of(to_answer(), clock)
    assert press(flow, *keys) == []
    assert line(flow) == f"! {sentence}"


def test_the_answer_stands_until_the_next_key(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "8", "7")
    assert line(flow) == "Lay 1 and say “one queen” | a bluff"


def test_there_is_nothing_to_call_when_leading(clock: Clock) -> None:
    flow = flow_of(to_lead(), clock)
    press(flow, "call")
    assert line(flow) == "! There is no packet to call."


def test_cards_can_be_picked_while_waiting_and_stay_raised(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.give(ME, cards(HAND))
    flow = flow_of(model, clock)
    press(flow, "7")
    assert line(flow) == "You may already pick cards. Before you: Vera, Anna, Boris."
    press(flow, "enter")
    assert line(flow) == "! It is Vera's turn."
    press(flow, "call")
    assert line(flow) == "! There is no packet to call."
    for seat in range(3):
        model.lay(Seat(seat), 1, Rank.QUEEN)
        flow.update(model.snapshot())
    clock.pass_s(1)
    assert line(flow) == "Lay 1 and say “one queen” | a bluff"


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


def test_fours_rise_together_and_are_removed_or_kept(clock: Clock) -> None:
    model = to_answer()
    model.call(ME)
    while model.state.phase is not EnginePhase.SETS:
        model.forced()
    taker = model.state.taker
    assert taker == Seat(2)
    watched = ModelTable(model.names, own=taker, dealer=ME)
    watched.state, watched.faces, watched.step = model.state, dict(model.faces), model.step
    watched.happened = model.happened
    watched.give(taker, cards("6S 6H 6D 6C"))
    flow = flow_of(watched, clock)
    assert flow.situation.stage is Stage.FOURS
    assert flow.scene().banner.head == "YOUR PICK-UP"
    press(flow, "6")
    assert line(flow) == "Show and remove the four sixes | all will see them"
    assert "\n".join(drawn(flow)).count("6♠") == 1
    press(flow, "keep")
    assert line(flow) == "Keep all my cards | nobody will see them"
    press(flow, "6")
    move = sent(flow, "enter")
    assert isinstance(move, DiscardSets)
    assert {watched.faces[slot].rank for slot in move.slots} == {Rank.SIX}
    watched.play(move)
    flow.update(watched.snapshot())
    assert "You remove the four sixes." in "\n".join(drawn(flow))


def test_a_taker_without_fours_has_nothing_to_do(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.give(ME, cards(HAND))
    model.give(Seat(2), cards("QD QH"))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 1)
    model.lay(Seat(2), 1)
    flow = flow_of(model, clock, animate=False)
    model.call(ME)
    while model.state.phase is not EnginePhase.SETS:
        model.forced()
    flow.update(model.snapshot())
    if flow.situation.complete_sets:
        pytest.skip("the seed dealt a set")
    assert flow.situation.stage is Stage.WAITING
    assert flow.press("enter") is None
    model.play(DiscardSets(ME, (), ()))
    flow.update(model.snapshot())


def test_new_cards_carry_a_dot_until_my_next_act(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna"), own=Seat(1), dealer=Seat(1))
    model.lay(Seat(0), 2, Rank.QUEEN)
    before = len(model.state.hand_of(Seat(1)))
    flow = flow_of(model, clock, animate=False)
    model.lay(Seat(1), 1, lie=True)
    flow.update(model.snapshot())
    model.call(Seat(0))
    model.settle()
    flow.update(model.snapshot())
    assert model.state.taker is None or model.state.taker == Seat(1)
    assert len(flow.choice.new) == len(model.state.hand_of(Seat(1))) - before + 1
    assert "•" in "\n".join(drawn(flow))


def test_pending_and_out_are_words(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris"), own=Seat(1), dealer=Seat(2))
    model.lay(Seat(0), 3, Rank.ACE)
    while len(model.state.hand_of(Seat(0))) > 3:
        model.lay(model.state.turn or Seat(0), 3 if model.state.turn == Seat(0) else 1)
    while model.state.turn != Seat(0):
        model.lay(model.state.turn or Seat(0), 1)
    model.lay(Seat(0), len(model.state.hand_of(Seat(0))))
    flow = flow_of(model, clock)
    picture = "\n".join(drawn(flow))
    assert "last cards" in picture
    assert "Vera's last cards. Uncalled, Vera is out." in picture
    model.lay(Seat(1), 1)
    flow.update(model.snapshot())
    assert "out, place 1" in "\n".join(drawn(flow))


def test_being_out_asks_to_keep_the_program_open(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris"), own=Seat(0), dealer=Seat(2))
    model.lay(Seat(0), 3, Rank.ACE)
    while model.state.hand_of(Seat(0)):
        seat = model.state.turn or Seat(0)
        model.lay(seat, min(3, len(model.state.hand_of(seat))) if seat == Seat(0) else 1)
    model.lay(Seat(1), 1)
    flow = flow_of(model, clock)
    assert flow.situation.stage is Stage.OUT
    assert line(flow) == "Keep the program open: the others still need your key."
    assert "No cards in your hand." in "\n".join(drawn(flow))


def test_other_forms_offer_belief_and_no_number(clock: Clock) -> None:
    model = ModelTable(
        ("Vera", "Anna", "Boris"), own=Seat(1), dealer=Seat(0), ruleset=Ruleset.preset("dictionary")
    )
    model.lay(Seat(0), 2, Rank.KING)
    flow = flow_of(model, clock)
    assert "v  I believe" in "\n".join(drawn(flow))
    press(flow, "believe")
    assert sent(flow, "enter") == Call(Seat(1), believe=True)


def test_a_click_is_a_key_and_the_right_button_puts_all_back(clock: Clock) -> None:
    model = to_answer()
    flow = flow_of(model, clock)
    slot = flow.situation.hand[2][0]
    flow.click(slot)
    assert flow.choice.chosen == (slot,)
    flow.click(slot)
    assert flow.choice.chosen == ()
    flow.click(slot)
    flow.put_all_back()
    assert flow.choice.chosen == ()
    flow.click(Press("call"))
    assert isinstance(flow.click(Press("enter")), Send)


def test_the_cursor_moves_wraps_and_takes(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "left", "toggle")
    assert flow.choice.chosen == (flow.situation.hand[-1][0],)
    press(flow, "right", "toggle", "put_back")
    assert len(flow.choice.chosen) == 1


def test_covered_cards_show_no_face(clock: Clock) -> None:
    flow = flow_of(to_answer(), clock)
    press(flow, "cover")
    picture = "\n".join(drawn(flow)[17:21])
    assert "░" in picture
    assert not set("♠♥♦♣") & set(picture)


def test_a_hand_that_cannot_be_read_yet_lies_closed_and_moves_nothing(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna"), own=Seat(1), dealer=Seat(1))
    model.lay(Seat(0), 2, Rank.QUEEN)
    flow = flow_of(model, clock, animate=False)
    model.call(Seat(1))
    while model.state.phase is not EnginePhase.SETS:
        model.forced()
    full = model.snapshot()
    view = full.view
    assert view is not None
    flow.update(replace(full, view=replace(view, faces={})))
    closed = drawn(flow)
    assert flow.situation.unread
    assert "No cards in your hand." not in "\n".join(closed)
    assert "░░│░░" in "\n".join(closed[17:])
    flow.update(full)
    banner = next(number for number, text in enumerate(closed) if text.startswith(" ◌"))
    assert drawn(flow)[banner].startswith((" ◌", " ►"))


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


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.VOID, Phase.STOPPED, Phase.ABSENT])
def test_a_key_after_the_end_says_that_the_deal_is_over(clock: Clock, phase: Phase) -> None:
    flow = Flow(replace(to_answer().snapshot(), phase=phase), clock)
    for name in ("12", "call", "enter", "toggle"):
        assert press(flow, name) == []
        assert line(flow) == "! The deal is over."
        clock.pass_s(1)


def test_nobody_is_told_that_it_is_his_own_turn_while_his_program_works(clock: Clock) -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(2))
    model.lay(ME, 1, Rank.QUEEN)
    model.call(Seat(0))
    flow = flow_of(model, clock)
    press(flow, "enter")
    assert line(flow) == "! Your program does this by itself."


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


def test_who_does_not_play_the_deal_sees_it_and_is_offered_nothing(clock: Clock) -> None:
    model = to_answer()
    model.own = None
    flow = flow_of(model, clock)
    scene = flow.scene()
    assert scene.situation.stage is Stage.WATCHING
    assert line(flow) == "You watch this deal; others play it."
    assert scene.banner.line == "Oleg to move: lay queens, or call Boris."
    assert press(flow, "6", "call", "believe", "keep", "announce", "name_rank", "enter") == []
    assert flow.press("back") is Leave.MENU
    assert "You" not in "\n".join(drawn(flow)).replace("You watch", "")
    assert asked_now(model.snapshot())[1].startswith("You do not play this deal.")
    model.call(ME)
    model.settle()
    flow.update(model.snapshot())
    clock.now += 60
    assert "takes 7" in "\n".join(drawn(flow))
    model.phase = Phase.OVER
    flow.update(model.snapshot())
    assert flow.scene().situation.stage is Stage.ENDED
    assert press(flow, "6", "enter") == []
