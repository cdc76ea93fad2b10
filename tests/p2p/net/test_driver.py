"""What drives a peer, with a peer that fails."""

import asyncio
from collections.abc import Iterable
from typing import Any, cast

import pytest
from bounds import WAIT_S

from p2p.net import driver
from p2p.net.driver import Driver
from p2p.net.jobs import Jobs
from p2p.net.outbox import Outbox
from p2p.protocol.peer_effects import PeerEffect


class FailingPeer:
    """Wants to be called at once; the first calls fail."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.worked = asyncio.Event()

    @property
    def next_timer(self) -> float | None:
        return None if self.worked.is_set() else 0.0

    def tick(self, _now: float) -> Iterable[PeerEffect]:
        if self.failures:
            self.failures -= 1
            raise RuntimeError
        self.worked.set()
        return ()


async def test_a_tick_that_fails_is_not_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "AFTER_FAILURE_S", 0.01)
    peer, isolated = FailingPeer(failures=2), list[str]()
    nothing = cast("Any", None)
    driven = Driver(
        cast("Any", peer),
        cast("Jobs", None),
        cast("Outbox", None),
        on_event=nothing,
        on_isolated=lambda what, _place: isolated.append(what),
        on_failed=nothing,
    )
    driven.feed("begin", lambda _now: ())
    async with asyncio.timeout(WAIT_S):
        await peer.worked.wait()
    await driven.stop()
    assert isolated == ["tick", "tick"]
