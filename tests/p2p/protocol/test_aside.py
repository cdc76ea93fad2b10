"""A deal that only some of a table's members play: the others verify it, and the table goes on."""

from memory_table import MemoryNetwork, Player

from engine import Call, Refusal, Seat
from p2p.protocol.audit import audit
from p2p.protocol.deal_terms import decode_terms
from p2p.protocol.effects import Finished, Stopped
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import CommandRefused, Happened, MoveRefused, RefusedCommand
from p2p.protocol.snapshot import Phase


def after_one_deal(players: int, seed: int) -> tuple[MemoryNetwork, list[Player]]:
    """A table whose first deal is over and signed by all; its players by table seat."""
    network = MemoryNetwork(players, seed)
    network.seat_bots("honest")
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    signed = network.run(
        lambda: all(len(p.table.result.signed) == players for p in network.players), seconds=10
    )
    assert signed
    keys = [member.key for member in network.players[0].table.members]
    return network, sorted(network.players, key=lambda player: keys.index(player.peer.key))


def without(players: int, seed: int, *gone: int) -> tuple[MemoryNetwork, list[Player]]:
    """The same, and the `gone` table seats do not play the next deal."""
    network, seated = after_one_deal(players, seed)
    for player in seated:
        table = player.peer._table
        table.deals.succession.leave_out(0, frozenset(gone))
        run = table.deals.current
        terms = table.deals.succession.terms_after(run.terms, run.deal.outcome, run.deal.state)
        table.deals._prepare_next(terms, 0.0)
    return network, seated


def go_on(network: MemoryNetwork) -> None:
    """Everybody asks for the next deal."""
    for player in network.players:
        network.do(player.index, Peer.next_deal)


def test_a_member_aside_sees_the_whole_deal_and_the_players_need_nothing_of_him() -> None:
    network, seated = without(4, 3, 0, 2)
    playing, aside = seated[1::2], seated[0::2]
    go_on(network)
    for player in aside:
        assert player.of(CommandRefused)[-1].reason is RefusedCommand.NOT_NOW
    assert network.run(lambda: network.all_in(Phase.PLAYING, 2), seconds=30)
    for player in aside:
        table = player.table
        assert (table.own_seat, table.owed_by_me, table.seats) == (None, None, 2)
        assert [member.key for member in table.members] == [one.peer.key for one in playing]
        assert [member.key for member in table.aside] == [one.peer.key for one in aside]
        assert [member.seat for member in table.everybody] == [Seat(0), Seat(1), None, None]
        assert table.own_member is not None
        assert table.own_member.key == player.peer.key
        assert table.view is not None
        assert (table.view.seat, dict(table.view.faces)) == (None, {})
        network.do(player.index, Peer.submit, Call(Seat(0), believe=False))
        assert player.of(MoveRefused)[-1].reason is Refusal.NOT_NOW
    assert network.run(lambda: network.all_in(Phase.OVER, 2), seconds=900)
    assert network.run(lambda: all(len(p.table.result.signed) == 2 for p in seated), seconds=10)
    tables = [player.table for player in seated]
    assert len({table.head for table in tables}) == 1
    assert len({(table.result.loser, table.result.winner) for table in tables}) == 1
    logs = [tuple(one.event for one in player.of(Happened) if one.deal == 2) for player in seated]
    assert len(set(logs)) == 1
    transcripts = {player.peer.transcript() for player in seated}
    assert len(transcripts) == 1
    core = seated[0].peer._core
    report = audit(transcripts.pop() or b"", core.draw, core.group)
    assert (report.ok, report.names) == (True, tuple(member.name for member in tables[0].members))


