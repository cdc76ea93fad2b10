"""Finding peers on the local network by multicast DNS (zeroconf), and being found.

Everything heard here is a hint. A record says where a peer with a certain key may be; only the link proves
it. A killed peer's record stays for an hour, a restarted one's changes its port, and anyone can announce
anything.

An address that a peer no longer has may stay in its record for two minutes; it only costs a packet to
nowhere.

The sockets follow the interfaces: they are scanned every four seconds, and a change (also an interface that
was removed and came back under another number) makes the sockets anew and the announcement again.
Interfaces are brought up one by one, so that one that fails does not keep the others from working. Loopback
is always in: peers on one machine find each other with no network at all. (IPv4 loopback carries multicast
even without the flag that says so; ::1 does not.)
"""

import asyncio
import errno
import logging
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Final

from zeroconf import (
    DNSQuestionType,
    IPVersion,
    NotRunningException,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p.net.discovery_record import (
    SERVICE_TYPE,
    Hints,
    PeerRecord,
    fingerprint_of,
    instance_name,
    pack_hints,
    read_addresses,
    read_hints,
)
from p2p.net.interfaces import InterfaceAddress, can_bind, has_network, local_addresses
from p2p.net.link_errors import BadAddress
from p2p.net.worker import place_of

RESCAN_INTERVAL_S: Final = 4.0
RETRY_INTERVAL_S: Final = 6.0
"""Between attempts to open the multicast port while another program holds it."""

PATIENT_TRIES: Final = 3
"""How often an interface is left for the next scan because an address of it cannot be bound. A fresh IPv6
address is tentative for a second or two; one that stays so (somebody else has it) must not keep the others
from being used.
"""

UPDATE_PAUSE_S: Final = 1.0
"""The least time between two announcements of our own: of many quick changes only the last is announced."""

RESOLVE_TIMEOUT_MS: Final = 3000
RESOLVE_TRIES: Final = 3
RESOLVING_LIMIT: Final = 64
"""Records being looked up at the same time; more names than this are somebody's flood."""

KNOWN_LIMIT: Final = 256
"""Peers known by record. A lobby with more could not be read."""

STOP_TIMEOUT_S: Final = 1.5
LOOPBACK: Final = "127.0.0.1"

_log = logging.getLogger(__name__)

ZeroconfInterface = str | int
"""An IPv4 address, or the index of an interface with IPv6."""


class DiscoveryProblem(StrEnum):
    """Why peers may not be found. Joining by a typed address works all the same."""

    MULTICAST_PORT_TAKEN = "multicast-port-taken"
    """Another program holds UDP port 5353 for itself."""
    NO_NETWORK = "no-network"
    """Only loopback is there (yet): peers on this machine are found, no others."""
    NO_MULTICAST = "no-multicast"
    """The system refuses the multicast sockets."""


class Discovery:
    """Announces one peer and listens for others. All callbacks come from the event loop."""

    def __init__(
        self,
        fingerprint: str,
        port: int,
        hints: Hints,
        *,
        interface: str | None = None,
        on_found: Callable[[PeerRecord], None],
        on_lost: Callable[[str], None],
        on_problem: Callable[[DiscoveryProblem | None], None] | None = None,
    ) -> None:
        """fingerprint, port: of our own endpoint. interface: a name or address, to use no other (but
        loopback).

        on_found(record): a peer is there, or its record changed. on_lost(fingerprint): its record was taken
        back or ran out. on_problem(problem): the state of discovery changed; None when all is well.
        """
        self.problem: DiscoveryProblem | None = None
        self._fingerprint, self._port, self._hints, self._interface = fingerprint, port, hints, interface
        self._on_found, self._on_lost, self._on_problem = on_found, on_lost, on_problem
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._scanned: tuple[InterfaceAddress, ...] = ()
        self._bound: dict[ZeroconfInterface, tuple[InterfaceAddress, ...]] = {}
        self._tries: dict[tuple[InterfaceAddress, ...], int] = {}
        self._announced: AsyncServiceInfo | None = None
        self._stale = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._known: dict[str, PeerRecord] = {}

    @property
    def known(self) -> tuple[PeerRecord, ...]:
        """The peers whose records are valid now, by fingerprint."""
        return tuple(self._known[key] for key in sorted(self._known))

    async def start(self) -> None:
        """Begin to listen and to announce. Never fails: what does not work is reported as a problem, and
        retried.
        """
        try:
            await self._rescan()
        except Exception as error:  # tried again by the task that follows the interfaces
            _log.info("looking at the interfaces failed: %s", place_of(error))
            self._report(DiscoveryProblem.NO_MULTICAST)
        self._tasks = [
            asyncio.create_task(self._follow_interfaces(), name="discovery interfaces"),
            asyncio.create_task(self._announce(), name="discovery announce"),
        ]
        self._stale.set()

    def update(self, hints: Hints) -> None:
        """Announce other hints, within a second or so; of several quick updates only the last one."""
        if hints != self._hints:
            self._hints = hints
            self._stale.set()

    async def stop(self) -> None:
        """Take the announcement back and close the sockets, within a second and a half."""
        tasks = [*self._tasks, *self._resolving.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks = []
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await self._close()

    # Sockets and interfaces

    async def _follow_interfaces(self) -> None:
        while True:
            await asyncio.sleep(RESCAN_INTERVAL_S if self._zeroconf is not None else RETRY_INTERVAL_S)
            try:
                await self._rescan()
            except Exception as error:  # whatever the library or the system did, the next look may go better
                _log.info("following the interfaces failed: %s", place_of(error))

    async def _rescan(self) -> None:
        """Look at the interfaces; open, add or drop sockets for what changed; announce anew."""
        try:
            scanned = local_addresses(self._interface)
        except BadAddress:
            # The chosen interface is gone for the moment; loopback stays.
            scanned = tuple(address for address in local_addresses() if address.is_loopback)
        except OSError as error:
            _log.info("scanning the interfaces failed: %s", error)
            return
        if self._zeroconf is None and not await self._open():
            return
        wanted = _zeroconf_interfaces(scanned)
        if wanted != self._bound:
            await self._reconcile(wanted)
        if scanned != self._scanned:
            self._scanned = scanned
            self._stale.set()
        if not self._bound:
            self._report(DiscoveryProblem.NO_MULTICAST)
        else:
            self._report(None if has_network(scanned) else DiscoveryProblem.NO_NETWORK)

    async def _open(self) -> bool:
        """Open the shared socket, without any interface. Returns whether it worked."""
        try:
            self._zeroconf = _new_zeroconf()
        except OSError as error:
            taken = error.errno in {errno.EADDRINUSE, errno.EACCES}
            problem = DiscoveryProblem.MULTICAST_PORT_TAKEN if taken else DiscoveryProblem.NO_MULTICAST
            _log.info("multicast DNS is not available: %s", error)
            self._report(problem)
            return False
        self._scanned, self._bound = (), {}
        await self._zeroconf.zeroconf.async_wait_for_start()
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf,
            [SERVICE_TYPE],
            handlers=[self._service_changed],
            # Answers by unicast would reach whichever process on this machine shares the port.
            question_type=DNSQuestionType.QM,
        )
        return True

    async def _reconcile(self, wanted: dict[ZeroconfInterface, tuple[InterfaceAddress, ...]]) -> None:
        """Drop the sockets that are not wanted any more, and open the missing ones. What fails is tried
        again later.
        """
        assert self._zeroconf is not None
        kept = {choice: of for choice, of in self._bound.items() if wanted.get(choice) == of}
        if kept != self._bound:
            await self._zeroconf.async_update_interfaces(list(kept))
            self._bound = kept
        self._tries = {of: tries for of, tries in self._tries.items() if of in wanted.values()}
        for choice, of in wanted.items():
            if choice in self._bound:
                continue
            self._tries[of] = tries = self._tries.get(of, 0) + 1
            if tries <= PATIENT_TRIES and not all(map(can_bind, of)):
                continue
            if await self._open_interface(self._zeroconf, choice):
                self._bound[choice] = of
                self._stale.set()
            elif tries == PATIENT_TRIES:
                _log.info("no multicast on %s (%s)", of[0].interface, of[0].host)

    async def _open_interface(self, zeroconf: AsyncZeroconf, choice: ZeroconfInterface) -> bool:
        """Open one more socket; whether it is there now, for the library only logs most failures."""
        before = len(zeroconf.zeroconf.engine.senders)
        try:
            await zeroconf.async_update_interfaces([*self._bound, choice])
        except (OSError, RuntimeError) as error:
            _log.debug("no multicast on %s: %s", choice, error)
        return len(zeroconf.zeroconf.engine.senders) > before

    async def _close(self) -> None:
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()
        self._browser = self._zeroconf = self._announced = None

    def _report(self, problem: DiscoveryProblem | None) -> None:
        if problem is not self.problem:
            self.problem = problem
            if self._on_problem is not None:
                self._on_problem(problem)

    # Announcing

    async def _announce(self) -> None:
        while True:
            await self._stale.wait()
            self._stale.clear()
            if self._zeroconf is not None:
                try:
                    await self._announce_once(self._zeroconf)
                except Exception as error:  # the same: another change of hints is another try
                    _log.info("announcing failed: %s", place_of(error))
            await asyncio.sleep(UPDATE_PAUSE_S)

    async def _announce_once(self, zeroconf: AsyncZeroconf) -> None:
        info = AsyncServiceInfo(
            SERVICE_TYPE,
            instance_name(self._fingerprint),
            port=self._port,
            properties=pack_hints(self._hints),
            # A host name of our own: no clash with the system's responder, and no long host name (63 bytes)
            # to cut.
            server=f"{self._fingerprint}.local.",
            parsed_addresses=self._announced_addresses(),
        )
        first, self._announced = self._announced is None, info
        if first:
            sent = await zeroconf.async_register_service(info, cooperating_responders=True)
        else:
            sent = await zeroconf.async_update_service(info)
        await sent

    def _announced_addresses(self) -> list[str]:
        """Everything but loopback, unless there is nothing else."""
        reachable = [address.host for address in self._scanned if not address.is_loopback]
        return reachable or [LOOPBACK]

    # Listening

    def _service_changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        fingerprint = fingerprint_of(name)
        if fingerprint is None or fingerprint == self._fingerprint:
            return
        if (task := self._resolving.pop(fingerprint, None)) is not None:
            task.cancel()
        if state_change is ServiceStateChange.Removed:
            if self._known.pop(fingerprint, None) is not None:
                self._on_lost(fingerprint)
        elif len(self._resolving) < RESOLVING_LIMIT:
            self._resolving[fingerprint] = asyncio.get_running_loop().create_task(
                self._resolve(zeroconf, name, fingerprint), name="discovery resolve"
            )

    async def _resolve(self, zeroconf: Zeroconf, name: str, fingerprint: str) -> None:
        # One turn of the loop later all records of the packet are in the cache, and no question is needed.
        await asyncio.sleep(0)
        try:
            for _ in range(RESOLVE_TRIES):
                info = AsyncServiceInfo(SERVICE_TYPE, name)
                if await info.async_request(zeroconf, RESOLVE_TIMEOUT_MS, question_type=DNSQuestionType.QM):
                    self._resolved(info, fingerprint)
                    return
        except NotRunningException:
            return
        except Exception as error:  # a hostile record, or a listener's fault: other records are still read
            _log.info("reading a record failed: %s", place_of(error))
        finally:
            if self._resolving.get(fingerprint) is asyncio.current_task():
                del self._resolving[fingerprint]

    def _resolved(self, info: AsyncServiceInfo, fingerprint: str) -> None:
        port = info.port or 0
        addresses = read_addresses(info.parsed_scoped_addresses(), port) if port else ()
        full = len(self._known) >= KNOWN_LIMIT and fingerprint not in self._known
        if not addresses or full:
            return
        record = PeerRecord(fingerprint, addresses, port, read_hints(info.properties))
        if self._known.get(fingerprint) != record:
            self._known[fingerprint] = record
            self._on_found(record)


def _new_zeroconf() -> AsyncZeroconf:
    """With IPv6 where the system has it. Raises: OSError."""
    try:
        return AsyncZeroconf(interfaces=[], ip_version=IPVersion.All)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise
        return AsyncZeroconf(interfaces=[], ip_version=IPVersion.V4Only)


def _zeroconf_interfaces(
    scanned: tuple[InterfaceAddress, ...],
) -> dict[ZeroconfInterface, tuple[InterfaceAddress, ...]]:
    """What zeroconf is told to use, each with the addresses it stands for: when those change, it is opened
    anew.

    One choice for each interface and family: a group is joined once on an interface, whatever its addresses.
    """
    groups: dict[tuple[int, str, bool], list[InterfaceAddress]] = {}
    for address in scanned:
        if not (address.is_loopback and address.host != LOOPBACK):
            groups.setdefault((address.index, address.interface, address.is_ipv6), []).append(address)
    return {
        (index if is_ipv6 else addresses[0].host): tuple(addresses)
        for (index, _, is_ipv6), addresses in groups.items()
    }
