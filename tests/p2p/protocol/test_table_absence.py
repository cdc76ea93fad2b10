"""Whom a table misses, who asks to end the wait, and what follows: over links in virtual time."""

import pytest
from absence_table import GRACE_S, WAIT, but, deal_of, on_turn, playing
from memory_table import Player

from engine import Seat
from p2p.protocol import table_votes
from p2p.protocol.audit import audit
from p2p.protocol.ballot import AbsentAnswer, Ballot, Poll, sign_ballot
from p2p.protocol.effects import Absent
from p2p.protocol.messages import Ballots, Entries, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    ClosedBecause,
    CommandRefused,
    PlayerLeft,
    PollOpened,
    RefusedCommand,
    ResultKind,
    TableChanged,
    TableClosed,
)
from p2p.protocol.snapshot import Phase
from p2p.protocol.table_rules import TableRules

CLOCKED = TableRules(grace_s=GRACE_S, clock_s=10, absence="forfeit")
LATE_S = CLOCKED.clock_s + CLOCKED.grace_s


def seat_of(player: Player) -> int:
    assert player.table.own_seat is not None
    return int(player.table.own_seat)


def absent_vote(player: Player, poll: Poll) -> bytes:
    """The message with `absent` of a player to a poll."""
    deal = deal_of(player)
    place = (deal.table_id, deal.terms.deal, deal.step, deal.head, seat_of(player))
    signed = sign_ballot(player.identity, Ballot(*place, poll, AbsentAnswer()))
    return encode(Ballots(deal.table_id, deal.terms.deal, (signed,)))


def all_at(players: list[Player], phase: Phase, deal: int = 1) -> bool:
    return all((player.table.phase, player.table.deal) == (phase, deal) for player in players)


def test_who_is_away_for_the_grace_time_is_voted_absent_and_loses() -> None:
    network = playing(4)
    away = on_turn(network)
    network.isolate(away.index)
    rest = but(network, away)
    assert not network.run(lambda: any(player.of(PollOpened) for player in rest), seconds=19)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=5)
    seat = away.table.own_seat
    for player in rest:
        result = player.table.result
        assert result is not None
        assert (result.kind, result.absent, result.left, result.losers) == (
            ResultKind.ABSENT,
            (seat,),
            (),
            (seat,),
        )
        assert player.of(PollOpened)[0].seats == (seat,)
        assert away.peer.key not in player.table.next_players
    assert away.table.phase is Phase.PLAYING


def test_the_rest_play_the_next_deal_without_him_at_once_and_he_learns_what_happened() -> None:
    network = playing(4)
    away = on_turn(network)
    links = network.isolate(away.index)
    rest = but(network, away)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=30)
    network.seat_bots("honest", [player.index for player in rest])
    for player in rest:
        network.do(player.index, Peer.next_deal)
    assert network.run(lambda: all_at(rest, Phase.PLAYING, 2), seconds=10)
    for other in links:
        network.link(away.index, other)
    assert network.run(lambda: away.table.deal == 2, seconds=10)
    assert away.table.own_seat is None
    assert network.run(lambda: network.all_in(Phase.OVER, 2), seconds=900)
    assert {player.table.head for player in network.players} == {away.table.head}
    closed = [effect for effect in away.disk.closed if effect.deal == 1]
    assert isinstance(closed[0].outcome, Absent)


@pytest.mark.parametrize("again", [False, True], ids=["they stayed", "they have started again"])
def test_who_was_voted_absent_some_deals_ago_learns_it_and_watches_the_latest(again: bool) -> None:
    network = playing(3)
    away = on_turn(network)
    links = network.isolate(away.index)
    rest = but(network, away)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=30)
    network.seat_bots("honest", [player.index for player in rest])
    for deal in (2, 3):
        for player in rest:
            network.do(player.index, Peer.next_deal)
        assert network.run(lambda deal=deal: all_at(rest, Phase.OVER, deal), seconds=900)
        network.run(seconds=2)
    for player in rest if again else ():
        network.kill(player.index)
        network.restart(player.index)
    network.run(seconds=20 if again else 0)
    for other in links:
        network.link(away.index, other)
    assert network.run(lambda: away.table.deal == 3, seconds=30)
    assert network.run(lambda: away.table.phase is Phase.OVER, seconds=10)
    assert {player.table.head for player in rest} == {away.table.head}


def test_who_missed_the_last_receipts_gets_them_from_those_who_play_on_without_him() -> None:
    network = playing(3, bots=True)
    away, *rest = network.players
    assert network.run(lambda: away.table.phase is Phase.OVER, seconds=900)
    links = network.isolate(away.index)
    network.run(seconds=2)
    deal = deal_of(rest[0])
    receipts = {signed.entry for signed in deal.record.accepted_at(deal.step).values()}
    assert not receipts <= away.disk.entries
    for player in rest:
        network.do(player.index, Peer.next_deal)
    assert network.run(lambda: all(player.table.deal > 1 for player in rest), seconds=60)
    assert away.peer.key not in rest[0].table.next_players
    for other in links:
        network.link(away.index, other)
    assert network.run(lambda: away.table.deal == rest[0].table.deal, seconds=10)
    assert receipts <= away.disk.entries


