"""Who may begin a handshake with us: Retry tokens against forged addresses, bounds against floods.

A stranger's first packet costs us about a millisecond of work and some memory. As long as few handshakes
are under way everybody gets that. Above, a stranger has to send our token back first, which shows that its
address is its own, and then the bounds for one address hold.
"""

import os
from collections import Counter
from dataclasses import dataclass
from typing import Final

from aioquic.quic.packet import QuicHeader, QuicProtocolVersion, encode_quic_retry
from aioquic.quic.retry import QuicRetryTokenHandler

from p2p.net.quic_socket import SocketAddress, SocketCounters
from p2p.net.quic_tls import CONNECTION_ID_LENGTH

RETRY_FROM: Final = 4
"""Half-open connections from which on a stranger must first show that its address is its own (QUIC Retry).
A first packet costs us about a millisecond; the answer to it without a connection, a twentieth.
"""

HALF_OPEN_LIMIT: Final = 32
"""Connections whose hello is not done. More are not answered."""

HALF_OPEN_PER_HOST: Final = 8
"""Of one address: a family of peers on one machine starts six at once."""

LINK_LIMIT: Final = 64
"""Links that are up: far more people than one lobby shows."""

LINKS_PER_HOST: Final = 24


@dataclass(frozen=True, slots=True)
class Entry:
    """A stranger that may begin. destination: the connection id of its packet. original: that of its very
    first packet. retry_source: the id that our Retry gave, if it had one.
    """

    destination: bytes
    original: bytes
    retry_source: bytes | None


@dataclass(frozen=True, slots=True)
class Counters:
    """Datagrams by what became of them. junk: belonged to no link and opened none. retried: first packets
    answered with a demand to prove the address. refused: first packets not answered, too many handshakes
    being under way.
    """

    junk: int
    retried: int
    refused: int
    socket: SocketCounters


class Door:
    """Counts inbound handshakes and links by host, and decides about first packets."""

    def __init__(self) -> None:
        self.retried = 0
        self.refused = 0
        self._tokens = QuicRetryTokenHandler()
        self._half_open: Counter[str] = Counter()
        self._up: Counter[str] = Counter()

    def knock(self, header: QuicHeader, address: SocketAddress, now: float) -> Entry | bytes | None:
        """Judge a first packet: an Entry (counted as half open from now on), a Retry packet to answer with,
        or nothing.
        """
        original, retry_source = header.destination_cid, None
        if header.token:
            try:
                original = self._tokens.validate_token(
                    address=address, destination_cid=header.destination_cid, token=header.token, now=now
                )
            except ValueError:
                self.refused += 1
                return None
            retry_source = header.destination_cid
        elif self._half_open.total() >= RETRY_FROM:
            return self._retry_packet(header, address, now)
        host = address[0]
        if self._half_open.total() >= HALF_OPEN_LIMIT or self._half_open[host] >= HALF_OPEN_PER_HOST:
            self.refused += 1
            return None
        self._half_open[host] += 1
        return Entry(header.destination_cid, original, retry_source)

    def may_go_up(self, host: str) -> bool:
        """Whether one more link with this host may be up."""
        return self._up.total() < LINK_LIMIT and self._up[host] < LINKS_PER_HOST

    def go_up(self, host: str) -> None:
        """A link with this host is up."""
        self._up[host] += 1

    def go_down(self, host: str) -> None:
        """A link with this host was up and is no more."""
        _take_off(self._up, host)

    def leave_half_open(self, host: str) -> None:
        """An inbound handshake from this host is over, well or badly."""
        _take_off(self._half_open, host)

    def _retry_packet(self, header: QuicHeader, address: SocketAddress, now: float) -> bytes:
        self.retried += 1
        retry_source = os.urandom(CONNECTION_ID_LENGTH)
        token = self._tokens.create_token(
            address=address,
            original_destination_connection_id=header.destination_cid,
            retry_source_connection_id=retry_source,
            now=now,
        )
        return encode_quic_retry(
            version=QuicProtocolVersion.VERSION_1,
            source_cid=retry_source,
            destination_cid=header.source_cid,
            original_destination_cid=header.destination_cid,
            retry_token=token,
        )


def _take_off(counter: Counter[str], host: str) -> None:
    """Take one off, forgetting hosts with none: the table holds no more names than there are connections."""
    counter[host] -= 1
    if counter[host] <= 0:
        del counter[host]
