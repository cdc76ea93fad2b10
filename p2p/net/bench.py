"""What a lay costs between real peers, in round trips of the very links that it travels.

Four peers in one process, each with its own UDP socket on loopback, play a deal. Nothing is written to a disk
and nothing drawn, so what is measured is the way of a lay from the moment when its entry would be on the disk
to the moment when the last of the other engines has applied it. Before each lay the same links carry an echo
of 1 KB.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Final

from crypto import CryptoError, Identity
from engine import Laid, Lay, Move, Ruleset
from engine.bots import policy
from p2p.net.endpoint import Endpoint
from p2p.net.interfaces import Address
from p2p.protocol.peer import Peer
from p2p.protocol.peer_core import Channel
from p2p.protocol.peer_effects import Emit, Keep, PeerEffect, Run, Send
from p2p.protocol.peer_events import PeerEvent
from p2p.protocol.snapshot import Happened, Phase, TableSnapshot

PEERS: Final = 4
LAYS: Final = 60
"""So many are measured; a deal of random players may have some hundred more."""
LOOPBACK: Final = "127.0.0.1"
LIMIT_S: Final = 60.0
"""Far above what a deal takes; a bound, so that a broken machine ends in an error and not in silence."""
_ECHO: Final = b"\xc1>" + bytes(1022)
"""1 KB that begins like no message of the protocol; the measuring endpoints keep it from their peers."""
_ANSWER: Final = b"\xc1<" + bytes(1022)


@dataclass(frozen=True, slots=True)
class LinkBench:
    """Medians over `lays` lays of one deal, its first ones.

    link_rtt_ms: an echo of 1 KB. lay_rtts: a lay until applied by all others, in such round trips.
    """

    link_rtt_ms: float
    lay_rtts: float
    lays: int


async def measure_links(seed: int = 1, most_lays: int = LAYS) -> LinkBench:
    """Play a deal of random players on this machine and measure its lays.

    seed: of the players' decisions. most_lays: so many are enough.

    Raises: NetworkError; TimeoutError after `LIMIT_S`.
    """
    async with asyncio.timeout(LIMIT_S), AsyncExitStack() as stack:
        players = [_Player(f"Bench {number}") for number in range(PEERS)]
        for player in players:
            await player.open()
            stack.push_async_callback(player.close)
        await _sit_down(players)
        echoes: list[float] = []
        lays: list[float] = []
        minds = [policy("random", seed + number) for number in range(PEERS)]
        while len(lays) < most_lays and (mover := await _next_to_choose(players)) is not None:
            table = mover.table
            assert table.view is not None
            obligation = next(owed for owed in table.view.state.owed if owed.seat == table.own_seat)
            move = minds[players.index(mover)].choose(table.view, obligation)
            others = [player for player in players if player is not mover]
            echoes += [await mover.echo(other.peer.key) for other in others]
            if isinstance(move, Lay):
                lays.append(await _lay(mover, others, move))
            else:
                mover.submit(move)
        return LinkBench(median(echoes) * 1e3, median(lays) / median(echoes), len(lays))


async def _sit_down(players: list["_Player"]) -> None:
    """Link everybody, and form a table at which all are ready."""
    opener, *guests = players
    for number, player in enumerate(players):
        for other in players[:number]:
            await player.endpoint.connect([Address(LOOPBACK, other.endpoint.port)], other.peer.key)
    opener.feed(partial(opener.peer.open_table, "Bench", Ruleset.preset("pagat"), len(players)))
    for guest in guests:
        await guest.until(guest.sees_table)
        offer = guest.peer.lobby.offers[0]
        guest.feed(partial(guest.peer.join, offer.opener, offer.offer_id))
    await opener.until(lambda: len(opener.table.members) == len(players))
    for player in players:
        await player.until(player.sits)
        player.feed(partial(player.peer.set_ready, True))


async def _next_to_choose(players: list["_Player"]) -> "_Player | None":
    """Wait until a seat has to choose and everybody is where it is; None once the deal is over."""
    first = players[0]
    while True:
        tables = [player.peer.table for player in players]
        if all(table is not None and table.phase is Phase.OVER for table in tables):
            return None
        heads = {table.head for table in tables if table is not None}
        if len(heads) == 1:
            for player, table in zip(players, tables, strict=True):
                owed = None if table is None else table.owed_by_me
                if table is not None and table.phase is Phase.PLAYING and owed is not None and owed.is_choice:
                    return player
        await first.changed(players)


async def _lay(mover: "_Player", others: list["_Player"], move: Lay) -> float:
    """Make a lay; seconds from where it would be stored to where the last of the others has applied it."""
    for player in (mover, *others):
        player.forget()
    mover.submit(move)
    for other in others:
        await other.until(other.has_seen_lay)
    assert mover.stored_at is not None
    return max(other.laid_at for other in others if other.laid_at is not None) - mover.stored_at


class _Player:
    """A peer on its endpoint, without a disk: effects are carried out at once, jobs in a thread."""

    def __init__(self, name: str) -> None:
        self._identity = Identity.generate(os.urandom)
        self.peer = Peer(self._identity, name, os.urandom)
        self.endpoint: Endpoint
        self.stored_at: float | None = None
        """When the entry last made could be sent."""
        self.laid_at: float | None = None
        """When a lay was last applied."""
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._jobs: set[asyncio.Task[None]] = set()
        self._answered: asyncio.Future[None] | None = None
        self._news = asyncio.Event()

    @property
    def table(self) -> TableSnapshot:
        """The own table, which must be there."""
        table = self.peer.table
        assert table is not None
        return table

    async def open(self) -> None:
        """Open the endpoint."""
        self.endpoint = await Endpoint.open(
            self._identity,
            on_up=self._link_up,
            on_message=self._message,
            on_down=lambda key, _reason: self.feed(partial(self.peer.link_down, key)),
        )

    async def close(self) -> None:
        """End timers, jobs and links."""
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        await self.endpoint.close(0.0)

    def sees_table(self) -> bool:
        """Whether a table is offered."""
        return bool(self.peer.lobby.offers)

    def sits(self) -> bool:
        """Whether the own seat is taken."""
        return self.peer.table is not None

    def has_seen_lay(self) -> bool:
        """Whether a lay has been applied since `forget`."""
        return self.laid_at is not None

    def forget(self) -> None:
        """Forget the times of the last lay."""
        self.stored_at = self.laid_at = None

    def feed(self, work: Callable[[float], Iterable[PeerEffect]]) -> None:
        """Give the peer one event and carry out what it asks for."""
        for effect in work(self._loop.time()):
            match effect:
                case Send():
                    self.endpoint.send(effect.key, effect.message)
                case Keep() if effect.store.own is not None:
                    self.stored_at = time.perf_counter()
                case Run():
                    task = self._loop.create_task(self._do(effect))
                    self._jobs.add(task)
                    task.add_done_callback(self._jobs.discard)
                case Emit():
                    self._happened(effect.event)
                case _:
                    pass
        self._news.set()
        if self._timer is not None:
            self._timer.cancel()
        due = self.peer.next_timer
        self._timer = None if due is None else self._loop.call_at(due, self.feed, self.peer.tick)

    def submit(self, move: Move) -> None:
        """Make a move."""
        self.feed(partial(self.peer.submit, move))

    async def echo(self, key: bytes) -> float:
        """Send 1 KB over the link to `key` and wait for the answer; seconds."""
        self._answered = self._loop.create_future()
        started = time.perf_counter()
        self.endpoint.send(key, _ECHO)
        await self._answered
        return time.perf_counter() - started

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds; it is looked at whenever something happened here."""
        while not condition():
            self._news.clear()
            await self._news.wait()

    async def changed(self, players: list["_Player"]) -> None:
        """Wait until something happened at any of the players."""
        waits = [self._loop.create_task(player.news()) for player in players]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def news(self) -> None:
        """Wait until something happens here."""
        self._news.clear()
        await self._news.wait()

    def _link_up(self, key: bytes, address: Address) -> None:
        channel = Channel(address.host, self.endpoint.binding(key))
        self.feed(lambda now: self.peer.link_up(key, now, channel))

    def _message(self, key: bytes, message: bytes) -> None:
        if message == _ECHO:
            self.endpoint.send(key, _ANSWER)
        elif message == _ANSWER:
            # An answer that comes after the time was up finds nobody waiting.
            if self._answered is not None and not self._answered.done():
                self._answered.set_result(None)
        else:
            self.feed(partial(self.peer.receive, key, message))

    def _happened(self, event: PeerEvent) -> None:
        if isinstance(event, Happened) and isinstance(event.event, Laid):
            self.laid_at = time.perf_counter()

    async def _do(self, effect: Run) -> None:
        outcome: object
        try:
            outcome = await asyncio.to_thread(effect.job.function, *effect.job.args)
        except CryptoError as error:
            outcome = error
        self.feed(partial(self.peer.job_done, effect.job.id, outcome))
