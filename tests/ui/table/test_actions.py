"""Every action of the table, done once by its key and once by the mouse."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from form_tables import ME, NAMES, laid, table
from model_table import ModelTable, cards, to_answer
from pilots import settled
from table_host import Host
from textual import events
from textual.pilot import Pilot

from engine import Rank, Seat
from ui import keys
from ui.keys import Place
from ui.table.centre import Checked
from ui.table.choice import Choice
from ui.table.flow import Flow, Leave
from ui.table.frame import Press

SUIT = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"
DOWN, UP = events.MouseScrollDown, events.MouseScrollUp


@dataclass(frozen=True)
class Deed:
    """One action. `key`: what is pressed. `click`: what is clicked for the same, or how the wheel is turned.

    `done`: whether it was done. `before`: keys that lead there.
    """

    action: str
    key: str
    click: object
    done: Callable[[Host], bool]
    before: tuple[str, ...] = ()


def choice(host: Host) -> Choice:
    """What is chosen."""
    return host.table.flow.choice


def chosen(host: Host) -> list[Rank]:
    """The ranks of the chosen cards."""
    faces = host.table.flow.situation.faces
    return [faces[slot].rank for slot in choice(host).chosen]


def lead() -> ModelTable:
    """Return a table at which the own seat leads, with a card of each rank."""
    model = ModelTable(NAMES, own=ME, dealer=Seat(2))
    model.give(ME, cards(SUIT))
    return model


def empty_handed() -> ModelTable:
    """Return a table whose own seat has forgotten to say that its cards are gone."""
    model = laid(table(out_call="manual"))
    model.leave_none(ME, 2)
    model.lay(ME, 2)
    return laid(model)


def missing() -> ModelTable:
    """Return a table that may go on without somebody who is away."""
    model = ModelTable(NAMES, own=ME, dealer=ME)
    model.away = {Seat(0): 10.0}
    model.wait_until = 70.0
    return model


def a_card(rank: Rank) -> Callable[[Host], object]:
    """Return how the own card of a rank is found."""
    return lambda host: next(slot for slot, card in host.table.flow.situation.hand if card.rank == rank)


RANKS = tuple(
    Deed(
        keys.rank_action(rank),
        keys.RANK_KEYS[rank][0][0],
        a_card(rank),
        lambda host, rank=rank: chosen(host) == [rank],
    )
    for rank in Rank
)

AT_THE_TABLE: dict[str, tuple[Callable[[], ModelTable], tuple[Deed, ...]]] = {
    "lead": (
        lead,
        (
            *RANKS,
            Deed("name_rank", "tab", Press("name_rank"), lambda host: choice(host).naming, ("6", "7")),
            Deed("rank_up", "up", Press("rank_up"), lambda host: choice(host).named is not None, ("6", "7")),
            Deed(
                "rank_down",
                "down",
                Press(keys.rank_action(Rank.JACK)),
                lambda host: choice(host).named is not None,
                ("6", "7", "enter"),
            ),
        ),
    ),
    "answer": (
        to_answer,
        (
            Deed("enter", "enter", Press("enter"), lambda host: len(host.moves) == 1, ("q",)),
            Deed("call", "x", Press("call"), lambda host: choice(host).armed is False),
            Deed("left", "left", UP, lambda host: choice(host).cursor is not None),
            Deed("right", "right", DOWN, lambda host: choice(host).cursor is not None),
            Deed("toggle", "space", a_card(Rank.SIX), lambda host: chosen(host) == [Rank.SIX], ("right",)),
            Deed("put_back", "backspace", Press("put_back"), lambda host: not chosen(host), ("q",)),
            Deed("trust", "t", Press("trust"), lambda host: host.left == [Leave.TRUST]),
            Deed("log", "h", Press("log"), lambda host: host.left == [Leave.LOG]),
            Deed("help", "f1", Press("help"), lambda host: host.left == [Leave.HELP]),
            Deed("back", "escape", Press("back"), lambda host: host.left == [Leave.MENU]),
            Deed("talk", "m", Press("talk"), lambda host: host.table.flow.talking.open),
            Deed("mute", "u", Press("mute"), lambda host: host.table.flow.talking.muted),
            Deed("cover", "c", Press("cover"), lambda host: "Your cards are covered." in host.text),
        ),
    ),
    "believe": (
        lambda: laid(table("club")),
        (
            Deed("believe", "v", Press("believe"), lambda host: choice(host).armed is True),
            Deed("fewer", "minus", Press("fewer"), lambda host: choice(host).nothing),
        ),
    ),
    "one card": (
        lambda: laid(table(check="one_by_caller")),
        (Deed("first_card", "1", Checked(0), lambda host: choice(host).index == 0, ("x", "2")),),
    ),
    "window": (
        lambda: laid(table("pagat", callers="any")),
        (Deed("keep", "s", Press("keep"), lambda host: choice(host).silent),),
    ),
    "empty hand": (
        empty_handed,
        (Deed("announce", "o", Press("announce"), lambda host: choice(host).out),),
    ),
    "away": (
        missing,
        (Deed("end_wait", "e", Press("end_wait"), lambda host: host.waits_ended == 1),),
    ),
}

ELSEWHERE = {
    **dict.fromkeys(keys.OF_THE_APP, "the app's own"),
    "more": "only says why it does nothing",
}


def test_no_action_of_the_table_is_forgotten_here() -> None:
    tried = {deed.action for _, deeds in AT_THE_TABLE.values() for deed in deeds}
    assert tried | ELSEWHERE.keys() == {action.name for action in keys.actions_at(Place.TABLE)}


@pytest.mark.parametrize("name", AT_THE_TABLE)
async def test_every_action_is_done_by_its_key_and_by_the_mouse(name: str) -> None:
    make, deeds = AT_THE_TABLE[name]
    host = Host(make())
    async with host.run_test(size=(120, 36)) as pilot:
        for deed in deeds:
            for by_mouse in (False, True):
                begin(host)
                await pilot.press(*deed.before)
                await settled(pilot)
                assert not deed.done(host), deed.action
                await (click(pilot, host, deed.click) if by_mouse else pilot.press(deed.key))
                await settled(pilot)
                assert deed.done(host), f"{deed.action} by {'mouse' if by_mouse else 'key'}:\n{host.text}"


def begin(host: Host) -> None:
    """Forget what was done before."""
    host.ticks.pass_s(10)
    host.table.flow = Flow(host.model.snapshot(), host.ticks, animate=False)
    host.moves.clear()
    host.left.clear()
    host.waits_ended = 0
    host.table.redraw()


async def click(pilot: Pilot[None], host: Host, target: object) -> None:
    """Click something, or turn the wheel over the hand."""
    if target in (UP, DOWN):
        await pilot._post_mouse_events([target], offset=(4, 30))
        return
    found = target(host) if callable(target) else target
    await pilot.click(offset=host.where(found))
