"""Datagrams from strangers, down to what is inside their encryption: an endpoint goes on, in bounded memory.

Two endpoints in one process, without sockets: what one sends, the other gets. A stranger can make three
kinds of datagram: any bytes; a first packet, whose keys follow from what stands in it; and, once he has
finished the handshake, which anybody can, packets with any frames in them.
"""

import asyncio
import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from aioquic.quic.crypto import CryptoPair
from aioquic.quic.packet import QuicProtocolVersion
from aioquic.tls import Epoch
from link_peers import identity

from p2p.net.endpoint import Endpoint
from p2p.net.hello import PROTOCOL_VERSION
from p2p.net.interfaces import Address
from p2p.net.link_door import HALF_OPEN_LIMIT
from p2p.net.quic_socket import SocketAddress, SocketCounters
from p2p.net.quic_tls import MAX_DATAGRAM_SIZE

MEMORY_BYTES = 24_000_000
"""What the strangers of one test may make an endpoint hold: the library buffers up to half a megabyte of a
handshake's pieces for each of those that may be half open.
"""


class Wire:
    """In place of a socket: sends to the other side at the loop's next turn."""

    port = 1
    dual_stack = True

    def __init__(self, address: SocketAddress) -> None:
        self.address = address
        self.counters = SocketCounters()
        self.receive: Callable[[bytes, SocketAddress], None] | None = None
        self.others: dict[SocketAddress, Wire] = {}
        self.sent: list[bytes] = []

    def send(self, data: bytes, address: SocketAddress) -> None:
        """Deliver, if somebody is there."""
        self.sent.append(data)
        other = self.others.get(address)
        if other is not None and other.receive is not None:
            asyncio.get_running_loop().call_soon(other.receive, data, self.address)

    async def close(self) -> None:
        """Nothing to close."""


def endpoint(number: int, wire: Wire, ups: list[bytes], messages: list[bytes]) -> Endpoint:
    """An endpoint on a wire."""
    made = Endpoint(
        identity(number),
        wire,  # type: ignore[arg-type]
        interface=None,
        on_up=lambda key, _address: ups.append(key),
        on_message=lambda _key, message: messages.append(message),
        on_down=lambda _key, _reason: None,
        on_other_version=None,
        version=PROTOCOL_VERSION,
    )
    wire.receive = made._receive
    return made


class Scene:
    """A victim, a friend who is linked to it, and what it heard."""

    def __init__(self) -> None:
        self.wires = [Wire((f"::ffff:192.0.2.{number}", 1000 + number, 0, 0)) for number in range(4)]
        for wire in self.wires:
            wire.others = {other.address: other for other in self.wires if other is not wire}
        self.ups: list[bytes] = []
        self.messages: list[bytes] = []
        self.faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: self.faults.append(context))
        self.victim = endpoint(1, self.wires[0], self.ups, self.messages)
        self.friend = endpoint(2, self.wires[1], [], [])

    async def link(self, one: Endpoint) -> None:
        """Link to the victim."""
        assert await one.connect([Address("192.0.2.0", 1000)]) == self.victim.identity.public

    async def still_works(self) -> None:
        """The friend's words arrive, somebody new gets in, and nothing was reported as a fault."""
        self.messages.clear()
        self.friend.send(self.victim.identity.public, b"still here")
        newcomer = endpoint(3, self.wires[2], [], [])
        await self.link(newcomer)
        assert self.messages == [b"still here"]
        assert self.faults == []
        assert len(self.victim._all) <= HALF_OPEN_LIMIT + 4
        await newcomer.close(0.1)

    async def end(self) -> None:
        """Close both."""
        await self.friend.close(0.1)
        await self.victim.close(0.1)


# What strangers make


def varint(value: int) -> bytes:
    """QUIC's variable-length integer."""
    for size, prefix in ((1, 0), (2, 1), (4, 2), (8, 3)):
        if value < 1 << (8 * size - 2):
            return (value | prefix << (8 * size - 2)).to_bytes(size, "big")
    raise ValueError(value)


def frames(chance: random.Random) -> bytes:
    """Frames of every type with fields at and beyond their bounds, whole, cut, or of nonsense."""
    numbers = (0, 1, 2, 3, 4, 8, 63, 64, 1000, 16383, 2**14, 2**20, 2**30 - 1, 2**32, 2**60, 2**62 - 1)
    made = b""
    for _ in range(chance.choice((1, 2, 5, 20))):
        kind = chance.choice((*range(0x20), 0x30, 0x31, 0xAF, 2**30))
        fields = b"".join(varint(chance.choice(numbers)) for _ in range(chance.randrange(7)))
        tail = chance.randbytes(chance.choice((0, 1, 8, 16, 24, 64)))
        if kind == 6 or 8 <= kind <= 15:  # CRYPTO and STREAM: a place, a length and that many bytes
            data = chance.randbytes(chance.choice((0, 1, 4, 100)))
            place = varint(chance.choice((0, 1, 100, 5000, 400_000, 524_288, 2**30, 2**62 - 1)))
            stream = b"" if kind == 6 else varint(chance.choice((0, 0, 1, 2, 3, 4, 400, 2**60)))
            fields, tail = stream + place + varint(len(data)), data
        made += varint(kind) + fields + tail
        if len(made) > 900:
            break
    return made[: chance.choice((900, 900, chance.randrange(1, 900)))]


