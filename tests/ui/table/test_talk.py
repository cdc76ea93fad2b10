"""Talk at the table: in the log, from the keyboard, and never in the way of the game."""

from dataclasses import replace

import page_samples as samples
from fake_node import FakeNode
from model_table import ModelTable, cards
from pilots import settled, text_of
from settings_samples import still
from table_pictures import Clock, drawn, flow_of
from textual import events

from engine import Call, Rank, Seat
from p2p.protocol.snapshot import LobbyChanged, Remark
from ui.app import VerishApp
from ui.lobby import LobbyScreen, MenuScreen, OverScreen
from ui.lobby.wishes import Say
from ui.table.flow import Send
from ui.table.frame import Press
from ui.table.logbook import worded
from ui.table.pages import LogScreen
from ui.table.scene import draw_scene
from ui.table.screen import TableScreen
from ui.table.situation import Situation
from ui.table.size import Size
from ui.words.log import LogKind

ME = Seat(3)


def to_answer() -> ModelTable:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD"))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.say(Seat(1), Remark.HM)
    model.lay(Seat(1), 3)
    model.lay(Seat(2), 3, lie=True)
    return model


def log(model: ModelTable, **muted: bool) -> list[str]:
    flow = flow_of(model, animate=False)
    if muted:
        flow.press("mute")
    return [line[35:79].strip() for line in drawn(flow)]


def test_a_line_stands_in_the_log_where_it_was_heard_with_a_colon_and_in_italics() -> None:
    model = to_answer()
    model.say(Seat(2), "[bold]trust me[/] \u202e")
    shown = log(model)
    at = shown.index("Anna:   Hm…")
    assert shown[at - 1] == "Vera    “one queen”"
    assert shown[at + 1] == "Anna    “three queens”"
    assert "Boris:  [bold]trust me[/]" in shown[at + 3]
    canvas = draw_scene(flow_of(model, animate=False).scene(), Size(80, 24))
    row = next(row for row, line in enumerate(canvas.lines()) if "Hm…" in line)
    italic = "".join(piece for piece, ink in canvas.runs(row) if ink.italic)
    assert italic == "Hm…"


def test_mute_takes_all_talk_out_of_the_log_and_the_foot_says_what_the_key_does() -> None:
    model = to_answer()
    assert not any("Hm…" in line for line in log(model, muted=True))
    flow = flow_of(model)
    flow.press("mute")
    assert any("Talk is muted" in line for line in drawn(flow))
    flow.press("mute")
    assert any("Talk is shown again." in line for line in drawn(flow))
    assert any("Hm…" in line for line in drawn(flow))


def test_talk_of_an_earlier_deal_stands_above_the_events_of_this_one() -> None:
    model = to_answer()
    model.talk = [replace(line, deal=2, after=400) for line in model.talk]
    table = model.snapshot()
    first, second, *_ = worded(Situation(table), table.happened, talk=table.talk)
    assert (first.kind, first.text, second.text) == (LogKind.TALK, "Hm…", "You deal.")


def test_of_a_long_deal_only_what_was_said_among_its_last_events_is_worded_with_them() -> None:
    model = to_answer()
    model.talk.append(replace(model.talk[0], after=0))
    table = model.snapshot()
    lines = worded(Situation(table), table.happened[2:], talk=table.talk, first=2)
    assert [line.kind for line in lines].count(LogKind.TALK) == 1


def test_what_others_say_does_not_make_keys_dead() -> None:
    model, clock = to_answer(), Clock()
    flow = flow_of(model, clock)
    clock.pass_s(1)
    flow.press("call")
    model.say(Seat(0), "now")
    flow.update(model.snapshot())
    assert not flow.scene().hollow
    assert flow.press("enter") is not None


def test_no_game_key_works_while_talking() -> None:
    flow = flow_of(to_answer(), Clock())
    flow.press("talk")
    before = flow.choice
    for name in ("call", "believe", "rank_12", "toggle", "left", "trust", "help", "cover", "end_wait"):
        assert flow.press(name) is None
    assert flow.choice == before
    assert flow.click(int(to_answer().state.hand_of(ME)[0])) is None
    assert flow.choice == before
    flow.press("back")
    flow.press("call")
    assert flow.choice.armed is not None


def test_the_line_takes_the_place_of_the_foot_at_every_size() -> None:
    for width, height in ((60, 20), (80, 24), (120, 36), (144, 46)):
        flow = flow_of(to_answer())
        flow.press("talk")
        shown = drawn(flow, width, height)
        assert shown[-1].startswith(" Say:")
        assert all(any(words in line for line in shown) for words in ("Hm…", "Well played!", "Thanks for"))
        assert any("YOUR TURN" in line for line in shown)
        flow.type_character("x")
        assert drawn(flow, width, height)[-1] == " Say: x"
        assert any("Say it" in line for line in drawn(flow, width, height))


def test_a_typed_line_is_drawn_anew_although_nothing_else_changed() -> None:
    flow = flow_of(to_answer())
    flow.press("talk")
    before = flow.scene()
    flow.type_character("x")
    assert not flow.scene().only_later_than(before)


async def test_a_line_and_a_remark_are_typed_at_the_table_under_both_layouts() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("m", *"queen", "space", "x", "enter")
        await pilot.press("ь", "4")
        await settled(pilot)
        assert node.wished == [("say", "queen x"), ("say", Remark.WELL_PLAYED)]
        assert isinstance(app.screen, TableScreen)
        assert app.screen.flow.choice.armed is None


async def test_a_megabyte_pasted_at_the_table_is_cut_and_that_is_said() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("m")
        app.screen.post_message(events.Paste("\N{JACK-O-LANTERN}\0" * 500_000))
        await settled(pilot)
        assert "The text was cut: at most 120 characters fit." in text_of(app)
        await pilot.press("enter")
        await settled(pilot)
        assert node.wished == [("say", "\N{JACK-O-LANTERN}" * 120)]


async def test_quitting_is_still_asked_while_talking() -> None:
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("m", "a", "ctrl+q")
        await settled(pilot)
        assert isinstance(app.screen, MenuScreen)


async def test_what_is_typed_when_the_deal_ends_is_still_there_and_mute_holds_on_every_screen() -> None:
    model = to_answer()
    node = FakeNode(model)
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("m", *"well")
        node.table_override = samples.over(talk=model.snapshot().talk)
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)
        assert "Say: well" in text_of(app)
        await pilot.press("enter")
        assert node.wished[-1] == ("say", "well")
        await pilot.press("u", "h")
        await settled(pilot)
        assert isinstance(app.screen, LogScreen)
        assert "Hm…" not in text_of(app)


async def test_a_line_that_was_begun_is_gone_in_the_lobby() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("m", "a")
        node.model = None
        node.changed()
        node.said.put(LobbyChanged())
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        node.model = to_answer()
        node.changed()
        await settled(pilot)
        assert "Say:" not in text_of(app)


def test_a_click_on_a_remark_says_it_and_the_right_button_closes_the_line() -> None:
    flow = flow_of(to_answer())
    flow.press("talk")
    assert flow.click(Press("remark_2")) == Say(Remark.HM)
    flow.press("talk")
    flow.put_all_back()
    assert not flow.talking.open
    assert flow.press("call") is None
    sent = flow.press("enter")
    assert isinstance(sent, Send)
    assert isinstance(sent.move, Call)
