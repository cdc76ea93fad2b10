"""The table screen in Textual: keys of both layouts, the mouse, hostile names, sizes, no colours."""

import re

import pytest
from model_table import ModelTable, cards, to_answer
from pilots import settled
from table_host import Host

from engine import Call, Lay, Seat
from p2p.protocol.snapshot import Phase, ShuffleState, ShuffleView, TrustAnswer
from ui.glyphs import GlyphSet
from ui.table.flow import Leave
from ui.table.frame import Press
from ui.table.pages import LogScreen, TrustScreen

ME = Seat(3)


@pytest.mark.parametrize("queen", ["q", "Q", "й", "Й", "д", "Д"])
async def test_cards_are_picked_in_either_layout_with_or_without_capitals(queen: str) -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press(queen, "enter")
        await settled(pilot)
    (move,) = host.moves
    assert isinstance(move, Lay)
    assert len(move.slots) == 1


@pytest.mark.parametrize("call", ["x", "X", "ч", "Ч"])
async def test_a_call_is_a_cross_on_either_layout(call: str) -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press(call, "enter")
        await settled(pilot)
    assert host.moves == [Call(ME, believe=False)]


async def test_every_key_of_the_table_reaches_the_flow() -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "space", "tab")
        await settled(pilot)
        assert "Queens are in force until somebody calls." in host.text
        await pilot.press("backspace", "left", "space", "up", "minus", "0", "escape", "escape")
        await pilot.press("t", "е", "h", "р", "f1", "question_mark", "comma")
        await settled(pilot)
    assert host.moves == []
    assert host.left == [
        Leave.MENU,
        *[Leave.TRUST] * 2,
        *[Leave.LOG] * 2,
        *[Leave.HELP] * 3,
    ]


async def test_the_mouse_is_complete() -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot)

        async def click(target: object, button: int = 1) -> None:
            await pilot.click(offset=host.where(target), button=button)
            await settled(pilot)

        slot = host.table.flow.situation.hand[2][0]
        await click(slot)
        assert "“one queen”  a bluff" in host.text
        await click(slot, button=3)
        assert host.table.flow.choice.chosen == ()
        await click(Press("call"))
        await click(Press("enter"))
        assert host.moves == [Call(ME, believe=False)]
        await click(Press("trust"))
        await click(Press("log"))
        await click(Press("help"))
        await click(Press("back"))
        assert host.table.flow.choice.armed is None, "the first Esc lowers the call"
        await click(Press("back"))
    assert host.left == [Leave.TRUST, Leave.LOG, Leave.HELP, Leave.MENU]


async def test_ranks_are_clicked_when_one_has_to_be_named() -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(2))
    model.give(ME, cards("6S 7D"))
    host = Host(model)
    async with host.run_test(size=(60, 20)) as pilot:
        await pilot.press("6", "7", "enter")
        await settled(pilot)
        ranks = host.lines[18].split()
        assert ranks == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
        row = 18
        column = host.lines[row].index("J")
        await pilot.click(offset=(column, row))
        await settled(pilot)
        assert "▸J◂" in host.lines[row]
        assert "Lay 2 and say “two jacks”" in host.text


HOSTILE = ("[/]", "[@click=app.quit]x[/]", "\x1b[31mred\x1b]0;t\x07", "Олег")


async def test_hostile_names_are_shown_literally_and_steer_nothing() -> None:
    model = to_answer(HOSTILE)
    model.title = "[red]\x1b[2J$primary"
    host = Host(model)
    async with host.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        assert "[/]" in host.text
        assert "[@click=app.q…" in host.text
        assert "?[31mred?]0;t?" in host.text
        assert "[red]?[2J$primary" in host.lines[0]
        assert "\x1b" not in host.text
        for page in (TrustScreen, LogScreen):
            await host.push_screen(page(model.snapshot()))
            await settled(pilot)
            await host.pop_screen()


