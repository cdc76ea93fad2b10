"""A bot's mind: a policy in a thread of its own, and a simple one that takes over when it fails.

The policy sees events and decides in one thread, in order, so it needs no locks, and the event loop never
waits for it. A policy that raises or takes too long is given up for good: nobody at the table has to wait for
a broken bot.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from engine import Event, Move, View
from engine.bots import Policy, policy
from p2p.net.worker import place_of

DECISION_LIMIT_S: Final = 5.0
"""A policy is meant to take milliseconds; after this the simple one decides."""

_log = logging.getLogger(__name__)


class Mind:
    """Decides for one seat. Give it every event, in order; `close` it at the end."""

    def __init__(self, name: str, seed: int) -> None:
        """name, seed: of the policy. Raises: ValueError for an unknown name."""
        self._policy: Policy | None = policy(name, seed)
        self._simple = policy("random", seed)
        self._thread = ThreadPoolExecutor(1, "verish-bot")

    def observe(self, view: View, event: Event) -> None:
        """Let the policy take notice of an event, when its thread gets to it."""
        self._thread.submit(self._observe, view, event)

    async def choose(self, view: View) -> Move:
        """Return the move that the seat of `view` makes; it owes a choice."""
        obligation = next(owed for owed in view.state.owed if owed.seat == view.seat)
        chosen = self._policy
        if chosen is not None:
            running = asyncio.get_running_loop().run_in_executor(
                self._thread, chosen.choose, view, obligation
            )
            try:
                async with asyncio.timeout(DECISION_LIMIT_S):
                    return await running
            except TimeoutError:
                if running.done() and not running.cancelled() and running.exception() is None:
                    return running.result()  # the whole machine slept, not the policy
                _log.warning("the policy takes too long")
            except Exception as error:  # whatever a policy does wrong, the game goes on
                _log.warning("the policy failed: %s", place_of(error))
            self.give_up()
        return self._simple.choose(view, obligation)

    def give_up(self) -> None:
        """From now on the simple policy decides."""
        self._policy = None
        # The thread may be stuck in the old policy for ever.
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._thread = ThreadPoolExecutor(1, "verish-bot")

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _observe(self, view: View, event: Event) -> None:
        if self._policy is None:
            return
        try:
            self._policy.observe(view, event)
        except Exception as error:  # a policy without this memory still decides
            _log.warning("the policy failed to observe: %s", place_of(error))
