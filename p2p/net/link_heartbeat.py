"""The pings of a link: they keep it open, and tell a peer that does not hear us."""

import asyncio
from collections.abc import Callable
from typing import Final

PING_INTERVAL_S: Final = 1.0
"""QUIC sends nothing by itself on an idle connection."""

PING_LIMIT_S: Final = 2.9
"""A ping unanswered for so long means that the peer does not hear us, even if we hear it. Checked at each
interval: 1 + 2.9, rounded up to a whole interval, keeps the promise of 5 s."""

LATE_S: Final = 0.5
"""A timer that fires later than this tells of our own process having stood still, not of the peer's
silence.
"""


class Heartbeat:
    """Sends a ping at each interval unless one is unanswered, and gives up when one is unanswered for too
    long.

    QUIC itself notices a peer that we do not hear (the idle timeout); this notices one that does not hear us.
    """

    def __init__(self, send_ping: Callable[[int], None], give_up: Callable[[], None]) -> None:
        """send_ping(number): send one now. give_up(): called once, at the end."""
        self._send_ping, self._give_up = send_ping, give_up
        self._loop = asyncio.get_running_loop()
        self._number = 0
        self._unanswered_since: float | None = None
        self._due = 0.0
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin; the first ping goes out after one interval."""
        self._due = self._loop.time() + PING_INTERVAL_S
        self._handle = self._loop.call_at(self._due, self._tick)

    def stop(self) -> None:
        """Send no more."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def answered(self) -> None:
        """A ping was acknowledged."""
        self._unanswered_since = None

    def _tick(self) -> None:
        now = self._loop.time()
        if now - self._due > LATE_S:
            self._unanswered_since = None
        if self._unanswered_since is None:
            self._unanswered_since = now
            self._number += 1
            self._send_ping(self._number)
        elif now - self._unanswered_since > PING_LIMIT_S:
            self._handle = None
            self._give_up()
            return
        self.start()
