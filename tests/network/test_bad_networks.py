"""Whole deals over networks that lose, double, delay and reorder: they end, and all agree."""

from pathlib import Path

import pytest
from bad_lan import REASON, Weather, bad_lan
from bot_deals import BotTable

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

DATAGRAM_LIMIT = 1200
"""Bytes of payload: fits the least MTU of IPv6 with all headers."""


async def test_a_deal_with_a_tenth_of_all_packets_lost_each_way_ends_equally_for_all(tmp_path: Path) -> None:
    with bad_lan(Weather(lost=0.1)) as net:
        async with BotTable(net, tmp_path) as table:
            for number in (1, 2, 3):
                await table.seat(net.machine(f"10.77.0.{number}/24"), seats=3)
            await table.ended()
        assert net.switch.lost > net.switch.frames / 20


async def test_packets_lost_doubled_and_out_of_order_take_effect_once(tmp_path: Path) -> None:
    with bad_lan(Weather(lost=0.05, reordered=0.2, doubled=0.1)) as net:
        async with BotTable(net, tmp_path) as table:
            for number in (1, 2):
                await table.seat(net.machine(f"10.77.0.{number}/24"))
            await table.ended()


async def test_no_datagram_is_larger_than_the_least_mtu_allows(tmp_path: Path) -> None:
    with bad_lan() as net:
        async with BotTable(net, tmp_path) as table:
            # Four seats play with 52 cards: a shuffle with its proof takes some 9 kB.
            for number, mtu in enumerate((1280, 1372, 1500, 1280), start=1):
                machine = net.machine(f"10.77.0.{number}/24", f"fd77::{number}/64", mtu=mtu)
                await table.seat(machine, seats=4)
            await table.ended()
        assert DATAGRAM_LIMIT / 2 < net.switch.largest_payload <= DATAGRAM_LIMIT
        assert net.switch.fragments == 0
