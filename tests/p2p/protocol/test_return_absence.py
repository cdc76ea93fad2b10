"""Programs that end in the midst of a poll, or after it, and come back: in virtual time."""

import random

import pytest
from absence_table import GRACE_S, but, deal_of, on_turn, playing, table_of
from memory_table import MemoryNetwork, Player

from engine import Lay
from p2p.protocol.ballot import AbsentAnswer
from p2p.protocol.messages import Ballots, decode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_effects import Keep, PeerEffect
from p2p.protocol.snapshot import Phase, ResultKind


def isolate_again(network: MemoryNetwork, player: Player) -> None:
    """Keep somebody away whom a restart has linked again."""
    network.run(seconds=1.1)
    network.isolate(player.index)


def own_ballots(player: Player) -> int:
    return len(player.disk.voted)


def all_ended(players: list[Player]) -> bool:
    return all(player.alive and player.table.phase is Phase.ABSENT for player in players)


def test_who_ends_after_his_answer_is_bound_by_it_when_he_comes_back() -> None:
    """The entry appears while he is away and has reached all: he goes no further before the poll has it."""
    network = playing(5)
    author = on_turn(network)
    back, late, *rest = but(network, author)
    held = {late.index}

    def keep_from_late(_sender: Player, receiver: Player, message: bytes) -> bytes | None:
        return None if receiver.index in held and isinstance(decode(message), Ballots) else message

    network.on_message = keep_from_late
    network.isolate(author.index)
    network.isolate(late.index)
    assert network.run(lambda: own_ballots(back) > 0, seconds=GRACE_S + 5)
    step = back.table.step
    (ballot,) = back.peer._table.deals.current.deal.ballots[:1]
    assert isinstance(ballot.open().answer, AbsentAnswer)
    network.kill(back.index)
    network.restart(back.index)
    isolate_again(network, author)
    network.isolate(late.index)
    # His restart has linked him to `late` for a moment: that is news, from which on the others count anew.
    assert network.run(lambda: not back.table.taking_up, seconds=30)
    deal = back.peer._table.deals.current.deal
    assert ballot in deal.ballots
    # Now the entry comes, from its author himself.
    network.link(author.index, back.index)
    view = author.table.view
    assert view is not None
    assert view.seat is not None
    slot, card = view.hand[0]
    network.do(author.index, Peer.submit, Lay(view.seat, (slot,), card.rank, 1))
    network.run(seconds=2)
    assert author.table.step > step
    assert back.table.step == step, "who has answered absent waits for the poll"
    held.clear()
    for one in but(network, late):
        network.link(late.index, one.index)
    assert network.run(lambda: len({one.table.head for one in (back, late, *rest)}) == 1, seconds=60)


@pytest.mark.parametrize("seed", range(4))
def test_voters_killed_at_any_moment_of_a_poll_end_the_deal_as_all_others_do(seed: int) -> None:
    network = playing(4, seed)
    away = on_turn(network)
    voters = but(network, away)
    chance = random.Random(seed)
    kills = 0

    def dies(player: Player, effect: PeerEffect) -> bool:
        nonlocal kills
        at_poll = isinstance(effect, Keep) and bool(effect.store.ballots)
        if player is away or not at_poll or kills >= 4 or chance.random() < 0.4:
            return False
        kills += 1
        if chance.random() < 0.5:
            # It was just stored, and is not sent.
            player.disk.write(effect)
        network.after(chance.uniform(0.5, 3.0), lambda: network.restart(player.index))
        return True

    seat = away.table.own_seat
    network.on_effect = dies
    network.kill(away.index)
    assert network.run(lambda: all_ended(voters), seconds=300)
    assert kills
    results = {player.table.result.absent for player in voters if player.table.result is not None}
    assert results == {(seat,)}
    assert all(sum(player.table.losses) == 1 for player in voters)
    assert len({player.table.next_players for player in voters}) == 1


