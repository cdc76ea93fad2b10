"""The endpoint: one UDP socket, and authenticated links to many peers over it.

A datagram is routed by its QUIC destination connection id; one that no link knows is either a stranger's
first packet or junk. Both roles live on the same socket, so a peer is reachable at the port from which it
dials.

Between two keys there is one link. Two made at the same time, one from each side, are settled by the keys
alone: the one that the smaller key dialled stays. A second link from the same run of a peer means that it
gave up the first, and from another run that it was started again: the newer stays.
"""

import asyncio
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, Self

from aioquic.buffer import Buffer  # type: ignore[attr-defined]  # re-exported without saying so
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import QuicPacketType, QuicProtocolVersion, pull_quic_header

from crypto import Identity, fingerprint
from p2p.net.hello import INSTANCE_SIZE, NONCE_SIZE, PROTOCOL_VERSION, Hello, HelloError, Role
from p2p.net.interfaces import Address, local_addresses
from p2p.net.link import Link, LinkState
from p2p.net.link_attempt import Attempt, resolve
from p2p.net.link_door import Counters, Door, Entry
from p2p.net.link_errors import (
    BadAddress,
    CloseCode,
    DownReason,
    LinkDown,
    QueueFull,
    RemoteVersion,
    Unreachable,
)
from p2p.net.quic_internals import check_library
from p2p.net.quic_socket import QuicSocket, SocketAddress, address_of
from p2p.net.quic_tls import (
    CONNECTION_ID_LENGTH,
    MAX_DATAGRAM_SIZE,
    client_configuration,
    make_certificate,
    server_configuration,
)

CONNECT_TIMEOUT_S: Final = 6.0
"""For one `connect`, all its addresses at once. A little over the hello's own limit."""

STAGGER_S: Final = 0.04
"""Between dialling two addresses of one peer: several times a handshake on a local network, so that the
first good one is usually the only one dialled, and bad ones before it cost little.
"""

CROSSING_S: Final = 5.0
"""Two links opposite in direction and less than this apart were made at the same time; the time in which a
dead link is noticed at the latest.
"""

_LONG_HEADER: Final = 0x80
"""Set in the first byte of a packet whose header has version, length and connection id, in this order."""

GOODBYE_REPEATS: Final = 3
GOODBYE_PAUSE_S: Final = 0.01
"""The close of a link is not acknowledged, so it is sent a few times."""


