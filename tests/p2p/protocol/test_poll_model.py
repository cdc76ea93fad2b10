"""A model check of polls: whatever is lost or late, and with one seat that signs what it likes, nobody honest
tells two stories, nobody ends otherwise than the others, and no end is undone.

One world: `python -m pytest tests/p2p/protocol/test_poll_model.py --seed 17`.
"""

import pytest
from poll_world import World

WORLDS = 8
"""For each number of seats, with and without a liar. Thousands were run while the polls were worked out."""


def check(world: World) -> None:
    """All that honest seats have come to agrees, or a liar has shown himself; nobody else is blamed."""
    evidence = [voter.evidence for voter in world.alive]
    assert {told[0].seat for told in evidence if told is not None} <= world.liars
    if any(evidence):
        assert all(evidence), "the deal is void for some only"
        return
    ends = {voter.outcomes[-1].key for voter in world.alive if voter.outcomes}
    assert len(ends) <= 1, {voter.seat: voter.outcomes for voter in world.alive}
    for voter in world.alive:
        assert not (ends and voter.beyond and not voter.outcomes), "one goes on where others ended"
    if not (world.dead or world.liars or world.left):
        assert ends or all(voter.beyond for voter in world.alive), "all are there, and nothing goes on"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = metafunc.config.getoption("--seed")
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(1, WORLDS + 1) if chosen is None else [chosen])


@pytest.mark.parametrize("liars", [0, 1])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_nobody_ends_otherwise_than_the_others(seats: int, liars: int, seed: int) -> None:
    world = World(seed * 100 + seats * 10 + liars, seats, liars)
    world.run(world.rng.choice([20, 60, 120]))
    world.heal(60)
    check(world)


def test_the_worlds_of_the_check_end_in_every_way() -> None:
    """Else the check would say little."""
    ways = set()
    for number in range(60):
        world = World(number, 5, number % 2)
        world.run(60)
        world.heal(40)
        if any(voter.evidence for voter in world.alive):
            ways.add("two stories")
        elif any(voter.outcomes for voter in world.alive):
            ways.add("ended")
        elif world.alive and all(voter.beyond for voter in world.alive):
            ways.add("went on")
        if any(voter.outcomes and voter.beyond for voter in world.voters.values()):
            ways.add("gave way")
    assert ways == {"two stories", "ended", "went on", "gave way"}
