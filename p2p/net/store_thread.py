"""A profile's store and the one thread that may touch it, so that no disk ever holds up the event loop."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from p2p.errors import LocalError, LocalReason
from p2p.net.profile import Profile, take_profile
from p2p.net.store import DealEnd, JournalBatch, KnownPeer, Store, StoreSetAside, open_store

_Result = TypeVar("_Result")


class StoreThread:
    """An open store behind its thread. Use `open`; all calls may be made from the event loop."""

    def __init__(self, thread: ThreadPoolExecutor) -> None:
        self._thread = thread
        self._profile: Profile | None = None
        self._store: Store | None = None
        self.notice: StoreSetAside | None = None
        """That the store was found damaged and replaced."""

    @classmethod
    async def open(
        cls, home: Path, profile: str | None, prefer: Callable[[Path], bool] | None = None
    ) -> Self:
        """Take a profile of `home` (by name; or one whose store `prefer` likes; or the next free one) and
        open its store.

        Raises: LocalError (profile-taken, profile-name, no-free-profile, newer-version, unreadable,
        disk-full).
        """
        opened = cls(ThreadPoolExecutor(1, "verish-store"))
        try:
            await opened._run(partial(opened._open, home, profile, prefer))
        except BaseException:
            await opened.close()
            raise
        return opened

    def _open(self, home: Path, profile: str | None, prefer: Callable[[Path], bool] | None) -> None:
        self._profile = take_profile(home, profile, prefer)
        self._store, self.notice = open_store(self._profile.path)

    @property
    def profile(self) -> Profile:
        """The profile that is held."""
        assert self._profile is not None
        return self._profile

    async def private_key(self) -> bytes:
        """Return the 32 private bytes of the identity key. Raises: LocalError."""
        return await self._run(self._opened().private_key)

    async def known_peers(self) -> tuple[KnownPeer, ...]:
        """Return everybody met, the most recent first. Raises: LocalError."""
        return await self._run(self._opened().known_peers)

    async def remember_peers(self, seen: Sequence[tuple[bytes, str, str | None]]) -> None:
        """Record that these (key, name, address) were met now. Raises: LocalError."""
        await self._run(partial(self._opened().remember_peers, seen, time.time()))

    async def write(self, batches: Callable[[], Sequence[JournalBatch]]) -> None:
        """Write batches in one transaction; they are made in the thread, too. Raises: LocalError,
        SecondEntryError.
        """
        store = self._opened()
        await self._run(lambda: store.write(batches(), time.time()))

    async def end_deal(self, table_id: bytes, number: int, end: DealEnd) -> None:
        """Record how a deal ended and erase its secrets. Raises: LocalError."""
        await self._run(partial(self._opened().end_deal, table_id, number, end, time.time()))

    async def leave_table(self, table_id: bytes, leave: bytes) -> None:
        """Record that the own person has left a table, and what he signed. Raises: LocalError."""
        await self._run(partial(self._opened().leave_table, table_id, leave))

    async def run(self, read: Callable[[Store], _Result]) -> _Result:
        """Return `read(store)`, run in the thread. Raises: LocalError."""
        return await self._run(partial(read, self._opened()))

    async def close(self) -> None:
        """Close the store and release the profile, after everything asked for before. Raises: LocalError."""
        try:
            await self._run(self._close)
        finally:
            self._thread.shutdown(wait=False)

    def _close(self) -> None:
        store, self._store = self._store, None
        try:
            if store is not None:
                store.close()
        finally:
            if self._profile is not None:
                self._profile.release()

    def _opened(self) -> Store:
        if self._store is None:
            raise LocalError(LocalReason.UNREADABLE, "", "the store is closed")
        return self._store

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        # Shielded: a cancelled caller must not leave a half-known state of the disk behind for the next call.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))
