"""The store: what was written is there after a crash, what was erased is not, and a damaged file is kept."""

import itertools
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

import p2p.net.store
from p2p.errors import LocalError, LocalReason
from p2p.net.history import read_history
from p2p.net.paths import replace_file
from p2p.net.store import (
    DealEnd,
    JournalBallot,
    JournalBatch,
    JournalEntry,
    SecondEntryError,
    Store,
    open_store,
)
from p2p.net.store_schema import SCHEMA_VERSION

TABLE = bytes(range(32))
SECRET = b"the deal key that nobody may find" * 3


def filled(path: Path) -> Store:
    store, notice = open_store(path)
    assert notice is None
    store.write([batch(entry(0, 0, own=True), entry(0, 1), secrets=(("key", SECRET),))], now=10.0)
    return store


def batch(*entries: JournalEntry, secrets: tuple[tuple[str, bytes], ...] = ()) -> JournalBatch:
    return JournalBatch(TABLE, 1, b"terms", entries, secrets)


def entry(step: int, seat: int, own: bool = False, signed: bytes = b"signed") -> JournalEntry:
    return JournalEntry(step, seat, signed, own)


def anywhere(folder: Path, needle: bytes) -> list[str]:
    return [path.name for path in folder.iterdir() if needle in path.read_bytes()]


def test_identity_is_made_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    store, _ = open_store(path)
    key = store.private_key()
    store.close()
    again, notice = open_store(path)
    assert (len(key), again.private_key(), notice) == (32, key, None)
    assert key.hex() not in repr(again)
    again.close()


def test_people_keep_their_first_meeting_and_take_their_last_name(tmp_path: Path) -> None:
    store, _ = open_store(tmp_path / "main.sqlite")
    here = "192.168.1.23:52417"
    store.remember_peers([(b"a" * 32, "Anna", here), (b"b" * 32, "Boris", None)], now=1.0)
    store.remember_peers([(b"a" * 32, "Anya" + "!" * 100, None)], now=2.0)
    people = store.known_peers()
    assert [person.address for person in people] == [here, None], "where he was is not forgotten"
    assert [(p.key[:1], p.name[:4], p.first_seen, p.last_seen) for p in people] == [
        (b"a", "Anya", 1.0, 2.0),
        (b"b", "Bori", 1.0, 1.0),
    ]
    assert len(people[0].name) == 64
    store.close()


