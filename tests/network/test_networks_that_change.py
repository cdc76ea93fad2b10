"""Networks that come, go and change while a table waits or a deal is played: nobody has to do anything."""

import asyncio
from pathlib import Path

import pytest
from bad_lan import REASON, bad_lan
from bot_deals import BotTable
from lan import ip

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

THOUGHTFUL = ("--pause", "0.03")
"""So slow that a change falls into the middle of a deal."""


@pytest.mark.parametrize("cut_s", [6.0, pytest.param(20.0, marks=pytest.mark.long)])
async def test_a_deal_goes_on_after_a_cut_without_any_word_of_the_interfaces(
    tmp_path: Path, cut_s: float
) -> None:
    with bad_lan() as net:
        machines = [net.machine(f"10.77.0.{number}/24") for number in (1, 2)]
        async with BotTable(net, tmp_path) as table:
            for machine in machines:
                await table.seat(machine, *THOUGHTFUL)
            await table.bots[0].until_it("laid")
            net.cut(machines[1])
            await asyncio.sleep(cut_s)  # the length of the cut is what is tested
            net.cut(machines[1], cut=False)
            await table.ended()
            assert {said["name"] for said in table.bots[0].said if said["event"] == "lost"} == {"Boris"}


@pytest.mark.parametrize(
    "back",
    [
        pytest.param("10.77.0.2/24", id="same", marks=pytest.mark.long),
        pytest.param("10.77.0.9/24", id="another"),
    ],
)
async def test_a_deal_goes_on_when_an_interface_was_removed_and_is_back(tmp_path: Path, back: str) -> None:
    with bad_lan() as net:
        machines = [net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")]
        async with BotTable(net, tmp_path) as table:
            for machine in machines:
                await table.seat(machine, *THOUGHTFUL)
            await table.bots[0].until_it("laid")
            net.unplug(machines[1])
            await table.bots[0].until_event("lost", name="Boris")
            net.plug(machines[1], back)
            await table.ended()


@pytest.mark.parametrize(
    "who", [pytest.param(0, id="who opened"), pytest.param(1, id="who joined", marks=pytest.mark.long)]
)
async def test_a_deal_goes_on_when_an_address_changes_in_its_middle(tmp_path: Path, who: int) -> None:
    with bad_lan() as net:
        machines = [net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")]
        async with BotTable(net, tmp_path) as table:
            for machine in machines:
                await table.seat(machine, *THOUGHTFUL)
            await table.bots[0].until_it("laid")
            ip("-n", machines[who], "addr", "flush", "dev", "eth0")
            net.add_address(machines[who], "10.77.0.9/24")
            await table.ended()


async def test_a_lobby_without_a_network_plays_once_the_network_comes(tmp_path: Path) -> None:
    with bad_lan() as net:
        left, right = net.machine(), net.machine("10.77.0.2/24")
        async with BotTable(net, tmp_path) as table:
            opener = await table.seat(left)
            await table.seat(right)
            await opener.until_event("start")
            net.plug(left, "10.77.0.1/24")
            await table.ended()


@pytest.mark.long
async def test_a_lobby_whose_interface_was_removed_announces_itself_again(tmp_path: Path) -> None:
    with bad_lan() as net:
        left, right = net.machine("10.77.0.1/24"), net.machine()
        async with BotTable(net, tmp_path) as table:
            opener = await table.seat(left)
            await opener.until_event("start")
            net.unplug(left)
            await table.seat(right)
            net.plug(left, "10.77.0.1/24")
            net.plug(right, "10.77.0.2/24")
            await table.ended()
