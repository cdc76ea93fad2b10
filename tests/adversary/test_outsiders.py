"""Outsiders at a private table: who does not know the code is never at it, whatever his program says."""

import random

import pytest
from memory_table import MemoryNetwork, Player
from message_samples import samples
from msgspec.structs import replace
from private_table import CODE, PAGAT, at_table, join, opened, refusal

from p2p.protocol import code_gate
from p2p.protocol.code_gate import CodeGate
from p2p.protocol.messages import (
    CodeAnswer,
    CodeProof,
    CodeShare,
    Draft,
    Join,
    Message,
    Presence,
    Ready,
    Roster,
    RosterSeat,
    Sign,
    Withdraw,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.peer_core import Channel
from p2p.protocol.proposal import Member, Proposal, sign_proposal, table_id
from p2p.protocol.snapshot import Phase, RefusedJoin
from p2p.protocol.table_rules import USUAL

OPENER, JOINER, MALLORY, LATE = range(4)


def in_between(network: MemoryNetwork) -> None:
    """The third peer passes on all that the other two say on their way to a seat, who are not linked."""
    network.cut(OPENER, JOINER)
    ways = {JOINER: OPENER, OPENER: JOINER}

    def pass_on(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        if isinstance(decode(message), Presence):
            return message
        if receiver.index == MALLORY:
            to = ways[sender.index]
            network.after(0.005, lambda: network.inject(MALLORY, to, message))
            return None
        return None if sender.index == MALLORY else message

    network.on_message = pass_on


def gate_of(network: MemoryNetwork) -> CodeGate:
    """Where the opener lets in who knows the code."""
    gathering = network.players[OPENER].peer._lobby.gathering
    assert gathering is not None
    assert gathering.gate is not None
    return gathering.gate


@pytest.mark.parametrize("what_binds", ["keys and link", "keys alone", "nothing"])
def test_who_passes_an_exchange_on_between_two_links_gets_neither_side_to_believe_it(
    what_binds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nothing that binds an exchange to its place the relay would work, so this test can fail."""
    bound = code_gate.exchange_names
    elsewhere = Channel("", bytes(32))
    if what_binds == "keys alone":
        monkeypatch.setattr(code_gate, "exchange_names", lambda a, b, offer, _: bound(a, b, offer, elsewhere))
    elif what_binds == "nothing":
        monkeypatch.setattr(
            code_gate, "exchange_names", lambda _a, _b, offer, _: bound(b"", b"", offer, elsewhere)
        )
    network, offer = opened(3, 3)
    in_between(network)
    network.do(JOINER, Peer.join, network.players[MALLORY].peer.key, offer.offer_id, code=CODE)
    network.run(seconds=5)
    believed = bool(gate_of(network).admitted)
    assert believed == (what_binds == "nothing")
    if what_binds != "nothing":
        assert refusal(network, JOINER) is RefusedJoin.WRONG_CODE
        assert at_table(network, OPENER) == {OPENER}


def test_the_link_alone_binds_an_exchange_too() -> None:
    one, other = Channel("192.0.2.1", b"1" * 32), Channel("192.0.2.1", b"2" * 32)
    places = [
        (b"a" * 32, b"b" * 32, b"o" * 16, one),
        (b"a" * 32, b"b" * 32, b"o" * 16, other),
        (b"a" * 32, b"b" * 32, b"p" * 16, one),
        (b"b" * 32, b"a" * 32, b"o" * 16, one),
        (b"c" * 32, b"b" * 32, b"o" * 16, one),
    ]
    names = [name for place in places for name in code_gate.exchange_names(*place)]
    assert len(set(names)) == len(names), "no two roles, keys, offers or links have a name in common"


def words_of_an_outsider(network: MemoryNetwork, offer_id: bytes, seed: int) -> list[Message]:
    """Every kind of message about this table, in an order of chance, some twice."""
    own = network.players[MALLORY]
    people = tuple(RosterSeat(player.peer.key, f"Player {player.index}", True) for player in network.players)
    options = tuple(sorted(PAGAT.to_mapping().items()))
    members = tuple(
        Member(one.peer.key, bytes([one.index]) * 32, f"Player {one.index}") for one in network.players
    )
    proposal = Proposal.make(offer_id, "Kitchen", PAGAT, members).encode()
    words: list[Message] = [
        Join(offer_id, "Mallory", b"n" * 32),
        Ready(offer_id, True, b"n" * 32),
        Roster(offer_id, "Kitchen", options, USUAL, 3, people, None),
        Draft(offer_id, proposal),
        Sign(offer_id, table_id(proposal), sign_proposal(own.identity, proposal)),
        CodeShare(offer_id, b"s" * 32),
        CodeAnswer(offer_id, b"s" * 32, b"c" * 32, 3),
        CodeProof(offer_id, b"c" * 32),
        Withdraw(offer_id, started_without=True),
    ]
    for sample in samples():
        words.append(replace(sample, offer_id=offer_id) if hasattr(sample, "offer_id") else sample)
    chance = random.Random(seed)
    words += chance.sample(words, 8)
    chance.shuffle(words)
    return words


@pytest.mark.parametrize("seed", range(8))
def test_an_outsider_who_says_everything_to_everybody_at_any_time_is_never_at_the_table(seed: int) -> None:
    """The last guest comes late, so that a seat is free nearly all the time."""
    network, offer = opened(4, 3, seed=seed)
    guests = (OPENER, JOINER, LATE)
    for number, word in enumerate(words_of_an_outsider(network, offer.offer_id, seed)):
        for to in guests:
            network.after(0.1 * number, lambda word=word, to=to: network.inject(MALLORY, to, encode(word)))
    join(network, JOINER, offer)
    for step in range(80):
        network.run(seconds=0.05)
        assert MALLORY not in {one for guest in guests for one in at_table(network, guest)}
        if step == 55:
            join(network, LATE, offer)
        if step in (10, 65):
            for guest in guests:
                if network.players[guest].peer.table is not None:
                    network.do(guest, Peer.set_ready, True)
    assert network.run(lambda: network.players[LATE].peer.table is not None, seconds=5)
    for guest in guests:
        if network.players[guest].table.phase is Phase.GATHERING:
            network.do(guest, Peer.set_ready, True)
    formed = [network.players[guest] for guest in guests]
    assert network.run(lambda: all(one.table.table_id for one in formed), seconds=10)
    assert [at_table(network, guest) for guest in guests] == [set(guests)] * 3
    assert network.players[MALLORY].peer.table is None


def test_a_member_cannot_let_anybody_in() -> None:
    """Only the opener gives seats before a table is formed; a member's word for somebody is no seat."""
    network, offer = opened(4, 4)
    for index in (JOINER, LATE):
        join(network, index, offer)
    assert network.run(lambda: at_table(network, LATE) == {OPENER, JOINER, LATE}, seconds=5)
    for word in words_of_an_outsider(network, offer.offer_id, 1):
        if not isinstance(word, Withdraw | Ready):
            for to in (OPENER, LATE):
                network.inject(JOINER, to, encode(word))
    network.run(seconds=3)
    assert MALLORY not in at_table(network, OPENER) | at_table(network, LATE)
    assert {OPENER, LATE} <= at_table(network, LATE)


def test_whom_the_opener_lets_in_without_the_code_everybody_sees_before_he_agrees() -> None:
    """An opener can tell anybody his code, so his program may as well skip it; never unseen."""
    network, offer = opened(3, 3)
    join(network, JOINER, offer)
    assert network.run(lambda: at_table(network, JOINER) == {OPENER, JOINER}, seconds=5)
    gate_of(network).admitted.add(network.players[MALLORY].peer.key)
    network.inject(MALLORY, OPENER, encode(Join(offer.offer_id, "Mallory", b"n" * 32)))
    assert network.run(lambda: MALLORY in at_table(network, JOINER), seconds=5)
    assert network.players[JOINER].table.phase is Phase.GATHERING
