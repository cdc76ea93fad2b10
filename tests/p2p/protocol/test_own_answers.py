"""What the own program does when time runs out: by the table's rules, never too soon, and told in the log."""

import pytest
from memory_table import MemoryNetwork

from engine import Answer, Call, Called, DiscardSets, Laid, Lay, Revealed, Ruleset, variations_of
from engine.default_move import default_move
from p2p.protocol.deal_run import REVEAL_S
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import MoveRefused
from p2p.protocol.snapshot import OwedKind, OwedView, Phase
from p2p.protocol.table_rules import TableRules

CLOCK = TableRules(clock_s=30)
OPEN_CALLS = Ruleset.with_preset("dictionary", {"callers": "any"})


def playing(
    players: int = 3, rules: Ruleset | None = None, table_rules: TableRules = CLOCK, seed: int = 1
) -> MemoryNetwork:
    """A table at which the cards are in hand."""
    network = MemoryNetwork(players, seed)
    assert network.gather(rules, table_rules=table_rules)
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    return network


def asked(network: MemoryNetwork) -> tuple[int, OwedView]:
    """The player who has to choose, and what."""
    for player in network.players:
        owed = player.table.owed_by_me
        if owed is not None and owed.is_choice:
            return player.index, owed
    raise AssertionError("nobody is asked for anything")


def test_a_turn_ends_by_the_default_move_after_the_time_that_all_signed() -> None:
    network = playing()
    index, owed = asked(network)
    table = network.players[index].table
    assert owed.until == pytest.approx(owed.since + 30)
    assert table.view is not None
    expected = default_move(table.view)
    step = table.step
    assert not network.run(
        lambda: network.players[index].table.step > step, seconds=owed.until - network.now - 0.1
    )
    assert network.run(lambda: network.players[index].table.step > step, seconds=1)
    happened = network.players[index].table.happened[-1]
    assert isinstance(expected, Lay)
    assert isinstance(happened.event, Laid)
    assert (happened.event.seat, happened.event.rank) == (expected.seat, expected.rank)
    assert happened.lapsed
    network.run(seconds=1)
    for player in network.players:
        told = [one for one in player.table.happened if one.lapsed]
        assert len(told) == (player.index == index)


def test_the_others_estimate_the_time_that_is_left_by_when_the_step_began_for_them() -> None:
    network = playing()
    network.run(seconds=0.5)
    _, owed = asked(network)
    for player in network.players:
        (seen,) = player.table.owed
        assert seen.until is not None
        assert owed.until is not None
        assert abs(seen.until - owed.until) < 0.5


def test_without_a_clock_a_turn_waits_for_its_player_as_long_as_it_takes() -> None:
    network = playing(table_rules=TableRules())
    index, owed = asked(network)
    assert owed.until is None
    step = network.players[index].table.step
    assert not network.run(lambda: network.players[index].table.step > step, seconds=700)


def test_who_moves_in_time_has_a_whole_new_time_at_his_next_turn() -> None:
    network = playing(2)
    index, owed = asked(network)
    network.run(seconds=20)
    view = network.players[index].table.view
    assert view is not None
    network.do(index, Peer.submit, default_move(view))
    network.run(seconds=12)
    other, later = asked(network)
    assert other != index
    assert later.until is not None
    assert later.until > owed.since + 49
    assert not any(one.lapsed for player in network.players for one in player.table.happened)


def test_after_a_reveal_the_time_begins_when_it_has_been_shown() -> None:
    network = playing(2)
    for _ in range(2):
        index, _owed = asked(network)
        view = network.players[index].table.view
        assert view is not None
        network.do(index, Peer.submit, default_move(view))
        network.run(seconds=0.5)
    # The second default was ne veryu: the packet is open, and somebody has the lead.
    player = network.players[0]
    assert network.run(
        lambda: any(p.table.owed_by_me and p.table.owed_by_me.is_choice for p in network.players)
    )
    assert any(isinstance(one.event, Revealed) for one in player.table.happened)
    _, owed = asked(network)
    assert owed.until is not None
    assert 30 < owed.until - owed.since <= 30 + REVEAL_S


def test_the_window_for_calls_is_open_as_long_as_all_signed_and_silence_is_no_news() -> None:
    network = playing(3, OPEN_CALLS, TableRules(window_s=7))
    index, _ = asked(network)
    view = network.players[index].table.view
    assert view is not None
    network.do(index, Peer.submit, default_move(view))
    network.run(seconds=0.5)
    kinds = {
        player.index: owed.kind
        for player in network.players
        if (owed := player.table.owed_by_me) is not None and owed.is_choice
    }
    assert set(kinds.values()) == {OwedKind.ANSWER}
    asked_now = next(iter(kinds))
    owed = network.players[asked_now].table.owed_by_me
    assert owed is not None
    assert owed.until == pytest.approx(owed.since + 7)
    step = network.players[asked_now].table.step
    closed = network.run(lambda: network.players[asked_now].table.step > step, seconds=6)
    assert not closed
    assert network.run(lambda: network.players[asked_now].table.step > step, seconds=2)
    network.run(seconds=1)
    assert not any(one.lapsed for player in network.players for one in player.table.happened)


