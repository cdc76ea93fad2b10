"""The UDP socket: errors are losses, queues have bounds."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from bounds import WAIT_S
from link_peers import peer, soon

from p2p.errors import NetworkError, NetworkReason
from p2p.net import quic_socket
from p2p.net.interfaces import Address
from p2p.net.link_errors import PortTaken
from p2p.net.quic_socket import QuicSocket, SocketAddress, address_of

pytestmark = pytest.mark.network


@asynccontextmanager
async def opened(host: str | None = "127.0.0.1") -> AsyncIterator[tuple[QuicSocket, asyncio.Queue[bytes]]]:
    udp = await QuicSocket.open(0, host)
    received: asyncio.Queue[bytes] = asyncio.Queue()
    udp.start(lambda data, address: received.put_nowait(data))
    try:
        yield udp, received
    finally:
        await udp.close()


async def test_a_datagram_too_big_to_send_takes_no_later_one_with_it() -> None:
    async with opened() as (one, _), opened() as (two, received):
        target: SocketAddress = ("127.0.0.1", two.port)
        for data in (bytes(70_000), b"second", bytes(70_000), b"fourth"):
            one.send(data, target)
        assert [await soon(received.get()) for _ in range(2)] == [b"second", b"fourth"]
        assert one.counters.errors == 2


async def test_a_fault_in_handling_one_datagram_keeps_no_other_from_being_read() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))

    def receive(data: bytes, _address: SocketAddress) -> None:
        received.put_nowait(data)
        if data == b"bad":
            raise RecursionError

    async with opened() as (sender, _):
        udp = await QuicSocket.open(0, "127.0.0.1")
        udp.start(receive)
        for data in (b"bad", b"good"):
            sender.send(data, ("127.0.0.1", udp.port))
        assert [await soon(received.get()) for _ in range(2)] == [b"bad", b"good"]
        await udp.close()
    assert [type(context["exception"]) for context in reported] == [RecursionError]


async def test_an_address_that_cannot_be_reached_is_a_loss_and_nothing_else() -> None:
    async with opened(None) as (one, _), opened(None) as (two, received):
        if not one.dual_stack:
            pytest.skip("this machine has no IPv6")
        words = [b"first", b"second", b"third"]
        for word in words:
            # A link-local address on an interface that does not exist.
            one.send(b"nobody", ("fe80::1", 9, 0, 99_999))
            one.send(word, ("::ffff:127.0.0.1", two.port, 0, 0))
        assert [await soon(received.get()) for _ in words] == words
        assert one.counters.errors >= 2


async def test_a_refusal_that_the_system_reports_loses_no_datagram_in_either_direction() -> None:
    async with opened() as (one, at_one), opened() as (two, at_two):
        for number in range(3):
            # What Windows reports after a datagram to a peer that is no longer there.
            one._stream._excq.put_nowait(ConnectionResetError(errno.ECONNRESET, "reset by peer"))
            one.send(b"to two %d" % number, ("127.0.0.1", two.port))
            two.send(b"to one %d" % number, ("127.0.0.1", one.port))
        assert [await soon(at_two.get()) for _ in range(3)] == [b"to two %d" % number for number in range(3)]
        assert [await soon(at_one.get()) for _ in range(3)] == [b"to one %d" % number for number in range(3)]
        assert one.counters.errors == 3


async def test_a_flood_is_dropped_over_the_bound_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quic_socket, "RECEIVE_BOUND", 10)
    udp = await QuicSocket.open(0, "127.0.0.1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(50):
            sender.sendto(b"%d" % number, ("127.0.0.1", udp.port))
    async with asyncio.timeout(WAIT_S):
        while udp.counters.dropped_in < 40:  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(0)
    received: list[bytes] = []
    udp.start(lambda data, address: received.append(data))
    await asyncio.sleep(0.01)
    assert received == [b"%d" % number for number in range(10)]
    await udp.close()


async def test_in_a_flood_of_strangers_what_belongs_to_a_link_still_gets_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quic_socket, "STRANGERS_BOUND", 10)
    udp = await QuicSocket.open(0, "127.0.0.1")
    received: list[bytes] = []
    udp.start(lambda data, address: received.append(data), lambda data: data.startswith(b"friend"))
    sent = [b"friend %d" % number if number % 20 == 0 else b"x %d" % number for number in range(1000)]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for start in range(0, 1000, 100):
            for data in sent[start : start + 100]:
                sender.sendto(data, ("127.0.0.1", udp.port))
            async with asyncio.timeout(5):
                while udp.counters.received + udp.counters.dropped_in < start + 100:  # noqa: ASYNC110
                    await asyncio.sleep(0)
    friends = [data for data in sent if data.startswith(b"friend")]
    assert [data for data in received if data.startswith(b"friend")] == friends
    assert udp.counters.dropped_in > 0
    await udp.close()


async def test_a_datagram_that_comes_again_is_not_taken_until_it_was_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quic_socket, "REPEATS_BOUND", 3)
    udp = await QuicSocket.open(0, "127.0.0.1")
    received: asyncio.Queue[bytes] = asyncio.Queue()
    udp.start(lambda data, address: received.put_nowait(data))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for data in (b"a", b"b", b"a", b"b", b"c", b"d", b"a"):
            sender.sendto(data, ("127.0.0.1", udp.port))
    assert [await soon(received.get()) for _ in range(5)] == [b"a", b"b", b"c", b"d", b"a"]
    assert udp.counters.repeated == 2
    await udp.close()


async def test_a_datagram_that_found_no_room_is_taken_when_it_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quic_socket, "RECEIVE_BOUND", 1)
    udp = await QuicSocket.open(0, "127.0.0.1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"first", ("127.0.0.1", udp.port))
        sender.sendto(b"second", ("127.0.0.1", udp.port))
        async with asyncio.timeout(WAIT_S):
            while not udp.counters.dropped_in:  # noqa: ASYNC110 - no event tells of it
                await asyncio.sleep(0)
        received: asyncio.Queue[bytes] = asyncio.Queue()
        udp.start(lambda data, address: received.put_nowait(data))
        assert await soon(received.get()) == b"first"
        sender.sendto(b"second", ("127.0.0.1", udp.port))
        assert await soon(received.get()) == b"second"
    await udp.close()


async def test_all_that_has_arrived_is_read_in_one_turn_of_the_loop() -> None:
    udp = await QuicSocket.open(0, "127.0.0.1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(20):
            sender.sendto(b"%d" % number, ("127.0.0.1", udp.port))
    turns = 0
    async with asyncio.timeout(5):
        while not udp._arrivals.qsize():
            turns += 1
            await asyncio.sleep(0)
    assert udp._arrivals.qsize() == 20, turns
    await udp.close()


async def test_what_is_queued_to_send_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quic_socket, "SEND_BOUND", 10)
    async with opened() as (one, _), opened() as (two, received):
        for number in range(50):
            one.send(b"%d" % number, ("127.0.0.1", two.port))
        assert one.counters.dropped_out == 40
        assert [await soon(received.get()) for _ in range(10)] == [b"%d" % number for number in range(10)]


async def test_closing_sends_what_was_queued() -> None:
    async with opened() as (two, received):
        one = await QuicSocket.open(0, "127.0.0.1")
        one.start(lambda data, address: None)
        one.send(b"last words", ("127.0.0.1", two.port))
        await one.close()
        assert await soon(received.get()) == b"last words"


async def test_one_port_cannot_be_opened_twice() -> None:
    async with opened(None) as (one, _):
        with pytest.raises(PortTaken):
            await QuicSocket.open(one.port)
        with pytest.raises(PortTaken):
            await QuicSocket.open(one.port, "127.0.0.1")


async def test_where_there_is_no_ipv6_one_socket_serves_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    original = quic_socket._bound_socket

    def without_ipv6(family: socket.AddressFamily, *rest: Any, **options: Any) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return original(family, *rest, **options)

    monkeypatch.setattr(quic_socket, "_bound_socket", without_ipv6)
    async with peer(1) as one, peer(2) as two:
        assert not any(":" in address.host for address in one.endpoint.addresses)
        assert await one.endpoint.connect([Address("::1", 9), two.address]) == two.key
        assert (await soon(two.ups.get()))[1].host == "127.0.0.1"


async def test_where_no_socket_can_be_had_there_is_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_at_all(*rest: Any, **options: Any) -> socket.socket:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(quic_socket, "_bound_socket", none_at_all)
    with pytest.raises(NetworkError) as caught:
        await QuicSocket.open(0)
    assert caught.value.reason is NetworkReason.NO_NETWORK


def test_socket_addresses_are_shown_as_people_write_them() -> None:
    assert address_of(("::ffff:10.0.0.1", 7, 0, 0)) == Address("10.0.0.1", 7)
    assert address_of(("10.0.0.1", 7)) == Address("10.0.0.1", 7)
    assert address_of(("fe80::1", 7, 0, 3)) == Address("fe80::1", 7, 3)
