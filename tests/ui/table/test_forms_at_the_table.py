"""What each form and option asks of a player at the table, from keys to moves, words and pictures."""

from dataclasses import replace

import pytest
from form_tables import ME, NAMES, laid, table
from model_table import ModelTable, cards

from engine import Answer, Call, Duty, GoOut, Lay, Rank, Refusal, Ruleset, Seat, Value, events
from ui import i18n
from ui.table.flow import Flow, Send
from ui.table.scene import draw_scene
from ui.table.situation import Stage
from ui.table.size import Size
from ui.words.situation import asked_now


def flow_of(model: ModelTable) -> Flow:
    """Return the mind of the screen of a table."""
    return Flow(model.snapshot(), lambda: 100.0, animate=False)


def press(flow: Flow, *names: str) -> object:
    """Press keys; return what the last one led to."""
    found: object = None
    for name in names:
        found = flow.press(name)
    return found


def seen(flow: Flow, width: int = 80, height: int = 24) -> str:
    """Return the screen as text."""
    return "\n".join(draw_scene(flow.scene(), Size(width, height)).lines())


def sent(found: object) -> object:
    """Return the move of a command."""
    assert isinstance(found, Send)
    return found.move


# Veryu


def test_believing_is_armed_said_and_sent_by_enter() -> None:
    flow = flow_of(laid(table()))
    assert press(flow, "believe") is None
    assert flow.scene().intent.line.text == "Say “I believe”: Boris opens 3 cards"
    assert flow.scene().intent.line.aside == "if it is a bluff, you take 6"
    assert sent(press(flow, "enter")) == Call(ME, believe=True)


def test_a_rightly_believed_packet_leaves_the_rank_in_force() -> None:
    model = laid(table("club"))
    model.call(ME, believe=True)
    model.settle()
    drawn = seen(flow_of(model))
    assert "They go out of play. Vera lays queens." in drawn
    assert "◌ Vera to move: lay queens." in drawn


def test_a_rightly_believed_pile_goes_and_the_believer_leads() -> None:
    model = laid(table())
    model.call(ME, believe=True)
    model.settle()
    assert "All 6 cards go out of play. You lead." in seen(flow_of(model))


def test_with_nothing_to_call_only_a_lay_is_asked() -> None:
    model = table("club")
    model.give(Seat(1), cards("JS JH"))
    model.lay(Seat(0), 1, Rank.JACK)
    model.lay(Seat(1), 2, Rank.JACK)
    model.call(Seat(2), believe=True)
    model.settle()
    flow = flow_of(model)
    assert "► YOUR TURN  Nothing to call: lay jacks." in seen(flow)
    press(flow, "call")
    assert flow.scene().note == "There is no packet to call."


# Ranks that go up


def test_the_rank_that_is_due_is_said_without_being_named() -> None:
    flow = flow_of(laid(table("club", rank_rule="ascending")))
    assert "Lay eights, believe Boris or not." in seen(flow)
    press(flow, "rank_12")
    assert "Lay 1 and say “one eight”  a bluff" in seen(flow)
    press(flow, "name_rank")
    assert flow.scene().note == "Eights are due."


def test_a_lead_of_the_rank_that_is_due() -> None:
    model = table(rank_rule="ascending", first_lead="dealer")
    model = ModelTable(NAMES, own=ME, dealer=ME, ruleset=model.state.ruleset)
    flow = flow_of(model)
    assert flow.situation.stage is Stage.FOLLOWING
    assert "► YOUR TURN  You lead: aces are due." in seen(flow)


def test_aces_that_may_not_be_named_say_so() -> None:
    model = ModelTable(
        NAMES, own=ME, dealer=ME, ruleset=Ruleset.with_preset("dictionary", {"no_aces": "yes"})
    )
    flow = flow_of(model)
    slot = flow.situation.hand[0][0]
    flow.click(int(slot))
    press(flow, "name_rank", "rank_14")
    assert flow.scene().note == "Aces may not be named."


# No cards


def test_laying_no_card_says_what_it_costs() -> None:
    model = laid(table("club"))
    flow = flow_of(model)
    assert "-  lay no card" in seen(flow, 100)
    press(flow, "fewer")
    assert "Lay no card  you take 6 cards for it" in seen(flow)
    move = sent(press(flow, "enter"))
    assert move == Lay(ME, (), Rank.QUEEN, 0)
    assert isinstance(move, Lay)
    model.play(move)
    model.settle()
    assert model.state.turn == Seat(0)
    assert "lays no card" in seen(flow_of(model))


