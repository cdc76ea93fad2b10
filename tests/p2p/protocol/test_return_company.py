"""Crashes about a table that is opened again between two deals, and tables that somebody has left."""

from memory_table import MemoryNetwork, Player

from engine import Ruleset, Seat
from p2p.protocol.messages import Entries, Formed, Leaves, Status, Withdraw, decode
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase

SMALL = Ruleset.preset("pagat").with_(pack=24)
"""Deals that are over soon."""


def over(network: MemoryNetwork, seats: int) -> bool:
    """Whether the first deal of so many comes to its end with all receipts."""

    def settled(player: Player) -> bool:
        table = player.peer.table
        return table is not None and table.result is not None and len(table.result.signed) == seats

    return network.run(lambda: all(map(settled, network.players[:seats])), seconds=900)


def played(players: int, seats: int, seed: int = 1) -> MemoryNetwork:
    """A network whose first `seats` peers have played a deal."""
    network = MemoryNetwork(players, seed)
    network.seat_bots("honest")
    assert network.gather(SMALL, seats=seats)
    assert over(network, seats)
    return network


def reopened(network: MemoryNetwork, opener: int, *others: int) -> None:
    """`opener` opens the table again, and the others take their seats there: all but ready."""
    network.do(opener, Peer.reopen, 1 + len(others))
    network.run(seconds=1)
    (offer,) = network.players[opener].lobby.offers
    for index in others:
        network.do(index, Peer.join, network.players[opener].peer.key, offer.offer_id)
    network.run(seconds=1)


def agree(network: MemoryNetwork, *indices: int) -> bytes:
    """All are ready; the id of the new table, which the first of them has seen formed."""
    first, old = network.players[indices[0]], network.players[indices[0]].table.before
    assert old is not None
    for index in indices:
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: first.table.table_id not in (None, old.table_id), seconds=10)
    assert first.table.table_id is not None
    return first.table.table_id


def counts(player: Player) -> dict[str, tuple[int, int]]:
    """Losses and wins by name."""
    table = player.table
    return {
        member.name: (losses, wins)
        for member, losses, wins in zip(table.members, table.losses, table.wins, strict=True)
    }


def test_who_dies_in_a_deal_of_a_table_that_follows_finds_his_seat_and_the_counts_there() -> None:
    network = played(3, 2)
    carried = counts(network.players[0])
    assert sum(losses for losses, _ in carried.values()) == 1
    reopened(network, 1, 0, 2)
    new = agree(network, 1, 0, 2)
    assert network.run(lambda: all(player.table.step > 20 for player in network.players), seconds=300)
    for player in network.players:
        player.bot = None
    network.run(seconds=1)
    before = [counts(player) for player in network.players]
    assert before[0] == carried | {"Vera": (0, 0)}
    for index in (0, 2):
        network.kill(index)
        network.restart(index)
    assert network.run(lambda: not any(player.table.taking_up for player in network.players), seconds=60)
    assert {player.table.table_id for player in network.players} == {new}
    assert [counts(player) for player in network.players] == before
    network.seat_bots("honest")
    for player in network.players:
        network._consult(player)
    assert over(network, 3)
    assert len({player.peer.transcript() for player in network.players}) == 1


def test_who_died_between_his_signature_and_the_new_table_goes_from_the_old_one_to_it() -> None:
    network = played(2, 2)
    reopened(network, 1, 0)
    network.on_message = lambda _s, receiver, message: (
        None if receiver.index == 0 and isinstance(decode(message), Formed | Entries | Status) else message
    )
    new = agree(network, 1, 0)
    old = network.players[0].disk.resumed()
    assert old is not None
    assert old.last.terms.table.table_id != new, "the journal knows nothing of it"
    network.kill(0)
    network.on_message = None
    network.restart(0)
    assert network.run(lambda: network.players[0].table.table_id == new, seconds=10)
    assert over(network, 2)
    assert len({player.peer.transcript() for player in network.players}) == 1


def test_who_comes_back_between_two_deals_goes_along_where_the_table_was_opened_again() -> None:
    network = played(3, 3)
    network.kill(2)
    network.do(0, Peer.reopen, 3)
    network.restart(2)
    assert network.run(lambda: network.players[2].table.reopened is not None, seconds=10)
    pointed = network.players[2].table.reopened
    assert pointed is not None
    assert pointed.agrees, "it has counted as the others have"
    network.do(1, Peer.join, pointed.opener, pointed.offer_id)
    network.do(2, Peer.join, pointed.opener, pointed.offer_id)
    network.run(seconds=1)
    agree(network, 0, 1, 2)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)


def test_who_comes_back_to_a_table_that_the_others_have_left_is_told_so() -> None:
    network = played(4, 3)
    network.kill(2)
    reopened(network, 0, 1, 3)
    agree(network, 0, 1, 3)
    network.restart(2)
    back = network.players[2]
    assert network.run(lambda: all(one.left for one in back.table.members if not one.own), seconds=10)
    assert back.table.phase is Phase.OVER


def test_who_has_left_a_table_says_so_also_after_a_restart() -> None:
    network = played(2, 2)
    network.kill(1)
    network.do(0, Peer.leave)
    network.kill(0)
    network.restart(0, resume=False)
    network.restart(1)
    back = network.players[1]
    assert network.run(lambda: all(one.left for one in back.table.members if not one.own), seconds=10)
    assert network.players[0].peer.table is None


def test_nobody_is_drawn_to_a_table_that_he_had_signed_and_then_left() -> None:
    """His leave was lost, and the table was formed with his signature: whoever waits there is told."""
    network = MemoryNetwork(2, 4)
    network.on_message = lambda _s, _r, message: (
        None if isinstance(decode(message), Formed | Entries | Status | Withdraw) else message
    )
    assert not network.gather()
    opener, gone = network.players
    assert opener.table.table_id is not None
    network.do(1, Peer.leave)
    said = network.sent[Leaves.__name__]
    network.on_message = None
    network.run(seconds=10)
    assert gone.peer.table is None
    assert network.sent[Leaves.__name__] > said
    assert [member.left for member in opener.table.members if not member.own] == [True]


def test_a_table_that_was_left_is_not_taken_up_and_the_others_hear_the_same_leave_again() -> None:
    network = MemoryNetwork(2, 3)
    network.seat_bots("honest")
    assert network.gather(SMALL)
    assert network.run(lambda: network.players[0].table.step > 20, seconds=300)
    stays, gone = network.players
    network.isolate(1)
    network.do(1, Peer.leave)
    (left,) = gone.disk.left.values()
    network.kill(1)
    network.restart(1)
    assert network.run(lambda: stays.table.phase is Phase.ABSENT, seconds=10)
    assert gone.peer.table is None
    assert stays.table.result is not None
    assert stays.table.result.losers == stays.table.result.left == (Seat(left.open().member),)
    assert stays.peer._table.deals.current.deal.leaves == (left,)
