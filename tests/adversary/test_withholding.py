"""Seats that stay silent. Until all others end the deal it waits: everybody sees who owes what, and nobody is
named a cheat, for a silence proves nothing.
"""

import pytest
from memory_table import MemoryNetwork, Player

from engine import Ruleset
from p2p.protocol.entry import Kind
from p2p.protocol.messages import Entries, decode
from p2p.protocol.peer_events import DealEnded
from p2p.protocol.snapshot import OwedKind, Phase

PLAYERS = 3
LONG_S = 600.0

SHOWN = {
    Kind.COMMIT: {OwedKind.COMMIT},
    Kind.OPEN: {OwedKind.OPEN},
    Kind.SHUFFLE: {OwedKind.SHUFFLE},
    Kind.SEAL: {OwedKind.SEAL},
    Kind.SHARES: {OwedKind.SHARES},
    Kind.LAY: {OwedKind.LAY, OwedKind.LAY_OR_CALL},
    Kind.CALL: {OwedKind.LAY_OR_CALL},
    Kind.REVEAL: {OwedKind.REVEAL},
    Kind.PICK_UP: {OwedKind.PICK_UP},
    Kind.SETS: {OwedKind.SETS},
    Kind.DRAW: {OwedKind.DRAW},
    Kind.COIN_COMMIT: {OwedKind.COIN},
    Kind.COIN: {OwedKind.COIN_OPEN},
    Kind.ANSWER_COMMIT: {OwedKind.ANSWER},
    Kind.ANSWER: {OwedKind.ANSWER_OPEN},
}
RULES = {
    Kind.DRAW: {"deal": "hand", "refill": "every_turn"},
    Kind.COIN_COMMIT: {"check": "one_random"},
    Kind.COIN: {"check": "one_random"},
    Kind.ANSWER_COMMIT: {"callers": "any"},
    Kind.ANSWER: {"callers": "any"},
}
"""What changes dictionary so that it has this kind of entry; the others are withheld in pagat."""


class Withholding:
    """A table at which one player's entries of one kind never leave his machine, until he relents."""

    def __init__(self, kind: Kind, liar: int = 1) -> None:
        self.kind = kind
        self.relented = False
        self.network = MemoryNetwork(PLAYERS, seed=1)
        rules = Ruleset.with_preset("dictionary", RULES[kind]) if kind in RULES else None
        self.liar = self.network.players[liar]
        self.others = [player for player in self.network.players if player is not self.liar]
        self.network.on_message = self._on_message
        self.network.seat_bots("random")
        assert self.network.gather(rules)

    def _on_message(self, sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if self.relented or sender is not self.liar or not isinstance(decoded, Entries):
            return message
        seat = self.liar.table.own_seat
        entries = [signed.open() for signed in decoded.entries]
        return None if any((one.seat, one.kind) == (seat, self.kind) for one in entries) else message

    def wait(self) -> None:
        """Until the others have been waiting for nothing but the withheld entry for a while."""
        assert self.network.run(self._stuck, seconds=LONG_S)
        before = [(player.table.step, player.table.head) for player in self.others]
        self.network.run(seconds=10)
        assert [(player.table.step, player.table.head) for player in self.others] == before

    def _stuck(self) -> bool:
        seat = self.liar.table.own_seat
        return all(
            {owed.seat for owed in player.table.owed} == {seat}
            and self.network.now - player.table.owed[0].since > 3
            for player in self.others
        )


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.value)
def test_a_withheld_entry_of_any_kind_makes_the_deal_wait_and_shows_who_owes_it(kind: Kind) -> None:
    """A refused reveal is one of these: it says neither "truth" nor "lie", and opens no card."""
    table = Withholding(kind)
    table.wait()
    for player in table.others:
        picture = player.table
        assert {owed.kind for owed in picture.owed} <= SHOWN[kind]
        assert picture.phase not in {Phase.VOID, Phase.STOPPED, Phase.OVER}
        assert picture.result is None
        assert picture.losses == (0,) * PLAYERS
        assert player.of(DealEnded) == []
    step = table.others[0].table.step
    table.relented = True
    assert table.network.run(lambda: all(one.table.step > step for one in table.others), seconds=10)


def test_while_a_reveal_is_refused_the_packet_stays_closed_to_all_others() -> None:
    table = Withholding(Kind.REVEAL)
    table.wait()
    for player in table.others:
        view = player.table.view
        assert view is not None
        packet = view.state.table[-1]
        assert packet.owner == table.liar.table.own_seat
        assert not set(packet.slots) & set(view.faces)
        assert view.state.revealed is None