async def test_the_window_may_take_any_size_and_no_game_key_works_when_too_small() -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        for size in ((60, 20), (40, 10), (20, 5), (11, 3), (1, 1), (144, 46), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            canvas = host.table.view.canvas
            assert (canvas.width, canvas.height) == (min(size[0], 144), min(size[1], 46))
            if size[0] < 60:
                await pilot.press("q", "x", "enter")
                await settled(pilot)
                assert host.moves == []
                assert host.table.flow.choice.chosen == ()
            if size == (40, 10):
                assert "The window is too small." in host.text
                assert "It is 40x10; the table needs 60x20." in re.sub(r"\s+", " ", host.text)
                assert "Your turn" in host.text
            if size == (20, 5):
                assert "60x20!" in host.text
            if size == (11, 3):
                assert "60x20" in host.text


THROUGH = ((120, 36), (60, 20), (40, 10), (20, 5), (1, 1), (80, 24))
"""Sizes that a window takes in turn, and back to that of the beginning."""


async def test_cards_stay_chosen_while_the_window_takes_any_size() -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("7", "q", "right")
        await settled(pilot)
        before, choice = host.lines, host.table.flow.choice
        for size in THROUGH:
            await pilot.resize_terminal(*size)
            await settled(pilot)
            if size[0] >= 60:
                assert "Lay 2 and say “two queens”" in host.text
            assert host.table.flow.choice == choice
        assert host.lines == before
        await pilot.press("enter")
        await settled(pilot)
    (move,) = host.moves
    assert isinstance(move, Lay)
    assert set(move.slots) == set(choice.chosen)


async def test_a_reveal_goes_on_where_it_was_while_the_window_takes_any_size() -> None:
    model = to_answer()
    host = Host(model, animate=True)
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        model.call(ME)
        model.forced()
        host.table.update_table(model.snapshot())
        host.ticks.pass_s(0.7)
        host.table.redraw()
        before = host.lines
        assert before[6].count("✗") == 1, "one of three cards lies open"
        for size in THROUGH:
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert "BLUFF" not in host.text, f"{size} gives the verdict away"
        assert host.lines == before
        host.ticks.pass_s(10)
        host.table.redraw()
        assert "✗ BLUFF" in host.text
        assert "Boris takes 7 cards. You lead." in host.text


async def test_a_big_window_shows_the_table_in_its_middle_and_clicks_still_hit() -> None:
    host = Host(to_answer())
    async with host.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        top, left = host.table.view.origin
        assert (top, left) == (7, 28)
        row = next(number for number, line in enumerate(host.lines) if "Bksp" in line)
        column = host.lines[row].index("x")
        await pilot.click(offset=(left + column, top + row))
        await settled(pilot)
        assert "Say “I don't believe”" in host.text


async def test_no_colours_are_sent_and_what_is_filled_is_reversed() -> None:
    host = Host(to_answer(), no_colors=True, glyphs=GlyphSet.ASCII)
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        shown = [host.table.view.render_line(y) for y in range(24)]
        styles = [segment.style for strip in shown for segment in strip if segment.style]
        assert all(style.color is None and style.bgcolor is None for style in styles)
        banner = shown[16]
        assert all(segment.style is not None and segment.style.reverse for segment in banner)
        for strip in shown:
            strip.text.encode("ascii")


async def test_only_what_differs_is_repainted() -> None:
    host = Host(to_answer())
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        painted: list[int] = []
        original = host.table.view.refresh

        def refresh(*regions: object, **options: object) -> object:
            painted.append(len(regions))
            return original(*regions, **options)

        host.table.view.refresh = refresh
        host.table.redraw()
        assert painted == []
        await pilot.press("7")
        await settled(pilot)
        assert painted
        assert all(0 < count < 10 for count in painted)


async def test_preparing_shows_a_bar_for_each_seat() -> None:
    model = to_answer()
    model.phase = Phase.SHUFFLING
    model.trust = TrustAnswer.NOT_YET
    model.shuffles = (
        ShuffleView(Seat(0), ShuffleState.DONE, 4),
        ShuffleView(Seat(1), ShuffleState.WORKING, 0),
        ShuffleView(Seat(2), ShuffleState.WAITING, 0),
        ShuffleView(Seat(3), ShuffleState.WAITING, 0),
    )
    for size in ((60, 20), (80, 24), (120, 36)):
        host = Host(model)
        async with host.run_test(size=size) as pilot:
            await settled(pilot)
            assert "shuffled, checked by 4" in host.text
            assert "Anna is shuffling · 2 of 4" in host.text
            assert "no card can be read yet" in host.lines[0]
            await pilot.press("x", "enter")
            await settled(pilot)
        assert host.moves == []
