"""What the people at a simulated table do beside playing, each in his own time: open the table, take a seat,
say that they are ready, want the next deal.
"""

import random

from memory_player import Player
from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import OfferStatus, Phase

LOOKS_S = (0.1, 0.8)
"""How long somebody does something else before he looks at his screen again."""
AFTER_START_S = 8.0
"""Whoever has started his program again waits so long whether the table comes back by itself."""


class Persons:
    """The people of one table. The first one opens it, whenever he finds himself without one."""

    def __init__(self, network: MemoryNetwork, rules: Ruleset, deals: int, chance: random.Random) -> None:
        """deals: how many they want to play."""
        self._network = network
        self._rules = rules
        self._deals = deals
        self._chance = chance
        self._waits_until = [0.0] * len(network.players)
        for player in network.players:
            self._look_later(player)

    def returned(self, index: int) -> None:
        """Somebody has started his program again."""
        self._waits_until[index] = self._network.now + AFTER_START_S

    def _look_later(self, player: Player) -> None:
        self._network.after(self._chance.uniform(*LOOKS_S), lambda: self._look(player))

    def _look(self, player: Player) -> None:
        self._look_later(player)
        if not player.alive:
            return
        own = player.peer._table
        if own is not None:
            if own.between_deals and own.current.number < self._deals:
                self._network.do(player.index, Peer.next_deal)
        elif self._network.now >= self._waits_until[player.index]:
            self._gather(player)

    def _gather(self, player: Player) -> None:
        table, count = player.peer.table, len(self._network.players)
        if table is None and player.index == 0:
            self._network.open_table(self._rules, count)
        elif table is None:
            offers = [one for one in player.lobby.offers if one.status is OfferStatus.OPEN]
            if offers and player.lobby.joining is None:
                offer = offers[0]
                self._network.do(player.index, Peer.join, offer.opener, offer.offer_id)
        elif table.phase is Phase.GATHERING and len(table.members) == count and not _is_ready(player):
            self._network.do(player.index, Peer.set_ready, True)


def _is_ready(player: Player) -> bool:
    return next(member.ready for member in player.table.members if member.own)
