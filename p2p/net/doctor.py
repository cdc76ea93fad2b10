"""What works on this machine's network, found by trying: multicast on each interface, and two sockets of ours
that have to find each other.

On each interface a question about our own service is sent to the group of multicast DNS (RFC 6762), as the
discovery sends it, and what comes to the group there is counted for a while: the own question, which the
system hands back, and datagrams of others. Then two announcers in this process, each with sockets of its own,
have to find each other, and two endpoints to link. Nothing that is kept is used, so no identity, name or
address of others is in what is found.
"""

import asyncio
import os
import platform
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from crypto import Identity, fingerprint
from p2p.errors import P2PError
from p2p.net.discovery import LOOPBACK, Discovery, DiscoveryProblem
from p2p.net.discovery_record import SERVICE_TYPE, Hints, PeerRecord
from p2p.net.endpoint import Endpoint
from p2p.net.interfaces import Address, InterfaceAddress, local_addresses

GROUP_V4: Final = "224.0.0.251"
GROUP_V6: Final = "ff02::fb"
PORT: Final = 5353
ASK_AGAIN_S: Final = 1.0
"""Others answer a question at once, but one datagram may be lost."""
LINK_LIMIT_S: Final = 10.0
_MOST_BYTES: Final = 9000
_ALL_GROUPS: Final = 49
"""Linux: IP_MULTICAST_ALL, which the socket module does not name."""
_TUNNELS: Final = ("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "proton")


@dataclass(frozen=True, slots=True)
class InterfaceReport:
    """One interface and family. name: of the interface. addresses: this machine's there. sent: questions that
    left. echoed: own questions that came back. heard: datagrams of other machines. others: from how many
    addresses. fault: why nothing could be tried, a system's word; "" if it could. tunnel: its name is one
    that VPNs use.
    """

    name: str
    addresses: tuple[str, ...]
    sent: int = 0
    echoed: int = 0
    heard: int = 0
    others: int = 0
    fault: str = ""
    tunnel: bool = False

    @property
    def loopback(self) -> bool:
        """Whether only this machine is on it."""
        return LOOPBACK in self.addresses


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found. found_s: after how long the second announcer was found; None: not at all. linked_s:
    how long a link between two endpoints of this machine took; None: none came about. problem: what the
    discovery itself says. versions: of this program and what it stands on.
    """

    interfaces: tuple[InterfaceReport, ...]
    found_s: float | None
    linked_s: float | None
    problem: DiscoveryProblem | None = None
    versions: tuple[tuple[str, str], ...] = ()


async def examine_network(seconds: float, interface: str | None = None) -> Findings:
    """Try everything for so many seconds. interface: a name or address, to look at no other (but loopback).

    Raises: BadAddress when the machine has no such interface.
    """
    addresses = local_addresses(interface)
    echoes = asyncio.gather(*(_listen(of, seconds) for of in _by_interface(addresses)))
    found_s, problem = await _find_each_other(seconds, interface)
    linked_s = await _link()
    return Findings(tuple(await echoes), found_s, linked_s, problem, _versions())


def _by_interface(addresses: tuple[InterfaceAddress, ...]) -> list[tuple[InterfaceAddress, ...]]:
    groups: dict[tuple[str, bool], list[InterfaceAddress]] = {}
    for address in addresses:
        if address.is_loopback and address.host != LOOPBACK:
            continue  # ::1 carries no multicast
        groups.setdefault((address.interface, address.is_ipv6), []).append(address)
    return [tuple(group) for _, group in sorted(groups.items())]


def _versions() -> tuple[tuple[str, str], ...]:
    libraries = ("verish", "aioquic", "cryptography", "textual", "zeroconf")
    found = [(name, version(name)) for name in libraries]
    return (*found, ("python", platform.python_version()), ("system", platform.platform()))


async def _listen(own: tuple[InterfaceAddress, ...], seconds: float) -> InterfaceReport:
    """Ask on one interface, and count what comes to the group there."""
    name, hosts = own[0].interface, tuple(address.host for address in own)
    tunnel = name.lower().startswith(_TUNNELS)
    loop, heard = asyncio.get_running_loop(), list[str]()
    sent = 0
    try:
        with _group_socket(own[0]) as sock:
            loop.add_reader(sock, _count, sock, heard)
            try:
                end = loop.time() + seconds
                while (left := end - loop.time()) > 0:
                    with suppress(BlockingIOError):
                        sock.sendto(question(), _group(own[0]))
                        sent += 1
                    # How long to listen is the person's wish.
                    await asyncio.sleep(min(left, ASK_AGAIN_S))
            finally:
                loop.remove_reader(sock)
    except OSError as error:
        return InterfaceReport(name, hosts, sent, fault=error.strerror or type(error).__name__, tunnel=tunnel)
    others = [host for host in heard if host not in hosts]
    return InterfaceReport(
        name, hosts, sent, len(heard) - len(others), len(others), len(set(others)), tunnel=tunnel
    )


def _count(sock: socket.socket, heard: list[str]) -> None:
    with suppress(OSError):
        _, sender = sock.recvfrom(_MOST_BYTES)
        heard.append(str(sender[0]).partition("%")[0])


def question() -> bytes:
    """Who offers our service? One question in the form of RFC 1035, section 4.1: type PTR, class IN."""
    labels = SERVICE_TYPE.rstrip(".").split(".")
    name = b"".join(bytes([len(label)]) + label.encode("ascii") for label in labels) + b"\0"
    return struct.pack("!6H", 0, 0, 1, 0, 0, 0) + name + struct.pack("!2H", 12, 1)


def _group(own: InterfaceAddress) -> tuple[str, int] | tuple[str, int, int, int]:
    return (GROUP_V6, PORT, 0, own.index) if own.is_ipv6 else (GROUP_V4, PORT)


@contextmanager
def _group_socket(own: InterfaceAddress) -> Iterator[socket.socket]:
    """A socket that hears the group on one interface alone, and sends to it there. Raises: OSError."""
    with ExitStack() as stack:
        family = socket.AF_INET6 if own.is_ipv6 else socket.AF_INET
        sock = stack.enter_context(socket.socket(family, socket.SOCK_DGRAM))
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if own.is_ipv6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind(("", PORT))
            index = struct.pack("@I", own.index)
            member = socket.inet_pton(socket.AF_INET6, GROUP_V6) + index
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
        else:
            if sys.platform == "linux":
                # Only what this socket has joined, not what any socket of this machine has.
                sock.setsockopt(socket.IPPROTO_IP, _ALL_GROUPS, 0)
            sock.bind(("", PORT))
            at = socket.inet_aton(own.host)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP_V4) + at)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, at)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        yield sock


async def _find_each_other(
    seconds: float, interface: str | None
) -> tuple[float | None, DiscoveryProblem | None]:
    """Two announcers of this process: after how long the one found the other, and what is wrong if not."""
    loop = asyncio.get_running_loop()
    keys = [fingerprint(Identity.generate(os.urandom).public) for _ in range(2)]
    found = loop.create_future()

    def heard(record: PeerRecord) -> None:
        if record.fingerprint == keys[1] and not found.done():
            found.set_result(loop.time())

    hints = Hints(0, "doctor")
    looking, shown = (
        Discovery(key, 1 + number, hints, interface=interface, on_found=listener, on_lost=lambda _: None)
        for number, (key, listener) in enumerate(zip(keys, (heard, lambda _: None), strict=True))
    )
    started = loop.time()
    try:
        await asyncio.gather(looking.start(), shown.start())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await found - started, looking.problem
        return None, looking.problem
    finally:
        await asyncio.gather(looking.stop(), shown.stop())


async def _link() -> float | None:
    """How long a link between two endpoints over loopback takes; None if there is none."""
    loop = asyncio.get_running_loop()
    identities = [Identity.generate(os.urandom) for _ in range(2)]
    started = loop.time()
    endpoints: list[Endpoint] = []
    try:
        async with asyncio.timeout(LINK_LIMIT_S):
            for identity in identities:
                endpoints.append(await Endpoint.open(
                    identity, on_up=lambda *_: None, on_message=lambda *_: None, on_down=lambda *_: None
                ))  # fmt: skip
            one, other = endpoints
            await one.connect([Address(LOOPBACK, other.port)], identities[1].public)
            return loop.time() - started
    except (P2PError, OSError, TimeoutError):
        return None
    finally:
        await asyncio.gather(*(endpoint.close(0.0) for endpoint in endpoints))
