"""A whole peer under hostile words from somebody at its table: nothing is raised, and the game goes on."""

import random
import tracemalloc

import pytest
from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.messages import JunkError, Leaves, Status, decode
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase
from tests.fuzz.mutate import Shape, hostile
from tests.fuzz.targets import TARGETS

WORDS = 400
GROWTH_BYTES = 3_000_000
"""For all words together: what is held of them has bounds of its own, a few messages of each kind."""

(MESSAGES,) = [target for target in TARGETS if target.name == "messages"]


def hostile_words(network: MemoryNetwork, chance: random.Random) -> list[bytes]:
    """Words about this very table, wherever it has a name: variations of what was said, heard on the way."""
    heard: list[bytes] = []

    def note(_sender: object, _receiver: object, message: bytes) -> bytes:
        heard.append(message)
        return message

    network.on_message = note
    network.run(seconds=1.2)
    network.on_message = None
    samples = [*heard[:200], *MESSAGES.samples]
    words = [hostile(chance, samples, Shape.PACKED) for _ in range(WORDS)]
    return [word for word in words if not is_a_say(word)]


def is_a_say(word: bytes) -> bool:
    """Whether a member may truly end his part by the word: he leaves, or his program has another state."""
    try:
        return isinstance(decode(word), Leaves | Status)
    except JunkError:
        return False


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("phase", ["lobby", "gathering", "playing"])
def test_a_peer_takes_any_words_at_any_time_and_goes_on(phase: str, seed: int) -> None:
    network = MemoryNetwork(3, seed)
    chance = random.Random(f"{phase} {seed}")
    if phase == "gathering":
        network.do(0, Peer.open_table, "Kitchen", Ruleset.preset("pagat"), 3)
    elif phase == "playing":
        network.seat_bots("random")
        for player in network.players:
            player.think = (2.0, 3.0)
        assert network.gather()
        assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=60)
    words = hostile_words(network, chance)
    victim = network.players[0]
    tracemalloc.start()
    try:
        for number, word in enumerate(words):
            network.inject(1 + number % 2, 0, word)
            if number % 25 == 0:
                network.run(seconds=0.05)
                assert victim.lobby
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert grown <= GROWTH_BYTES
    network.run(seconds=20)  # until what was muted is heard again
    if phase == "playing":
        steps = [player.table.step for player in network.players]
        assert network.run(
            lambda: all(p.table.step > steps[p.index] + 5 for p in network.players), seconds=120
        )
    else:
        assert network.run(lambda: len(victim.lobby.people) == 2, seconds=5)
    assert sum(victim.peer.junk.values()) > WORDS // 2
