"""The app over a scripted node: which screen lies at the bottom, commands, quitting, the end of a deal."""

import asyncio
from dataclasses import replace
from pathlib import Path

import page_samples as samples
import pytest
from bounds import WAIT_S
from fake_node import FakeCompany, FakeNode
from model_table import ModelTable, to_answer
from pilots import settled, text_of
from settings_samples import set_to, still
from textual.pilot import Pilot

from engine import Call, DiscardSets, Rank, Seat
from p2p.errors import LocalError, LocalReason
from p2p.protocol.snapshot import (
    ClosedBecause,
    JoinRefused,
    LobbyChanged,
    MoveRefused,
    Phase,
    RefusedJoin,
    TableClosed,
    TableSnapshot,
)
from ui.app import VerishApp
from ui.lobby import (
    AddressScreen,
    CodeScreen,
    HelpScreen,
    Leave,
    LobbyScreen,
    MenuScreen,
    OpenTableScreen,
    OverScreen,
    PlayWithBots,
    Quit,
    ReadyScreen,
    ResumeScreen,
    StartWithout,
)
from ui.table.pages import LogScreen, TrustScreen
from ui.table.screen import TableScreen
from ui.table.view import CanvasView

ME = Seat(3)


def gathering(model: ModelTable) -> TableSnapshot:
    table = model.snapshot()
    members = tuple(replace(member, seat=None, ready=False) for member in table.members)
    return replace(
        table, phase=Phase.GATHERING, members=members, deal=0, view=None, owed=(), own_seat=None, happened=()
    )


async def answered(pilot: Pilot[int], words: str) -> None:
    """Wait for words on the screen, with a bound."""
    async with asyncio.timeout(WAIT_S):
        while words not in "\n".join(pilot.app.screen.query_one(CanvasView).canvas.lines()):
            await pilot.pause(0.02)


def files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


async def test_the_bottom_screen_follows_the_table() -> None:
    node = FakeNode()
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        model = to_answer()
        node.table_override = gathering(model)
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, ReadyScreen)
        node.table_override, node.model = None, model
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert "Lay queens, or call Boris." in text_of(app)
        model.phase = Phase.STOPPED
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)
        node.model = None
        node.said.put(TableClosed(ClosedBecause.LEFT))
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert len(app.screen_stack) == 2


async def test_a_call_is_submitted_and_comes_back_as_a_snapshot() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("x", "enter")
        await settled(pilot)
        assert node.wished == [("submit", Call(ME, believe=False))]
        assert "You do not believe Boris." in text_of(app)


async def test_a_move_of_an_older_step_is_refused_not_applied() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert node.model is not None
        node.model.step += 1
        await pilot.press("x", "enter")
        await settled(pilot)
        assert node.wished == []
        assert "The table has just changed." in text_of(app)


async def test_the_engines_refusal_is_answered_on_the_enter_line() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        node.said.put(MoveRefused("too-many", (("most", 3),)))
        await settled(pilot)
        assert "At most 3 cards a turn here." in text_of(app)


async def test_help_menu_trust_and_log_open_over_the_table_and_close() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for keys, kind in (
            (("f1",), HelpScreen),
            (("question_mark",), HelpScreen),
            (("t",), TrustScreen),
            (("е",), TrustScreen),
            (("h",), LogScreen),
            (("escape",), MenuScreen),
        ):
            await pilot.press(*keys)
            await settled(pilot)
            assert isinstance(app.screen, kind), keys
            node.changed()
            await settled(pilot)
            await pilot.press("escape")
            await settled(pilot)
            assert isinstance(app.screen, TableScreen), keys


def flowing(app: VerishApp) -> str:
    """What the screen says, without its frames and line ends."""
    return " ".join(text_of(app).replace("│", " ").split())


