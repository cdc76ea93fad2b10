"""Whole nodes with sockets on loopback, stores on disk and workers: deals to their end, and what goes wrong
on the way.
"""

import asyncio
import json
import logging
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import msgspec
import node_tables
import pytest
from bounds import WAIT_S, LoopWatch
from node_tables import TITLE, bots, nodes, play

import p2p.net.outbox
from engine import Ruleset
from p2p.errors import LocalError, LocalReason, NetworkError, NetworkReason
from p2p.net.headless import BotConfig
from p2p.net.interfaces import Address
from p2p.net.node import Node, NodeConfig
from p2p.net.node_events import DialFailed, InternalTrouble, NodeEvent, NodeFailed, ProfileTaken, StoreTrouble
from p2p.net.store import Store, StoreSetAside
from p2p.net.subscription import Subscription
from p2p.protocol.audit import audit
from p2p.protocol.peer_effects import PeerEffect, Send
from p2p.protocol.snapshot import PeerLost, Phase

pytestmark = pytest.mark.network

HELD_LIMIT_S = 0.2
"""Far above the 50 ms that a peer keeps alone on a machine: here the loop is that of many peers."""


class HeldLoop:
    """Notes, in a `with`, the longest time that the loop computed without a look around.

    It goes by the time of the processor: how long the machine did something else is not the program's fault.
    """

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._loop = asyncio.get_running_loop()
        self._since = time.thread_time()
        self._handle = self._loop.call_soon(self._look)

    def __enter__(self) -> "HeldLoop":
        return self

    def __exit__(self, *_error: object) -> None:
        self._handle.cancel()

    def _look(self) -> None:
        now = time.thread_time()
        self.longest_s = max(self.longest_s, now - self._since)
        self._since = now
        self._handle = self._loop.call_later(0.005, self._look)


async def heard(events: Subscription[NodeEvent], kind: type[NodeEvent], limit_s: float = WAIT_S) -> NodeEvent:
    """The next event of a kind."""
    async with asyncio.timeout(limit_s):
        async for event in events:
            if isinstance(event, kind):
                return event
    raise AssertionError("the node ended")


async def until(condition: Callable[[], object], node: Node, limit_s: float = WAIT_S) -> None:
    """Wait until something is so, looking at each event of the node."""
    events = node.events()
    async with asyncio.timeout(limit_s):
        while not condition():
            await events.get(0.05)
    events.close()


