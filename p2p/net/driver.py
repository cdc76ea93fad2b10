"""What drives a peer: feeds it one event at a time, carries out what it asks for in order, and wakes it when
it wants.

A failure in handling one event is logged by type and place, and only that event is lost.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Final

from crypto import CryptoError
from p2p.errors import LocalError, P2PError
from p2p.net.jobs import Jobs
from p2p.net.outbox import Outbox
from p2p.net.worker import place_of
from p2p.protocol.effects import Job
from p2p.protocol.peer import Peer
from p2p.protocol.peer_effects import Emit, PeerEffect, Run
from p2p.protocol.peer_events import PeerEvent

SHORTEST_TIMER_S: Final = 0.001
"""A peer that wants to be called at once is called a little later, so that it can never spin."""

AFTER_FAILURE_S: Final = 1.0
"""A peer that failed is woken again after so long: what it waits for still comes, and it cannot spin."""

_log = logging.getLogger(__name__)


class Driver:
    """One peer in real time. `start` begins, `stop` ends; between them every input goes through `feed`."""

    def __init__(
        self,
        peer: Peer,
        jobs: Jobs,
        outbox: Outbox,
        *,
        on_event: Callable[[PeerEvent], None],
        on_isolated: Callable[[str, str], None],
        on_failed: Callable[[P2PError], None],
    ) -> None:
        """on_event: what the peer tells its screen. on_isolated(what, place): handling something failed.
        on_failed: the workers are gone.
        """
        self.peer = peer
        self._jobs = jobs
        self._outbox = outbox
        self._on_event = on_event
        self._on_isolated = on_isolated
        self._on_failed = on_failed
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: float | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin to carry out effects."""
        self.keep(self._outbox.run())

    def halt(self) -> None:
        """Take no more input; what was asked for before is still carried out."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    async def stop(self) -> None:
        """Halt, and end everything that still runs."""
        self.halt()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def feed(self, what: str, work: Callable[[float], Iterable[PeerEffect]]) -> None:
        """Give the peer one event, `work(now)`, and carry out what it asks for. Never raises.

        what: names the event in the log.
        """
        if self._stopped:
            return
        try:
            effects = tuple(work(self._loop.time()))
            self._set_timer()
        except Exception as error:  # one message or wish, whatever is wrong with it, must not end the rest
            self.isolate(what, error)
            self._wake_again()
            return
        for effect in effects:
            try:
                self._perform(effect)
            except Exception as error:  # an entry that builds on the others' must still be stored
                self.isolate(f"{what}: {type(effect).__name__}", error)

    def isolate(self, what: str, error: Exception) -> None:
        """Log a failure that nobody foresaw. Its text may hold anything, so only type and place are
        logged.
        """
        place = place_of(error)
        _log.error("handling %s failed: %s", what, place)
        self._on_isolated(what, place)

    def keep(self, work: Coroutine[object, object, None]) -> None:
        """Run `work` as a task that `stop` ends; should it fail, that is isolated."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.isolate("task", error)

    def _perform(self, effect: PeerEffect) -> None:
        if isinstance(effect, Emit):
            self._on_event(effect.event)
        elif isinstance(effect, Run):
            self.keep(self._do(effect.job))
        else:
            self._outbox.put(effect)

    async def _do(self, job: Job) -> None:
        outcome: object
        try:
            outcome = await self._jobs.run(job.function, *job.args)
        except CryptoError as error:
            outcome = error
        except LocalError as error:
            if not self._stopped:
                self._on_failed(error)
            return
        except Exception as error:  # a job that fails otherwise is our own fault, and tells nothing of a seat
            self.isolate(f"job {job.function.__name__}", error)
            return
        self.feed("job_done", lambda now: self.peer.job_done(job.id, outcome, now))

    def _set_timer(self) -> None:
        due = self.peer.next_timer
        if due == self._timer_at and self._timer is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_at = due
        if due is not None:
            self._timer = self._loop.call_at(max(due, self._loop.time() + SHORTEST_TIMER_S), self._tick)

    def _wake_again(self) -> None:
        """See that a timer runs after a failure: it may have been the timer's own event that failed."""
        if self._timer is None:
            self._timer_at = None
            self._timer = self._loop.call_later(AFTER_FAILURE_S, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.feed("tick", self.peer.tick)
