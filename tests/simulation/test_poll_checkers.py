"""Every checker of what is written where seats are missed is seen to fail when what it claims is broken."""

from dataclasses import replace

import pytest
from absence_table import FORFEIT, GRACE_S, but, deal_of, on_turn, playing
from memory_player import Player
from memory_table import MemoryNetwork

from engine import Seat
from p2p.protocol.ballot import (
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Poll,
    SeeAnswer,
    sign_ballot,
)
from p2p.protocol.effects import Finished, Outcome, Stopped, Store, Void
from p2p.protocol.entry import CommitBody, SignedEntry
from p2p.protocol.peer import Peer
from p2p.protocol.peer_effects import CloseDeal, Keep
from p2p.protocol.snapshot import Phase
from tests.simulation.checkers import Violation
from tests.simulation.plan import Plan
from tests.simulation.poll_checkers import MARGIN_S, EqualEnds, OneStory, Records, RightAbsence
from tests.simulation.simulated import AbsenceSimulation

ABSENT = AbsentAnswer()


def keep(player: Player, **store: object) -> Keep:
    """What a doctored peer writes."""
    deal = deal_of(player)
    return Keep(deal.table_id, deal.terms.encode(), Store(deal.terms.deal, (), **store))


def write(network: MemoryNetwork, player: Player, *kept: Keep) -> None:
    """A doctored peer writes it."""
    player.disk.keeps += kept
    Records.of(network).look(player)


def vote(player: Player, number: int, answer: Answer, *missing: Player, step: int | None = None) -> Keep:
    """An answer to a poll that this player has opened himself, about these."""
    deal = deal_of(player)
    at = deal.step if step is None else step
    about = tuple(sorted(one.table.own_seat for one in missing))
    poll = Poll(number, player.table.own_seat, about, (), ())
    ballot = Ballot(deal.table_id, deal.terms.deal, at, deal.head, player.table.own_seat, poll, answer)
    signed = sign_ballot(player.identity, ballot)
    return keep(player, voted=signed, ballots=(signed,))


def entry(player: Player, step: int) -> SignedEntry:
    """Some entry at a step."""
    return player.sign(CommitBody(bytes(32)), step=step)


@pytest.mark.parametrize(
    ("number", "answer"),
    [(2, SeeAnswer(1, 0, ())), (1, ABSENT)],
    ids=["two answers to a poll", "an answer to a lower poll"],
)
def test_an_answer_to_a_poll_that_is_not_above_all_that_were_answered_is_found(
    number: int, answer: Answer
) -> None:
    network = playing(4)
    OneStory(network)
    player, other, *_ = network.players
    write(network, player, vote(player, 2, ABSENT, other))
    with pytest.raises(Violation, match="answers"):
        write(network, player, vote(player, number, answer, other))


def test_an_absence_that_denies_an_earlier_one_is_found() -> None:
    network = playing(4)
    OneStory(network)
    player, one, other, _ = network.players
    write(network, player, vote(player, 1, ABSENT, one))
    with pytest.raises(Violation, match="answers"):
        write(network, player, vote(player, 2, ABSENT, other))


def test_who_goes_on_from_a_step_that_he_has_promised_to_stay_at_is_found() -> None:
    network = playing(3)
    story = OneStory(network)
    missed = on_turn(network)
    player, other = but(network, missed)
    step = deal_of(player).step
    write(network, player, vote(player, 2, ABSENT, missed))
    write(network, player, keep(player, own=entry(player, step)))
    write(network, other, vote(other, 1, HereAnswer((entry(missed, step),)), missed))
    assert story.polls == 2
    with pytest.raises(Violation, match="goes on from"):
        write(network, player, keep(player, own=entry(player, step + 1)))
    write(network, other, vote(other, 3, HereAnswer((entry(missed, step),)), missed))
    write(network, player, keep(player, own=entry(player, step + 1)))


def test_who_signs_something_after_his_leave_is_found() -> None:
    network = playing(3)
    OneStory(network)
    player = network.players[1]
    left = keep(player)
    network.do(player.index, Peer.leave)
    with pytest.raises(Violation, match="after its leave"):
        write(network, player, replace(left, store=replace(left.store, own=entry_of(left, player))))


def entry_of(kept: Keep, player: Player) -> SignedEntry:
    """An entry that was written before, and is written again."""
    own = [one.store.own for one in player.disk.keeps if one.table_id == kept.table_id]
    return next(signed for signed in own if signed is not None)


