"""A table that is opened again between two deals: who comes along, what is carried, and who lies about it."""

from dataclasses import dataclass, replace

import pytest
from memory_table import Chaos, MemoryNetwork, Player
from msgspec import structs

from engine import Ruleset
from p2p.protocol.errors import ProposalProblem, ProposalRefused
from p2p.protocol.follows import Carried, Follows
from p2p.protocol.messages import (
    Draft,
    Entries,
    JunkReason,
    Offer,
    Presence,
    Roster,
    Sign,
    Withdraw,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    ClosedBecause,
    CommandRefused,
    JoinRefused,
    RefusedCommand,
    RefusedJoin,
    TableClosed,
)
from p2p.protocol.proposal import decode_proposal
from p2p.protocol.reopening import INVITATIONS
from p2p.protocol.snapshot import OfferStatus, Phase

PAGAT = Ruleset.preset("pagat")
SMALL = PAGAT.with_(pack=24)
"""Deals that are over soon."""


def over(players: int = 3, seats: int = 2, seed: int = 1, **options: object) -> MemoryNetwork:
    """A network whose first `seats` peers have played a deal, receipts and all; the others look on."""
    network = MemoryNetwork(players, seed, **options)  # type: ignore[arg-type]
    network.seat_bots("honest")
    assert network.gather(SMALL, seats=seats)
    assert network.run(lambda: all(settled(network.players[i], seats) for i in range(seats)), seconds=900)
    return network


def settled(player: Player, seats: int) -> bool:
    """Whether a peer's deal is over and every receipt is there."""
    table = player.peer.table
    return table is not None and table.result is not None and len(table.result.signed) == seats


def reopen(network: MemoryNetwork, index: int = 0, seats: int = 3) -> None:
    """A member opens the table again, and everybody has heard of it."""
    network.do(index, Peer.reopen, seats)
    network.run(seconds=1)


def accept(network: MemoryNetwork, *indices: int) -> None:
    """Members go where their programs point to."""
    for index in indices:
        reopened = network.players[index].table.reopened
        assert reopened is not None
        network.do(index, Peer.join, reopened.opener, reopened.offer_id)
    network.run(seconds=1)


def come_in(network: MemoryNetwork, index: int) -> None:
    """Somebody in the lobby joins the one table that is open."""
    (offer,) = (one for one in network.players[index].lobby.offers if one.status is OfferStatus.OPEN)
    network.do(index, Peer.join, offer.opener, offer.offer_id)
    network.run(seconds=1)


def agree(network: MemoryNetwork, *indices: int) -> bool:
    """All of these are ready; whether they sit at one new table then."""
    for index in indices:
        network.do(index, Peer.set_ready, True)

    def formed() -> bool:
        tables = [network.players[index].table for index in indices]
        return len({table.table_id for table in tables}) == 1 and tables[0].table_id is not None

    return network.run(formed, seconds=10)


def counts(player: Player) -> dict[str, tuple[int, int]]:
    """Losses and wins by name."""
    table = player.table
    return {
        member.name: (losses, wins)
        for member, losses, wins in zip(table.members, table.losses, table.wins, strict=True)
    }


# The way it should go


def test_a_third_joins_between_deals_and_the_counts_go_on() -> None:
    network = over(3, 2)
    carried = counts(network.players[0])
    assert sum(losses for losses, _ in carried.values()) == 1
    old = network.players[0].table.table_id
    reopen(network, 1)
    (offer,) = (one for one in network.players[2].lobby.offers if one.status is OfferStatus.OPEN)
    assert (offer.goes_on, offer.title, offer.seats, offer.taken) == (True, "Kitchen", 3, 1)
    accept(network, 0)
    come_in(network, 2)
    newcomer = network.players[2].table
    assert newcomer.phase is Phase.GATHERING
    assert newcomer.goes_on
    assert counts(network.players[2]) == carried | {"Vera": (0, 0)}
    assert agree(network, 0, 1, 2)
    assert network.players[0].table.table_id != old
    assert all(counts(player) == carried | {"Vera": (0, 0)} for player in network.players)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    assert all(sum(player.table.losses) == 2 for player in network.players)
    assert len({player.table.losses for player in network.players}) == 1
    assert network.players[0].of(CommandRefused) == []


