"""A local network that misbehaves: namespaces around a switch that is a thread of the test.

The kernel's own means (netem, a random drop of a firewall) need modules and tools that few machines have;
TAP interfaces need neither. Every frame passes through `Switch`, which loses, doubles, delays and reorders
as told, and measures what passes.
"""

import errno
import fcntl
import heapq
import itertools
import os
import random
import selectors
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import lan
from lan import Lan, ip

TUN = Path("/dev/net/tun")
SET_INTERFACE = 0x400454CA
TAP_WITHOUT_HEADER = 0x1002
FRAME_LIMIT = 65_536

MULTICAST_DNS_PORT = 5353
LONGEST_LATENESS_S = 0.03
"""How much later than its followers a reordered frame is: some 30 round trips."""


@dataclass(frozen=True)
class Weather:
    """What happens to a frame on its one way through the switch; shares are from 0 to 1."""

    lost: float = 0.0
    doubled: float = 0.0
    reordered: float = 0.0
    multicast_dropped: bool = False
    """Multicast over UDP only: without that of ICMPv6 no address would be resolved."""
    multicast_late_s: float = 0.0


FINE = Weather()


@dataclass
class Port:
    """One socket of the switch. cut: nothing passes, though both sides believe that the cable is in."""

    file: int
    cut: bool = False


class Switch(threading.Thread):
    """Forwards frames between TAP interfaces. Counts are since the start."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(name="switch", daemon=True)
        self.weather = FINE
        self.frames = 0
        self.lost = 0
        self.fragments = 0
        self.largest_payload = 0
        """Of all UDP datagrams, in bytes."""
        self._chance = random.Random(seed)
        self._ports: dict[int, Port] = {}
        self._homes: dict[bytes, int] = {}
        self._late: list[tuple[float, int, int, bytes]] = []
        self._numbers = itertools.count()
        self._selector = selectors.DefaultSelector()
        self._wake_out, self._wake_in = os.pipe()
        self._selector.register(self._wake_out, selectors.EVENT_READ)
        self._ended = False

    def add(self, interface: str) -> Port:
        """Make a TAP interface of this name, whose other end is a port of the switch."""
        file = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(file, SET_INTERFACE, struct.pack("16sH22x", interface.encode(), TAP_WITHOUT_HEADER))
        port = self._ports[file] = Port(file)
        self._selector.register(file, selectors.EVENT_READ)
        os.write(self._wake_in, b"!")
        return port

    def end(self) -> None:
        """End the thread and take all interfaces away."""
        self._ended = True
        os.write(self._wake_in, b"!")
        self.join(10)
        self._selector.close()
        for file in [*self._ports, self._wake_out, self._wake_in]:
            os.close(file)

    def run(self) -> None:
        while not self._ended:
            wait = max(0.0, self._late[0][0] - time.monotonic()) if self._late else None
            for ready, _ in self._selector.select(wait):
                if ready.fd == self._wake_out:
                    os.read(self._wake_out, 64)
                else:
                    self._read(ready.fd)
            while self._late and self._late[0][0] <= time.monotonic():
                _, _, file, frame = heapq.heappop(self._late)
                self._write(file, frame)

    def _read(self, file: int) -> None:
        try:
            frame = os.read(file, FRAME_LIMIT)
        except BlockingIOError:
            return
        except OSError as error:
            # EIO: the interface is down. EBADFD: it was removed, and this end can only be closed.
            if error.errno == errno.EBADFD:
                self._selector.unregister(file)
            return
        if self._ports[file].cut:
            return
        self.frames += 1
        self._measure(frame)
        target, source = frame[:6], frame[6:12]
        self._homes[source] = file
        home = self._homes.get(target)
        for other in tuple(self._ports) if home is None else (home,):
            if other != file:
                self._forward(other, frame)

    def _forward(self, file: int, frame: bytes) -> None:
        weather, chance = self.weather, self._chance
        multicast = bool(frame[0] & 1) and _udp(frame) is not None
        if (multicast and weather.multicast_dropped) or chance.random() < weather.lost:
            self.lost += 1
            return
        for _ in range(2 if chance.random() < weather.doubled else 1):
            late_s = weather.multicast_late_s if multicast else 0.0
            if chance.random() < weather.reordered:
                late_s += chance.uniform(0.001, LONGEST_LATENESS_S)
            if late_s:
                heapq.heappush(self._late, (time.monotonic() + late_s, next(self._numbers), file, frame))
            else:
                self._write(file, frame)

    def _write(self, file: int, frame: bytes) -> None:
        if not self._ports[file].cut:
            with suppress(OSError):  # the interface is down, removed or full: frames are lost so
                os.write(file, frame)

    def _measure(self, frame: bytes) -> None:
        if frame[12:14] == b"\x08\x00" and int.from_bytes(frame[20:22]) & 0x3FFF:
            self.fragments += 1
        if (udp := _udp(frame)) is not None:
            self.largest_payload = max(self.largest_payload, int.from_bytes(udp[4:6]) - 8)


def _udp(frame: bytes) -> bytes | None:
    """The UDP datagram in a frame, its header first; None if it holds none. IPv6 without extensions."""
    if frame[12:14] == b"\x08\x00" and frame[23] == 17:
        return frame[14 + 4 * (frame[14] & 15) :]
    if frame[12:14] == b"\x86\xdd" and frame[20] == 17:
        return frame[54:]
    return None


def why_not() -> str | None:
    """Why there can be no such network here, or None."""
    if lan.REASON is not None:
        return lan.REASON
    try:
        os.close(os.open(TUN, os.O_RDWR))
    except OSError as error:
        return f"{TUN} cannot be opened: {error.strerror}"
    return None


REASON = why_not()
"""Why there can be no such network here, or None."""


class BadLan(Lan):
    """Namespaces, each plugged into the switch by a TAP interface of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.switch = Switch()
        self.ports: dict[tuple[str, str], Port] = {}

    def plug(self, name: str, *addresses: str, mtu: int = 1500, interface: str = "eth0") -> None:
        tap = f"{self.tag}t{len(self.ports)}"
        self.ports[name, interface] = self.switch.add(tap)
        ip("link", "set", tap, "netns", name, "name", interface)
        self.set_up(name, *addresses, mtu=mtu, interface=interface)

    def cut(self, name: str, interface: str = "eth0", *, cut: bool = True) -> None:
        """Let nothing pass to and from a host, or let it pass again."""
        self.ports[name, interface].cut = cut


@contextmanager
def bad_lan(weather: Weather = FINE) -> Iterator[BadLan]:
    """A switch with nothing on it yet."""
    net = BadLan()
    net.switch.weather = weather
    net.switch.start()
    try:
        yield net
    finally:
        net.remove_machines()
        net.switch.end()
