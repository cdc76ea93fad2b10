"""Headless peers: broken policies, empty networks, closed tables, and what they say of it."""

import asyncio
import json
import logging
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import page_samples as samples
import pytest
from bounds import WAIT_S
from node_tables import TITLE, bots, nodes

import p2p.net.headless
import p2p.net.headless_mind
import p2p.net.headless_report
from crypto import fingerprint
from engine import (
    Call,
    Card,
    DealOver,
    Event,
    Laid,
    Move,
    Obligation,
    Rank,
    Revealed,
    Ruleset,
    Seat,
    View,
    new_deal,
)
from engine.bots import Policy
from p2p.errors import LocalError, LocalReason, NetworkError, NetworkReason
from p2p.net.headless import Bot, BotConfig, ProtocolTroubleError
from p2p.net.headless_mind import Mind
from p2p.net.headless_report import Clock, EventWriter, describe
from p2p.net.headless_way import Way
from p2p.protocol.snapshot import Phase


class Raising(Policy):
    """Fails at everything."""

    def choose_turn(self, view: View) -> Move:
        raise RuntimeError("no idea")

    def choose_call(self, view: View) -> Call | None:
        raise RuntimeError("no idea")

    def observe(self, view: View, event: Event) -> None:
        raise RuntimeError("not looking")


