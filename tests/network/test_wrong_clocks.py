"""Wall clocks that are wrong, differ and jump: nothing that peers do depends on them."""

import sys
from pathlib import Path

import pytest
from bot_deals import BotTable
from lan import REASON, lan

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

PROGRAM = Path(__file__).parents[1] / "helpers" / "wrong_clock.py"
HOUR_S, DAY_S, YEAR_S = 3600, 86_400, 31_557_600


async def test_a_deal_does_not_look_at_the_wall_clock(tmp_path: Path) -> None:
    with lan() as net:
        machine = net.machine()
        async with BotTable(net, tmp_path) as table:
            for ahead_s, jump_s in ((-3 * YEAR_S, 0), (DAY_S, 0), (0, HOUR_S)):
                program = (sys.executable, str(PROGRAM), str(ahead_s), str(jump_s))
                await table.seat(machine, seats=3, program=program)
            await table.ended()
