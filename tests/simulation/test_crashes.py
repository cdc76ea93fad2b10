"""Processes that die between any two effects, and come back from what they had kept.

One seed: `python -m pytest tests/simulation --seed 17`.
"""

import random
from collections.abc import Iterable

import pytest
from memory_table import MemoryNetwork, Player

from p2p.protocol.peer_effects import CloseDeal, Keep, PeerEffect, Run, Send
from p2p.protocol.snapshot import Phase, ResultKind

LONGEST_S = 1800.0
"""Virtual seconds for one deal with its crashes."""

WEIGHTY = (Keep, Send, Run, CloseDeal)
"""Between two events for the screen a crash is like a crash before the first of them."""


SEEDS = 1
"""In each run of the suite; `--seed` tries others."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = metafunc.config.getoption("--seed")
    metafunc.parametrize("seed", range(1, SEEDS + 1) if chosen is None else [chosen])


class Reaper:
    """Kills processes at chosen effects, counted over the whole table, and starts them again."""

    def __init__(self, network: MemoryNetwork, *, most_pause: float = 4.0) -> None:
        self.network = network
        self.chance = random.Random(f"reaper/{network.seed}")
        self.most_pause = most_pause
        self.count = 0
        self.kills = 0
        self.at: set[int] = set()
        self.victims: set[int] = set(range(len(network.players)))
        network.on_effect = self.look

    def look(self, player: Player, effect: PeerEffect) -> bool:
        """Whether the process dies before this effect."""
        if not isinstance(effect, WEIGHTY) or player.index not in self.victims:
            return False
        self.count += 1
        if self.count not in self.at:
            return False
        self.kills += 1
        self.network.after(
            self.chance.uniform(0.1, self.most_pause), lambda: self.network.restart(player.index)
        )
        return True


def formed(players: int, seed: int) -> MemoryNetwork:
    """A table that has just been formed, with bots."""
    network = MemoryNetwork(players, seed)
    network.seat_bots("random")
    assert network.gather()
    return network


def assert_ended_alike(network: MemoryNetwork, again: str = "") -> None:
    """The deal ended for all, with equal ledgers and nobody blamed."""
    assert network.run(lambda: ended(network), seconds=LONGEST_S), again
    everybody = set(range(len(network.players)))
    assert network.run(lambda: all(signed(player) == everybody for player in network.players)), again
    tables = [player.table for player in network.players]
    assert {table.result.kind for table in tables if table.result is not None} == {ResultKind.FINISHED}, again
    assert len({player.peer.transcript() for player in network.players}) == 1, again
    assert not any(table.silent for table in tables), again


def ended(network: MemoryNetwork, deal: int = 1) -> bool:
    """Whether everybody is there and has come to the end of the deal."""
    return all(player.alive for player in network.players) and network.all_in(Phase.OVER, deal)


def signed(player: Player) -> set[int]:
    """Whose receipts a player has."""
    table = player.peer.table
    return set() if table is None or table.result is None else set(table.result.signed)


def effects_of_a_deal(players: int, seed: int) -> int:
    """How many effects the first player carries out in a deal without crashes."""
    network = formed(players, seed)
    reaper = Reaper(network)
    reaper.victims = {0}
    assert_ended_alike(network)
    return reaper.count


SHARES = 4
"""The effects of one deal are shared out to so many tests, every one to one of them."""
EFFECTS_TRIED = 5
"""By each of them."""


def places(share: int, total: int, seed: int) -> Iterable[int]:
    """The effects at which one test kills: of each stretch of the deal one, drawn by the seed."""
    chance = random.Random(seed)
    stretches = SHARES * EFFECTS_TRIED
    for number in range(share, stretches, SHARES):
        first, last = number * total // stretches, (number + 1) * total // stretches
        yield chance.randrange(first, max(last, first + 1)) + 1


@pytest.mark.parametrize("share", range(SHARES))
def test_a_peer_killed_between_any_two_effects_returns_and_the_deal_ends_alike(share: int, seed: int) -> None:
    again = f"python -m pytest tests/simulation --seed {seed}"
    total = effects_of_a_deal(2, seed)
    assert total > 200
    for place in places(share, total, seed):
        network = formed(2, seed)
        reaper = Reaper(network)
        reaper.victims, reaper.at = {0}, {place}
        assert_ended_alike(network, f"{again}: effect {place}")
        assert reaper.kills == 1, place


def test_peers_killed_again_and_again_at_random_moments_end_the_deal_alike(seed: int) -> None:
    again = f"python -m pytest tests/simulation --seed {seed}"
    network = formed(3, seed)
    reaper = Reaper(network)
    chance = random.Random(seed)
    reaper.at = {chance.randrange(1, 1200) for _ in range(6)}
    assert_ended_alike(network, again)
    assert reaper.kills >= 1, again


def test_all_peers_killed_at_once_return_and_the_deal_goes_on(seed: int) -> None:
    again = f"python -m pytest tests/simulation --seed {seed}"
    network = formed(3, seed)
    chance = random.Random(seed)
    for _ in range(3):
        network.run(seconds=chance.uniform(0.05, 6.0))
        for player in network.players:
            network.kill(player.index)
        for player in network.players:
            network.after(
                chance.uniform(0.0, 5.0),
                lambda index=player.index: network.restart(index),  # type: ignore[misc]
            )
        network.run(seconds=6.0)
    assert_ended_alike(network, again)