def test_where_no_card_is_refused_the_key_says_so() -> None:
    flow = flow_of(laid(table()))
    press(flow, "fewer")
    assert flow.scene().note


# Going out by word


def test_the_last_cards_are_announced_with_the_lay() -> None:
    model = laid(table(out_call="manual"))
    model.leave_none(ME, 2)
    flow = flow_of(model)
    press(flow, "announce")
    assert flow.scene().note == "There are still cards to lay."
    for slot, _card in flow.situation.hand:
        flow.click(int(slot))
    press(flow, "announce")
    assert "and say that it is your last" in seen(flow)
    move = sent(press(flow, "enter"))
    assert isinstance(move, Lay)
    assert move.out
    before = model.state
    model.play(move)
    assert "no cards left!" in seen(flow_of(model))
    assert events(before, move, model.state)


def test_whoever_forgot_announces_on_the_next_turn() -> None:
    model = laid(table(out_call="manual"))
    model.leave_none(ME, 2)
    model.lay(ME, 2)
    flow = flow_of(laid(model))
    assert flow.situation.stage is Stage.LEAVING
    assert "Your hand is empty: say so, or call Boris." in seen(flow)
    press(flow, "announce")
    assert "Say that you have no cards  you are out" in seen(flow)
    assert sent(press(flow, "enter")) == GoOut(ME)
    press(flow := flow_of(model), "call")
    assert sent(press(flow, "enter")) == Call(ME, believe=False)


def test_elsewhere_nobody_announces() -> None:
    flow = flow_of(laid(table()))
    press(flow, "announce")
    assert flow.scene().note == "At this table nobody has to say that the cards are gone."


# One card


def test_after_the_call_digits_and_arrows_pick_the_card() -> None:
    flow = flow_of(laid(table(check="one_by_caller")))
    press(flow, "call", "rank_2")
    assert "Boris opens card 2" in seen(flow)
    assert "│1 │2 │3  │" in seen(flow)
    press(flow, "right", "right")
    assert flow.choice.index == 0
    press(flow, "rank_9")
    assert flow.scene().note == "The packet has no such card."
    press(flow, "first_card", "rank_3")
    assert sent(press(flow, "enter")) == Call(ME, believe=False, index=2)


def test_a_number_on_the_packet_can_be_clicked() -> None:
    flow = flow_of(laid(table(check="one_by_caller")))
    press(flow, "believe")
    canvas = draw_scene(flow.scene(), Size(80, 24))
    row = next(number for number, line in enumerate(canvas.lines()) if "│1 │2 │3" in line)
    column = canvas.lines()[row].index("│3") + 1
    flow.click(canvas.hit(row, column))
    assert flow.choice.index == 2


@pytest.mark.parametrize("check", ["one_by_caller", "one_random"])
def test_one_opened_card_decides_and_the_rest_stays_closed(check: str) -> None:
    model = laid(table(check=check))
    model.play(Call(ME, False, 1 if check == "one_by_caller" else None))
    model.settle()
    drawn = seen(flow_of(model))
    assert drawn.count("│░░░│") == 2
    assert "TRUTH   It is a queen." in drawn
    assert "The rest stays unseen." in drawn
    assert ("The draw opens card 3." in drawn) == (check == "one_random")


# Open calls


def test_in_the_window_everybody_is_asked_and_the_clock_runs() -> None:
    model = laid(table(callers="any"))
    model.now = 92.0
    flow = flow_of(model)
    assert flow.situation.stage is Stage.ANSWERING
    drawn = seen(flow)
    assert "► ANYONE MAY CALL  0:12" in drawn
    assert "anyone may call it" in drawn
    assert "x  I don't believe   v  I believe   s  say nothing" in drawn
    press(flow, "keep")
    assert sent(press(flow, "enter")) == Answer(ME, None)


def test_a_call_in_the_window_is_an_answer() -> None:
    flow = flow_of(laid(table(callers="any")))
    press(flow, "call")
    assert sent(press(flow, "enter")) == Answer(ME, Call(ME, believe=False))


