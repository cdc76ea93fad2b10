"""Floods of ballots and polls, and what is read of them from a disk or a transcript: all of it is bounded."""

import json
from itertools import count

import pytest
from absence_table import GRACE_S, WAIT, but, deal_of, on_turn, playing
from poll_liar import Liar, ballots_of, ended_without, lead, poll, seat_of
from poll_world import HEAD, STEP, TABLE
from poll_world import signed as unsigned

from engine import Seat
from p2p.protocol.audit import audit
from p2p.protocol.ballot import AbsentAnswer, Ballot, HereAnswer, Poll, sign_ballot
from p2p.protocol.effects import Effect, Store
from p2p.protocol.entry import CallBody
from p2p.protocol.errors import MalformedMessage, TranscriptProblem
from p2p.protocol.limits import RATES
from p2p.protocol.messages import Ballots, JunkReason, encode
from p2p.protocol.poll import PollBook
from p2p.protocol.poll_bounds import (
    BALLOT_BYTES_PER_SEAT,
    BALLOTS_PER_SEAT,
    POLL_STEPS_KEPT,
    POLLS_PER_OPENER,
)
from p2p.protocol.snapshot import Phase
from p2p.protocol.transcript import MAX_TAIL_LINES
from p2p.protocol.transcript_lines import spell


def test_polls_at_once_without_the_grace_time_are_answered_by_nobody_and_nobody_loses_by_them() -> None:
    network = playing(4)
    owing = on_turn(network)
    player, *honest = but(network, owing)
    liar = Liar(network, player)
    numbers = count(1)

    def spam() -> None:
        if network.now < 15:
            liar.show(liar.sign(poll(next(numbers), player, owing), by=owing), owing, *honest)
            network.after(0.05, spam)

    spam()
    network.run(seconds=20)
    assert network.all_in(Phase.PLAYING)
    assert not any(ballots_of(one) for one in (owing, *honest))
    assert all(len(deal_of(one).ballots) <= BALLOTS_PER_SEAT for one in (owing, *honest))
    step = owing.table.step
    lead(network, owing)
    assert network.run(lambda: all(one.table.step > step for one in (owing, *honest)), seconds=2)


def test_more_ballots_than_a_poll_needs_are_not_even_looked_at() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    player, witness, _ = but(network, away)
    liar = Liar(network, player)
    sent = 500
    liar.show([liar.sign(poll(number, player, away)) for number in range(1, sent)], witness)
    assert witness.peer.junk[JunkReason.FLOOD] >= sent - RATES[Ballots].burst - 10
    assert len(deal_of(witness).ballots) == BALLOTS_PER_SEAT


@pytest.mark.parametrize("number", [-1, 0, 2**31, True])
def test_numbers_that_no_poll_has_are_refused_before_a_signature_is_looked_at(number: int) -> None:
    network = playing(3, rules=WAIT)
    away = on_turn(network)
    player, witness = but(network, away)
    liar = Liar(network, player)
    told = liar.sign(Poll(number, seat_of(player), (seat_of(away),), (), ()))
    with pytest.raises(MalformedMessage):
        told.open()
    message = encode(Ballots(deal_of(player).table_id, 1, (told,)))
    network.inject(player.index, witness.index, message)
    assert deal_of(witness).noise.total() == 1
    assert deal_of(witness).ballots == ()


def test_a_flood_at_every_step_keeps_the_polls_of_the_latest_steps_only() -> None:
    network = playing(3, bots=True)
    player, witness, _ = network.players
    liar = Liar(network, player)
    deal = deal_of(witness)
    seen: set[int] = set()
    for _ in range(3 * POLL_STEPS_KEPT):
        step = deal.step
        other = next(one for one in network.players if one not in (player, witness))
        place = (deal.table_id, 1, step, deal.head, seat_of(player))
        asked = Poll(1, seat_of(player), (seat_of(other),), (), ())
        liar.show(sign_ballot(player.identity, Ballot(*place, asked, AbsentAnswer())), witness)
        seen.add(step)
        if not network.run(lambda step=step: deal.step > step, seconds=30):  # type: ignore[misc]
            break
    assert len(seen) > 2 * POLL_STEPS_KEPT
    steps = {one.open().step for one in deal.ballots}
    assert steps
    assert min(steps) > deal.step - POLL_STEPS_KEPT - 2
    assert len(deal._polls_at) <= POLL_STEPS_KEPT + 1


def test_ballots_that_bring_much_take_no_more_memory_and_none_of_them_is_written() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    player, witness, _ = but(network, away)
    liar = Liar(network, player)
    many = tuple(player.sign(CallBody(True, None)) for _ in range(12))
    written = 0
    for number in range(1, 3 * BALLOTS_PER_SEAT):
        network.now += 0.2
        liar.show(liar.sign(poll(number, player, away), HereAnswer(many)), witness)
        effects: list[Effect] = []
        deal_of(witness)._store(None, effects)
        written += sum(len(one.ballots) for one in effects if isinstance(one, Store))
    held = deal_of(witness).ballots
    assert len(held) <= BALLOTS_PER_SEAT
    assert sum(len(one.ballot) for one in held) <= BALLOT_BYTES_PER_SEAT
    assert written <= BALLOTS_PER_SEAT


def test_a_book_goes_by_so_many_polls_of_one_opener_even_if_all_others_lie() -> None:
    """Who is voted about by all others at every moment keeps no more than that of it."""
    everybody = frozenset(map(Seat, range(4)))
    book = PollBook(everybody, everybody, Seat(3))
    for number in range(1, 10 * POLLS_PER_OPENER):
        asked = Poll(number, 0, (3,), (), ())
        for seat in (1, 2, 0):
            ballot = Ballot(TABLE, 1, STEP, HEAD, seat, asked, AbsentAnswer())
            book.take(ballot, unsigned(ballot), 0.0)
    assert len(book._verdicts) == POLLS_PER_OPENER
    assert len(book.ballots) == 3 * (POLLS_PER_OPENER + BALLOTS_PER_SEAT)


def test_a_transcript_with_more_ballots_than_seats_could_sign_is_not_read_on() -> None:
    network = playing(4)
    away = on_turn(network)
    rest = but(network, away)
    network.isolate(away.index)
    assert network.run(lambda: ended_without(rest, away), seconds=GRACE_S + 5)
    lines = (rest[0].peer.transcript() or b"").splitlines()
    first = next(number for number, line in enumerate(lines) if b'"ballot":' in line)
    vote = json.loads(lines[first])
    data = b"".join(line + b"\n" for line in lines[:first]) + 100_000 * spell(vote)
    core = network.players[0].peer._core
    report = audit(data, core.draw, core.group)
    assert (report.problem, report.line) == (TranscriptProblem.TOO_LONG, first + 1 + MAX_TAIL_LINES)
