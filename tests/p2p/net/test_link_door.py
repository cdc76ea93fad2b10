"""Who may begin a handshake, worked through without a network."""

import pytest
from aioquic.buffer import Buffer
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import QuicHeader, QuicPacketType, pull_quic_header

from p2p.net.link_door import (
    HALF_OPEN_LIMIT,
    HALF_OPEN_PER_HOST,
    LINK_LIMIT,
    LINKS_PER_HOST,
    RETRY_FROM,
    Door,
    Entry,
)
from p2p.net.link_limits import TokenBucket
from p2p.net.quic_tls import client_configuration


class Client:
    """A real QUIC client whose packets are judged by a door."""

    def __init__(self, host: str, port: int = 1000) -> None:
        self.address = (host, port, 0, 0)
        self.quic = QuicConnection(configuration=client_configuration())
        self.quic.connect(("::1", 1, 0, 0), now=0.0)

    def packet(self) -> QuicHeader:
        return header_of(self.quic.datagrams_to_send(now=0.0)[0][0])

    def knock(self, door: Door, now: float = 0.0) -> Entry | bytes | None:
        return door.knock(self.packet(), self.address, now)

    def knock_again(self, door: Door, retry: bytes, now: float = 0.0) -> Entry | bytes | None:
        self.quic.receive_datagram(retry, ("::1", 1, 0, 0), now=0.0)
        return self.knock(door, now)


def header_of(data: bytes) -> QuicHeader:
    return pull_quic_header(Buffer(data=data), host_cid_length=8)


def host(number: int) -> str:
    return f"fd00::{number:x}"


def crowded() -> Door:
    door = Door()
    for number in range(RETRY_FROM):
        assert isinstance(Client(host(number)).knock(door), Entry)
    return door


def test_the_first_few_strangers_enter_at_once() -> None:
    client = Client(host(1))
    entry = client.knock(Door())
    assert entry == Entry(entry.destination, entry.destination, None)


def test_in_a_crowd_a_stranger_enters_with_our_token_only() -> None:
    door, client = crowded(), Client("fd00::99")
    retry = client.knock(door)
    assert isinstance(retry, bytes)
    assert header_of(retry).packet_type is QuicPacketType.RETRY
    entry = client.knock_again(door, retry)
    assert isinstance(entry, Entry)
    assert entry.retry_source == entry.destination != entry.original
    assert door.retried == 1


def test_a_token_is_worth_nothing_at_another_address_or_too_late() -> None:
    for address, now in (("fd00::98", 0.0), ("fd00::99", 31.0)):
        door, client = crowded(), Client("fd00::99")
        retry = client.knock(door)
        assert isinstance(retry, bytes)
        client.address = (address, 1000, 0, 0)
        assert client.knock_again(door, retry, now) is None
        assert door.refused == 1


def test_the_crowd_gone_strangers_enter_at_once_again() -> None:
    door = crowded()
    door.leave_half_open(host(0))
    assert isinstance(Client("fd00::99").knock(door), Entry)


def enter(door: Door, client: Client) -> Entry | None:
    answer = client.knock(door)
    if isinstance(answer, bytes):
        answer = client.knock_again(door, answer)
    assert not isinstance(answer, bytes)
    return answer


def test_half_open_handshakes_are_bounded_for_one_host_and_in_all() -> None:
    door = Door()
    assert all(enter(door, Client("fd00::1", port)) for port in range(HALF_OPEN_PER_HOST))
    assert enter(door, Client("fd00::1", 999)) is None
    others = HALF_OPEN_LIMIT - HALF_OPEN_PER_HOST
    assert all(enter(door, Client(host(2 + number))) for number in range(others))
    assert enter(door, Client("fd00::9999")) is None
    assert door.refused == 2


@pytest.mark.parametrize(("hosts", "allowed"), [(1, LINKS_PER_HOST), (100, LINK_LIMIT)])
def test_links_are_bounded_for_one_host_and_in_all(hosts: int, allowed: int) -> None:
    door = Door()
    for number in range(allowed):
        assert door.may_go_up(host(number % hosts))
        door.go_up(host(number % hosts))
    assert not door.may_go_up(host(0))
    door.go_down(host(0))
    assert door.may_go_up(host(0))


def test_a_bucket_allows_its_burst_then_its_rate() -> None:
    bucket = TokenBucket(rate=10.0, burst=3.0, now=0.0)
    assert [bucket.take(1, 0.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(1, 0.05)
    assert bucket.take(1, 0.2)
    assert [bucket.take(1, 100.0) for _ in range(4)] == [True, True, True, False]
