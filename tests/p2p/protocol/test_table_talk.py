"""Talk at a table: who hears it, what is left of it, how much of it there can be, and where it never goes."""

import pytest
from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.limits import OWN_TALK, RATES
from p2p.protocol.messages import JunkReason, Talk, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import CommandRefused, RefusedCommand, Talked
from p2p.protocol.snapshot import Phase, Remark
from p2p.protocol.table_talk import LINES_KEPT
from p2p.protocol.text import TALK_CHARACTERS


def said(network: MemoryNetwork, index: int) -> list[tuple[int, object]]:
    """What a player sees of the talk: by whose number, and what."""
    keys = [player.peer.key for player in network.players]
    table = network.players[index].peer.table
    return [] if table is None else [(keys.index(line.key), line.said) for line in table.talk]


def formed(players: int, seed: int = 1, *, bots: str = "honest") -> MemoryNetwork:
    network = MemoryNetwork(players, seed)
    network.seat_bots(bots)
    assert network.gather()
    return network


def gathering(players: int, at_table: int) -> MemoryNetwork:
    """A table of three at which so many of the peers sit down, and nobody is ready."""
    network = MemoryNetwork(players, 1)
    network.open_table(Ruleset.preset("pagat"), 3)
    network.run(lambda: all(player.lobby.offers for player in network.players[1:]), seconds=5)
    offer = network.players[0].lobby.offers[0]
    for index in range(1, at_table):
        network.do(index, Peer.join, network.players[0].peer.key, offer.offer_id)
    members = network.players[:at_table]
    assert network.run(
        lambda: all(one.peer.table and len(one.table.members) == at_table for one in members), seconds=5
    )
    return network


def test_what_one_says_all_at_the_table_read_and_hear_of() -> None:
    network = formed(3)
    network.do(1, Peer.say, "  Сдавайте,\nже! ")
    network.do(2, Peer.say, Remark.ONE_MOMENT)
    network.run(seconds=1)
    for index in range(3):
        assert sorted(said(network, index)) == [(1, "Сдавайте, же!"), (2, Remark.ONE_MOMENT)]
        assert [event.line.said for event in network.players[index].of(Talked)] == [
            text for _who, text in said(network, index)
        ]


def test_people_talk_while_they_gather_and_their_words_stay_when_the_table_is_formed() -> None:
    network = gathering(3, 3)
    network.do(2, Peer.say, "hello")
    network.run(seconds=1)
    assert [said(network, index) for index in range(3)] == [[(2, "hello")]] * 3
    for index in range(3):
        network.do(index, Peer.set_ready, True)
    network.run(lambda: all(player.table.table_id for player in network.players), seconds=10)
    assert [said(network, index) for index in range(3)] == [[(2, "hello")]] * 3


def test_a_line_stands_behind_the_events_that_its_reader_had_seen() -> None:
    network = formed(3)
    network.run(lambda: len(network.players[0].table.happened) > 5, seconds=60)
    network.do(0, Peer.say, Remark.HM)
    (line,) = network.players[0].table.talk
    assert (line.deal, line.after) == (1, len(network.players[0].table.happened))


def test_nothing_said_is_in_a_journal_or_a_transcript() -> None:
    network = formed(3)
    network.run(lambda: network.all_in(Phase.PLAYING), seconds=60)
    network.do(0, Peer.say, "a word like no other")
    network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    for player in network.players:
        assert said(network, player.index) == [(0, "a word like no other")]
        assert b"like no other" not in (player.peer.transcript() or b"")
        assert b"like no other" not in repr(player.disk.keeps).encode()


def test_whoever_has_no_seat_at_the_table_neither_hears_nor_says_anything_there() -> None:
    network = gathering(4, 2)
    offer_id = network.players[0].table.offer_id
    network.do(3, Peer.say, "hello")
    assert network.players[3].of(CommandRefused) == [CommandRefused(RefusedCommand.NO_TABLE)]
    network.inject(3, 0, encode(Talk(offer_id, "I sit here")))
    network.do(0, Peer.say, "among us")
    network.run(seconds=1)
    assert said(network, 0) == said(network, 1) == [(0, "among us")]
    assert not network.players[3].of(Talked)
    assert network.players[0].peer.junk[JunkReason.STRANGER] == 1


