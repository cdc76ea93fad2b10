"""A table with a code that is opened again keeps its code, and nobody comes along without it."""

import pytest
from memory_table import MemoryNetwork
from msgspec.structs import replace
from private_table import CODE, WRONG, refusal

from engine import Ruleset
from p2p.protocol.messages import CodeAnswer, Presence, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import CommandRefused, RefusedCommand
from p2p.protocol.snapshot import OfferStatus, OfferView, Phase, RefusedJoin

SMALL = Ruleset.preset("pagat").with_(pack=24)
"""Deals that are over soon."""


@pytest.fixture
def over() -> MemoryNetwork:
    """Anna and Boris have played a deal at a table with a code, and Vera looks on."""
    network = MemoryNetwork(3, 1)
    network.seat_bots("honest")
    network.do(0, Peer.open_table, "Kitchen", SMALL, 2, code=CODE)
    network.run(seconds=1)
    network.do(1, Peer.join, network.players[0].peer.key, open_offer(network, 1).offer_id, code=CODE)
    network.run(seconds=1)
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)

    def ended() -> bool:
        tables = [player.peer.table for player in network.players[:2]]
        return all(one and one.result is not None and len(one.result.signed) == 2 for one in tables)

    assert network.run(ended, seconds=900)
    return network


def open_offer(network: MemoryNetwork, index: int) -> OfferView:
    """The one table that a peer sees open."""
    (offer,) = (one for one in network.players[index].lobby.offers if one.status is OfferStatus.OPEN)
    return offer


def reopen(network: MemoryNetwork, index: int, seats: int) -> None:
    """A member opens the table again, and everybody has heard of it."""
    network.do(index, Peer.reopen, seats)
    network.run(seconds=1)


def names(network: MemoryNetwork, index: int) -> list[str]:
    """Who sits at a peer's table."""
    table = network.players[index].table
    return [member.name for member in table.members]


def test_whoever_opens_it_again_keeps_the_code_and_a_member_comes_along_without_being_asked(
    over: MemoryNetwork,
) -> None:
    reopen(over, 1, 3)
    assert over.players[1].table.code == CODE
    reopened = over.players[0].table.reopened
    assert reopened is not None
    assert reopened.agrees
    assert not reopened.asks_code
    over.do(0, Peer.join, reopened.opener, reopened.offer_id)
    assert over.run(lambda: over.players[0].table.phase is Phase.GATHERING, seconds=2)
    assert names(over, 0) == ["Boris", "Anna"]


def test_a_newcomer_has_to_know_the_code_too(over: MemoryNetwork) -> None:
    reopen(over, 0, 2)
    offer = open_offer(over, 2)
    assert (offer.needs_code, offer.goes_on) == (True, True)
    for code, reason in ((None, RefusedJoin.CODE), (WRONG, RefusedJoin.WRONG_CODE)):
        over.do(2, Peer.join, offer.opener, offer.offer_id, code=code)
        over.run(seconds=1)
        assert refusal(over, 2) is reason
    assert names(over, 0) == ["Anna"]
    over.do(2, Peer.join, offer.opener, offer.offer_id, code=CODE)
    over.run(seconds=1)
    assert names(over, 0) == ["Anna", "Vera"]
    for index in (0, 2):
        over.do(index, Peer.set_ready, True)
    assert over.run(lambda: over.players[2].peer.table.phase is not Phase.GATHERING, seconds=60)


def test_the_code_is_kept_from_table_to_table(over: MemoryNetwork) -> None:
    reopen(over, 0, 2)
    over.do(1, Peer.join, over.players[0].peer.key, over.players[1].table.reopened.offer_id)
    over.run(seconds=1)
    old = over.players[0].table.before.table_id
    for index in (0, 1):
        over.do(index, Peer.set_ready, True)
    followed = over.run(
        lambda: all(
            one.table.table_id not in (None, old) and one.table.result is not None for one in over.players[:2]
        ),
        seconds=900,
    )
    assert followed
    reopen(over, 1, 2)
    assert over.players[1].table.code == CODE
    over.do(0, Peer.join, over.players[1].peer.key, over.players[0].table.reopened.offer_id)
    over.run(seconds=1)
    assert names(over, 0) == ["Boris", "Anna"]


def test_an_offer_without_a_code_does_not_go_on_from_a_table_with_one(over: MemoryNetwork) -> None:
    """A changed program that opens the table again for everybody: nobody is pointed to it, or comes along."""

    def for_everybody(sender: object, _receiver: object, message: bytes) -> bytes:
        decoded = decode(message)
        if sender is over.players[0] and isinstance(decoded, Presence) and decoded.offer is not None:
            return encode(replace(decoded, offer=replace(decoded.offer, needs_code=False)))
        return message

    over.on_message = for_everybody
    reopen(over, 0, 3)
    assert over.players[1].table.reopened is None
    offer = open_offer(over, 2)
    assert not offer.needs_code
    over.do(1, Peer.join, offer.opener, offer.offer_id)
    over.run(seconds=2)
    assert refusal(over, 1) is RefusedJoin.BUSY
    assert names(over, 0) == ["Anna"]


def test_a_member_who_opens_it_again_and_does_not_show_the_code_gets_nobody(over: MemoryNetwork) -> None:
    """An opener is believed only once he has shown the code, member or not."""

    def shows_nothing(sender: object, _receiver: object, message: bytes) -> bytes:
        decoded = decode(message)
        if sender is over.players[0] and isinstance(decoded, CodeAnswer):
            return encode(replace(decoded, confirmation=bytes(32)))
        return message

    reopen(over, 0, 3)
    over.on_message = shows_nothing
    reopened = over.players[1].table.reopened
    over.do(1, Peer.join, reopened.opener, reopened.offer_id)
    over.run(seconds=2)
    assert refusal(over, 1) is RefusedJoin.WRONG_CODE
    assert over.players[1].table.phase is Phase.OVER
    assert names(over, 0) == ["Anna"]


def test_who_came_back_without_the_code_is_asked_for_it_and_knows_it_again_at_the_new_table(
    over: MemoryNetwork,
) -> None:
    """Codes are never stored: after a restart only the person can know it."""
    over.kill(1)
    over.restart(1)
    assert over.run(lambda: not over.players[1].table.taking_up, seconds=60)
    assert over.players[1].table.phase is Phase.OVER
    over.do(1, Peer.reopen, 2)
    assert over.players[1].of(CommandRefused)[-1].reason is RefusedCommand.NO_CODE
    reopen(over, 0, 2)
    reopened = over.players[1].table.reopened
    assert reopened is not None
    assert (reopened.can_join, reopened.asks_code) == (True, True)
    for code, reason in ((None, RefusedJoin.CODE), (WRONG, RefusedJoin.WRONG_CODE)):
        over.do(1, Peer.join, reopened.opener, reopened.offer_id, code=code)
        over.run(seconds=2)
        assert refusal(over, 1) is reason
        assert over.players[1].table.phase is Phase.OVER
    over.do(1, Peer.join, reopened.opener, reopened.offer_id, code=CODE)
    over.run(seconds=2)
    assert names(over, 0) == ["Anna", "Boris"]
    for index in (0, 1):
        over.do(index, Peer.set_ready, True)
    assert over.run(lambda: over.players[1].table.phase not in (Phase.GATHERING, Phase.OVER), seconds=10)
    assert over.players[1].peer._table.code == CODE
