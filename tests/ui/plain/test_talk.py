"""Talk in plain mode."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fake_node import FakeNode
from model_table import ModelTable
from plain_voice import PlainPlayer

from engine import Ruleset, Seat
from p2p.protocol.snapshot import Phase, Remark, Talked

ME, VERA = Seat(0), Seat(1)


def at_table() -> ModelTable:
    return ModelTable(("Oleg", "Vera", "Anna"), own=ME, dealer=ME, ruleset=Ruleset.preset("pagat"))


async def hears(model: ModelTable, seat: Seat, said: str | Remark) -> list[str]:
    async with PlainPlayer(FakeNode(model)) as player:
        mark = player.mark
        model.say(seat, said)
        player.program.dialogue.put(Talked(model.talk[-1]))
        await player.settled()
        return player.said_since(mark)


async def test_what_somebody_says_is_a_line() -> None:
    assert "Vera says: no way" in await hears(at_table(), VERA, "no way")


async def test_the_own_words_and_ready_remarks_are_lines_too() -> None:
    assert "You say: Well played!" in await hears(at_table(), ME, Remark.WELL_PLAYED)


@pytest.mark.parametrize(
    ("typed", "said"), [("4", Remark.WELL_PLAYED), ("well, well", "well, well"), ("12", "12")]
)
async def test_a_line_or_the_number_of_a_remark_is_said(typed: str, said: str | Remark) -> None:
    node = FakeNode(at_table())
    async with PlainPlayer(node) as player:
        await player.type("say", typed)
        assert node.wished == [("say", said)]


async def test_an_empty_line_says_nothing() -> None:
    node = FakeNode(at_table())
    async with PlainPlayer(node) as player:
        await player.type("say", "")
        assert node.wished == []


def gathering() -> FakeNode:
    members = tuple(replace(one, seat=None, ready=False) for one in at_table().snapshot().members)
    node = FakeNode(at_table())
    node.table_override = replace(
        at_table().snapshot(),
        phase=Phase.GATHERING,
        members=members,
        deal=0,
        view=None,
        owed=(),
        own_seat=None,
    )
    return node


def over() -> FakeNode:
    model = at_table()
    model.phase = Phase.OVER
    return FakeNode(model)


@pytest.mark.parametrize("make", [lambda: FakeNode(at_table()), gathering, over])
async def test_talk_is_muted_and_heard_again_wherever_it_is_told(make: Callable[[], FakeNode]) -> None:
    node = make()
    model = node.model
    assert model is not None
    model.say(VERA, "hush")
    async with PlainPlayer(node) as player:

        async def heard() -> bool:
            mark = player.mark
            player.program.dialogue.put(Talked(model.talk[-1]))
            await player.settled()
            return "Vera says: hush" in player.said_since(mark)

        await player.type("")
        assert await heard()
        await player.type("mute")
        assert "Talk is muted: nobody's words are shown. “show talk” shows them again." in player.voice.lines
        assert not await heard()
        mark = player.mark
        await player.type("")
        assert not any("say something" in line for line in player.said_since(mark))
        await player.type("show talk")
        assert "Talk is shown again." in player.voice.lines
        assert await heard()
