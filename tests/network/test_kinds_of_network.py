"""Whole deals over every kind of network that peers may share: they find each other, play, and agree."""

from pathlib import Path

import pytest
from bad_lan import REASON, Weather, bad_lan
from bot_deals import BotTable
from lan import ip

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

MULTICAST_LATE_S = 0.4


@pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(("fe80::77:{}/64", "fd77::{}/64"), id="unique local", marks=pytest.mark.long),
        pytest.param(("fe80::77:{}/64",), id="link-local only"),
    ],
)
async def test_a_deal_needs_nothing_but_ipv6_and_no_default_route(
    tmp_path: Path, addresses: tuple[str, ...]
) -> None:
    with bad_lan() as net:
        async with BotTable(net, tmp_path) as table:
            for number in (1, 2):
                await table.seat(net.machine(*(address.format(number) for address in addresses)))
            await table.ended()


async def test_a_deal_by_a_typed_address_where_multicast_is_dropped(tmp_path: Path) -> None:
    with bad_lan(Weather(multicast_dropped=True)) as net:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        async with BotTable(net, tmp_path) as table:
            opener = await table.seat(left)
            port = (await opener.until_event("start"))["port"]
            await table.seat(right, "--peer", f"10.77.0.1:{port}")
            await table.ended()


async def test_a_deal_beside_a_foreign_network_that_has_the_same_private_address(tmp_path: Path) -> None:
    with bad_lan() as net, bad_lan() as foreign:
        left, right = net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")
        # Each has a network of its own with the very same address, where a stranger answers: another peer.
        foreign.plug(left, "172.17.0.1/16", interface="eth1")
        ip("-n", left, "route", "add", "default", "via", "172.17.0.9")
        stranger = foreign.machine("172.17.0.2/16")
        ip("-n", right, "link", "add", "docker0", "type", "bridge")
        net.add_address(right, "172.17.0.2/16", "docker0")
        ip("-n", right, "link", "set", "docker0", "up")
        async with BotTable(net, tmp_path) as table, BotTable(foreign, tmp_path / "foreign") as elsewhere:
            opener = await table.seat(left)
            start = await opener.until_event("start")
            port, key = start["port"], start["key"]
            await elsewhere.seat(stranger, "--port", str(port))
            await table.seat(right, "--port", str(port), "--opener", key)
            await table.ended()
            assert not any(said["event"] == "step" for said in elsewhere.bots[0].said)


async def test_the_loop_never_stands_still_while_multicast_answers_come_late(tmp_path: Path) -> None:
    with bad_lan(Weather(multicast_late_s=MULTICAST_LATE_S)) as net:
        async with BotTable(net, tmp_path) as table:
            for number in (1, 2):
                await table.seat(net.machine(f"10.77.0.{number}/24"), "--lateness")
            results = await table.ended()
    assert max(result["largest_stall_ms"] for result in results) < MULTICAST_LATE_S * 1000
