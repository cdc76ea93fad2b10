"""Watching a table: a peer without a seat sees and verifies all that the members do, and says nothing."""

import pytest
from memory_table import Player
from private_table import CODE, WRONG
from watched_table import caught_up, ended, refused, watch, watched

from engine import Call, Refusal, Ruleset, Seat
from p2p.protocol.audit import audit
from p2p.protocol.limits import WATCHERS_LIMIT
from p2p.protocol.messages import Fetch, Message, Status, Watch, Withdraw, decode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    AuditDone,
    ClosedBecause,
    CommandRefused,
    Happened,
    MoveRefused,
    RefusedCommand,
    TableClosed,
    Talked,
)
from p2p.protocol.snapshot import Phase, RefusedJoin, TrustAnswer
from p2p.protocol.table_rules import TableRules


def test_who_watches_from_the_middle_of_a_deal_has_all_of_it_and_no_card() -> None:
    network = watched(3, audits=True)
    network.run(lambda: network.players[0].table.step > 20, seconds=60)
    assert watch(network, 3)
    member, watcher = network.players[0], network.players[3]
    table = watcher.table
    assert (table.watching, table.own_seat, table.own_member, table.owed_by_me) == (True, None, None, None)
    assert [one.key for one in table.members] == [one.key for one in member.table.members]
    assert table.happened == member.table.happened
    assert table.view is not None
    shown = {
        slot
        for slot, card in member.peer._table.deals.current.deal.public_state.cards.cards.items()
        if card.face
    }
    assert set(table.view.faces) <= shown
    assert table.trust.answer is TrustAnswer.NOBODY
    assert network.run(ended(network), seconds=900)
    assert {player.table.head for player in network.players} == {member.table.head}
    logs = [tuple(one.event for one in player.of(Happened)) for player in network.players]
    assert len(set(logs)) == 1
    transcripts = {player.peer.transcript() for player in network.players}
    core = watcher.peer._core
    (transcript,) = transcripts
    assert audit(transcript or b"", core.draw, core.group).ok
    network.run(lambda: bool(watcher.of(AuditDone)), seconds=10)
    assert watcher.of(AuditDone)[0].verdict.ok


def test_who_watches_follows_from_deal_to_deal_and_writes_nothing_down() -> None:
    network = watched(3)
    assert watch(network, 3)
    for deal in (1, 2, 3):
        assert network.run(ended(network, deal), seconds=900)
        assert caught_up(network, 3)
        for index in range(3):
            network.do(index, Peer.next_deal)
    watcher = network.players[3]
    assert watcher.table.losses == network.players[0].table.losses
    assert (watcher.disk.entries, watcher.disk.terms, watcher.disk.closed) == (set(), {}, [])


@pytest.mark.parametrize("links", [(0,), (0, 1), (0, 2)])
def test_a_link_to_one_member_is_enough(links: tuple[int, ...]) -> None:
    network = watched(3)
    for index in {0, 1, 2} - {*links}:
        network.cut(index, 3)
    assert watch(network, 3)
    assert network.run(ended(network), seconds=900)
    assert caught_up(network, 3)


def test_who_begins_to_watch_a_later_deal_counts_as_the_members_do_and_follows_the_next() -> None:
    session = Ruleset.with_preset("pagat", {"session": "to_n_losses", "session_losses": 2})
    network = watched(3, ruleset=session)
    for deal in (1, 2):
        assert network.run(ended(network, deal), seconds=900)
        for index in range(3):
            network.do(index, Peer.next_deal)
    network.run(lambda: network.players[0].table.phase is Phase.PLAYING, seconds=60)
    assert watch(network, 3)
    member, watcher = network.players[0], network.players[3]
    assert (watcher.table.deal, watcher.table.session) == (3, member.table.session)
    for deal in (3, 4):
        assert network.run(ended(network, deal), seconds=900)
        assert watcher.table.session == member.table.session
        for index in range(3):
            network.do(index, Peer.next_deal)


def test_everybody_at_the_table_sees_who_watches_until_he_leaves() -> None:
    network = watched(3, 2)
    assert watch(network, 3, 4)
    network.run(seconds=2)
    keys = [network.players[index].peer.key for index in (3, 4)]
    for player in network.players[:3]:
        assert [one.key for one in player.table.watchers] == keys
        assert [one.name for one in player.table.watchers] == ["Player 3", "Player 4"]
    network.do(3, Peer.leave)
    assert network.players[3].peer.table is None
    assert network.players[3].of(TableClosed)[-1].reason is ClosedBecause.LEFT
    network.run(seconds=1)
    network.isolate(4)
    for player in network.players[:3]:
        assert player.table.watchers == ()


def test_who_watches_can_do_nothing_but_leave() -> None:
    network = watched(2, bots=False)
    assert watch(network, 2)
    watcher = network.players[2]
    network.do(2, Peer.submit, Call(Seat(0), believe=False))
    assert watcher.of(MoveRefused)[-1].reason is Refusal.NOT_NOW
    for command in (Peer.next_deal, Peer.end_wait, Peer.open_books, Peer.start_without):
        network.do(2, command)
        assert watcher.of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    network.do(2, Peer.reopen, 3)
    assert watcher.of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    offer = watcher.lobby.offers[0]
    network.do(2, Peer.join, offer.opener, offer.offer_id)
    assert refused(watcher) is RefusedJoin.BUSY
    assert watcher.table.watching


