"""The line of effects: nothing overtakes a write; a refusing disk holds back all that stands behind it."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from bounds import WAIT_S

import p2p.net.outbox
from engine import Seat
from p2p.errors import LocalError, LocalReason, P2PError
from p2p.net.history import read_history
from p2p.net.outbox import Outbox
from p2p.net.stalls import StallMeter
from p2p.net.store import SecondEntryError, Store
from p2p.net.store_thread import StoreThread
from p2p.net.subscription import Subscription
from p2p.protocol import effects
from p2p.protocol.ballot import AbsentAnswer, Ballot, Poll, SignedBallot
from p2p.protocol.deal_tally import PlayerRecord, Tally
from p2p.protocol.entry import Entry, SealBody, ShuffleBody, SignedEntry
from p2p.protocol.peer_effects import CloseDeal, Keep, Send

TABLE = bytes(range(32))
BORIS = PlayerRecord(1, b"k" * 32, "Boris", False, 2, False, True, Tally(9, 3, 2, 4, 1))


def signed(step: int, seat: int = 0, size: int = 0, signature: int = 1) -> SignedEntry:
    body = ShuffleBody(deck=bytes(size), proof=b"") if size else SealBody()
    entry = Entry(table=TABLE, deal=1, step=step, seat=seat, previous=bytes(32), body=body)
    return SignedEntry(entry=entry.encode(), signature=bytes([signature]) * 64)


def keep(own: SignedEntry | None, *others: SignedEntry, secrets: bytes | None = None) -> Keep:
    return Keep(TABLE, b"terms", effects.Store(1, others, own, secrets))


def answer(about: int) -> SignedBallot:
    """What seat 0 says to poll 1 of seat 0, which asks about another one."""
    poll = Poll(1, 0, (about,), (), ())
    ballot = Ballot(TABLE, 1, 5, bytes(32), 0, poll, AbsentAnswer())
    return SignedBallot(ballot.encode(), bytes(64))


class Table:
    """An outbox over a real store, with what it sent and said."""

    def __init__(self, store: StoreThread) -> None:
        self.store = store
        self.sent: list[bytes] = []
        self.said: list[LocalReason | None] = []
        self.failure: P2PError | None = None
        self.failed = asyncio.Event()
        self.outbox = Outbox(
            store,
            lambda _, message: self.sent.append(message),
            on_trouble=lambda error: self.said.append(error and error.reason),
            on_failed=self.fail,
        )

    def fail(self, error: P2PError) -> None:
        self.failure = error
        self.failed.set()

    async def steps(self) -> list[int]:
        return [entry.step for entry in await self.store.run(lambda store: store.entries(TABLE, 1))]

    async def limit_pages(self, more: int) -> None:
        def limit(store: Store) -> None:
            (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
            store._connection.execute(f"PRAGMA max_page_count = {pages + more}")

        await self.store.run(limit)


def stored(path: Path) -> bytes:
    """The steps that another reader of the file finds in it."""
    with closing(sqlite3.connect(path)) as reader:
        return ",".join(str(step) for (step,) in reader.execute("SELECT step FROM entry")).encode()


@asynccontextmanager
async def table(home: Path) -> AsyncIterator[Table]:
    store = await StoreThread.open(home, None)
    made = Table(store)
    task = asyncio.create_task(made.outbox.run())
    try:
        yield made
    finally:
        task.cancel()
        await store.close()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between tries of a refusing disk that suit a test."""
    monkeypatch.setattr(p2p.net.outbox, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(p2p.net.outbox, "LONGEST_PAUSE_S", 0.02)


async def test_message_with_nothing_before_it_leaves_at_once(tmp_path: Path) -> None:
    async with table(tmp_path) as made:
        made.outbox.put(Send(b"k", b"now"))
        assert made.sent == [b"now"]


async def test_message_behind_an_entry_leaves_only_when_the_entry_is_stored(tmp_path: Path) -> None:
    async with table(tmp_path) as made:
        made.outbox._send = lambda *_: made.sent.append(stored(made.store.profile.path))
        made.outbox.put(keep(signed(3), signed(2, 1)))
        made.outbox.put(Send(b"k", b"entry"))
        assert made.sent == []
        assert await made.outbox.flush(WAIT_S)
        assert made.sent == [b"2,3"]


async def test_effects_keep_their_order_across_writes(tmp_path: Path) -> None:
    async with table(tmp_path) as made:
        for step in range(20):
            made.outbox.put(keep(signed(step)))
            made.outbox.put(Send(b"k", bytes([step])))
        assert await made.outbox.flush(WAIT_S)
        assert made.sent == [bytes([step]) for step in range(20)]
        assert await made.steps() == list(range(20))


async def test_closed_deal_keeps_its_result_and_loses_its_secrets(tmp_path: Path) -> None:
    async with table(tmp_path) as made:
        made.outbox.put(keep(signed(0), secrets=b"secrets"))
        assert await made.outbox.flush(WAIT_S)
        assert await made.store.run(lambda store: store.secrets(TABLE, 1)) == {"deal": b"secrets"}
        outcome = effects.Finished(9, bytes(32), Seat(1), Seat(0))
        made.outbox.put(CloseDeal(TABLE, 1, "Kitchen", "pagat", (("packs", 2),), outcome, b"note", (BORIS,)))
        assert await made.outbox.flush(WAIT_S)
        (deal,) = (await made.store.run(lambda store: read_history(store.path))).deals
        assert (deal.title, deal.form, deal.changes) == ("Kitchen", "pagat", {"packs": 2})
        assert (deal.outcome, deal.cause, deal.players) == ("finished", None, (BORIS,))
        assert await made.store.run(lambda store: store.secrets(TABLE, 1)) == {}


async def test_full_disk_holds_everything_back_and_room_lets_it_go_on(tmp_path: Path, hasty: None) -> None:
    async with table(tmp_path) as made:
        made.outbox.put(keep(signed(0)))
        assert await made.outbox.flush(WAIT_S)
        await made.limit_pages(0)
        made.outbox.put(keep(signed(1, size=6000)))
        made.outbox.put(Send(b"k", b"late"))
        assert not await made.outbox.flush(0.1)
        assert (made.sent, made.said) == ([], [LocalReason.DISK_FULL])
        await made.limit_pages(100)
        assert await made.outbox.flush(WAIT_S)
        assert (made.sent, made.said) == ([b"late"], [LocalReason.DISK_FULL, None])
        assert await made.steps() == [0, 1]


async def test_disk_that_refuses_for_too_long_ends_it_without_sending(
    tmp_path: Path, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(p2p.net.outbox, "PATIENCE_S", 0.05)
    async with table(tmp_path) as made:
        await made.limit_pages(0)
        made.outbox.put(keep(signed(1, size=6000)))
        made.outbox.put(Send(b"k", b"never"))
        await asyncio.wait_for(made.failed.wait(), 5)
        made.outbox.put(Send(b"k", b"never"))
        assert isinstance(made.failure, LocalError)
        assert made.sent == []


async def test_second_story_of_our_own_is_stopped_before_it_is_sent(tmp_path: Path) -> None:
    async with table(tmp_path) as made:
        made.outbox.put(keep(signed(1)))
        made.outbox.put(keep(signed(1, signature=2)))
        made.outbox.put(Send(b"k", b"fork"))
        await asyncio.wait_for(made.failed.wait(), 5)
        assert isinstance(made.failure, SecondEntryError)
        assert made.sent == []


async def test_a_second_answer_of_our_own_is_stopped_but_not_one_that_others_show_us(tmp_path: Path) -> None:
    """A key that has voted elsewhere, too, is known by what comes in: that ends no program."""
    one, other = answer(3), answer(4)
    async with table(tmp_path) as case:
        for shown in (one, other):
            case.outbox.put(Keep(TABLE, b"terms", effects.Store(1, (), ballots=(shown,))))
        assert await case.outbox.flush(WAIT_S)
        assert case.failure is None
        case.outbox.put(Keep(TABLE, b"terms", effects.Store(1, (), ballots=(other,), voted=other)))
        case.outbox.put(Send(b"a", b"never"))
        await asyncio.wait_for(case.failed.wait(), WAIT_S)
    assert isinstance(case.failure, SecondEntryError)
    assert case.sent == []


async def test_line_is_bounded_while_the_disk_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(p2p.net.outbox, "MOST_WAITING", 3)
    async with table(tmp_path) as made:
        made.outbox.put(keep(signed(1)))
        for number in range(5):
            made.outbox.put(Send(b"k", bytes([number])))
        assert await made.outbox.flush(WAIT_S)
        assert (made.sent, made.outbox.dropped) == ([b"\0", b"\1"], 3)


async def test_listener_gets_every_event_in_order_and_its_end() -> None:
    listener: Subscription[int] = Subscription()
    for number in (1, 2, 2, 3):
        listener.put(number)
    listener.close()
    assert [number async for number in listener] == [1, 2, 3]
    assert await listener.get(1) is None


async def test_slow_listener_loses_the_oldest_events() -> None:
    listener: Subscription[int] = Subscription(limit=3)
    for number in range(5):
        listener.put(number)
    assert listener.dropped == 2
    assert [await listener.get(0), await listener.get(1), await listener.get(1)] == [2, 3, 4]
    assert await listener.get(0.01) is None


async def test_stall_of_the_loop_is_measured() -> None:
    meter = StallMeter()
    meter.start()
    await asyncio.sleep(0.02)
    time.sleep(0.1)  # noqa: ASYNC251  # the stall itself
    await asyncio.sleep(0.02)
    meter.stop()
    assert meter.largest_s > 0.08


async def test_an_unforeseen_fault_of_the_journal_is_said_and_nothing_unstored_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise KeyError

    monkeypatch.setattr(p2p.net.outbox, "_batch", fail)
    async with table(tmp_path) as one:
        one.outbox.put(keep(signed(1)))
        one.outbox.put(Send(b"k", b"builds on it"))
        async with asyncio.timeout(WAIT_S):
            await one.failed.wait()
    assert isinstance(one.failure, LocalError)
    assert one.failure.detail.startswith("KeyError in ")
    assert one.sent == []