async def test_an_unfinished_deal_is_offered_and_taken_up_with_its_companions() -> None:
    node, company = FakeNode(unfinished=samples.left_behind()), FakeCompany()
    app = VerishApp(node, settings=still(), company=company)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, ResumeScreen)
        assert "with Anna, Boris, deal 3 is unfinished." in flowing(app)
        assert "the others wait for you or end the deal without you" in flowing(app)
        await pilot.press("enter")
        await settled(pilot)
        assert node.wished == [("resume",)]
        assert company.recalled == ["Kitchen"]
        node.table_override = replace(to_answer().snapshot(), taking_up=True, own_wait=True)
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert "Taking up the deal again" in text_of(app)
        await pilot.press("x", "enter")
        await settled(pilot)
        assert node.wished == [("resume",)], "nothing can be decided yet"


async def test_an_unfinished_deal_can_be_left_as_it_is() -> None:
    node, instead = FakeNode(unfinished=samples.left_behind(between=True)), []
    app = VerishApp(node, settings=still(), otherwise=lambda: instead.append("opened"))
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        assert "the next has not begun" in flowing(app)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert node.wished == []
        assert instead == ["opened"]


async def test_what_happened_before_the_return_is_not_shown_again() -> None:
    model = to_answer()
    node = FakeNode(table_override=replace(model.snapshot(), taking_up=True, own_wait=True))
    app = VerishApp(node, settings=set_to(animation=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        model.call(ME)
        node.table_override = None
        node.model = model
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert not app.screen.flow.showing


async def test_the_trust_page_shows_the_numbers_of_the_snapshot() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("t")
        await settled(pilot)
        shown = " ".join(text_of(app).split())
        assert "Could anyone have peeked? ✓ No." in shown
        assert "The 7 cards on the table are closed." in shown
        assert "39 shares" in shown


async def test_the_log_looks_back_and_shows_calls_only() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        assert node.model is not None
        node.model.call(ME)
        node.model.settle()
        await settled(pilot)
        await pilot.press("h")
        await settled(pilot)
        assert "New round. Vera leads." in text_of(app)
        await pilot.press("c")
        await settled(pilot)
        assert "New round." not in text_of(app)
        assert "I don't believe!" in text_of(app)
        assert "“three queens”" in text_of(app)


async def test_quitting_is_asked_first_in_both_layouts() -> None:
    for key in ("ctrl+q", "ctrl+й"):
        node = FakeNode(to_answer())
        app = VerishApp(node, settings=still())
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            await pilot.press(key)
            await settled(pilot)
            assert isinstance(app.screen, MenuScreen)
            assert "if you leave now, you lose this deal" in text_of(app)
            assert ("leave",) not in node.wished
            await app.do(Quit())
            await settled(pilot)
        assert app.return_value == 0
        assert ("leave",) in node.wished, "the others need not wait for who has quit"


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
async def test_the_keys_of_quitting_ask_in_the_open_menu_too(key: str) -> None:
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert "Quit Verish?" not in text_of(app)
        await pilot.press(key)
        await settled(pilot)
        assert "Quit Verish?" in text_of(app)
        assert "if you leave now, you lose this deal" in text_of(app)


async def test_the_key_that_ends_a_wait_reaches_the_node() -> None:
    model = to_answer()
    model.wait_until = 0.0
    node = FakeNode(model)
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("e")
        await settled(pilot)
    assert ("end_wait",) in node.wished


async def test_forms_open_over_the_lobby_and_wishes_reach_the_node() -> None:
    node = FakeNode()
    company = FakeCompany()
    app = VerishApp(node, settings=still(), company=company)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot)
        assert isinstance(app.screen, OpenTableScreen)
        await pilot.press("enter")
        await settled(pilot)
        assert node.wished[0][:1] == ("open_table",)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press("ш")
        await settled(pilot)
        assert isinstance(app.screen, AddressScreen)
        await pilot.press(*"127.0.0.1:5", "enter")
        await settled(pilot)
        assert ("dial", "127.0.0.1:5") in node.wished
        assert isinstance(app.screen, AddressScreen), "it says there why nobody was reached"
        await app.do(PlayWithBots(3))
        assert company.called == [("Oleg", 3)]
        assert ("open_table", "Oleg", "pagat", 4) in node.wished
        await app.do(StartWithout())
        assert node.wished[-1] == ("start_without",)


async def test_a_wrong_code_is_told_where_it_was_typed_and_the_right_one_leads_to_the_table() -> None:
    private = samples.offer(1, "Kitchen", needs_code=True, people=("Boris", "Vera"))
    node = FakeNode(lobby=replace(samples.lobby(), offers=(private,)))
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, CodeScreen)
        await pilot.press(*"482190", "enter")
        await settled(pilot)
        assert node.wished == [("join", private.opener, private.offer_id, "482190")]
        node.said.put(JoinRefused(private.offer_id, RefusedJoin.WRONG_CODE, tries_left=7))
        await settled(pilot)
        assert isinstance(app.screen, CodeScreen)
        assert "This is not the table's code. 7 more tries in this minute." in app.screen.page.note
        await pilot.press("7")
        await pilot.pause(0.5)  # Enter twice within a moment is one press
        await pilot.press("enter")
        await settled(pilot)
        assert node.wished[-1][-1] == "4821907"
        node.table_override = samples.gathering()
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, ReadyScreen)


