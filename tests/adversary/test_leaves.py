"""Leaves that were not signed for this: another's, another table's, another deal's; and transcripts whose
lines of leaves and ballots were touched; in virtual time.
"""

import json
from typing import Any

import pytest
from absence_table import WAIT, but, deal_of, on_turn, playing, table_of
from memory_table import MemoryNetwork, Player
from msgspec import structs
from poll_liar import Liar, ballots_of, checked, ended_without, lead, poll, sealed, seat_of

from p2p.protocol.ballot import Leave, sign_ballot, sign_leave
from p2p.protocol.effects import Absent
from p2p.protocol.errors import TranscriptProblem
from p2p.protocol.messages import Ballots, JunkReason, Leaves, Status, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.returning import PATIENCE_S
from p2p.protocol.snapshot import Phase
from p2p.protocol.table_rules import TableRules
from p2p.protocol.transcript_tail import tail_line


def member_of(player: Player) -> int:
    """The table seat of a player."""
    return tuple(table_of(player).names).index(player.peer.key)


def unfit(player: Player) -> int:
    return player.peer.junk.get(JunkReason.UNFIT, 0)


def tell_leave(network: MemoryNetwork, leaver: Player, deal: int) -> None:
    """Somebody tells all others that he leaves from a deal on, and stays."""
    signed = sign_leave(leaver.identity, Leave(deal_of(leaver).table_id, deal, member_of(leaver)))
    for one in but(network, leaver):
        network.inject(leaver.index, one.index, encode(Leaves(deal_of(one).table_id, (signed,))))


@pytest.mark.parametrize("how", ["of another", "of last night", "of nobody"])
def test_a_leave_that_its_seat_did_not_sign_for_this_table_is_noise(how: str) -> None:
    network = playing(3)
    player, witness, victim = network.players
    table_id = deal_of(witness).table_id
    match how:
        case "of another":
            signed = sign_leave(player.identity, Leave(table_id, 1, member_of(victim)))
        case "of last night":
            signed = sign_leave(victim.identity, Leave(bytes(32), 1, member_of(victim)))
        case _:
            signed = sign_leave(player.identity, Leave(table_id, 1, 11))
    noise = unfit(witness)
    network.inject(player.index, witness.index, encode(Leaves(table_id, (signed,))))
    network.run(seconds=3)
    assert unfit(witness) == noise + 1
    assert not any(deal_of(one).left for one in network.players)
    assert network.all_in(Phase.PLAYING)


def test_a_leave_for_later_deals_ends_none_before_them() -> None:
    network = playing(3)
    leaver = on_turn(network)
    rest = but(network, leaver)
    tell_leave(network, leaver, 5)
    step = leaver.table.step
    lead(network, leaver)
    assert network.run(lambda: all(one.table.step > step for one in rest), seconds=2)
    assert not any(deal_of(one).left for one in rest)
    assert not any(map(ballots_of, rest))


def test_who_leaves_and_plays_on_has_left() -> None:
    network = playing(3)
    leaver = on_turn(network)
    rest = but(network, leaver)
    tell_leave(network, leaver, 1)
    lead(network, leaver)
    assert network.run(lambda: ended_without(rest, leaver), seconds=5)
    assert all(one.table.result is not None and one.table.result.left for one in rest)


def test_ballots_of_last_night_and_of_another_deal_are_noise() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    player, witness, _ = but(network, away)
    ballot = Liar(network, player).sign(poll(1, player, away)).open()
    for other in (structs.replace(ballot, table=bytes(32)), structs.replace(ballot, deal=2)):
        noise = deal_of(witness).noise.total()
        signed = sign_ballot(player.identity, other)
        network.inject(player.index, witness.index, encode(Ballots(ballot.table, 1, (signed,))))
        assert deal_of(witness).noise.total() == noise + 1
    assert deal_of(witness).ballots == ()


# Who comes back


