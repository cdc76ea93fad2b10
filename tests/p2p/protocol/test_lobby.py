"""Who is here, which tables are open, and how one is formed: over many peers and every race."""

import random

import pytest
from memory_table import NAMES, Chaos, MemoryNetwork, Player
from msgspec import structs

from engine import Ruleset
from p2p.protocol import neighbours
from p2p.protocol.deal_terms import decode_terms
from p2p.protocol.hashing import VERSION
from p2p.protocol.messages import (
    Draft,
    Join,
    Offer,
    Person,
    Presence,
    Ready,
    Roster,
    RosterSeat,
    Sign,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.peer_core import Channel
from p2p.protocol.peer_effects import Send
from p2p.protocol.peer_events import (
    ClosedBecause,
    CommandRefused,
    JoinRefused,
    RefusedCommand,
    RefusedJoin,
    TableClosed,
    TableFormed,
)
from p2p.protocol.proposal import Member, Proposal, decode_proposal
from p2p.protocol.snapshot import NameWarning, OfferStatus, OfferView, Phase
from p2p.protocol.table_rules import TableRules

PAGAT = Ruleset.preset("pagat")
CHANNEL = Channel("192.0.2.9", bytes(32))


def opened(players: int, seats: int, seed: int = 1, **options: object) -> tuple[MemoryNetwork, OfferView]:
    """A network in which the first peer has opened a table that all others see."""
    network = MemoryNetwork(players, seed, **options)
    network.do(0, Peer.open_table, "Kitchen", PAGAT, seats)
    assert network.run(lambda: all(player.lobby.offers for player in network.players), seconds=5)
    return network, network.players[0].lobby.offers[0]


def join(network: MemoryNetwork, index: int, offer: OfferView) -> None:
    """A peer asks for a seat."""
    network.do(index, Peer.join, offer.opener, offer.offer_id)


def seated(network: MemoryNetwork, *indices: int) -> bool:
    """Whether these peers see a table with all of them at it."""
    tables = [network.players[index].peer.table for index in indices]
    return all(table is not None and len(table.members) == len(indices) for table in tables)


def formed(network: MemoryNetwork, *indices: int) -> bool:
    """Whether these peers sit at one formed table."""
    tables = [network.players[index].peer.table for index in indices]
    ids = {None if table is None else table.table_id for table in tables}
    return len(ids) == 1 and None not in ids


# The list


def test_everybody_linked_is_listed_with_name_and_fingerprint() -> None:
    network = MemoryNetwork(3)
    network.run(seconds=1)
    lobby = network.players[0].lobby
    assert [person.name for person in lobby.people] == ["Boris", "Vera"]
    assert all(person.reachable and len(person.fingerprint) == 19 for person in lobby.people)


def test_a_lost_person_is_unreachable_then_gone_and_takes_the_offer_along() -> None:
    network, _ = opened(2, 3)
    network.cut(0, 1)
    lobby = network.players[1].lobby
    assert [person.reachable for person in lobby.people] == [False]
    assert lobby.offers == ()
    network.run(seconds=31)
    assert network.players[1].lobby.people == ()


def test_an_offer_shows_title_rules_seats_and_people() -> None:
    network, offer = opened(3, 4)
    join(network, 1, offer)
    network.run(seconds=2)
    (seen,) = network.players[2].lobby.offers
    assert (seen.title, seen.seats, seen.taken, seen.status) == ("Kitchen", 4, 2, OfferStatus.OPEN)
    assert seen.ruleset == PAGAT
    assert seen.people == ("Anna", "Boris")
    assert network.players[2].lobby.people[1].table_title == "Kitchen"


def test_twenty_quick_changes_end_in_the_last_state_everywhere() -> None:
    network, offer = opened(3, 3)
    for _ in range(10):
        join(network, 1, offer)
        network.run(seconds=0.06)
        network.do(1, Peer.leave)
        network.run(seconds=0.02)
    join(network, 1, offer)
    network.run(seconds=2)
    (seen,) = network.players[2].lobby.offers
    assert seen.taken == 2
    presences = network.sent["Presence"]
    network.run(seconds=5)
    assert network.sent["Presence"] == presences


def test_two_tables_of_one_title_have_different_ids_and_say_so() -> None:
    network = MemoryNetwork(3)
    for index in (0, 1):
        network.do(index, Peer.open_table, "Kitchen", PAGAT, 3)
    network.run(seconds=2)
    offers = network.players[2].lobby.offers
    assert len({offer.offer_id for offer in offers}) == 2
    assert all(offer.same_title for offer in offers)
    assert offers[0].short_id != offers[1].short_id


@pytest.mark.parametrize("copier", [1, 2])
def test_a_copied_offer_id_hides_no_table_and_takes_nobody_from_it(copier: int) -> None:
    """Whoever of the two was seen first."""
    opener, joiner = 3 - copier, 0
    network = MemoryNetwork(3)
    network.run(seconds=1)
    network.do(opener, Peer.open_table, "Kitchen", PAGAT, 3)
    network.run(seconds=1)
    (real,) = network.players[joiner].lobby.offers
    people = (Person(network.players[copier].peer.key, "Mallory"),)
    rules = tuple(sorted(PAGAT.to_mapping().items()))
    table = Offer(real.offer_id, "Kitchen", rules, TableRules(), 3, OfferStatus.OPEN, people, None, False)
    network.inject(copier, joiner, encode(Presence(VERSION, "Mallory", None, table)))
    offers = network.players[joiner].lobby.offers
    assert {offer.opener for offer in offers} == {network.players[index].peer.key for index in (1, 2)}
    assert len({offer.place for offer in offers}) == 2
    assert len({offer.short_id for offer in offers}) == 2
    assert all(offer.same_title for offer in offers)
    join(network, joiner, real)
    assert network.run(lambda: seated(network, opener, joiner), seconds=5)


def test_a_table_opened_again_with_the_same_title_is_another_one() -> None:
    network, offer = opened(2, 3)
    network.do(0, Peer.leave)
    network.do(0, Peer.open_table, "Kitchen", PAGAT, 3)
    join(network, 1, offer)
    network.run(seconds=2)
    assert network.players[1].of(JoinRefused)[0].reason is RefusedJoin.CLOSED
    assert network.players[1].peer.table is None


def test_a_look_alike_in_the_lobby_has_a_warning() -> None:
    network = MemoryNetwork(3, names=("Vera", "Vеrа", "Boris"))
    network.run(seconds=1)
    warnings = {person.name: person.warning for person in network.players[0].lobby.people}
    assert warnings == {"Vеrа": NameWarning.IMITATES_YOU, "Boris": None}
    assert {p.warning for p in network.players[2].lobby.people} == {NameWarning.IMITATES}


def test_hostile_names_and_titles_from_the_wire_are_cleaned_or_dropped() -> None:
    network = MemoryNetwork(2)
    network.run(seconds=1)
    network.inject(1, 0, encode(Presence(1, "\x1b]0;x\x07Bo\u202eris\n", None, None)))
    assert network.players[0].lobby.people[0].name == "]0;xBoris"


def test_keys_that_come_and_go_keep_nobody_from_being_seen_and_push_out_those_lost_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = 40
    monkeypatch.setattr(neighbours, "PEOPLE_LIMIT", limit)
    network = MemoryNetwork(2, link_all=False)
    peer = network.players[0].peer
    for number in range(2 * limit):
        key = number.to_bytes(32, "big")
        effects = peer.link_up(key, network.now, CHANNEL)
        assert any(isinstance(effect, Send) and effect.key == key for effect in effects)
        if number % 2:
            peer.receive(key, encode(Presence(1, f"name {number}", None, None)), network.now)
        peer.link_down(key, network.now)
        network.now += 0.001
        assert len(peer.lobby.people) == min((number + 1) // 2, limit)
    network.link(0, 1)
    network.run(seconds=1)
    assert "Boris" in {person.name for person in network.players[0].lobby.people if person.reachable}
    assert [person.name for person in network.players[1].lobby.people] == ["Anna"]
    shown = {person.name for person in network.players[0].lobby.people}
    assert len(shown) == limit
    assert "name 1" not in shown
    network.run(seconds=31)
    assert [person.name for person in network.players[0].lobby.people] == ["Boris"]


def test_who_is_linked_never_gives_way_and_who_has_said_nothing_is_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = 40
    monkeypatch.setattr(neighbours, "PEOPLE_LIMIT", limit)
    network = MemoryNetwork(2)
    network.run(seconds=1)
    peer = network.players[0].peer
    for number in range(limit + 5):
        key = number.to_bytes(32, "big")
        peer.link_up(key, network.now, CHANNEL)
        if number:
            peer.receive(key, encode(Presence(1, "x", None, None)), network.now)
    people = {person.key for person in peer.lobby.people}
    assert len(people) == limit
    assert network.players[1].peer.key in people
    assert bytes(32) not in people


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


# Readiness


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


def test_a_roster_with_other_rules_takes_readiness_back() -> None:
    network, offer = opened(3, 3)
    join(network, 1, offer)
    rosters: list[Roster] = []

    def watch(sender: object, receiver: object, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Roster):
            rosters.append(decoded)
        return message

    network.on_message = watch
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.do(1, Peer.set_ready, True)
    network.run(seconds=1)
    from msgspec.structs import replace  # noqa: PLC0415

    changed = PAGAT.with_(next_dealer="loser")
    options = tuple(sorted(changed.to_mapping().items()))
    network.inject(0, 1, encode(replace(rosters[-1], options=options)))
    table = network.players[1].table
    assert table.ruleset.differences() == changed.resolve(3).differences()
    assert not next(member for member in table.members if member.own).ready


UNCLEAN = ("A\x1b]0;x\x07nna", "A\x9b2Jnna", "A\u202enna", "A\u200bnna", " Anna", "A\u0308nna", "A" * 25)


@pytest.mark.parametrize("text", UNCLEAN, ids=ascii)
@pytest.mark.parametrize("where", ["opener", "other", "own", "title"])
def test_a_table_with_a_text_that_is_not_clean_is_not_joined_and_never_signed(where: str, text: str) -> None:
    network, offer = opened(3, 3)
    people = [RosterSeat(network.players[index].peer.key, NAMES[index], False) for index in range(3)]
    names = {"opener": 0, "other": 2, "own": 1}
    title = "Kitchen"
    if where == "title":
        title = text * 2
    else:
        people[names[where]] = structs.replace(people[names[where]], name=text)
    roster = Roster(
        offer.offer_id, title, tuple(sorted(PAGAT.to_mapping().items())), TableRules(), 3, tuple(people), None
    )
    clean = structs.replace(
        roster,
        title="Kitchen",
        people=tuple(structs.replace(one, name=name) for one, name in zip(people, NAMES, strict=False)),
    )
    for before in ((), (clean,)):
        network.on_message = lambda _sender, _receiver, _message: None
        join(network, 1, offer)
        for one in before:
            network.inject(0, 1, encode(one))
            network.do(1, Peer.set_ready, True)
        network.inject(0, 1, encode(roster))
        assert network.players[1].peer.table is None
        assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.TITLE
        members = tuple(Member(one.key, bytes([seat]) * 32, one.name) for seat, one in enumerate(people))
        draft = Proposal.make(offer.offer_id, title, PAGAT, members).encode()
        network.inject(0, 1, encode(Draft(offer.offer_id, draft)))
    assert network.sent["Sign"] == 0


@pytest.mark.parametrize("change", [{"form": "poker"}, {"burn": 9}, {"lead_min": 90}])
def test_rules_that_a_joiner_cannot_play_are_named_as_the_reason(change: dict[str, str | int]) -> None:
    network, offer = opened(2, 3)
    people = tuple(RosterSeat(player.peer.key, NAMES[player.index], False) for player in network.players)
    options = tuple(sorted({**PAGAT.to_mapping(), **change}.items()))
    network.on_message = lambda _sender, _receiver, _message: None
    join(network, 1, offer)
    network.inject(0, 1, encode(Roster(offer.offer_id, "Kitchen", options, TableRules(), 3, people, None)))
    assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.RULES


def test_a_draft_that_differs_from_what_was_agreed_is_never_signed() -> None:
    network, offer = opened(2, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    drafts: list[Draft] = []

    def change(sender: object, receiver: object, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, Draft):
            drafts.append(decoded)
            return None
        return message

    network.on_message = change
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    network.run(lambda: bool(drafts), seconds=2)
    network.on_message = None
    from msgspec.structs import replace  # noqa: PLC0415

    from p2p.protocol.proposal import decode_proposal  # noqa: PLC0415

    honest = decode_proposal(drafts[0].proposal)
    own = honest.members[1]
    wrong = (
        replace(honest, title="Another"),
        replace(honest, offer_id=b"x" * 16),
        replace(honest, options=tuple(sorted(PAGAT.with_(burn=0).to_mapping().items()))),
        replace(honest, table_rules=TableRules(grace_s=61)),
        replace(honest, members=(honest.members[0], replace(own, nonce=b"x" * 32))),
        replace(honest, members=(honest.members[0], replace(own, key=network.players[0].peer.key))),
        replace(honest, members=(*honest.members, replace(own, key=b"x" * 32, nonce=b"y" * 32))),
        replace(honest, members=(replace(honest.members[0], key=b"x" * 32), own)),
        replace(honest, members=(replace(honest.members[0], name="Somebody"), own)),
        replace(honest, members=(honest.members[0], replace(own, name="Somebody"))),
        replace(honest, members=(replace(honest.members[0], name=own.name), replace(own, name="Anna"))),
        replace(honest, version=2),
    )
    signs = network.sent["Sign"]
    for one in wrong:
        network.inject(0, 1, encode(Draft(offer.offer_id, one.encode())))
    assert network.sent["Sign"] == signs
    network.inject(0, 1, encode(drafts[0]))
    assert network.sent["Sign"] == signs + 1


@pytest.mark.parametrize("seed", range(4))
def test_duplicates_and_reordering_do_not_keep_a_table_from_forming(seed: int) -> None:
    network = MemoryNetwork(4, seed, chaos=Chaos(duplicate=0.3, reorder=0.2))
    assert network.gather()
