"""The deals that a profile remembers, read beside a program that may be playing.

Nothing is taken, made or changed for it: no lock, no store, no identity. A store of an earlier version is
upgraded in a copy in memory.
"""

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from p2p.errors import LocalError, LocalReason
from p2p.net import store_schema
from p2p.net.paths import local_errors
from p2p.net.store_schema import StoreDamagedError, sqlite_errors
from p2p.protocol.deal_tally import PlayerRecord, Tally
from p2p.protocol.text import clean_name, clean_title


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A deal that has ended. Times are seconds since the epoch by this machine's clock.

    title: the table's. changes: options that differ from the form, by name. outcome: "finished", "void" and
    so on. cause: what broke it off, such as the name of a check. players: in the order of their seats.
    """

    table_id: bytes
    number: int
    started: float
    ended: float
    title: str
    form: str
    changes: dict[str, str | int]
    outcome: str
    cause: str | None
    players: tuple[PlayerRecord, ...]

    @property
    def own(self) -> PlayerRecord | None:
        """The own person's part; None if he only watched."""
        return next((player for player in self.players if player.own), None)

    @property
    def finished(self) -> bool:
        """Whether it was played to its end."""
        return self.outcome == "finished"


@dataclass(frozen=True, slots=True)
class History:
    """Deals that have ended, the oldest first, and how many have not."""

    deals: tuple[PastDeal, ...] = ()
    unfinished: int = 0


def read_history(path: Path) -> History:
    """Read the store at `path`; what is not there has no history.

    Raises: LocalError (newer-version, unreadable, store-damaged).
    """
    with local_errors(path):
        try:
            path.stat()
        except FileNotFoundError:
            return History()
    try:
        with closing(store_schema.connect_to_read(path)) as connection, sqlite_errors(path):
            # One transaction: a deal that ends meanwhile is in both tables or in none.
            connection.execute("BEGIN")
            players = _players(connection)
            deals = tuple(_deal(row, players) for row in connection.execute(_DEALS))
            unfinished = connection.execute("SELECT count(*) FROM deal WHERE ended IS NULL").fetchone()[0]
    except StoreDamagedError as damage:
        raise LocalError(LocalReason.STORE_DAMAGED, str(path), str(damage)) from damage
    return History(deals, unfinished)


_DEALS = (
    "SELECT table_id, number, started, ended, title, form, changes, outcome, cause FROM deal"
    " WHERE ended IS NOT NULL ORDER BY started, table_id, number"
)

_PLAYERS = (
    "SELECT table_id, number, seat, key, name, own, place, won, lost, lays, opened, lies, calls, right_calls"
    " FROM player ORDER BY table_id, number, seat"
)

_NUMBER = re.compile(r"[0-9]{1,4}")
"""A value of an option, as far as it is a number."""

LATEST_S = 253_402_300_799.0
"""The end of the year 9999: later times are those of no deal."""

_WORD = re.compile(r"[a-z0-9_.-]{0,40}")

_Players = dict[tuple[bytes, int], list[PlayerRecord]]


def _players(connection: sqlite3.Connection) -> _Players:
    found: _Players = {}
    for table_id, number, seat, key, name, own, place, won, lost, *counts in connection.execute(_PLAYERS):
        record = PlayerRecord(
            seat, key, clean_name(name or ""), bool(own), place, bool(won), bool(lost), Tally(*counts)
        )
        found.setdefault((table_id, number), []).append(record)
    return found


def _deal(row: tuple[bytes, int, float, float, str, str, str, str, str], players: _Players) -> PastDeal:
    table_id, number, started, ended, title, form, changes, outcome, cause = row
    if not (0 <= started <= LATEST_S and 0 <= ended <= LATEST_S):
        raise StoreDamagedError("a deal at no time")
    return PastDeal(
        table_id=table_id,
        number=number,
        started=started,
        ended=ended,
        title=clean_title(title or ""),
        form=_word(form),
        changes=dict(_change(change) for change in (changes or "").split()),
        outcome=_word(outcome),
        cause=None if cause is None else _word(cause),
        players=tuple(players.get((table_id, number), ())),
    )


def _change(text: str) -> tuple[str, str | int]:
    name, _, value = text.partition("=")
    return _word(name), int(value) if _NUMBER.fullmatch(value) else clean_name(value)


def _word(text: str | None) -> str:
    """A word of the program's own, or nothing: a store that was tampered with may hold anything."""
    return text if text is not None and _WORD.fullmatch(text) else ""