def first_packet(chance: random.Random, payload: bytes, destination: bytes | None = None) -> bytes:
    """A first packet with these frames, encrypted as it must be."""
    destination = chance.randbytes(8) if destination is None else destination
    source = chance.randbytes(chance.choice((0, 8, 20)))
    body = payload + bytes(max(0, MAX_DATAGRAM_SIZE - 16 - 4 - 60 - len(payload)))
    number = chance.choice((0, 1, 5, 2**31))
    header = (
        b"\xc3"
        + int(QuicProtocolVersion.VERSION_1).to_bytes(4, "big")
        + bytes([len(destination)])
        + destination
        + bytes([len(source)])
        + source
        + varint(0)
        + (4 + len(body) + 16 | 0x4000).to_bytes(2, "big")
        + number.to_bytes(4, "big")
    )
    keys = CryptoPair()
    keys.setup_initial(destination, is_client=True, version=QuicProtocolVersion.VERSION_1)
    packet = keys.encrypt_packet(header, body, number)
    return packet + bytes(max(0, MAX_DATAGRAM_SIZE - len(packet)))


async def test_any_bytes_and_broken_first_packets_leave_an_endpoint_working(
    caplog: pytest.LogCaptureFixture,
) -> None:
    chance = random.Random(1)
    scene = Scene()
    await scene.link(scene.friend)
    seen = [*scene.wires[0].sent, *scene.wires[1].sent]
    for number in range(800):
        data = bytearray(chance.choice((*seen, first_packet(chance, frames(chance)))))
        for _ in range(chance.choice((0, 1, 3))):
            at = chance.randrange(len(data))
            data[at] = chance.randrange(256)
            if chance.random() < 0.2:
                del data[at + 1 :]
        if chance.random() < 0.1:
            data = bytearray(chance.randbytes(chance.randrange(1400)))
        scene.victim._receive(bytes(data), (f"::ffff:198.51.100.{number % 250}", 5000 + number % 7, 0, 0))
        if number % 50 == 0:
            await asyncio.sleep(0)
    await scene.still_works()
    await scene.end()
    assert not caplog.records, "strangers write no log"


async def test_any_frames_in_first_packets_leave_an_endpoint_working_in_bounded_memory(
    caplog: pytest.LogCaptureFixture,
) -> None:
    chance = random.Random(2)
    scene = Scene()
    await scene.link(scene.friend)
    ids = [chance.randbytes(8) for _ in range(6)]
    packets = [first_packet(chance, frames(chance), chance.choice(ids)) for _ in range(600)]
    tracemalloc.start()
    try:
        for number, packet in enumerate(packets):
            scene.victim._receive(packet, (f"::ffff:198.51.100.{number % 5}", 5000, 0, 0))
            if number % 50 == 0:
                await asyncio.sleep(0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= MEMORY_BYTES
    await scene.still_works()
    await scene.end()
    assert not caplog.records, "strangers write no log"


@pytest.mark.parametrize("seed", range(3))
async def test_any_frames_behind_a_finished_handshake_end_that_link_at_most(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever has a link, which any key can have, sends what no library would; again and again."""
    chance = random.Random(seed)
    scene = Scene()
    await scene.link(scene.friend)
    ended = 0
    tracemalloc.start()
    try:
        for _ in range(8):
            cheat = endpoint(9, scene.wires[3], [], [])
            await scene.link(cheat)
            ended += await misbehave(cheat, scene, chance)
            await cheat.close(0.1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ended >= 4, "hardly anything of this is allowed"
    assert peak <= MEMORY_BYTES
    await scene.still_works()
    await scene.end()
    assert not caplog.records, "strangers write no log"


async def misbehave(cheat: Endpoint, scene: Scene, chance: random.Random) -> bool:
    """Send hostile frames over the cheat's link for as long as it lasts; whether the victim ends it."""
    victim: Any = scene.victim._links[cheat.identity.public]._quic
    quic: Any = cheat._links[scene.victim.identity.public]._quic
    # Far from the numbers that the library itself uses: what has been seen before is not even looked at.
    keys, number = quic._cryptos[Epoch.ONE_RTT], quic._packet_number + 1000
    for _ in range(12):
        if not keys.send.is_valid():
            break
        number += 1
        payload = frames(chance)
        header = b"\x43" + quic._peer_cid.cid + number.to_bytes(4, "big")
        packet = keys.encrypt_packet(header, payload + bytes(max(0, 4 - len(payload))), number)
        scene.victim._receive(packet, scene.wires[3].address)
        await asyncio.sleep(0.01)
    return victim._close_event is not None
