"""What one profile remembers: its identity, the people it met, the journal of its deals, and how they ended.

A store belongs to one thread, the one that opens it; every method may wait for the disk. What a method writes
is on the disk when it returns (WAL with synchronous FULL), all of it or nothing.

**The journal** holds, of each deal, its terms (with the signed proposal), all entries (the own ones marked)
and, while the deal runs, its secrets: the deal key and whatever else the seat must not lose. A seat's own
entry is written with everything it builds on in one transaction before it is sent, so a crash at any moment
leaves either no trace of it or enough to send the very same one again; so are ballots, and the leave. A
second, differing own entry for one step is refused: it would be a fork signed by ourselves. When the deal
ends its secrets are erased, from the file and from the write-ahead log.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from p2p.errors import P2PError
from p2p.net import store_schema
from p2p.net.paths import set_aside
from p2p.net.store_schema import StoreDamagedError, sqlite_errors
from p2p.protocol.deal_tally import PlayerRecord

MOST_NAME_CHARACTERS = 64
"""Longer names are cut: names were bounded and cleaned where they came in, this only keeps a fault from
growing.
"""

MOST_PEOPLE = 5_000
"""People remembered: a whole club's life long. One who makes up identities must not fill the disk."""


@dataclass(frozen=True, slots=True)
class StoreSetAside:
    """A notice: the store was damaged and renamed, and a new one with a new identity was made.

    path: of the new store. moved_to: where the damaged one lies. detail: what was wrong, for the log.
    """

    path: Path
    moved_to: Path
    detail: str


class SecondEntryError(P2PError):
    """An own entry differs from the one already stored for that step, or an own ballot from the one for that
    poll: our own bug, stopped before it became a fork.
    """


