"""Peers on machines of their own: network namespaces, joined by a bridge.

Needs the right to make namespaces (root); otherwise the tests are skipped and say so.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from bounds import WAIT_S, LoopWatch
from lan import REASON, ip, lan

from crypto import Identity, fingerprint

ROOT = Path(__file__).parents[2]
PEER = ROOT / "tests" / "helpers" / "lone_peer.py"

HOLD_MULTICAST_PORT = """
import signal, socket
holder = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
holder.bind(("::", 5353))
print("held", flush=True)
signal.pause()
"""
pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


class Lone:
    """A `lone_peer` process and what it said."""

    def __init__(self, number: int, process: asyncio.subprocess.Process) -> None:
        self.key = Identity(bytes([number]) * 32).public
        self.fingerprint = fingerprint(self.key)
        self.process = process
        self.said: list[dict[str, Any]] = []

    async def until(self, event: str, **data: object) -> dict[str, Any]:
        """The next line with this event and these data: one that is sure to come after all that was read."""
        assert self.process.stdout is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while line := await self.process.stdout.readline():
                    said: dict[str, Any] = json.loads(line)
                    self.said.append(said)
                    if said["event"] == event and data.items() <= said.items():
                        return said
        raise AssertionError(f"it did not say {event} {data}; it said {self.said}")

    async def ever(self, event: str, **data: object) -> dict[str, Any]:
        """A line with this event and these data, said already or the next."""
        for said in self.said:
            if said["event"] == event and data.items() <= said.items():
                return said
        return await self.until(event, **data)

    async def up(self, other: "Lone") -> str:
        """The address over which a link to the other is up."""
        return str((await self.until("up", key=other.key.hex()))["address"])

    async def send(self, text: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + b"\n")
        await self.process.stdin.drain()


@asynccontextmanager
async def lone(machine: str, number: int, *options: str) -> AsyncIterator[Lone]:
    """A peer on a machine."""
    command = [
        "ip",
        "netns",
        "exec",
        machine,
        sys.executable,
        "-W",
        "error",
        str(PEER),
        str(number),
        *options,
    ]
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    try:
        yield Lone(number, process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
        process._transport.close()


async def test_peers_find_each_other_across_a_bridge_with_the_least_mtu_and_no_default_route() -> None:
    message = random.Random(1).randbytes(60_000).hex().encode()
    with lan() as net:
        left = net.machine("10.77.0.1/24", "fd77::1/64", mtu=1280)
        right = net.machine("10.77.0.2/24", "fd77::2/64", mtu=1280)
        async with lone(left, 1) as one, lone(right, 2) as two:
            await one.up(two)
            await two.up(one)
            await two.ever("found", fingerprint=one.fingerprint)
            await one.send(message)
            heard = await two.until("message")
            assert heard["digest"] == hashlib.sha256(message).hexdigest()
            with LoopWatch() as watch:
                one.process.stdin.close()
                await one.until("closed")
                # Discovery and the link say goodbye each on its own way.
                await two.ever("lost", fingerprint=one.fingerprint)
                down = await two.ever("down", key=one.key.hex())
            # Where the machine stands still for seconds, the link may be over before anybody can say so.
            assert down["reason"] == "goodbye" or (down["reason"] == "timeout" and watch.taken_s > 2)


async def test_peers_on_one_machine_need_nothing_but_loopback() -> None:
    with lan() as net:
        machine = net.machine()
        async with AsyncExitStack() as stack:
            peers = [await stack.enter_async_context(lone(machine, number)) for number in (1, 2, 3)]
            for peer in peers:
                for _ in range(len(peers) - 1):
                    assert "127.0.0.1" in (await peer.until("up"))["address"]


async def test_a_link_that_has_only_link_local_addresses_is_enough() -> None:
    with lan() as net:
        left, right = net.machine("fe80::77:1/64"), net.machine("fe80::77:2/64")
        async with lone(left, 1) as one, lone(right, 2) as two:
            assert "fe80::" in await one.up(two)
            assert "fe80::" in await two.up(one)


async def test_a_network_that_comes_later_and_is_changed_for_another_needs_no_restart() -> None:
    with lan() as net:
        left, right = net.machine(), net.machine("10.77.0.2/24")
        async with lone(left, 1) as one, lone(right, 2) as two:
            await one.until("problem", problem="no-network")
            net.plug(left, "10.77.0.1/24")
            await one.up(two)
            # The other may reach the new address before discovery has looked at it, or after.
            await one.ever("problem", problem=None)
            net.unplug(left)
            await two.until("down", key=one.key.hex())
            net.plug(left, "10.77.0.9/24")
            await two.up(one)


async def test_a_killed_peer_is_missed_within_seconds_and_takes_its_own_name_back() -> None:
    with lan() as net:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        async with lone(right, 2) as two:
            async with lone(left, 1) as one:
                await two.up(one)
                one.process.kill()
                await two.until("down", key=one.key.hex(), reason="timeout")
            # Its old record is valid for an hour yet.
            assert not any(said["event"] == "lost" for said in two.said)
            async with lone(left, 1) as again:
                await two.up(again)
                await again.up(two)
            found = [said["fingerprint"] for said in two.said if said["event"] == "found"]
            assert set(found) == {one.fingerprint}


async def test_the_interface_that_was_chosen_is_used_and_the_other_is_not() -> None:
    with lan() as first, lan() as second:
        left = first.machine("10.77.0.1/24")
        second.plug(left, "10.88.0.1/24", interface="eth1")
        right = second.machine("10.88.0.2/24")
        ip("-n", left, "route", "add", "default", "via", "10.77.0.250")
        async with lone(left, 1, "--interface", "eth1") as one, lone(right, 2) as two:
            assert "10.88.0.2" in await one.up(two)
            found = await two.ever("found", fingerprint=one.fingerprint)
            assert all("10.77" not in address for address in found["addresses"])


async def test_a_private_address_that_both_sides_have_is_never_taken_for_the_peer() -> None:
    with lan() as net:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        for name in (left, right):
            ip("-n", name, "link", "add", "docker0", "type", "bridge")
            ip("-n", name, "addr", "add", "172.17.0.1/16", "dev", "docker0")
            ip("-n", name, "link", "set", "docker0", "up")
        async with lone(left, 1) as one, lone(right, 2) as two:
            assert "172.17" not in await one.up(two)
            assert "172.17" not in await two.up(one)


async def test_joining_by_address_works_while_another_program_holds_the_multicast_port() -> None:
    with lan() as net:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        holder = await asyncio.create_subprocess_exec(
            "ip",
            "netns",
            "exec",
            left,
            sys.executable,
            "-c",
            HOLD_MULTICAST_PORT,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert holder.stdout is not None
            await holder.stdout.readline()
            async with lone(right, 2, "--quiet") as two:
                port = (await two.until("open"))["port"]
                async with lone(left, 1, "--dial", f"10.77.0.2:{port}") as one:
                    await one.until("problem", problem="multicast-port-taken")
                    await one.up(two)
        finally:
            holder.kill()
            await holder.communicate()
            holder._transport.close()


async def test_joining_by_address_works_where_multicast_is_dropped() -> None:
    with lan() as net:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        for cable in ("c0", "c1"):
            ip("-n", net.bridge, "link", "set", cable, "type", "bridge_slave", "mcast_flood", "off")
        async with lone(right, 2) as two:
            port = (await two.until("open"))["port"]
            async with lone(left, 1, "--dial", f"10.77.0.2:{port}") as one:
                await one.up(two)
                assert not any(said["event"] == "found" for said in one.said)


FLOOD = """
import random, socket, time
draw = random.Random(1)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.77.0.2"))
for number in range(100_000):
    if number % 50 == 0:
        time.sleep(0.005)  # so that most of them are read, not dropped before
    head = draw.randbytes(2) + draw.choice([bytes(2), bytes([0x84, 0])]) + bytes([0, draw.randrange(3)] * 4)
    sender.sendto(head + draw.randbytes(draw.randrange(200)), ("224.0.0.251", 5353))
"""


def memory_kb(pid: int) -> int:
    """The resident memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


async def test_malformed_multicast_leaves_memory_flat_and_discovery_working() -> None:
    with lan() as net:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        async with lone(left, 1) as one:
            await one.until("open")
            before = memory_kb(one.process.pid)
            flood = await asyncio.create_subprocess_exec(
                "ip", "netns", "exec", right, sys.executable, "-c", FLOOD
            )
            assert await flood.wait() == 0
            async with lone(right, 2) as two:
                await one.up(two)
                await two.up(one)
            assert memory_kb(one.process.pid) - before < 16_000
