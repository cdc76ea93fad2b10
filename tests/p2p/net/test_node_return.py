"""A node that comes back to its table: from its journal, from another port, without help of discovery."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from node_tables import TITLE

from engine import Ruleset
from p2p.net.headless import Bot, BotConfig
from p2p.net.node import Node, NodeConfig
from p2p.net.unfinished import Wanted
from p2p.protocol.snapshot import Phase

pytestmark = pytest.mark.network


def plays(node: Node) -> bool:
    return node.table is not None and node.table.phase is Phase.PLAYING


async def until(condition: Callable[[], object], node: Node, limit_s: float = 30.0) -> None:
    """Wait until something is so, looking at each event of the node."""
    events = node.events()
    async with asyncio.timeout(limit_s):
        while not condition():
            await events.get(0.05)
    events.close()


def config(home: Path, name: str, *, peers: tuple[str, ...] = (), back: bool = False) -> NodeConfig:
    unfinished = Wanted(title=TITLE) if back else None
    return NodeConfig(name, home=home / name, discover=False, peers=peers, unfinished=unfinished)


async def deal_out(anna: Node, boris: Node) -> None:
    """Form a table and wait until both hold cards and nothing moves by itself."""
    anna.open_table(TITLE, Ruleset.preset("pagat"), 2)
    await until(lambda: boris.lobby.offers, boris)
    boris.join(anna.key, boris.lobby.offers[0].offer_id)
    await until(lambda: boris.table is not None and len(boris.table.members) == 2, boris)
    for node in (anna, boris):
        node.set_ready(True)
    for node in (anna, boris):
        await until(partial(plays, node), node)


async def test_a_node_finds_its_table_again_where_the_others_were_last_met(tmp_path: Path) -> None:
    async with Node(config(tmp_path, "Anna")) as anna:
        async with Node(config(tmp_path, "Boris", peers=(f"127.0.0.1:{anna.port}",))) as boris:
            await deal_out(anna, boris)
            before, port = boris.table, boris.port
        assert before is not None
        async with Node(config(tmp_path, "Boris", back=True)) as boris:
            unfinished = boris.unfinished
            assert unfinished is not None
            assert (unfinished.title, unfinished.names, unfinished.between) == (TITLE, ("Anna",), False)
            assert boris.table is None
            boris.resume()
            assert boris.unfinished is None
            assert boris.table is not None
            assert boris.table.taking_up
            await until(lambda: boris.table is not None and not boris.table.taking_up, boris)
            after = boris.table
            assert after.view is not None
            assert before.view is not None
            assert (after.deal, after.step, after.head, after.own_seat) == (
                before.deal,
                before.step,
                before.head,
                before.own_seat,
            )
            assert after.view.hand == before.view.hand
            assert boris.port != port or boris.addresses
            await until(lambda: anna.table and not any(member.left for member in anna.table.members), anna)


async def test_a_bot_started_again_plays_the_deal_to_its_end(tmp_path: Path) -> None:
    async with Node(config(tmp_path, "Anna")) as anna:
        there = (f"127.0.0.1:{anna.port}",)
        async with Node(config(tmp_path, "Boris", peers=there)) as boris:
            await deal_out(anna, boris)
        async with Node(config(tmp_path, "Boris", back=True)) as boris:
            events: list[dict[str, object]] = []
            playing = asyncio.create_task(Bot(boris, BotConfig(TITLE), events.append).run())
            await until(lambda: boris.table is not None and not boris.table.taking_up, boris)
            beside = Bot(anna, BotConfig(TITLE, ruleset=Ruleset.preset("pagat")), lambda _event: None)
            decider = asyncio.create_task(beside._decide_for_ever())
            async with asyncio.timeout(120):
                result = await playing
            decider.cancel()
            beside._mind.close()
    assert (result["outcome"], result["audit"], result["deals"]) == ("finished", "ok", 1)
    assert [event["event"] for event in events][:2] == ["start", "resume"]
