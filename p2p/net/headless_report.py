"""What a headless peer says while it plays: one JSON-able dict for each thing that happens, the result last.

Every dict has `event` (its kind) and `at` (seconds since the start, monotonic). Cards, ranks and suits are in
the engine's notation, hashes in hexadecimal. Nothing in them is secret: no card that has not been shown to
all.
"""

import logging
import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Final

from engine import Event
from p2p.net.worker import place_of
from p2p.protocol.peer_events import Happened, ResultView
from p2p.protocol.snapshot import Phase, TableSnapshot

Emit = Callable[[dict[str, object]], None]
"""Takes one event."""

Standing = Callable[[int], tuple[bytes, bytes] | None]
"""The head of the ledger at a step of the current deal and the digest of the state there, if it is known."""

PHASES: Final = ("discover", "table", "open", "shuffle", "deal", "play")
"""The parts of an evening, in order: until the others are found, until all have signed the table, and those
of a deal: keys and coins, shuffles, seal and shares up to cards in hand, and the game.
"""

_PART = {
    Phase.GATHERING: "table",
    Phase.OPENING: "open",
    Phase.SHUFFLING: "shuffle",
    Phase.SEALING: "deal",
    Phase.DEALING: "deal",
    Phase.PLAYING: "play",
}
_DECIMALS = 4

WRITER_LIMIT_S: Final = 5.0
"""At the end: how long a slow reader may take to read the last events."""

MOST_UNREAD: Final = 20_000
"""Events that the reader may be behind: dozens of deals. An unread pipe must not take all memory."""

_log = logging.getLogger(__name__)


class EventWriter:
    """Hands events to a sink in a thread, so that whoever reads them slowly, or not at all, never stops the
    peer.
    """

    def __init__(self, sink: Emit) -> None:
        """sink: takes each event, in order; called from the thread. If it fails, it gets no more."""
        self._sink = sink
        self._events: queue.SimpleQueue[dict[str, object] | None] = queue.SimpleQueue()
        self._dropped = False
        # A daemon: a pipe that nobody reads must not keep the program from ending.
        self._thread = threading.Thread(target=self._write, name="verish-events", daemon=True)
        self._thread.start()

    def put(self, event: dict[str, object]) -> None:
        """Pass on one event. Never waits: what is over the bound is lost."""
        if self._events.qsize() < MOST_UNREAD and self._thread.is_alive():
            self._events.put(event)
        elif not self._dropped:
            self._dropped = True
            _log.warning("events are lost: they are not read")

    def close(self, limit_s: float = WRITER_LIMIT_S) -> None:
        """Wait until the sink has taken everything, for at most `limit_s`. Blocks: not for the event loop."""
        self._events.put(None)
        self._thread.join(limit_s)

    def _write(self) -> None:
        while (event := self._events.get()) is not None:
            try:
                self._sink(event)
            except Exception as error:  # the reader has gone; the table has not
                _log.warning("events are no longer taken: %s", place_of(error))
                return


class Clock:
    """Measures how long each phase took. Phases that are over are emitted as they end."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._start = self._since = time.monotonic()
        self._phase: str | None = PHASES[0]
        self.seconds: dict[str, float] = {}
        """Seconds by phase; those of a deal are of the last deal. `total` is up to the last change."""

    @property
    def at(self) -> float:
        """Seconds since the start."""
        return round(time.monotonic() - self._start, _DECIMALS)

    def enter(self, phase: str | None) -> None:
        """A phase begins and the one before is over; None: nothing is measured now."""
        if phase == self._phase:
            return
        now = time.monotonic()
        if self._phase is not None:
            took = round(now - self._since, _DECIMALS)
            self.seconds[self._phase] = took
            self._emit({"event": "phase", "phase": self._phase, "seconds": took})
        self.seconds["total"] = round(now - self._start, _DECIMALS)
        self._phase, self._since = phase, now

    def enter_table_phase(self, phase: Phase) -> None:
        """Follow the phase of a table."""
        self.enter(_PART.get(phase))


class Reporter:
    """Turns what a table does into dicts."""

    def __init__(self, emit: Emit) -> None:
        """emit: takes each dict."""
        self._sink = emit
        self.clock = Clock(self.say)
        self._step = (0, -1)

    def say(self, event: dict[str, object]) -> None:
        """Emit one event with its time."""
        self._sink({"event": event.pop("event"), "at": self.clock.at, **event})

    def happened(self, happened: Happened) -> None:
        """Emit an event of the engine."""
        self.say(
            {"event": "happened", "deal": happened.deal, "step": happened.step, **describe(happened.event)}
        )

    def table(self, table: TableSnapshot, standing: Standing) -> None:
        """Emit where the ledger stands at each step since the last call: deal, step, head, digest."""
        if table.phase is not Phase.GATHERING or len(table.members) >= table.seats:
            self.clock.enter_table_phase(table.phase)
        if table.deal == 0:
            return
        deal, last = self._step
        for step in range(last + 1 if table.deal == deal else 0, table.step + 1):
            if (place := standing(step)) is not None:
                head, digest = place
                at = {"deal": table.deal, "step": step}
                self.say({"event": "step", **at, "head": head.hex(), "digest": digest.hex()})
        self._step = (table.deal, table.step)


def outcome(result: ResultView, table: TableSnapshot) -> dict[str, object]:
    """How a deal ended, with seats and names of loser and winner or the names of those who were absent, and
    whether a session ended with it.
    """
    names = {member.seat: member.name for member in table.members if member.seat is not None}
    by_key = {member.key: member.name for member in table.everybody}
    session = table.session
    losers, best = (session.losers, session.best) if session is not None else ((), ())
    return {
        "outcome": result.kind.value,
        "loser": None if result.loser is None else int(result.loser),
        "loser_name": None if result.loser is None else names.get(result.loser),
        "winner": None if result.winner is None else int(result.winner),
        "winner_name": None if result.winner is None else names.get(result.winner),
        "absent": [names.get(seat) for seat in result.absent],
        "check": result.check,
        "steps": table.step,
        "receipts": len(result.signed),
        "session_over": bool(losers or best),
        "session_losers": [by_key[key] for key in losers],
        "session_best": [by_key[key] for key in best],
    }


def describe(event: Event) -> dict[str, object]:
    """An event of the engine: `what` it is, and its fields in notation."""
    what = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
    return {"what": what, **{one.name: _plain(getattr(event, one.name)) for one in fields(event)}}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    # Ranks and suits are numbers to the engine and letters to readers.
    if (
        value is None
        or isinstance(value, bool | str)
        or (isinstance(value, int) and not isinstance(value, Enum))
    ):
        return value
    return str(value)
