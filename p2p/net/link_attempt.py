"""One attempt to reach a peer: many addresses, one result."""

import asyncio
import socket
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from crypto import fingerprint
from p2p.errors import NetworkError
from p2p.net.interfaces import Address, canonical_host, dialled
from p2p.net.link import Link
from p2p.net.link_errors import (
    BadAddress,
    CloseCode,
    HelloRefused,
    OwnKey,
    RemoteVersion,
    Unreachable,
    WrongKey,
)
from p2p.net.quic_socket import SocketAddress, address_of

RESOLVE_TIMEOUT_S: Final = 3.0
ADDRESS_LIMIT: Final = 24
"""Addresses tried for one peer. A machine with more of them has some in common with us among the first."""

_WORTH = (RemoteVersion, WrongKey, HelloRefused, OwnKey, Unreachable)
"""Which failure tells a person most, when the addresses failed in different ways."""


class Attempt:
    """Dials some addresses at once. The first whose other end proves a wanted key is chosen, the others are
    dropped.
    """

    def __init__(self, targets: tuple[SocketAddress, ...], expect: bytes | str | None) -> None:
        self.open: set[Link] = set()
        self._expect = expect
        self._subject = ", ".join(str(address_of(target)) for target in targets[:3])
        self._failures: list[NetworkError] = []
        self.crossed: set[bytes] = set()
        """Keys that refused our link because they have, or are making, one to us."""
        self.result: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        """The key of the link that came up, or the NetworkError that tells most about why none did."""
        self._settled = asyncio.Event()
        self._dialling = True

    def wants(self, key: bytes) -> bool:
        """Whether a proven key is one that we look for."""
        match self._expect:
            case None:
                return True
            case str() as text:
                return fingerprint(key) == text
            case expected:
                return key == expected

    async def settles_within(self, time_s: float) -> bool:
        """Wait so long for a proven other end, or for the end of the attempt; whether either came."""
        with suppress(TimeoutError):
            async with asyncio.timeout(time_s):
                await self._settled.wait()
        return self._settled.is_set()

    def all_dialled(self) -> None:
        """No further address will be tried."""
        self._dialling = False
        self._fail_if_hopeless()

    def chosen(self, link: Link) -> None:
        """This link's other end is proven: drop the other addresses."""
        self._settled.set()
        others, self.open = self.open - {link}, {link}
        for other in others:
            other.close(CloseCode.DUPLICATE)

    def link_is_up(self, key: bytes, link: Link) -> None:
        """Some link is up: ours, or one that the peer made while we dialled."""
        if link in self.open or key in self.crossed or (self._expect is not None and self.wants(key)):
            self.open.discard(link)
            self._finish(key)

    def link_failed(self, link: Link, our_version: int) -> None:
        """One of our links ended before it was up (or after, which does not matter here)."""
        self.open.discard(link)
        if self.result.done():
            return
        failure = link.failure
        code = failure.code if failure is not None else CloseCode.TIMEOUT
        where = self._subject
        remote = link.hello.remote
        match code:
            case CloseCode.DUPLICATE if remote is not None:
                # The peer's own link to us is up or about to be: `link_is_up` or the time limit ends the
                # wait.
                self.crossed.add(remote.key)
                self._settled.set()
                return
            case CloseCode.OTHER_VERSION if failure is not None and failure.theirs is not None:
                error: NetworkError = RemoteVersion(where, our_version, failure.theirs)
            case CloseCode.WRONG_KEY:
                error = WrongKey(where)
            case CloseCode.OWN_KEY:
                error = OwnKey(where)
            case CloseCode.BAD_HELLO:
                error = HelloRefused(where, str(failure))
            case _:
                error = Unreachable(where, str(failure))
        self._failures.append(error)
        self._fail_if_hopeless()

    def already_up(self, key: bytes) -> None:
        """We found out, by its proof, that the peer at the address has a link with us."""
        self._finish(key)

    def _finish(self, key: bytes) -> None:
        self._settled.set()
        if not self.result.done():
            self.result.set_result(key)

    def _fail_if_hopeless(self) -> None:
        if not (self._dialling or self.open or self.crossed or self.result.done()):
            self.result.set_exception(self.best_failure())

    def best_failure(self) -> NetworkError:
        """Of all that went wrong, what tells a person most."""
        return min(
            self._failures or [Unreachable(self._subject, "nobody answered")],
            key=lambda error: _WORTH.index(type(error)),
        )


async def resolve(addresses: Iterable[Address], *, dual_stack: bool) -> tuple[SocketAddress, ...]:
    """Socket addresses to dial, as our socket spells them: names looked up, missing scopes filled in.

    Raises: BadAddress when a name has no address; Unreachable when nothing is left that our socket could
    dial.
    """
    targets: dict[SocketAddress, None] = {}
    for address in addresses:
        for numeric in await _numeric(address):
            try:
                ways = dialled(numeric)
            except OSError as error:
                raise Unreachable(str(address), f"the interfaces cannot be seen: {error.strerror}") from error
            for way in ways:
                if dual_stack or ":" not in way.host:
                    targets[_spelled(way, dual_stack=dual_stack)] = None
    if not targets:
        raise Unreachable("", "no address that this machine could reach")
    return tuple(targets)[:ADDRESS_LIMIT]


def _spelled(address: Address, *, dual_stack: bool) -> SocketAddress:
    """Exactly as recvfrom will spell the answer's source: QUIC compares the two."""
    host = canonical_host(address.host)
    if not dual_stack:
        return host, address.port
    return (host if ":" in host else f"::ffff:{host}"), address.port, 0, address.scope


async def _numeric(address: Address) -> list[Address]:
    try:
        return [Address(canonical_host(address.host), address.port, address.scope)]
    except OSError:
        pass
    try:
        async with asyncio.timeout(RESOLVE_TIMEOUT_S):
            found = await _looked_up(address.host, address.port)
    except (OSError, UnicodeError, TimeoutError) as error:
        raise BadAddress(str(address), "no computer of this name was found") from error
    numeric = []
    for *_, place in found:
        host, port = place[0], place[1]
        scope = place[3] if len(place) > 3 else 0
        numeric.append(Address(canonical_host(str(host)), int(port), int(scope)))
    return numeric


async def _looked_up(host: str, port: int) -> list[tuple[Any, ...]]:
    """What the system's resolver says, which may take its time: in a thread that does not keep the program
    from ending, as one of the loop's own would.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[tuple[Any, ...]]] = loop.create_future()

    def settle(found: list[tuple[Any, ...]] | None, error: Exception | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found or [])

    def look_up() -> None:
        found, failure = None, None
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
        except (OSError, UnicodeError) as error:
            failure = error
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, found, failure)

    threading.Thread(target=look_up, name="verish-resolve", daemon=True).start()
    return await answer
