"""Whole deals among peers in one thread, from lobby to receipt, with all that can go wrong on links."""

from itertools import pairwise

import pytest
from memory_table import Chaos, MemoryNetwork, Player
from msgspec import structs

from crypto import LibraryError
from engine import Lay, Ruleset, Slot
from p2p.protocol.deal_run import REVEAL_S
from p2p.protocol.effects import Finished
from p2p.protocol.entry import Kind, SealBody, sign_entry
from p2p.protocol.messages import Entries, JunkReason, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    AuditDone,
    AuditView,
    DealEnded,
    DealStarted,
    Happened,
    PeerBack,
    PeerLost,
    ResultKind,
)
from p2p.protocol.snapshot import OwedKind, Phase, ShuffleState, TrustAnswer


def playing(players: int, seed: int, *, bots: str = "honest", **options: object) -> MemoryNetwork:
    """A formed table at which bots play."""
    network = MemoryNetwork(players, seed, **options)
    network.seat_bots(bots)
    assert network.gather(), f"no table with seed {seed}"
    return network


def finish(network: MemoryNetwork, deal: int = 1, *, seconds: float = 900) -> None:
    """Play a deal to its end, every receipt included, and compare what all peers hold."""
    over = network.run(lambda: network.all_in(Phase.OVER, deal), seconds=seconds)
    where = [(p.table.phase, p.table.step, p.table.owed) for p in network.players]
    assert over, f"seed {network.seed}: {where}"
    everybody = set(range(len(network.players)))
    receipts = network.run(lambda: all(signed(player) == everybody for player in network.players), seconds=10)
    assert receipts, f"seed {network.seed}: {[signed(player) for player in network.players]}"
    compare(network)


def signed(player: Player) -> set[int]:
    """Whose receipts this peer holds."""
    result = player.table.result
    return set() if result is None else set(map(int, result.signed))


def compare(network: MemoryNetwork) -> None:
    """All peers hold one ledger, one state, one log and one picture of what was proven."""
    tables = [player.table for player in network.players]
    first = tables[0]
    assert first.view is not None
    for table in tables:
        assert table.view is not None
        assert (table.step, table.head) == (first.step, first.head)
        assert table.view.state == first.view.state
        assert table.happened == first.happened
        assert table.losses == first.losses
        assert table.result is not None
        assert first.result is not None
        assert (table.result.kind, table.result.loser) == (first.result.kind, first.result.loser)
        assert table.trust == first.trust
    for player in network.players:
        # A message that comes twice may mean nothing the second time; nothing else is ever in vain.
        in_vain = set(player.peer.junk) - ({JunkReason.UNFIT} if network.chaos.duplicate else set())
        assert not in_vain, f"seed {network.seed}: {player.peer.junk}"
        assert all(deal > player.table.deal for _, deal in player.disk.secrets)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2), (6, 1)])
def test_a_deal_goes_from_lobby_to_receipt(players: int, seed: int) -> None:
    network = playing(players, seed)
    finish(network)
    for player in network.players:
        assert [event.deal for event in player.of(DealStarted)] == [1]
        (ended,) = player.of(DealEnded)
        assert ended.result.kind is ResultKind.FINISHED
        assert sum(player.table.losses) == 1
        assert player.table.losses[ended.result.loser] == 1
        (closed,) = player.disk.closed
        assert isinstance(closed.outcome, Finished)
        (lost,) = (one for one in closed.players if one.lost)
        (won,) = (one for one in closed.players if one.won)
        assert lost.key == player.table.members[ended.result.loser].key
        assert (lost.place, won.place) == (players, 1)
        assert won.seat == ended.result.winner
        assert [one.seat for one in closed.players if one.own] == [player.table.own_seat]
        told = {standing.seat: (standing.exposed, standing.guessed) for standing in ended.result.standings}
        assert told == {one.seat: (one.tally.lies, one.tally.right_calls) for one in closed.players}
        steps = [event.step for event in player.of(Happened)]
        assert all(one <= other for one, other in pairwise(steps))
        assert {standing.seat for standing in ended.result.standings} == set(range(players))
        assert ended.result.standings[-1].seat == ended.result.loser


def test_the_auditor_agrees_with_every_peer() -> None:
    network = playing(3, 4, audits=True)
    finish(network)
    network.run(lambda: all(player.of(AuditDone) for player in network.players), seconds=5)
    for player in network.players:
        assert player.of(AuditDone) == [AuditDone(1, AuditView(True))]
        assert player.table.result is not None
        assert player.table.result.audit == AuditView(True)


