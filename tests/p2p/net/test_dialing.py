"""Dialling: everybody found is called until linked, in growing pauses, and again when the link is lost."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from bounds import WAIT_S

import p2p.net.dialing
from crypto import Identity, fingerprint
from p2p.errors import NetworkError, NetworkReason
from p2p.net.dialing import Dialer
from p2p.net.interfaces import Address
from p2p.net.link_errors import OwnKey, Unreachable, WrongKey

KEYS = sorted((Identity(bytes([number]) * 32).public for number in range(1, 5)), key=fingerprint)
LOW, OTHER, THIRD, HIGH = KEYS
HERE = (Address("127.0.0.1", 4000),)
THERE = (Address("127.0.0.1", 5000), Address("10.0.0.7", 5000))


class Network:
    """What dialling leads to: answers are taken from a list, the last one for ever. Notes each dial."""

    def __init__(self, *answers: bytes | Exception) -> None:
        self.answers = list(answers)
        self.dials: list[tuple[tuple[Address, ...], bytes | str | None]] = []
        self.failed: list[tuple[str, NetworkError]] = []
        self.dialer: Dialer
        self._changed = asyncio.Event()

    async def dial(self, addresses: Iterable[Address], expect: bytes | str | None) -> bytes:
        self.dials.append((tuple(addresses), expect))
        self._changed.set()
        await asyncio.sleep(0)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        self.dialer.link_up(answer)
        return answer

    async def dialled(self, count: int) -> None:
        """Wait for that many dials."""
        async with asyncio.timeout(WAIT_S):
            while len(self.dials) < count:
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def dialling(network: Network, own: bytes = LOW) -> AsyncIterator[Dialer]:
    network.dialer = Dialer(
        own,
        network.dial,
        on_failed=lambda name, error: network.failed.append((name, error)),
        chance=random.Random(1),
    )
    try:
        yield network.dialer
    finally:
        await network.dialer.close()


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p2p.net.dialing, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(p2p.net.dialing, "LONGEST_PAUSE_S", 0.04)
    monkeypatch.setattr(p2p.net.dialing, "AFTER_LOSS_S", 0.001)
    monkeypatch.setattr(p2p.net.dialing, "ANSWER_FIRST_S", 0.1)


async def settle() -> None:
    """Let everything run that can run at once."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_found_peer_is_dialled_once_at_all_its_addresses_for_its_key() -> None:
    network = Network(OTHER)
    async with dialling(network) as dialer:
        dialer.add(fingerprint(OTHER), THERE, fingerprint(OTHER))
        dialer.add(fingerprint(OTHER), THERE, fingerprint(OTHER))
        await network.dialled(1)
        await asyncio.sleep(0.05)
    assert network.dials == [(THERE, fingerprint(OTHER))]


async def test_our_own_announcement_is_not_dialled() -> None:
    network = Network(LOW)
    async with dialling(network) as dialer:
        dialer.add(fingerprint(LOW), HERE, fingerprint(LOW))
        await settle()
    assert network.dials == []


async def test_peer_that_does_not_answer_is_dialled_again_in_growing_pauses() -> None:
    network = Network(Unreachable("there"))
    pauses: list[float] = []

    async def noted(target: object, seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(0)

    async with dialling(network) as dialer:
        dialer._pause = noted
        dialer.add("there", THERE)
        await network.dialled(6)
    nominal = [0.01, 0.02, 0.04, 0.04, 0.04]
    assert all(0.8 * wanted <= pause <= 1.2 * wanted for wanted, pause in zip(nominal, pauses, strict=False))
    assert {name for name, _ in network.failed} == {"there"}


async def test_new_addresses_of_a_peer_end_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p2p.net.dialing, "FIRST_PAUSE_S", 60.0)
    network = Network(Unreachable("there"), OTHER)
    async with dialling(network) as dialer:
        dialer.add("there", HERE, fingerprint(OTHER))
        await network.dialled(1)
        await settle()
        dialer.add("there", THERE, fingerprint(OTHER))
        await network.dialled(2)
    assert [addresses for addresses, _ in network.dials] == [HERE, THERE]


