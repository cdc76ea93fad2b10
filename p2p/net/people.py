"""Keeps the record of people met up to date with the lobby, a little behind it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

from crypto import short_fingerprint
from p2p.errors import LocalError
from p2p.net.interfaces import Address
from p2p.net.store_thread import StoreThread
from p2p.protocol.snapshot import LobbySnapshot

REMEMBER_PAUSE_S: Final = 1.0
"""People met within this time are written down together."""

_log = logging.getLogger(__name__)


class People:
    """Writes down who is in the lobby, under which name and at which address, when he is first seen and when
    any of it changes.
    """

    def __init__(
        self, store: StoreThread, lobby: Callable[[], LobbySnapshot], addresses: Mapping[bytes, Address]
    ) -> None:
        """lobby: returns the lobby as it is now. addresses: where the last link to each key was."""
        self._store = store
        self._lobby = lobby
        self._addresses = addresses
        self._written: dict[bytes, tuple[str, str | None]] = {}
        self._waiting = False

    async def soon(self) -> None:
        """Write down what is news after a short pause; does nothing if that is already under way."""
        if not self._waiting:
            self._waiting = True
            await asyncio.sleep(REMEMBER_PAUSE_S)
            self._waiting = False
            await self.now()

    async def now(self) -> None:
        """Write down what is news. A disk that refuses is logged: nothing depends on this record."""
        news = {}
        people = self._lobby().people
        here = {person.key for person in people}
        for person in people:
            # People of one name are shown with their fingerprint behind it.
            name = person.name.removesuffix(f" {short_fingerprint(person.key)}")
            at = self._addresses.get(person.key)
            known = (name, None if at is None else str(at))
            if self._written.get(person.key) != known:
                news[person.key] = known
        if news:
            try:
                await self._store.remember_peers([(key, *known) for key, known in news.items()])
            except LocalError as error:
                _log.info("people are not remembered: %s", error)
                return
            self._written = {key: known for key, known in self._written.items() if key in here} | news