def test_journal_comes_back_as_it_was_written(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    store.write([batch(entry(1, 1), entry(1, 0, own=True))], now=11.0)
    assert [(e.step, e.seat, e.own) for e in store.entries(TABLE, 1)] == [
        (0, 0, True),
        (0, 1, False),
        (1, 1, False),
        (1, 0, True),
    ]
    assert store.terms(TABLE, 1) == b"terms"
    assert store.terms(TABLE, 2) is None
    assert store.secrets(TABLE, 1) == {"key": SECRET}
    assert [(d.number, d.started, d.ended) for d in store.deals()] == [(1, 10.0, None)]
    store.close()


def test_writing_the_same_entries_twice_changes_nothing(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    before = store.entries(TABLE, 1)
    store.write([batch(entry(0, 0, own=True), entry(0, 1, signed=b"another story"))], now=12.0)
    assert store.entries(TABLE, 1) == before
    store.close()


def test_second_differing_own_entry_for_a_step_is_refused_with_its_whole_batch(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    with pytest.raises(SecondEntryError):
        store.write([batch(entry(5, 1), entry(0, 0, own=True, signed=b"another story"))], now=12.0)
    assert [e.step for e in store.entries(TABLE, 1)] == [0, 0]
    store.close()


def under(terms: bytes, *entries: JournalEntry, ballots: tuple[JournalBallot, ...] = ()) -> JournalBatch:
    return JournalBatch(TABLE, 2, terms, entries, (("key", SECRET),), ballots)


def test_a_deal_that_gets_other_terms_before_it_has_begun_is_written_anew(tmp_path: Path) -> None:
    """Its seats are other people's then: what is stored of them would stand in the way of what they sign."""
    store = filled(tmp_path / "main.sqlite")
    voted = JournalBallot(0, 1, 1, 1, b"of the one who had seat 1", own=False)
    store.write([under(b"before", entry(0, 1), ballots=(voted,))], now=12.0)
    own = replace(voted, signed=b"of the one who has it now", own=True)
    store.write([under(b"now", entry(0, 0, own=True), ballots=(own,))], now=13.0)
    assert store.terms(TABLE, 2) == b"now"
    assert [(e.step, e.seat, e.own) for e in store.entries(TABLE, 2)] == [(0, 0, True)]
    assert store.ballots(TABLE, 2) == (own.signed,)
    assert store.terms(TABLE, 1) == b"terms"
    with pytest.raises(SecondEntryError):
        store.write([under(b"once more", entry(0, 0, own=True))], now=14.0)
    assert store.terms(TABLE, 2) == b"now"
    store.write([under(b"without the own seat")], now=15.0)
    assert store.entries(TABLE, 2) == ()
    store.close()


def test_ended_deal_keeps_its_entries_and_result_and_loses_its_secrets(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    assert anywhere(tmp_path, SECRET)
    store.end_deal(TABLE, 1, DealEnd("pagat", "finished"), now=20.0)
    assert store.secrets(TABLE, 1) == {}
    assert len(store.entries(TABLE, 1)) == 2
    (deal,) = store.deals()
    assert (deal.form, deal.outcome) == ("pagat", "finished")
    assert (deal.started, deal.ended) == (10.0, 20.0)
    store.close()


@pytest.mark.parametrize("size", [33, 5_000, 50_000])
def test_erased_secret_is_in_no_file_of_the_profile(tmp_path: Path, size: int) -> None:
    store, _ = open_store(tmp_path / "main.sqlite")
    secret = os.urandom(size)
    store.write([batch(secrets=(("key", secret), ("other", b"x" * 40)))], now=1.0)
    store.write([batch(entry(0, 0), secrets=(("key", secret[::-1]),))], now=1.0)
    pieces = (secret[:32], secret[-32:], secret[::-1][:32])
    store.end_deal(TABLE, 1, DealEnd("pagat", "finished"), now=2.0)
    assert [anywhere(tmp_path, piece) for piece in pieces] == [[], [], []]
    store.close()
    assert [anywhere(tmp_path, piece) for piece in pieces] == [[], [], []]


def test_secret_that_a_reader_kept_in_the_log_is_gone_with_the_next_batch(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    store._connection.execute("PRAGMA busy_timeout = 10")
    backup = sqlite3.connect(tmp_path / "main.sqlite", isolation_level=None)
    backup.execute("BEGIN")
    backup.execute("SELECT count(*) FROM entry").fetchone()
    store.end_deal(TABLE, 1, DealEnd("pagat", "finished"), now=20.0)
    assert anywhere(tmp_path, SECRET)
    backup.close()
    store.write([batch(entry(9, 0, own=True))], now=21.0)
    assert not anywhere(tmp_path, SECRET)
    store.close()


WRITER = """
import sys
from pathlib import Path
from p2p.net.store import JournalBatch, JournalEntry, open_store
store, _ = open_store(Path(sys.argv[1]))
for step in range(1000000):
    entries = tuple(JournalEntry(step, seat, bytes([seat]) * 3000, seat == 0) for seat in range(4))
    store.write([JournalBatch(bytes(range(32)), 1, b"p", entries)], 1.0)
    print(step, flush=True)
"""


def test_process_killed_while_writing_leaves_whole_batches_and_all_it_reported(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    program = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for _ in range(30):
            reported = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read().split()
        reported = int(rest[-1]) if rest else reported
    store, notice = open_store(path)
    assert notice is None
    steps = [e.step for e in store.entries(TABLE, 1)]
    assert steps == [step for step in range(len(steps) // 4) for _ in range(4)]
    assert len(steps) // 4 > reported
    store.close()


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def fill_with_nuls(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def empty(path: Path) -> None:
    os.truncate(path, 0)


def scribble(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)


def replace_by_text(path: Path) -> None:
    path.write_text("not a database\n" * 1000)


def replace_by_other_database(path: Path) -> None:
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE diary (day TEXT)")
    other.commit()
    other.close()


def lose_the_identity(path: Path) -> None:
    store = sqlite3.connect(path)
    store.execute("DELETE FROM identity")
    store.commit()
    store.close()


def lose_a_table(path: Path) -> None:
    store = sqlite3.connect(path)
    store.execute("DROP TABLE identity")
    store.commit()
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        cut_in_half,
        fill_with_nuls,
        empty,
        scribble,
        replace_by_text,
        replace_by_other_database,
        lose_the_identity,
        lose_a_table,
    ],
)
def test_damaged_store_is_set_aside_untouched_and_a_new_one_begins(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "main.sqlite"
    store = filled(path)
    key = store.private_key()
    store.close()
    damage(path)
    damaged = path.read_bytes()
    store, notice = open_store(path)
    assert notice is not None
    assert (notice.path, notice.moved_to.name) == (path, "main.sqlite.damaged-1")
    assert notice.moved_to.read_bytes() == damaged
    assert store.private_key() != key
    assert store.deals() == ()
    store.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_pipe_in_place_of_the_store_is_damage_and_holds_nothing_up(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    os.mkfifo(path)
    store, notice = open_store(path)
    assert notice is not None
    assert notice.moved_to.is_fifo()
    store.close()


def test_write_ahead_log_goes_aside_with_its_damaged_store(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    store = filled(path)
    log = (tmp_path / "main.sqlite-wal").read_bytes()
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "main.sqlite").write_bytes(b"junk")
    (copy / "main.sqlite-wal").write_bytes(log)
    store.close()
    again, notice = open_store(copy / "main.sqlite")
    assert notice is not None
    assert (copy / "main.sqlite.damaged-1-wal").read_bytes() == log
    assert again.deals() == ()
    again.close()


def test_store_of_a_newer_version_is_refused_and_left_untouched(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    filled(path).close()
    newer = sqlite3.connect(path)
    newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    newer.close()
    before = path.read_bytes()
    with pytest.raises(LocalError) as caught:
        open_store(path)
    assert caught.value.reason is LocalReason.NEWER_VERSION
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["main.sqlite"]


def test_half_made_store_of_a_crashed_start_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "main.sqlite.new").write_bytes(b"half")
    store, notice = open_store(tmp_path / "main.sqlite")
    assert notice is None
    assert not (tmp_path / "main.sqlite.new").exists()
    store.close()


def test_folder_in_place_of_the_store_is_an_unreadable_place(tmp_path: Path) -> None:
    (tmp_path / "main.sqlite").mkdir()
    with pytest.raises(LocalError) as caught:
        open_store(tmp_path / "main.sqlite")
    assert caught.value.reason is LocalReason.UNREADABLE


def test_full_store_refuses_a_batch_whole_and_takes_it_when_there_is_room(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    big = batch(entry(1, 0, own=True), *(entry(1, seat, signed=bytes(9000)) for seat in range(1, 4)))
    with pytest.raises(LocalError) as caught:
        store.write([big], now=1.0)
    assert caught.value.reason is LocalReason.DISK_FULL
    assert [e.step for e in store.entries(TABLE, 1)] == [0, 0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 100}")
    store.write([big], now=1.0)
    assert len(store.entries(TABLE, 1)) == 6
    store.close()


def test_disk_that_takes_no_more_bytes_gives_a_typed_error_and_loses_nothing(tmp_path: Path) -> None:
    # A limit on the size of files stands in for a full disk: the system refuses the write in the same place.
    program = """
import sys, resource, signal
from pathlib import Path
from p2p.errors import LocalError
from p2p.net.store import JournalBatch, JournalEntry, open_store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store, _ = open_store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
for step in range(1000):
    try:
        store.write([JournalBatch(bytes(range(32)), 1, b"p", (JournalEntry(step, 0, bytes(9000), True),))],
        1.0)
    except LocalError as error:
        print(step, error.reason.name)
        break
"""
    path = tmp_path / "main.sqlite"
    answer = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=30, check=True
    )
    failed, reason = answer.stdout.split()
    assert reason in {"DISK_FULL", "UNREADABLE"}
    store, notice = open_store(path)
    assert notice is None
    assert [e.step for e in store.entries(TABLE, 1)] == list(range(int(failed)))
    store.close()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few hundred kilobytes, where the machine lets the tests mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, timeout=10, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("this machine does not let the tests mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], timeout=10, check=True)


def write_for_ever(store: Store, steps: Iterator[int]) -> None:
    for step in steps:
        store.write([batch(entry(step, 0, own=True, signed=os.urandom(9000)))], now=1.0)


def test_full_file_system_is_told_by_its_reason_and_loses_nothing(tiny_disk: Path) -> None:
    path = tiny_disk / "main.sqlite"
    store = filled(path)
    steps = itertools.count(1)
    with pytest.raises(LocalError) as caught:
        write_for_ever(store, steps)
    assert caught.value.reason is LocalReason.DISK_FULL
    kept = store.entries(TABLE, 1)
    assert [e.step for e in kept] == [0, *range(next(steps) - 1)]
    with pytest.raises(LocalError) as caught:
        replace_file(tiny_disk / "deal.jsonl", bytes(300_000))
    assert caught.value.reason is LocalReason.DISK_FULL
    assert not (tiny_disk / "deal.jsonl").exists()
    with suppress(LocalError):
        store.close()
    again, notice = open_store(path)
    assert notice is None
    assert again.entries(TABLE, 1) == kept
    again.close()


def test_full_file_system_takes_no_new_store_and_keeps_nothing_of_it(tiny_disk: Path) -> None:
    (tiny_disk / "film").write_bytes(bytes(240_000))
    with pytest.raises(LocalError) as caught:
        open_store(tiny_disk / "main.sqlite")
    assert caught.value.reason is LocalReason.DISK_FULL
    assert not (tiny_disk / "main.sqlite").exists()
    (tiny_disk / "film").unlink()
    open_store(tiny_disk / "main.sqlite")[0].close()


def test_beyond_a_bound_those_not_met_for_longest_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(p2p.net.store, "MOST_PEOPLE", 3)
    store, _ = open_store(tmp_path / "main.sqlite")
    for number in range(5):
        store.remember_peers([(bytes([number]) * 32, str(number), None)], now=float(number))
    assert [person.name for person in store.known_peers()] == ["4", "3", "2"]
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entry SET signed = 'text'",
        "UPDATE entry SET seat = x'00'",
        "UPDATE deal SET terms = 5",
        "UPDATE deal SET outcome = x'ff'",
        "UPDATE peer SET first_seen = 'long ago'",
        "UPDATE secret SET value = 1.5",
    ],
)
def test_store_with_a_value_of_another_kind_is_damaged_for_every_reader(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "profile.sqlite"
    store, _ = open_store(path)
    store.remember_peers([(b"k" * 32, "Vera", None)], 1.0)
    store.write([batch(entry(0, 0), secrets=(("deal", b"x"),))], 1.0)
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(damage)
    with pytest.raises(LocalError) as caught:
        read_history(path)
    assert caught.value.reason is LocalReason.STORE_DAMAGED
    store, notice = open_store(path)
    store.close()
    assert notice is not None
    assert notice.moved_to.exists()


def test_text_that_is_no_utf8_is_read_as_well_as_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "profile.sqlite"
    store, _ = open_store(path)
    store.remember_peers([(b"k" * 32, "Vera", None)], 1.0)
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE peer SET name = CAST(x'56ff' AS TEXT)")
    store, notice = open_store(path)
    assert notice is None
    assert store.known_peers()[0].name == "V\ufffd"
    store.close()
