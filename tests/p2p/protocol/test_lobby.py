"""How a table is formed, left and lost: over many peers and every race."""

import pytest
from forming import PAGAT, formed, join, opened, seated
from memory_table import Chaos, MemoryNetwork, Player

from p2p.protocol.deal_terms import decode_terms
from p2p.protocol.messages import Draft, Join, Presence, Ready, Sign, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    ClosedBecause,
    CommandRefused,
    JoinRefused,
    RefusedCommand,
    RefusedJoin,
    TableClosed,
    TableFormed,
)
from p2p.protocol.proposal import decode_proposal
from p2p.protocol.snapshot import OfferStatus, Phase

# Forming


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_table_forms_for_two_to_six(players: int, seed: int) -> None:
    network = MemoryNetwork(players, seed)
    assert network.gather()
    assert formed(network, *range(players))
    for player in network.players:
        assert len(player.of(TableFormed)) == 1
        seat = player.table.own_seat
        assert seat is not None
        assert player.table.members[seat].key == player.peer.key


def test_every_member_signed_the_same_proposal_with_a_nonce_of_each() -> None:
    network = MemoryNetwork(3)
    network.gather()
    network.run(seconds=1)
    (terms,) = {keep.terms for player in network.players for keep in player.disk.keeps}
    proposal = decode_terms(terms).verify()
    assert len({member.nonce for member in proposal.members}) == 3
    assert proposal.table_id == network.players[0].table.table_id


