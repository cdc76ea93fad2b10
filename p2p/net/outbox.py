"""What a peer asks for that must happen in order: writing to the journal before what builds on it is sent.

Effects stand in one line. A `Send` at the head of the line leaves at once; a `Keep` holds up everything
behind it until it is on the disk. If the disk refuses (full, say), the line stands still and the write is
tried again with growing pauses: nothing unstored is ever sent, and the game goes on once there is room. Only
a long refusal, or an entry that contradicts a stored one, ends it for good.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from p2p.errors import LocalError, LocalReason, P2PError
from p2p.net.store import DealEnd, JournalBallot, JournalBatch, JournalEntry, SecondEntryError
from p2p.net.store_thread import StoreThread
from p2p.net.worker import place_of
from p2p.protocol.ballot import SignedBallot
from p2p.protocol.effects import Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.peer_effects import CloseDeal, Keep, LeaveTable, Send
from p2p.protocol.wire import encode

FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 5.0
PATIENCE_S: Final = 120.0
"""How long a refusing disk is tried: a person can free some space meanwhile."""

MOST_WAITING: Final = 20_000
"""Effects in the line while the disk is slow. Messages beyond it are dropped; others ask again for what
matters.
"""

SECRETS_NAME: Final = "deal"
"""Under this name a deal's secrets are in the journal."""

Ordered = Send | Keep | CloseDeal | LeaveTable


class Outbox:
    """The line of effects. `put` from the loop; `run` is its task; `flush` waits for the line to be empty."""

    def __init__(
        self,
        store: StoreThread,
        send: Callable[[bytes, bytes], None],
        *,
        on_trouble: Callable[[LocalError | None], None],
        on_failed: Callable[[P2PError], None],
    ) -> None:
        """send(key, message): must not raise. on_trouble: the disk refuses (error), works again (None).
        on_failed: given up.
        """
        self._store = store
        self._send = send
        self._on_trouble = on_trouble
        self._on_failed = on_failed
        self._line: deque[Ordered] = deque()
        self._wake = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._failed = False
        self.dropped = 0
        """Messages dropped because the line was too long."""

    def put(self, effect: Ordered) -> None:
        """Stand an effect at the end of the line."""
        if self._failed:
            return
        if isinstance(effect, Send):
            if self._empty.is_set():
                self._send(effect.key, effect.message)
                return
            if len(self._line) >= MOST_WAITING:
                self.dropped += 1
                return
        self._line.append(effect)
        self._empty.clear()
        self._wake.set()

    async def flush(self, limit_s: float) -> bool:
        """Wait until everything has been stored and sent; return whether that came true in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._empty.wait()
        return self._empty.is_set()

    async def run(self) -> None:
        """Work off the line for ever; cancel it to end. Returns after `on_failed`."""
        while not self._failed:
            await self._wake.wait()
            self._wake.clear()
            while self._line:
                effect = self._line[0]
                if isinstance(effect, Send):
                    self._send(effect.key, effect.message)
                    self._line.popleft()
                elif not await self._store_first():
                    return
            self._empty.set()

    async def _store_first(self) -> bool:
        """Store what stands at the head of the line and take it off; False once that is given up."""
        keeps = []
        for effect in self._line:
            if not isinstance(effect, Keep):
                break
            keeps.append(effect)
        try:
            if keeps:
                await self._patiently(lambda: self._store.write(lambda: [_batch(keep) for keep in keeps]))
            else:
                await self._patiently(self._work_of(self._line[0]))
        except (LocalError, SecondEntryError) as error:
            self._give_up(error)
            return False
        except Exception as error:  # unforeseen; a line that stands still unseen would be worse
            self._give_up(LocalError(LocalReason.UNREADABLE, "journal", place_of(error)))
            return False
        for _ in range(max(1, len(keeps))):
            self._line.popleft()
        return True

    def _work_of(self, effect: Ordered) -> Callable[[], Awaitable[None]]:
        """What stores an effect that stands alone."""
        match effect:
            case CloseDeal():
                return lambda: self._store.end_deal(effect.table_id, effect.deal, _end(effect))
            case LeaveTable(table_id, leave):
                return lambda: self._store.leave_table(table_id, encode(leave))
            case _:
                raise AssertionError("sends wait for nothing, and keeps are written together")

    def _give_up(self, error: P2PError) -> None:
        self._failed = True
        self._line.clear()
        self._on_failed(error)

    async def _patiently(self, work: Callable[[], Awaitable[None]]) -> None:
        """Await `work()` until the disk takes it. Raises: LocalError after `PATIENCE_S`; SecondEntryError at
        once.
        """
        pause, waited = FIRST_PAUSE_S, 0.0
        while True:
            try:
                await work()
            except LocalError as error:
                if waited >= PATIENCE_S:
                    raise
                if waited == 0.0:
                    self._on_trouble(error)
            else:
                if waited:
                    self._on_trouble(None)
                return
            await asyncio.sleep(pause)
            waited += pause
            pause = min(2 * pause, LONGEST_PAUSE_S)


def _batch(keep: Keep) -> JournalBatch:
    store = keep.store
    entries = tuple(_journal_entry(signed, own=False) for signed in store.entries)
    if store.own is not None:
        entries += (_journal_entry(store.own, own=True),)
    secrets = () if store.secrets is None else ((SECRETS_NAME, store.secrets),)
    ballots = tuple(_journal_ballot(signed, own=signed == store.voted) for signed in store.ballots)
    leaves = tuple((signed.open().member, encode(signed)) for signed in store.leaves)
    return JournalBatch(keep.table_id, store.deal, keep.terms, entries, secrets, ballots, leaves)


def _journal_entry(signed: SignedEntry, *, own: bool) -> JournalEntry:
    entry = signed.open()
    return JournalEntry(entry.step, entry.seat, encode(signed), own)


def _journal_ballot(signed: SignedBallot, *, own: bool) -> JournalBallot:
    ballot = signed.open()
    number, opener = ballot.poll.key
    return JournalBallot(ballot.step, ballot.seat, number, opener, encode(signed), own)


def _end(close: CloseDeal) -> DealEnd:
    outcome = close.outcome
    void = outcome if isinstance(outcome, Void) else None
    return DealEnd(
        form=close.form,
        outcome=type(outcome).__name__.lower(),
        title=close.title,
        changes=" ".join(f"{name}={value}" for name, value in close.changes),
        cause=None if void is None else void.check,
        players=close.players,
        evidence=None if void is None else encode((*void.evidence.accused, *void.evidence.ballots)),
        note=close.note,
    )