class Endpoint:
    """One peer's end of all its links. Use `open`; all callbacks come from the event loop and must not
    block.
    """

    def __init__(
        self,
        identity: Identity,
        udp: QuicSocket,
        *,
        interface: str | None,
        on_up: Callable[[bytes, Address], None],
        on_message: Callable[[bytes, bytes], None],
        on_down: Callable[[bytes, DownReason], None],
        on_other_version: Callable[[RemoteVersion], None] | None,
        version: int,
    ) -> None:
        self.identity = identity
        self.instance = os.urandom(INSTANCE_SIZE)
        self.port = udp.port
        self.junk = 0
        """Datagrams that belong to no link and open none. Counted, not logged: anyone can send them."""
        self._udp = udp
        self._interface = interface
        self._version = version
        self._on_up, self._on_message, self._on_down = on_up, on_message, on_down
        self._on_other_version = on_other_version
        self._certificate = make_certificate()
        self._server_configuration = server_configuration(self._certificate)
        self._door = Door()
        self._routes: dict[bytes, Link] = {}
        self._links: dict[bytes, Link] = {}
        self._all: set[Link] = set()
        self._hosts: dict[Link, str] = {}
        self._attempts: dict[Link, Attempt] = {}
        self._waiting: set[Attempt] = set()
        self._closing = False
        self._goodbyes: list[tuple[bytes, SocketAddress]] | None = None
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def open(
        cls,
        identity: Identity,
        *,
        port: int = 0,
        interface: str | None = None,
        on_up: Callable[[bytes, Address], None],
        on_message: Callable[[bytes, bytes], None],
        on_down: Callable[[bytes, DownReason], None],
        on_other_version: Callable[[RemoteVersion], None] | None = None,
        version: int = PROTOCOL_VERSION,
    ) -> Self:
        """Open the socket and begin to take links.

        port: UDP, 0 for any free one. interface: a name or address of this machine, which limits
        `addresses`. on_up(key, address), on_message(key, message), on_down(key, reason): for each link, in
        this order. on_other_version: somebody of another version tried to reach us. Raises: PortTaken;
        BadAddress for an interface that does not exist; NetworkError when there is no socket; LocalError when
        the QUIC library is not one that we know.
        """
        check_library()
        local_addresses(interface)
        udp = await QuicSocket.open(port)
        endpoint = cls(
            identity,
            udp,
            interface=interface,
            on_up=on_up,
            on_message=on_message,
            on_down=on_down,
            on_other_version=on_other_version,
            version=version,
        )
        udp.start(endpoint._receive, endpoint._belongs)
        return endpoint

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where we can be reached now, interface by interface, loopback included."""
        try:
            found = local_addresses(self._interface)
        except (BadAddress, OSError):
            return ()  # the chosen interface is gone for the moment, or the system does not say
        return tuple(
            address.at(self.port) for address in found if self._udp.dual_stack or not address.is_ipv6
        )

    @property
    def counters(self) -> Counters:
        """What has been dropped or refused since the start."""
        return Counters(self.junk, self._door.retried, self._door.refused, self._udp.counters)

    @property
    def keys(self) -> frozenset[bytes]:
        """The keys to which a link is up."""
        return frozenset(self._links)

    def binding(self, key: bytes) -> bytes:
        """What both ends of the link to a key, which is up, have alike, and no other link: 32 bytes."""
        return self._links[key].binding

    @property
    def fingerprint(self) -> str:
        """Our own key's fingerprint."""
        return fingerprint(self.identity.public)

    async def connect(
        self,
        addresses: Iterable[Address],
        expect: bytes | str | None = None,
        *,
        timeout_s: float = CONNECT_TIMEOUT_S,
    ) -> bytes:
        """Make a link to the peer at one of these addresses and return its key; all are tried at once.

        expect: the key (32 bytes) or its fingerprint (text) that must be proven; None takes any key but our
        own. If a link to that key is up, or comes up meanwhile from the other side, that is the one.
        Raises: NetworkError: Unreachable, WrongKey, OwnKey, RemoteVersion, HelloRefused, BadAddress.
        """
        if self._closing:
            raise Unreachable("", "this endpoint is closing")
        targets = await resolve(addresses, dual_stack=self._udp.dual_stack)
        attempt = Attempt(targets, expect)
        if (known := next(filter(attempt.wants, self._links), None)) is not None and expect is not None:
            return known
        self._waiting.add(attempt)
        try:
            async with asyncio.timeout(timeout_s):
                for target in targets:
                    self._dial(target, attempt)
                    if await attempt.settles_within(STAGGER_S):
                        break
                attempt.all_dialled()
                return await attempt.result
        except TimeoutError:
            raise attempt.best_failure() from None
        finally:
            self._waiting.discard(attempt)
            for link in tuple(attempt.open):
                link.close(CloseCode.DUPLICATE)

    def send(self, key: bytes, message: bytes) -> None:
        """Send a message of 1 to 256 KiB to a peer, in order and without loss for as long as the link is up.

        Raises: LinkDown; QueueFull when 2 MiB wait to be acknowledged; MessageTooLarge.
        """
        link = self._links.get(key)
        if link is None:
            raise LinkDown(fingerprint(key))
        try:
            link.send(message)
        except QueueFull as error:
            raise QueueFull(fingerprint(key), error.queued) from None

    def disconnect(self, key: bytes) -> None:
        """End the link to a key, if there is one, without waiting. `on_down` is called with CLOSED."""
        if (link := self._links.get(key)) is not None:
            link.close(CloseCode.GOODBYE)

    def shut(self) -> None:
        """End every link, and make and take no more, without waiting. `close` is still to be called."""
        self._closing = True
        for link in tuple(self._all):
            if link.state is not LinkState.ENDED:
                link.close(CloseCode.GOODBYE)

    async def close(self, grace_s: float = 2.0) -> None:
        """Wait until what was sent is acknowledged, for at most `grace_s`; say goodbye; close the socket."""
        self._closing = True
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(grace_s):
                    await asyncio.gather(*(link.flush() for link in tuple(self._links.values())))
            self._goodbyes = []
            self.shut()
            for _ in range(GOODBYE_REPEATS if self._goodbyes else 0):
                for data, address in self._goodbyes:
                    self._udp.send(data, address)
                await asyncio.sleep(GOODBYE_PAUSE_S)
        finally:
            for link in tuple(self._all):
                link.discard()
            await self._udp.close()

    # What a link asks (LinkOwner)

    def send_datagram(self, data: bytes, address: SocketAddress) -> None:
        """Send it, or keep it for the goodbyes."""
        if self._goodbyes is None:
            self._udp.send(data, address)
        else:
            self._goodbyes.append((data, address))

    def id_issued(self, link: Link, connection_id: bytes) -> None:
        """Route datagrams with this id to the link."""
        self._routes[connection_id] = link

    def id_retired(self, link: Link, connection_id: bytes) -> None:
        """Stop routing this id."""
        self._routes.pop(connection_id, None)

    def link_proven(self, link: Link) -> None:
        """Decide whether a link whose other end is proven may go on.

        Raises: HelloError.
        """
        key = link.key
        if self._closing:
            raise HelloError(CloseCode.BUSY, "closing")
        existing = self._links.get(key)
        same_run = existing is not None and existing.instance == link.instance
        if link.role is Role.CLIENT:
            if same_run:
                self._attempts[link].already_up(key)
            if same_run or self._pending_outbound(link) is not None:
                raise HelloError(CloseCode.DUPLICATE, "a link to this key is there")
            self._attempts[link].chosen(link)
            return
        mine_first = self.identity.public < key
        crossing = self._pending_outbound(link)
        if crossing is None and same_run and existing is not None and existing.role is Role.CLIENT:
            crossing = existing if self._loop.time() - existing.up_at < CROSSING_S else None
        if crossing is not None and mine_first:
            raise HelloError(CloseCode.DUPLICATE, "the link that we dialled stays")
        if existing is None and not self._door.may_go_up(self._hosts[link]):
            raise HelloError(CloseCode.BUSY, "too many links")

    def link_up(self, link: Link) -> None:
        """Make this the link of its key, in place of an older one."""
        key = link.key
        host = self._hosts[link]
        if link.role is Role.SERVER:
            self._door.leave_half_open(host)
        self._door.go_up(host)
        if (existing := self._links.get(key)) is not None:
            existing.close(CloseCode.REPLACED, DownReason.REPLACED)
        self._links[key] = link
        self._call(self._on_up, key, address_of(link.address))
        for attempt in tuple(self._waiting):
            attempt.link_is_up(key, link)

    def link_message(self, link: Link, message: bytes) -> None:
        """Hand a message on."""
        self._call(self._on_message, link.key, message)

    def link_ended(self, link: Link) -> None:
        """Take a link out and say so, if it was up; report why it never was, if we dialled it."""
        host = self._hosts[link]
        if link.was_up:
            self._door.go_down(host)
            if self._links.get(link.key) is link:
                del self._links[link.key]
                self._call(self._on_down, link.key, link.down_reason)
        elif link.role is Role.SERVER:
            self._door.leave_half_open(host)
        failure = link.failure
        if failure is not None and failure.theirs is not None and self._on_other_version is not None:
            where = str(address_of(link.address))
            self._call(self._on_other_version, RemoteVersion(where, self._version, failure.theirs))
        if (attempt := self._attempts.pop(link, None)) is not None:
            attempt.link_failed(link, self._version)
            for key in attempt.crossed & self._links.keys():
                attempt.already_up(key)

    def link_gone(self, link: Link) -> None:
        """Forget its ids."""
        for connection_id in link.connection_ids:
            self._routes.pop(connection_id, None)
        link.connection_ids.clear()
        self._all.discard(link)
        self._hosts.pop(link, None)

    # Datagrams

    def _belongs(self, data: bytes) -> bool:
        """Whether the connection id of a datagram (RFC 8999) is one of ours, at a glance: a flood of others
        must not push it out.
        """
        if len(data) <= 1 + CONNECTION_ID_LENGTH:
            return False
        if data[0] & _LONG_HEADER:
            return data[6 : 6 + data[5]] in self._routes
        return data[1 : 1 + CONNECTION_ID_LENGTH] in self._routes

    def _receive(self, data: bytes, address: SocketAddress) -> None:
        try:
            header = pull_quic_header(Buffer(data=data), host_cid_length=CONNECTION_ID_LENGTH)
        except ValueError:
            self.junk += 1
            return
        link = self._routes.get(header.destination_cid)
        if link is not None:
            link.receive(data, address)
        elif (
            header.packet_type is QuicPacketType.INITIAL
            and header.version == QuicProtocolVersion.VERSION_1
            and len(data) >= MAX_DATAGRAM_SIZE
            and not self._closing
        ):
            verdict = self._door.knock(header, address, self._loop.time())
            if isinstance(verdict, bytes):
                self._udp.send(verdict, address)
            elif verdict is not None:
                self._open_door(verdict, data, address)
        else:
            self.junk += 1

    def _open_door(self, entry: Entry, data: bytes, address: SocketAddress) -> None:
        """Make a connection of a stranger's first packet."""
        quic = QuicConnection(
            configuration=self._server_configuration,
            original_destination_connection_id=entry.original,
            retry_source_connection_id=entry.retry_source,
        )
        link = self._new_link(quic, Role.SERVER, address[0], None)
        for connection_id in (entry.destination, quic.host_cid):
            link.connection_ids.add(connection_id)
            self._routes[connection_id] = link
        link.receive(data, address)

    def _dial(self, target: SocketAddress, attempt: Attempt) -> None:
        quic = QuicConnection(configuration=client_configuration())
        link = self._new_link(quic, Role.CLIENT, target[0], attempt.wants)
        link.connection_ids.add(quic.host_cid)
        self._routes[quic.host_cid] = link
        self._attempts[link] = attempt
        attempt.open.add(link)
        link.start(target)

    def _new_link(
        self, quic: QuicConnection, role: Role, host: str, expected: Callable[[bytes], bool] | None
    ) -> Link:
        hello = Hello(
            role,
            self.identity,
            self.instance,
            os.urandom(NONCE_SIZE),
            expected=expected,
            version=self._version,
        )
        certificate = self._certificate.fingerprint if role is Role.SERVER else None
        link = Link(quic, hello, self, certificate)
        self._all.add(link)
        self._hosts[link] = host
        return link

    def _pending_outbound(self, link: Link) -> Link | None:
        """Another link that we dialled to the same proven key and that awaits its Welcome."""
        return next(
            (other for other in self._attempts if other is not link and other.is_awaiting_welcome(link.key)),
            None,
        )

    def _call(self, callback: Callable[..., None], *arguments: object) -> None:
        """Call what the owner gave us: its bug is reported and must not stop the other links."""
        try:
            callback(*arguments)
        except Exception as error:
            self._loop.call_exception_handler(
                {"message": "a callback of the endpoint failed", "exception": error}
            )
