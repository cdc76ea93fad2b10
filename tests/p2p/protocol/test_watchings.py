"""Who watches goes along when the company goes on at another table, and only then."""

from collections.abc import Iterable

import pytest
from memory_table import MemoryNetwork
from private_table import CODE
from watched_table import ended, watch, watched

from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase, TableSnapshot
from p2p.protocol.table_code import TableCode


def over(members: int, code: TableCode | None = None) -> MemoryNetwork:
    """A table whose first deal is over, with a watcher, who is the last peer."""
    network = watched(members, code=code)
    assert watch(network, members, code=code)
    assert network.run(ended(network), seconds=900)
    return network


def reopen(network: MemoryNetwork, company: Iterable[int]) -> None:
    """The first member opens the table again, and this company goes on there with him."""
    company = list(company)
    network.do(0, Peer.reopen, len(company) + 1)
    network.run(seconds=1)
    for index in company:
        reopened = network.players[index].table.reopened
        assert reopened is not None
        network.do(index, Peer.join, reopened.opener, reopened.offer_id)
    network.run(seconds=1)
    for index in (0, *company):
        network.do(index, Peer.set_ready, True)
    gone = [network.players[index] for index in (0, *company)]
    assert network.run(lambda: all(one.table.phase is not Phase.GATHERING for one in gone), seconds=60)


def stands_with(network: MemoryNetwork, index: int) -> bool:
    """Whether the watcher, the last peer, watches the table of this one, caught up with it."""
    own, seen = network.players[index].table, network.players[-1].table
    return seen.watching and (seen.table_id, seen.head) == (own.table_id, own.head)


def of_watcher(network: MemoryNetwork) -> TableSnapshot:
    """The table that the last peer watches."""
    return network.players[-1].table


@pytest.mark.parametrize("code", [None, CODE])
def test_who_watches_goes_along_to_the_table_that_goes_on_and_follows_it(code: TableCode | None) -> None:
    network = over(3, code)
    before = of_watcher(network).table_id
    reopen(network, [1, 2])
    assert network.run(lambda: stands_with(network, 0), seconds=10)
    assert of_watcher(network).table_id != before
    network.run(seconds=3)
    for player in network.players[:3]:
        assert [one.key for one in player.table.watchers] == [network.players[3].peer.key]
    assert network.run(ended(network), seconds=900)
    assert stands_with(network, 0)
    assert of_watcher(network).losses == network.players[0].table.losses


def test_who_watches_goes_along_again_when_the_company_goes_on_once_more() -> None:
    network = over(2)
    for _ in range(2):
        before = of_watcher(network).table_id
        reopen(network, [1])
        assert network.run(lambda: stands_with(network, 0), seconds=10)
        assert of_watcher(network).table_id != before
        assert network.run(ended(network), seconds=900)


def test_who_watches_goes_along_with_those_who_play_on_without_one() -> None:
    network = over(3)
    reopen(network, [1])
    assert network.run(lambda: stands_with(network, 0), seconds=10)
    assert len(of_watcher(network).members) == 2


def test_who_watches_stays_while_two_stay_at_the_watched_table() -> None:
    network = over(4)
    before = of_watcher(network).table_id
    reopen(network, [1])
    network.run(seconds=15)
    assert of_watcher(network).table_id == before
    network.do(2, Peer.leave)
    assert network.run(lambda: stands_with(network, 0), seconds=10)
