"""One UDP socket through asyncio-dgram, with bounds where the library has none, for use from callbacks.

asyncio-dgram reports an error of one datagram at a later call, and its receive queue grows without limit.
Here an error is what it would be on the wire, a lost datagram: it is counted, and the datagram that merely
met somebody else's error is sent again. Both queues are bounded: what is over the bound is dropped and
counted.

A flood must not drown what belongs to a link. So everything that has arrived is read at once, before the
kernel's buffer overflows, which drops friend and stranger alike; strangers have but a small share of our own
queue; and what has come just before is not taken again, for a recorded datagram of a link looks like that
link's. Reading and dropping a datagram costs a fraction of handling one.
"""

import asyncio
import ctypes
import errno
import socket
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from asyncio_dgram import TransportClosed
from asyncio_dgram.aio import DatagramServer, Protocol

from p2p.errors import NetworkError, NetworkReason
from p2p.net.interfaces import Address
from p2p.net.link_errors import PortTaken

SocketAddress = tuple[Any, ...]
"""As the socket module has it: (host, port) for IPv4, (host, port, flow, scope) for IPv6."""

RECEIVE_BOUND: Final = 2048
"""Datagrams waiting for us: at 1200 bytes about 2.4 MB, some 20 full congestion windows."""

STRANGERS_BOUND: Final = 128
"""With so many waiting, only what belongs to a link is still taken: handshakes need a few each, and whoever
is linked waits behind no more than this.
"""

REPEATS_BOUND: Final = 2048
"""So many of the last datagrams are known again: as many as may wait, and of the same size together."""

READ_BATCH: Final = 64
"""Datagrams read in one turn of the loop: at most a millisecond or two."""

SEND_BOUND: Final = 8192
"""Datagrams waiting to be handed to the kernel, which takes them at once unless its buffer is full."""

END_MARK: Final = (None, None)
"""What the library queues when its transport is closed."""

LARGEST_DATAGRAM: Final = 1 << 16
ERROR_BOUND: Final = 64
RECEIVE_BATCH: Final = 32
"""Datagrams handled before other tasks get a turn: about 10 ms of work."""

SEND_TRIES: Final = 4
CLOSE_GRACE_S: Final = 0.2
BUFFER_BYTES: Final = 1 << 20
"""Asked of the kernel for both directions; it may give less."""


@dataclass(slots=True)
class SocketCounters:
    """What happened to datagrams outside the transport's view. All are counts since the socket was opened."""

    received: int = 0
    sent: int = 0
    dropped_in: int = 0
    """Dropped because too many were waiting."""
    repeated: int = 0
    """Dropped because the very same datagram had come not long before."""
    dropped_out: int = 0
    errors: int = 0
    """Errors that the system reported for datagrams sent before: refused ports, unreachable networks."""


class _BoundedQueue(asyncio.Queue[Any]):
    """A queue whose `put_nowait` drops what is over the bound. The library's end mark always gets in."""

    def __init__(self, bound: int, dropped: Callable[[], None]) -> None:
        super().__init__()
        self._bound = bound
        self._dropped = dropped

    def put_nowait(self, item: Any) -> None:
        if item == END_MARK or self._has_room(item):
            super().put_nowait(item)
        else:
            self._dropped()

    def _has_room(self, _item: Any) -> bool:
        return self.qsize() < self._bound


class _Arrivals(_BoundedQueue):
    """Datagrams with their addresses: each only once, and only a few of strangers.

    No sender of QUIC makes the same datagram twice, for every packet has its own number. Networks do, and
    whoever has listened to one.
    """

    belongs: Callable[[bytes], bool] = staticmethod(lambda _data: False)
    """Whether a datagram belongs to a link, at a glance."""

    def __init__(self, bound: int, dropped: Callable[[], None], repeated: Callable[[], None]) -> None:
        super().__init__(bound, dropped)
        self._repeated = repeated
        self._taken: OrderedDict[bytes, None] = OrderedDict()
        """The last ones that were taken, the oldest first."""

    def put_nowait(self, item: Any) -> None:
        if item[0] in self._taken:
            self._repeated()
        else:
            super().put_nowait(item)

    def _put(self, item: Any) -> None:  # the queue's own hook, for what gets in
        super()._put(item)
        if item != END_MARK:
            self._taken[item[0]] = None
        if len(self._taken) > REPEATS_BOUND:
            self._taken.popitem(last=False)

    def _has_room(self, item: Any) -> bool:
        waiting = self.qsize()
        return waiting < self._bound and (waiting < STRANGERS_BOUND or self.belongs(item[0]))


