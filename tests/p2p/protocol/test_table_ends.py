"""How a deal ends for a whole table when somebody lies about the end: all honest peers come to one end."""

import random
from itertools import permutations

import pytest
from memory_table import MemoryNetwork, Player

from p2p.protocol.entry import Body, CommitBody, Entry, Kind, ReceiptBody, SealBody, SignedEntry, sign_entry
from p2p.protocol.messages import Entries, Evidence, Status, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import AuditDone, ResultKind
from p2p.protocol.snapshot import Phase


def losing(message: bytes, kind: Kind, seat: int | None) -> bytes | None:
    """A message without the entries of one kind and seat; None: of any seat."""
    decoded = decode(message)
    if not isinstance(decoded, Entries | Evidence):
        return message
    opened = [(one, one.open()) for one in decoded.entries]
    kept = tuple(one for one, entry in opened if entry.kind is not kind or seat not in (None, entry.seat))
    return encode(type(decoded)(decoded.table_id, decoded.deal, kept)) if kept else None


def at_the_end(
    seed: int, *, players: int = 3, audits: bool = True, all_lost: bool = False
) -> tuple[MemoryNetwork, Player]:
    """A table whose deal is over, and the last player, whose receipt nobody has; or all receipts are lost."""
    network = MemoryNetwork(players, seed, audits=audits)
    network.seat_bots("honest")
    assert network.gather()
    liar = network.players[-1]
    seat = liar.table.own_seat
    assert seat is not None
    lost = None if all_lost else seat
    network.on_message = lambda _sender, _receiver, message: losing(message, Kind.RECEIPT, lost)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    network.run(seconds=2)
    return network, liar


def stories(liar: Player) -> dict[str, SignedEntry]:
    """What a liar may sign in the place of his receipt, the true one too."""
    table = liar.table
    assert table.table_id is not None
    assert table.own_seat is not None
    assert table.head is not None
    bodies: dict[str, tuple[Body, bytes]] = {
        "true": (ReceiptBody(), table.head),
        "kind": (SealBody(), table.head),
        "unknown head": (ReceiptBody(), bytes(32)),
        "old head": (ReceiptBody(), table.table_id),
    }
    return {
        name: sign_entry(liar.identity, Entry(table.table_id, 1, table.step, table.own_seat, head, body))
        for name, (body, head) in bodies.items()
    }


def tell(network: MemoryNetwork, liar: Player, to: int, signed: SignedEntry) -> None:
    """Deliver one entry of the liar to one peer."""
    entry = signed.open()
    network.inject(liar.index, to, encode(Entries(entry.table, entry.deal, (signed,))))


def check_one_end(network: MemoryNetwork, liar: Player) -> ResultKind:
    """All honest peers hold one end, and each shows the verdict that belongs to it."""
    honest = [player for player in network.players if player is not liar]
    ends = set()
    for player in honest:
        table = player.peer._table
        run = table.deals.current
        result = run.result(table.deals.succession.standings(run.terms))
        assert result is not None
        ends.add((run.number, result.kind, result.loser, player.table.losses))
        verdict = result.audit
        assert verdict is not None
        if result.kind is ResultKind.FINISHED:
            assert verdict.ok
        else:
            assert (verdict.ok, verdict.check, verdict.seat) == (False, result.check, result.loser)
        assert player.of(AuditDone)[-1].verdict == verdict
        kinds = {ResultKind.FINISHED: "Finished", ResultKind.VOID: "Void"}
        assert type(player.disk.closed[-1].outcome).__name__ == kinds[result.kind]
    assert len(ends) == 1, ends
    ((number, kind, loser, _losses),) = ends
    assert number == 1
    assert kind is ResultKind.FINISHED or loser == liar.table.own_seat
    return kind


@pytest.mark.parametrize("order", permutations(["true", "kind", "unknown head"]), ids="-".join)
def test_all_stories_told_to_one_in_any_order_end_as_the_true_receipt_says(order: tuple[str, ...]) -> None:
    network, liar = at_the_end(3)
    told = stories(liar)
    for name in order:
        tell(network, liar, 0, told[name])
    network.on_message = None
    network.isolate(liar.index)
    network.run(seconds=5)
    assert check_one_end(network, liar) is ResultKind.FINISHED


@pytest.mark.parametrize("name", ["kind", "unknown head", "old head"])
def test_a_false_receipt_shown_to_one_and_the_true_one_to_another_finish_the_deal_for_both(name: str) -> None:
    network, liar = at_the_end(3)
    told = stories(liar)
    tell(network, liar, 0, told[name])
    network.run(seconds=3)
    tell(network, liar, 1, told["true"])
    network.on_message = None
    network.isolate(liar.index)
    network.run(seconds=5)
    assert check_one_end(network, liar) is ResultKind.FINISHED


