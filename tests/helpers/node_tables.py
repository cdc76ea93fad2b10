"""Real nodes on loopback for tests: several in one process, or one in a process that can be killed.

Run as a program it is a bot: `python node_tables.py HOME PORT TITLE`, which joins TITLE at the node that
listens on PORT of 127.0.0.1 and prints its events, a JSON object a line.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from engine import Ruleset
from p2p.net.headless import Bot, BotConfig
from p2p.net.node import Node, NodeConfig

TITLE = "Kitchen"
NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor")


@asynccontextmanager
async def nodes(home: Path, count: int, **options: object) -> AsyncIterator[list[Node]]:
    """`count` nodes with profiles of one home, each linked to those before it, without discovery."""
    async with AsyncExitStack() as stack:
        running: list[Node] = []
        for name in NAMES[:count]:
            peers = tuple(f"127.0.0.1:{node.port}" for node in running)
            config = NodeConfig(name, home=home, discover=False, peers=peers, measure_stalls=True)
            running.append(await stack.enter_async_context(Node(replace(config, **options))))
        yield running


def bots(
    running: list[Node], config: BotConfig, events: list[list[dict[str, object]]] | None = None
) -> list[Bot]:
    """A bot for each node; the first opens the table. Their events go to `events`, a list for each."""
    made = []
    for seed, node in enumerate(running):
        heard: list[dict[str, object]] = []
        if events is not None:
            events.append(heard)
        ruleset = Ruleset.preset("pagat") if seed == 0 else None
        transcript = config.transcript and config.transcript.with_suffix(f".{seed}.jsonl")
        own = replace(config, seats=len(running), ruleset=ruleset, seed=seed, transcript=transcript)
        made.append(Bot(node, own, heard.append))
    return made


async def play(
    running: list[Node], config: BotConfig, events: list[list[dict[str, object]]]
) -> list[dict[str, object]]:
    """Play with bots at all nodes; the results."""
    return list(await asyncio.gather(*(bot.run() for bot in bots(running, config, events))))


async def _main(home: str, port: str, title: str) -> None:
    config = NodeConfig("Zoya", home=Path(home), discover=False, peers=(f"127.0.0.1:{port}",))
    async with Node(config) as node:
        await Bot(node, BotConfig(title), lambda event: print(json.dumps(event), flush=True)).run()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
