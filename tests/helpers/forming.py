"""Tables in the making, over a network in memory."""

from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.peer import Peer
from p2p.protocol.peer_core import Channel
from p2p.protocol.snapshot import OfferView

PAGAT = Ruleset.preset("pagat")
CHANNEL = Channel("192.0.2.9", bytes(32))


def opened(players: int, seats: int, seed: int = 1, **options: object) -> tuple[MemoryNetwork, OfferView]:
    """A network in which the first peer has opened a table that all others see."""
    network = MemoryNetwork(players, seed, **options)
    network.do(0, Peer.open_table, "Kitchen", PAGAT, seats)
    assert network.run(lambda: all(player.lobby.offers for player in network.players), seconds=5)
    return network, network.players[0].lobby.offers[0]


def join(network: MemoryNetwork, index: int, offer: OfferView) -> None:
    """A peer asks for a seat."""
    network.do(index, Peer.join, offer.opener, offer.offer_id)


def seated(network: MemoryNetwork, *indices: int) -> bool:
    """Whether these peers see a table with all of them at it."""
    tables = [network.players[index].peer.table for index in indices]
    return all(table is not None and len(table.members) == len(indices) for table in tables)


def formed(network: MemoryNetwork, *indices: int) -> bool:
    """Whether these peers sit at one formed table."""
    tables = [network.players[index].peer.table for index in indices]
    ids = {None if table is None else table.table_id for table in tables}
    return len(ids) == 1 and None not in ids