def test_losses_are_counted_by_table_seat_and_shown_by_seat_of_the_deal() -> None:
    network, seated = without(3, 5, 1)
    lost = dict(zip([player.peer.key for player in seated], seated[0].table.losses, strict=True))
    assert sum(lost.values()) == 1
    go_on(network)
    assert network.run(lambda: network.all_in(Phase.OVER, 2), seconds=900)
    keys = [seated[0].peer.key, seated[2].peer.key]
    for player in seated:
        table = player.table
        assert table.result is not None
        loser = keys[table.result.loser]
        assert [member.key for member in table.members] == keys
        assert table.losses == tuple(lost[key] + (key == loser) for key in keys)
        assert {one.seat: one.losses for one in table.result.standings} == dict(enumerate(table.losses))
        assert [one.key for one in player.disk.closed[-1].players if one.lost] == [loser]


def test_a_member_aside_without_a_link_to_some_players_gets_the_deal_from_another() -> None:
    network, seated = without(4, 8, 3)
    for player in seated[:2]:
        network.cut(player.index, seated[3].index)
    go_on(network)
    assert network.run(lambda: network.all_in(Phase.OVER, 2), seconds=900)


def test_the_journal_of_a_member_aside_holds_terms_and_entries_and_no_secrets() -> None:
    network, seated = without(3, 6, 0)
    go_on(network)
    assert network.run(lambda: network.all_in(Phase.OVER, 2), seconds=900)
    network.run(seconds=5)
    for seat, player in enumerate(seated):
        kept = [keep for keep in player.disk.keeps if keep.store.deal == 2]
        (terms,) = {keep.terms for keep in kept}
        assert decode_terms(terms).players == (1, 2)
        decode_terms(terms).verify()
        assert any(keep.store.secrets for keep in kept) == (seat != 0)
        assert isinstance(player.disk.closed[-1].outcome, Finished)
    entries = [
        {one.entry for one in player.peer._table.deals.current.deal.record.all_entries()} for player in seated
    ]
    assert entries[0] == entries[1]
    assert entries[0] <= seated[0].disk.entries


def test_the_seating_stays_and_the_deal_goes_to_the_next_who_plays() -> None:
    _, seated = after_one_deal(4, 4)
    table = seated[0].peer._table
    terms, deal, succession = table.deals.current.terms, table.deals.current.deal, table.deals.succession
    order = deal.state.order
    usual = succession.terms_after(terms, deal.outcome, deal.state)
    assert (usual.players, usual.setup.order) == ((0, 1, 2, 3), order)
    dealer = usual.setup.dealer
    succession.leave_out(0, frozenset({dealer}))
    left = succession.terms_after(terms, deal.outcome, deal.state)
    assert left.players == tuple(seat for seat in range(4) if seat != dealer)
    assert [left.players[seat] for seat in left.setup.order] == [seat for seat in order if seat != dealer]
    assert left.players[left.setup.dealer] == order[(order.index(dealer) + 1) % 4]
    left.verify()
    # When he is back they sit as before.
    succession.leave_out(0, frozenset())
    assert succession.terms_after(terms, deal.outcome, deal.state) == usual
    succession.leave_out(0, frozenset({0, 1, 2}))
    assert succession.terms_after(terms, deal.outcome, deal.state) is None


def test_after_a_deal_that_broke_off_fewer_players_sit_as_before_or_draw_for_it() -> None:
    _, seated = after_one_deal(3, 7)
    table = seated[0].peer._table
    first, deal, succession = table.deals.current.terms, table.deals.current.deal, table.deals.succession
    second = succession.terms_after(first, deal.outcome, deal.state)
    succession.leave_out(0, frozenset({1}))
    succession.take(second, Stopped(5), None)
    after = succession.terms_after(second, Stopped(5), None)
    assert (after.players, after.origin.value) == ((0, 2), "void")
    assert [after.players[seat] for seat in after.setup.order] == [
        one for one in deal.state.order if one != 1
    ]
    # In the first deal nobody knew yet how they sit; what they drew in it counts only once it is finished.
    succession.take(first, Stopped(5), deal.state)
    again = succession.terms_after(first, Stopped(5), deal.state)
    assert (again.players, again.setup) == ((0, 2), None)
    again.verify()
