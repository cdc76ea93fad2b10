"""Tables in memory whose first deal is finished, with the receipts of all."""

from absence_table import deal_of
from hasty_bot import HastyPolicy
from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.books import Books
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase

SHORT = Ruleset.preset("pagat").with_(pack=24, end="first_out")


def finished(players: int, seed: int = 1) -> MemoryNetwork:
    """A table whose first deal has ended."""
    network = MemoryNetwork(players, seed)
    network.seat_bots(HastyPolicy)
    assert network.gather(ruleset=SHORT)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=120)
    assert network.run(lambda: all(deal_of(player).books is not None for player in network.players))
    return network


def books(network: MemoryNetwork, index: int) -> Books:
    """The books of that deal, as one player knows them."""
    found = deal_of(network.players[index]).books
    assert found is not None, "the deal is settled"
    return found


def wish(network: MemoryNetwork, index: int) -> None:
    """One player wants them to be opened."""
    network.do(index, Peer.open_books)


def open_all(network: MemoryNetwork) -> None:
    """All players want it, and all keys arrive."""
    everybody = range(len(network.players))
    for index in everybody:
        wish(network, index)
    assert network.run(lambda: all(books(network, one).open for one in everybody))