@pytest.mark.parametrize("seed", range(6))
def test_different_receipts_to_different_peers_at_any_time_lead_to_one_end(seed: int) -> None:
    """Some of them come after the others have wanted the next deal; the true one perhaps never."""
    chance = random.Random(seed)
    network, liar = at_the_end(seed, players=chance.choice((3, 4)))
    told = stories(liar)
    names = list(told) if seed % 3 else [name for name in told if name != "true"]
    honest = [player.index for player in network.players if player is not liar]
    for to in honest:
        for name in chance.sample(names, chance.randint(1, len(names))):
            network.after(
                chance.choice((0.01, 1, 6)) * chance.random(),
                lambda to=to, name=name: tell(network, liar, to, told[name]),
            )
    # Among the honest everything travels now; the liar is heard only in what was planned above.
    network.on_message = lambda sender, _receiver, message: None if sender is liar else message
    for to in honest:
        network.after(5 * chance.random(), lambda to=to: network.do(to, Peer.next_deal))
    network.run(seconds=20)
    check_one_end(network, liar)
    # Nobody has committed to two sets of terms, and those who have committed agree.
    terms = {player.peer._table.deals.next.deal.head for player in network.players if player.index in honest}
    assert len(terms) == 1


def test_after_a_void_end_the_next_deal_waits_until_all_others_know_of_it_and_then_begins() -> None:
    network, liar = at_the_end(5, all_lost=True)
    told = stories(liar)
    # He has signed that instead of his receipt, which nobody has then, nor he himself.
    liar.peer._table.deals.current.deal.record._accepted[-1].clear()
    others = network.isolate(0)
    tell(network, liar, 0, told["kind"])
    for index in range(3):
        network.do(index, Peer.next_deal)
    network.run(seconds=3)
    assert [player.table.phase for player in network.players] == [Phase.VOID, Phase.OVER, Phase.OVER]
    assert not any(deal == 2 for player in network.players for _, deal, _ in player.disk.own)
    for other in others:
        network.link(0, other)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)
    assert {player.table.losses[liar.table.own_seat] for player in network.players} == {1}


def test_a_wish_for_the_next_deal_survives_a_change_of_the_end() -> None:
    network, liar = at_the_end(6)
    told = stories(liar)
    for index in range(3):
        network.do(index, Peer.next_deal)
    tell(network, liar, 0, told["kind"])
    network.run(seconds=0.01)
    network.on_message = None
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)
    for player in network.players:
        assert player.peer._table.deals.before.deal.settled


# Digests


def lie_to_all(network: MemoryNetwork, liar: Player) -> None:
    """Claim another state at the true head, to everybody."""
    table = liar.table
    assert table.table_id is not None
    assert table.head is not None
    lie = encode(Status(table.table_id, table.deal, table.step, table.head, (b"\xee" * 32,), 0, None, 0))
    for player in network.players:
        if player is not liar:
            network.inject(liar.index, player.index, lie)


def test_a_loser_who_withholds_his_receipt_and_lies_about_his_state_has_lost_all_the_same() -> None:
    network, liar = at_the_end(7)
    results = [player.table.losses for player in network.players]
    lie_to_all(network, liar)
    network.run(seconds=3)
    assert [player.table.losses for player in network.players] == results
    assert network.all_in(Phase.OVER)
    network.on_message = None
    for index in range(3):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)


def test_a_digest_takes_no_void_deal_back() -> None:
    network, liar = at_the_end(7)
    for index in (0, 1):
        tell(network, liar, index, stories(liar)["kind"])
    lie_to_all(network, liar)
    network.run(seconds=2)
    assert check_one_end(network, liar) is ResultKind.VOID


def test_a_stop_in_mid_deal_says_whose_program_differs_blames_nobody_and_the_next_deal_can_begin() -> None:
    network = MemoryNetwork(3, 8)
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    liar = network.players[2]
    lie_to_all(network, liar)
    for player in network.players[:2]:
        result = player.table.result
        assert result is not None
        assert (result.kind, result.loser, result.step) == (ResultKind.STOPPED, None, player.table.step)
        assert result.differs_from == liar.table.own_seat
        assert player.table.losses == (0, 0, 0)
    lie = network.players[0]
    lie_to = encode(
        Status(lie.table.table_id, 1, lie.table.step, lie.table.head, (b"\xdd" * 32,), 0, None, 0)
    )
    network.inject(0, 2, lie_to)
    for index in range(3):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)


def test_who_was_stopped_and_who_found_a_breach_go_on_to_the_same_next_deal() -> None:
    network = MemoryNetwork(3, 8)
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    liar = network.players[2]
    table = network.players[0].table
    lie = Status(table.table_id, 1, table.step, table.head, (b"\xee" * 32,), 0, None, 0)
    network.inject(2, 0, encode(lie))
    tell(network, liar, 1, liar.sign(CommitBody(bytes(32))))
    assert network.run(lambda: liar.table.phase is Phase.VOID, seconds=5)
    assert [player.table.phase for player in network.players] == [Phase.STOPPED, Phase.VOID, Phase.VOID]
    for index in range(3):
        network.do(index, Peer.next_deal)
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=20)