def test_the_picture_goes_through_every_phase_and_shows_the_shuffles() -> None:
    network = playing(4, 3)
    seen: list[Phase] = []
    checked: list[tuple[int, ...]] = []

    def over() -> bool:
        table = network.players[2].table
        if not seen or seen[-1] is not table.phase:
            seen.append(table.phase)
        if table.phase is Phase.SHUFFLING:
            assert table.trust.answer is TrustAnswer.NOT_YET
            assert table.view is None
            checked.append(tuple(view.checked_by for view in table.shuffles))
        return table.phase is Phase.PLAYING

    assert network.run(over, seconds=20)
    assert seen == [Phase.OPENING, Phase.SHUFFLING, Phase.SEALING, Phase.DEALING, Phase.PLAYING]
    assert all(
        one <= other for before, after in pairwise(checked) for one, other in zip(before, after, strict=True)
    )
    table = network.players[2].table
    assert [view.state for view in table.shuffles] == [ShuffleState.DONE] * 4
    assert [view.checked_by for view in table.shuffles] == [4] * 4
    assert table.trust.answer is TrustAnswer.NOBODY
    assert table.trust.shuffles_checked == 4
    assert table.view is not None
    assert [view.seat for view in table.shuffles] == list(table.view.state.order)


def test_nobody_reads_a_card_of_another_hand() -> None:
    network = playing(4, 5, bots="random")
    network.run(lambda: network.all_in(Phase.PLAYING), seconds=20)
    owners: dict[Slot, set[int]] = {}
    for _ in range(150):
        network.run(seconds=0.02)
        for player in network.players:
            view = player.table.view
            if view is None or player.table.phase is not Phase.PLAYING:
                continue
            public = {removed.slot for removed in view.state.removed}
            for seat in view.state.order:
                for slot in view.state.hand_of(seat):
                    if slot in view.faces and slot not in public:
                        owners.setdefault(slot, set()).add(player.index)
                        assert seat == view.seat
    assert owners
    assert all(len(readers) == 1 for readers in owners.values())


# Links


def test_two_members_without_a_link_play_through_the_others() -> None:
    network = MemoryNetwork(4, 7)
    network.seat_bots("honest")
    network.cut(1, 3)
    assert network.gather()
    finish(network)


def test_all_can_play_through_a_single_member() -> None:
    network = MemoryNetwork(4, 8)
    network.seat_bots("honest")
    for one, other in ((1, 2), (1, 3), (2, 3)):
        network.cut(one, other)
    assert network.gather()
    finish(network)


def test_once_formed_the_table_does_not_need_its_opener_as_a_relay() -> None:
    network = playing(4, 9)
    for other in (1, 2):
        network.cut(0, other)
    finish(network)


@pytest.mark.parametrize(
    "phase", [Phase.OPENING, Phase.SHUFFLING, Phase.SEALING, Phase.DEALING, Phase.PLAYING, Phase.OVER]
)
@pytest.mark.parametrize("who", [0, 2])
def test_a_peer_that_drops_in_any_phase_comes_back_to_its_seat(phase: Phase, who: int) -> None:
    network = playing(3, 11)
    player = network.players[who]
    network.run(lambda: player.table.phase is phase, seconds=300)
    others = network.isolate(who)
    network.run(seconds=10)
    assert len(player.of(PeerLost)) == 2
    seen = network.players[1].table.members[int(player.table.own_seat or 0)]
    assert not seen.connected
    assert seen.away_since is not None
    for other in others:
        network.link(who, other)
    assert len(player.of(PeerBack)) == 2
    finish(network)


@pytest.mark.parametrize("seed", range(3))
def test_links_that_keep_dropping_only_cost_time(seed: int) -> None:
    network = playing(3, 20 + seed)

    def drop() -> None:
        one, other = network.random.sample(range(3), 2)
        network.cut(one, other)
        network.after(network.random.uniform(0.05, 0.8), lambda: network.link(one, other))
        network.after(0.3, drop)

    network.after(0.01, drop)
    finish(network)


@pytest.mark.parametrize("seed", range(3))
def test_duplicates_and_reordering_take_no_effect_twice(seed: int) -> None:
    network = playing(3, 30 + seed, chaos=Chaos(duplicate=0.2, reorder=0.2))
    finish(network)


@pytest.mark.parametrize("seed", range(2))
def test_lost_messages_are_asked_for_again(seed: int) -> None:
    network = playing(3, 40 + seed)
    network.on_message = lambda sender, receiver, message: None if network.random.random() < 0.1 else message
    finish(network)


def test_with_all_links_in_place_hardly_anything_is_fetched() -> None:
    network = playing(4, 50)
    finish(network)
    assert network.sent["Fetch"] < network.sent["Entries"] / 20


