"""Hostile peers: junk, floods, strangers, lies about digests, two stories, and breaches."""

import random

import pytest
from memory_table import MemoryNetwork, Player
from message_samples import samples

from engine import Call, Lay, Rank, Slot
from p2p.protocol.ballot import SignedLeave
from p2p.protocol.effects import Void
from p2p.protocol.entry import CallBody, CommitBody, LayBody, SealBody, SignedEntry
from p2p.protocol.messages import (
    FRAME_BYTES,
    Entries,
    Evidence,
    Fetch,
    JunkReason,
    Leaves,
    Message,
    Presence,
    Status,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    AuditView,
    CommandRefused,
    DealEnded,
    MoveRefused,
    RefusedCommand,
    ResultKind,
    StoppedByDigest,
    TableClosed,
)
from p2p.protocol.snapshot import Phase, TrustAnswer


def playing(players: int, *, seats: int | None = None, audits: bool = False) -> MemoryNetwork:
    """A table in its first deal without bots, so that it waits for a move."""
    network = MemoryNetwork(players, audits=audits)
    assert network.gather(seats=seats)
    members = network.players[:seats]
    assert network.run(lambda: all(player.table.phase is Phase.PLAYING for player in members), seconds=30)
    return network


def on_turn(network: MemoryNetwork) -> Player:
    """Whose turn it is."""
    for player in network.players:
        owed = player.table.owed_by_me
        if owed is not None and owed.is_choice:
            return player
    raise AssertionError("nobody is on turn")


def legal_lay(player: Player) -> Lay:
    """One card of the hand, claimed as what it is or has to be."""
    view = player.table.view
    assert view is not None
    slot, card = view.hand[0]
    rank = view.choices.ranks[0] if card.rank not in view.choices.ranks else card.rank
    seat = player.table.own_seat
    assert seat is not None
    return Lay(seat, (slot,), rank, 1)


# Junk