@pytest.mark.parametrize("between", [False, True])
def test_after_a_crash_the_next_deal_has_those_who_are_left(between: bool) -> None:
    """All are killed, once when the deal has ended without somebody, once when he left between two deals."""
    network = playing(4, bots=True)
    gone = network.players[1]
    if between:
        assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
        network.run(seconds=2)
    network.do(gone.index, Peer.leave)
    rest = but(network, gone)
    assert network.run(lambda: all(len(player.table.next_players) == 3 for player in rest), seconds=10)
    lost = rest[0].table.losses
    for player in rest:
        network.kill(player.index)
    for player in rest:
        network.restart(player.index)
    assert network.run(lambda: not any(player.table.taking_up for player in rest), seconds=30)
    keys = {player.peer.key for player in rest}
    for player in rest:
        assert set(player.table.next_players) == keys
        assert player.table.losses == lost
        network.do(player.index, Peer.next_deal)
    deal = 3 if between else 2
    over = network.run(
        lambda: all((one.table.phase, one.table.deal) == (Phase.OVER, deal) for one in rest), seconds=900
    )
    assert over
    for player in rest:
        assert player.table.result is not None
        assert player.table.result.kind is ResultKind.FINISHED


@pytest.mark.parametrize("players", [3, 4, 5])
def test_who_voted_in_a_deal_that_got_other_terms_finds_back_to_the_one_that_is_played(players: int) -> None:
    """They voted on the receipt that is missed, and at once on the commit. Once the receipt is given up the
    next deal has other players, so other terms: what was written of it before stands in nobody's way.
    """
    network = playing(players, bots=True)
    away, *rest = network.players
    assert network.run(lambda: away.table.phase is Phase.OVER, seconds=900)
    network.isolate(away.index)
    network.run(seconds=2)
    for player in rest:
        network.do(player.index, Peer.next_deal)
    assert network.run(lambda: all(player.table.deal == 2 for player in rest), seconds=60)
    first_head = deal_of(rest[0]).terms.first_head
    kept = [one.open() for player in rest for keep in player.disk.keeps for one in keep.store.ballots]
    assert any(ballot.deal == 2 and ballot.previous != first_head for ballot in kept)
    network.kill(away.index)
    for player in rest:
        network.kill(player.index)
    for player in rest:
        network.restart(player.index)
    assert network.run(lambda: all(one.table.phase is Phase.OVER for one in rest), seconds=900)
    assert {(player.table.deal, player.table.silent) for player in rest} == {(2, False)}


def test_a_deal_that_was_passed_over_is_gone_once_it_has_other_terms() -> None:
    """One hears how the poll about the commit ended before he hears the one about the receipt."""
    network = playing(4, bots=True)
    away, late, *others = network.players
    rest, held = [late, *others], [True]

    def hold(_sender: Player, receiver: Player, message: bytes) -> bytes | None:
        told = decode(message)
        return None if held and receiver is late and isinstance(told, Ballots) and told.deal == 1 else message

    assert network.run(lambda: away.table.phase is Phase.OVER, seconds=900)
    network.isolate(away.index)
    network.run(seconds=2)
    network.on_message = hold
    for player in rest:
        network.do(player.index, Peer.next_deal)
    assert network.run(lambda: table_of(late).deals.next.number == 3, seconds=60)
    held.clear()
    assert network.run(lambda: all(player.table.deal == 2 for player in rest), seconds=60)
    numbers = [run.number for run in table_of(late).deals.runs]
    assert len(numbers) == len(set(numbers))
    network.kill(late.index)
    network.restart(late.index)
    assert network.run(lambda: all_at_end(rest, 2), seconds=900)


def all_at_end(players: list[Player], deal: int) -> bool:
    return all((player.table.phase, player.table.deal) == (Phase.OVER, deal) for player in players)


def test_an_old_copy_of_the_journal_makes_nobody_vote_a_second_time() -> None:
    """The answer was sent, and the disk put back as it was before: the seat hears of it and only watches."""
    network = playing(4)
    away = on_turn(network)
    liar, *rest = but(network, away)
    network.kill(away.index)
    assert network.run(lambda: own_ballots(liar) > 0, seconds=GRACE_S + 5)
    network.run(seconds=0.2)
    liar.disk.keeps = [keep for keep in liar.disk.keeps if not keep.store.ballots]
    liar.disk.closed.clear()
    network.kill(liar.index)
    network.restart(liar.index)
    assert network.run(lambda: all_ended(but(network, away)), seconds=120)
    assert all(keep.store.voted is None for keep in liar.disk.keeps), "what others show it is not its own"
    for player in rest:
        assert player.table.result is not None
        assert player.table.result.kind is ResultKind.ABSENT
