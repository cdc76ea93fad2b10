"""The node: one peer of the game with real sockets, a real disk and real time.

    Endpoint, Discovery --events--> Peer (sans-IO) --effects--> Outbox (journal, then links), Jobs, listeners

Everything here runs in one event loop and none of it waits: proofs are made by worker processes, the disk is
written by a thread. The peer is fed one event at a time; what it asks for is carried out in its order. A
failure in handling one event is logged by type and place, and only that event is lost.
"""

import asyncio
import gc
import logging
import os
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack, suppress
from functools import partial
from types import TracebackType
from typing import Final, Self, TypeVar, cast

from crypto import Identity, LibraryError, Ristretto255, fingerprint, short_fingerprint
from engine import Move, Ruleset
from p2p.errors import LocalError, LocalReason, NetworkError, P2PError
from p2p.net.dialing import Dialer
from p2p.net.discovery import Discovery, DiscoveryProblem
from p2p.net.discovery_record import Hints, PeerRecord
from p2p.net.driver import Driver
from p2p.net.endpoint import Endpoint
from p2p.net.hello import PROTOCOL_VERSION
from p2p.net.history import History, read_history
from p2p.net.interfaces import Address, interface_names, parse_address
from p2p.net.jobs import Jobs
from p2p.net.link_errors import DownReason, MessageTooLarge, RemoteVersion
from p2p.net.node_config import NodeConfig
from p2p.net.node_events import (
    DialFailed,
    DiscoveryTrouble,
    InternalTrouble,
    NodeEvent,
    NodeFailed,
    OtherVersion,
    ProfileTaken,
    StoreTrouble,
)
from p2p.net.outbox import Outbox
from p2p.net.people import People
from p2p.net.profile import store_of
from p2p.net.reading import read_beside
from p2p.net.stalls import StallMeter
from p2p.net.store import Store
from p2p.net.store_thread import StoreThread
from p2p.net.subscription import Listeners, Subscription
from p2p.net.unfinished import UnfinishedTable, find_unfinished, has_unfinished, read_deal, read_left
from p2p.net.worker import warm_up
from p2p.protocol.deal_views import CardReading
from p2p.protocol.peer import Peer
from p2p.protocol.peer_core import Channel
from p2p.protocol.peer_effects import PeerEffect
from p2p.protocol.peer_events import LobbyChanged, PeerEvent
from p2p.protocol.resumed import ResumedDeal
from p2p.protocol.snapshot import LobbySnapshot, OfferStatus, Phase, TableSnapshot
from p2p.protocol.table import MovePlace
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from p2p.protocol.talk import Said

ADDRESSES_KEPT: Final = 256
"""Of how many keys the last address is known; each costs its owner nothing to make up."""

LINK_GRACE_S: Final = 2.0
"""How long a closing node waits for its last messages to be acknowledged."""

FLUSH_GRACE_S: Final = 3.0
"""How long a closing node waits for its last entries to be stored."""

MOST_THREADS: Final = 2
"""Threads for one long sum in a proof. Two were measured at 1.7 times the speed of one, more at little
more.
"""

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


__all__ = ["Node", "NodeConfig"]


