"""A table in memory that others watch: its members are the first peers, its watchers the ones after them."""

from collections.abc import Callable
from functools import partial

from memory_table import MemoryNetwork, Player

from engine import Ruleset
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import JoinRefused, OfferStatus, Phase, RefusedJoin
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules

SHORT = Ruleset.with_preset("pagat", {"pack": 24, "end": "first_out"})
"""Rules of deals that are soon over."""


def watched(
    members: int,
    watchers: int = 1,
    seed: int = 1,
    *,
    bots: bool = True,
    rules: TableRules = USUAL,
    ruleset: Ruleset | None = None,
    code: TableCode | None = None,
    audits: bool = False,
) -> MemoryNetwork:
    """A table whose first deal is being played; nobody watches it yet."""
    names = (f"Player {number}" for number in range(members + watchers))
    network = MemoryNetwork(members + watchers, seed, names=names, audits=audits)
    if bots:
        network.seat_bots("honest", range(members))
    ruleset = ruleset or SHORT
    network.do(0, partial(Peer.open_table, table_rules=rules, code=code), "Kitchen", ruleset, members)
    network.run(lambda: all(player.lobby.offers for player in network.players), seconds=5)
    offer = network.players[0].lobby.offers[0]
    for index in range(1, members):
        network.do(index, Peer.join, offer.opener, offer.offer_id, code=code)
    seated = network.players[:members]
    assert network.run(
        lambda: all(p.peer.table and len(p.table.members) == members for p in seated), seconds=5
    )
    for index in range(members):
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: all(p.table.phase is Phase.PLAYING for p in seated), seconds=30)
    network.run(partial(is_playing, network), seconds=5)
    return network


def is_playing(network: MemoryNetwork) -> bool:
    """Whether everybody's lobby says that the table is played."""
    offers = [player.lobby.offers for player in network.players[1:]]
    return all(len(one) == 1 and one[0].status is OfferStatus.PLAYING for one in offers)


def watch(network: MemoryNetwork, *indices: int, code: TableCode | None = None) -> bool:
    """Let peers watch the table; returns whether all of them do, caught up with it."""
    for index in indices:
        offer = network.players[index].lobby.offers[0]
        network.do(index, Peer.watch, offer.opener, offer.offer_id, code=code)
    return network.run(lambda: all(caught_up(network, index) for index in indices), seconds=10)


def caught_up(network: MemoryNetwork, index: int) -> bool:
    """Whether a peer watches, and stands where the first member does."""
    table = network.players[index].peer.table
    return table is not None and table.watching and table.head == network.players[0].table.head


def refused(player: Player) -> RefusedJoin | None:
    """Why a peer may not watch."""
    found = player.of(JoinRefused)
    return found[-1].reason if found else None


def ended(network: MemoryNetwork, deal: int = 1) -> Callable[[], bool]:
    """Whether a deal is over for all who have the table, with every receipt."""
    return lambda: all(
        player.table.deal == deal
        and player.table.result is not None
        and len(player.table.result.signed) == len(player.table.members)
        for player in network.players
        if player.peer.table is not None
    )