def test_of_links_only_he_brings_news_who_still_says_where_he_stands() -> None:
    network = playing(3)
    staying, dead, leaver = network.players
    network.do(leaver.index, Peer.leave)
    assert network.run(lambda: all_at([staying, dead], Phase.ABSENT), seconds=5)
    assert network.linked(leaver.index, staying.index)
    network.kill(dead.index)
    died = network.now
    network.do(staying.index, Peer.next_deal)
    network.run(seconds=GRACE_S / 2)
    assert staying.table.wait_until is not None
    assert abs(staying.table.wait_until - GRACE_S - died) < 1e-3
    network.run(seconds=GRACE_S / 2)
    network.do(staying.index, Peer.end_wait)
    assert [event.reason for event in staying.of(TableClosed)] == [ClosedBecause.PUT_ASIDE]


def test_how_long_to_wait_is_told_again_when_the_last_link_of_the_others_to_him_is_gone_too() -> None:
    network = playing(3, rules=WAIT)
    away = on_turn(network)
    staying, last = but(network, away)
    network.cut(staying.index, away.index)
    network.run(seconds=GRACE_S)
    assert staying.table.wait_until > network.now + GRACE_S
    network.cut(last.index, away.index)
    told = len(staying.of(TableChanged))
    network.run(seconds=2)
    assert staying.table.wait_until <= network.now + GRACE_S
    assert len(staying.of(TableChanged)) == told + 1


def test_who_was_linked_to_one_alone_is_missed_for_the_grace_time_since_then() -> None:
    network = playing(4)
    away = on_turn(network)
    last, *rest = but(network, away)
    for player in rest:
        network.cut(player.index, away.index)
    network.run(seconds=3 * GRACE_S)
    network.cut(last.index, away.index)
    assert not network.run(lambda: any(player.of(PollOpened) for player in rest), seconds=GRACE_S - 2)
    assert network.run(lambda: all_at([last, *rest], Phase.ABSENT), seconds=5)


def test_where_people_decide_nothing_happens_until_one_asks() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    network.isolate(away.index)
    rest = but(network, away)
    network.run(seconds=5)
    network.do(rest[0].index, Peer.end_wait)
    refused = rest[0].of(CommandRefused)[-1]
    assert refused.reason is RefusedCommand.NOT_OVERDUE
    assert 14 < refused.wait_s <= 15
    assert rest[0].table.wait_until == network.now + refused.wait_s
    network.run(seconds=200)
    assert all_at(rest, Phase.PLAYING)
    assert rest[0].table.wait_until < network.now
    network.do(rest[0].index, Peer.end_wait)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=5)


def test_nobody_is_missed_while_it_is_the_own_turn_or_somebody_thinks() -> None:
    network = playing(3)
    thinking = on_turn(network)
    network.do(thinking.index, Peer.end_wait)
    assert thinking.of(CommandRefused)[-1].reason is RefusedCommand.NOBODY_MISSED
    network.run(seconds=290)
    assert network.all_in(Phase.PLAYING)
    rest = but(network, thinking)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=40)


def test_a_turn_clock_bounds_how_long_somebody_may_think() -> None:
    network = playing(3, rules=TableRules(grace_s=10, clock_s=10, absence="forfeit"))
    thinking = on_turn(network)
    rest = but(network, thinking)

    def keeps_no_clock(sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        return None if sender is thinking and isinstance(decode(message), Entries) else message

    network.on_message = keeps_no_clock
    network.run(seconds=15)
    assert all_at(rest, Phase.PLAYING)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=10)


def test_nobody_is_late_with_a_wish_before_somebody_else_has_it() -> None:
    network = playing(4, rules=CLOCKED, bots=True)
    slow, *others = network.players
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    network.run(seconds=2 * LATE_S)
    for player in others:
        network.do(player.index, Peer.next_deal)
    network.run(seconds=LATE_S - 2)
    assert all(len(player.table.next_players) == 4 for player in network.players)
    assert not network.run(lambda: all(player.table.deal > 1 for player in network.players), seconds=1)
    assert network.run(lambda: all(player.table.deal > 1 for player in others), seconds=30)
    assert slow.peer.key not in {member.key for member in others[0].table.members}


def test_at_a_table_of_two_nobody_is_voted_absent_but_who_leaves_loses() -> None:
    network = playing(2)
    away = on_turn(network)
    (other,) = but(network, away)
    network.cut(0, 1)
    network.run(seconds=400)
    assert other.table.phase is Phase.PLAYING
    assert other.table.two_alone
    network.link(0, 1)
    network.do(away.index, Peer.leave)
    assert network.run(lambda: other.table.phase is Phase.ABSENT, seconds=5)
    assert other.table.result is not None
    assert other.table.result.losers == other.table.result.left
    assert other.table.next_players == ()