def found_in(folder: Path, secrets: set[bytes]) -> list[Path]:
    """The files of a folder that hold one of the secrets."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if any(secret in path.read_bytes() for secret in secrets)]


def transcripts(folder: Path) -> set[bytes]:
    """All that was written as `deal.*.jsonl`."""
    return {path.read_bytes() for path in folder.glob("deal.*.jsonl")}


@pytest.mark.parametrize("count", [2, 3])
async def test_nodes_play_a_whole_deal_that_anyone_can_audit(tmp_path: Path, count: int) -> None:
    events: list[list[dict[str, object]]] = []
    async with nodes(tmp_path / "home", count) as running:
        with HeldLoop() as held:
            results = await play(running, BotConfig(TITLE, transcript=tmp_path / "deal"), events)
        assert max(node.largest_stall_s for node in running) > 0
        records = [await node.read_store(Store.deals) for node in running]
        assert [node.isolated for node in running] == [0] * count
    assert {(r["outcome"], r["loser"], r["head"], r["digest"], r["steps"]) for r in results} == {
        ("finished", results[0]["loser"], results[0]["head"], results[0]["digest"], results[0]["steps"])
    }
    assert [r["audit"] for r in results] == ["ok"] * count
    for transcript in transcripts(tmp_path):
        report = audit(transcript, os.urandom)
        assert (report.ok, report.loser, report.seats) == (True, results[0]["loser"], count)
    places = [
        {(e["deal"], e["step"]): (e["head"], e["digest"]) for e in one if e["event"] == "step"}
        for one in events
    ]
    common = set.intersection(*map(set, places))
    assert len(common) > 20
    assert all(len({place[step] for place in places}) == 1 for step in common)
    assert [(d.outcome, d.form) for (d,) in records] == [("finished", "pagat")] * count
    assert held.longest_s < HELD_LIMIT_S
    print(f"{count} nodes held their one loop for at most {held.longest_s * 1000:.1f} ms")


async def test_no_deal_secret_stays_on_disk_after_the_deal(tmp_path: Path) -> None:
    secrets: set[bytes] = set()

    def note(store: Store) -> None:
        for deal in store.deals():
            secrets.update(store.secrets(deal.table_id, deal.number).values())

    async with nodes(tmp_path, 2) as running:
        playing = asyncio.gather(*(bot.run() for bot in bots(running, BotConfig(TITLE))))
        while not playing.done():
            for node in running:
                await node.read_store(note)
            await asyncio.sleep(0)
        await playing
    assert len(secrets) >= 2
    # Of the three, the coin and the blinding are published in the deal; the key must be nowhere.
    keys = {msgspec.msgpack.decode(secret)[0] for secret in secrets}
    assert {len(key) for key in keys} == {32}
    assert not found_in(tmp_path, keys)


async def test_bots_play_as_many_deals_as_asked_for(tmp_path: Path) -> None:
    events: list[list[dict[str, object]]] = []
    async with nodes(tmp_path, 2) as running:
        results = await play(running, BotConfig(TITLE, deals=2), events)
        assert [r["deals"] for r in results] == [2, 2]
        records = await running[0].read_store(Store.deals)
        assert [(d.number, d.outcome) for d in records] == [(1, "finished"), (2, "finished")]
    assert all(json.dumps(event) for one in events for event in one)
    assert [e["deal"] for e in events[1] if e["event"] == "deal_over"] == [1, 2]
    assert list(results[0]["seconds"])[:2] == ["discover", "total"]
    assert set(results[0]["seconds"]) >= {"discover", "table", "open", "shuffle", "deal", "play", "total"}


async def test_nodes_find_each_other_without_any_option(tmp_path: Path) -> None:
    title = f"Kitchen {os.getpid()}"
    async with nodes(tmp_path, 2, discover=True, peers=()) as running:
        results = await play(running, BotConfig(title), [])
    assert [r["audit"] for r in results] == ["ok", "ok"]


async def test_peer_killed_in_a_deal_is_noticed_within_five_seconds(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (node,):
        events = node.events()
        (bot,) = bots([node], BotConfig(TITLE))
        bot._config = BotConfig(TITLE, seats=2, ruleset=Ruleset.preset("pagat"), pause_s=0.5)
        playing = asyncio.create_task(bot.run())
        program = [sys.executable, node_tables.__file__, str(tmp_path), str(node.port), TITLE]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
        other = await asyncio.create_subprocess_exec(
            *program, stdout=asyncio.subprocess.PIPE, env=environment
        )
        await until(lambda: node.table is not None and node.table.phase is Phase.PLAYING, node)
        other.send_signal(signal.SIGKILL)
        with LoopWatch() as watch:
            await heard(events, PeerLost)
        assert watch.seconds < 5.0
        assert node.table is not None
        assert [member.connected for member in node.table.members].count(False) == 1
        await other.wait()
        playing.cancel()
        async with Node(NodeConfig("Zoya", home=tmp_path, profile="main-2", discover=False)) as again:
            (deal,) = await again.read_store(Store.deals)
            secrets, entries = await again.read_store(
                lambda store: (
                    store.secrets(deal.table_id, deal.number),
                    store.entries(deal.table_id, deal.number),
                )
            )
        # What the killed peer would need to go on is all there.
        assert (deal.outcome, list(secrets)) == (None, ["deal"])
        assert {entry.own for entry in entries} == {True, False}


async def test_message_that_breaks_the_program_is_isolated_and_logged_without_its_content(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        await until(lambda: anna.lobby.people and boris.lobby.people, anna)
        events = anna.events()
        receive = anna._peer.receive
        failures = iter([True])

        def broken(key: bytes, message: bytes, now: float) -> Iterable[PeerEffect]:
            if next(failures, False):
                raise RuntimeError("the secret of the deal")
            return receive(key, message, now)

        anna._peer.receive = broken
        with caplog.at_level(logging.DEBUG):
            boris.open_table(TITLE, Ruleset.preset("pagat"), 2)
            trouble = await heard(events, InternalTrouble)
        assert isinstance(trouble, InternalTrouble)
        assert trouble.place.startswith("RuntimeError in ")
        assert "broken" in trouble.place
        assert "secret of the deal" not in caplog.text
        boris.leave()
        await asyncio.sleep(0.3)
        boris.open_table(TITLE, Ruleset.preset("pagat"), 2)
        await until(lambda: anna.lobby.offers, anna)
        assert (anna.isolated, anna.failure) == (1, None)


async def test_full_disk_stops_a_seat_and_room_lets_the_deal_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(p2p.net.outbox, "FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(p2p.net.outbox, "LONGEST_PAUSE_S", 0.05)

    def limit(pages: str) -> Callable[[Store], None]:
        return lambda store: store._connection.execute(f"PRAGMA max_page_count = {pages}").close()

    async with nodes(tmp_path, 2) as (anna, boris):
        await anna.read_store(limit("1"))
        events = anna.events()
        playing = asyncio.gather(*(bot.run() for bot in bots([anna, boris], BotConfig(TITLE))))
        assert await heard(events, StoreTrouble) == StoreTrouble(LocalReason.DISK_FULL)
        await until(lambda: boris.table and boris.table.owed_by_me is None, boris)
        before = boris.table
        await asyncio.sleep(0.3)
        after = boris.table
        assert before is not None
        assert after is not None
        # Boris waits for an entry that Anna has made but not stored, so not sent.
        assert (before.phase, before.step) == (after.phase, after.step)
        assert before.phase in {Phase.OPENING, Phase.SHUFFLING}
        await anna.read_store(limit("100000"))
        assert await heard(events, StoreTrouble) == StoreTrouble(None)
        assert [result["audit"] for result in await playing] == ["ok", "ok"]


async def test_every_own_entry_is_stored_when_another_peer_has_it(tmp_path: Path) -> None:
    """Look at Anna's file each time when Boris has received something of hers."""
    missing: list[int] = []
    async with nodes(tmp_path, 2) as (anna, boris):
        with closing(sqlite3.connect(tmp_path / "profiles" / "main.sqlite")) as reader:
            playing = asyncio.gather(*(bot.run() for bot in bots([anna, boris], BotConfig(TITLE))))
            receive = boris._peer.receive

            def look(key: bytes, message: bytes, now: float) -> Iterable[PeerEffect]:
                effects = tuple(receive(key, message, now))
                table, own = boris._peer._table, anna.table
                if table is not None and own is not None and own.own_seat is not None:
                    held = {
                        s.entry
                        for s in table.deals.current.deal.record.all_entries()
                        if s.open().seat == own.own_seat
                    }
                    rows = reader.execute("SELECT count(*) FROM entry WHERE own = 1").fetchone()
                    missing.extend([1] * (rows[0] < len(held)))
                return effects

            boris._peer.receive = look
            await playing
    assert missing == []