# Deal after deal


def test_the_next_deal_begins_when_every_seat_wants_it() -> None:
    network = playing(3, 60)
    finish(network)
    first = network.players[0].table
    assert first.view is not None
    order, dealer = first.view.state.order, first.view.state.dealer
    for index in (0, 1):
        network.do(index, Peer.next_deal)
    network.run(seconds=5)
    assert network.all_in(Phase.OVER, 1)
    wanting = {network.players[index].peer.key for index in (0, 1)}
    assert all(player.table.next_ready == wanting for player in network.players)
    network.do(2, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)
    second = network.players[0].table
    assert second.view is not None
    assert second.view.state.order == order
    assert second.view.state.dealer == order[(order.index(dealer) + 1) % 3]
    finish(network, 2)
    assert sum(network.players[0].table.losses) == 2
    for player in network.players:
        assert [event.deal for event in player.of(DealStarted)] == [1, 2]
        assert {event.deal for event in player.table.happened} == {2}


def without_receipts(_sender: Player, _receiver: Player, message: bytes) -> bytes | None:
    """Loses every receipt on its way."""
    decoded = decode(message)
    if not isinstance(decoded, Entries):
        return message
    kept = tuple(one for one in decoded.entries if one.open().kind is not Kind.RECEIPT)
    return encode(Entries(decoded.table_id, decoded.deal, kept)) if kept else None


@pytest.mark.parametrize("seed", [64, 65])
def test_a_commit_waits_for_every_receipt_so_a_late_fork_of_the_last_entry_stops_no_table(seed: int) -> None:
    network = playing(3, seed)
    network.on_message = without_receipts
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    for index in range(3):
        network.do(index, Peer.next_deal)
    network.run(seconds=5)
    for player in network.players:
        assert player.table.next_ready == {player.peer.key}
        assert all(deal == 1 for _, deal, _ in player.disk.own)

    last = network.players[0].peer._table.deals.current.deal.record.accepted_at(
        network.players[0].table.step - 1
    )
    ((seat, entry),) = [(seat, signed.open()) for seat, signed in last.items()]
    liar = next(player for player in network.players if player.table.own_seat == seat)
    other = sign_entry(liar.identity, structs.replace(entry, body=SealBody()))
    message = encode(Entries(entry.table, 1, (other,)))
    network.inject(liar.index, (liar.index + 1) % 3, message)
    assert network.run(lambda: network.all_in(Phase.VOID), seconds=5)
    assert {player.table.result.loser for player in network.players} == {seat}
    assert network.players[0].table.losses.count(0) == 2
    network.on_message = None
    for index in range(3):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)


def test_receipts_that_come_behind_a_fork_bring_everybody_back_to_one_end_and_to_the_next_deal() -> None:
    network = playing(3, 65, audits=True)
    network.on_message = without_receipts
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    table = network.players[0].table
    last = network.players[0].peer._table.deals.current.deal.record.accepted_at(table.step - 1)
    ((seat, entry),) = [(seat, signed.open()) for seat, signed in last.items()]
    liar = next(player for player in network.players if player.table.own_seat == seat)
    other = sign_entry(liar.identity, structs.replace(entry, body=SealBody()))
    network.inject(liar.index, (liar.index + 1) % 3, encode(Entries(entry.table, 1, (other,))))
    assert network.run(lambda: network.all_in(Phase.VOID), seconds=5)
    network.on_message = None
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=5)
    finish(network)
    assert sum(network.players[0].table.losses) == 1
    assert network.run(lambda: all(player.table.result.audit for player in network.players), seconds=5)
    assert all(player.table.result.audit.ok for player in network.players)
    for index in range(3):
        network.do(index, Peer.next_deal)
    finish(network, 2)


def test_of_two_ends_of_a_deal_only_the_verdict_on_the_latter_counts() -> None:
    network = MemoryNetwork(2, 67, audits=True)
    network.seat_bots("honest")
    assert network.gather()
    finish(network)
    table = network.players[0].peer._table
    run = table.deals.current
    table.deals._audits.begin(run, run.deal.outcome)
    (old,) = table.deals._audits._runs
    table.deals._audits.begin(run, run.deal.outcome)
    (new,) = table.deals._audits._runs
    table.job_done(old, AuditView(False, "fork"), network.now)
    assert run.audit is None
    table.job_done(new, AuditView(True), network.now)
    assert run.audit == AuditView(True)