def test_who_does_not_come_along_stays_at_the_old_table_and_sees_the_others_leave() -> None:
    network = over(4, 3)
    reopen(network, 0, 3)
    accept(network, 1)
    come_in(network, 3)
    assert agree(network, 0, 1, 3)
    network.run(seconds=2)
    left = network.players[2].table
    assert left.phase is Phase.OVER
    assert [member.left for member in left.members if not member.own] == [True, True]
    assert left.reopened is None
    assert [member.name for member in network.players[0].table.members] == ["Anna", "Boris", "Gleb"]


def test_the_result_is_kept_until_the_new_table_is_formed_and_one_may_go_back_to_it() -> None:
    network = over(3, 2)
    result = network.players[0].table.result
    reopen(network, 0)
    gathering = network.players[0].table
    assert gathering.phase is Phase.GATHERING
    assert gathering.before is not None
    assert gathering.before.result == result
    assert network.players[0].peer.transcript() is not None
    network.do(0, Peer.leave)
    assert network.players[0].table.result == result
    network.run(seconds=1)
    assert network.players[1].table.reopened is None
    # Nothing has happened: the next deal can be wanted by both.
    for index in (0, 1):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: all(p.table.deal == 2 for p in network.players[:2]), seconds=10)


def test_a_member_who_takes_his_seat_and_gives_it_back_is_at_the_old_table_again() -> None:
    network = over(3, 3)
    reopen(network, 0)
    accept(network, 1)
    assert network.players[1].table.phase is Phase.GATHERING
    network.do(1, Peer.leave)
    network.run(seconds=1)
    assert network.players[1].table.phase is Phase.OVER
    assert network.players[0].table.members[0].own
    assert len(network.players[0].table.members) == 1
    accept(network, 1)
    assert network.players[1].table.phase is Phase.GATHERING


def test_if_the_reopener_leaves_or_is_lost_all_are_back_at_the_old_table() -> None:
    network = over(3, 3)
    for leaves in (True, False):
        reopen(network, 0)
        accept(network, 1, 2)
        if leaves:
            network.do(0, Peer.leave)
        else:
            network.isolate(0)
        network.run(seconds=20)
        for index in (1, 2):
            assert network.players[index].table.phase is Phase.OVER
            assert network.players[index].of(TableClosed)[-1].reason is ClosedBecause.OPENER_LEFT
            assert network.players[index].table.reopened is None


def test_two_who_reopen_at_once_are_both_there_and_programs_point_to_the_lower_key() -> None:
    network = over(4, 4)
    network.do(0, Peer.reopen, 4)
    network.do(1, Peer.reopen, 4)
    network.run(seconds=1)
    low, high = sorted((0, 1), key=lambda index: network.players[index].peer.key)
    pointed = [network.players[index].table.reopened for index in (2, 3, high)]
    assert {one.opener for one in pointed if one is not None} == {network.players[low].peer.key}
    assert network.players[low].table.reopened is None
    accept(network, 2, 3, high)
    assert agree(network, 0, 1, 2, 3)


def test_who_has_left_the_pointed_table_is_pointed_to_the_other_one() -> None:
    network = over(3, 3)
    network.do(0, Peer.reopen, 3)
    network.do(1, Peer.reopen, 3)
    network.run(seconds=1)
    low, high = sorted((0, 1), key=lambda index: network.players[index].peer.key)
    accept(network, 2)
    network.do(2, Peer.leave)
    reopened = network.players[2].table.reopened
    assert reopened is not None
    assert reopened.opener == network.players[high].peer.key
    assert network.players[low].table.phase is Phase.GATHERING


def test_a_table_can_be_joined_while_it_has_a_seat_and_was_not_left() -> None:
    network = over(4, 3)

    def seen(index: int) -> tuple[bool, bool]:
        reopened = network.players[index].table.reopened
        assert reopened is not None
        return reopened.can_join, reopened.left

    reopen(network, 0, 2)
    assert seen(1) == seen(2) == (True, False)
    come_in(network, 3)
    assert seen(1) == seen(2) == (False, False)
    network.do(3, Peer.leave)
    network.run(seconds=1)
    assert seen(1) == (True, False)
    accept(network, 1)
    network.do(1, Peer.leave)
    network.run(seconds=1)
    assert seen(1) == (False, True)
    assert seen(2) == (True, False)
    # Whoever has left may change his mind once more.
    accept(network, 1)
    assert network.players[1].table.phase is Phase.GATHERING


