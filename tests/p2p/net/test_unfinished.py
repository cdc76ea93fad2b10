"""Which table of a journal can be taken up, and what is read of it."""

from pathlib import Path

import pytest
from deal_players import Table, journal_of, table_of

from p2p.errors import LocalError
from p2p.net.profile import take_profile
from p2p.net.store import DealEnd, JournalBatch, JournalEntry, Store, open_store
from p2p.net.unfinished import Wanted, find_unfinished, has_unfinished, read_deal, read_left
from p2p.protocol.ballot import Leave, sign_leave
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Stopped
from p2p.protocol.entry import SignedEntry
from p2p.protocol.succession import Succession
from p2p.protocol.wire import encode


@pytest.fixture(scope="module")
def table() -> Table:
    """A table of two in the middle of its first deal."""
    table = table_of(2, seed=4)
    table.start()
    table.play(until=lambda table: table.deals[0].step >= 12)
    return table


def opened(path: Path) -> Store:
    store, notice = open_store(path)
    assert notice is None
    return store


def batch(table: Table, terms: DealTerms | None = None) -> JournalBatch:
    """What seat 0 has written of the deal."""
    secrets, entries = journal_of(table, 0)
    assert secrets is not None
    kept = terms or table.terms
    return JournalBatch(
        kept.table.table_id,
        kept.deal,
        kept.encode(),
        tuple(journal_entry(signed) for signed in entries) if terms is None else (),
        (("deal", secrets),),
    )


def journal_entry(signed: SignedEntry) -> JournalEntry:
    entry = signed.open()
    return JournalEntry(entry.step, entry.seat, encode(signed), entry.seat == 0)


def note_of(table: Table) -> bytes:
    """The note of a deal that was stopped."""
    succession = Succession(table.terms.table)
    succession.take(table.terms, Stopped(1), None)
    return succession.note(table.terms.deal)


def end(table: Table, outcome: str = "finished") -> DealEnd:
    return DealEnd("pagat", outcome, note=note_of(table))


def own_key(table: Table) -> bytes:
    return table.identities[0].public


def test_an_unfinished_deal_is_found_with_all_that_it_takes(tmp_path: Path, table: Table) -> None:
    store = opened(tmp_path / "main.sqlite")
    store.write([batch(table)], now=1.0)
    found = find_unfinished(store, own_key(table), Wanted())
    assert found is not None
    assert (found.title, found.names, found.deal, found.between) == ("a table", ("player 1",), 1, False)
    assert found.members == (table.identities[1].public,)
    secrets, entries = journal_of(table, 0)
    deal = found.resumed.last
    assert (deal.terms, deal.secrets, deal.entries, deal.closed) == (table.terms, secrets, entries, False)
    assert secrets is not None
    assert repr(secrets) not in repr(found)
    store.close()


def test_only_a_table_of_the_wanted_title_counts(tmp_path: Path, table: Table) -> None:
    path = tmp_path / "main.sqlite"
    store = opened(path)
    store.write([batch(table)], now=1.0)
    for title, found in (("a table", True), ("another", False)):
        assert (find_unfinished(store, own_key(table), Wanted(title=title)) is not None) is found
        assert has_unfinished(path, Wanted(title=title)) is found
    store.close()


@pytest.mark.parametrize("now", [2.0, 0.5], ids=["", "though the clock was set back"])
def test_of_two_tables_the_later_one_counts_unless_older_ones_are_asked_for(
    tmp_path: Path, table: Table, now: float
) -> None:
    store = opened(tmp_path / "main.sqlite")
    store.write([batch(table)], now=1.0)
    later = table_of(2, seed=5, table="later")
    later.start()
    store.write([batch(later)], now=now)
    store.end_deal(later.terms.table.table_id, 1, end(later), now=3.0)
    store.leave_table(later.terms.table.table_id, b"leave")
    assert find_unfinished(store, own_key(table), Wanted()) is None
    older = find_unfinished(store, own_key(table), Wanted(older=True))
    assert older is not None
    assert older.table_id == table.terms.table.table_id
    store.close()


def test_between_two_deals_a_table_counts_until_it_is_left(tmp_path: Path, table: Table) -> None:
    path = tmp_path / "main.sqlite"
    store = opened(path)
    store.write([batch(table)], now=1.0)
    table_id = table.terms.table.table_id
    store.end_deal(table_id, 1, end(table), now=2.0)
    found = find_unfinished(store, own_key(table), Wanted())
    assert found is not None
    assert (found.between, found.resumed.last.closed, found.resumed.last.secrets) == (True, True, None)
    assert has_unfinished(path, Wanted())
    store.leave_table(table_id, b"leave")
    store.leave_table(table_id, b"another leave")
    assert find_unfinished(store, own_key(table), Wanted()) is None
    assert not has_unfinished(path, Wanted())
    store.write([batch(table)], now=3.0)
    assert store.left_tables() == {table_id: b"leave"}, "a leave cannot be taken back"
    assert find_unfinished(store, own_key(table), Wanted()) is None
    store.close()