def test_a_member_who_claims_another_head_all_the_time_keeps_nobody_from_fetching_of_others() -> None:
    network = playing(4)
    author = on_turn(network).index
    victim, relay, liar = [index for index in range(4) if index != author]
    network.cut(victim, author)
    table = network.players[victim].table
    assert table.table_id is not None
    lie = encode(Status(table.table_id, 1, table.step - 1, bytes(32), (bytes(32),), 0, None, 0))

    def claim() -> None:
        network.inject(liar, victim, lie)
        network.after(0.02, claim)

    def silence(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        return None if (sender.index, receiver.index) == (liar, victim) else message

    network.on_message = silence
    claim()
    network.run(seconds=2)
    network.do(author, Peer.submit, legal_lay(network.players[author]))
    assert network.run(lambda: network.players[victim].table.step > table.step, seconds=2)
    assert network.linked(victim, relay)


def test_of_a_message_full_of_forged_entries_only_the_first_is_looked_at() -> None:
    network = playing(2)
    victim = network.players[0]
    table = victim.table
    forged = tuple(SignedEntry(bytes([number]) * 9, bytes(64)) for number in range(200))
    network.inject(1, 0, encode(Entries(table.table_id, 1, forged)))
    assert victim.peer._table.deals.current.deal.noise.total() == 1
    assert victim.peer.junk == {JunkReason.UNFIT: 1}


def test_every_malformed_message_is_counted_and_changes_nothing() -> None:
    network = playing(3, seats=2)
    before = network.players[0].table
    sent = network.sent.copy()
    rng = random.Random(5)
    junk = [b"", b"\x00", b"{}", b"\xc1" * 9000, b"\x91" * 200, b"\x00" * (FRAME_BYTES + 1)]
    for message in samples():
        data = encode(message)
        for _ in range(3):
            place = rng.randrange(1, len(data))
            junk.append(data[:place])
            junk.append(data + b"\x00")
    for number, data in enumerate(junk):
        network.now += 0.2
        network.inject(2 if number % 2 else 1, 0, data)
    counted = network.players[0].peer.junk
    assert sum(counted.values()) == len(junk)
    assert set(counted) <= {JunkReason.MALFORMED, JunkReason.OVERSIZED, JunkReason.RESPELLED}
    after = network.players[0].table
    assert (after.step, after.head, after.owed, after.result) == (before.step, before.head, before.owed, None)
    assert network.sent["Entries"] == sent["Entries"]


@pytest.mark.parametrize("message", samples(), ids=lambda message: type(message).__name__)
def test_a_message_at_the_wrong_moment_changes_nothing(message: Message) -> None:
    for sender in (1, 2):
        network = playing(3, seats=2)
        before = network.players[0].table
        network.inject(sender, 0, encode(message))
        after = network.players[0].table
        assert (after.step, after.head, after.owed, after.phase) == (
            before.step,
            before.head,
            before.owed,
            before.phase,
        )
        assert [member.key for member in after.members] == [member.key for member in before.members]


def test_a_stranger_says_nothing_at_a_table() -> None:
    network = playing(3, seats=2)
    table_id = network.players[0].table.table_id
    assert table_id is not None
    stranger = network.players[2].peer.key
    for message in (
        Status(table_id, 1, 500, b"h" * 32, (b"d" * 32,), 0, None, 0),
        Fetch(table_id, 1, 0, 0),
        Leaves(table_id, (SignedLeave(b"leave", bytes(64)),)),
        Entries(table_id, 1, (network.players[1].sign(SealBody()),)),
    ):
        sent = network.sent.copy()
        network.inject(2, 0, encode(message))
        assert network.sent == sent
    assert network.players[0].peer.junk == {JunkReason.STRANGER: 4}
    assert stranger not in {member.key for member in network.players[0].table.members}


def test_an_entry_with_a_false_signature_names_nobody() -> None:
    network = playing(3)
    table_id = network.players[0].table.table_id
    assert table_id is not None
    signed = network.players[1].sign(CommitBody(b"c" * 32), step=0, head=table_id)
    forged = SignedEntry(signed.entry, bytes(64))
    network.inject(2, 0, encode(Entries(table_id, 1, (forged,))))
    assert network.players[0].table.phase is Phase.PLAYING
    assert network.players[0].peer.junk == {JunkReason.UNFIT: 1}


@pytest.mark.parametrize("message", samples(), ids=lambda message: type(message).__name__)
def test_a_flood_of_any_kind_is_bounded(message: Message) -> None:
    network = playing(2)
    table_id = network.players[0].table.table_id
    assert table_id is not None
    fields = set(type(message).__struct_fields__)
    if "table_id" in fields and "deal" in fields:
        from msgspec.structs import replace  # noqa: PLC0415

        message = replace(message, table_id=table_id, deal=1)
    sent, size = sum(network.sent.values()), network.bytes_sent
    data = encode(message)
    for _ in range(5000):
        network.now += 0.0002
        network.inject(1, 0, data)
    junk = network.players[0].peer.junk
    assert junk[JunkReason.FLOOD] >= 4000
    assert sum(network.sent.values()) - sent < 1000
    assert network.bytes_sent - size < 20_000_000
    assert network.players[0].table.phase is Phase.PLAYING


def test_after_a_flood_the_game_goes_on() -> None:
    network = playing(2)
    for _ in range(2000):
        network.inject(1, 0, b"junk")
    network.run(seconds=15)
    network.seat_bots("honest")
    for player in network.players:
        network._consult(player)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=300)


# Moves of the own person


def test_an_illegal_move_says_why_and_changes_nothing() -> None:
    network = playing(3)
    player = on_turn(network)
    before = player.table
    lay = legal_lay(player)
    for move, reason in (
        (Call(lay.seat, believe=False), "nothing-to-call"),
        (Lay(lay.seat, (Slot(9999),), lay.rank, 1), "not-in-hand"),
        (Lay(lay.seat, lay.slots, Rank.TWO, 1), "rank-not-in-pack"),
        (Lay(lay.seat, lay.slots, lay.rank, 2), "false-number"),
    ):
        network.do(player.index, Peer.submit, move)
        assert player.of(MoveRefused)[-1].reason == reason
    assert player.table == before
    other = next(one for one in network.players if one is not player)
    network.do(other.index, Peer.submit, lay)
    assert other.of(MoveRefused)
    network.do(player.index, Peer.submit, lay)
    network.do(player.index, Peer.submit, lay)
    assert player.of(MoveRefused)[-1].reason in {"not-now", "not-your-turn", "not-in-hand"}
    network.run(seconds=1)
    assert {one.table.step for one in network.players} == {before.step + 1}


def test_commands_without_a_table_are_refused() -> None:
    network = MemoryNetwork(1)
    for command in (Peer.start_without, Peer.next_deal, Peer.leave):
        network.do(0, command)
    network.do(0, Peer.set_ready, True)
    reasons = [event.reason for event in network.players[0].of(CommandRefused)]
    assert reasons == [RefusedCommand.NOT_NOW, *[RefusedCommand.NO_TABLE] * 3]


