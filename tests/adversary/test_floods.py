"""A stranger floods a port: what belongs to a table still gets through, and nothing grows without end.

The flood comes from a process of its own, at a rate of `RATES` or what the machine gives. What is
asserted does not depend on it.
"""

import asyncio
import resource
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from link_peers import Peer, peer, recorded
from node_tables import bots, nodes

from p2p.net import link_door, quic_socket
from p2p.net.endpoint import Endpoint
from p2p.net.headless import BotConfig

pytestmark = [pytest.mark.network, pytest.mark.long]  # a flood takes a core from whatever runs beside it

RATES = {"junk": 20_000, "first": 5_000, "old": 5_000}
"""Datagrams a second."""
STRANGE = ("junk", "first")
"""What a stranger can send who has heard nothing."""
OLD_S = 5
WORDS = 100
ANSWER_S = 30
LIMIT_S = 600
"""For machines that have other things to do as well: a flood of one second, and its process to start."""
GROWTH_BYTES = 48_000_000
"""How much the most memory of this process may grow in a flood: bounded queues hold a tenth of it."""

FLOODER = Path(__file__).parents[1] / "helpers" / "flooder.py"


@asynccontextmanager
async def flooded(
    kind: str, port: int, count: int, old: Sequence[bytes] = ()
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A flood of so many datagrams, which has begun; it ends with the block at the latest."""
    arguments = (kind, f"{port}", f"{RATES[kind]}", f"{count}", *(data.hex() for data in old))
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(FLOODER), *arguments, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def came(endpoint: Endpoint) -> int:
    """How many datagrams have come to an endpoint, dropped ones too."""
    counters = endpoint.counters.socket
    return counters.received + counters.dropped_in + counters.repeated


def most_memory() -> int:
    """The most memory that this process has had so far, in bytes."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes if sys.platform == "darwin" else kilobytes * 1024


def check_bounds(endpoint: Endpoint) -> None:
    """What strangers can fill has bounds, at any moment."""
    assert endpoint._udp._arrivals.qsize() <= quic_socket.STRANGERS_BOUND + WORDS
    assert len(endpoint._all) <= link_door.HALF_OPEN_LIMIT + 2
    assert len(endpoint._routes) <= 12 * len(endpoint._all), "8 ids of a link, and those of its beginning"


async def said(to: Peer) -> bytes:
    """What is said next to somebody, for as long as he is linked."""
    async with asyncio.timeout(ANSWER_S):
        return (await to.messages.get())[1]


async def talk(one: Peer, other: Peer, times: int) -> None:
    """Say something and be answered, so many times."""
    for number in range(times):
        word = b"%d" % number
        one.endpoint.send(other.key, word)
        assert await said(other) == word
        other.endpoint.send(one.key, word)
        assert await said(one) == word
        check_bounds(other.endpoint)


@pytest.mark.parametrize("kind", STRANGE)
async def test_two_that_are_linked_talk_on_while_a_stranger_floods_one_of_them(kind: str) -> None:
    count = RATES[kind]
    async with peer(1) as victim, peer(2) as friend:
        await friend.endpoint.connect([victim.address])
        await talk(friend, victim, 1)
        before = most_memory()
        async with asyncio.timeout(LIMIT_S), flooded(kind, victim.endpoint.port, count) as flood:
            while not came(victim.endpoint) > count // 50:
                await talk(friend, victim, 1)
            await talk(friend, victim, WORDS)
            while flood.returncode is None:
                await talk(friend, victim, 1)
        assert victim.downs.empty()
        assert friend.downs.empty()
        assert most_memory() - before <= GROWTH_BYTES
        counters = victim.endpoint.counters
        if kind == "first":
            assert counters.retried > 10 * link_door.RETRY_FROM, "the addresses had to be shown"
        else:
            assert counters.junk > link_door.RETRY_FROM


async def test_two_that_are_linked_talk_on_while_their_own_old_datagrams_come_again_and_again() -> None:
    async with peer(1) as victim, peer(2) as friend:
        await friend.endpoint.connect([victim.address])
        await talk(friend, victim, 1)
        with recorded(friend.endpoint) as kept:
            for word in (b"first", b"second"):
                friend.endpoint.send(victim.key, word)
                assert await said(victim) == word
        assert len(kept) >= 2
        before = most_memory()
        count = RATES["old"] * OLD_S
        flooding = flooded("old", victim.endpoint.port, count, kept[:2])
        async with asyncio.timeout(LIMIT_S), flooding as flood:
            while flood.returncode is None:
                await talk(friend, victim, 1)
        assert came(victim.endpoint) > count // 50
        assert victim.endpoint.counters.socket.repeated > count // 50, "they were known again at a glance"
        await talk(friend, victim, WORDS)
        assert victim.messages.empty(), "nothing was heard twice"
        assert victim.downs.empty()
        assert friend.downs.empty()
        assert most_memory() - before <= GROWTH_BYTES


@pytest.mark.parametrize("kind", STRANGE)
async def test_a_whole_deal_is_played_and_audited_under_a_flood(kind: str, tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        before = most_memory()
        async with asyncio.timeout(900), flooded(kind, anna.port, RATES[kind] * 900) as flood:
            results = await asyncio.gather(*(bot.run() for bot in bots([anna, boris], BotConfig("Kitchen"))))
            assert flood.returncode is None, "it lasted to the end"
        assert [(one["outcome"], one["audit"]) for one in results] == [("finished", "ok")] * 2
        endpoint = anna._endpoint
        assert endpoint is not None
        check_bounds(endpoint)
        assert came(endpoint) > RATES[kind] // 2
        assert most_memory() - before <= 3 * GROWTH_BYTES, "a deal needs some itself"
