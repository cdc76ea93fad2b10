"""Readiness: taken back, crossing, withheld, and done without."""

import random

import pytest
from forming import formed, join, opened, seated

from p2p.protocol.messages import Draft, Ready, Sign, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    ClosedBecause,
    CommandRefused,
    RefusedCommand,
    TableClosed,
)
from p2p.protocol.snapshot import Phase


def test_readiness_is_taken_back_once_in_five_seconds() -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    for _ in range(20):
        network.do(1, Peer.set_ready, True)
        network.do(1, Peer.set_ready, False)
        network.run(seconds=1.5)
    refused = network.players[1].of(CommandRefused)
    assert all(one.reason is RefusedCommand.TOO_SOON and 0 < one.wait_s <= 5 for one in refused)
    assert network.sent["Ready"] <= 2 * 7
    table = network.players[1].table
    assert table.members[1].ready is (table.ready_locked_until is not None)


def test_taking_readiness_back_brings_a_fresh_nonce_so_an_old_draft_never_returns() -> None:
    network, offer = opened(2, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    drafts: list[bytes] = []

    def lose_signatures(sender: object, receiver: object, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, Draft):
            drafts.append(decoded.proposal)
        return None if isinstance(decoded, Sign) and len(drafts) < 2 else message

    network.on_message = lose_signatures
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    network.run(lambda: bool(drafts), seconds=1)
    network.run(seconds=0.1)
    network.do(1, Peer.set_ready, False)
    network.run(seconds=0.1)
    assert network.players[0].table.phase is Phase.GATHERING
    network.do(1, Peer.set_ready, True)
    assert network.run(lambda: formed(network, 0, 1), seconds=5)
    assert len(set(drafts)) == 2


@pytest.mark.parametrize("seed", range(12))
def test_ready_crossing_unready_ends_at_one_table_or_none(seed: int) -> None:
    network, offer = opened(3, 3, seed)
    for index in (1, 2):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    chance = random.Random(seed)
    for index in (0, 1, 2):
        network.after(chance.uniform(0, 0.05), lambda index=index: network.do(index, Peer.set_ready, True))
    network.after(chance.uniform(0.02, 0.12), lambda: network.do(1, Peer.set_ready, False))
    network.run(seconds=4)
    tables = [player.table for player in network.players]
    assert len({table.table_id for table in tables}) == 1
    if tables[0].table_id is None:
        assert {member.name: member.ready for member in tables[0].members} == {
            "Anna": True,
            "Boris": False,
            "Vera": True,
        }


def test_the_others_start_without_the_only_one_who_is_not_ready() -> None:
    network, offer = opened(4, 4)
    for index in (1, 2, 3):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2, 3), seconds=5)
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    network.run(seconds=0.5)
    assert network.players[1].table.can_start_without is None
    network.do(1, Peer.start_without)
    assert network.players[1].of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    network.do(2, Peer.set_ready, True)
    network.run(seconds=0.5)
    assert network.players[1].table.can_start_without == network.players[3].peer.key
    network.do(1, Peer.start_without)
    assert network.run(lambda: formed(network, 0, 1, 2), seconds=5)
    assert network.players[3].of(TableClosed)[-1] == TableClosed(ClosedBecause.STARTED_WITHOUT)
    assert network.players[3].peer.table is None
    assert len(network.players[0].table.members) == 3


def test_even_the_opener_can_be_left_behind() -> None:
    network, offer = opened(3, 3)
    for index in (1, 2):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    for index in (1, 2):
        network.do(index, Peer.set_ready, True)
    network.run(seconds=0.5)
    network.do(2, Peer.start_without)
    assert network.run(lambda: formed(network, 1, 2), seconds=5)
    assert network.players[0].of(TableClosed)[-1] == TableClosed(ClosedBecause.STARTED_WITHOUT)
    assert network.players[0].peer.table is None


def test_two_cannot_leave_each_other_behind() -> None:
    network, offer = opened(2, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.do(1, Peer.set_ready, True)
    network.run(seconds=0.5)
    network.do(1, Peer.start_without)
    assert network.players[1].of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW


def test_a_program_that_will_not_sign_counts_as_not_ready() -> None:
    network, offer = opened(3, 3)
    for index in (1, 2):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    silent = network.players[2]
    network.on_message = lambda sender, receiver, message: (
        None
        if sender is silent and isinstance(decode(message), Sign | Ready) and network.now > 2
        else message
    )
    network.run(seconds=2)
    network.players[2].peer  # its readiness below is lost on the way, but said by hand
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    ready = Ready(offer.offer_id, True, b"z" * 32)
    network.inject(2, 0, encode(ready))
    network.run(seconds=7)
    assert network.players[1].table.can_start_without == silent.peer.key