async def test_lost_link_is_dialled_again() -> None:
    network = Network(OTHER)
    async with dialling(network) as dialer:
        dialer.add("there", THERE)
        await network.dialled(1)
        await settle()
        dialer.link_down(OTHER)
        await network.dialled(2)
    # The first answer told the key; the second dial asks for it.
    assert [expect for _, expect in network.dials] == [None, OTHER]


async def test_larger_key_lets_the_smaller_one_dial_first() -> None:
    network = Network(OTHER)
    async with dialling(network, own=HIGH) as dialer:
        dialer.add("there", THERE, fingerprint(OTHER))
        await settle()
        assert network.dials == []
        dialer.link_up(OTHER)
        await asyncio.sleep(0.15)
        assert network.dials == []


async def test_larger_key_dials_if_the_smaller_one_does_not() -> None:
    network = Network(OTHER)
    async with dialling(network, own=HIGH) as dialer:
        dialer.add("there", THERE, fingerprint(OTHER))
        await network.dialled(1)


async def test_typed_address_that_is_our_own_is_given_up() -> None:
    network = Network(OwnKey("here"))
    async with dialling(network) as dialer:
        dialer.add("here", HERE)
        await network.dialled(1)
        await asyncio.sleep(0.05)
    assert len(network.dials) == 1
    assert isinstance(network.failed[0][1], OwnKey)


async def test_typed_address_may_belong_to_another_key_after_a_restart() -> None:
    network = Network(OTHER, WrongKey("there"), THIRD)
    async with dialling(network) as dialer:
        dialer.add("there", THERE)
        await network.dialled(1)
        await settle()
        dialer.link_down(OTHER)
        await network.dialled(3)
    assert [expect for _, expect in network.dials] == [None, OTHER, None]


async def test_removed_peer_is_dialled_no_more() -> None:
    network = Network(Unreachable("there"))
    async with dialling(network) as dialer:
        dialer.add("there", THERE)
        await network.dialled(1)
        dialer.remove("there")
        await asyncio.sleep(0.05)
    assert len(network.dials) == 1


async def test_flood_of_announcements_is_dialled_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p2p.net.dialing, "MOST_TARGETS", 3)
    monkeypatch.setattr(p2p.net.dialing, "FIRST_PAUSE_S", 60.0)
    network = Network(Unreachable("there"))
    async with dialling(network) as dialer:
        for number in range(10):
            dialer.add(str(number), HERE)
        await settle()
    assert len(network.dials) == 3


async def test_unforeseen_fault_in_dialling_ends_no_target() -> None:
    network = Network(RuntimeError(), OTHER)
    async with dialling(network) as dialer:
        dialer.add("typed", HERE)
        await network.dialled(2)


async def test_peer_met_before_is_never_left_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p2p.net.dialing, "LONGEST_PAUSE_S", 60.0)
    monkeypatch.setattr(p2p.net.dialing, "LONGEST_PAUSE_FOR_KNOWN_S", 0.01)
    network = Network(Unreachable(""))
    async with dialling(network) as dialer:
        # He dialled us: the announcement and the link lead to the same key.
        dialer.link_up(OTHER)
        dialer.add(fingerprint(OTHER), HERE, fingerprint(OTHER))
        await settle()
        dialer.link_down(OTHER)
        await network.dialled(12)


async def test_strangers_are_dialled_a_few_at_a_time_and_nobody_else_waits_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(p2p.net.dialing, "MOST_STRANGERS", 2)
    monkeypatch.setattr(p2p.net.dialing, "STRANGER_LIMIT_S", 0.05)
    silent = {f"forged {number}" for number in range(6)}
    now: set[object] = set()
    most = 0

    class Silent(Network):
        async def dial(self, addresses: Iterable[Address], expect: bytes | str | None) -> bytes:
            nonlocal most
            if expect not in silent:
                return await super().dial(addresses, expect)
            now.add(expect)
            most = max(most, len(now))
            try:
                return await asyncio.get_running_loop().create_future()
            finally:
                now.discard(expect)

    network = Silent(OTHER)
    async with dialling(network) as dialer:
        for name in sorted(silent):
            dialer.add(name, HERE, name)
        dialer.add("typed", THERE)
        await settle()
        assert network.dials == [(THERE, None)]
        async with asyncio.timeout(WAIT_S):
            while len({name for name, _ in network.failed}) < len(silent):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    assert most == 2
    assert {error.reason for _, error in network.failed} == {NetworkReason.UNREACHABLE}
