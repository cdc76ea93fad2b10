"""Brings a store of an earlier version to this one, where it lies: there is a person's identity in it.

**Version 1** kept of each deal the signed proposal and its loser. Who played, by which rules and at which
table is read out of the proposal, so that old evenings count in statistics; who won was not written down. The
proposal alone is not enough to take up a deal again, so a deal that is unfinished there ends as stopped, and
its secrets go.

**Version 2** did not know where people were last met, which tables were left, and what the end of a deal
means for the next one.

**Version 3** kept no ballots and no leaves; what a deal's end means for the next one did not say who was
gone, since nobody could be. Nobody had signed that he left a table.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from engine import EngineError, Ruleset
from p2p.protocol.text import clean_name, clean_title


def upgrade(
    connection: sqlite3.Connection, version: int, deal: str, player: str, votes: tuple[str, ...]
) -> None:
    """Upgrade from `version`: all of it or nothing. deal, player, votes: how these tables are made now."""
    with _transaction(connection):
        if version == 1:
            _upgrade_from_1(connection, deal, player)
        if version == 2:
            connection.execute("ALTER TABLE deal ADD COLUMN note BLOB")
        if version < 3:
            connection.execute("ALTER TABLE peer ADD COLUMN address TEXT")
            connection.execute("CREATE TABLE left_table (table_id BLOB PRIMARY KEY) WITHOUT ROWID")
        connection.execute("ALTER TABLE left_table ADD COLUMN leave BLOB")
        for table in votes:
            connection.execute(table)
        # A note is an array of five; its sixth is who was gone: nobody.
        connection.execute(
            "UPDATE deal SET note = CAST(x'96' || substr(note, 2) || x'90' AS BLOB)"
            " WHERE substr(note, 1, 1) = x'95'"
        )
        connection.execute("PRAGMA user_version = 4")
    # The log may still have the secrets.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _upgrade_from_1(connection: sqlite3.Connection, deal: str, player: str) -> None:
    connection.execute("ALTER TABLE deal RENAME TO deal_1")
    connection.execute(deal)
    connection.execute(player)
    connection.execute(
        "INSERT INTO deal (table_id, number, started, ended, form, outcome, evidence)"
        " SELECT table_id, number, started, coalesce(ended, started), form,"
        " coalesce(outcome, 'stopped'), evidence FROM deal_1"
    )
    own = dict(_own_seats(connection))
    for table_id, number, proposal, loser in connection.execute(
        "SELECT table_id, number, proposal, loser_seat FROM deal_1"
    ).fetchall():
        table = _OldTable.read(proposal)
        if table is None:
            continue
        connection.execute(
            "UPDATE deal SET title = ?, form = ?, changes = ? WHERE table_id = ? AND number = ?",
            (table.title, table.form, table.changes, table_id, number),
        )
        connection.executemany(
            "INSERT INTO player (table_id, number, seat, key, name, own, won, lost, lays, opened, lies,"
            " calls, right_calls) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 0, 0, 0, 0)",
            [
                (table_id, number, seat, key, name, seat == own.get((table_id, number)), seat == loser)
                for seat, (key, name) in enumerate(table.members)
            ],
        )
    connection.execute("DROP TABLE deal_1")
    connection.execute("DELETE FROM secret")


def _own_seats(connection: sqlite3.Connection) -> Iterator[tuple[tuple[bytes, int], int]]:
    """The own seat of each deal: that of the own entries."""
    for table_id, number, seat in connection.execute("SELECT table_id, number, seat FROM entry WHERE own"):
        yield (table_id, number), seat


@dataclass(frozen=True, slots=True)
class _OldTable:
    """What the proposal of a version 1 says of its table. members: key and name, by seat."""

    title: str
    form: str
    changes: str
    members: tuple[tuple[bytes, str], ...]

    @classmethod
    def read(cls, signed: bytes) -> "_OldTable | None":
        """Read a signed proposal; None if it is of another shape: then the deal keeps what is known of it."""
        try:
            proposal, _signatures = msgspec.msgpack.decode(signed)
            _label, _version, _offer, title, options, members = msgspec.msgpack.decode(proposal)
            values = dict(options)
            form = values.pop("form")
            named = tuple((bytes(key), clean_name(name)) for key, _nonce, name in members)
            return cls(clean_title(title), form, _changes(form, values, len(named)), named)
        except (msgspec.DecodeError, ValueError, TypeError, KeyError, AttributeError):
            return None


def _changes(form: str, values: dict[str, str | int], players: int) -> str:
    """The options that differ from the form; none where this version does not know the rules any more."""
    try:
        differences = Ruleset.with_preset(form, values).differences(players)
    except EngineError:
        return ""
    return " ".join(f"{name}={value}" for name, value, _usual in differences)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
