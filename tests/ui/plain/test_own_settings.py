"""Settings in plain mode: what a new table begins with, and whether a lay is called a bluff."""

import pytest
from fake_node import FakeNode
from model_table import ModelTable, cards
from plain_voice import PlainPlayer

from engine import Rank, Ruleset, Seat
from p2p.protocol.table_rules import TableRules
from ui.settings import OwnSettings, Settings

ME, VERA = Seat(0), Seat(1)


def settings(**changes: object) -> OwnSettings:
    return OwnSettings(stored=Settings(**changes))  # type: ignore[arg-type]


async def test_tables_begin_with_the_times_of_the_settings() -> None:
    for typed in (("bots", "2", "yes"), ("open", "", "", "1", "1", "1", "yes")):
        node = FakeNode()
        async with PlainPlayer(node, settings=settings(clock_s=30, grace_s=20)) as player:
            await player.type(*typed)
            assert TableRules(clock_s=30, grace_s=20) in node.wished[-1]


@pytest.mark.parametrize(("truth", "told"), [(True, True), (False, False)])
async def test_whether_a_lay_is_a_bluff_is_told_only_where_that_is_wished(truth: bool, told: bool) -> None:
    model = ModelTable(("Oleg", "Vera"), own=ME, dealer=ME, ruleset=Ruleset.preset("pagat").with_(burn=0))
    model.give(ME, cards("6S 7D QS KD"))
    model.lay(VERA, 1, Rank.QUEEN)
    async with PlainPlayer(FakeNode(model), settings=settings(truth=truth)) as player:
        await player.type("lay", "7")
        assert any(line.startswith("Lay 7 and say") for line in player.voice.lines)
        assert any("A bluff." in line for line in player.voice.lines) is told
