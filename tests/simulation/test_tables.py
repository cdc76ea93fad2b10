"""Whole tables in virtual time, lobby to receipt; everything that varies follows from a seed.

One seed: `python -m pytest tests/simulation --seed 17`.
"""

import random

import pytest
from memory_table import Chaos, MemoryNetwork

from p2p.protocol.snapshot import Phase, ResultKind

SEEDS = 6
"""Tables in each run of the suite; nothing keeps anybody from trying others with `--seed`."""

LONGEST_S = 1800.0
"""Virtual seconds. Tables in good weather take a few minutes of them."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = metafunc.config.getoption("--seed")
    metafunc.parametrize("seed", range(1, SEEDS + 1) if chosen is None else [chosen])


def test_a_table_in_bad_weather_plays_its_deal_to_the_receipt(seed: int) -> None:
    chance = random.Random(seed)
    players = chance.choice((2, 3, 3, 4))
    chaos = Chaos(
        most_delay=chance.choice((0.02, 0.2)),
        duplicate=chance.choice((0.0, 0.1)),
        reorder=chance.choice((0.0, 0.1)),
    )
    network = MemoryNetwork(players, seed, chaos=chaos)
    network.seat_bots(chance.choice(("random", "honest", "counting")))
    again = f"python -m pytest tests/simulation --seed {seed}"
    assert network.gather(), again

    def weather() -> None:
        """Cut a link, and mend it some time later."""
        one, other = sorted(chance.sample(range(players), 2))
        if network.linked(one, other):
            network.cut(one, other)
            network.after(chance.uniform(0.05, 5.0), lambda: network.link(one, other))
        network.after(chance.uniform(0.5, 20.0), weather)

    weather()
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=LONGEST_S), again
    everybody = set(range(players))
    assert network.run(lambda: all(_signed(network, one) == everybody for one in everybody), seconds=60), (
        again
    )
    tables = [player.table for player in network.players]
    assert {table.result.kind for table in tables if table.result is not None} == {ResultKind.FINISHED}, again
    assert len({table.head for table in tables}) == 1, again
    assert len({table.view.state.digest() for table in tables if table.view is not None}) == 1, again


def _signed(network: MemoryNetwork, index: int) -> set[int]:
    result = network.players[index].table.result
    return set() if result is None else set(result.signed)
