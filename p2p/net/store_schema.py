"""How a store's file is made, recognised and opened; what is in it is read and written by `p2p.net.store`.

A store is made under another name and renamed when it is complete, so a file of the right name is a whole
store or a damaged one. It is told from other databases by SQLite's application id, and its version is the
user version. A store of an earlier version is upgraded where it lies (`p2p.net.store_upgrade`): there is a
person's identity in it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from p2p.errors import LocalError, LocalReason
from p2p.net.paths import local_errors, make_private_file, open_at_once, sync_folder
from p2p.net.store_upgrade import upgrade

APPLICATION_ID = 0x56726973
"""The letters "Vris" in SQLite's file header."""

SCHEMA_VERSION = 4

COMPANIONS = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside a database."""

_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_BUSY_TIMEOUT_S = 5.0  # only a backup program could hold the file: the profile's lock keeps ours apart

_DEAL = """CREATE TABLE deal (
    table_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    terms BLOB,
    started REAL NOT NULL,
    ended REAL,
    title TEXT,
    form TEXT,
    changes TEXT,
    outcome TEXT,
    cause TEXT,
    evidence BLOB,
    note BLOB,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID"""
"""A deal. `terms` is NULL where a store of version 1 kept the proposal alone. `note`: what the table's later
deals need to know of its end.
"""

_PLAYER = """CREATE TABLE player (
    table_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    key BLOB NOT NULL,
    name TEXT NOT NULL,
    own INTEGER NOT NULL,
    place INTEGER,
    won INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    lays INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    lies INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    right_calls INTEGER NOT NULL,
    PRIMARY KEY (table_id, number, seat)
) WITHOUT ROWID"""

_BALLOT = """CREATE TABLE ballot (
    table_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    poll INTEGER NOT NULL,
    opener INTEGER NOT NULL,
    own INTEGER NOT NULL,
    signed BLOB NOT NULL,
    PRIMARY KEY (table_id, number, step, seat, poll, opener)
)"""
"""Answers to polls about seats that were missed."""

_LEAVE = """CREATE TABLE leave (
    table_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    signed BLOB NOT NULL,
    PRIMARY KEY (table_id, number, seat)
)"""
"""Who has left a deal."""

VOTES = (_BALLOT, _LEAVE)

_SCHEMA = f"""
CREATE TABLE identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    private BLOB NOT NULL CHECK (typeof(private) = 'blob' AND length(private) = 32)
);
CREATE TABLE peer (
    key BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    address TEXT
) WITHOUT ROWID;
CREATE TABLE left_table (
    table_id BLOB PRIMARY KEY,
    leave BLOB
) WITHOUT ROWID;
{_DEAL};
{_PLAYER};
{_BALLOT};
{_LEAVE};
CREATE TABLE entry (
    table_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    own INTEGER NOT NULL,
    signed BLOB NOT NULL,
    PRIMARY KEY (table_id, number, step, seat)
);
CREATE TABLE secret (
    table_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (table_id, number, name)
);
"""


class StoreDamagedError(Exception):
    """The file is not a whole store of ours. Whoever opens it sets it aside."""


def create(path: Path, private_key: bytes) -> None:
    """Make a new store at `path`, which must not exist, with mode 0600 from its first byte. The file appears
    whole.

    Raises: LocalError.
    """
    growing = path.with_name(path.name + ".new")
    for leftover in (growing, *(growing.with_name(growing.name + companion) for companion in COMPANIONS)):
        with local_errors(leftover):
            leftover.unlink(missing_ok=True)
    make_private_file(growing)
    with sqlite_errors(growing):
        connection = sqlite3.connect(growing, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA.split(";\n"):
                connection.execute(statement)
            connection.execute("INSERT INTO identity (id, private) VALUES (1, ?)", (private_key,))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("COMMIT")
        finally:
            connection.close()
    with local_errors(path):
        growing.rename(path)
    sync_folder(path.parent)


def connect(path: Path) -> sqlite3.Connection:
    """Open the store at `path` and check it. The connection belongs to the calling thread.

    Raises: StoreDamagedError; LocalError (newer-version, unreadable, disk-full).
    """
    _check_header(path)
    make_private_file(path)
    with sqlite_errors(path), _damage():
        connection = sqlite3.connect(path, isolation_level=None, timeout=_BUSY_TIMEOUT_S)
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            _check_version(path, version)
            _expect(connection, "PRAGMA quick_check(1)", "ok")
            # A deleted secret is overwritten, and a sorted query never spills into a file elsewhere.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL brings every commit to the disk before it returns: an entry may be sent only after that.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA trusted_schema = OFF")
            if version < SCHEMA_VERSION:
                upgrade(connection, version, _DEAL, _PLAYER, VOTES)
            _expect(connection, "SELECT count(*) FROM identity", 1)
            _check_values(connection)
        except BaseException:
            with suppress(sqlite3.Error):
                connection.close()
            raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the store at `path` only to read it, also while another process writes; nothing in it changes.

    A store of an earlier version is copied into memory and upgraded there. Raises: as `connect`.
    """
    _check_header(path)
    with sqlite_errors(path), _damage():
        # With "mode=ro" SQLite would leave the files of an empty log behind; a connection that may write, and
        # is told not to, cleans up after itself.
        name = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(name, uri=True, isolation_level=None, timeout=_BUSY_TIMEOUT_S)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA temp_store = MEMORY")
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            _check_version(path, version)
            if version < SCHEMA_VERSION:
                copy = sqlite3.connect(":memory:", isolation_level=None)
                connection.backup(copy)
                connection.close()
                connection = copy
                upgrade(connection, version, _DEAL, _PLAYER, VOTES)
            _check_values(connection)
        except BaseException:
            with suppress(sqlite3.Error):
                connection.close()
            raise
    return connection


