"""Discovery on this machine. Other peers may be on the network while this runs: only our own fingerprints
count.
"""

import asyncio
import errno
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from bounds import WAIT_S
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncZeroconf

from crypto import Identity, fingerprint
from p2p.net import discovery
from p2p.net.discovery import Discovery, DiscoveryProblem
from p2p.net.discovery_record import (
    LABEL_LIMIT,
    SERVICE_TYPE,
    TEXT_LIMIT,
    TXT_LIMIT,
    Hints,
    PeerRecord,
    cut,
    fingerprint_of,
    instance_name,
    pack_hints,
    read_addresses,
    read_hints,
    txt_size,
)
from p2p.net.interfaces import Address, InterfaceAddress

LOOPBACK = InterfaceAddress("lo", 1, "127.0.0.1")


class Heard:
    """What one Discovery reported, newest record by fingerprint."""

    def __init__(self) -> None:
        self.records: dict[str, PeerRecord] = {}
        self.problems: list[DiscoveryProblem | None] = []
        self.found_count = 0
        self._changed = asyncio.Event()

    def found(self, record: PeerRecord) -> None:
        self.records[record.fingerprint] = record
        self.found_count += 1
        self._changed.set()

    def lost(self, key: str) -> None:
        self.records.pop(key, None)
        self._changed.set()

    def problem(self, problem: DiscoveryProblem | None) -> None:
        self.problems.append(problem)
        self._changed.set()

    def knows(self, fingerprints: set[str]) -> bool:
        return fingerprints <= self.records.keys()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def announced(port: int, name: str = "", **options: Any) -> AsyncIterator[tuple[Discovery, Heard, str]]:
    own = fingerprint(Identity.generate(os.urandom).public)
    heard = Heard()
    found = Discovery(
        own,
        port,
        Hints(1, name),
        on_found=heard.found,
        on_lost=heard.lost,
        on_problem=heard.problem,
        **options,
    )
    await found.start()
    try:
        yield found, heard, own
    finally:
        await found.stop()


@pytest.fixture
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> list[InterfaceAddress]:
    """The machine's addresses as discovery sees them; tests may change the list."""
    addresses = [LOOPBACK]
    monkeypatch.setattr(discovery, "local_addresses", lambda interface=None: tuple(addresses))
    return addresses


# What is announced


def test_the_service_label_is_no_longer_than_the_standard_allows() -> None:
    label = SERVICE_TYPE.split(".")[0]
    assert label.startswith("_")
    assert len(label) - 1 <= LABEL_LIMIT


def test_the_longest_hints_stay_small() -> None:
    packed = pack_hints(Hints(65535, "Ж" * 300, "🂡" * 300, "Ж" * 300))
    assert txt_size(packed) < TXT_LIMIT
    assert all(len(f"{key}={value}".encode()) <= 255 for key, value in packed.items())


def test_a_cut_falls_between_two_characters() -> None:
    assert cut("ЖЖЖ", 5) == "ЖЖ"
    assert cut("Ж" * 40, 63) == "Ж" * 31
    assert cut("\ud800x", 5) == "?x"


def test_hints_come_back_as_they_were() -> None:
    hints = Hints(1, "Аня\x07\r\n", "Стол", "2/4")
    packed = {key.encode(): value.encode() for key, value in pack_hints(hints).items()}
    assert read_hints(packed) == hints


@pytest.mark.parametrize(
    ("properties", "hints"),
    [
        ({}, Hints(0)),
        ({b"v": None, b"n": b"\xff\xfeok"}, Hints(0, "ok")),
        ({b"v": b"99999999", b"n": b"x" * 61}, Hints(0)),
        ({b"v": "٣".encode(), b"t": b""}, Hints(0)),
        ({b"v": b"-1"}, Hints(0)),
    ],
)
def test_hints_of_strangers_are_read_within_bounds(
    properties: dict[bytes, bytes | None], hints: Hints
) -> None:
    assert read_hints(properties) == hints


def test_names_that_are_no_fingerprints_are_nobodys() -> None:
    own = fingerprint(bytes(32))
    assert fingerprint_of(instance_name(own)) == own
    assert fingerprint_of(instance_name(own).lower()) == own
    for name in ("", SERVICE_TYPE, f"printer.{SERVICE_TYPE}", f"7F3K-Q2MD-90XA-B3CU.{SERVICE_TYPE}"):
        assert fingerprint_of(name) is None


