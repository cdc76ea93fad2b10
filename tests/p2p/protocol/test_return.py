"""A peer that comes back to its table: what it says, what it waits for, and what makes it only watch."""

import copy

import pytest
from memory_table import MemoryNetwork, Player
from msgspec import structs

from engine import Refusal
from engine.bots import policy
from p2p.protocol.archive import Archive
from p2p.protocol.effects import Void
from p2p.protocol.entry import ReceiptBody
from p2p.protocol.messages import Entries, Formed, Status, Withdraw, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_effects import Keep
from p2p.protocol.peer_events import MoveRefused
from p2p.protocol.returning import PATIENCE_S, Returning
from p2p.protocol.snapshot import Phase, ResultKind
from p2p.protocol.table_rules import TableRules


def playing(players: int = 3, seed: int = 5, *, steps: int = 40) -> MemoryNetwork:
    """A table in the middle of its first deal, with bots."""
    network = MemoryNetwork(players, seed)
    network.seat_bots("honest")
    assert network.gather()
    assert network.run(lambda: network.players[0].table.step >= steps, seconds=300)
    return network


def over(network: MemoryNetwork, deal: int = 1) -> bool:
    """Whether the deal comes to its end with all receipts."""
    everybody = set(range(len(network.players)))

    def signed(player: Player) -> bool:
        result = player.table.result
        return result is not None and result.signed == everybody

    return network.run(
        lambda: (
            all(player.alive for player in network.players)
            and network.all_in(Phase.OVER, deal)
            and all(map(signed, network.players))
        ),
        seconds=1800,
    )


def goes_away(player: Player, seat: int) -> None:
    """A table seat plays no more: what the end of a deal may say of it, said here by hand."""
    table = player.peer._table
    assert table is not None
    table.deals.succession.leave_out(0, frozenset({seat}))
    run = table.deals.current
    if run.deal.outcome is not None:
        terms = table.deals.succession.terms_after(run.terms, run.deal.outcome, run.deal.state)
        table.deals._prepare_next(terms, 0.0)


def own_entries(player: Player) -> int:
    return len(player.disk.own)


def test_who_comes_back_sits_in_the_same_seat_and_reads_the_same_hand() -> None:
    network = playing()
    for index in range(3):
        network.players[index].bot = None
    network.run(seconds=3)
    before = network.players[1].table
    network.kill(1)
    network.run(seconds=2)
    network.restart(1)
    assert network.run(lambda: not network.players[1].table.taking_up, seconds=10)
    after = network.players[1].table
    assert (after.own_seat, after.deal, after.step, after.head) == (
        before.own_seat,
        before.deal,
        before.step,
        before.head,
    )
    assert before.view is not None
    assert after.view is not None
    assert after.view.hand == before.view.hand


def test_a_peer_that_listens_signs_nothing_new_and_moves_nothing() -> None:
    network = playing()
    for player in network.players:
        player.bot = None
    network.run(seconds=3)
    mine = next(player for player in network.players if player.table.owed_by_me is not None)
    network.kill(mine.index)
    signed = own_entries(mine)
    link = network.link
    network.link = lambda _one, _other: None  # type: ignore[method-assign]  # nobody is found
    network.restart(mine.index)
    network.run(seconds=60)
    assert mine.table.taking_up
    assert mine.table.own_wait
    assert own_entries(mine) == signed
    network.link = link  # type: ignore[method-assign]
    for other in network.players:
        if other is not mine:
            network.link(mine.index, other.index)
    assert network.run(lambda: not mine.table.taking_up, seconds=5)


def test_with_half_of_the_others_it_speaks_after_a_while_and_with_fewer_never() -> None:
    network = playing(4)
    for player in network.players:
        player.bot = None
    network.run(seconds=3)
    back = network.players[0]
    network.kill(0)
    away = [network.players[1], network.players[2]]
    for player in away:
        network.kill(player.index)
    network.restart(0)
    network.run(seconds=5 * PATIENCE_S)
    assert back.table.taking_up, "one of three has been heard"
    network.restart(1)
    since = network.now
    assert network.run(lambda: not back.table.taking_up, seconds=3 * PATIENCE_S)
    assert network.now - since >= PATIENCE_S