def test_who_has_left_the_table_hears_no_more_of_it() -> None:
    network = formed(3)
    network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    network.do(2, Peer.leave)
    network.run(seconds=5)
    before = network.players[2].peer.junk
    network.do(0, Peer.say, "now that we are alone")
    network.run(seconds=1)
    assert said(network, 1)[-1] == (0, "now that we are alone")
    assert not network.players[2].of(Talked)
    assert network.players[2].peer.junk == before, "it was not even sent"
    network.inject(2, 0, encode(Talk(network.players[0].table.offer_id, "still here")))
    assert network.players[0].peer.junk[JunkReason.STRANGER] == 1


@pytest.mark.parametrize("nothing", ["", " \n ", "\x00\x07\x9b", "\u202e\u200f\u2066", "\u2800"])
def test_a_text_of_which_nothing_can_be_shown_is_not_said(nothing: str) -> None:
    network = formed(2)
    network.do(0, Peer.say, nothing)
    assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.NOTHING_SAID
    if nothing:
        network.inject(1, 0, encode(Talk(network.players[0].table.offer_id, nothing)))
        assert network.players[0].peer.junk[JunkReason.UNFIT] == 1
    assert said(network, 0) == said(network, 1) == []


def test_steering_and_turning_characters_are_gone_where_talk_is_decoded() -> None:
    network = formed(2)
    hostile = "\x1b]52;c;x\x07[bold]\u202eAnna:\u2066 \x9bhi"
    network.inject(1, 0, encode(Talk(network.players[0].table.offer_id, hostile)))
    assert said(network, 0) == [(1, "]52;c;x[bold]Anna: hi")]


def test_a_megabyte_becomes_one_line() -> None:
    network = formed(2)
    network.do(0, Peer.say, "🂡" * 1_000_000)
    network.run(seconds=1)
    assert said(network, 1) == said(network, 0) == [(0, "🂡" * TALK_CHARACTERS)]
    assert not network.players[1].peer.junk


def test_the_own_person_can_say_only_so_much_and_is_told_so() -> None:
    network = formed(2)
    most = int(OWN_TALK.burst)
    for number in range(most + 1):
        network.do(0, Peer.say, f"{number}")
    network.run(seconds=1)
    assert [event.reason for event in network.players[0].of(CommandRefused)] == [RefusedCommand.TOO_MUCH_TALK]
    assert said(network, 1) == [(0, f"{number}") for number in range(most)]
    network.run(seconds=1 / OWN_TALK.each_second)
    network.do(0, Peer.say, "again")
    network.run(seconds=1)
    assert said(network, 1)[-1] == (0, "again")
    assert not network.players[1].peer.junk


def test_of_a_flood_little_is_read_and_less_is_kept() -> None:
    network = formed(2)
    offer_id = network.players[0].table.offer_id
    for number in range(1000):
        network.inject(1, 0, encode(Talk(offer_id, f"{number}")))
    assert len(said(network, 0)) == RATES[Talk].burst
    assert network.players[0].peer.junk[JunkReason.FLOOD] == 1000 - RATES[Talk].burst
    for number in range(2 * LINES_KEPT):
        network.run(seconds=1 / RATES[Talk].each_second)
        network.inject(1, 0, encode(Talk(offer_id, f"later {number}")))
    assert said(network, 0) == [(1, f"later {number}") for number in range(LINES_KEPT, 2 * LINES_KEPT)]


def test_what_was_said_is_forgotten_with_the_table() -> None:
    network = gathering(3, 2)
    offer_id = network.players[0].table.offer_id
    network.do(1, Peer.say, Remark.HELLO)
    network.run(seconds=1)
    network.do(1, Peer.leave)
    network.run(seconds=1)
    assert not network.players[1].peer._talk.lines(offer_id)
    assert network.players[0].peer._talk.lines(offer_id)