def _check_values(connection: sqlite3.Connection) -> None:
    """Check that every value is of its column's kind: SQLite itself keeps anything anywhere.

    From here on a text is read as text, whatever its bytes are: it is shown, and nothing depends on it.
    """
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(_SCHEMA)
        for (table,) in model.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            wrong = []
            for _, column, kind, required, _, part_of_key in model.execute(f"PRAGMA table_info({table})"):
                kinds = f"'{kind.lower()}'" if required or part_of_key else f"'{kind.lower()}', 'null'"
                wrong.append(f"typeof({column}) NOT IN ({kinds})")
            _expect(connection, f"SELECT count(*) FROM {table} WHERE {' OR '.join(wrong)}", 0)  # noqa: S608


def _expect(connection: sqlite3.Connection, query: str, answer: str | int) -> None:
    row = connection.execute(query).fetchone()
    if row != (answer,):
        raise StoreDamagedError(f"{query}: {row}")


def _check_header(path: Path) -> None:
    """Read who wrote the file and in what version before SQLite may touch it."""
    with local_errors(path), open_at_once(path) as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreDamagedError("not a database")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise StoreDamagedError("not a store of this program")
    _check_version(path, int.from_bytes(header[60:64], "big"))


def _check_version(path: Path, version: int) -> None:
    if version > SCHEMA_VERSION:
        raise LocalError(LocalReason.NEWER_VERSION, str(path), f"version {version}, ours is {SCHEMA_VERSION}")
    if version < 1:
        raise StoreDamagedError("no version")


@contextmanager
def _damage() -> Iterator[None]:
    """Turn SQLite's word for damage into StoreDamagedError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if _primary_code(error) in _DAMAGE or "no such table" in str(error):
            raise StoreDamagedError(str(error)) from error
        raise
    except UnicodeDecodeError as error:
        # SQLite's own message quotes the damaged schema.
        raise StoreDamagedError("a schema that is no text") from error


_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def _primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code of an error: the low byte of the extended one."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF if isinstance(code, int) else 0


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn an error of SQLite about `path` into a LocalError with a reason."""
    try:
        yield
    except sqlite3.Error as error:
        code = _primary_code(error)
        if code == sqlite3.SQLITE_FULL:
            reason = LocalReason.DISK_FULL
        elif code in _DAMAGE:
            reason = LocalReason.STORE_DAMAGED
        else:
            reason = LocalReason.UNREADABLE
        # SQLite's messages name tables and causes, never values.
        raise LocalError(reason, str(path), str(error)) from error
    except UnicodeDecodeError as error:
        raise LocalError(LocalReason.STORE_DAMAGED, str(path), "no text") from error
