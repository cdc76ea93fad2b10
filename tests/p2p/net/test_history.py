"""Past deals are read beside a program that plays, and nothing is made or changed for it."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from node_tables import nodes, play

from p2p.errors import LocalError, LocalReason
from p2p.net.headless import BotConfig
from p2p.net.history import History, read_history
from p2p.net.profile import store_of, take_profile
from p2p.net.store import DealEnd, JournalBatch, JournalEntry, Store, open_store
from p2p.net.store_schema import SCHEMA_VERSION
from p2p.protocol.deal_tally import PlayerRecord, Tally
from p2p.protocol.text import NAME_CHARACTERS

TABLE = bytes(range(32))
ANNA = PlayerRecord(0, b"a" * 32, "Anna", True, 1, True, False, Tally(8, 4, 1, 5, 3))
BORIS = PlayerRecord(1, b"b" * 32, "Boris", False, 2, False, True, Tally(7, 5, 2, 4, 3))


def filled(path: Path) -> Store:
    store, _ = open_store(path)
    for number in (1, 2, 3):
        entry = JournalEntry(0, 0, b"signed", True)
        store.write([JournalBatch(TABLE, number, b"terms", (entry,))], now=10.0 * number)
    end = DealEnd("club", "finished", "Kitchen", "callers=any packs=2", None, (ANNA, BORIS))
    store.end_deal(TABLE, 1, end, now=15.0)
    store.end_deal(TABLE, 2, DealEnd("club", "void", "Kitchen", "", "fork", (ANNA, BORIS)), now=25.0)
    return store


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_deals_come_back_as_they_were_recorded(tmp_path: Path) -> None:
    filled(tmp_path / "main.sqlite").close()
    history = read_history(tmp_path / "main.sqlite")
    first, second = history.deals
    assert (first.table_id, first.number, first.started, first.ended) == (TABLE, 1, 10.0, 15.0)
    assert (first.title, first.form, first.changes) == ("Kitchen", "club", {"callers": "any", "packs": 2})
    assert (first.finished, first.cause, first.players, first.own) == (True, None, (ANNA, BORIS), ANNA)
    assert (second.finished, second.outcome, second.cause) == (False, "void", "fork")
    assert history.unfinished == 1


def test_an_end_that_turns_out_otherwise_replaces_the_first(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    store.end_deal(TABLE, 1, DealEnd("club", "void", "Kitchen", "", "fork", (BORIS,)), now=16.0)
    store.close()
    first = read_history(tmp_path / "main.sqlite").deals[0]
    assert (first.outcome, first.players, first.own) == ("void", (BORIS,), None)


def test_a_number_that_no_option_can_have_is_read_as_a_text(tmp_path: Path) -> None:
    """Python refuses to make a number of five thousand digits, and takes digits of other scripts for some."""
    store = filled(tmp_path / "main.sqlite")
    long = "9" * 5000
    store.end_deal(
        TABLE, 1, DealEnd("club", "finished", "Kitchen", f"packs={long} burn=४", None, ()), now=15.0
    )
    store.close()
    changes = read_history(tmp_path / "main.sqlite").deals[0].changes
    assert changes["burn"] == "४"
    assert long.startswith(str(changes["packs"]))
    assert len(str(changes["packs"])) <= NAME_CHARACTERS


def test_texts_of_a_store_that_was_tampered_with_reach_no_terminal_as_they_are(tmp_path: Path) -> None:
    store, evil = filled(tmp_path / "main.sqlite"), "\x1b[2J" * 1000
    player = replace(ANNA, name=evil)
    store.end_deal(TABLE, 1, DealEnd(evil, evil, evil, f"{evil}={evil}", evil, (player,)), now=15.0)
    store.close()
    deal = read_history(tmp_path / "main.sqlite").deals[0]
    shown = (deal.title, deal.form, deal.outcome, deal.cause or "", deal.players[0].name, *deal.changes)
    assert not any("\x1b" in text or len(text) > 200 for text in (*shown, *map(str, deal.changes.values())))


@pytest.mark.parametrize("time", [float("inf"), 1e300, -1e18])
def test_a_deal_at_no_time_is_damage(tmp_path: Path, time: float) -> None:
    filled(tmp_path / "main.sqlite").close()
    with closing(sqlite3.connect(tmp_path / "main.sqlite")) as connection, connection:
        connection.execute("UPDATE deal SET started = ?", (time,))
    with pytest.raises(LocalError) as caught:
        read_history(tmp_path / "main.sqlite")
    assert caught.value.reason is LocalReason.STORE_DAMAGED


def test_what_is_not_there_has_no_history_and_is_not_made(tmp_path: Path) -> None:
    path = store_of(tmp_path / "home")
    assert read_history(path) == History()
    assert not (tmp_path / "home").exists()


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(LocalError) as refused:
        read_history(store_of(tmp_path / "home"))
    assert refused.value.reason is LocalReason.UNREADABLE


def test_reading_leaves_every_byte_and_no_file_behind(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    filled(path).close()
    before = path.read_bytes()
    read_history(path)
    assert path.read_bytes() == before
    assert files(tmp_path) == ["main.sqlite"]


def test_reading_while_a_program_writes_sees_whole_deals_and_disturbs_nobody(tmp_path: Path) -> None:
    profile = take_profile(tmp_path)
    store = filled(profile.path)
    assert len(read_history(profile.path).deals) == 2
    store.end_deal(TABLE, 3, DealEnd("club", "finished", "Kitchen", "", None, (ANNA, BORIS)), now=35.0)
    assert [len(deal.players) for deal in read_history(profile.path).deals] == [2, 2, 2]
    store.write([JournalBatch(TABLE, 4, b"terms")], now=40.0)
    assert read_history(profile.path).unfinished == 1
    store.close()
    profile.release()


def test_a_store_left_by_a_crash_is_read_with_what_is_in_its_log(tmp_path: Path) -> None:
    store = filled(tmp_path / "main.sqlite")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("main.sqlite", "main.sqlite-wal"):
        (crashed / name).write_bytes((tmp_path / name).read_bytes())
    store.write([JournalBatch(TABLE, 4, b"terms")], now=40.0)
    (crashed / "main.sqlite-wal").write_bytes((tmp_path / "main.sqlite-wal").read_bytes())
    store.close()
    assert read_history(crashed / "main.sqlite").unfinished == 2


@pytest.mark.parametrize("content", [b"", b"not a store" * 100])
def test_something_else_in_its_place_is_told_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "main.sqlite"
    path.write_bytes(content)
    with pytest.raises(LocalError) as caught:
        read_history(path)
    assert caught.value.reason is LocalReason.STORE_DAMAGED
    assert path.read_bytes() == content
    assert files(tmp_path) == ["main.sqlite"]


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "main.sqlite"
    filled(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(LocalError) as caught:
        read_history(path)
    assert caught.value.reason is LocalReason.NEWER_VERSION


def test_a_profile_has_a_name_that_makes_a_file(tmp_path: Path) -> None:
    assert store_of(tmp_path, "main-2") == take_profile(tmp_path, "main-2").path
    with pytest.raises(LocalError):
        store_of(tmp_path, "../outside")


@pytest.mark.network
async def test_real_deals_are_recorded_alike_by_both_players(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as running:
        (result, _) = await play(running, BotConfig("Kitchen", policy="honest", deals=2), [])
        while_running = read_history(store_of(tmp_path))
    assert result["outcome"] == "finished"
    annas, boriss = (read_history(store_of(tmp_path, name)) for name in ("main", "main-2"))
    assert while_running.deals[0] == annas.deals[0]
    assert [(deal.title, deal.form, deal.outcome) for deal in annas.deals] == [
        ("Kitchen", "pagat", "finished")
    ] * 2
    for mine, his in zip(annas.deals, boriss.deals, strict=True):
        assert mine.own is not None
        assert his.own is not None
        assert (mine.own.name, his.own.name) == ("Anna", "Boris")
        assert [one.tally for one in mine.players] == [one.tally for one in his.players]
        assert sum(one.tally.lays for one in mine.players) > 5
        assert sorted((one.place, one.won, one.lost) for one in mine.players) == [
            (1, True, False),
            (2, False, True),
        ]
    last = annas.deals[-1]
    assert [one.name for one in last.players if one.lost] == [result["loser_name"]]