def test_a_table_at_which_no_seat_can_be_taken_hides_no_other_one() -> None:
    network = over(4, 3)
    low, high = sorted((0, 1), key=lambda index: network.players[index].peer.key)
    network.on_message = Liar(network, low, false_counts(true_follows(network)))
    reopen(network, low)
    reopened = network.players[2].table.reopened
    assert reopened is not None
    assert (reopened.agrees, reopened.can_join) == (False, False)
    reopen(network, high)
    accept(network, 2)
    assert [member.name for member in network.players[high].table.members][1:] == ["Vera"]


def test_who_does_not_play_the_tie_break_cannot_hold_it_up_by_opening_the_table_again() -> None:
    network = MemoryNetwork(3, 1)
    network.seat_bots("honest")
    rules = SMALL.with_(session="to_n_losses", session_losses=1)
    assert network.gather(rules, seats=3)
    assert network.run(lambda: all(settled(player, 3) for player in network.players), seconds=900)
    tied = [player.index for player in network.players if player.peer.key in player.table.next_players]
    assert len(tied) == 2
    (aside,) = {0, 1, 2} - {*tied}
    reopen(network, aside)
    assert all(network.players[index].table.reopened.can_join for index in tied)
    for index in tied:
        network.do(index, Peer.next_deal)
    assert network.run(lambda: all(player.table.deal == 2 for player in network.players), seconds=10)
    assert network.players[aside].of(TableClosed)[-1].reason is ClosedBecause.WENT_ON


def test_a_spectator_sees_one_open_table_and_not_the_old_one_beside_it() -> None:
    network = over(3, 2)
    (playing,) = network.players[2].lobby.offers
    assert playing.status is OfferStatus.PLAYING
    reopen(network, 1, 2)
    (open_again,) = network.players[2].lobby.offers
    assert (open_again.status, open_again.goes_on) == (OfferStatus.OPEN, True)
    accept(network, 0)
    assert agree(network, 0, 1)
    network.run(seconds=1)
    (again,) = network.players[2].lobby.offers
    assert again.status is OfferStatus.PLAYING
    assert again.opener == network.players[1].peer.key