def test_who_leaves_loses_and_the_others_go_no_further_with_the_deal() -> None:
    network = playing(3)
    leaver = on_turn(network)
    network.do(leaver.index, Peer.leave)
    network.run(seconds=3)
    assert leaver.peer.table is None
    assert leaver.of(TableClosed)
    for player in network.players:
        if player is leaver:
            continue
        (member,) = [one for one in player.table.members if one.key == leaver.peer.key]
        assert member.left
        assert player.table.phase is Phase.ABSENT
        result = player.table.result
        assert result is not None
        assert result.kind is ResultKind.ABSENT
        assert result.absent == result.left == result.losers == (member.seat,)
        assert player.table.losses[member.seat] == 1
        assert set(player.table.next_players) == {one.peer.key for one in network.players} - {leaver.peer.key}


def test_who_has_left_gets_no_more_words_about_the_table_and_stays_left_on_a_new_link() -> None:
    network = playing(3)
    other = on_turn(network)
    leaver = next(player for player in network.players if player is not other)
    network.do(leaver.index, Peer.leave)
    network.run(seconds=1)
    network.cut(leaver.index, other.index)
    network.link(leaver.index, other.index)
    network.run(seconds=3)
    (member,) = [one for one in other.table.members if one.key == leaver.peer.key]
    assert member.left
    assert member.connected
    in_vain = leaver.peer.junk.copy()
    network.run(seconds=10)
    assert leaver.peer.junk == in_vain


def test_a_flood_of_words_about_a_table_that_was_left_mutes_nobody() -> None:
    network = playing(2)
    network.do(0, Peer.leave)
    network.run(seconds=1)
    for _ in range(300):
        network.inject(1, 0, encode(Leaves(b"t" * 32, (SignedLeave(b"leave", bytes(64)),))))
    network.now += 1
    network.inject(1, 0, encode(Presence(1, "Another", None, None)))
    assert [person.name for person in network.players[0].lobby.people] == ["Another"]


# Lies


def test_a_differing_digest_at_an_equal_head_stops_the_deal_and_names_the_step() -> None:
    network = playing(3)
    table = network.players[0].table
    assert table.table_id is not None
    assert table.head is not None
    lie = Status(table.table_id, 1, table.step, table.head, (b"x" * 32,), 0, None, 0)
    network.inject(1, 0, encode(lie))
    after = network.players[0].table
    assert after.phase is Phase.STOPPED
    assert after.trust.answer is TrustAnswer.STOPPED
    assert network.players[0].of(StoppedByDigest) == [
        StoppedByDigest(1, table.step, network.players[1].peer.key)
    ]
    assert network.players[0].of(DealEnded)[0].result.kind is ResultKind.STOPPED
    assert after.losses == (0, 0, 0)


def test_of_several_differing_digests_the_first_step_is_named() -> None:
    network = playing(3)
    table = network.players[0].table
    assert table.table_id is not None
    assert table.head is not None
    honest = network.players[0].peer._table.deals.current.digests
    digests = (*honest[1:4], b"x" * 32, *[b"y" * 32] * (table.step - 4))
    network.inject(1, 0, encode(Status(table.table_id, 1, table.step, table.head, digests, 0, None, 0)))
    assert [event.step for event in network.players[0].of(StoppedByDigest)] == [4]


def test_more_digests_than_steps_do_no_harm() -> None:
    network = playing(3)
    table = network.players[0].table
    assert table.table_id is not None
    assert table.head is not None
    honest = network.players[0].peer._table.deals.current.digests
    digests = (*[b"x" * 32] * 5, *honest[: table.step + 1])
    network.inject(1, 0, encode(Status(table.table_id, 1, table.step, table.head, digests, 0, None, 0)))
    assert network.players[0].table.phase is Phase.PLAYING


def void_everywhere(network: MemoryNetwork, seat: int, check: str, *, listeners: list[int]) -> None:
    """All of these come to the same judgement, with evidence in their stores."""

    def judged() -> bool:
        return all(network.players[index].table.phase is Phase.VOID for index in listeners)

    assert network.run(judged, seconds=20)
    for index in listeners:
        table = network.players[index].table
        assert table.result is not None
        assert (table.result.loser, table.result.check) == (seat, check)
        assert table.trust.answer is TrustAnswer.CAUGHT
        assert table.losses[seat] == 1
        (closed,) = network.players[index].disk.closed
        assert isinstance(closed.outcome, Void)
        assert [one.key for one in closed.players if one.lost] == [table.members[seat].key]
        assert not any(one.won or one.place for one in closed.players)


