"""A store of version 1, as that version wrote it: nothing of a person is lost, and its deals count."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from deal_players import table_of

import p2p.net.store_upgrade
from p2p.errors import LocalError, LocalReason
from p2p.net.history import read_history
from p2p.net.store import DealEnd, JournalBatch, Store, open_store
from p2p.net.store_schema import SCHEMA_VERSION
from p2p.protocol.deal_tally import Tally
from p2p.protocol.effects import Stopped
from p2p.protocol.succession import Succession

VERSION_1 = Path(__file__).parent / "data" / "store-1.sql"
SECRET = b"the secret of the third deal"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "main.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1.read_text())
        connection.execute("PRAGMA journal_mode = WAL")
    return path


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


def opened(path: Path) -> Store:
    store, notice = open_store(path)
    assert notice is None
    return store


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_identity_people_and_entries_are_kept(old: Path) -> None:
    store = opened(old)
    assert store.private_key() == bytes(range(32))
    assert [person.name for person in store.known_peers()] == ["Boris"]
    deals = store.deals()
    assert [len(store.entries(deal.table_id, deal.number)) for deal in deals] == [6, 6, 2]
    assert [store.terms(deal.table_id, deal.number) for deal in deals] == [None] * 3
    store.close()
    store = opened(old)
    assert store.private_key() == bytes(range(32))
    assert store.deals() == deals
    store.close()
    assert version(old) == SCHEMA_VERSION


def test_deals_count_in_statistics(old: Path) -> None:
    opened(old).close()
    history = read_history(old)
    assert history.unfinished == 0
    for deal in history.deals[:2]:
        assert (deal.title, deal.form, deal.changes, deal.outcome) == ("Kitchen", "pagat", {}, "finished")
        assert [(one.name, one.own, one.lost, one.won) for one in deal.players] == [
            ("Anna", True, False, False),
            ("Boris", False, True, False),
        ]
        assert [one.tally for one in deal.players] == [Tally(), Tally()]
        assert deal.started < deal.ended


def test_an_unfinished_deal_ends_as_stopped_and_its_secret_is_in_no_file(old: Path) -> None:
    assert SECRET in old.read_bytes()
    store = opened(old)
    last = store.deals()[-1]
    assert (last.number, last.outcome, last.ended) == (3, "stopped", last.started)
    assert store.secrets(last.table_id, 3) == {}
    assert not [path.name for path in old.parent.iterdir() if SECRET in path.read_bytes()]
    store.close()
    assert not [path.name for path in old.parent.iterdir() if SECRET in path.read_bytes()]


def test_an_upgraded_store_is_written_like_any_other(old: Path) -> None:
    store = opened(old)
    last = store.deals()[-1]
    store.end_deal(last.table_id, last.number, DealEnd("pagat", "void", cause="fork"), now=9e9)
    store.write([JournalBatch(last.table_id, 4, b"terms")], now=9e9)
    assert store.terms(last.table_id, 4) == b"terms"
    store.close()
    deal = read_history(old).deals[-1]
    assert (deal.outcome, deal.cause, deal.players) == ("void", "fork", ())


@pytest.mark.parametrize(
    "proposal",
    [
        b"",
        b"\xc1",
        b"\x92\xc4\x01\x05\x90",  # a proposal that is a number
        b"\x93\x01\x02\x03",
        b"\x92\xc4\x01\x90\x90",  # an empty proposal
    ],
)
def test_a_deal_whose_proposal_cannot_be_read_keeps_what_is_known_of_it(old: Path, proposal: bytes) -> None:
    change(old, "UPDATE deal SET proposal = ? WHERE number = 1", proposal)
    opened(old).close()
    first, second, _ = read_history(old).deals
    assert (first.form, first.outcome, first.title, first.players) == ("pagat", "finished", "", ())
    assert second.title == "Kitchen"


def test_an_upgrade_that_is_cut_short_leaves_the_old_store(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(_signed: bytes) -> None:
        raise KeyboardInterrupt

    before = version(old)
    with monkeypatch.context() as cutting:
        cutting.setattr(p2p.net.store_upgrade._OldTable, "read", cut)
        with pytest.raises(KeyboardInterrupt):
            open_store(old)
    assert version(old) == before == 1
    store = opened(old)
    assert len(store.deals()) == 3
    store.close()


def test_statistics_of_an_old_store_change_nothing_in_it(old: Path) -> None:
    before = old.read_bytes()
    assert [deal.title for deal in read_history(old).deals] == ["Kitchen"] * 3
    assert old.read_bytes() == before
    assert [path.name for path in old.parent.iterdir()] == ["main.sqlite"]


def test_a_store_that_cannot_be_upgraded_stays_as_it_was(old: Path) -> None:
    change(old, "CREATE TABLE player (nonsense)")
    with pytest.raises(LocalError) as caught:
        open_store(old)
    assert caught.value.reason is LocalReason.UNREADABLE
    assert version(old) == 1


def test_a_store_of_version_2_learns_where_people_were_and_which_tables_were_left(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    store = opened(path)
    store.write([JournalBatch(bytes(32), 1, b"terms", (), (("deal", SECRET),))], now=1.0)
    store.remember_peers([(b"a" * 32, "Anna", None)], now=1.0)
    store.close()
    for statement in (
        "ALTER TABLE deal DROP COLUMN note",
        "ALTER TABLE peer DROP COLUMN address",
        "DROP TABLE left_table",
        "DROP TABLE ballot",
        "DROP TABLE leave",
        "PRAGMA user_version = 2",
    ):
        change(path, statement)
    store = opened(path)
    assert version(path) == SCHEMA_VERSION
    assert [(person.name, person.address) for person in store.known_peers()] == [("Anna", None)]
    assert store.secrets(bytes(32), 1) == {"deal": SECRET}, "a deal that runs is not touched"
    assert (store.left_tables(), store.notes(bytes(32))) == ({}, ())
    assert (store.ballots(bytes(32), 1), store.leaves(bytes(32), 1)) == ((), ())
    store.close()


def test_in_a_store_of_version_3_nobody_was_gone_and_nobody_had_signed_that_he_left(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    store = opened(path)
    table = table_of(2, seed=4).terms
    succession = Succession(table.table)
    succession.take(table, Stopped(1), None)
    note = succession.note(1)
    store.write([JournalBatch(bytes(32), 1, b"terms")], now=1.0)
    store.write([JournalBatch(bytes(32), 2, b"terms")], now=1.0)
    store.end_deal(bytes(32), 1, DealEnd("pagat", "stopped", note=note), now=2.0)
    store.leave_table(b"t" * 32, b"leave")
    store.close()
    for statement in (
        "UPDATE deal SET note = CAST(x'95' || substr(note, 2, length(note) - 2) AS BLOB) WHERE number = 1",
        "CREATE TABLE left_3 (table_id BLOB PRIMARY KEY) WITHOUT ROWID",
        "INSERT INTO left_3 SELECT table_id FROM left_table",
        "DROP TABLE left_table",
        "ALTER TABLE left_3 RENAME TO left_table",
        "DROP TABLE ballot",
        "DROP TABLE leave",
        "PRAGMA user_version = 3",
    ):
        change(path, statement)
    store = opened(path)
    assert version(path) == SCHEMA_VERSION
    assert store.notes(bytes(32)) == ((1, note),)
    Succession(table.table).recall(1, store.notes(bytes(32))[0][1])
    assert store.left_tables() == {b"t" * 32: None}
    assert store.ballots(bytes(32), 1) == ()
    store.close()