def test_when_the_next_deal_begins_after_all_what_was_gathered_is_given_up() -> None:
    network = over(3, 3)
    hold = [True]

    def delay(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        commits = isinstance(decode(message), Entries) and (sender.index, receiver.index) == (2, 0)
        return None if hold[0] and commits else message

    network.on_message = delay
    for index in range(3):
        network.do(index, Peer.next_deal)
    # The last commit is on its way to the one who changes his mind.
    network.do(0, Peer.reopen, 4)
    assert network.players[0].table.phase is Phase.GATHERING
    hold[0] = False
    assert network.run(lambda: all(player.table.deal == 2 for player in network.players), seconds=10)
    assert network.players[0].of(TableClosed)[-1].reason is ClosedBecause.WENT_ON
    network.run(seconds=1)
    assert all(player.table.reopened is None for player in network.players)


def test_who_is_on_his_way_does_not_want_the_next_deal() -> None:
    network = over(3, 2)
    network.do(0, Peer.next_deal)
    reopen(network, 1)
    network.do(1, Peer.next_deal)
    assert network.players[1].of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    network.run(seconds=5)
    assert network.players[0].table.deal == 1


def test_a_table_is_reopened_only_between_deals_with_seats_that_its_rules_allow() -> None:
    network = MemoryNetwork(3)
    network.do(2, Peer.reopen, 3)
    assert network.players[2].of(CommandRefused)[-1].reason is RefusedCommand.NO_TABLE
    assert network.gather(seats=2)
    network.do(0, Peer.reopen, 3)
    assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    network = over(3, 2)
    for seats in (1, 13):
        network.do(0, Peer.reopen, seats)
        assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.SEATS
    network.do(0, Peer.reopen, 3)
    network.do(0, Peer.reopen, 3)
    assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.ALREADY_AT_TABLE
    assert network.players[0].table.phase is Phase.GATHERING


def test_from_an_over_table_no_seat_is_taken_at_another_one() -> None:
    network = over(3, 2)
    network.do(2, Peer.open_table, "Other", PAGAT, 3)
    network.run(seconds=1)
    offer = next(one for one in network.players[0].lobby.offers if one.title == "Other")
    network.do(0, Peer.join, offer.opener, offer.offer_id)
    assert network.players[0].of(JoinRefused)[-1].reason is RefusedJoin.BUSY
    network.do(0, Peer.open_table, "Mine", PAGAT, 3)
    assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.ALREADY_AT_TABLE


def test_who_comes_back_after_leaving_finds_his_counts_again() -> None:
    network = over(3, 2)
    carried = counts(network.players[0])
    network.do(0, Peer.leave)
    reopen(network, 1, 2)
    come_in(network, 0)
    assert counts(network.players[0]) == carried
    assert agree(network, 0, 1)
    assert counts(network.players[0]) == carried


def test_a_chain_of_tables_carries_everything_on() -> None:
    network = over(3, 2)
    for number in range(2, 5):
        reopen(network, number % 2, 2)
        accept(network, 1 - number % 2)
        assert agree(network, 0, 1)
        assert network.run(lambda: all(settled(p, 2) for p in network.players[:2]), seconds=900)
        assert sum(network.players[0].table.losses) == number
        assert counts(network.players[0]) == counts(network.players[1])


def test_leaving_all_takes_a_peer_from_the_new_table_and_then_from_the_old_one() -> None:
    network = over(2, 2)
    reopen(network, 0, 2)
    network.do(0, Peer.leave)
    network.do(0, Peer.leave)
    assert network.players[0].peer.table is None
    network.run(seconds=1)
    assert network.players[1].table.members[0].left


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_company_changes_in_bad_weather(seed: int) -> None:
    chaos = Chaos(most_delay=0.2, duplicate=0.1, reorder=0.1)
    network = over(4, 3, seed, chaos=chaos)
    carried = counts(network.players[0])
    reopen(network, 1, 3)
    network.run(lambda: network.players[2].table.reopened is not None, seconds=10)
    accept(network, 2)
    come_in(network, 3)

    def seated() -> bool:
        tables = [player.peer.table for player in network.players[1:]]
        return all(table is not None and len(table.members) == 3 for table in tables)

    assert network.run(seated, seconds=10)
    assert agree(network, 1, 2, 3)
    at = network.players[1:]
    assert network.run(lambda: all(settled(player, 3) for player in at), seconds=1800)
    del carried["Anna"]
    before = sum(losses for losses, _ in carried.values())
    assert {sum(player.table.losses) for player in at} == {before + 1}
    assert len({player.table.losses for player in at}) == 1


# Lies


@dataclass
class Liar:
    """Changes what one peer says of the table before."""

    network: MemoryNetwork
    index: int
    follows: Follows | None = None
    presence: bool = True

    def __call__(self, sender: Player, _receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if sender.index != self.index:
            return message
        if isinstance(decoded, Presence) and decoded.offer is not None and self.presence:
            offer = structs.replace(decoded.offer, follows=self.follows)
            return encode(structs.replace(decoded, offer=offer))
        if isinstance(decoded, Roster):
            return encode(structs.replace(decoded, follows=self.follows))
        if isinstance(decoded, Draft):
            proposal = structs.replace(decode_proposal(decoded.proposal), follows=self.follows)
            return encode(Draft(decoded.offer_id, proposal.encode()))
        return message


def true_follows(network: MemoryNetwork, index: int = 0) -> Follows:
    """What a peer has counted."""
    table = network.players[index].table
    assert table.table_id is not None
    rows = zip(table.members, table.losses, table.wins, strict=True)
    return Follows(table.table_id, tuple(Carried(member.key, lost, won) for member, lost, won in rows))


def false_counts(follows: Follows) -> Follows:
    """One loss fewer for whoever has one."""
    standings = tuple(structs.replace(one, losses=0) for one in follows.standings)
    return structs.replace(follows, standings=standings)


@pytest.mark.parametrize("presence", [True, False])
def test_a_member_takes_no_seat_where_other_counts_are_stated_and_learns_why(presence: bool) -> None:
    network = over(3, 2)
    lie = false_counts(true_follows(network))
    network.on_message = Liar(network, 0, lie, presence)
    reopen(network, 0, 2)
    reopened = network.players[1].table.reopened
    assert reopened is not None
    assert reopened.agrees is not presence
    accept(network, 1)
    assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.BEFORE
    assert network.players[1].table.phase is Phase.OVER
    assert len(network.players[0].table.members) == 1


def test_counts_that_change_under_a_member_are_not_signed() -> None:
    """The lie comes only in the draft, when all have said that they are ready."""
    network = over(3, 2)
    lie = false_counts(true_follows(network))
    signed: list[Sign] = []

    def change(sender: Player, _receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Sign):
            signed.append(decoded)
        if isinstance(decoded, Draft):
            proposal = structs.replace(decode_proposal(decoded.proposal), follows=lie)
            return encode(Draft(decoded.offer_id, proposal.encode()))
        return message

    network.on_message = change
    reopen(network, 0, 2)
    accept(network, 1)
    assert not agree(network, 0, 1)
    assert signed == []
    assert network.players[1].table.phase is Phase.GATHERING


@pytest.mark.parametrize("nobody", [False, True])
def test_a_newcomer_signs_only_the_counts_that_were_shown(nobody: bool) -> None:
    network = over(3, 2)
    lie = None if nobody else false_counts(true_follows(network))
    signed: list[Player] = []

    def change(sender: Player, receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Sign):
            signed.append(sender)
        if isinstance(decoded, Draft) and receiver.index == 2:
            proposal = structs.replace(decode_proposal(decoded.proposal), follows=lie)
            return encode(Draft(decoded.offer_id, proposal.encode()))
        return message

    network.on_message = change
    reopen(network, 0, 3)
    accept(network, 1)
    come_in(network, 2)
    assert not agree(network, 0, 1, 2)
    assert {player.index for player in signed} == {1}


def test_other_counts_than_those_agreed_to_take_readiness_back() -> None:
    network = over(3, 2)
    reopen(network, 0, 3)
    come_in(network, 2)
    network.do(2, Peer.set_ready, True)
    network.run(seconds=1)
    other = false_counts(true_follows(network, 1))
    network.players[0].peer._lobby.gathering.set_follows(other, network.now)
    network.carry_out(network.players[0], network.players[0].peer._core.out.drain())
    network.run(seconds=1)
    for index in (0, 2):
        assert [member.ready for member in network.players[index].table.members] == [False, False]
    anna = other.of(network.players[0].peer.key)
    assert counts(network.players[2]) == {"Anna": (anna.losses, anna.wins), "Vera": (0, 0)}


def test_an_outsider_invites_nobody() -> None:
    network = over(3, 2)
    follows = true_follows(network)
    network.on_message = Liar(network, 2, follows)
    network.do(2, Peer.open_table, "Kitchen", PAGAT, 3)
    network.run(seconds=2)
    assert [player.table.reopened for player in network.players[:2]] == [None, None]
    assert network.players[0].peer.junk[JunkReason.UNFIT] > 0
    network.do(0, Peer.join, network.players[2].peer.key, bytes(16))
    assert network.players[0].of(JoinRefused)[-1].reason is RefusedJoin.BUSY


def test_a_newcomer_takes_no_seat_where_the_opener_did_not_sit_or_a_key_is_counted_twice() -> None:
    for doubled in (False, True):
        network = over(4, 2)
        follows = true_follows(network)
        twice = structs.replace(follows, standings=(*follows.standings, follows.standings[0]))
        opener = 0 if doubled else 2
        if doubled:
            reopen(network, 0, 3)
        else:
            network.do(2, Peer.open_table, "Kitchen", PAGAT, 3)
            network.run(seconds=1)
        offer = next(one for one in network.players[3].lobby.offers if one.status is OfferStatus.OPEN)
        network.on_message = Liar(network, opener, twice if doubled else follows)
        network.do(3, Peer.join, offer.opener, offer.offer_id)
        network.run(seconds=1)
        assert network.players[3].of(JoinRefused)[-1].reason is RefusedJoin.BEFORE
        assert network.players[3].peer.table is None


def test_another_tables_successor_and_other_rules_are_no_invitation_to_take_a_seat() -> None:
    network = over(3, 2)
    follows = true_follows(network)
    reopen(network, 0, 2)
    offer = network.players[0].peer._lobby.gathering.offer
    member = network.players[1]

    def offered(**changes: object) -> None:
        network.now += 1
        other = structs.replace(offer, offer_id=bytes([len(changes)]) * 16, **changes)
        network.inject(0, 1, encode(Presence(1, "Anna", None, other)))

    offered(follows=structs.replace(follows, table_id=bytes(32)))
    assert member.table.reopened is None
    harder = tuple(sorted(SMALL.with_(burn=0).to_mapping().items()))
    offered(options=harder, seats=3)
    reopened = member.table.reopened
    assert reopened is not None
    assert not reopened.agrees


def test_a_flood_of_invitations_moves_the_pointer_only_so_often() -> None:
    network = over(3, 2)
    reopen(network, 0, 2)
    offer = network.players[0].peer._lobby.gathering.offer
    member = network.players[1]
    pointed = set()
    for number in range(100):
        network.now += 0.5
        fake = structs.replace(offer, offer_id=bytes([number + 1]) * 16)
        network.inject(0, 1, encode(Presence(1, "Anna", None, fake)))
        if member.table.reopened is not None:
            pointed.add(member.table.reopened.offer_id)
    assert len(pointed) <= INVITATIONS
    assert member.table.reopened is None
    # The next deal is as free as it was.
    network.do(1, Peer.next_deal)
    assert member.peer.key in member.table.next_ready


def test_a_table_that_was_there_before_is_not_pointed_to_again() -> None:
    network = over(3, 2)
    reopen(network, 0, 2)
    offer = network.players[0].peer._lobby.gathering.offer
    other = structs.replace(offer, offer_id=bytes(16))
    for shown, expected in ((other, True), (offer, False), (other, True)):
        network.now += 1
        network.inject(0, 1, encode(Presence(1, "Anna", None, shown)))
        assert (network.players[1].table.reopened is not None) is expected


def raise_count(player: Player) -> None:
    """Somebody turns out to have lost the deal that had another loser, or none."""
    succession = player.peer._table.deals.succession
    ended = succession._ended[1]
    both = replace(ended.score, losers=frozenset({0, 1}))
    succession._ended[1] = replace(ended, score=both)


def test_the_true_counts_follow_what_still_turns_up_about_the_last_deal() -> None:
    """Evidence that changes the counts changes what is proposed, too; nobody stays ready for the old ones."""
    network = over(3, 2)
    reopen(network, 0, 3)
    accept(network, 1)
    come_in(network, 2)
    for index in (1, 2):
        network.do(index, Peer.set_ready, True)
    network.run(seconds=1)
    for index in (0, 1):
        player = network.players[index]
        raise_count(player)
        network.carry_out(player, player.peer.tick(network.now))
    network.run(seconds=1)
    assert counts(network.players[2])["Anna"][0] == true_follows(network, 1).standings[0].losses
    refused = network.players[1].of(JoinRefused)
    assert [one.reason for one in refused] in ([], [RefusedJoin.BEFORE])
    assert not any(member.ready for member in network.players[2].table.members)


@pytest.mark.parametrize("kind", ["stranger", "twice"])
def test_a_proposal_that_states_the_table_before_wrongly_is_no_table(kind: str) -> None:
    network = over(2, 2)
    follows = true_follows(network)
    proposal = network.players[0].peer._table.proposal
    rows = {
        "stranger": (Carried(bytes(32), 0, 0), Carried(bytes([1]) * 32, 0, 0)),
        "twice": (follows.standings[0], follows.standings[0]),
    }[kind]
    structs.replace(proposal, follows=follows).check()
    with pytest.raises(ProposalRefused) as refused:
        structs.replace(proposal, follows=structs.replace(follows, standings=rows)).check()
    assert refused.value.problem is ProposalProblem.FOLLOWS


def test_a_roster_of_the_old_table_is_answered_with_a_leave() -> None:
    """Somebody's gathering that this peer is not at any more does not hold a seat for him."""
    network = over(3, 3)
    reopen(network, 0)
    accept(network, 1)
    left: list[Withdraw] = []

    def note(sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if sender.index == 1 and isinstance(decoded, Withdraw):
            left.append(decoded)
            return None if len(left) == 1 else message
        return message

    network.on_message = note
    network.do(1, Peer.leave)
    accept(network, 2)
    assert len(left) == 2
    assert [member.name for member in network.players[0].table.members] == ["Anna", "Vera"]


def test_an_offer_with_follows_of_others_is_listed_only_where_its_opener_sat() -> None:
    network = over(3, 2)
    follows = true_follows(network)
    reopen(network, 0, 3)
    offer: Offer = network.players[0].peer._lobby.gathering.offer
    foreign = Follows(bytes(32), (Carried(bytes(32), 0, 0), Carried(bytes([1]) * 32, 0, 0)))
    for stated, listed in ((follows, 1), (foreign, 0)):
        network.now += 1
        network.inject(0, 2, encode(Presence(1, "Anna", None, structs.replace(offer, follows=stated))))
        assert len(network.players[2].lobby.offers) == listed
