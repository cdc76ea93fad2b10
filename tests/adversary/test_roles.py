"""All roles are equal: once a table is formed, whoever opened it has nothing that the others lack."""

from collections import defaultdict

import pytest
from deal_players import table_of
from memory_table import MemoryNetwork, Player
from message_samples import samples

from p2p.protocol.entry import Kind
from p2p.protocol.messages import (
    Entries,
    Formed,
    LobbyMessage,
    Message,
    Presence,
    TableMessage,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase

PLAYERS = 3
LONG_S = 900.0
ELSEWHERE = {Kind.DRAW, Kind.OUT, Kind.COIN_COMMIT, Kind.COIN, Kind.ANSWER_COMMIT, Kind.ANSWER}
"""Kinds of entry that only other forms have."""


def test_once_a_table_is_formed_its_opener_sends_no_kind_of_message_or_entry_that_others_do_not() -> None:
    """Two deals from beginning to end, with links that drop, so that everybody also has to catch up."""
    network = MemoryNetwork(PLAYERS, seed=7)
    kinds: dict[int, set[type]] = defaultdict(set)
    said: dict[int, set[Kind]] = defaultdict(set)

    def note(sender: Player, _receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if sender.peer.table is not None and sender.table.table_id is not None:
            kinds[sender.index].add(type(decoded))
            if isinstance(decoded, Entries):
                entries = [signed.open() for signed in decoded.entries]
                own = [entry for entry in entries if entry.seat == sender.table.own_seat]
                said[sender.index].update(entry.kind for entry in own)
        return message

    network.on_message = note
    network.seat_bots("random")
    assert network.gather()
    for deal in (1, 2):
        for one in range(PLAYERS):
            other = (one + 1) % PLAYERS
            network.after(0.3 + one, lambda one=one, other=other: network.cut(one, other))
            network.after(0.8 + one, lambda one=one, other=other: network.link(one, other))
        assert network.run(lambda deal=deal: network.all_in(Phase.OVER, deal), seconds=LONG_S)
        network.run(seconds=3)
        for index in range(PLAYERS):
            network.do(index, Peer.next_deal)
        assert network.run(lambda deal=deal: network.all_in(Phase.PLAYING, deal + 1), seconds=30)
    opener, *others = (kinds[index] - {Presence, Formed} for index in range(PLAYERS))
    assert all(kind in TableMessage.__args__ for kind in opener)
    for other in others:
        assert opener <= other
    assert all(said[index] == set(Kind) - ELSEWHERE for index in range(PLAYERS))


@pytest.mark.parametrize(
    "message",
    [one for one in samples() if isinstance(one, LobbyMessage | Formed) and not isinstance(one, Presence)],
    ids=lambda message: type(message).__name__,
)
def test_what_forms_a_table_changes_nothing_at_a_formed_one_whoever_says_it(message: Message) -> None:
    """The words of an opener, in the name of this very table, from its opener and from another member."""
    network = MemoryNetwork(PLAYERS, seed=1)
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    offer_id = network.players[0].table.offer_id
    if "offer_id" in type(message).__struct_fields__:
        from msgspec.structs import replace  # noqa: PLC0415

        message = replace(message, offer_id=offer_id)
    for teller, listener in ((0, 1), (1, 0), (1, 2)):
        before = network.players[listener].table
        network.inject(teller, listener, encode(message))
        network.run(seconds=1)
        after = network.players[listener].table
        assert [member.key for member in after.members] == [member.key for member in before.members]
        assert (
            after.table_id,
            after.ruleset,
            after.title,
            after.deal,
            after.step,
            after.head,
            after.owed,
        ) == (
            before.table_id,
            before.ruleset,
            before.title,
            before.deal,
            before.step,
            before.head,
            before.owed,
        )


def test_a_deal_needs_no_particular_member_as_a_relay() -> None:
    """A deal is played to its end when one of them is linked to a single other, be that the opener or not."""
    for lonely, friend in ((0, 1), (1, 2), (2, 0)):
        network = MemoryNetwork(PLAYERS, seed=1)
        network.seat_bots("honest")
        assert network.gather()
        for other in range(PLAYERS):
            if other not in (lonely, friend):
                network.cut(lonely, other)
        assert network.run(lambda network=network: network.all_in(Phase.OVER), seconds=LONG_S)


def test_who_shuffles_last_and_who_deals_follows_from_the_coins_and_not_from_the_seat_of_the_opener() -> None:
    last, dealers = set(), set()
    for seed in range(12):
        table = table_of(PLAYERS, seed=seed)
        table.start()
        state = table.deals[0].state
        assert state is not None
        last.add(state.order[-1])
        dealers.add(state.dealer)
    assert last == dealers == set(range(PLAYERS))
