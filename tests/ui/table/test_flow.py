"""From keys to moves over a real engine deal, with the clock in the test's hand."""

from dataclasses import replace

import pytest
from model_table import HAND, ModelTable, cards, to_answer, to_lead
from table_pictures import Clock, drawn, flow_of, line, press, sent

from engine import Call, DiscardSets, Lay, Rank, Ruleset, Seat
from engine import Phase as EnginePhase
from p2p.protocol.snapshot import Phase
from ui.table.flow import Flow, Leave, Send
from ui.table.frame import Press
from ui.table.situation import Stage
from ui.words.situation import asked_now

ME = Seat(3)


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
    assert not flow.situation.complete_sets
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