@dataclass(frozen=True, slots=True)
class KnownPeer:
    """Somebody met over a link. Times are seconds since the epoch by this machine's clock, for display
    only. address: where the last link to him was, as `interfaces.parse_address` reads it.
    """

    key: bytes
    name: str
    first_seen: float
    last_seen: float
    address: str | None = None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One entry of a deal as signed. own: this profile signed it."""

    step: int
    seat: int
    signed: bytes
    own: bool


@dataclass(frozen=True, slots=True)
class JournalBallot:
    """One ballot of a deal as signed: the answer of a seat to a poll, by its number and opener."""

    step: int
    seat: int
    poll: int
    opener: int
    signed: bytes
    own: bool


@dataclass(frozen=True, slots=True)
class JournalBatch:
    """What is to be written together: new entries of one deal, ballots, leaves as (table seat, signed), and
    secrets by name.

    table_id: 32 bytes. number: of the deal, from 1. terms: of the deal, encoded.
    """

    table_id: bytes
    number: int
    terms: bytes
    entries: tuple[JournalEntry, ...] = ()
    secrets: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    ballots: tuple[JournalBallot, ...] = ()
    leaves: tuple[tuple[int, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class JournalDeal:
    """A deal in the journal. form and outcome are None while it is unfinished.

    form: name of the rules. outcome: a word such as "finished" or "void". Times are seconds since the epoch.
    """

    table_id: bytes
    number: int
    started: float
    ended: float | None
    form: str | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class DealEnd:
    """How a deal ended, to be recorded.

    title: the table's. changes: options that differ from the form, "callers=any packs=2". cause: what broke
    the deal off, if anything did. evidence: entries that convict a seat, encoded, if any. note: what the
    table's later deals need to know.
    """

    form: str
    outcome: str
    title: str = ""
    changes: str = ""
    cause: str | None = None
    players: tuple[PlayerRecord, ...] = ()
    evidence: bytes | None = None
    note: bytes | None = None


class Store:
    """An open store. Use `open_store`; close it in the same thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._log_holds_secrets = False

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    def close(self) -> None:
        """Close the file; SQLite moves what is in the write-ahead log into it. Raises: LocalError."""
        with sqlite_errors(self.path):
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the body as one transaction: on the disk when it leaves, or undone."""
        with sqlite_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # After a full disk SQLite has rolled back by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with sqlite_errors(self.path):
            return self._connection.execute(query, values).fetchall()

    # Identity and people

    def private_key(self) -> bytes:
        """Return the 32 private bytes of the identity key. Raises: LocalError."""
        (key,) = self._rows("SELECT private FROM identity")[0]
        return _blob(key)

    def remember_peers(self, seen: Iterable[tuple[bytes, str, str | None]], now: float) -> None:
        """Record that these (key, name, address) were met at `now`; a new name or address replaces the old.

        Beyond `MOST_PEOPLE` those who were not met for longest are forgotten. Raises: LocalError.
        """
        with self._transaction() as connection:
            connection.executemany(
                "INSERT INTO peer (key, name, first_seen, last_seen, address) VALUES (?1, ?2, ?3, ?3, ?4)"
                " ON CONFLICT (key) DO UPDATE SET name = ?2, last_seen = ?3, address = coalesce(?4, address)",
                [(key, name[:MOST_NAME_CHARACTERS], now, address) for key, name, address in seen],
            )
            connection.execute(
                "DELETE FROM peer WHERE key IN"
                " (SELECT key FROM peer ORDER BY last_seen DESC, key LIMIT -1 OFFSET ?)",
                (MOST_PEOPLE,),
            )

    def known_peers(self) -> tuple[KnownPeer, ...]:
        """Return everybody met, the most recent first. Raises: LocalError."""
        query = "SELECT key, name, first_seen, last_seen, address FROM peer ORDER BY last_seen DESC, key"
        return tuple(
            KnownPeer(_blob(k), _text(n), _real(first), _real(last), None if at is None else _text(at))
            for k, n, first, last, at in self._rows(query)
        )

    # Journal

    def write(self, batches: Iterable[JournalBatch], now: float) -> None:
        """Write batches in one transaction. What is there already is kept, so writing twice does no harm; but
        a deal that nobody had begun can get other terms, and then what was written of it goes.

        Raises: LocalError; SecondEntryError (nothing is written then).
        """
        erased = False
        with self._transaction() as connection:
            for batch in batches:
                deal = (batch.table_id, batch.number)
                erased |= self._forget_other_terms(deal, batch)
                connection.execute(
                    "INSERT INTO deal (table_id, number, terms, started) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING",
                    (*deal, batch.terms, now),
                )
                connection.executemany(
                    "INSERT INTO secret (table_id, number, name, value) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET value = excluded.value",
                    [(*deal, name, value) for name, value in batch.secrets],
                )
                for entry in batch.entries:
                    self._write_entry(deal, entry)
                for ballot in batch.ballots:
                    self._write_ballot(deal, ballot)
                connection.executemany(
                    "INSERT INTO leave (table_id, number, seat, signed) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING",
                    [(*deal, seat, signed) for seat, signed in batch.leaves],
                )
        if erased or self._log_holds_secrets:
            self._empty_log()

    def _forget_other_terms(self, deal: tuple[bytes, int], batch: JournalBatch) -> bool:
        """Erase what is stored of a deal under other terms than those of `batch`: its seats are perhaps other
        people's now. Who has left stays away, whatever the terms. Returns whether there was anything.

        Raises: SecondEntryError, if both hold own entries: whoever has signed one takes no other terms.
        """
        before = self._connection.execute(
            "SELECT 1 FROM deal WHERE table_id = ? AND number = ? AND terms != ?", (*deal, batch.terms)
        ).fetchone()
        if before is None:
            return False
        own = self._connection.execute(
            "SELECT 1 FROM entry WHERE table_id = ? AND number = ? AND own", deal
        ).fetchone()
        if own is not None and any(entry.own for entry in batch.entries):
            raise SecondEntryError(f"deal {deal[1]} under other terms")
        for table in ("entry", "ballot", "secret", "player", "deal"):
            self._connection.execute(f"DELETE FROM {table} WHERE table_id = ? AND number = ?", deal)  # noqa: S608
        return True

    def _write_entry(self, deal: tuple[bytes, int], entry: JournalEntry) -> None:
        written = self._connection.execute(
            "INSERT INTO entry (table_id, number, step, seat, own, signed) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (*deal, entry.step, entry.seat, entry.own, entry.signed),
        )
        if written.rowcount == 0 and entry.own:
            stored = self._connection.execute(
                "SELECT signed FROM entry WHERE table_id = ? AND number = ? AND step = ? AND seat = ?",
                (*deal, entry.step, entry.seat),
            ).fetchone()
            if stored != (entry.signed,):
                raise SecondEntryError(f"deal {deal[1]}, step {entry.step}, seat {entry.seat}")

    def _write_ballot(self, deal: tuple[bytes, int], ballot: JournalBallot) -> None:
        place = (*deal, ballot.step, ballot.seat, ballot.poll, ballot.opener)
        written = self._connection.execute(
            "INSERT INTO ballot (table_id, number, step, seat, poll, opener, own, signed)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*place, ballot.own, ballot.signed),
        )
        if written.rowcount == 0 and ballot.own:
            stored = self._connection.execute(
                "SELECT signed FROM ballot WHERE table_id = ? AND number = ? AND step = ? AND seat = ?"
                " AND poll = ? AND opener = ?",
                place,
            ).fetchone()
            if stored != (ballot.signed,):
                raise SecondEntryError(f"deal {deal[1]}, step {ballot.step}, poll {ballot.poll}")

    def end_deal(self, table_id: bytes, number: int, end: DealEnd, now: float) -> None:
        """Record how a deal ended and erase its secrets for good. It may end otherwise later: that replaces
        what was recorded. Raises: LocalError.
        """
        with self._transaction() as connection:
            connection.execute(
                "UPDATE deal SET ended = ?, title = ?, form = ?, changes = ?, outcome = ?, cause = ?,"
                " evidence = ?, note = ? WHERE table_id = ? AND number = ?",
                (
                    *(now, end.title, end.form, end.changes, end.outcome, end.cause),
                    *(end.evidence, end.note, table_id, number),
                ),
            )
            connection.execute("DELETE FROM player WHERE table_id = ? AND number = ?", (table_id, number))
            connection.executemany(
                "INSERT INTO player (table_id, number, seat, key, name, own, place, won, lost, lays, opened,"
                " lies, calls, right_calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        *(table_id, number, player.seat, player.key, player.name[:MOST_NAME_CHARACTERS]),
                        *(player.own, player.place, player.won, player.lost),
                        *(player.tally.lays, player.tally.opened, player.tally.lies),
                        *(player.tally.calls, player.tally.right_calls),
                    )
                    for player in end.players
                ],
            )
            connection.execute("DELETE FROM secret WHERE table_id = ? AND number = ?", (table_id, number))
        self._empty_log()

    def leave_table(self, table_id: bytes, leave: bytes) -> None:
        """Record that the own person has left a table, for good. leave: what he signed, encoded.

        Raises: LocalError.
        """
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO left_table (table_id, leave) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (table_id, leave),
            )

    def left_tables(self) -> dict[bytes, bytes | None]:
        """Return the tables that the own person has left, each with what he signed, encoded; None where an
        earlier version signed nothing. Raises: LocalError.
        """
        rows = self._rows("SELECT table_id, leave FROM left_table")
        return {_blob(table_id): None if leave is None else _blob(leave) for table_id, leave in rows}

    def latest_table(self) -> bytes | None:
        """Return the id of the table at which the last entry was written, or None. Raises: LocalError."""
        rows = self._rows("SELECT table_id FROM entry ORDER BY rowid DESC LIMIT 1")
        return _blob(rows[0][0]) if rows else None

    def _empty_log(self) -> None:
        """Move the write-ahead log into the database and cut it to nothing.

        A deleted secret is zeroed in the database, but the log still has it. Another program that reads the
        file (a backup) can be in the way for a while; then it is tried again with the next batch.
        """
        ((busy, *_),) = self._rows("PRAGMA wal_checkpoint(TRUNCATE)")
        self._log_holds_secrets = bool(busy)

    def deals(self) -> tuple[JournalDeal, ...]:
        """Return every deal of the journal, the oldest first. Raises: LocalError."""
        rows = self._rows(
            "SELECT table_id, number, started, ended, form, outcome FROM deal"
            " ORDER BY started, table_id, number"
        )
        return tuple(JournalDeal(*row) for row in rows)  # type: ignore[arg-type]  # the schema gives the types

    def terms(self, table_id: bytes, number: int) -> bytes | None:
        """Return the encoded terms of a deal, or None if the journal has none. Raises: LocalError."""
        query = "SELECT terms FROM deal WHERE table_id = ? AND number = ? AND terms IS NOT NULL"
        rows = self._rows(query, table_id, number)
        return _blob(rows[0][0]) if rows else None

    def evidence(self, table_id: bytes, number: int) -> bytes | None:
        """Return the entries that convicted a seat, encoded, or None. Raises: LocalError."""
        query = "SELECT evidence FROM deal WHERE table_id = ? AND number = ? AND evidence IS NOT NULL"
        rows = self._rows(query, table_id, number)
        return _blob(rows[0][0]) if rows else None

    def notes(self, table_id: bytes) -> tuple[tuple[int, bytes], ...]:
        """Return what the ends of a table's deals mean for later ones, by number. Raises: LocalError."""
        query = "SELECT number, note FROM deal WHERE table_id = ? AND note IS NOT NULL ORDER BY number"
        return tuple((_integer(number), _blob(note)) for number, note in self._rows(query, table_id))

    def entries(self, table_id: bytes, number: int) -> tuple[JournalEntry, ...]:
        """Return the entries of a deal in the order in which they were written. Raises: LocalError."""
        rows = self._rows(
            "SELECT step, seat, signed, own FROM entry WHERE table_id = ? AND number = ? ORDER BY rowid",
            table_id,
            number,
        )
        return tuple(
            JournalEntry(_integer(step), _integer(seat), _blob(signed), bool(own))
            for step, seat, signed, own in rows
        )

    def ballots(self, table_id: bytes, number: int) -> tuple[bytes, ...]:
        """Return the signed ballots of a deal in the order in which they were written. Raises: LocalError."""
        query = "SELECT signed FROM ballot WHERE table_id = ? AND number = ? ORDER BY rowid"
        return tuple(_blob(signed) for (signed,) in self._rows(query, table_id, number))

    def leaves(self, table_id: bytes, number: int) -> tuple[bytes, ...]:
        """Return the signed leaves of a deal, by seat. Raises: LocalError."""
        query = "SELECT signed FROM leave WHERE table_id = ? AND number = ? ORDER BY seat"
        return tuple(_blob(signed) for (signed,) in self._rows(query, table_id, number))

    def secrets(self, table_id: bytes, number: int) -> dict[str, bytes]:
        """Return the secrets of an unfinished deal by name; empty for a finished one. Raises: LocalError."""
        query = "SELECT name, value FROM secret WHERE table_id = ? AND number = ?"
        rows = self._rows(query, table_id, number)
        return {_text(name): _blob(value) for name, value in rows}


def open_store(path: Path) -> tuple[Store, StoreSetAside | None]:
    """Open the store at `path`, making it if there is none; the caller holds the profile's lock.

    A damaged file is renamed, never overwritten, and a new store with a new identity takes its place; the
    notice says so. Raises: LocalError (newer-version, unreadable, disk-full).
    """
    notice = None
    if path.exists():
        try:
            return Store(path, store_schema.connect(path)), None
        except StoreDamagedError as damage:
            notice = StoreSetAside(path, set_aside(path, store_schema.COMPANIONS), str(damage))
    store_schema.create(path, secrets.token_bytes(32))
    return Store(path, store_schema.connect(path)), notice


def _blob(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def _text(value: object) -> str:
    assert isinstance(value, str)
    return value


def _integer(value: object) -> int:
    assert isinstance(value, int)
    return value


def _real(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)