class _Reader(Protocol):
    """The library's protocol; with a datagram it takes all that have arrived besides.

    The event loop reads one a turn, and a turn costs as much as several datagrams.
    """

    def __init__(self, sock: socket.socket, *queues: Any) -> None:
        super().__init__(*queues)
        self._sock = sock

    def datagram_received(self, data: bytes, addr: Any) -> None:
        super().datagram_received(data, addr)
        if sys.platform == "win32":
            return  # there a read is always under way, and has the next datagram
        for _ in range(READ_BATCH - 1):
            try:
                arrived = self._sock.recvfrom(LARGEST_DATAGRAM)
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                self.error_received(error)
                return
            super().datagram_received(*arrived)


class QuicSocket:
    """A bound UDP socket. `receive` is called for each datagram; `send` never waits."""

    def __init__(
        self, stream: DatagramServer, arrivals: _Arrivals, counters: SocketCounters, *, dual_stack: bool
    ) -> None:
        self._stream = stream
        self._arrivals = arrivals
        self.counters = counters
        self.dual_stack = dual_stack
        self.port: int = stream.sockname[1]
        self._outbox: deque[tuple[bytes, SocketAddress]] = deque()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._idle = asyncio.Event()
        self._idle.set()

    @classmethod
    async def open(cls, port: int, host: str | None = None) -> "QuicSocket":
        """Bind to `port` (0: any free one) on all addresses, IPv6 and IPv4 in one socket where the system
        has both.

        host: only this address instead of all.
        Raises: PortTaken; NetworkError when no socket can be had.
        """
        sock, dual_stack = _bind(port, host)
        counters = SocketCounters()

        def dropped_in() -> None:
            counters.dropped_in += 1

        def dropped_error() -> None:
            counters.errors += 1

        def repeated() -> None:
            counters.repeated += 1

        datagrams = _Arrivals(RECEIVE_BOUND, dropped_in, repeated)
        errors = _BoundedQueue(ERROR_BOUND, dropped_error)
        drained = asyncio.Event()
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Reader(sock, datagrams, errors, drained), sock=sock
        )
        # The library's annotations name the protocol where its code takes the transport.
        stream = DatagramServer(cast(Any, transport), datagrams, errors, drained)
        return cls(stream, datagrams, counters, dual_stack=dual_stack)

    def start(
        self,
        receive: Callable[[bytes, SocketAddress], None],
        belongs: Callable[[bytes], bool] = _Arrivals.belongs,
    ) -> None:
        """Begin to call `receive` for each datagram, and to send.

        belongs: whether a datagram belongs to a link, so that it goes before those of strangers in a flood;
        called when it arrives, so it has to be quick.
        """
        self._arrivals.belongs = belongs
        self._tasks = [
            asyncio.create_task(self._receive_all(receive), name="udp receive"),
            asyncio.create_task(self._send_all(), name="udp send"),
        ]

    def send(self, data: bytes, address: SocketAddress) -> None:
        """Queue a datagram. Never fails: what cannot be sent is lost, as datagrams are."""
        if len(self._outbox) >= SEND_BOUND:
            self.counters.dropped_out += 1
            return
        self._outbox.append((data, address))
        self._idle.clear()
        self._wake.set()

    async def close(self) -> None:
        """Hand what is queued to the kernel, for a short time, then close; also if cancelled."""
        try:
            async with asyncio.timeout(CLOSE_GRACE_S):
                await self._idle.wait()
        except TimeoutError:
            self.counters.dropped_out += len(self._outbox)
        finally:
            for task in self._tasks:
                task.cancel()
            self._stream.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # The transport closes its file descriptor in the next turn of the loop.
        await asyncio.sleep(0)

    async def _receive_all(self, receive: Callable[[bytes, SocketAddress], None]) -> None:
        handled = 0
        while True:
            try:
                data, address = await self._stream.recv()
            except TransportClosed:
                return
            except OSError:
                self.counters.errors += 1
                continue
            self.counters.received += 1
            try:
                receive(data, cast(SocketAddress, address))
            except Exception as error:  # whatever one datagram does, the next ones must be read
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "handling a datagram failed", "exception": error}
                )
            handled += 1
            if handled >= RECEIVE_BATCH:
                # A queue that is never empty would keep every other task from running.
                handled = 0
                await asyncio.sleep(0)

    async def _send_all(self) -> None:
        while True:
            while self._outbox:
                data, address = self._outbox.popleft()
                await self._send_one(data, address)
            self._idle.set()
            self._wake.clear()
            await self._wake.wait()

    async def _send_one(self, data: bytes, address: SocketAddress) -> None:
        for _ in range(SEND_TRIES):
            try:
                await self._stream.send(data, address)
            except TransportClosed:
                self.counters.dropped_out += 1
                return
            except OSError:
                # Some earlier datagram's error; this one has not been sent yet.
                self.counters.errors += 1
            else:
                self.counters.sent += 1
                return
        self.counters.dropped_out += 1


