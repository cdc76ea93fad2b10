"""Whom to call, and when to try again: every peer that was found or typed in is dialled until a link to it
stands.

Each target has its own task. It dials all addresses of the target at once (the endpoint lets the right key
win), sleeps while a link stands, and tries again with growing pauses after a failure. News of a target, or
the loss of its link, ends a pause early.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Final

from crypto import fingerprint
from p2p.errors import NetworkError
from p2p.net.interfaces import Address
from p2p.net.link_errors import OwnKey, Unreachable, WrongKey
from p2p.net.worker import place_of

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
"""A peer that is off the network for an hour costs 120 dials in it."""

LONGEST_PAUSE_FOR_KNOWN_S: Final = 4.0
"""The same for somebody who was linked before: a table may be waiting for him, and his network may be back
at any moment.
"""

AFTER_LOSS_S: Final = 0.2
"""After a link was lost: time for the other side to notice, so that both do not take the old one for
alive.
"""

ANSWER_FIRST_S: Final = 1.0
"""Of two peers that find each other, the one with the larger key lets the other one dial for so long."""

MOST_STRANGERS: Final = 8
"""Announced peers never linked to that are dialled at the same time. Who is there answers in milliseconds;
256 forged announcements of 24 addresses each, all dialled at once, made the loop stand still for 1.6 s.
"""

STRANGER_LIMIT_S: Final = 3.0
"""How long one of them may take: the others wait for their turn."""

MOST_TARGETS: Final = 256
"""A network full of forged announcements makes us keep no more than this many."""

_log = logging.getLogger(__name__)

Dial = Callable[[Iterable[Address], bytes | str | None], Awaitable[bytes]]


class _Target:
    """Somebody to be linked to. expect: the fingerprint that was announced, or None for whoever answers."""

    def __init__(self, addresses: tuple[Address, ...], expect: str | None) -> None:
        self.addresses = addresses
        self.expect = expect
        self.key: bytes | None = None
        self.wake = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Dialer:
    """Keeps links to targets. Tell it of links with `link_up` and `link_down`; `close` ends all dialling."""

    def __init__(
        self,
        own_key: bytes,
        dial: Dial,
        *,
        on_failed: Callable[[str, NetworkError], None],
        chance: random.Random | None = None,
    ) -> None:
        """dial: as `Endpoint.connect`. on_failed(target, error): a dial failed. chance: spreads the retries
        of many peers.
        """
        self._own = fingerprint(own_key)
        self._dial = dial
        self._on_failed = on_failed
        self._chance = chance or random.Random()  # noqa: S311  # pauses are no secret
        self._strangers = asyncio.Semaphore(MOST_STRANGERS)
        self._targets: dict[str, _Target] = {}
        self._linked: dict[str, bytes] = {}

    def add(self, name: str, addresses: Iterable[Address], expect: str | None = None) -> None:
        """Keep a link to a target from now on, or take note of its new addresses.

        name: what the target is called here: its announced instance, or the address as typed.
        """
        addresses = tuple(addresses)
        if expect == self._own:
            return
        target = self._targets.get(name)
        if target is not None:
            if addresses != target.addresses or expect != target.expect:
                target.addresses, target.expect = addresses, expect
                target.wake.set()
            return
        if len(self._targets) >= MOST_TARGETS:
            return
        target = self._targets[name] = _Target(addresses, expect)
        target.task = asyncio.create_task(self._keep(name, target))

    def remove(self, name: str) -> None:
        """Stop dialling a target; a link that stands is left alone."""
        target = self._targets.pop(name, None)
        if target is not None and target.task is not None:
            target.task.cancel()

    def link_up(self, key: bytes) -> None:
        """A link to `key` stands, whoever dialled."""
        self._linked[fingerprint(key)] = key

    def link_down(self, key: bytes) -> None:
        """The link to `key` is gone."""
        known = fingerprint(key)
        self._linked.pop(known, None)
        for target in self._targets.values():
            if target.key == key or target.expect == known:
                target.wake.set()

    async def close(self) -> None:
        """End all dialling."""
        tasks = [target.task for target in self._targets.values() if target.task is not None]
        self._targets.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _is_linked(self, target: _Target) -> bool:
        return target.expect in self._linked or target.key in self._linked.values()

    async def _keep(self, name: str, target: _Target) -> None:
        if target.expect is not None and self._own > target.expect:
            await self._pause(target, ANSWER_FIRST_S)
        pause = FIRST_PAUSE_S
        while True:
            if self._is_linked(target):
                pause = FIRST_PAUSE_S
                target.key = target.key or self._linked.get(target.expect or "")
                target.wake.clear()
                await target.wake.wait()
                if not self._is_linked(target):
                    await asyncio.sleep(AFTER_LOSS_S)
                continue
            target.wake.clear()
            try:
                target.key = await self._dial_once(target)
            except OwnKey as error:
                # A typed address may well be our own; it will not become another's while we hold the port.
                self._targets.pop(name, None)
                self._on_failed(name, error)
                return
            except WrongKey as error:
                # At an address that was typed in, another profile may answer after a restart.
                target.key = None
                self._on_failed(name, error)
            except NetworkError as error:
                self._on_failed(name, error)
            except Exception as error:  # a target without its task would never be dialled again
                _log.error("dialling failed: %s", place_of(error))
            if self._is_linked(target):
                continue
            await self._pause(target, pause * self._chance.uniform(0.8, 1.2))
            pause = min(2 * pause, LONGEST_PAUSE_S if target.key is None else LONGEST_PAUSE_FOR_KNOWN_S)

    async def _dial_once(self, target: _Target) -> bytes:
        """Dial a target, at once if it was typed in or linked before, else when its turn comes.

        Raises: what `dial` raises; Unreachable for a stranger that takes too long.
        """
        if target.expect is None or target.key is not None:
            return await self._dial(target.addresses, target.key or target.expect)
        async with self._strangers:
            if (key := self._linked.get(target.expect)) is not None:
                return key
            try:
                # Not all at once: to give up twenty addresses takes the loop twenty milliseconds.
                async with asyncio.timeout(STRANGER_LIMIT_S * self._chance.uniform(0.7, 1.3)):
                    return await self._dial(target.addresses, target.expect)
            except TimeoutError:
                raise Unreachable(target.expect, "no answer in time") from None

    async def _pause(self, target: _Target, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await target.wake.wait()