def test_a_deal_that_was_left_in_the_middle_is_not_offered(tmp_path: Path, table: Table) -> None:
    path, table_id = tmp_path / "main.sqlite", table.terms.table.table_id
    store = opened(path)
    store.write([batch(table)], now=1.0)
    left = sign_leave(table.identities[0], Leave(table_id, 1, 0))
    store.leave_table(table_id, encode(left))
    assert find_unfinished(store, own_key(table), Wanted()) is None
    assert not has_unfinished(path, Wanted())
    assert read_left(store) == {table_id: left}
    store._connection.execute("UPDATE left_table SET leave = NULL")
    assert read_left(store) == {table_id: None}
    store.close()


def test_another_key_finds_nothing(tmp_path: Path, table: Table) -> None:
    store = opened(tmp_path / "main.sqlite")
    store.write([batch(table)], now=1.0)
    assert find_unfinished(store, b"k" * 32, Wanted()) is None
    store.close()


@pytest.mark.parametrize("damage", ["terms", "number", "table", "note", "notes"])
def test_what_nobody_could_go_on_with_is_not_offered(tmp_path: Path, table: Table, damage: str) -> None:
    store = opened(tmp_path / "main.sqlite")
    store.write([batch(table)], now=1.0)
    table_id = table.terms.table.table_id
    store.end_deal(table_id, 1, end(table), now=2.0)
    change = {
        "terms": "UPDATE deal SET terms = x'00'",
        "number": "UPDATE deal SET number = 2",
        "table": "UPDATE deal SET table_id = zeroblob(32)",
        "note": "UPDATE deal SET note = x'00'",
        "notes": "UPDATE deal SET note = NULL",
    }[damage]
    store._connection.execute(change)
    assert find_unfinished(store, own_key(table), Wanted()) is None
    store.close()


def test_damaged_entries_are_left_out(tmp_path: Path, table: Table) -> None:
    store = opened(tmp_path / "main.sqlite")
    store.write([batch(table)], now=1.0)
    store._connection.execute("UPDATE entry SET signed = x'c0' WHERE step = 3")
    found = find_unfinished(store, own_key(table), Wanted())
    assert found is not None
    steps = {signed.open().step for signed in found.resumed.last.entries}
    assert 3 not in steps
    assert {2, 4} <= steps
    store.close()


def test_a_damaged_or_foreign_store_holds_nothing_to_take_up(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    assert not has_unfinished(path, Wanted())
    path.write_bytes(b"\0" * 5000)
    assert not has_unfinished(path, Wanted())
    assert path.read_bytes() == b"\0" * 5000


def test_the_free_profile_with_the_unfinished_deal_is_taken(tmp_path: Path, table: Table) -> None:
    for name in ("main", "main-2", "main-3"):
        profile = take_profile(tmp_path, name)
        store = opened(profile.path)
        if name != "main":
            store.write([batch(table)], now=1.0)
        store.close()
        profile.release()

    def prefer(path: Path) -> bool:
        return has_unfinished(path, Wanted())

    first = take_profile(tmp_path, prefer=prefer)
    second = take_profile(tmp_path, prefer=prefer)
    third = take_profile(tmp_path, prefer=prefer)
    assert (first.name, second.name, third.name) == ("main-2", "main-3", "main")
    for profile in (first, second, third):
        profile.release()
    assert take_profile(tmp_path).name == "main"


def test_any_deal_of_the_journal_can_be_read_to_be_watched_also_while_it_is_in_use(
    tmp_path: Path, table: Table
) -> None:
    path = tmp_path / "store.sqlite"
    store = opened(path)
    kept = batch(table)
    store.write([kept], now=1.0)
    store.end_deal(kept.table_id, kept.number, end(table), now=2.0)
    deal = read_deal(path, kept.table_id, kept.number)
    assert deal is not None
    assert deal.closed
    assert deal.secrets is None
    assert deal.terms == table.terms
    assert [encode(signed) for signed in deal.entries] == [one.signed for one in kept.entries]
    assert read_deal(path, kept.table_id, kept.number + 1) is None
    store.close()


def test_a_store_that_cannot_be_read_shows_no_deal(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"no store")
    with pytest.raises(LocalError):
        read_deal(path, bytes(32), 1)
