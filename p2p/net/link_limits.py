"""Bounds on what peers and strangers may cost us: rates of a link, half-open connections, links of one
address.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

RETRY_ABOVE: Final = 4
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


class TokenBucket:
    """Allows `rate` units a second on average and `burst` at once."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Whether `amount` units are allowed now; if so they are used up."""
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if amount > self._level:
            return False
        self._level -= amount
        return True


@dataclass(slots=True)
class Admission:
    """Counts inbound connections that are not up yet, and links that are, by host."""

    half_open: Counter[str] = field(default_factory=Counter)
    up: Counter[str] = field(default_factory=Counter)

    @property
    def must_retry(self) -> bool:
        """Whether a stranger has to prove its address first."""
        return self.half_open.total() >= RETRY_ABOVE

    def may_open(self, host: str) -> bool:
        """Whether one more connection from this host may begin its handshake."""
        return self.half_open.total() < HALF_OPEN_LIMIT and self.half_open[host] < HALF_OPEN_PER_HOST

    def may_go_up(self, host: str) -> bool:
        """Whether one more link with this host may be up."""
        return self.up.total() < LINK_LIMIT and self.up[host] < LINKS_PER_HOST

    @staticmethod
    def release(counter: Counter[str], host: str) -> None:
        """Take one off, forgetting hosts with none: the table holds no more names than there are
        connections.
        """
        counter[host] -= 1
        if counter[host] <= 0:
            del counter[host]
