"""How a screen or a bot listens to a node: a bounded queue of events for each listener."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from p2p.net.worker import place_of

_Event = TypeVar("_Event")
_log = logging.getLogger(__name__)

MOST_QUEUED: Final = 10_000
"""Events that a listener may be behind: several deals' worth. Beyond it the oldest are dropped, never the
node.
"""


class Subscription(Generic[_Event]):
    """An asynchronous iterator over events, from the moment it was made. It ends when the node closes or by
    `close`.
    """

    def __init__(self, limit: int = MOST_QUEUED) -> None:
        self._events: deque[_Event] = deque()
        self._limit = limit
        self._wake = asyncio.Event()
        self._closed = False
        self.dropped = 0
        """Events that this listener has lost by being too slow."""

    def put(self, event: _Event) -> None:
        """Add an event. An event equal to the last one that waits says nothing new and is left out."""
        if self._closed or (self._events and self._events[-1] == event):
            return
        if len(self._events) >= self._limit:
            self._events.popleft()
            self.dropped += 1
        self._events.append(event)
        self._wake.set()

    def close(self) -> None:
        """End the iteration after what waits."""
        self._closed = True
        self._wake.set()

    @property
    def closed(self) -> bool:
        """Whether nothing more will be added."""
        return self._closed

    def __aiter__(self) -> "Subscription[_Event]":
        return self

    async def __anext__(self) -> _Event:
        while not self._events:
            if self._closed:
                raise StopAsyncIteration
            self._wake.clear()
            await self._wake.wait()
        return self._events.popleft()

    async def get(self, timeout_s: float | None = None) -> _Event | None:
        """Return the next event; None after `timeout_s` seconds without one, or at the end."""
        try:
            async with asyncio.timeout(timeout_s):
                return await anext(self)
        except (TimeoutError, StopAsyncIteration):
            return None


class Listeners(Generic[_Event]):
    """All who listen to one node, and the notices that whoever begins to listen later has to know, too."""

    def __init__(self) -> None:
        self._subscriptions: list[Subscription[_Event]] = []
        self._callbacks: list[Callable[[_Event], None]] = []
        self._notices: list[_Event] = []

    def subscribe(self) -> Subscription[_Event]:
        """A new subscription; the standing notices come first."""
        subscription: Subscription[_Event] = Subscription()
        for notice in self._notices:
            subscription.put(notice)
        self._subscriptions.append(subscription)
        return subscription

    def listen(self, callback: Callable[[_Event], None]) -> Callable[[], None]:
        """Call `callback` with each event at the moment it happens, the standing notices first; returns what
        ends that.

        The callback may look and take note; it must not give the node commands, which could overtake what
        goes on.
        """
        for notice in self._notices:
            callback(notice)
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def publish(self, event: _Event) -> None:
        """Tell everybody who listens."""
        for callback in tuple(self._callbacks):
            try:
                callback(event)
            except Exception as error:  # a listener's fault must not keep an entry from being stored and sent
                _log.error("a listener failed: %s", place_of(error))
        self._subscriptions = [listener for listener in self._subscriptions if not listener.closed]
        for subscription in self._subscriptions:
            subscription.put(event)

    def notify(self, notice: _Event) -> None:
        """Publish a notice that stands until another one of its type replaces it."""
        self._notices = [other for other in self._notices if type(other) is not type(notice)] + [notice]
        self.publish(notice)

    def close(self) -> None:
        """End every subscription after what waits in it."""
        for subscription in self._subscriptions:
            subscription.close()
