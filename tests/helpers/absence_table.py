"""Tables in memory at which somebody stays away."""

from memory_table import MemoryNetwork, Player

from p2p.protocol.deal import Deal
from p2p.protocol.snapshot import Phase
from p2p.protocol.table import Table
from p2p.protocol.table_rules import TableRules

GRACE_S = 20
FORFEIT = TableRules(grace_s=GRACE_S, absence="forfeit")
WAIT = TableRules(grace_s=GRACE_S)


def playing(players: int, seed: int = 1, rules: TableRules = FORFEIT, *, bots: bool = False) -> MemoryNetwork:
    """A table whose first deal is being played: by bots, or by nobody yet."""
    network = MemoryNetwork(players, seed, audits=True)
    if bots:
        network.seat_bots("honest")
    assert network.gather(table_rules=rules)
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    return network


def on_turn(network: MemoryNetwork) -> Player:
    """Who owes the entry that the table waits for."""
    return next(player for player in network.players if player.table.owed_by_me is not None)


def but(network: MemoryNetwork, *left_out: Player) -> list[Player]:
    """All players but these."""
    return [player for player in network.players if player not in left_out]


def table_of(player: Player) -> Table:
    """The table at which a player sits, with its machinery."""
    table = player.peer._table
    assert table is not None
    return table


def deal_of(player: Player) -> Deal:
    """The deal that a player has in hand."""
    return table_of(player).deals.current.deal