async def test_bots_are_called_once_and_go_home_when_the_table_is_left() -> None:
    node, company = FakeNode(), FakeCompany()
    app = VerishApp(node, settings=still(), company=company)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await app.do(PlayWithBots(3))
        node.model = to_answer()
        await app.do(PlayWithBots(3))
        assert company.called == [("Oleg", 3)], "at a table already"
        node.changed()
        await settled(pilot)
        assert not company.dismissed
        await app.do(Leave())
        node.model = None
        node.changed()
        await settled(pilot)
        assert company.dismissed
        assert isinstance(app.screen, LobbyScreen)


async def test_help_from_the_menu_is_about_the_screen_below_it() -> None:
    node = FakeNode(to_answer())
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("escape", "down", "enter")
        await settled(pilot)
        assert "queens are in" in text_of(app)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)


async def test_help_explains_pages_to_read_too() -> None:
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for key, words in (("t", "promise"), ("h", "newest")):
            await pilot.press(key)
            await settled(pilot)
            await pilot.press("f1")
            await settled(pilot)
            assert isinstance(app.screen, HelpScreen)
            assert words in text_of(app)
            await pilot.press("escape", "escape")
            await settled(pilot)
            assert isinstance(app.screen, TableScreen)


async def test_help_lists_only_the_keys_that_work_now() -> None:
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("f1")
        await settled(pilot)
        shown = text_of(app)
        assert "I don't believe" in shown
        assert "keep all" not in shown
        assert "rank named" not in shown


async def test_a_whole_deal_with_two_players_ends_on_the_screen_of_the_end() -> None:
    model = ModelTable(("Vera", "Oleg"), own=Seat(1), dealer=Seat(1))
    node = FakeNode(model)
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for _ in range(200):
            if model.state.over:
                break
            if model.forced():
                pass
            elif model.state.owed[0].seat == Seat(1) and isinstance(app.screen, TableScreen):
                app.screen.update_table(model.snapshot())
                flow = app.screen.flow
                flow._guard._dead_until = 0.0
                if flow.situation.complete_sets and model.state.owed[0].duty.value == "discard-sets":
                    await pilot.press("s", "enter")
                else:
                    slots = [slot for slot, _ in flow.situation.hand][:3]
                    for slot in slots:
                        flow.click(slot)
                    await pilot.press("enter")
                    if flow.choice.naming:
                        await pilot.pause(0.3)
                        await pilot.press("up", "enter")
                await settled(pilot)
            elif model.state.owed[0].duty.value == "discard-sets":
                model.play(DiscardSets(Seat(0), (), ()))
            else:
                model.lay(Seat(0), 1, Rank.NINE if model.state.rank is None else None)
            node.changed()
            await settled(pilot)
        assert model.state.over
        assert isinstance(app.screen, OverScreen)
        assert any(wish[0] == "submit" for wish in node.wished)