def test_addresses_are_read_with_scopes_and_nonsense_is_left_out() -> None:
    texts = [
        "127.0.0.1",
        "10.0.0.1",
        "fe80::1%3",
        "fe80::2",
        "2001:db8::1%3",
        "224.0.0.1",
        "::",
        "x",
        "fe80::3%x",
    ]
    assert read_addresses(texts, 7) == (
        Address("10.0.0.1", 7),
        Address("fe80::1", 7, 3),
        Address("fe80::2", 7),
        Address("2001:db8::1", 7),
        Address("fe80::3", 7),
        Address("127.0.0.1", 7),
    )
    assert len(read_addresses([f"10.0.1.{number}" for number in range(200)], 7)) == 32


# On the network


@pytest.mark.network
async def test_peers_on_one_machine_find_each_other_without_any_network(only_loopback: object) -> None:
    async with announced(1001, "Anna") as (one, at_one, own_one):
        async with announced(1002, "Boris") as (_, at_two, own_two):
            await at_one.until(lambda: own_two in at_one.records)
            await at_two.until(lambda: own_one in at_two.records)
            record = at_one.records[own_two]
            assert (record.port, record.hints) == (1002, Hints(1, "Boris"))
            assert record.addresses == (Address("127.0.0.1", 1002),)
            assert record in one.known
            assert own_one not in at_one.records
            assert one.problem is DiscoveryProblem.NO_NETWORK
        await at_one.until(lambda: own_two not in at_one.records)


@pytest.mark.network
@pytest.mark.parametrize("count", [2, 3, 6])
async def test_every_peer_finds_every_other(count: int, only_loopback: object) -> None:
    async with announced_many(count) as peers:
        everyone = {own for _, own in peers}
        for heard, own in peers:
            await heard.until(partial(heard.knows, everyone - {own}))