async def test_second_node_of_a_home_says_which_profile_it_took(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        assert await boris.events().get(WAIT_S) == ProfileTaken("main-2")
        assert (anna.profile, boris.profile) == ("main", "main-2")
        with pytest.raises(LocalError) as caught:
            await Node(NodeConfig("Vera", home=tmp_path, profile="main", discover=False)).__aenter__()
        assert caught.value.reason is LocalReason.PROFILE_TAKEN


async def test_identity_is_the_same_after_a_restart_and_people_are_remembered(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        keys = anna.key, boris.key
        await until(lambda: anna.lobby.people, anna)
    async with nodes(tmp_path, 1) as (anna,):
        assert anna.key == keys[0]
        (known,) = await anna.read_store(Store.known_peers)
        assert (known.key, known.name) == (keys[1], "Boris")
    async with nodes(tmp_path, 2) as (anna, boris):
        await until(lambda: anna.lobby.people, anna)
        await anna._people.now()
        (again,) = await anna.read_store(Store.known_peers)
        assert again.first_seen == known.first_seen
        assert again.last_seen > known.last_seen


async def test_damaged_store_is_announced_and_the_node_starts(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (anna,):
        key = anna.key
    (tmp_path / "profiles" / "main.sqlite").write_bytes(b"junk")
    async with nodes(tmp_path, 1) as (anna,):
        notice = await anna.events().get(WAIT_S)
        assert isinstance(notice, StoreSetAside)
        assert anna.key != key


async def test_port_that_is_taken_is_refused_and_everything_is_let_go(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (anna,):
        with pytest.raises(NetworkError) as caught:
            await Node(NodeConfig("Boris", home=tmp_path, port=anna.port, discover=False)).__aenter__()
        assert caught.value.reason is NetworkReason.PORT_TAKEN
        async with Node(NodeConfig("Vera", home=tmp_path, discover=False)) as vera:
            assert vera.profile == "main-2"


async def test_address_that_is_none_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(NetworkError) as caught:
        await Node(NodeConfig("Anna", home=tmp_path, peers=("nonsense",), discover=False)).__aenter__()
    assert caught.value.reason is NetworkReason.BAD_ADDRESS
    assert not (tmp_path / "profiles").exists()


async def test_address_where_nobody_answers_is_reported_and_tried_again(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (anna,):
        port = anna.port
    async with nodes(tmp_path, 1, peers=(f"127.0.0.1:{port}",)) as (boris,):
        events = boris.events()
        failed = await heard(events, DialFailed)
        assert isinstance(failed, DialFailed)
        assert failed.address == f"127.0.0.1:{port}"
        async with Node(NodeConfig("Vera", home=tmp_path, port=port, discover=False)) as vera:
            await until(lambda: boris.linked == {vera.key}, boris)


async def test_lost_link_is_made_again(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        await until(lambda: boris.linked and anna.linked, boris)
        anna._endpoint.disconnect(boris.key)
        await until(lambda: not boris.linked, boris)
        await until(lambda: boris.linked and anna.linked, boris)


async def test_failed_node_sends_nothing_more_and_says_why(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        await until(lambda: boris.linked and anna.linked, boris)
        events = anna.events()
        anna._fail(LocalError(LocalReason.DISK_FULL))
        assert isinstance(await heard(events, NodeFailed), NodeFailed)
        await until(lambda: not boris.linked, boris)
        anna.open_table(TITLE, Ruleset.preset("pagat"), 2)
        assert anna.table is None


async def test_failed_node_takes_no_new_link_and_dials_nobody(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        await until(lambda: boris.linked and anna.linked, boris)
        anna._fail(LocalError(LocalReason.DISK_FULL))
        await until(lambda: not boris.linked, boris)
        with pytest.raises(NetworkError):
            await boris._endpoint.connect([Address("127.0.0.1", anna.port)], timeout_s=1.0)
        with pytest.raises(NetworkError):
            await anna._endpoint.connect([Address("127.0.0.1", boris.port)])
        assert not anna.linked


async def test_closing_that_is_cancelled_lets_everything_go(tmp_path: Path) -> None:
    node = await Node(NodeConfig("Anna", home=tmp_path, discover=False)).__aenter__()
    closing_node = asyncio.create_task(node.close())
    node._outbox._empty.clear()
    await asyncio.sleep(0)
    closing_node.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing_node
    async with Node(NodeConfig("Anna", home=tmp_path, port=node.port, discover=False)) as again:
        assert (again.profile, again.port) == (node.profile, node.port)


async def test_task_that_fails_is_isolated(tmp_path: Path) -> None:
    async def fail() -> None:
        raise KeyError

    async with nodes(tmp_path, 1) as (anna,):
        events = anna.events()
        anna._driver.keep(fail())
        trouble = await heard(events, InternalTrouble)
        assert isinstance(trouble, InternalTrouble)
        assert trouble.place.startswith("KeyError in ")


async def test_effect_that_cannot_be_carried_out_takes_no_other_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    performed: list[PeerEffect] = []
    async with nodes(tmp_path, 1) as (anna,):

        def perform(effect: PeerEffect) -> None:
            performed.append(effect)
            if len(performed) == 1:
                raise KeyError

        monkeypatch.setattr(anna._driver, "_perform", perform)
        both = Send(b"k" * 32, b"one"), Send(b"k" * 32, b"two")
        anna._driver.feed("test", lambda _now: both)
        assert tuple(performed) == both
        assert anna.isolated == 1


@pytest.mark.parametrize("leaves", [False, True])
async def test_closing_a_node_at_a_table_is_quick_and_leaves_no_deal_that_is_played(
    tmp_path: Path, leaves: bool
) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        playing = [
            asyncio.create_task(bot.run()) for bot in bots([anna, boris], BotConfig(TITLE, pause_s=0.3))
        ]
        await until(lambda: anna.table is not None and anna.table.phase is Phase.PLAYING, anna)
        with LoopWatch() as watch:
            if leaves:
                boris.leave()
            await boris.close()
            await boris.close()
        assert watch.seconds < 5
        await until(lambda: anna.table and any(member.away_since for member in anna.table.members), anna)
        assert any(member.left for member in anna.table.members) is leaves
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