def test_rows_show_who_has_answered() -> None:
    model = laid(table(callers="any"))
    model.answer(ME)
    model.answer(Seat(0))
    drawn = seen(flow_of(model))
    assert drawn.count("answered") == 3
    assert "Not answered yet: Anna." in drawn


def test_after_the_own_answer_nothing_can_be_called() -> None:
    model = laid(table(callers="any"))
    model.answer(ME)
    flow = flow_of(model)
    press(flow, "call")
    assert flow.scene().note == "Others have yet to answer: there is nothing to do now."


def test_the_log_tells_whose_call_counted() -> None:
    model = laid(table(callers="any"))
    model.answer(ME, Call(ME, believe=True))
    model.answer(Seat(0), Call(Seat(0), believe=False))
    model.answer(Seat(1), None)
    model.settle()
    drawn = seen(flow_of(model), 120, 36)
    assert "Oleg" not in drawn
    assert "called too, but" in drawn


def test_last_cards_that_must_be_called_cannot_be_passed_over() -> None:
    model = laid(table(callers="any", must_call_pending="yes"), seats=2)
    model.leave_none(Seat(2), 2)
    while model.state.owed[0].duty is Duty.ANSWER:
        model.answer(model.state.owed[0].seat)
    model.lay(Seat(2), 2)
    flow = flow_of(model)
    press(flow, "keep")
    assert flow.scene().note == "You must call: these are the last cards."
    assert Refusal.MUST_ANSWER


# Draw pile, sets at the deal, the first out


def test_the_draw_pile_is_counted_on_the_table_and_draws_in_the_log() -> None:
    model = laid(table("club", deal="hand", refill="every_turn"), seats=2)
    assert "draw pile 16" in seen(flow_of(model))
    model = laid(model)
    drawn = seen(flow_of(model), 120, 36)
    assert "draws 1 card." in drawn
    assert "left." in drawn


def test_fours_can_be_removed_before_the_first_lead() -> None:
    rules = Ruleset.with_preset("encyclopedia", {"sets": "optional", "sets_at_deal": "yes"})
    model = ModelTable(NAMES, own=ME, dealer=Seat(0), ruleset=rules)
    model.give(ME, cards("6S 6H 6D 6C"))
    model.settle()
    flow = flow_of(model)
    assert "► YOUR TURN  You hold four of a kind. Remove?" in seen(flow)
    press(flow, "rank_6")
    assert "Show and remove the four sixes" in seen(flow)
    assert "before the first lead" in " ".join(asked_now(model.snapshot()))


def test_forced_fours_go_by_themselves() -> None:
    rules = Ruleset.with_preset("encyclopedia", {"sets": "forced", "sets_at_deal": "yes"})
    model = ModelTable(NAMES, own=ME, dealer=Seat(0), ruleset=rules)
    model.give(ME, cards("6S 6H 6D 6C"))
    model.settle()
    table = model.snapshot()
    table = replace(table, owed=tuple(replace(owed, forced=True) for owed in table.owed))
    flow = Flow(table, lambda: 100.0, animate=False)
    assert not flow.situation.acting
    assert "You remove four of a kind, as the rules want it." in seen(flow)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (120, 36)])
@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("club", {}),
        ("club", {"callers": "any"}),
        ("club", {"deal": "hand"}),
        ("club", {"rank_rule": "ascending"}),
        ("encyclopedia", {"check": "one_by_caller"}),
        ("dictionary", {"out_call": "manual"}),
    ],
)
def test_every_form_draws_at_every_size(
    form: str, options: dict[str, Value], width: int, height: int, language: str
) -> None:
    i18n.use_language(language)
    model = laid(table(form, **options))
    flow = flow_of(model)
    for keys in ((), ("call",), ("believe",), ("keep",), ("fewer",), ("announce",)):
        press(flow, *keys)
        assert len(seen(flow, width, height).splitlines()) == height
        press(flow, "back")


def test_twelve_players_fit_the_smallest_window() -> None:
    names = (*NAMES, *(f"Player {number}" for number in range(5, 13)))
    model = ModelTable(names, own=ME, dealer=Seat(0), ruleset=Ruleset.preset("dictionary"))
    drawn = seen(flow_of(laid(model)), 60, 20)
    assert all(name in drawn for name in names if name != "Oleg")
    assert "queens" in drawn