def test_two_stories_are_found_by_all_and_the_table_goes_on() -> None:
    network = playing(4)
    liar = on_turn(network)
    seat = liar.table.own_seat
    assert seat is not None
    lay = legal_lay(liar)
    one = liar.sign(LayBody(tuple(map(int, lay.slots)), int(lay.rank), 1))
    view = liar.table.view
    assert view is not None
    other_slot = view.hand[1][0]
    two = liar.sign(LayBody((int(other_slot),), int(lay.rank), 1))
    table_id = liar.table.table_id
    assert table_id is not None
    others = [player.index for player in network.players if player is not liar]
    network.inject(liar.index, others[0], encode(Entries(table_id, 1, (one,))))
    for index in others[1:]:
        network.inject(liar.index, index, encode(Entries(table_id, 1, (two,))))
    void_everywhere(network, seat, "fork", listeners=others)
    assert network.run(lambda: network.all_in(Phase.VOID), seconds=10)
    for index in range(4):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=30)


def test_a_breach_is_judged_by_every_peer_even_without_a_link_to_its_author() -> None:
    network = playing(4, audits=True)
    cheat = on_turn(network)
    seat = cheat.table.own_seat
    assert seat is not None
    others = [player.index for player in network.players if player is not cheat]
    for index in others[1:]:
        network.cut(cheat.index, index)
    table_id = cheat.table.table_id
    assert table_id is not None
    bad = cheat.sign(CallBody(believe=False))
    network.inject(cheat.index, others[0], encode(Entries(table_id, 1, (bad,))))
    void_everywhere(network, seat, "kind", listeners=others)
    network.run(seconds=1)
    for index in others:
        result = network.players[index].table.result
        assert result is not None
        assert result.audit == AuditView(False, result.check, result.step, seat)


def test_evidence_that_proves_nothing_changes_nothing() -> None:
    network = playing(3)
    table_id = network.players[0].table.table_id
    assert table_id is not None
    honest: list[SignedEntry] = []

    def collect(sender: Player, receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Entries):
            honest.extend(decoded.entries)
        return message

    network.on_message = collect
    network.do(on_turn(network).index, Peer.submit, legal_lay(on_turn(network)))
    network.run(seconds=1)
    network.inject(1, 0, encode(Evidence(table_id, 1, tuple(honest[:2]))))
    assert network.players[0].table.phase is Phase.PLAYING


def test_who_missed_the_evidence_is_shown_it_again() -> None:
    network = playing(3)
    liar = on_turn(network)
    seat = liar.table.own_seat
    assert seat is not None
    others = [player.index for player in network.players if player is not liar]
    table_id = liar.table.table_id
    assert table_id is not None
    network.on_message = lambda sender, receiver, message: (
        None if isinstance(decode(message), Evidence) and network.now < start + 3 else message
    )
    start = network.now
    bad = liar.sign(CallBody(believe=False))
    network.inject(liar.index, others[0], encode(Entries(table_id, 1, (bad,))))
    network.run(seconds=1)
    assert network.players[others[1]].table.phase is Phase.PLAYING
    assert network.run(lambda: network.players[others[1]].table.phase is Phase.VOID, seconds=6)


def test_one_who_only_claims_to_be_ahead_keeps_nobody_from_asking_others() -> None:
    network = playing(4)
    behind = next(player for player in network.players if player is not on_turn(network))
    liar = next(player for player in network.players if player not in (behind, on_turn(network)))
    table_id = behind.table.table_id
    assert table_id is not None
    network.cut(behind.index, on_turn(network).index)

    def boast() -> None:
        for deal in (1, 2**31 - 1):
            claim = Status(table_id, deal, 60_000, b"h" * 32, (b"d" * 32,), 1, None, 0)
            network.inject(liar.index, behind.index, encode(claim))
        network.after(0.1, boast)

    network.on_message = lambda sender, receiver, message: (
        None if sender is liar and receiver is behind else message
    )
    boast()
    network.do(on_turn(network).index, Peer.submit, legal_lay(on_turn(network)))
    step = behind.table.step
    assert network.run(lambda: behind.table.step > step, seconds=5)