@pytest.mark.parametrize("cut", [True, False])
def test_who_was_voted_absent_though_there_is_found(cut: bool) -> None:
    network = playing(4)
    watch = RightAbsence(network, GRACE_S)
    victim = on_turn(network)
    rest = but(network, victim)
    network.run(seconds=GRACE_S + MARGIN_S + 1)
    if cut:
        network.cut(victim.index, rest[0].index)
        network.cut(victim.index, rest[1].index)
        network.run(seconds=1)
    for player in rest:
        run = player.peer._table.deals.current
        run.step_since = float("-inf")
        run.shown_until = float("-inf")
    network.do(rest[0].index, Peer.tick)
    if cut:
        assert network.run(lambda: all(one.table.phase is Phase.ABSENT for one in rest), seconds=10)
        assert [(place[2], watch.wrong) for place in watch.absent] == [(victim.index, 0)]
        return
    with pytest.raises(Violation, match="was voted absent, though it was there"):
        network.run(seconds=10)
    assert watch.wrong == 1


def close(network: MemoryNetwork, player: Player, outcome: Outcome) -> None:
    """A doctored peer writes an end."""
    table = player.peer._table
    assert table is not None
    closing = table.deals.current.closing(table.proposal, outcome, b"")
    player.disk.closed.append(closing)
    Records.of(network).look(player)


@pytest.mark.parametrize(
    "outcome",
    [Void(3, Seat(1), "fork", None), Stopped(3)],
    ids=["somebody is called a cheat", "a program is called wrong"],
)
def test_an_end_that_blames_somebody_is_found(outcome: Outcome) -> None:
    network = playing(3)
    ends = EqualEnds(network)
    with pytest.raises(Violation, match="it has ended with"):
        close(network, network.players[0], outcome)
    assert ends.blamed == 1


def ended(network: MemoryNetwork) -> tuple[EqualEnds, CloseDeal]:
    """A table of four at which one was voted absent; one of its records."""
    ends = EqualEnds(network)
    away = on_turn(network)
    network.kill(away.index)
    rest = but(network, away)
    assert network.run(lambda: all(one.table.phase is Phase.ABSENT for one in rest), seconds=40)
    assert ends.differences(rest, deal_of(rest[0]).table_id) == []
    assert ends.voted == 1
    return ends, rest[0].disk.closed[0]


def test_a_deal_that_has_ended_for_some_without_another_seat_is_found() -> None:
    network = playing(4)
    ends, closed = ended(network)
    rest = [player for player in network.players if player.alive]
    assert not isinstance(closed.outcome, Void | Stopped | Finished)
    close(network, rest[1], replace(closed.outcome, losers=()))
    (told,) = ends.differences(rest, closed.table_id)
    assert told.startswith("deal 1")


def test_a_deal_that_has_not_ended_for_all_is_found() -> None:
    network = playing(4)
    ends, closed = ended(network)
    rest = [player for player in network.players if player.alive]
    del ends.ends[closed.table_id, 1][rest[2].index]
    assert len(ends.differences(rest, closed.table_id)) == 1


def test_an_entry_before_the_end_that_one_lacks_is_counted_and_one_of_its_step_is_not() -> None:
    network = playing(4)
    ends, closed = ended(network)
    rest = [player for player in network.players if player.alive]
    record = deal_of(rest[0]).record
    before = [signed.entry for signed in record.accepted_at(closed.outcome.step - 1).values()]
    lately = player_entry = entry(rest[0], closed.outcome.step).entry
    assert ends.lost(rest, closed.table_id, [*before, lately]) == 0
    rest[1].disk.entries.discard(before[0])
    assert ends.lost(rest, closed.table_id, [*before, player_entry]) == 1


def quiet(seed: int = 1) -> Plan:
    """A plan at which seats could be missed, and nothing goes wrong."""
    plan = replace(Plan.draw(seed), strikes=(), table_rules=FORFEIT)
    assert plan.absences
    return plan


def test_a_table_with_a_dead_seat_that_does_not_go_on_is_found() -> None:
    simulation = AbsenceSimulation(1, replace(quiet(), players=3))
    network = simulation.network

    def die() -> None:
        network.kill(0)
        network.on_message = lambda _sender, _receiver, _message: None

    network.at(4.0, die)
    with pytest.raises(Violation, match="nothing has gone on"):
        simulation.play()


def test_ends_that_differ_are_told_when_a_table_does_not_go_on() -> None:
    simulation = AbsenceSimulation(1, replace(quiet(), players=3))
    network = simulation.network

    def doctor() -> None:
        ends = simulation.ends.ends
        known = next(iter(ends.values()))
        known[0] = replace(known[0], without=(Seat(1),))

    simulation.faults.calm_since = None
    network.at(60.0, doctor)
    network.at(61.0, lambda: setattr(simulation.faults, "calm_since", 61.0))
    with pytest.raises(Violation, match=r"nothing has gone on .*deal 1: "):
        simulation.play()
