"""What the people at a simulated table do beside playing, each in his own time: open the table, take a seat,
say that they are ready, want the next deal, leave, and end the wait for somebody who stays away.
"""

import random
from collections.abc import Callable

from memory_player import Player
from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import ClosedBecause, TableClosed
from p2p.protocol.snapshot import OfferStatus, Phase
from p2p.protocol.table import Table
from p2p.protocol.table_rules import USUAL, TableRules

LOOKS_S = (0.1, 0.8)
"""How long somebody does something else before he looks at his screen again."""
AFTER_START_S = 8.0
"""Whoever has started his program again waits so long whether the table comes back by itself."""
PUTS_ASIDE_S = (5.0, 20.0)
"""Whoever could put the deal aside hopes for so much longer that the other one comes back."""


class Persons:
    """The people of one table. The first one opens it, whenever he finds himself without one."""

    def __init__(
        self,
        network: MemoryNetwork,
        rules: Ruleset,
        wants: Callable[[int], bool],
        chance: random.Random,
        table_rules: TableRules = USUAL,
        *,
        patient: bool = True,
    ) -> None:
        """wants: whether they want another deal after one with this number. patient: whoever is missed, they
        wait for him.
        """
        self._network = network
        self._rules = rules
        self._table_rules = table_rules
        self._wants = wants
        self._patient = patient
        self._chance = chance
        self.leaving: set[int] = set()
        """Who wants to leave, or has left."""
        self._waits_until = [0.0] * len(network.players)
        self._hopes_until: dict[int, float] = {}
        for player in network.players:
            self._look_later(player)

    def returned(self, index: int) -> None:
        """Somebody has started his program again."""
        self._waits_until[index] = self._network.now + AFTER_START_S

    def wants_to_leave(self, index: int) -> None:
        """Somebody leaves as soon as he sits at a table."""
        self.leaving.add(index)

    def has_gone(self, player: Player) -> bool:
        """Whether somebody wants no other table: he has left his, or put it aside."""
        ends = [event.reason for event in player.of(TableClosed)]
        return player.index in self.leaving or ClosedBecause.PUT_ASIDE in ends

    def _look_later(self, player: Player) -> None:
        self._network.after(self._chance.uniform(*LOOKS_S), lambda: self._look(player))

    def _look(self, player: Player) -> None:
        self._look_later(player)
        if not player.alive:
            return
        own = player.peer._table
        if own is not None:
            self._look_at(own, player)
        elif self._network.now >= self._waits_until[player.index] and not self.has_gone(player):
            self._gather(player)

    def _look_at(self, table: Table, player: Player) -> None:
        """Somebody looks at the table that he sits at."""
        if player.index in self.leaving:
            self._network.do(player.index, Peer.leave)
        elif self._gives_up(table, player.index):
            self._network.do(player.index, Peer.end_wait)
        elif table.deals.between and self._wants(table.deals.current.number):
            self._network.do(player.index, Peer.next_deal)

    def _gives_up(self, table: Table, index: int) -> bool:
        """Whether somebody ends a wait now: he does where the programs would not do it by themselves."""
        now, until = self._network.now, table.votes.wait_until
        if self._patient or until is None or until > now:
            self._hopes_until.pop(index, None)
            return False
        if table.votes.two_alone:
            return now >= self._hopes_until.setdefault(index, now + self._chance.uniform(*PUTS_ASIDE_S))
        return self._table_rules.absence == "wait"

    def _gather(self, player: Player) -> None:
        table, count = player.peer.table, len(self._network.players)
        if table is None and player.index == 0:
            self._network.open_table(self._rules, count, table_rules=self._table_rules)
        elif table is None:
            offers = [one for one in player.lobby.offers if one.status is OfferStatus.OPEN]
            if offers and player.lobby.joining is None:
                offer = offers[0]
                self._network.do(player.index, Peer.join, offer.opener, offer.offer_id)
        elif table.phase is Phase.GATHERING and len(table.members) == count and not _is_ready(player):
            self._network.do(player.index, Peer.set_ready, True)


def _is_ready(player: Player) -> bool:
    return next(member.ready for member in player.table.members if member.own)