def test_who_has_to_call_in_the_window_has_the_time_of_a_turn_and_then_doubts() -> None:
    network = playing(2, OPEN_CALLS.with_(must_call_pending="yes"), TableRules(window_s=7, clock_s=40))
    index, _ = asked(network)
    view = network.players[index].table.view
    assert view is not None
    # All cards at once: they are his last, and the other may not let them pass.
    slots = tuple(sorted(slot for slot, _ in view.hand))
    network.do(index, Peer.submit, Lay(view.owed[0].seat, slots, view.choices.ranks[0], None))
    network.run(seconds=0.5)
    other, owed = asked(network)
    assert other != index
    assert owed.kind is OwedKind.ANSWER
    assert owed.until == pytest.approx(owed.since + 40)
    network.run(seconds=41)
    (told,) = [one for one in network.players[other].table.happened if one.lapsed]
    assert isinstance(told.event, Called)
    assert not told.event.believe


def idle(rules: Ruleset, seconds: float, seed: int = 1, players: int = 3) -> MemoryNetwork:
    """A table at which nobody ever does anything, after some time."""
    network = playing(players, rules, TableRules(window_s=5, clock_s=10), seed)
    network.run(lambda: network.all_in(Phase.OVER), seconds=seconds)
    return network


@pytest.mark.parametrize(
    "rules",
    [
        Ruleset.preset("pagat"),
        Ruleset.preset("encyclopedia"),
        Ruleset.preset("dictionary"),
        OPEN_CALLS,
        Ruleset.with_preset("dictionary", {"deal": "hand", "out_call": "manual"}),
        Ruleset.with_preset("dictionary", {"check": "one_by_caller", "rank_rule": "ascending"}),
        Ruleset.with_preset("pagat", {"sets": "forced", "sets_at_deal": "yes"}),
    ],
    ids=lambda rules: f"{rules.form} {len(rules.differences())}",
)
def test_a_table_of_people_who_all_went_away_plays_on_by_itself_and_nothing_is_refused(
    rules: Ruleset,
) -> None:
    network = idle(rules, seconds=110)
    for player in network.players:
        assert not player.of(MoveRefused)
        assert player.table.phase in {Phase.PLAYING, Phase.OVER}
        assert player.table.step > 25


def test_the_program_acts_at_a_refused_moment_without_a_word() -> None:
    """The person has moved in the very moment in which the time ran out."""
    network = playing(2)
    index, owed = asked(network)
    assert owed.until is not None
    network.run(seconds=owed.until - network.now - 0.0005)
    view = network.players[index].table.view
    assert view is not None
    network.do(index, Peer.submit, default_move(view))
    network.run(seconds=2)
    assert not network.players[index].of(MoveRefused)
    assert not any(one.lapsed for one in network.players[index].table.happened)


def test_every_named_variation_over_the_network_has_a_time_for_each_choice() -> None:
    for variation in variations_of("dictionary")[:3]:
        network = playing(2, variation.ruleset)
        _, owed = asked(network)
        assert owed.until is not None


def test_fours_are_kept_when_the_time_is_over_and_the_log_says_why() -> None:
    for seed in range(1, 12):
        network = playing(2, Ruleset.with_preset("pagat", {"pack": 24, "sets_at_deal": "yes"}), CLOCK, seed)
        for player in network.players:
            owed, view = player.table.owed_by_me, player.table.view
            if owed is None or view is None or owed.kind is not OwedKind.SETS or not view.sets:
                continue
            assert owed.until == pytest.approx(owed.since + 30)
            assert default_move(view) == DiscardSets(view.owed[0].seat, (), ())
            step = player.table.step
            assert network.run(lambda: player.table.step > step, seconds=32)  # noqa: B023
            assert [type(one.event).__name__ for one in player.table.happened if one.lapsed] == ["SetsKept"]
            return
    raise AssertionError("nobody was ever dealt fours")


def test_moves_of_other_kinds_are_not_told_as_lapsed() -> None:
    """A lapsed call is told once; the reveal that it leads to is not."""
    network = playing(2)
    network.run(seconds=100)
    for player in network.players:
        for one in player.table.happened:
            assert not one.lapsed or one.event.seat == player.table.own_seat
            assert not one.lapsed or not isinstance(one.event, Revealed | Answer | Call)
    assert sum(one.lapsed for player in network.players for one in player.table.happened) >= 3