def test_an_audit_that_this_machine_could_not_do_is_not_passed_over_in_silence() -> None:
    network = MemoryNetwork(2, 67, audits=True)
    network.seat_bots("honest")
    assert network.gather()
    finish(network)
    table = network.players[0].peer._table
    table.deals._audits.begin(table.deals.current, table.deals.current.deal.outcome)
    (job,) = table.deals._audits._runs
    with pytest.raises(LibraryError):
        table.job_done(job, LibraryError("gone"), network.now)


def test_the_loser_deals_next_where_the_table_says_so() -> None:
    network = MemoryNetwork(2, 61)
    network.seat_bots("honest")
    assert network.gather(Ruleset.preset("pagat").with_(next_dealer="loser"))
    finish(network)
    result = network.players[0].table.result
    assert result is not None
    for index in (0, 1):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)
    view = network.players[0].table.view
    assert view is not None
    assert view.state.dealer == result.loser


def test_where_each_deal_stands_alone_no_losses_are_counted() -> None:
    network = MemoryNetwork(2, 66)
    network.seat_bots("honest")
    assert network.gather(Ruleset.preset("pagat").with_(session="none"))
    finish(network)
    table = network.players[0].table
    assert table.result is not None
    assert table.result.loser is not None
    assert table.losses == (0, 0)
    assert {standing.losses for standing in table.result.standings} == {0}


def test_the_wish_for_the_next_deal_reaches_a_member_without_a_link() -> None:
    network = MemoryNetwork(3, 62)
    network.seat_bots("honest")
    network.cut(1, 2)
    assert network.gather()
    finish(network)
    for index in (1, 2, 0):
        network.do(index, Peer.next_deal)
    finish(network, 2)


def test_a_peer_that_was_away_at_the_end_still_gets_receipts_and_the_next_deal() -> None:
    network = playing(3, 63)
    assert network.run(
        lambda: all(network.players[index].table.phase is Phase.OVER for index in (0, 2)), seconds=300
    )
    others = network.isolate(1)
    network.run(seconds=3)
    for index in (0, 2):
        network.do(index, Peer.next_deal)
    network.run(seconds=3)
    for other in others:
        network.link(1, other)
    finish(network, 1)
    network.do(1, Peer.next_deal)
    finish(network, 2)


def test_who_says_nothing_until_the_window_for_calls_closes_has_said_nothing() -> None:
    """Two bots and a person who is away: the deal goes on without his calls, and waits only for his turns."""
    network = MemoryNetwork(3, seed=2)
    network.seat_bots("random", players=(0, 1))
    assert network.gather(Ruleset.with_preset("dictionary", {"callers": "any"}))
    away = network.players[2]

    def asked() -> bool:
        owed = away.peer.table and away.table.owed_by_me
        return owed is not None and owed.kind is OwedKind.ANSWER

    if not network.run(asked, seconds=60):
        # He leads: a first lay of his.
        view = away.table.view
        assert view is not None
        slot, card = view.hand[0]
        network.do(2, Peer.submit, Lay(view.seat, (slot,), card.rank, None))
        assert network.run(asked, seconds=60)
    before, step = network.now, away.table.step
    window_s = away.table.table_rules.window_s
    assert away.table.owed_by_me.is_choice
    assert network.run(lambda: away.table.step > step, seconds=60)
    assert window_s - 1 < network.now - before < window_s + REVEAL_S + 2
    assert network.run(lambda: away.table.step > step + 1, seconds=5)


@pytest.mark.parametrize("bots", ["honest", "counting"])
@pytest.mark.parametrize(
    "options",
    [
        {"callers": "any", "check": "one_random"},
        {"deal": "hand", "out_call": "manual"},
        {"sets": "forced", "sets_at_deal": "yes", "end": "first_out", "next_dealer": "left"},
    ],
    ids=str,
)
def test_bots_play_two_deals_of_other_forms_among_peers(options: dict[str, str], bots: str) -> None:
    network = MemoryNetwork(3, seed=3)
    network.seat_bots(bots)
    assert network.gather(Ruleset.with_preset("dictionary", options))
    finish(network)
    for index in range(3):
        network.do(index, Peer.next_deal)
    finish(network, 2)
    if options.get("end") == "first_out":
        assert all(player.table.losses == (0, 0, 0) for player in network.players)
        assert all(player.table.result.loser is None for player in network.players)


def test_doubled_and_overtaking_messages_change_nothing_where_everything_is_hidden() -> None:
    options = {"callers": "any", "check": "one_random", "deal": "hand", "refill": "every_turn"}
    network = MemoryNetwork(4, seed=5, chaos=Chaos(duplicate=0.1, reorder=0.1))
    network.seat_bots("honest")
    assert network.gather(Ruleset.with_preset("dictionary", options))
    finish(network)
