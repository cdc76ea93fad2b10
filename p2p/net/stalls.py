"""How long the event loop did not answer: a timer that notes how late it was called."""

import asyncio
from typing import Final

TICK_S: Final = 0.005
"""How often the loop is asked. Two hundred calls a second cost about half a percent of a core, so it runs
only on request.
"""


class StallMeter:
    """Notes the largest delay of the loop while it runs. `start`, then read `largest_s`, then `stop`."""

    def __init__(self) -> None:
        self.largest_s = 0.0
        """The longest time that the loop was late, seconds; less than a tick of it may be the meter's own."""
        self._due = 0.0
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure."""
        self._schedule()

    def stop(self) -> None:
        """End measuring; the largest delay stays."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + TICK_S
        self._handle = loop.call_at(self._due, self._tick)

    def _tick(self) -> None:
        self.largest_s = max(self.largest_s, asyncio.get_running_loop().time() - self._due)
        self._schedule()
