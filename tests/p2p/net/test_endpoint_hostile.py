"""What strangers and cheating peers can do to an endpoint."""

import asyncio
import os
import random
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import serve
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import HandshakeCompleted, QuicEvent, StreamDataReceived
from bounds import WAIT_S
from link_peers import Peer, peer, recorded, soon

from p2p.net import link, link_door, quic_socket
from p2p.net.hello import Opening
from p2p.net.interfaces import Address
from p2p.net.link_errors import DownReason, HelloRefused
from p2p.net.link_frames import FRAME_LIMIT, encode_frame
from p2p.net.quic_tls import client_configuration, make_certificate, server_configuration

pytestmark = pytest.mark.network


def raw_link(one: Peer, two: Peer) -> link.Link:
    """The inside of a link, to send what its own methods refuse to."""
    return one.endpoint._links[two.key]


async def still_works(victim: Peer) -> None:
    async with peer(9) as honest:
        assert await honest.endpoint.connect([victim.address]) == victim.key


def first_packet(configuration: QuicConfiguration | None = None) -> bytes:
    quic = QuicConnection(configuration=configuration or client_configuration())
    quic.connect(("::ffff:127.0.0.1", 1, 0, 0), now=0.0)
    return quic.datagrams_to_send(now=0.0)[0][0]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what no event tells of."""
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_junk_is_dropped_counted_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    draw = random.Random(5)
    initial = first_packet()
    junk = [
        b"",
        b"{}",
        b'{"type": "join"}' * 20,
        draw.randbytes(9000),
        *(draw.randbytes(draw.randrange(1, 1400)) for _ in range(100)),
        initial[:1100],
        b"\xc0\x00\x00\x00\x02" + initial[5:],
        b"\xc0\x00\x00\x00\x00" + initial[5:],
    ]
    caplog.set_level("INFO")
    async with peer(1) as victim, peer(2) as friend:
        await friend.endpoint.connect([victim.address])
        await victim.up()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for data in junk:
                stranger.sendto(data, ("127.0.0.1", victim.endpoint.port))
            await until(lambda: victim.endpoint.counters.junk >= len(junk) - 3)
        friend.endpoint.send(victim.key, b"still here")
        assert await victim.message() == b"still here"
        assert len(victim.endpoint._all) == 1
    assert not caplog.records


async def test_every_flip_in_a_first_packet_leaves_the_endpoint_working() -> None:
    draw = random.Random(6)
    async with peer(1) as victim:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for _ in range(100):
                data = bytearray(first_packet())
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
                stranger.sendto(data, ("127.0.0.1", victim.endpoint.port))
                await asyncio.sleep(0)
            await still_works(victim)
        assert len(victim.endpoint._all) <= link_door.HALF_OPEN_LIMIT + 1


async def test_half_open_handshakes_of_strangers_force_a_proof_of_address_and_honest_peers_get_in() -> None:
    async with peer(1) as victim:
        with ExitStack() as sockets:
            for _ in range(30):
                stranger = sockets.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                stranger.sendto(first_packet(), ("127.0.0.1", victim.endpoint.port))
                await asyncio.sleep(0.005)
            await until(lambda: victim.endpoint.counters.retried + len(victim.endpoint._all) == 30)
            counters = victim.endpoint.counters
            assert counters.retried == 30 - link_door.RETRY_FROM
            assert len(victim.endpoint._all) == link_door.RETRY_FROM
            await still_works(victim)
            assert victim.endpoint.counters.retried == counters.retried + 1


async def test_what_belongs_to_a_link_is_told_from_what_strangers_send_at_a_glance() -> None:
    draw = random.Random(7)
    async with peer(1) as victim, peer(2) as friend:
        with recorded(friend.endpoint) as sent:
            await friend.endpoint.connect([victim.address])
            friend.endpoint.send(victim.key, bytes(5000))
            assert await victim.message() == bytes(5000)
        assert {data[0] >> 7 for data in sent} == {0, 1}, "packets of the handshake, and short ones"
        assert all(victim.endpoint._belongs(data) for data in sent)
        strangers = [first_packet(), *(draw.randbytes(size) for size in range(300))]
        assert not any(victim.endpoint._belongs(data) for data in strangers)


async def test_handshakes_that_never_end_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "HELLO_TIMEOUT_S", 0.2)
    async with peer(1) as victim:
        async with connect(
            "127.0.0.1",
            victim.endpoint.port,
            configuration=client_configuration(),
            wait_connected=False,
        ) as stranger:
            # The handshake may be going on still when its time is over, where the machine is slow.
            stranger.transmit()
            await soon(stranger.wait_closed())
        await until(lambda: not victim.endpoint._all)
        assert not victim.endpoint._routes
        assert not victim.endpoint._hosts


@pytest.mark.parametrize(
    "data",
    [
        (FRAME_LIMIT + 1).to_bytes(4, "big"),
        bytes(4),
        b"\xff" * 4,
    ],
    ids=["one over", "empty", "huge"],
)
async def test_a_frame_out_of_bounds_ends_the_link(data: bytes) -> None:
    async with peer(1) as victim, peer(2) as cheat:
        await cheat.endpoint.connect([victim.address])
        await victim.up()
        inside = raw_link(cheat, victim)
        inside._quic.send_stream_data(link.STREAM, data)
        inside._transmit()
        assert await victim.down() is DownReason.MISBEHAVED
        assert await cheat.down() is DownReason.MISBEHAVED
        await still_works(victim)


async def test_a_second_stream_ends_the_link() -> None:
    async with peer(1) as victim, peer(2) as cheat:
        await cheat.endpoint.connect([victim.address])
        await victim.up()
        inside = raw_link(cheat, victim)
        inside._quic.send_stream_data(4, b"psst")
        inside._transmit()
        assert await victim.down() is DownReason.MISBEHAVED


async def test_a_flood_of_messages_ends_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "MESSAGE_RATE", 0.01)
    monkeypatch.setattr(link, "MESSAGE_BURST", 50.0)
    async with peer(1) as victim, peer(2) as cheat:
        await cheat.endpoint.connect([victim.address])
        for _ in range(200):
            cheat.endpoint.send(victim.key, b"spam")
        assert await victim.down() is DownReason.MISBEHAVED
        assert victim.messages.qsize() <= 51


class Stranger(QuicConnectionProtocol):
    """A client that opens the link's stream with whatever it is told to."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()

    def say(self, data: bytes) -> None:
        self._quic.send_stream_data(0, data)
        self.transmit()

    def quic_event_received(self, event: QuicEvent) -> None:
        if isinstance(event, StreamDataReceived):
            self.heard.put_nowait(event.data)