async def test_the_last_reveal_is_shown_before_the_end_of_the_deal() -> None:
    model = ModelTable(("Vera", "Oleg"), own=Seat(1), dealer=Seat(1))
    model.lay(Seat(0), 1, Rank.NINE)
    node = FakeNode(model)
    now = [100.0]
    app = VerishApp(node, settings=set_to(animation=True), now=lambda: now[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        model.call(Seat(1))
        model.forced()
        model.phase = Phase.OVER
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        now[0] += 10
        app.screen.redraw()
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)


async def test_no_color_in_the_environment_chooses_the_filter_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = VerishApp(FakeNode(to_answer()), settings=still())
    assert app.no_colors
    assert app.native_ansi_color
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        strip = app.screen.query_one(CanvasView).render_line(16)
        assert all(segment.style is None or segment.style.bgcolor is None for segment in strip)


async def test_an_event_of_the_lobby_reaches_the_lobby() -> None:
    node = FakeNode()
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        node.lobby = replace(node.lobby, own_name="Changed")
        node.said.put(LobbyChanged())
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert app.screen.page.snapshot.own_name == "Changed"


async def test_the_palette_offers_the_actions_of_the_table_and_quits_through_the_question() -> None:
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        offered = {command.title: command.callback for command in app.get_system_commands(app.screen)}
        assert {"help", "trust", "log", "menu", "quit"} <= set(offered)
        offered["trust"]()
        await settled(pilot)
        assert isinstance(app.screen, TrustScreen)
        app.action_help_quit()
        await settled(pilot)
        assert isinstance(app.screen, MenuScreen)


@pytest.mark.parametrize("pressed", ["pageup", "pagedown"])
async def test_a_page_of_the_palette_is_turned_in_a_window_too_low_for_its_list(pressed: str) -> None:
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(80, 4)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p", pressed, pressed)
        await settled(pilot)
        await pilot.press(pressed, "escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)


@pytest.mark.parametrize("ended", [False, True])
async def test_a_player_saves_the_transcript_and_nothing_is_overwritten(
    ended: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model = to_answer()
    model.title = "../Кухня: a/b"
    node = FakeNode(model)
    if ended:
        node.table_override = replace(model.snapshot(), phase=Phase.VOID)
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        if not ended:
            await pilot.press("t")
            await settled(pilot)
            assert isinstance(app.screen, TrustScreen)
        assert ("save it" if ended else "save the transcript") in text_of(app)
        for key in ("e", "у"):
            await pilot.press(key)
            await answered(pilot, "Saved: verish-Кухня-a-b-deal-3")
    assert files(tmp_path) == {
        "verish-Кухня-a-b-deal-3.jsonl": b"{}\n",
        "verish-Кухня-a-b-deal-3-2.jsonl": b"{}\n",
    }


async def test_a_transcript_that_cannot_be_saved_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> Path:
        raise LocalError(LocalReason.DISK_FULL, "here")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ui.evening.save_transcript", refuse)
    app = VerishApp(FakeNode(to_answer()), settings=still())
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("t", "e")
        await answered(pilot, "The disk is full: here.")
        await pilot.press("down")
        assert "The disk is full" not in text_of(app)
    assert not files(tmp_path)


async def test_looking_begins_anew_when_the_last_one_has_gone() -> None:
    clock = [0.0]
    node = FakeNode(lobby=samples.lobby())
    app = VerishApp(node, settings=still(), now=lambda: clock[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        clock[0] = 477.0
        node.said.put(LobbyChanged())
        await settled(pilot)
        node.lobby = samples.lobby(empty=True)
        clock[0] = 480.0
        node.said.put(LobbyChanged())
        await settled(pilot)
        assert "Looking for people on this network" in text_of(app)
        assert "477" not in text_of(app)


async def test_who_was_here_and_no_longer_answers_does_not_stop_the_looking() -> None:
    clock = [0.0]
    gone = replace(samples.lobby(empty=True), people=(samples.person(1, "Boris", reachable=False),))
    app = VerishApp(FakeNode(lobby=gone), settings=still(), now=lambda: clock[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "Looking for people on this network" in text_of(app)
        clock[0] = 14.0
        app._navigation.refresh_lobby()
        await settled(pilot)
        assert "Nobody found yet." in text_of(app)
