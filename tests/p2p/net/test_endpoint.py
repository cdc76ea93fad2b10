"""Endpoints over real sockets on loopback."""

import asyncio
import random
import signal
import socket
import sys
from pathlib import Path

import pytest
from bounds import LoopWatch
from link_peers import Weather, identity, peer, relay, soon

from crypto import fingerprint
from p2p.errors import NetworkReason
from p2p.net import link
from p2p.net.endpoint import Endpoint
from p2p.net.interfaces import Address
from p2p.net.link_errors import (
    BadAddress,
    DownReason,
    LinkDown,
    MessageTooLarge,
    OwnKey,
    PortTaken,
    QueueFull,
    RemoteVersion,
    Unreachable,
    WrongKey,
)
from p2p.net.link_frames import FRAME_LIMIT

pytestmark = pytest.mark.network
ROOT = Path(__file__).parents[3]

SILENT_PEER = """
import asyncio, sys
from crypto import Identity
from p2p.net.endpoint import Endpoint

async def main():
    endpoint = await Endpoint.open(
        Identity(bytes([int(sys.argv[1])]) * 32),
        on_up=lambda key, address: print("up", flush=True),
        on_message=lambda key, message: endpoint.send(key, message),
        on_down=lambda key, reason: print(reason, flush=True),
    )
    print(endpoint.port, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def other_process(number: int) -> tuple[asyncio.subprocess.Process, Address]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SILENT_PEER, str(number), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    port = int(await soon(process.stdout.readline()))
    return process, Address("127.0.0.1", port)


async def end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
    await process.communicate()
    process._transport.close()


async def test_two_peers_prove_their_keys_and_talk_in_both_directions() -> None:
    async with peer(1) as one, peer(2) as two:
        assert await one.endpoint.connect([two.address]) == two.key
        assert await one.up() == two.key
        assert await two.up() == one.key
        one.endpoint.send(two.key, b"hello")
        two.endpoint.send(one.key, b"and to you")
        assert await two.message() == b"hello"
        assert await one.message() == b"and to you"
        assert one.endpoint.keys == {two.key}


@pytest.mark.skipif(not socket.has_ipv6, reason="this Python has no IPv6")
async def test_one_socket_serves_both_families() -> None:
    async with peer(1) as one, peer(2) as two, peer(3) as three:
        if not any(":" in address.host for address in two.endpoint.addresses):
            pytest.skip("this machine has no IPv6 address")
        assert await one.endpoint.connect([Address("::1", two.endpoint.port)]) == two.key
        assert await three.endpoint.connect([two.address]) == two.key
        assert {str((await soon(two.ups.get()))[1].host) for _ in range(2)} == {"::1", "127.0.0.1"}


@pytest.mark.parametrize("size", [1, 20_000, 200_000, FRAME_LIMIT])
async def test_messages_of_all_sizes_come_back_as_they_were(size: int) -> None:
    message = random.Random(size).randbytes(size)
    async with peer(1) as one, peer(2) as two:
        await one.endpoint.connect([two.address])
        await two.up()
        one.endpoint.send(two.key, message)
        two.endpoint.send(one.key, await two.message())
        assert await one.message() == message


async def test_loss_reordering_and_duplicates_change_nothing_but_the_time() -> None:
    draw = random.Random(7)
    messages = [draw.randbytes(draw.randrange(1, 9000)) for _ in range(60)]
    weather = Weather(seed=7, loss=0.05, reordering=0.2, duplicates=0.1)
    async with peer(1) as one, peer(2) as two, relay(two, weather) as (between, address):
        await one.endpoint.connect([address], two.key)
        await two.up()
        for message in messages:
            one.endpoint.send(two.key, message)
            two.endpoint.send(one.key, message)
        assert [await two.message() for _ in messages] == messages
        assert [await one.message() for _ in messages] == messages
        assert max(between.sizes) <= 1200


async def test_a_killed_peer_is_noticed_within_five_seconds() -> None:
    process, address = await other_process(2)
    try:
        async with peer(1) as one:
            key = await one.endpoint.connect([address])
            one.endpoint.send(key, b"alive?")
            assert await one.message() == b"alive?"
            process.kill()
            with LoopWatch() as watch:
                # Our own traffic goes on and must not keep the dead alive.
                while one.downs.empty():
                    if key in one.endpoint.keys:
                        one.endpoint.send(key, b"still there?")
                    await asyncio.sleep(0.2)
                    assert watch.seconds < 5.0
            assert await one.down() is DownReason.TIMEOUT
            with pytest.raises(LinkDown):
                one.endpoint.send(key, b"gone")
    finally:
        await end(process)


async def test_of_four_one_that_is_killed_takes_no_word_between_the_others_along() -> None:
    process, address = await other_process(9)
    try:
        async with peer(1) as one, peer(2) as two, peer(3) as three:
            peers = [one, two, three]
            for number, each in enumerate(peers):
                fourth = await each.endpoint.connect([address])
                for other in peers[:number]:
                    await each.endpoint.connect([other.address])
            process.kill()
            # All go on sending to the dead one, and to each other.
            for number in range(50):
                for each in peers:
                    for key in each.endpoint.keys:
                        each.endpoint.send(key, b"%d" % number)
                await asyncio.sleep(0)
            for each in peers:
                heard: dict[bytes, list[bytes]] = {}
                for _ in range(100):
                    key, message = await soon(each.messages.get())
                    heard.setdefault(key, []).append(message)
                assert heard == {
                    other.key: [b"%d" % number for number in range(50)]
                    for other in peers
                    if other is not each
                }
                assert (await soon(each.downs.get())) == (fourth, DownReason.TIMEOUT)
    finally:
        await end(process)


async def one_way_only(numbers: tuple[int, int], deaf_server: bool) -> None:
    cut = asyncio.Event()
    weather = Weather(blocked=lambda to_server: cut.is_set() and to_server is deaf_server)
    async with peer(numbers[0]) as one, peer(numbers[1]) as two, relay(two, weather) as (_, address):
        await one.endpoint.connect([address])
        await two.up()
        cut.set()
        with LoopWatch() as watch:
            assert {await one.down(), await two.down()} == {DownReason.TIMEOUT}
        assert watch.seconds < 5.0


async def test_a_path_that_works_one_way_only_is_down_for_both_within_five_seconds() -> None:
    await asyncio.gather(one_way_only((1, 2), deaf_server=True), one_way_only((3, 4), deaf_server=False))


async def test_an_idle_link_stays_up() -> None:
    async with peer(1) as one, peer(2) as two:
        await one.endpoint.connect([two.address])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(4.5):
                await one.downs.get()
        assert one.endpoint.keys == {two.key}


async def test_what_was_sent_right_before_closing_arrives_and_so_does_the_goodbye() -> None:
    weather = Weather(seed=3, loss=0.05, delay_s=0.01)
    async with peer(2) as two, relay(two, weather) as (_, address):
        async with peer(1) as one:
            await one.endpoint.connect([address])
            one.endpoint.send(two.key, bytes(100_000))
            one.endpoint.send(two.key, b"goodbye")
            await one.endpoint.close(grace_s=3.0)
        assert len(await two.message()) == 100_000
        assert await two.message() == b"goodbye"
        assert await two.down() is DownReason.GOODBYE


async def test_closing_towards_a_dead_peer_takes_no_longer_than_the_grace_time() -> None:
    cut = asyncio.Event()
    weather = Weather(blocked=lambda to_server: cut.is_set())
    async with peer(1) as one, peer(2) as two, relay(two, weather) as (_, address):
        await one.endpoint.connect([address])
        cut.set()
        one.endpoint.send(two.key, b"never arrives")
        with LoopWatch() as watch:
            await one.endpoint.close(grace_s=0.3)
        assert watch.seconds < 1.0


async def test_another_key_than_the_expected_one_is_refused() -> None:
    async with peer(1) as one, peer(2) as two:
        for expect in (identity(3).public, fingerprint(identity(3).public)):
            with pytest.raises(WrongKey):
                await one.endpoint.connect([two.address], expect)
        assert await one.endpoint.connect([two.address], two.endpoint.fingerprint) == two.key


async def test_the_right_key_wins_among_many_addresses() -> None:
    async with peer(1) as one, peer(2) as two, peer(3) as three:
        unused = Address("127.0.0.1", 9)
        key = await one.endpoint.connect([unused, three.address, two.address], two.key)
        assert key == two.key
        assert one.endpoint.keys == {two.key}
        assert three.endpoint.keys == frozenset()


async def test_our_own_address_is_refused_as_our_own() -> None:
    async with peer(1) as one:
        with pytest.raises(OwnKey):
            await one.endpoint.connect([one.address])
    async with peer(1) as one, peer(1) as copy:
        with pytest.raises(OwnKey):
            await one.endpoint.connect([copy.address])


async def test_peers_of_different_versions_both_learn_both_versions() -> None:
    async with peer(1, version=1) as old, peer(2, version=2) as new:
        with pytest.raises(RemoteVersion) as caught:
            await old.endpoint.connect([new.address])
        assert (caught.value.ours, caught.value.theirs) == (1, 2)
        heard = await soon(new.versions.get())
        assert (heard.ours, heard.theirs) == (2, 1)
        assert caught.value.reason is NetworkReason.OTHER_VERSION


async def test_nobody_at_the_address_is_unreachable() -> None:
    async with peer(1) as one:
        with pytest.raises(Unreachable) as caught:
            await one.endpoint.connect([Address("127.0.0.1", 9)], timeout_s=0.5)
        assert caught.value.subject == "127.0.0.1:9"
        with pytest.raises(BadAddress):
            await one.endpoint.connect([Address("no-such-computer.invalid", 9)])


@pytest.mark.parametrize("seed", range(6))
async def test_two_that_dial_each_other_at_once_end_with_one_link(seed: int) -> None:
    draw = random.Random(seed)
    weathers = [Weather(seed, reordering=0.5, delay_s=draw.random() / 50, hold_s=0.03) for _ in range(2)]
    async with (
        peer(1) as one,
        peer(2) as two,
        relay(one, weathers[0]) as (_, to_one),
        relay(two, weathers[1]) as (_, to_two),
    ):
        keys = await soon(
            asyncio.gather(one.endpoint.connect([to_two], two.key), two.endpoint.connect([to_one], one.key))
        )
        assert tuple(keys) == (two.key, one.key)
        for number in range(5):
            one.endpoint.send(two.key, b"%d" % number)
            two.endpoint.send(one.key, b"%d" % number)
        assert [await two.message() for _ in range(5)] == [b"%d" % number for number in range(5)]
        assert [await one.message() for _ in range(5)] == [b"%d" % number for number in range(5)]
        assert one.downs.empty()
        assert two.downs.empty()


async def test_dialling_a_peer_twice_gives_the_link_that_is_there() -> None:
    async with peer(1) as one, peer(2) as two:
        first, second = await soon(
            asyncio.gather(one.endpoint.connect([two.address]), one.endpoint.connect([two.address]))
        )
        assert first == second == two.key
        assert await one.endpoint.connect([two.address]) == two.key
        assert await two.endpoint.connect([one.address]) == one.key
        await one.up()
        assert one.ups.empty()


async def test_a_peer_that_was_started_again_replaces_its_dead_link_at_once() -> None:
    process, address = await other_process(2)
    try:
        async with peer(1) as one:
            key = await one.endpoint.connect([address])
            await one.up()
            process.kill()
            await process.wait()
            async with peer(2) as two:
                with LoopWatch() as watch:
                    assert await two.endpoint.connect([one.address]) == one.key
                    assert await one.down() is DownReason.REPLACED
                    assert await one.up() == key
                assert watch.seconds < 1.0
                one.endpoint.send(key, b"welcome back")
                assert await two.message() == b"welcome back"
    finally:
        await end(process)


async def test_a_port_in_use_is_named() -> None:
    async with peer(1) as one:
        with pytest.raises(PortTaken) as caught:
            async with peer(2, port=one.endpoint.port):
                pass
        assert caught.value.port == one.endpoint.port
        assert caught.value.reason is NetworkReason.PORT_TAKEN
        assert str(one.endpoint.port) in str(caught.value)


async def test_an_interface_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadAddress):
        async with peer(1, interface="no-such-interface"):
            pass


async def test_a_queue_that_nobody_drains_is_full_before_memory_is() -> None:
    cut = asyncio.Event()
    weather = Weather(blocked=lambda to_server: cut.is_set())
    async with peer(1) as one, peer(2) as two, relay(two, weather) as (_, address):
        await one.endpoint.connect([address])
        cut.set()
        for _ in range(link.QUEUE_LIMIT // FRAME_LIMIT - 1):
            one.endpoint.send(two.key, bytes(FRAME_LIMIT))
        with pytest.raises(QueueFull) as caught:
            one.endpoint.send(two.key, bytes(FRAME_LIMIT))
        assert caught.value.queued <= link.QUEUE_LIMIT


async def test_messages_of_our_own_out_of_bounds_are_refused_and_the_link_stays() -> None:
    async with peer(1) as one, peer(2) as two:
        await one.endpoint.connect([two.address])
        for wrong in (b"", bytes(FRAME_LIMIT + 1)):
            with pytest.raises(MessageTooLarge):
                one.endpoint.send(two.key, wrong)
        one.endpoint.send(two.key, b"fine")
        assert await two.message() == b"fine"


async def test_a_callback_that_raises_does_not_stop_the_endpoint() -> None:
    problems: asyncio.Queue[object] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: problems.put_nowait(context["exception"])
    )

    def broken(key: bytes, message: bytes) -> None:
        raise ValueError(message)

    endpoint = await Endpoint.open(
        identity(2), on_up=lambda *_: None, on_message=broken, on_down=lambda *_: None
    )
    async with peer(1) as one:
        key = await one.endpoint.connect([Address("127.0.0.1", endpoint.port)])
        for text in (b"first", b"second"):
            one.endpoint.send(key, text)
            assert str(await soon(problems.get())) == str(ValueError(text))
    await endpoint.close()