@pytest.mark.parametrize(
    "words",
    [
        encode_frame(os.urandom(100)),
        encode_frame(bytes(1025)),
        # An opening whose unknown third field is nested deeper than the interpreter's stack.
        encode_frame(b"\x93\xacverish hello\x01" + b"\x91" * 1000 + b"\xc0"),
        encode_frame(msgspec.msgpack.encode(Opening("verish hello", 1, b"k" * 32, bytes(32), bytes(16)))) * 2,
    ],
    ids=["noise", "long", "deep", "no proof"],
)
async def test_a_stranger_that_does_not_say_the_hello_is_shown_the_door(words: bytes) -> None:
    async with peer(1) as victim:
        async with connect(
            "127.0.0.1",
            victim.endpoint.port,
            configuration=client_configuration(),
            create_protocol=Stranger,
        ) as stranger:
            assert isinstance(stranger, Stranger)
            stranger.say(words)
            await soon(stranger.wait_closed())
        assert victim.ups.empty()
        await still_works(victim)


async def test_the_words_in_which_a_link_is_ended_cannot_act_on_a_terminal() -> None:
    def rude(*_arguments: Any) -> None:
        raw_link(boris, anna)._quic.close(error_code=7, reason_phrase="\x1b[2J\nspoofed" + "x" * 500)

    async with peer(1) as anna, peer(2) as boris:
        await boris.endpoint.connect([anna.address])
        await soon(anna.ups.get())
        seen = raw_link(anna, boris)
        rude()
        raw_link(boris, anna)._transmit()
        await soon(anna.downs.get())
        assert str(seen.failure).startswith("\\x1b[2J\\nspoofed")
        assert len(str(seen.failure)) == link.PHRASE_LIMIT


async def test_a_fault_inside_the_transport_ends_its_link_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with peer(1) as anna, peer(2) as boris, peer(3) as vera:
        for other in (boris, vera):
            await other.endpoint.connect([anna.address])
            await soon(anna.ups.get())

        def fail(**_arguments: float) -> None:
            raise RuntimeError

        monkeypatch.setattr(raw_link(anna, boris)._quic, "handle_timer", fail)
        assert (await soon(anna.downs.get()))[1] is DownReason.MISBEHAVED
        assert anna.endpoint.keys == {vera.key}
        await still_works(anna)


class Middle(QuicConnectionProtocol):
    """One side of somebody in the middle, who ends the encryption and passes every byte on to the other
    side.
    """

    other: "Middle | None" = None
    waiting: bytes = b""
    ready: bool = False

    def quic_event_received(self, event: QuicEvent) -> None:
        if isinstance(event, HandshakeCompleted):
            self.ready = True
            self.pass_on(b"")
        elif isinstance(event, StreamDataReceived) and self.other is not None:
            self.other.pass_on(event.data)

    def pass_on(self, data: bytes) -> None:
        self.waiting += data
        if self.ready and self.waiting:
            data, self.waiting = self.waiting, b""
            self._quic.send_stream_data(0, data)
            self.transmit()


async def test_one_who_ends_the_encryption_in_the_middle_is_refused_by_both_sides() -> None:
    async with peer(1) as one, peer(2) as two:
        sides: list[Middle] = []

        def towards_client(*arguments: Any, **options: Any) -> Middle:
            side = Middle(*arguments, **options)
            assert isinstance(to_server, Middle)
            side.other, to_server.other = to_server, side
            sides.append(side)
            return side

        async with connect(
            "127.0.0.1", two.endpoint.port, configuration=client_configuration(), create_protocol=Middle
        ) as to_server:
            assert isinstance(to_server, Middle)
            configuration = server_configuration(make_certificate())
            middle = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=towards_client)
            port = middle._transport.get_extra_info("sockname")[1]
            with pytest.raises(HelloRefused):
                await one.endpoint.connect([Address("127.0.0.1", port)])
            assert sides
            assert one.ups.empty()
            assert two.ups.empty()
            middle.close()
        await asyncio.sleep(0)


@pytest.mark.parametrize("known_again", [quic_socket.REPEATS_BOUND, 0])
async def test_an_old_link_replayed_as_datagrams_takes_no_effect_twice(
    known_again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Packet numbers alone have to do, too: what was heard long ago is not known again at a glance.
    monkeypatch.setattr(quic_socket, "REPEATS_BOUND", known_again)
    async with peer(1) as one, peer(2) as two:
        with recorded(one.endpoint) as sent:
            await one.endpoint.connect([two.address])
            one.endpoint.send(two.key, b"once")
            assert await two.message() == b"once"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for _ in range(50):
                for data in sent:
                    stranger.sendto(data, ("127.0.0.1", two.endpoint.port))
        one.endpoint.send(two.key, b"twice")
        assert await two.message() == b"twice"
        assert two.messages.empty()