def test_one_who_only_claims_to_be_ahead_keeps_nobody_silent_for_long() -> None:
    network = playing()
    for player in network.players:
        player.bot = None
    network.run(seconds=3)
    back = network.players[1]
    network.kill(1)

    def boast(sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if sender.index == 2 and isinstance(decoded, Status):
            return encode(structs.replace(decoded, step=decoded.step + 100))
        return None if sender.index == 2 and isinstance(decoded, Entries) else message

    network.on_message = boast
    network.restart(1)
    assert network.run(lambda: not back.table.taking_up, seconds=4 * PATIENCE_S)


def test_an_old_copy_of_the_journal_only_watches_and_makes_no_fork() -> None:
    """A backup of yesterday is put back: the others hold entries of this seat that it lacks."""
    network = playing(steps=20)
    old = copy.deepcopy(network.players[1].disk)
    assert network.run(lambda: network.players[1].table.step >= 60, seconds=300)
    network.kill(1)
    network.players[1].disk = old
    signed = own_entries(network.players[1])
    network.restart(1)
    network.run(seconds=60)
    watcher = network.players[1]
    assert watcher.table.silent
    assert own_entries(watcher) == signed
    others = [network.players[0], network.players[2]]
    assert {player.table.phase for player in others} == {Phase.PLAYING}, "nobody is blamed"
    assert watcher.table.step == max(player.table.step for player in others)


def test_a_second_process_with_a_copied_store_only_watches() -> None:
    """One key on two computers: the first plays, the second was copied from it a while ago."""
    network = playing(steps=20)
    first = network.players[1]
    copied = copy.deepcopy(first.disk)
    assert network.run(lambda: first.table.step >= 60, seconds=300)
    network.kill(1)
    played, first.disk = first.disk, copied
    network.restart(1)
    assert network.run(lambda: first.table.silent, seconds=30)
    assert first.disk.own.keys() < played.own.keys(), "it has signed nothing that the first has not"


def test_a_move_for_a_step_that_has_passed_is_stale_and_refused() -> None:
    network = MemoryNetwork(2, 3)
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    network.run(seconds=1)
    mine = next(player for player in network.players if player.table.owed_by_me is not None)
    view = mine.table.view
    assert view is not None
    move = policy("random", 1).choose(view, view.owed[0])
    table_id, deal, step = at = (mine.table.table_id, mine.table.deal, mine.table.step)
    for stale in ((table_id, deal, step - 1), (table_id, deal - 1, step), (bytes(32), deal, step)):
        network.do(mine.index, lambda peer, now, stale=stale: peer.submit(move, now, stale))
        assert mine.of(MoveRefused)[-1].reason is Refusal.NOT_NOW
        assert (mine.table.deal, mine.table.step) == (deal, step)
        assert mine.table.owed_by_me is not None
    network.do(mine.index, lambda peer, now: peer.submit(move, now, at))
    assert network.run(lambda: mine.table.step > step, seconds=1)


def test_who_missed_deals_verifies_them_one_by_one_and_plays_again() -> None:
    """The others went on without him for three deals; he comes back at the end of the one before."""
    network = MemoryNetwork(3, 5)
    network.seat_bots("honest")
    assert network.gather()
    assert over(network)
    away = network.players[2]
    others = network.players[:2]
    seat = away.table.own_seat
    assert seat is not None
    for player in network.players:
        goes_away(player, int(seat))
    network.kill(2)
    for deal in (2, 3, 4):
        for player in others:
            network.do(player.index, Peer.next_deal)
        assert network.run(
            lambda deal=deal: all(p.table.deal == deal and p.table.phase is Phase.OVER for p in others),  # type: ignore[misc]
            seconds=900,
        )
        network.run(seconds=3)
    network.restart(2)
    goes_away(away, int(seat))
    assert network.run(lambda: away.table.deal == 4 and away.table.phase is Phase.OVER, seconds=60)
    assert away.table.head == others[0].table.head
    assert away.table.result is not None
    assert others[0].table.result is not None
    assert away.table.result.standings == others[0].table.result.standings


def test_a_journal_without_its_secrets_only_watches() -> None:
    network = playing()
    network.kill(1)
    network.players[1].disk.secrets.clear()
    signed = own_entries(network.players[1])
    network.restart(1)
    network.run(seconds=30)
    assert network.players[1].table.silent
    assert own_entries(network.players[1]) == signed


def test_a_journal_with_a_hole_fills_it_from_the_others_and_plays_on() -> None:
    """Entries of others that a damaged disk has lost; the own ones are all there."""
    network = playing()
    network.kill(1)
    disk, own = network.players[1].disk, network.players[1].peer.key
    place = len(disk.keeps) // 2
    lost = disk.keeps[place]
    disk.keeps[place] = Keep(
        lost.table_id, lost.terms, type(lost.store)(lost.store.deal, (), lost.store.own, lost.store.secrets)
    )
    assert lost.store.entries, own
    network.restart(1)
    assert over(network)
    assert len({player.peer.transcript() for player in network.players}) == 1


def test_a_journal_that_lacks_one_own_entry_only_watches() -> None:
    network = playing()
    network.kill(1)
    disk = network.players[1].disk
    own = [index for index, keep in enumerate(disk.keeps) if keep.store.own is not None]
    lost = disk.keeps[own[len(own) // 2]]
    disk.keeps[own[len(own) // 2]] = Keep(
        lost.table_id, lost.terms, type(lost.store)(lost.store.deal, lost.store.entries)
    )
    network.restart(1)
    network.run(seconds=30)
    assert network.players[1].table.silent


@pytest.mark.parametrize("killed", [(0,), (1,), (0, 1)])
def test_who_dies_between_two_deals_finds_the_next_one(killed: tuple[int, ...]) -> None:
    network = MemoryNetwork(2, 3)
    network.seat_bots("honest")
    assert network.gather()
    assert over(network)
    losses = network.players[0].table.losses
    for index in killed:
        network.kill(index)
    network.run(seconds=3)
    for index in killed:
        network.restart(index)
    network.run(seconds=5)
    for player in network.players:
        assert (player.table.phase, player.table.deal, player.table.losses) == (Phase.OVER, 1, losses)
    for index in (0, 1):
        network.do(index, Peer.next_deal)
    assert over(network, 2)
    assert len({player.peer.transcript() for player in network.players}) == 1


def test_who_dies_with_his_wish_for_the_next_deal_said_has_still_said_it() -> None:
    network = MemoryNetwork(2, 3)
    network.seat_bots("honest")
    assert network.gather()
    assert over(network)
    network.run(seconds=3)
    network.do(0, Peer.next_deal)
    network.kill(0)
    network.run(seconds=3)
    network.restart(0)
    network.run(seconds=3)
    network.do(1, Peer.next_deal)
    assert over(network, 2)


def test_losses_are_counted_from_the_journal() -> None:
    network = MemoryNetwork(2, 3)
    network.seat_bots("random")
    assert network.gather()
    for deal in (1, 2):
        assert over(network, deal)
        network.run(seconds=3)
        for index in (0, 1):
            network.do(index, Peer.next_deal)
    assert network.run(lambda: network.players[0].table.step > 10, seconds=60)
    before = [player.table.losses for player in network.players]
    assert sum(before[0]) == 2
    for player in network.players:
        player.bot = None
    network.kill(0)
    network.restart(0)
    network.run(seconds=5)
    assert [player.table.losses for player in network.players] == before


def test_a_void_deal_is_void_again_after_the_return() -> None:
    network = playing()
    liar = network.players[2]
    wrong = liar.sign(ReceiptBody())
    table_id = liar.table.table_id
    assert table_id is not None
    network.inject(2, 1, encode(Entries(table_id, 1, (wrong,))))
    assert network.run(lambda: network.players[1].table.phase is Phase.VOID, seconds=10)
    network.kill(1)
    network.restart(1)
    assert network.run(lambda: network.players[1].table.phase is Phase.VOID, seconds=10)
    result = network.players[1].table.result
    assert result is not None
    assert (result.kind, result.loser) == (ResultKind.VOID, liar.table.own_seat)
    assert isinstance(network.players[1].disk.closed[-1].outcome, Void)


def test_who_signed_a_table_and_died_before_it_was_formed_is_told_of_it() -> None:
    network = MemoryNetwork(3, 4)
    network.seat_bots("honest")
    network.on_message = lambda _s, receiver, message: (
        None if receiver.index == 2 and isinstance(decode(message), Formed | Entries | Status) else message
    )
    assert not network.gather()
    assert network.players[0].table.table_id is not None
    network.kill(2)
    network.on_message = None
    network.restart(2)
    assert network.players[2].peer.table is None
    assert over(network)


def test_who_dies_again_before_anything_is_written_is_told_of_the_table_again() -> None:
    network = MemoryNetwork(3, 4)
    network.seat_bots("honest")
    network.on_message = lambda _s, receiver, message: (
        None if receiver.index == 2 and isinstance(decode(message), Formed | Entries | Status) else message
    )
    assert not network.gather()
    missing = network.players[2]
    network.kill(2)
    network.on_message = None
    missing.disk.refuses = True
    network.restart(2)
    others = [player.peer._table for player in network.players[:2]]
    assert network.run(lambda: all(one.members[missing.peer.key].heard for one in others), seconds=10)
    network.kill(2)
    missing.disk.refuses = False
    network.restart(2)
    assert missing.peer.table is None
    assert over(network)


def test_a_table_that_the_journal_knows_is_not_taken_up_because_somebody_says_so() -> None:
    network = playing()
    network.kill(1)
    network.restart(1, resume=False)
    network.run(seconds=10)
    assert network.players[1].peer.table is None


def test_who_comes_back_to_a_table_that_the_others_have_left_waits_for_nobody() -> None:
    network = playing()
    network.kill(0)
    for index in (1, 2):
        network.do(index, Peer.leave)
    network.restart(0)
    assert network.run(lambda: not network.players[0].table.taking_up, seconds=10)
    assert all(member.left for member in network.players[0].table.members if not member.own)


def test_the_clock_never_acts_for_a_seat_that_may_only_watch() -> None:
    network = MemoryNetwork(3, 5)
    network.seat_bots("honest")
    assert network.gather(table_rules=TableRules(clock_s=10))
    assert network.run(lambda: network.players[0].table.step >= 20, seconds=300)
    old = copy.deepcopy(network.players[1].disk)
    assert network.run(lambda: network.players[1].table.step >= 40, seconds=300)
    network.kill(1)
    network.players[1].disk = old
    signed = own_entries(network.players[1])
    network.restart(1)
    watcher = network.players[1]
    assert network.run(lambda: watcher.table.silent, seconds=60)
    network.run(seconds=120)
    assert own_entries(watcher) == signed
    assert not watcher.of(MoveRefused)


def test_what_the_journal_holds_of_a_deal_is_kept_until_the_deal_before_has_ended_so() -> None:
    network = playing(2)
    assert over(network)
    for index in range(2):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=30)
    table = network.players[0].peer._table
    resumed = network.players[0].disk.resumed()
    assert table is not None
    assert resumed is not None
    run = table.deals.current
    others = structs.replace(run.terms, before=bytes(32))
    back = Returning(table.core, 0.0, waiting=True)
    back.restore(resumed, table.deals.succession, Archive())
    assert not back.prepare(others, 0.0).deal.replaying
    assert back.prepare(run.terms, 0.0).deal.replaying


def test_a_table_whose_opener_closed_it_after_all_had_signed_is_never_taken_up() -> None:
    network = MemoryNetwork(3, 4)
    formed: list[bytes] = []

    def held_back(_sender: Player, receiver: Player, message: bytes) -> bytes | None:
        if receiver.index == 2 and isinstance(decode(message), Formed | Entries | Status):
            formed.append(message)
            return None
        return message

    network.on_message = held_back
    assert not network.gather()
    offer = network.players[2].table
    assert offer.table_id is None
    network.inject(0, 2, encode(Withdraw(network.players[0].peer.table.offer_id, started_without=False)))  # type: ignore[union-attr]
    assert network.players[2].peer.table is None
    signed = next(message for message in formed if isinstance(decode(message), Formed))
    network.inject(0, 2, signed)
    assert network.players[2].peer.table is None
    network.kill(2)
    network.restart(2)
    network.inject(0, 2, signed)
    assert network.players[2].peer.table is None