def test_no_table_forms_while_somebody_is_not_ready() -> None:
    network, offer = opened(3, 3)
    for index in (1, 2):
        join(network, index, offer)
    assert network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    network.do(0, Peer.set_ready, True)
    network.do(1, Peer.set_ready, True)
    network.run(seconds=5)
    assert network.players[2].table.phase is Phase.GATHERING
    assert [member.ready for member in network.players[2].table.members] == [True, True, False]
    assert network.sent["Draft"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_of_two_who_ask_for_the_last_seat_at_once_one_gets_it(seed: int) -> None:
    network, offer = opened(3, 2, seed)
    join(network, 1, offer)
    join(network, 2, offer)
    network.run(seconds=3)
    refused = [index for index in (1, 2) if network.players[index].of(JoinRefused)]
    assert len(refused) == 1
    assert network.players[refused[0]].of(JoinRefused)[0].reason is RefusedJoin.FULL
    assert network.players[refused[0]].peer.table is None
    assert network.players[3 - refused[0]].peer.table is not None
    assert network.players[refused[0]].lobby.offers[0].status is OfferStatus.FULL


def test_a_formed_table_is_playing_and_refuses() -> None:
    network, offer = opened(3, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    network.run(lambda: formed(network, 0, 1), seconds=5)
    network.inject(2, 0, encode(Join(offer.offer_id, "Vera", b"n" * 32)))
    network.run(seconds=1)
    assert network.players[2].lobby.offers[0].status is OfferStatus.PLAYING
    join(network, 2, offer)
    assert network.players[2].of(JoinRefused)[-1].reason is RefusedJoin.PLAYING


def test_joining_without_a_link_or_from_a_seat_is_refused_at_once() -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    join(network, 1, offer)
    assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.BUSY
    network.do(1, Peer.leave)
    network.cut(0, 1)
    join(network, 1, offer)
    assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.NO_LINK


def test_one_key_takes_one_seat_however_often_it_asks() -> None:
    network, offer = opened(2, 4)
    for nonce in (b"a", b"b", b"c"):
        network.inject(1, 0, encode(Join(offer.offer_id, "Boris", nonce * 32)))
    assert len(network.players[0].table.members) == 2


def test_a_copied_nonce_gets_no_seat() -> None:
    network, offer = opened(3, 4)
    network.inject(1, 0, encode(Join(offer.offer_id, "Boris", b"n" * 32)))
    network.inject(2, 0, encode(Join(offer.offer_id, "Vera", b"n" * 32)))
    assert len(network.players[0].table.members) == 2


def test_who_takes_over_the_nonce_of_another_is_not_ready_and_keeps_nobody_else_from_it() -> None:
    network, offer = opened(3, 3)
    for index in (1, 2):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    network.do(2, Peer.set_ready, True)
    network.run(seconds=1)
    nonces: dict[str, bytes] = {}

    def watch(sender: Player, receiver: object, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, Draft):
            members = decode_proposal(decoded.proposal).members
            nonces.update({member.name: member.nonce for member in members})
        return None if isinstance(decoded, Sign) else message

    network.on_message = watch
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    network.run(lambda: bool(nonces), seconds=1)
    network.do(1, Peer.set_ready, False)
    network.on_message = None
    for again in (Ready(offer.offer_id, True, nonces["Vera"]), Join(offer.offer_id, "B", nonces["Vera"])):
        network.inject(1, 0, encode(again))
        sent = network.sent["Ready"]
        network.run(seconds=5)
        assert network.sent["Ready"] - sent <= 2
        ready = {member.name: member.ready for member in network.players[0].table.members}
        assert sorted(ready.values()) == [False, True, True]
        assert ready["Vera"]


def test_another_protocol_version_is_named_on_joining() -> None:
    network, offer = opened(2, 3)
    network.inject(0, 1, encode(Presence(7, "Anna", None, None)))
    join(network, 1, offer)
    refused = network.players[1].of(JoinRefused)[-1]
    assert (refused.reason, refused.their_version, refused.own_version) == (RefusedJoin.VERSIONS, 7, 1)


@pytest.mark.parametrize("title", ["", " \n\t", "\u200b\u202e"])
def test_a_table_without_a_title_is_refused(title: str) -> None:
    network = MemoryNetwork(1)
    network.do(0, Peer.open_table, title, PAGAT, 3)
    assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.TITLE


def test_a_title_of_many_lines_is_one_bounded_line() -> None:
    network = MemoryNetwork(1)
    network.do(0, Peer.open_table, "a\nb" + "c" * 300, PAGAT, 3)
    title = network.players[0].table.title
    assert title.startswith("a bccc")
    assert len(title) <= 40


def test_rules_that_do_not_fit_the_seats_are_refused() -> None:
    network = MemoryNetwork(1)
    network.do(0, Peer.open_table, "Kitchen", PAGAT, 7)
    assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.SEATS


def test_an_offer_with_unknown_rules_or_too_many_people_is_not_listed() -> None:
    network, _ = opened(2, 3)
    network.run(seconds=1)
    sent: list[Presence] = []

    def spoil(sender: object, receiver: object, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Presence) and decoded.offer is not None:
            sent.append(decoded)
        return message

    network.on_message = spoil
    network.cut(0, 1)
    network.link(0, 1)
    network.run(seconds=1)
    offer = sent[0].offer
    assert offer is not None
    from msgspec.structs import replace  # noqa: PLC0415

    spoiled = (
        replace(offer, options=offer.options[1:]),
        replace(offer, options=(("form", "poker"),)),
        replace(offer, seats=12),
        replace(offer, title="\u200b"),
        replace(offer, people=offer.people * 2),
        replace(offer, people=()),
    )
    for one in spoiled:
        network.inject(0, 1, encode(Presence(1, "Anna", None, one)))
        assert network.players[1].lobby.offers == ()
        assert len(network.players[1].lobby.people) == 1


@pytest.mark.parametrize("seed", range(4))
def test_duplicates_and_reordering_do_not_keep_a_table_from_forming(seed: int) -> None:
    network = MemoryNetwork(4, seed, chaos=Chaos(duplicate=0.3, reorder=0.2))
    assert network.gather()


# Leaving and losing links


def test_leaving_frees_the_seat() -> None:
    network, offer = opened(3, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.do(1, Peer.leave)
    network.run(seconds=1)
    assert len(network.players[0].table.members) == 1
    join(network, 2, offer)
    assert network.run(lambda: seated(network, 0, 2), seconds=5)


def test_an_opener_who_leaves_closes_the_table() -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.do(0, Peer.leave)
    network.run(seconds=1)
    assert network.players[1].of(TableClosed) == [TableClosed(ClosedBecause.OPENER_LEFT)]
    assert network.players[1].lobby.offers == ()


def test_an_opener_whose_link_stays_away_closes_the_table_after_a_while() -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.cut(0, 1)
    network.run(seconds=10)
    assert network.players[1].peer.table is not None
    assert not network.players[1].table.members[0].connected
    network.run(seconds=6)
    assert network.players[1].of(TableClosed) == [TableClosed(ClosedBecause.OPENER_LEFT)]
    assert len(network.players[0].table.members) == 1


def test_an_opener_whose_program_was_started_again_keeps_nobody_at_a_table_that_it_does_not_know() -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.kill(0)
    network.restart(0)
    network.run(seconds=10)
    assert network.players[1].peer.table is not None
    network.run(seconds=8)
    assert network.players[1].of(TableClosed) == [TableClosed(ClosedBecause.OPENER_LEFT)]
    assert network.players[1].peer.table is None


def test_a_seat_that_was_given_away_while_its_link_was_gone_is_refused_on_return() -> None:
    network, offer = opened(3, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    gathering = network.players[0].peer._lobby.gathering
    gathering.leave(network.players[1].peer.key, network.now)
    join(network, 2, offer)
    network.run(lambda: seated(network, 0, 2), seconds=5)
    network.cut(0, 1)
    network.link(0, 1)
    network.run(seconds=1)
    assert [one.reason for one in network.players[1].of(JoinRefused)] == [RefusedJoin.FULL]
    assert network.players[1].peer.table is None


@pytest.mark.parametrize("moment", [0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15])
@pytest.mark.parametrize("gone", [0.2, 3.0])
def test_a_link_that_drops_while_the_draft_goes_round_changes_nothing(moment: float, gone: float) -> None:
    network, offer = opened(3, 3)
    for index in (1, 2):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    for index in (0, 1, 2):
        network.do(index, Peer.set_ready, True)
    network.after(moment, lambda: network.cut(0, 1))
    network.after(moment + gone, lambda: network.link(0, 1))
    assert network.run(lambda: formed(network, 0, 1, 2), seconds=15)


def test_who_missed_that_the_table_was_formed_learns_it_from_any_member() -> None:
    network, offer = opened(3, 3)
    for index in (1, 2):
        join(network, index, offer)
    network.run(lambda: seated(network, 0, 1, 2), seconds=5)
    opener, late = network.players[0], network.players[1]
    network.on_message = lambda sender, receiver, message: (
        None
        if sender is opener and receiver is late and decode(message).__class__.__name__ == "Formed"
        else message
    )
    for index in (0, 1, 2):
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: formed(network, 0, 1, 2), seconds=10)
