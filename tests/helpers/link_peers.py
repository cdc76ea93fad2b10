"""Endpoints on loopback for tests: what each saw, in order, and a relay that loses and shuffles datagrams."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from bounds import WAIT_S

from crypto import Identity
from p2p.net.endpoint import Endpoint
from p2p.net.interfaces import Address
from p2p.net.link_errors import DownReason, RemoteVersion
from p2p.net.quic_socket import SocketAddress

T = TypeVar("T")


def identity(number: int) -> Identity:
    """A fixed identity for each number."""
    return Identity(bytes([number]) * 32)


@dataclass
class Peer:
    """An endpoint and queues of what it reported."""

    endpoint: Endpoint
    ups: asyncio.Queue[tuple[bytes, Address]]
    messages: asyncio.Queue[tuple[bytes, bytes]]
    downs: asyncio.Queue[tuple[bytes, DownReason]]
    versions: asyncio.Queue[RemoteVersion]

    @property
    def key(self) -> bytes:
        return self.endpoint.identity.public

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.endpoint.port)

    async def up(self) -> bytes:
        return (await soon(self.ups.get()))[0]

    async def message(self) -> bytes:
        return (await soon(self.messages.get()))[1]

    async def down(self) -> DownReason:
        return (await soon(self.downs.get()))[1]


@contextmanager
def recorded(endpoint: Endpoint) -> Iterator[list[bytes]]:
    """What somebody who listens on the network keeps of all that an endpoint sends, in a `with` block."""
    kept: list[bytes] = []
    send = endpoint.send_datagram

    def keep(data: bytes, address: SocketAddress) -> None:
        kept.append(data)
        send(data, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endpoint, "send_datagram", keep)
        yield kept


async def soon(waiting: Awaitable[T]) -> T:
    """The result of an awaitable that must not take long."""
    async with asyncio.timeout(WAIT_S):
        return await waiting


@asynccontextmanager
async def peer(number: int | Identity, **options: Any) -> AsyncIterator[Peer]:
    """An open endpoint, closed at the end."""
    ups: asyncio.Queue[tuple[bytes, Address]] = asyncio.Queue()
    messages: asyncio.Queue[tuple[bytes, bytes]] = asyncio.Queue()
    downs: asyncio.Queue[tuple[bytes, DownReason]] = asyncio.Queue()
    versions: asyncio.Queue[RemoteVersion] = asyncio.Queue()
    endpoint = await Endpoint.open(
        number if isinstance(number, Identity) else identity(number),
        on_up=lambda key, address: ups.put_nowait((key, address)),
        on_message=lambda key, message: messages.put_nowait((key, message)),
        on_down=lambda key, reason: downs.put_nowait((key, reason)),
        on_other_version=versions.put_nowait,
        **options,
    )
    try:
        yield Peer(endpoint, ups, messages, downs, versions)
    finally:
        await endpoint.close(grace_s=0.2)


@dataclass
class Weather:
    """How a relay treats datagrams: each share is a probability, drawn from the seed."""

    seed: int = 1
    loss: float = 0.0
    reordering: float = 0.0
    duplicates: float = 0.0
    delay_s: float = 0.0
    hold_s: float = 0.004
    blocked: Callable[[bool], bool] = field(default=lambda to_server: False)
    """Whether to drop everything in this direction now."""


class Relay(asyncio.DatagramProtocol):
    """A UDP relay on loopback between one client and one server."""

    def __init__(self, server: tuple[str, int], weather: Weather) -> None:
        self.server = server
        self.weather = weather
        self.client: tuple[str, int] | None = None
        self.sizes: list[int] = []
        self.seen: list[tuple[bytes, bool]] = []
        self._random = random.Random(weather.seed)
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        to_server = address != self.server
        if to_server:
            self.client = address
        target = self.server if to_server else self.client
        if target is None or self.weather.blocked(to_server):
            return
        self.sizes.append(len(data))
        draw = self._random.random
        if draw() < self.weather.loss:
            return
        for _ in range(2 if draw() < self.weather.duplicates else 1):
            held = self.weather.hold_s * draw() if draw() < self.weather.reordering else 0.0
            asyncio.get_running_loop().call_later(self.weather.delay_s + held, self._send, data, target)

    def _send(self, data: bytes, target: tuple[str, int]) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.sendto(data, target)


@asynccontextmanager
async def relay(to: Peer, weather: Weather) -> AsyncIterator[tuple[Relay, Address]]:
    """A relay in front of a peer, and the address to dial."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.create_datagram_endpoint(
        lambda: Relay(("127.0.0.1", to.endpoint.port), weather), local_addr=("127.0.0.1", 0)
    )
    try:
        yield protocol, Address("127.0.0.1", transport.get_extra_info("sockname")[1])
    finally:
        transport.close()
        await asyncio.sleep(0)