def test_ballots_without_end_do_not_keep_him_silent_who_came_back() -> None:
    """Each of them is news; and a liar can always sign another one."""
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    player, back, _ = but(network, away)
    liar = Liar(network, player)
    before = network.on_message
    assert before is not None

    def boast(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if sender is player and isinstance(decoded, Status):
            return encode(structs.replace(decoded, votes=bytes(32)))
        return before(sender, receiver, message)

    network.on_message = boast
    network.kill(back.index)
    network.restart(back.index)
    number = 0

    def trickle() -> None:
        nonlocal number
        number += 1
        liar.show(liar.sign(poll(number, player, away)), back)
        network.after(2.0, trickle)

    network.after(1.5, trickle)
    assert network.run(lambda: not back.table.taking_up, seconds=2 * PATIENCE_S + 2)


def test_who_comes_back_just_after_the_grace_time_votes_and_loses_nothing() -> None:
    """Two programs end at once. One stays away, so the other never hears from all, and votes all the same."""
    network = playing(6, rules=TableRules(grace_s=10, clock_s=10, absence="forfeit"))
    away = on_turn(network)
    back, *rest = but(network, away)
    network.kill(away.index)
    network.kill(back.index)
    network.run(seconds=10.2)
    network.restart(back.index)
    assert network.run(lambda: ended_without([back, *rest], away), seconds=60)
    assert all(one.table.losses == rest[0].table.losses for one in (back, *rest))


# Transcripts


def left_behind() -> tuple[MemoryNetwork, list[dict[str, Any]], Player]:
    """The lines of the transcript of a deal that ended because somebody left, and the one who did."""
    network = playing(4)
    leaver = on_turn(network)
    rest, seat = but(network, leaver), seat_of(leaver)
    network.do(leaver.index, Peer.leave)
    assert network.run(lambda: ended_without(rest, seat), seconds=5)
    lines = (rest[0].peer.transcript() or b"").splitlines()
    return network, [json.loads(line) for line in lines], leaver


def test_leaves_and_ballots_of_a_transcript_that_were_touched_are_found_by_the_audit() -> None:
    network, lines, leaver = left_behind()
    assert checked(network, sealed(lines)).ok
    at = next(number for number, line in enumerate(lines) if "leave" in line)
    *told, end = lines
    votes = told[at:]
    assert [("leave" in line) for line in votes] == [True, False, False, False]
    touched = {
        "the leave is doubled": [*told[:at], votes[0], *votes],
        "a ballot is missing": told[:-1],
        "a ballot is doubled": [*told, votes[-1]],
        "ballots before the leave": [*told[:at], *votes[1:], votes[0]],
        "ballots in another order": [*told[:at], votes[0], *votes[:0:-1]],
        "a ballot that is accused": [*told[:-1], {**votes[-1], "accused": True}],
    }
    for name, changed in touched.items():
        report = checked(network, sealed([*changed, end]))
        assert (report.ok, report.check) == (False, "votes"), name
    # Without the leave those who voted have ended it all the same, and nobody loses more.
    report = checked(network, sealed([*told[:at], *votes[1:], end]))
    assert report.ok
    assert isinstance(report.outcome, Absent)
    assert (report.outcome.left, report.outcome.losers) == ((), tuple(end["losers"]))
    for entry in (told[at - 1], told[1]):
        report = checked(network, sealed([*told[: at - 1], votes[0], entry, *votes[1:], end]))
        assert (report.ok, report.check) == (False, "transcript")
    other = sign_leave(leaver.identity, Leave(bytes(32), 1, votes[0]["member"]))
    witness = next(one for one in network.players if one is not leaver)
    table_id = deal_of(witness).table_id
    later = sign_leave(leaver.identity, structs.replace(other.open(), table=table_id, deal=2))
    for signed in (other, later):
        report = checked(network, sealed([*told[:at], tail_line(signed), *votes[1:], end]))
        assert (report.problem, report.line) == (TranscriptProblem.SIGNATURE, at + 1)
    forged = {**votes[0], "signature": votes[1]["signature"]}
    report = checked(network, sealed([*told[:at], forged, *votes[1:], end]))
    assert (report.problem, report.line) == (TranscriptProblem.SIGNATURE, at + 1)


def test_of_two_nobody_has_left_without_his_leave() -> None:
    network = playing(2)
    leaver = on_turn(network)
    (other,), seat = but(network, leaver), seat_of(leaver)
    network.do(leaver.index, Peer.leave)
    assert network.run(lambda: ended_without([other], seat), seconds=5)
    lines = [json.loads(line) for line in (other.peer.transcript() or b"").splitlines()]
    assert checked(network, sealed(lines)).ok
    without = [line for line in lines if "leave" not in line]
    assert checked(network, sealed(without)).check == "votes"


def test_a_void_end_by_ballots_that_tell_one_story_is_refused() -> None:
    network = playing(4, rules=WAIT)
    away = on_turn(network)
    player, witness, _ = but(network, away)
    liar = Liar(network, player)
    network.isolate(away.index)
    one, other = liar.sign(poll(1, player, away)), liar.sign(poll(1, player, away, silent=[witness]))
    harmless = liar.sign(poll(2, player, away))
    liar.show((one, other), witness)
    assert network.run(lambda: witness.table.phase is Phase.VOID, seconds=5)
    lines = [json.loads(line) for line in (witness.peer.transcript() or b"").splitlines()]
    good = checked(network, sealed(lines))
    assert (good.check, good.loser) == ("fork", seat_of(player))
    told = lines[:-3]
    for pair in ((one, harmless), (one, one), (other,)):
        made_up = [*told, *(tail_line(signed, accused=True) for signed in pair), lines[-1]]
        report = checked(network, sealed(made_up))
        assert report.check != "fork"
        assert report.loser is None