@pytest.mark.network
async def test_the_longest_names_of_person_and_machine_are_announced_cut(
    only_loopback: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "h" * 63)
    async with announced(1001, "Ж" * 40) as (_, _, own_one), announced(1002) as (_, at_two, _):
        await at_two.until(lambda: own_one in at_two.records)
        name = at_two.records[own_one].hints.name
    assert name == "Ж" * (TEXT_LIMIT // 2)


@asynccontextmanager
async def announced_many(count: int) -> AsyncIterator[list[tuple[Heard, str]]]:
    if count == 0:
        yield []
        return
    async with announced(3000 + count) as (_, heard, own), announced_many(count - 1) as rest:
        yield [(heard, own), *rest]


@pytest.mark.network
async def test_of_many_quick_updates_everybody_ends_with_the_last(only_loopback: object) -> None:
    async with announced(1001) as (one, _, own_one), announced(1002) as (_, at_two, _):
        await at_two.until(lambda: own_one in at_two.records)
        for number in range(20):
            one.update(Hints(1, "Anna", "table", f"{number % 4}/4"))
            one.update(Hints(1, "Anna", "table", f"{number}/20"))
        await at_two.until(lambda: at_two.records[own_one].hints.state == "19/20")
        assert at_two.found_count < 10


@pytest.mark.network
async def test_a_peer_that_comes_back_without_goodbye_is_found_at_its_new_port(only_loopback: object) -> None:
    heard = Heard()
    own = fingerprint(Identity.generate(os.urandom).public)
    async with announced(1001) as (_, at_one, _):
        first = Discovery(own, 1002, Hints(1), on_found=heard.found, on_lost=heard.lost)
        await first.start()
        await at_one.until(lambda: own in at_one.records)
        second = Discovery(own, 1003, Hints(1), on_found=heard.found, on_lost=heard.lost)
        await second.start()
        await at_one.until(lambda: own in at_one.records and at_one.records[own].port == 1003)
        await asyncio.gather(first.stop(), second.stop())


@pytest.mark.network
async def test_a_network_that_comes_later_is_announced_and_one_that_goes_is_no_longer(
    only_loopback: list[InterfaceAddress], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "RESCAN_INTERVAL_S", 0.05)
    # A second loopback address plays the network, so that the test needs none. It is no
    # interface of its own to the system, so nothing more is sent; what is announced changes all the same.
    later = InterfaceAddress("lo", 1, "127.0.0.2")
    monkeypatch.setattr(InterfaceAddress, "is_loopback", property(lambda self: self.host == "127.0.0.1"))
    async with announced(1001) as (one, at_one, own_one), announced(1002) as (_, at_two, _):
        await at_two.until(lambda: own_one in at_two.records)
        only_loopback.append(later)
        await at_two.until(lambda: Address("127.0.0.2", 1001) in at_two.records[own_one].addresses)
        await at_one.until(lambda: at_one.problems[-1] is None)
        only_loopback.remove(later)
        await at_one.until(lambda: one.problem is DiscoveryProblem.NO_NETWORK)


@pytest.mark.network
async def test_an_interface_that_fails_does_not_keep_the_others_from_working(
    only_loopback: list[InterfaceAddress], monkeypatch: pytest.MonkeyPatch
) -> None:
    only_loopback.insert(0, InterfaceAddress("vpn0", 7, "10.9.9.9"))
    monkeypatch.setattr(discovery, "can_bind", lambda address: True)
    original = AsyncZeroconf.async_update_interfaces

    async def failing(self: AsyncZeroconf, interfaces: Any = None, *rest: Any) -> None:
        if "10.9.9.9" in interfaces:
            raise OSError(errno.ENODEV, "No such device")
        await original(self, interfaces, *rest)

    monkeypatch.setattr(AsyncZeroconf, "async_update_interfaces", failing)
    async with announced(1001) as (_, at_one, _), announced(1002) as (_, _, own_two):
        await at_one.until(lambda: own_two in at_one.records)


@pytest.mark.network
async def test_a_multicast_port_that_is_taken_is_a_problem_until_it_is_free(
    only_loopback: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "RETRY_INTERVAL_S", 0.05)
    original = discovery._new_zeroconf
    taken = True

    def opening() -> AsyncZeroconf:
        if taken:
            raise OSError(errno.EADDRINUSE, "Address already in use")
        return original()

    monkeypatch.setattr(discovery, "_new_zeroconf", opening)
    async with announced(1001) as (one, at_one, _):
        assert one.problem is DiscoveryProblem.MULTICAST_PORT_TAKEN
        taken = False
        async with announced(1002) as (_, _, own_two):
            await at_one.until(lambda: own_two in at_one.records)
        assert at_one.problems == [DiscoveryProblem.MULTICAST_PORT_TAKEN, DiscoveryProblem.NO_NETWORK]


@pytest.mark.network
async def test_stopping_is_quick_and_leaves_nothing_behind(only_loopback: object) -> None:
    before = asyncio.all_tasks()
    async with announced(1001):
        pass
    await asyncio.sleep(0.05)
    assert asyncio.all_tasks() == before


async def test_one_look_at_the_interfaces_that_fails_does_not_end_the_looking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discovery, "RESCAN_INTERVAL_S", 0.05)
    looks = 0

    def look(interface: str | None = None) -> tuple[InterfaceAddress, ...]:
        nonlocal looks
        looks += 1
        if looks < 3:
            raise RuntimeError
        return (LOOPBACK,)

    monkeypatch.setattr(discovery, "RETRY_INTERVAL_S", 0.05)
    monkeypatch.setattr(discovery, "local_addresses", look)
    async with announced(4321) as (_, heard, _own):
        await heard.until(lambda: DiscoveryProblem.NO_NETWORK in heard.problems)
    assert heard.problems == [DiscoveryProblem.NO_MULTICAST, DiscoveryProblem.NO_NETWORK]


async def test_a_record_that_breaks_its_reader_is_logged_by_place_and_others_are_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class BrokenInfo:
        def __init__(self, *_args: object) -> None:
            pass

        async def async_request(self, *_args: object, **_more: object) -> bool:
            raise RuntimeError("what a stranger wrote")

    monkeypatch.setattr(discovery, "AsyncServiceInfo", BrokenInfo)
    heard = Heard()
    found = Discovery("A", 1, Hints(1, ""), on_found=heard.found, on_lost=heard.lost)
    other = fingerprint(Identity.generate(os.urandom).public)
    with caplog.at_level(logging.INFO):
        found._service_changed(Zeroconf.__new__(Zeroconf), "", instance_name(other), ServiceStateChange.Added)
        (task,) = found._resolving.values()
        await task
    assert not found._resolving
    assert "RuntimeError in" in caplog.text
    assert "what a stranger wrote" not in caplog.text
