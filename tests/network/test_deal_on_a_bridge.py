"""A whole deal between hosts on a bridge of the kernel: they find each other, play, and agree."""

from pathlib import Path

import pytest
from bot_deals import BotTable
from lan import REASON, lan

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


async def test_three_hosts_on_a_bridge_play_a_deal_to_its_audited_end(tmp_path: Path) -> None:
    with lan() as net:
        machines = [
            net.machine("10.77.0.1/24"),
            net.machine("10.77.0.2/24", mtu=1280),
            net.machine("10.77.0.3/24", "fd77::3/64"),
        ]
        async with BotTable(net, tmp_path) as table:
            for machine in machines:
                await table.seat(machine, seats=3)
            await table.ended()
