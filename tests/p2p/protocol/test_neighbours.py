"""Who is here and which tables are open: over many peers that come and go."""

import pytest
from forming import CHANNEL, PAGAT, join, opened, seated
from memory_table import MemoryNetwork

from p2p.protocol import neighbours
from p2p.protocol.hashing import VERSION
from p2p.protocol.messages import Offer, Person, Presence, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_effects import Send
from p2p.protocol.peer_events import (
    JoinRefused,
    RefusedJoin,
)
from p2p.protocol.snapshot import NameWarning, OfferStatus
from p2p.protocol.table_rules import TableRules


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
