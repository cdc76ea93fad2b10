"""Watching over real sockets: a headless peer without a seat follows what others play."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from bounds import WAIT_S
from node_tables import TITLE, nodes

from engine import Ruleset
from p2p.net.headless import Bot, BotConfig, ProtocolTroubleError
from p2p.protocol.snapshot import OfferStatus
from p2p.protocol.table_code import TableCode, own_code
from p2p.protocol.table_rules import TableRules

pytestmark = pytest.mark.network

SHORT = Ruleset.preset("pagat").with_(pack=24)
CODE = own_code("4821 9037")


@pytest.mark.parametrize("code", [None, CODE])
async def test_a_headless_watcher_has_the_transcript_that_the_players_have(
    tmp_path: Path, code: TableCode | None
) -> None:
    events: list[dict[str, object]] = []
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    async with nodes(tmp_path, 3) as running:
        plays = BotConfig(TITLE, deals=2, code=code)
        opens = replace(plays, ruleset=SHORT, transcript=files[0])
        looks = BotConfig(TITLE, deals=2, watch=True, transcript=files[2], code=code)
        results = await asyncio.gather(
            Bot(running[0], opens, lambda _: None).run(),
            Bot(running[1], replace(plays, transcript=files[1], seed=1), lambda _: None).run(),
            Bot(running[2], looks, events.append).run(),
        )
        assert [one["audit"] for one in results] == ["ok"] * 3
        assert results[2]["seat"] is None
        assert {one["head"] for one in results} == {results[0]["head"]}
        assert len({file.read_bytes() for file in files}) == 1
        assert (await running[2].history()).deals == ()
    assert [one["deal"] for one in events if one["event"] == "deal_over"] == [1, 2]


async def test_a_headless_watcher_ends_with_its_last_result_once_the_players_have_left(
    tmp_path: Path,
) -> None:
    async with nodes(tmp_path, 3) as running:
        players = [
            Bot(running[0], BotConfig(TITLE, ruleset=SHORT), lambda _: None),
            Bot(running[1], BotConfig(TITLE, seed=1), lambda _: None),
        ]
        told: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        looks = BotConfig(TITLE, deals=9, watch=True, patience_s=3600)
        watcher = asyncio.create_task(Bot(running[2], looks, told.put_nowait).run())
        await asyncio.gather(*(player.run() for player in players))
        async with asyncio.timeout(WAIT_S):
            while (await told.get())["event"] != "deal_over":
                pass
            running[0].leave()
            running[1].leave()
            result = await watcher
    assert (result["deals"], result["audit"]) == (1, "ok")


async def test_a_headless_watcher_of_a_deal_that_its_players_have_left_does_not_wait_for_its_end(
    tmp_path: Path,
) -> None:
    async with nodes(tmp_path, 3) as running:
        opens = BotConfig(TITLE, ruleset=SHORT, pause_s=3600)
        players = [
            asyncio.create_task(Bot(node, config, lambda _: None).run())
            for node, config in zip(running[:2], (opens, BotConfig(TITLE, pause_s=3600)), strict=True)
        ]
        told: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        looks = BotConfig(TITLE, watch=True)
        watcher = asyncio.create_task(Bot(running[2], looks, told.put_nowait).run())
        async with asyncio.timeout(WAIT_S):
            while (await told.get()).get("event") != "step":
                pass
            for player, node in zip(players, running[:2], strict=True):
                player.cancel()
                node.leave()
            with pytest.raises(ProtocolTroubleError) as caught:
                await watcher
        assert caught.value.check == "left"
        await asyncio.gather(*players, return_exceptions=True)


async def test_a_table_that_lets_nobody_watch_is_told_when_patience_ends(tmp_path: Path) -> None:
    async with nodes(tmp_path, 3) as running:
        rules = TableRules(watchers="no")
        players = [
            Bot(running[0], BotConfig(TITLE, ruleset=SHORT, table_rules=rules, pause_s=60), lambda _: None),
            Bot(running[1], BotConfig(TITLE, seed=1, pause_s=60), lambda _: None),
        ]
        playing = [asyncio.create_task(player.run()) for player in players]
        async with asyncio.timeout(WAIT_S):
            async for _event in running[2].events():
                if any(offer.status is OfferStatus.PLAYING for offer in running[2].lobby.offers):
                    break
        with pytest.raises(ProtocolTroubleError) as caught:
            await Bot(running[2], BotConfig(TITLE, watch=True, patience_s=1), lambda _: None).run()
        assert caught.value.check == "not_watched"
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
