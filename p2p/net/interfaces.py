"""Addresses: the ones this machine has, interface by interface, and the ones a person types."""

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final

import ifaddr

from p2p.net.link_errors import BadAddress

HOST_LIMIT: Final = 253
"""The longest host name that the DNS allows."""

_PORT = re.compile(r"[0-9]{1,5}")
_HOST = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?")


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Where a peer may be reached. host: an IP address without scope, or a name. port: UDP. scope: the
    index of our interface that a link-local IPv6 address belongs to, or 0.
    """

    host: str
    port: int
    scope: int = 0

    def __str__(self) -> str:
        if ":" not in self.host:
            return f"{self.host}:{self.port}"
        scope = f"%{_interface_name(self.scope)}" if self.scope else ""
        return f"[{self.host}{scope}]:{self.port}"


@dataclass(frozen=True, slots=True, order=True)
class InterfaceAddress:
    """One address of this machine. interface: the name of the interface. index: its number, which changes
    when it is removed and comes back. host: the address, without scope.
    """

    interface: str
    index: int
    host: str

    @property
    def is_ipv6(self) -> bool:
        """Whether it is an IPv6 address."""
        return ":" in self.host

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def is_link_local(self) -> bool:
        """Whether it means something only together with an interface (fe80::, 169.254.)."""
        return ipaddress.ip_address(self.host).is_link_local

    def at(self, port: int) -> Address:
        """This address with a port, as our own socket would dial it."""
        return Address(self.host, port, self.index if self.is_ipv6 and self.is_link_local else 0)


def local_addresses(interface: str | None = None) -> tuple[InterfaceAddress, ...]:
    """Every address of this machine, sorted; of one interface only when asked for, loopback always included.

    interface: a name such as `eth0`, or one of this machine's addresses. Loopback stays in, because peers
    on one machine talk over it whatever network the others are on. Raises: BadAddress when the machine has
    no such interface.
    """
    found = _scan()
    if interface is None:
        return found
    chosen = {address.interface for address in found if interface in (address.interface, address.host)}
    if not chosen:
        raise BadAddress(interface, "no such interface")
    return tuple(address for address in found if address.interface in chosen or address.is_loopback)


def interface_names(interface: str | None = None) -> tuple[str, ...]:
    """The names of the interfaces that lead to other machines, sorted; none while a chosen one is gone."""
    try:
        found = local_addresses(interface)
    except BadAddress:
        return ()
    return tuple(sorted({address.interface for address in found if not address.is_loopback}))


def can_bind(address: InterfaceAddress) -> bool:
    """Whether a socket can be bound to the address now: not while it is tentative, nor once it is gone."""
    family = socket.AF_INET6 if address.is_ipv6 else socket.AF_INET
    place = (address.host, 0, 0, address.index) if address.is_ipv6 else (address.host, 0)
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        try:
            sock.bind(place)
        except OSError:
            return False
    return True


def has_network(addresses: tuple[InterfaceAddress, ...]) -> bool:
    """Whether anything but loopback is there."""
    return any(not address.is_loopback for address in addresses)


def parse_address(text: str) -> Address:
    """Read `HOST:PORT`, `1.2.3.4:PORT`, `[v6]:PORT` or `[v6%scope]:PORT`; scope: an interface's name or
    number.

    Raises: BadAddress.
    """
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        if not bracket or colon != ":" or ":" not in host:
            raise BadAddress(text, "not [ADDRESS]:PORT")
    else:
        host, _, port = text.rpartition(":")
        if ":" in host:
            raise BadAddress(text, "an IPv6 address goes into brackets: [ADDRESS]:PORT")
    host, scope = _parse_host(host, text)
    return Address(host, _parse_port(port, text), scope)


def dialled(address: Address) -> tuple[Address, ...]:
    """The ways to dial an address: a link-local one without scope is tried on each of our interfaces."""
    if not needs_scope(address):
        return (address,)
    indexes = sorted({own.index for own in _scan() if own.is_ipv6 and own.is_link_local})
    return tuple(Address(address.host, address.port, index) for index in indexes)


def needs_scope(address: Address) -> bool:
    """Whether this is a link-local IPv6 address that does not say on which link."""
    return ":" in address.host and not address.scope and ipaddress.ip_address(address.host).is_link_local


def _parse_port(port: str, text: str) -> int:
    if not _PORT.fullmatch(port) or not 1 <= int(port) <= 65535:
        raise BadAddress(text, "the port is a number from 1 to 65535")
    return int(port)


def _parse_host(host: str, text: str) -> tuple[str, int]:
    host, percent, scope_text = host.partition("%")
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        # All digits and dots can only be a mistyped address: no resolver should be asked for "192.168.1".
        if percent or len(host) > HOST_LIMIT or not _HOST.fullmatch(host) or not re.search("[A-Za-z_]", host):
            raise BadAddress(text, "neither an address nor the name of a computer") from None
        return host, 0
    if percent and not (parsed.version == 6 and parsed.is_link_local):
        raise BadAddress(text, "only a link-local IPv6 address has a scope")
    return canonical_host(host), _parse_scope(scope_text, text) if percent else 0


def _parse_scope(scope: str, text: str) -> int:
    for own in _scan():
        if scope in (own.interface, str(own.index)):
            return own.index
    raise BadAddress(text, "no such interface")


def canonical_host(host: str) -> str:
    """An IP address in the spelling that the socket module uses, without scope."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.inet_ntop(family, socket.inet_pton(family, host.partition("%")[0]))


def _interface_name(index: int) -> str:
    try:
        return socket.if_indextoname(index)
    except OSError:
        return str(index)


def _scan() -> tuple[InterfaceAddress, ...]:
    found = set()
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.add(InterfaceAddress(adapter.name, adapter.index or 0, canonical_host(host)))
    return tuple(sorted(found))
