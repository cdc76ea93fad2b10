"""How long tests wait for what must come, and the watch by which they time what the program promises."""

import asyncio
import time
from types import TracebackType

WAIT_S = 120.0
"""For what must come. It only keeps a test that fails from waiting for ever, so it is far above what even a
busy machine needs; it promises nothing about speed.
"""

TICK_S = 0.01


SOME_WORK = 100_000
SOME_WORK_S = 0.010
"""How long the sum in `slowness` takes on a machine of the kind that budgets of time are written for."""


def slowness() -> float:
    """How many times slower than such a machine this one is at the moment; 1 if it is no slower.

    A budget for a computation holds on the machine that it is written for; one that is held back takes
    longer for everything alike.
    """
    best = float("inf")
    for _ in range(5):
        begun = time.thread_time()
        sum(number * number for number in range(SOME_WORK))
        best = min(best, time.thread_time() - begun)
    return max(1.0, best / SOME_WORK_S)


class LoopWatch:
    """A watch for `with`, kept by the event loop: `seconds` leaves out what the machine took away, `taken_s`.

    It ticks often, and a tick that comes late counts as two at most. On a machine that has time it goes like
    any other watch, so a promise that is broken there is seen; on one that is overloaded it goes slowly.
    """

    def __init__(self) -> None:
        self.seconds = self.taken_s = 0.0
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._handle = self._loop.call_later(TICK_S, self._tick)

    def __enter__(self) -> "LoopWatch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.cancel()

    def _tick(self) -> None:
        now = self._loop.time()
        passed, self._last = now - self._last, now
        counted = min(passed, 2 * TICK_S)
        self.seconds += counted
        self.taken_s += passed - counted
        self._handle = self._loop.call_later(TICK_S, self._tick)
