"""A player's program is killed in the middle of a deal, between real sockets, and the others go on."""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import node_tables
import pytest
from node_tables import TITLE, nodes

from engine import Ruleset
from p2p.net.headless import Bot, BotConfig
from p2p.net.node import Node
from p2p.net.store import Store
from p2p.protocol.snapshot import Phase
from p2p.protocol.table_rules import TableRules

pytestmark = pytest.mark.network

RULES = TableRules(grace_s=10, absence="forfeit")


async def until_playing(node: Node) -> None:
    """Wait until cards are in hand."""
    events = node.events()
    async with asyncio.timeout(60):
        while node.table is None or node.table.phase is not Phase.PLAYING:
            await events.get(0.2)
    events.close()


async def test_a_process_that_is_killed_is_voted_absent_and_the_others_play_on(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        rules = Ruleset.preset("pagat")
        # Each decision takes a while, so that the deal is not over before the process is killed.
        joins = BotConfig(TITLE, deals=2, pause_s=0.5)
        ours = replace(joins, seats=3, ruleset=rules, table_rules=RULES)
        heard: list[dict[str, object]] = []
        playing = asyncio.gather(
            Bot(anna, ours, heard.append).run(), Bot(boris, joins, lambda event: None).run()
        )
        program = [sys.executable, node_tables.__file__, str(tmp_path), str(anna.port), TITLE]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
        victim = await asyncio.create_subprocess_exec(
            *program, stdout=asyncio.subprocess.PIPE, env=environment
        )
        await until_playing(anna)
        victim.send_signal(signal.SIGKILL)
        await victim.wait()
        async with asyncio.timeout(180):
            results = await playing
        first = next(event for event in heard if event["event"] == "deal_over")
        assert (first["outcome"], first["audit"]) == ("absent", "ok")
        assert [(result["outcome"], result["audit"]) for result in results] == [("finished", "ok")] * 2
        assert results[0]["head"] == results[1]["head"]
        deals = await anna.read_store(Store.deals)
        assert [(deal.number, deal.outcome) for deal in deals] == [(1, "absent"), (2, "finished")]