def test_of_two_one_can_put_the_deal_aside_once_the_other_is_overdue_and_nobody_loses() -> None:
    network = playing(2, rules=WAIT)
    other = next(player for player in network.players if player.table.owed_by_me is None)
    network.cut(0, 1)
    network.run(seconds=10)
    network.do(other.index, Peer.end_wait)
    assert other.of(CommandRefused)[-1].reason is RefusedCommand.NOT_OVERDUE
    network.run(seconds=15)
    network.do(other.index, Peer.end_wait)
    assert [event.reason for event in other.of(TableClosed)] == [ClosedBecause.PUT_ASIDE]
    assert other.peer.table is None
    assert (other.disk.closed, len(other.disk.secrets)) == ([], 1)


@pytest.mark.parametrize("answers", [True, False])
def test_where_one_of_three_has_left_the_poll_about_him_comes_before_putting_aside(answers: bool) -> None:
    network = playing(3, rules=WAIT)
    leaver = on_turn(network)
    asking, other = but(network, leaver)
    held = True

    def late(sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        return None if held and sender is other and isinstance(decode(message), Ballots) else message

    network.on_message = late
    network.run(seconds=30)
    network.do(leaver.index, Peer.leave)
    network.run(seconds=5)
    assert asking.table.two_alone
    assert asking.table.poll is not None
    network.do(asking.index, Peer.end_wait)
    assert asking.of(CommandRefused)[-1].reason is RefusedCommand.NOT_OVERDUE
    assert asking.table.phase is Phase.PLAYING
    held = not answers
    network.run(seconds=20)
    if answers:
        assert asking.table.phase is Phase.ABSENT
        return
    network.do(asking.index, Peer.end_wait)
    assert [event.reason for event in asking.of(TableClosed)] == [ClosedBecause.PUT_ASIDE]


def test_the_smaller_side_of_a_split_network_ends_nothing_and_takes_up_the_larger_ones_end() -> None:
    network = playing(5)
    small = [on_turn(network)]
    small.append(next(player for player in network.players if player not in small))
    large = but(network, *small)
    for one in small:
        for other in large:
            network.cut(one.index, other.index)
    assert network.run(lambda: all_at(large, Phase.ABSENT), seconds=60)
    network.run(seconds=100)
    assert all_at(small, Phase.PLAYING)
    for one in small:
        for other in large:
            network.link(one.index, other.index)
    assert network.run(lambda: all_at(small, Phase.ABSENT), seconds=10)
    assert len({player.table.result.absent for player in network.players}) == 1  # type: ignore[union-attr]


def test_two_halves_end_nothing_and_go_on_once_they_are_one_again() -> None:
    network = playing(4, bots=True)
    halves = (network.players[:2], network.players[2:])
    for one in halves[0]:
        for other in halves[1]:
            network.cut(one.index, other.index)
    network.run(seconds=100)
    assert network.all_in(Phase.PLAYING)
    for one in halves[0]:
        for other in halves[1]:
            network.link(one.index, other.index)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)


def test_more_ballots_than_a_message_holds_are_told_one_message_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_votes, "BALLOTS_LIMIT", 4)
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    liar, told, other = but(network, away)
    for number in range(1, 10):
        vote = absent_vote(liar, Poll(number, seat_of(liar), (seat_of(away),), (), ()))
        network.inject(liar.index, told.index, vote)
    network.kill(liar.index)
    network.run(seconds=5)
    assert len(deal_of(told).ballots) == 9
    assert deal_of(other).ballots == deal_of(told).ballots


@pytest.mark.parametrize("between", [False, True])
def test_who_leaves_holds_up_nobody(between: bool) -> None:
    network = playing(3, bots=True)
    if between:
        assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
        network.run(seconds=2)
    leaver = network.players[1]
    rest = but(network, leaver)
    lost = sum(rest[0].table.losses)
    network.do(leaver.index, Peer.leave)
    wanted = 3 if between else 2
    assert network.run(lambda: all(len(player.table.next_players) == 2 for player in rest), seconds=5)
    assert all(player.of(PlayerLeft) for player in rest)
    assert sum(rest[0].table.losses) == (lost if between else lost + 1)
    for player in rest:
        network.do(player.index, Peer.next_deal)
    assert network.run(lambda: all_at(rest, Phase.OVER, wanted), seconds=900)


def test_the_transcript_of_an_absence_is_audited() -> None:
    network = playing(4)
    away = on_turn(network)
    network.isolate(away.index)
    rest = but(network, away)
    assert network.run(lambda: all_at(rest, Phase.ABSENT), seconds=40)
    transcripts = {player.peer.transcript() for player in rest}
    assert len(transcripts) == 1
    core = rest[0].peer._core
    report = audit(transcripts.pop() or b"", core.draw, core.group)
    assert report.ok, report
    assert isinstance(report.outcome, Absent)
    assert report.outcome.losers == (Seat(away.table.own_seat or 0),)
    assert network.run(lambda: all(player.table.result.audit for player in rest), seconds=5)
    assert all(player.table.result.audit.ok for player in rest)
