"""The times of a table between whole nodes with sockets: nobody acts, and the programs do it when the time is
over that all have signed.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from node_tables import TITLE, nodes

from engine import Laid, Ruleset
from p2p.net.node import Node
from p2p.protocol.deal_run import REVEAL_S
from p2p.protocol.snapshot import OwedKind, Phase, TableSnapshot
from p2p.protocol.table_rules import LEAST_CLOCK_S, LEAST_WINDOW_S, TableRules

pytestmark = pytest.mark.network

RULES = Ruleset.with_preset("dictionary", {"callers": "any", "first_dealer": "chosen"})
TIMES = TableRules(window_s=LEAST_WINDOW_S, clock_s=LEAST_CLOCK_S, dealer=1)
LATE_S = 2.0
"""So much later than asked a machine that does many other things may act."""


async def until(condition: Callable[[], bool], node: Node, limit_s: float) -> float:
    """Wait until something is so, looking at each event of the node; return when it was."""
    events = node.events()
    async with asyncio.timeout(limit_s):
        while not condition():
            await events.get(0.02)
    events.close()
    return time.monotonic()


def at(node: Node) -> TableSnapshot:
    """The node's table."""
    assert node.table is not None
    return node.table


async def seated(running: list[Node]) -> None:
    """Sit all down at a table with short times, and wait for their cards."""
    first, *others = running
    first.open_table(TITLE, RULES, len(running), TIMES)
    for node in others:
        await until(lambda: bool(node.lobby.offers), node, 10)  # noqa: B023
        offer = node.lobby.offers[0]
        node.join(offer.opener, offer.offer_id)
        await until(lambda: node.table is not None, node, 10)  # noqa: B023
    for node in running:
        node.set_ready(True)
    for node in running:
        await until(lambda: at(node).phase is Phase.PLAYING and bool(at(node).owed), node, 20)  # noqa: B023


async def test_the_turn_and_the_window_of_people_who_do_nothing_end_when_all_signed_it(
    tmp_path: Path,
) -> None:
    async with nodes(tmp_path, 3) as running:
        await seated(running)
        # The dealer leads in this form, and the opener chose the second seat.
        leader = running[1]
        (owed,) = at(leader).owed
        assert (owed.seat, owed.kind) == (1, OwedKind.LAY)
        assert owed.until == pytest.approx(owed.since + TIMES.clock_s)

        laid = await until(
            lambda: bool(at(leader).happened[-1:]) and at(leader).happened[-1].lapsed, leader, 15
        )
        assert isinstance(at(leader).happened[-1].event, Laid)
        assert 0 <= laid - owed.until < LATE_S

        other = running[2]
        await until(lambda: any(one.kind is OwedKind.ANSWER for one in at(other).owed), other, 5)
        window = at(other).owed_by_me
        assert window is not None
        assert window.until == pytest.approx(window.since + TIMES.window_s)
        closed = await until(lambda: at(other).owed_by_me is None, other, TIMES.window_s + REVEAL_S)
        assert 0 <= closed - window.until < LATE_S
        assert sum(one.lapsed for node in running for one in at(node).happened) == 1