class Node:
    """A running peer. `async with Node(config) as node`; then commands, `events()`, `lobby`, `table`.

    Entering raises: LocalError (profile, store); NetworkError (port taken, bad address or interface);
    TextError (name).
    """

    def __init__(self, config: NodeConfig) -> None:
        self.config = config
        self.failure: P2PError | None = None
        """Why the node stopped sending, if it did."""
        self.unsent = 0
        """Messages that found no link, or a full one. The protocol asks again for what matters."""
        self.isolated = 0
        """Events whose handling failed."""
        self._peer: Peer
        self._store: StoreThread
        self._endpoint: Endpoint
        self._dialer: Dialer
        self._outbox: Outbox
        self._driver: Driver
        self._people: People
        self._unfinished: UnfinishedTable | None = None
        self._met_at: dict[bytes, str] = {}
        self._addresses: dict[bytes, Address] = {}
        self._jobs = Jobs(config.workers)
        self._discovery: Discovery | None = None
        self._stalls = StallMeter()
        self._listeners: Listeners[NodeEvent] = Listeners()
        self._stack = AsyncExitStack()
        self._closing = False

    # Start and end

    async def __aenter__(self) -> Self:
        addresses = [(text, parse_address(text)) for text in self.config.peers]
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        for text, address in addresses:
            self._dialer.add(text, [address])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _start(self) -> None:
        config = self.config
        wanted = config.unfinished
        prefer = None if wanted is None else partial(has_unfinished, wanted=wanted)
        self._store = await StoreThread.open(config.home, config.profile, prefer)
        self._stack.push_async_callback(self._close_store)
        self._notice_profile()
        await self._jobs.start()
        self._stack.push_async_callback(self._jobs.close)
        try:
            # The loop uses the library, too, and loading it takes 80 ms.
            await asyncio.to_thread(warm_up)
        except LibraryError as error:
            raise LocalError(LocalReason.NO_CRYPTOGRAPHY, "rbcl", str(error)) from error
        identity = Identity(await self._store.private_key())
        people = await self._store.known_peers()
        known = {person.key: person.name for person in people}
        self._met_at = {person.key: person.address for person in people if person.address is not None}
        played = {record.table_id for record in await self._store.run(Store.deals)}
        left = await self._store.run(read_left)
        if wanted is not None:
            own = identity.public
            self._unfinished = await self._store.run(lambda store: find_unfinished(store, own, wanted))
        # A second core speeds a proof up where it is free, and costs nothing where it is not.
        group = Ristretto255(threads=min(MOST_THREADS, os.cpu_count() or 1))
        self._peer = Peer(
            identity,
            config.name,
            os.urandom,
            group=group,
            known=known,
            audits=config.audits,
            played=played,
            left=left,
        )
        self._people = People(self._store, lambda: self._peer.lobby, self._addresses)
        self._outbox = Outbox(self._store, self._send, on_trouble=self._store_trouble, on_failed=self._fail)
        self._driver = Driver(
            self._peer,
            self._jobs,
            self._outbox,
            on_event=self._happened,
            on_isolated=self._isolated,
            on_failed=self._fail,
        )
        self._driver.start()
        self._stack.push_async_callback(self._driver.stop)
        self._endpoint = await Endpoint.open(
            identity,
            port=config.port,
            interface=config.interface,
            on_up=self._link_up,
            on_message=self._message,
            on_down=self._link_down,
            on_other_version=self._other_version,
        )
        self._stack.push_async_callback(self._endpoint.close, LINK_GRACE_S)
        self._dialer = Dialer(identity.public, self._endpoint.connect, on_failed=self._dial_failed)
        self._stack.push_async_callback(self._dialer.close)
        if config.measure_stalls:
            self._stalls.start()
            self._stack.callback(self._stalls.stop)
        if config.discover:
            self._discovery = Discovery(
                fingerprint(identity.public),
                self._endpoint.port,
                self._hints(),
                interface=config.interface,
                on_found=self._found,
                on_lost=self._dialer.remove,
                on_problem=self._discovery_problem,
            )
            self._stack.push_async_callback(self._discovery.stop)
            await self._discovery.start()
        # All that is loaded by now stays. Going over it, again and again, took the garbage collector 37 ms in
        # a program with a screen, in which the loop stood still.
        gc.freeze()
        self._stack.callback(gc.unfreeze)

    async def close(self) -> None:
        """End in good order: last entries stored and sent, everything closed. It is bounded in time.

        A table that is only being formed, or only watched, is left. One that all have signed is not: leaving
        that is for good, and whoever wants it says so before (`leave`); else it can be taken up again.
        """
        if self._closing:
            return
        table = self._peer.table
        if table is not None and (table.phase is Phase.GATHERING or table.watching):
            self.leave()
        self._closing = True
        self._driver.halt()
        try:
            await self._outbox.flush(FLUSH_GRACE_S)
            await self._people.now()
        finally:
            try:
                await self._stack.aclose()
            finally:
                self._listeners.close()

    async def _close_store(self) -> None:
        try:
            await self._store.close()
        except LocalError as error:
            # Every entry is on the disk already; SQLite only tidies up when it closes.
            _log.warning("the store was not closed in good order: %s", error)

    # What can be seen

    @property
    def lobby(self) -> LobbySnapshot:
        """The lobby as it is now."""
        return self._peer.lobby

    @property
    def table(self) -> TableSnapshot | None:
        """The own table as it is now, if there is one."""
        return self._peer.table

    @property
    def readings(self) -> tuple[CardReading, ...]:
        """Who can read each card of the own table's deal, and since when; nothing without a table."""
        return self._peer.readings

    @property
    def unfinished(self) -> UnfinishedTable | None:
        """The table that the journal holds and `resume` takes up, until that has been done."""
        return self._unfinished

    @property
    def key(self) -> bytes:
        """The own public identity key."""
        return self._peer.key

    @property
    def profile(self) -> str:
        """The name of the profile in use."""
        return self._store.profile.name

    @property
    def port(self) -> int:
        """The UDP port of the own endpoint."""
        return self._endpoint.port

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where this node can be reached: what to read out to somebody who joins by address."""
        return self._endpoint.addresses

    @property
    def interfaces(self) -> tuple[str, ...]:
        """The names of the network interfaces on which others are looked for."""
        return interface_names(self.config.interface)

    @property
    def linked(self) -> frozenset[bytes]:
        """The keys to whom a link stands."""
        return self._endpoint.keys

    @property
    def largest_stall_s(self) -> float:
        """How late the event loop was at worst, seconds; 0 unless measured."""
        return self._stalls.largest_s

    def events(self) -> Subscription[NodeEvent]:
        """Everything that happens from now on, for `async for`. What was to be said at the start comes
        first.
        """
        return self._listeners.subscribe()

    def listen(self, callback: Callable[[NodeEvent], None]) -> Callable[[], None]:
        """Call `callback` at the moment of each event; returns what ends that. It must not give commands."""
        return self._listeners.listen(callback)

    def standing(self, step: int, deal: int | None = None) -> tuple[bytes, bytes] | None:
        """The ledger's head at a step of a deal, the current one unless told, and the digest of the state
        there; else None.
        """
        return self._peer.standing(step, deal)

    async def transcript(self, deal: int | None = None) -> bytes | None:
        """The transcript of the table's last deal that has ended, or of the one that is played; or of
        another deal, if it is still in hand.

        It is made beside the loop, where the deal may go on meanwhile: a receipt comes in, say.
        """

        def standing() -> object:
            table = self._peer.table
            return None if table is None else (table.deal, table.head, table.result)

        return await read_beside(partial(self._peer.transcript, deal), standing)

    async def history(self) -> History:
        """The deals that the profile in use remembers. Raises: LocalError."""
        return await asyncio.to_thread(read_history, store_of(self.config.home, self.profile))

    async def past_deal(self, table_id: bytes, number: int) -> ResumedDeal | None:
        """A deal that the profile remembers, to be watched again; None if too little of it is kept.

        Raises: LocalError.
        """
        path = store_of(self.config.home, self.profile)
        return await asyncio.to_thread(read_deal, path, table_id, number)

    async def run_job(self, function: Callable[..., _Result], *arguments: object) -> _Result:
        """Run long work, all picklable, where the proofs run. Raises: what the function raises;
        LocalError.
        """
        return cast("_Result", await self._jobs.run(function, *arguments))

    async def read_store(self, read: Callable[[Store], _Result]) -> _Result:
        """Return `read(store)` from the store's thread: records, results, people. Raises: LocalError."""
        return await self._store.run(read)

    # What the person wishes

    def open_table(
        self,
        title: str,
        ruleset: Ruleset,
        seats: int,
        table_rules: TableRules = USUAL,
        code: TableCode | None = None,
    ) -> None:
        """Open a table and take its first seat. What comes of this and every other wish comes as an event.

        code: lets only those in who know it.
        """
        self._feed(
            "open_table",
            lambda now: self._peer.open_table(title, ruleset, seats, now, table_rules=table_rules, code=code),
        )

    def reopen(self, seats: int) -> None:
        """Open the own table again, for so many, now that a deal is over; its code, if any, stays."""
        self._feed("reopen", lambda now: self._peer.reopen(seats, now))

    def resume(self) -> None:
        """Take up the unfinished table, and look for its other members where they were last met."""
        unfinished, self._unfinished = self._unfinished, None
        if unfinished is None:
            return
        for key in unfinished.members:
            with suppress(NetworkError):
                if (text := self._met_at.get(key)) is not None:
                    self._dialer.add(f"last met: {text}", [parse_address(text)], fingerprint(key))
        self._feed("resume", lambda now: self._peer.resume(unfinished.resumed, now))

    def join(self, key: bytes, offer_id: bytes, code: TableCode | None = None) -> None:
        """Ask `key` for a seat at its table, with its code if it has one."""
        self._feed("join", lambda now: self._peer.join(key, offer_id, now, code))

    def watch(self, key: bytes, offer_id: bytes, code: TableCode | None = None) -> None:
        """Ask `key` to watch the table that it has opened and that is played, with its code if it has one."""
        self._feed("watch", lambda now: self._peer.watch(key, offer_id, now, code))

    def set_ready(self, ready: bool) -> None:
        """Agree to the table's rules, or take that back."""
        self._feed("set_ready", lambda now: self._peer.set_ready(ready, now))

    def start_without(self) -> None:
        """Start without the only one who is not ready."""
        self._feed("start_without", self._peer.start_without)

    def submit(self, move: Move, at: MovePlace | None = None) -> None:
        """Make a move of the own seat: there and nowhere else, if `at` is given."""
        self._feed("submit", lambda now: self._peer.submit(move, now, at))

    def next_deal(self) -> None:
        """Want the next deal."""
        self._feed("next_deal", self._peer.next_deal)

    def end_wait(self) -> None:
        """Ask the others to end the wait for whoever is missed, as the table's rules allow."""
        self._feed("end_wait", self._peer.end_wait)

    def open_books(self) -> None:
        """Want the books of the deal that has just ended to be opened. It cannot be taken back."""
        self._feed("open_books", self._peer.open_books)

    def say(self, said: Said) -> None:
        """Say something to everybody at the own table."""
        self._feed("say", lambda now: self._peer.say(said, now))

    def leave(self) -> None:
        """Leave the own table."""
        self._feed("leave", self._peer.leave)

    async def dial(self, text: str) -> bytes:
        """Link to the peer at HOST:PORT, keep that link from now on, and return the peer's key.

        Raises: NetworkError: what `Endpoint.connect` raises, and BadAddress for text that is no address.
        """
        address = parse_address(text)
        key = await self._endpoint.connect([address])
        self._dialer.add(text, [address], fingerprint(key))
        return key

    # What the network says

    def _link_up(self, key: bytes, address: Address) -> None:
        self._dialer.link_up(key)
        self._addresses.pop(key, None)
        if len(self._addresses) >= ADDRESSES_KEPT:
            del self._addresses[next(iter(self._addresses))]
        self._addresses[key] = address
        channel = Channel(address.host, self._endpoint.binding(key))
        self._feed("link_up", lambda now: self._peer.link_up(key, now, channel))

    def _link_down(self, key: bytes, reason: DownReason) -> None:
        self._dialer.link_down(key)
        _log.debug("link to %s down: %s", short_fingerprint(key), reason.value)
        self._feed("link_down", lambda now: self._peer.link_down(key, now))

    def _message(self, key: bytes, message: bytes) -> None:
        self._feed("message", lambda now: self._peer.receive(key, message, now))

    def _other_version(self, error: RemoteVersion) -> None:
        self._listeners.publish(OtherVersion(error.ours, error.theirs))

    def _found(self, record: PeerRecord) -> None:
        self._dialer.add(record.fingerprint, record.addresses, record.fingerprint)

    def _discovery_problem(self, problem: DiscoveryProblem | None) -> None:
        self._listeners.notify(DiscoveryTrouble(problem))

    def _dial_failed(self, target: str, error: NetworkError) -> None:
        if target in self.config.peers:
            self._listeners.publish(DialFailed(target, error))
        else:
            _log.debug("dialling %s failed: %s", target, error)

    # The peer and its effects

    def _feed(self, what: str, work: Callable[[float], Iterable[PeerEffect]]) -> None:
        if self.failure is None:
            self._driver.feed(what, work)

    def _send(self, key: bytes, message: bytes) -> None:
        try:
            self._endpoint.send(key, message)
        except NetworkError:
            self.unsent += 1
        except MessageTooLarge as error:
            self._driver.isolate("send", error)

    def _happened(self, event: PeerEvent) -> None:
        if isinstance(event, LobbyChanged):
            if self._discovery is not None:
                self._discovery.update(self._hints())
            self._driver.keep(self._people.soon())
        self._listeners.publish(event)

    # Notices and trouble

    def _notice_profile(self) -> None:
        if not self._store.profile.first and not self._store.profile.chosen:
            self._listeners.notify(ProfileTaken(self._store.profile.name))
        if self._store.notice is not None:
            self._listeners.notify(self._store.notice)

    def _store_trouble(self, error: LocalError | None) -> None:
        if error is not None:
            _log.warning("the journal cannot be written: %s", error)
        self._listeners.notify(StoreTrouble(None if error is None else error.reason))

    def _fail(self, error: P2PError) -> None:
        _log.error("the node stops: %s", error)
        self.failure = error
        self._listeners.notify(NodeFailed(error))
        self._endpoint.shut()

    def _isolated(self, what: str, place: str) -> None:
        self.isolated += 1
        self._listeners.publish(InternalTrouble(what, place))

    def _hints(self) -> Hints:
        offer = next((offer for offer in self._peer.lobby.offers if offer.own), None)
        if offer is None:
            return Hints(PROTOCOL_VERSION, self._peer.lobby.own_name)
        state = f"{offer.taken}/{offer.seats}" if offer.status is OfferStatus.OPEN else offer.status.value
        return Hints(PROTOCOL_VERSION, self._peer.lobby.own_name, offer.title, state)