def address_of(address: SocketAddress) -> Address:
    """A socket address as an Address: IPv4 taken out of its IPv6 mapping, the scope as a number."""
    host, port = address[0], address[1]
    scope = address[3] if len(address) > 3 else 0
    return Address(host.removeprefix("::ffff:") if "." in host else host, port, scope)


def _bind(port: int, host: str | None) -> tuple[socket.socket, bool]:
    """A bound non-blocking socket, and whether it serves IPv6 and IPv4 at once."""
    choices: list[tuple[socket.AddressFamily, str, bool]]
    if host is not None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        choices = [(family, host, False)]
    else:
        choices = [(socket.AF_INET6, "::", True), (socket.AF_INET, "0.0.0.0", False)]  # noqa: S104 - peers must reach us
    failure: OSError | None = None
    for family, address, dual_stack in choices:
        try:
            return _bound_socket(family, address, port, dual_stack=dual_stack), dual_stack
        except OSError as error:
            if error.errno in {errno.EADDRINUSE, errno.EACCES}:
                raise PortTaken(port, error.strerror or "") from error
            failure = error
    detail = (failure.strerror or "") if failure is not None else ""
    raise NetworkError(NetworkReason.NO_NETWORK, str(port), detail) from failure


def _bound_socket(
    family: socket.AddressFamily, address: str, port: int, *, dual_stack: bool
) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        if sys.platform == "win32":
            _report_no_refusals(sock)
        if dual_stack:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            sock.setsockopt(socket.SOL_SOCKET, option, BUFFER_BYTES)
        sock.setblocking(False)
        sock.bind((address, port))
    except OSError:
        sock.close()
        raise
    return sock


if sys.platform == "win32":
    _SIO_UDP_CONNRESET: Final = 0x9800000C

    def _report_no_refusals(sock: socket.socket) -> None:
        """Switch off that a datagram to a port where nobody listens any more fails a later receive: before
        Python 3.11.9 the event loop of Windows then stops reading, and one peer that quits would make the
        others deaf. Where it cannot be switched off nothing changes.
        """
        off, answered = ctypes.c_ulong(0), ctypes.c_ulong(0)
        ctypes.windll.ws2_32.WSAIoctl(
            ctypes.c_size_t(sock.fileno()),
            ctypes.c_ulong(_SIO_UDP_CONNRESET),
            ctypes.byref(off),
            ctypes.c_ulong(ctypes.sizeof(off)),
            None,
            ctypes.c_ulong(0),
            ctypes.byref(answered),
            None,
            None,
        )
