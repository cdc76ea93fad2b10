"""Watchers who want more than to watch, and members who tell them lies."""

from collections.abc import Callable

import pytest
from deal_players import identity_of
from memory_table import MemoryNetwork, Player
from msgspec import msgpack
from msgspec.structs import replace
from private_table import CODE
from watched_table import SHORT, caught_up, ended, refused, watch, watched

from engine import Seat
from p2p.protocol.ballot import AbsentAnswer, Ballot, Leave, Poll, sign_ballot, sign_leave
from p2p.protocol.books import Wish, sign_wish
from p2p.protocol.deal_terms import DealTerms, Origin
from p2p.protocol.entry import Entry, SealBody, SignedEntry, sign_entry
from p2p.protocol.follows import Carried, Follows
from p2p.protocol.limits import WATCHER_RATES
from p2p.protocol.messages import (
    Ballots,
    Books,
    CodeProof,
    Entries,
    Evidence,
    Fetch,
    JunkReason,
    Leaves,
    Message,
    Note,
    Person,
    Presence,
    Refuse,
    Status,
    Watch,
    Watched,
    Withdraw,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.proposal import Member, Proposal, SignedProposal, sign_proposal
from p2p.protocol.snapshot import OfferStatus, Phase, RefusedJoin
from p2p.protocol.table import Table
from p2p.protocol.table_rules import TableRules

MEMBERS, WATCHER = 3, 3
ABOUT_THE_TABLE = (Entries, Status, Fetch, Evidence, Leaves, Ballots, Books, Watched)


def said_to(network: MemoryNetwork, index: int) -> list[tuple[int, Message]]:
    """What is said to one peer from now on, and by whom."""
    heard: list[tuple[int, Message]] = []

    def note(sender: Player, receiver: Player, message: bytes) -> bytes:
        if receiver.index == index:
            heard.append((sender.index, decode(message)))
        return message

    network.on_message = note
    return heard


def table_of(player: Player) -> Table:
    """The table of a peer, with its machinery."""
    table = player.peer._table
    assert table is not None
    return table


def a_seal(watcher: Player, at: Table, seat: int) -> SignedEntry:
    """An entry for what is owed now, as if the watcher had that seat."""
    deal = at.deals.current.deal
    entry = Entry(at.table_id, at.deals.current.number, deal.step, seat, deal.head, SealBody())
    return sign_entry(watcher.identity, entry)


def test_a_watcher_is_told_nothing_that_the_members_do_not_tell_each_other_and_can_read_no_hand() -> None:
    network = watched(MEMBERS)
    told: list[set[SignedEntry]] = [set() for _ in network.players]

    def note(_sender: Player, receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Entries):
            told[receiver.index].update(decoded.entries)
        return message

    network.on_message = note
    assert watch(network, WATCHER)
    assert network.run(ended(network), seconds=900)
    ledger = set(table_of(network.players[0]).deals.current.deal.record.all_entries())
    assert told[WATCHER]
    assert told[WATCHER] <= ledger
    deal = table_of(network.players[WATCHER]).deals.current.deal
    seats = frozenset(Seat(seat) for seat in range(MEMBERS))
    closed = 0
    for slot, card in deal.public_state.cards.cards.items():
        readers = {reading.seat for reading in card.readings}
        if None in readers:
            continue
        # Whoever has all the shares that were published lacks at least one of a player's.
        assert seats - card.shares.keys(), slot
        closed += 1
    assert closed > 10


def test_what_a_watcher_says_counts_for_nothing_and_is_passed_on_to_nobody() -> None:
    network = watched(MEMBERS, bots=False)
    assert watch(network, WATCHER)
    watcher, table = network.players[WATCHER], table_of(network.players[0])
    deal, number = table.deals.current.deal, table.deals.current.number
    poll = Poll(1, 0, (1,), (), ())
    ballot = Ballot(table.table_id, number, deal.step, 0, deal.head, poll, AbsentAnswer())
    wish = Wish(table.table_id, number, deal.head, 0)
    words: list[Message] = [
        Entries(table.table_id, number, tuple(a_seal(watcher, table, seat) for seat in range(MEMBERS))),
        Evidence(table.table_id, number, (a_seal(watcher, table, 1),)),
        Ballots(table.table_id, number, (sign_ballot(watcher.identity, ballot),)),
        Leaves(table.table_id, (sign_leave(watcher.identity, Leave(table.table_id, 1, 1)),)),
        Books(table.table_id, number, (sign_wish(watcher.identity, wish),), ()),
    ]
    heard = said_to(network, 1)
    before = [player.table for player in network.players[:MEMBERS]]
    for word in words:
        for member in range(MEMBERS):
            network.inject(WATCHER, member, encode(word))
    network.run(seconds=5)
    for player, was in zip(network.players[:MEMBERS], before, strict=True):
        assert (player.table.step, player.table.head) == (was.step, was.head)
        assert (player.table.phase, player.table.poll) == (Phase.PLAYING, None)
        assert not any(one.left for one in player.table.members)
        assert player.peer.junk[JunkReason.STRANGER] >= len(words)
    assert {type(word) for sender, word in heard if sender != WATCHER} <= {Status}


def test_a_watcher_that_says_it_has_everybody_s_link_keeps_nobody_from_being_missed() -> None:
    network = watched(4, bots=False, rules=TableRules(grace_s=10, absence="forfeit"))
    assert watch(network, 4)
    network.kill(2)

    def boast() -> None:
        for member in (0, 1, 3):
            table = table_of(network.players[member])
            run = table.deals.current
            digest = run.digests[run.deal.step]
            status = Status(
                table.table_id, run.number, run.deal.step, run.deal.head, (digest,), 0, None, 0b1111
            )
            network.inject(4, member, encode(status))
        network.after(1.0, boast)

    boast()
    others = [network.players[index] for index in (0, 1, 3)]
    assert network.run(lambda: all(p.table.phase is Phase.ABSENT for p in others), seconds=600)


def test_a_watcher_with_another_state_at_an_equal_head_stops_no_deal() -> None:
    network = watched(MEMBERS, bots=False)
    assert watch(network, WATCHER)
    for member in range(MEMBERS):
        table = table_of(network.players[member])
        run = table.deals.current
        status = Status(table.table_id, run.number, run.deal.step, run.deal.head, (b"x" * 32,), 0, None, 0)
        network.inject(WATCHER, member, encode(status))
    network.run(seconds=3)
    assert all(player.table.phase is Phase.PLAYING for player in network.players[:MEMBERS])


@pytest.mark.parametrize("kind", [Fetch, Status])
def test_a_watcher_that_floods_a_member_gets_no_more_than_its_rate_and_the_table_plays_on(
    kind: type[Message],
) -> None:
    network = watched(MEMBERS)
    assert watch(network, WATCHER)
    table = table_of(network.players[0])
    asked: Message = Fetch(table.table_id, 1, 0, 0)
    if kind is Status:
        asked = Status(table.table_id, 1, 0, b"h" * 32, (b"d" * 32,), 0, b"v" * 32, 0)
    heard = said_to(network, WATCHER)
    begun, seconds = network.now, 20

    def flood() -> None:
        for _ in range(40):
            network.inject(WATCHER, 0, encode(asked))
        if network.now < begun + seconds:
            network.after(0.1, flood)

    flood()
    network.run(seconds=seconds)
    rate = WATCHER_RATES[kind]
    # Entries that come one by one are those of the deal that goes on, which the member makes himself.
    whole = [word for _, word in heard if isinstance(word, Entries) and len(word.entries) > 1]
    votes = [word for sender, word in heard if sender == 0 and isinstance(word, Leaves | Ballots | Books)]
    assert len(whole) <= rate.burst + rate.each_second * (seconds + 1)
    assert len(votes) <= seconds + 1
    assert network.run(ended(network), seconds=900)
    assert caught_up(network, WATCHER)


def test_a_watcher_that_comes_again_and_again_gets_no_more_than_one_that_stays() -> None:
    network = watched(MEMBERS, bots=False)
    assert watch(network, WATCHER)
    table = table_of(network.players[0])
    words: list[Message] = [
        Withdraw(table.offer_id, started_without=False),
        Watch(table.offer_id, "Mallory"),
        *(Fetch(table.table_id, 1, 0, 0),) * 8,
    ]
    heard = said_to(network, WATCHER)
    seconds = 10
    for _ in range(seconds):
        for word in words:
            network.inject(WATCHER, 0, encode(word))
        network.run(seconds=1)
    rate = WATCHER_RATES[Fetch]
    answers = [word for sender, word in heard if sender == 0 and isinstance(word, Entries)]
    assert rate.burst <= len(answers) <= rate.burst + rate.each_second * (seconds + 1)


def test_a_watcher_whose_links_lose_everything_holds_nobody_up() -> None:
    """It gets nothing any more and says nothing; the members play as if it were not there."""
    network = watched(MEMBERS)
    assert watch(network, WATCHER)

    def lose(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        return None if WATCHER in (sender.index, receiver.index) else message

    network.on_message = lose
    members = network.players[:MEMBERS]
    assert network.run(lambda: all(player.table.phase is Phase.OVER for player in members), seconds=900)


def outsider_asks(network: MemoryNetwork) -> list[tuple[int, Message]]:
    """A stranger's program asks for all there is, whatever its lobby says; what it is told."""
    heard = said_to(network, WATCHER)
    table = table_of(network.players[0])
    for member in range(MEMBERS):
        words: list[Message] = [
            CodeProof(table.offer_id, b"c" * 32),
            Watch(table.offer_id, "Mallory"),
            Fetch(table.table_id, 1, 0, 0),
            Status(table.table_id, 1, 0, b"h" * 32, (b"d" * 32,), 0, None, 0),
        ]
        for word in words:
            network.inject(WATCHER, member, encode(word))
    network.run(seconds=5)
    return heard


def test_an_outsider_gets_nothing_from_a_table_that_lets_nobody_watch() -> None:
    network = watched(MEMBERS, rules=TableRules(watchers="no"))
    heard = outsider_asks(network)
    assert {word.reason.value for _, word in heard if isinstance(word, Refuse)} == {"not_watched"}
    assert not any(isinstance(word, ABOUT_THE_TABLE) for _, word in heard)
    assert all(player.table.watchers == () for player in network.players[:MEMBERS])


def test_an_outsider_without_the_code_gets_nothing_from_a_private_table() -> None:
    network = watched(MEMBERS, code=CODE)
    heard = outsider_asks(network)
    assert not any(isinstance(word, ABOUT_THE_TABLE) for _, word in heard)
    assert all(player.table.watchers == () for player in network.players[:MEMBERS])


def changed_start(
    network: MemoryNetwork, change: Callable[[Watched], Watched], *, code: bool = False
) -> Player:
    """A watcher whose first member tells it something else than the truth when it lets it watch."""

    def lie(sender: Player, receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if receiver.index == WATCHER and isinstance(decoded, Watched):
            return encode(change(decoded))
        return message

    network.on_message = lie
    watch(network, WATCHER, code=CODE if code else None)
    return network.players[WATCHER]


def another_table() -> Watched:
    """The terms of another table, signed by all of it."""
    other = watched(MEMBERS, seed=7, bots=False)
    return Watched(table_of(other.players[0]).deals.current.terms, ())


@pytest.mark.parametrize(
    "lie",
    ["another table", "a signature", "notes in disorder", "a note of no seat", "a note with a seat twice"],
)
def test_a_member_that_lets_watch_what_not_all_have_signed_is_not_believed(lie: str) -> None:
    network = watched(MEMBERS, bots=False)

    def change(told: Watched) -> Watched:
        if lie == "another table":
            return another_table()
        if lie == "a signature":
            signed = told.terms.proposal
            forged = replace(signed, signatures=(*signed.signatures[:-1], b"\x01" * 64))
            return replace(told, terms=replace(told.terms, proposal=forged))
        if lie == "notes in disorder":
            return replace(told, notes=(Note(2, b""), Note(1, b"")))
        if lie == "a note of no seat":
            return replace(told, notes=(Note(1, b"\x00"),))
        note = msgpack.encode([[0, 1, 2], [1], 0, [0, 0, 1, 1, 2], None, []])
        terms = replace(told.terms, deal=2, origin=Origin.DEAL, players=(0, 1))
        return Watched(terms, (Note(1, note),))

    watcher = changed_start(network, change)
    assert watcher.peer.table is None
    assert refused(watcher) is RefusedJoin.RULES


def test_who_was_not_asked_cannot_seat_anybody_beside_a_table() -> None:
    network = watched(MEMBERS, bots=False)
    told = Watched(table_of(network.players[0]).deals.current.terms, ())
    network.inject(0, WATCHER, encode(told))
    assert network.players[WATCHER].peer.table is None
    assert network.players[WATCHER].peer.junk[JunkReason.UNFIT] == 1


def test_a_member_that_tells_a_watcher_another_story_is_caught_by_it() -> None:
    """The same verification: a second signed entry for a step ends the deal for whoever sees both."""
    network = watched(MEMBERS, bots=False)
    assert watch(network, WATCHER)
    watcher = network.players[WATCHER]
    liar = next(player for player in network.players[:MEMBERS] if player.table.own_seat == Seat(1))
    deal = table_of(watcher).deals.current.deal
    step = next(step for step in range(deal.step) if deal.record.known(step, Seat(1)) is not None)
    state = deal.record.state_at(step)
    assert state is not None
    second = liar.sign(SealBody(), step=step, head=state.head)
    network.inject(liar.index, WATCHER, encode(Entries(deal.table_id, 1, (second,))))
    assert watcher.table.phase is Phase.VOID
    assert watcher.table.result is not None
    assert (watcher.table.result.loser, watcher.table.result.check) == (Seat(1), "fork")


def test_a_leave_of_somebody_else_takes_no_watcher_away() -> None:
    network = watched(MEMBERS, 2)
    assert watch(network, WATCHER)
    offer = network.players[WATCHER].lobby.offers[0]
    network.inject(4, 0, encode(Withdraw(offer.offer_id, started_without=False)))
    assert [one.key for one in network.players[0].table.watchers] == [network.players[WATCHER].peer.key]
    network.do(WATCHER, Peer.leave)
    network.run(seconds=1)
    assert network.players[0].table.watchers == ()


def successor(liar: Player, before: bytes) -> Watched:
    """A table of a member and somebody of his that names the one that he sits at as the one before."""
    sybil = identity_of(1)
    keys = (liar.identity, sybil)
    members = tuple(Member(one.public, bytes(32), f"Player {seat}") for seat, one in enumerate(keys))
    counts = tuple(Carried(member.key, 0, 0) for member in liar.table.members)
    draft = Proposal.make(bytes(16), "Kitchen", SHORT, members, follows=Follows(before, counts)).encode()
    signed = SignedProposal(draft, tuple(sign_proposal(one, draft) for one in keys))
    return Watched(DealTerms.first(signed), ())


@pytest.mark.parametrize("shows", ["nothing", "a table of his own"])
def test_a_member_that_says_the_company_has_gone_on_takes_no_watcher_away(shows: str) -> None:
    network = watched(MEMBERS, bots=False)
    assert watch(network, WATCHER)
    liar, watcher = network.players[0], network.players[WATCHER]
    before = watcher.table.table_id
    assert before is not None
    told = successor(liar, before)
    proposal = told.terms.table
    asked = []

    def lie(sender: Player, receiver: Player, message: bytes) -> bytes:
        said = decode(message)
        if sender is watcher and isinstance(said, Watch) and said.offer_id == proposal.offer_id:
            asked.append(receiver)
        if (sender, receiver) != (liar, watcher):
            return message
        if isinstance(said, Presence) and said.offer is not None:
            offer = replace(said.offer, offer_id=proposal.offer_id, follows=proposal.follows)
            return encode(replace(said, offer=offer))
        if isinstance(said, Refuse) and shows != "nothing":
            return encode(told)
        return message

    network.on_message = lie
    network.cut(0, WATCHER)
    network.link(0, WATCHER)
    network.run(seconds=15)
    assert asked == [liar]
    assert (watcher.table.table_id, watcher.table.watching) == (before, True)
    assert refused(watcher) is None


@pytest.mark.parametrize("tables", [1, 20])
def test_a_member_that_offers_tables_of_no_company_keeps_no_watcher_from_going_along(tables: int) -> None:
    """His first one even has the id of the table that the company really goes on to."""
    network = watched(MEMBERS)
    assert watch(network, WATCHER)
    assert network.run(ended(network), seconds=900)
    liar, watcher = network.players[2], network.players[WATCHER]
    made: list[bytes] = []

    def lie(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        if (sender, receiver) == (watcher, liar) and isinstance(decode(message), Watch):
            return None
        if (sender, receiver) == (liar, watcher) and isinstance(decode(message), Presence):
            return None
        return message

    def offer() -> None:
        said = network.players[0].peer._lobby._presence()
        if said.offer is not None and said.offer.follows is not None and len(made) < tables:
            made.append(bytes([len(made)]) * 16 if made else said.offer.offer_id)
            people = tuple(Person(member.key, member.name) for member in watcher.table.members)
            false = replace(said.offer, offer_id=made[-1], status=OfferStatus.PLAYING, people=people)
            network.inject(2, WATCHER, encode(replace(said, offer=false)))
        network.after(2.0, offer)

    network.on_message = lie
    offer()
    go_on(network)
    network.run(seconds=60)
    assert len(made) == tables
    assert watcher.table.watching
    assert watcher.table.table_id == network.players[0].table.table_id


def go_on(network: MemoryNetwork) -> None:
    """All members go on at a table that the first of them opens again."""
    network.do(0, Peer.reopen, MEMBERS)
    network.run(seconds=3)
    for index in range(1, MEMBERS):
        reopened = network.players[index].table.reopened
        assert reopened is not None
        network.do(index, Peer.join, reopened.opener, reopened.offer_id)
    network.run(seconds=3)
    for index in range(MEMBERS):
        network.do(index, Peer.set_ready, True)