def test_who_watches_says_nothing_that_players_would_take_for_junk() -> None:
    network = watched(2, bots=False)
    assert watch(network, 2)
    watcher = network.players[2]
    network.do(2, Peer.say, "I see it all")
    network.run(seconds=1)
    assert watcher.of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    assert not watcher.of(Talked)
    assert not any(player.table.talk for player in network.players)
    assert not any(player.peer.junk for player in network.players[:2])


def test_a_table_that_allows_no_watchers_has_none() -> None:
    network = watched(2, rules=TableRules(watchers="no"))
    watch(network, 2)
    assert refused(network.players[2]) is RefusedJoin.NOT_WATCHED
    assert network.players[2].peer.table is None


def test_a_table_that_is_not_played_yet_is_not_watched() -> None:
    network = watched(2, 2, bots=False)
    network.do(3, Peer.open_table, "Balcony", Ruleset.preset("pagat"), 2)
    network.run(seconds=1)
    offer = next(one for one in network.players[2].lobby.offers if one.title == "Balcony")
    network.do(2, Peer.watch, offer.opener, offer.offer_id)
    assert refused(network.players[2]) is RefusedJoin.NOT_PLAYED


def test_a_private_table_is_watched_by_who_knows_its_code_and_by_nobody_else() -> None:
    network = watched(3, 3, code=CODE)
    watch(network, 3)
    assert refused(network.players[3]) is RefusedJoin.CODE
    watch(network, 4, code=WRONG)
    assert refused(network.players[4]) is RefusedJoin.WRONG_CODE
    assert watch(network, 5, code=CODE)
    network.run(seconds=2)
    for player in network.players[:3]:
        assert [one.key for one in player.table.watchers] == [network.players[5].peer.key]
    assert network.run(ended(network), seconds=900)
    assert caught_up(network, 5)


def test_no_more_watch_than_a_member_feeds() -> None:
    network = watched(2, WATCHERS_LIMIT + 1)
    last = WATCHERS_LIMIT + 2
    assert watch(network, *range(2, last))
    watch(network, last)
    assert refused(network.players[last]) is RefusedJoin.MANY_WATCHERS
    network.do(2, Peer.leave)
    network.run(seconds=1)
    assert watch(network, last)


def test_who_watches_sees_books_that_all_open() -> None:
    network = watched(3)
    assert watch(network, 3)
    assert network.run(ended(network), seconds=900)
    for index in range(3):
        network.do(index, Peer.open_books)
    watcher = network.players[3]
    assert network.run(lambda: watcher.table.books is not None and watcher.table.books.open, seconds=10)
    assert watcher.table.trust.answer is TrustAnswer.OPENED


@pytest.mark.parametrize("leaves", [True, False])
def test_who_watches_sees_a_seat_leave_or_voted_absent_and_the_next_deal_without_it(leaves: bool) -> None:
    network = watched(4, rules=TableRules(grace_s=10, absence="forfeit"))
    assert watch(network, 4)
    if leaves:
        network.do(3, Peer.leave)
    else:
        network.kill(3)
    watcher, others = network.players[4], [0, 1, 2]
    all_here = [*network.players[:3], watcher]
    assert network.run(lambda: all(one.table.phase is Phase.ABSENT for one in all_here), seconds=900)
    for index in others:
        network.do(index, Peer.next_deal)
    assert network.run(lambda: watcher.table.deal == 2 and watcher.table.phase is Phase.PLAYING, seconds=60)
    assert len(watcher.table.members) == 3
    assert [one.left for one in watcher.table.aside] == [True]


def test_who_begins_to_watch_when_a_vote_has_ended_the_deal_sees_that_end() -> None:
    network = watched(4, rules=TableRules(grace_s=10, absence="forfeit"))
    network.kill(3)
    assert network.run(lambda: network.players[0].table.phase is Phase.ABSENT, seconds=900)
    watch(network, 4)
    watcher = network.players[4]
    assert network.run(lambda: watcher.table.phase is Phase.ABSENT, seconds=10)


def test_a_lost_link_and_a_member_that_starts_again_cost_the_watcher_nothing() -> None:
    network = watched(3)
    assert watch(network, 3)
    network.isolate(3)
    network.run(seconds=5)
    for index in range(3):
        network.link(index, 3)
    assert network.run(lambda: caught_up(network, 3), seconds=10)
    network.kill(1)
    network.run(seconds=2)
    network.restart(1)
    assert network.run(ended(network), seconds=900)
    network.run(seconds=3)
    assert caught_up(network, 3)
    assert [one.key for one in network.players[1].table.watchers] == [network.players[3].peer.key]


def test_a_key_with_a_seat_at_the_table_does_not_watch_it() -> None:
    """It would follow what it has signed itself, without knowing that."""
    network = watched(3)
    network.do(2, Peer.leave)
    network.run(seconds=1)
    watch(network, 2)
    assert refused(network.players[2]) is RefusedJoin.BUSY
    assert network.players[2].peer.table is None


def test_who_watches_says_where_it_stands_and_asks_for_entries_and_nothing_else() -> None:
    network = watched(3, rules=TableRules(grace_s=10, absence="forfeit"))
    said: set[type[Message]] = set()

    def note(sender: Player, _receiver: Player, message: bytes) -> bytes:
        if sender.index == 3:
            said.add(type(decode(message)))
        return message

    network.on_message = note
    assert watch(network, 3)
    network.cut(1, 3)
    network.kill(2)
    assert network.run(lambda: network.players[3].table.phase is Phase.ABSENT, seconds=900)
    network.run(seconds=5)
    network.do(3, Peer.leave)
    assert said == {Watch, Status, Fetch, Withdraw}