class Stuck(Policy):
    """Never comes to a decision, until the test lets it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.released = threading.Event()
        self.waited_in_vain = False

    def choose_turn(self, view: View) -> Move:
        self.waited_in_vain = not self.released.wait(WAIT_S)
        raise RuntimeError("too late")

    def choose_call(self, view: View) -> Call | None:
        return None


class Cheat(Policy):
    """Calls when there is nothing to call, so every move is refused."""

    def choose_turn(self, view: View) -> Move:
        assert view.seat is not None
        return Call(view.seat, believe=False)

    def choose_call(self, view: View) -> Call | None:
        assert view.seat is not None
        return Call(view.seat, believe=False)


@pytest.fixture
def opening() -> tuple[View, Obligation]:
    """The view of the seat that leads a fresh deal of two; it holds queens only."""
    state = new_deal(Ruleset.preset("pagat").resolve(2), (Seat(0), Seat(1)), Seat(0))
    (owed,) = state.owed
    faces = dict.fromkeys(state.hand_of(owed.seat), Card.parse("QS"))
    return View(state, owed.seat, faces), owed


async def test_policy_that_raises_is_replaced_and_only_the_place_is_logged(
    opening: tuple[View, Obligation], caplog: pytest.LogCaptureFixture
) -> None:
    view, owed = opening
    mind = Mind("honest", 1)
    mind._policy = Raising(1)
    mind.observe(view, Laid(Seat(0), 1, Rank.QUEEN, 1))
    with caplog.at_level(logging.WARNING):
        move = await mind.choose(view)
    mind.close()
    assert move.seat == owed.seat
    assert "RuntimeError in Raising.choose_turn" in caplog.text
    assert "no idea" not in caplog.text
    assert mind._policy is None


async def test_policy_that_takes_too_long_is_replaced(
    opening: tuple[View, Obligation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(p2p.net.headless_mind, "DECISION_LIMIT_S", 0.05)
    view, owed = opening
    mind = Mind("honest", 1)
    stuck = Stuck(1)
    mind._policy = stuck
    assert (await mind.choose(view)).seat == owed.seat
    assert (await mind.choose(view)).seat == owed.seat
    assert not stuck.waited_in_vain
    stuck.released.set()
    mind.close()


async def test_policy_sees_events_before_it_decides(opening: tuple[View, Obligation]) -> None:
    view, _ = opening
    seen: list[object] = []

    class Noting(Raising):
        def observe(self, view: View, event: Event) -> None:
            time.sleep(0.01)
            assert isinstance(event, Laid)
            seen.append(event.count)

        def choose_turn(self, view: View) -> Move:
            seen.append("choice")
            return Cheat(0).choose_turn(view)

    mind = Mind("honest", 1)
    mind._policy = Noting(1)
    for count in (1, 2, 3):
        mind.observe(view, Laid(Seat(0), count, Rank.QUEEN, count))
    await mind.choose(view)
    mind.close()
    assert seen == [1, 2, 3, "choice"]


def test_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="psychic"):
        Mind("psychic", 1)


@pytest.mark.network
@pytest.mark.parametrize("policy", [Raising, Cheat])
async def test_deal_with_a_broken_bot_is_played_to_its_end(tmp_path: Path, policy: type[Policy]) -> None:
    async with nodes(tmp_path, 2) as running:
        made = bots(running, BotConfig(TITLE))
        made[1]._mind._policy = policy(1)
        results = await asyncio.gather(*(bot.run() for bot in made))
    assert [r["audit"] for r in results] == ["ok", "ok"]


@pytest.mark.network
async def test_bot_that_finds_no_table_says_so_in_time(tmp_path: Path) -> None:
    said: list[dict[str, object]] = []
    async with nodes(tmp_path, 1) as (node,):
        with pytest.raises(NetworkError) as caught:
            await Bot(node, BotConfig(TITLE, patience_s=0.2), said.append).run()
    assert (caught.value.reason, caught.value.subject) == (NetworkReason.NOBODY_FOUND, TITLE)
    assert [event["event"] for event in said] == ["start"]


@pytest.mark.network
async def test_bot_whose_table_stays_empty_says_so_in_time(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (node,):
        config = BotConfig(TITLE, ruleset=Ruleset.preset("pagat"), patience_s=0.2)
        with pytest.raises(NetworkError) as caught:
            await Bot(node, config, lambda _: None).run()
    assert caught.value.reason is NetworkReason.NOBODY_FOUND


@pytest.mark.network
async def test_bot_does_not_join_a_table_of_the_same_name_that_another_key_opened(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        anna.open_table(TITLE, Ruleset.preset("pagat"), 2)
        config = BotConfig(TITLE, opener="0000-0000-0000-0000", patience_s=0.5)
        with pytest.raises(NetworkError):
            await Bot(boris, config, lambda _: None).run()
        assert anna.table is not None
        assert len(anna.table.members) == 1


@pytest.mark.network
async def test_deal_that_stands_still_ends_the_bot_with_the_seat_that_owes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_s, ahead_s = 3600.0, 0.0
    async with nodes(tmp_path, 2) as (anna, boris):

        def stands_still() -> bool:
            own, table = anna.table, boris.table
            if own is None or table is None or own.step != table.step:
                return False
            return table.owed_by_me is not None and table.owed_by_me.is_choice

        def monotonic() -> float:
            """Time as it goes, until only Boris can go on: then it flies, so that no real wait is a stall."""
            nonlocal ahead_s
            if stands_still():
                ahead_s += stall_s
            return time.monotonic() + ahead_s

        monkeypatch.setattr(p2p.net.headless, "time", SimpleNamespace(monotonic=monotonic))
        opener = Bot(anna, BotConfig(TITLE, ruleset=Ruleset.preset("pagat"), stall_s=stall_s), lambda _: None)
        joiner = Bot(boris, BotConfig(TITLE), lambda _: None)
        joiner._decide_for_ever = asyncio.Event().wait
        other = asyncio.create_task(joiner.run())
        with pytest.raises(ProtocolTroubleError) as caught:
            await opener.run()
        assert boris.table is not None
        assert (caught.value.check, caught.value.seat) == ("stalled", boris.table.own_seat)
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)


@pytest.mark.network
async def test_bot_ends_with_the_reason_for_which_its_node_failed(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (node,):
        config = BotConfig(TITLE, ruleset=Ruleset.preset("pagat"), patience_s=5)
        playing = asyncio.create_task(Bot(node, config, lambda _: None).run())
        await asyncio.sleep(0.05)
        node._fail(LocalError(LocalReason.DISK_FULL))
        with pytest.raises(LocalError) as caught:
            await playing
    assert caught.value.reason is LocalReason.DISK_FULL


@pytest.mark.network
async def test_bots_play_a_session_to_its_end_and_who_is_not_tied_watches_the_tie_break(
    tmp_path: Path,
) -> None:
    rules = Ruleset.preset("pagat").with_(pack=24, session="to_n_losses", session_losses=1)
    events: list[list[dict[str, object]]] = []
    async with nodes(tmp_path, 3) as running:
        made = bots(running, BotConfig(TITLE, deals=2), events)
        made[0]._config = replace(made[0]._config, ruleset=rules)
        results = await asyncio.gather(*(bot.run() for bot in made))
        assert [result["audit"] for result in results] == ["ok"] * 3
    for heard in events:
        first, second = (event for event in heard if event["event"] == "deal_over")
        assert first["session_losers"] == second["session_losers"] == [first["loser_name"]]
        assert sorted([*first["session_best"], first["loser_name"]]) == ["Anna", "Boris", "Vera"]
        assert second["session_best"] == [second["winner_name"]]
        assert (second["seat"] is None) == (heard[0]["name"] == first["loser_name"])
        assert second["receipts"] == 2


@pytest.mark.parametrize("left", [{1}, {1, 2}, {1, 2, 3}])
def test_a_companion_waits_for_no_deal_once_its_person_has_gone_on_without_it(left: set[int]) -> None:
    """Others for whom there was no seat may still be at the old table, waiting as well."""
    table = samples.over(next_ready=frozenset({samples.key(0)}))
    members = tuple(
        replace(one, fingerprint=fingerprint(one.key), left=number in left)
        for number, one in enumerate(table.members)
    )
    gone = replace(table, members=members)
    node = SimpleNamespace(key=samples.key(0), table=table, lobby=samples.lobby(), join=lambda *_: None)
    way = Way(node, BotConfig(table.title, opener=fingerprint(samples.key(1))))
    last = (table.table_id, table.deal)
    assert way.to_another_deal(last) is None
    room = samples.reopened(people=(samples.key(1),))
    for reopened, answer in (
        (None, False),
        (replace(room, can_join=False), False),
        (replace(room, people=(samples.key(2),)), False),
        (room, None),
    ):
        node.table = replace(gone, reopened=reopened)
        assert way.to_another_deal(last) is answer
    node.table = replace(gone, table_id=bytes([1]) * 32, deal=1)
    assert way.to_another_deal(last) is True


@pytest.mark.network
async def test_a_companion_whose_person_has_left_ends_quietly_with_its_last_result(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as (anna, boris):
        config = BotConfig(TITLE, deals=2, patience_s=3600, opener=anna.lobby.own_fingerprint)
        evening = asyncio.create_task(Bot(boris, config, lambda _: None).run())
        await Bot(
            anna, BotConfig(TITLE, ruleset=Ruleset.preset("pagat").with_(pack=24)), lambda _: None
        ).run()
        anna.leave()
        async with asyncio.timeout(WAIT_S):
            result = await evening
    assert (result["outcome"], result["deals"]) == ("finished", 1)


@pytest.mark.network
async def test_reader_that_takes_nothing_does_not_stop_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(p2p.net.headless_report.EventWriter.close, "__defaults__", (0.1,))
    read = threading.Event()
    async with nodes(tmp_path, 2) as (anna, boris):
        config = BotConfig(TITLE, ruleset=Ruleset.preset("pagat"))
        stuck = Bot(anna, config, lambda _: read.wait(WAIT_S) and None)
        results = await asyncio.gather(stuck.run(), Bot(boris, BotConfig(TITLE), lambda _: None).run())
    read.set()
    assert [r["audit"] for r in results] == ["ok", "ok"]


def test_reader_that_fails_gets_no_more_and_nobody_waits(caplog: pytest.LogCaptureFixture) -> None:
    taken: list[object] = []

    def broken(event: dict[str, object]) -> None:
        taken.append(event)
        raise BrokenPipeError

    writer = EventWriter(broken)
    for number in range(3):
        writer.put({"event": number})
    writer.close()
    assert taken == [{"event": 0}]
    assert "BrokenPipeError in " in caplog.text


def test_events_over_the_bound_are_lost_and_that_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(p2p.net.headless_report, "MOST_UNREAD", 3)
    taken: list[object] = []
    read = threading.Event()

    def slow(event: dict[str, object]) -> None:
        read.wait(WAIT_S)
        taken.append(event["event"])

    writer = EventWriter(slow)
    for number in range(10):
        writer.put({"event": number})
    read.set()
    writer.close()
    assert 3 <= len(taken) <= 4
    assert caplog.text.count("events are lost") == 1


def test_event_is_described_in_notation_and_plain_values() -> None:
    revealed = Revealed(Seat(0), Seat(1), False, (Card.parse("QS"), Card.parse("10D")), Rank.QUEEN, 2, False)
    assert describe(revealed) == {
        "what": "revealed",
        "owner": 0,
        "caller": 1,
        "believe": False,
        "cards": ["QS", "10D"],
        "rank": "Q",
        "number": 2,
        "truthful": False,
    }
    over = describe(DealOver(None, Seat(1), (Seat(1), Seat(0))))
    assert (
        json.loads(json.dumps(over))
        == over
        == {
            "what": "deal_over",
            "loser": None,
            "winner": 1,
            "places": [1, 0],
        }
    )


def test_phases_are_timed_in_their_order() -> None:
    said: list[dict[str, object]] = []
    clock = Clock(said.append)
    for phase in (
        Phase.GATHERING,
        Phase.OPENING,
        Phase.SHUFFLING,
        Phase.SEALING,
        Phase.DEALING,
        Phase.PLAYING,
        Phase.OVER,
    ):
        clock.enter_table_phase(phase)
    assert [event["phase"] for event in said] == ["discover", "table", "open", "shuffle", "deal", "play"]
    assert set(clock.seconds) == {"discover", "table", "open", "shuffle", "deal", "play", "total"}
