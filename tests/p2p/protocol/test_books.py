"""Open books: nothing before all wish it, everything after; a wish that is not honoured stays in sight."""

import json

import pytest
from absence_table import deal_of, playing
from deal_players import seeded_draw
from finished_table import SHORT, books, finished, open_all, wish
from memory_table import MemoryNetwork, Player

from crypto import Identity
from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.ballot import AbsentAnswer, Ballot, Poll, sign_ballot
from p2p.protocol.books import Books, OpenedKey, SignedWish, Wish, sign_wish
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.effects import Finished
from p2p.protocol.entry import Kind
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.messages import Ballots, Entries, decode, encode
from p2p.protocol.messages import Books as BooksMessage
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import CommandRefused, Phase, RefusedCommand, TrustAnswer
from p2p.protocol.table_rules import TableRules
from p2p.protocol.transcript import write_transcript


def refused(network: MemoryNetwork, index: int) -> list[RefusedCommand]:
    return [event.reason for event in network.players[index].of(CommandRefused)]


def test_once_all_have_wished_everybody_reads_every_card_that_its_owner_had_read() -> None:
    network = finished(3)
    for index in range(3):
        assert not any(books(network, one).opened for one in range(3)), "nobody opens before all agree"
        wish(network, index)
        assert network.run(
            lambda at=index: all(len(books(network, one).wished) == at + 1 for one in range(3))
        )
    assert network.run(lambda: all(books(network, one).open for one in range(3)))
    assert all(player.table.trust.answer is TrustAnswer.OPENED for player in network.players)
    for reader in range(3):
        faces = books(network, reader).faces(deal_of(network.players[reader]).public_state.cards)
        for owner in network.players:
            known = deal_of(owner)._faces
            assert known
            assert {slot: faces[slot] for slot in known} == known


def test_at_every_moment_the_open_books_show_the_whole_pack_each_card_once() -> None:
    network = finished(3)
    open_all(network)
    deal = deal_of(network.players[0])
    faces = books(network, 0).faces(deal.public_state.cards)
    pack = sorted(map(str, SHORT.resolve(3).deck))
    games = [state.game for step in range(deal.step + 1) if (state := deal.record.state_at(step)) is not None]
    lying = [game for game in games if game is not None]
    assert len(lying) > 10
    for game in lying:
        slots = [slot for hand in game.hands for slot in hand] + [*game.pile, *game.burned, *game.stock]
        gone = [str(removed.face) for removed in game.removed]
        assert sorted([str(faces[slot]) for slot in slots] + gone) == pack


def test_who_was_away_when_it_was_wished_hears_of_it_afterwards() -> None:
    network = finished(3)
    cut = network.isolate(2)
    wish(network, 0)
    wish(network, 1)
    network.run(seconds=10)
    assert not books(network, 2).wished
    for other in cut:
        network.link(2, other)
    assert network.run(lambda: books(network, 2).wished == {0, 1}, seconds=30)
    wish(network, 2)
    assert network.run(lambda: all(books(network, one).open for one in range(3)), seconds=30)


def test_the_books_of_a_deal_that_is_not_over_stay_closed() -> None:
    network = playing(3)
    wish(network, 0)
    assert refused(network, 0) == [RefusedCommand.NOT_NOW]
    assert deal_of(network.players[0]).books is None


def test_nobody_wishes_twice() -> None:
    network = finished(2)
    wish(network, 0)
    wish(network, 0)
    assert refused(network, 0) == [RefusedCommand.NOT_NOW]


def test_the_key_goes_with_the_program_that_is_started_again() -> None:
    network = finished(3)
    network.kill(1)
    network.restart(1)
    assert network.run(lambda: network.players[1].table.phase is Phase.OVER, seconds=60)
    wish(network, 1)
    assert network.run(lambda: bool(refused(network, 1)))
    assert refused(network, 1) == [RefusedCommand.KEY_ERASED]


def test_two_deals_later_the_key_is_erased_from_memory_too() -> None:
    network = finished(2)
    found = [books(network, index) for index in range(2)]
    for deal in (2, 3):
        assert all(one._secret is not None for one in found)
        for index in range(2):
            network.do(index, Peer.next_deal)
        assert network.run(lambda deal=deal: network.all_in(Phase.PLAYING, deal), seconds=60)
        assert network.run(lambda deal=deal: network.all_in(Phase.OVER, deal), seconds=120)
        assert network.run(lambda: all(deal_of(one).books is not None for one in network.players))
    assert all(one._secret is None for one in found)


def test_a_transcript_tells_who_wished_and_opened_and_the_auditor_agrees() -> None:
    network = finished(3)
    open_all(network)
    data = write_transcript(deal_of(network.players[0]))
    report = audit(data, seeded_draw("audit"), network._group)
    assert report.ok
    assert report.wished == report.opened == {0, 1, 2}
    fields = [json.loads(line) for line in data.splitlines()]
    assert [line["seat"] for line in fields if "wish" in line] == [0, 1, 2]
    assert [line["seat"] for line in fields if "secret" in line] == [0, 1, 2]


def opened(players: int = 2) -> tuple[Books, MemoryNetwork]:
    """Books that all have opened, and the network they come from."""
    network = finished(players)
    open_all(network)
    return books(network, 0), network


def fresh(of: Books) -> Books:
    """What a watcher of the same deal knows."""
    return Books(of._frame, of._publics, of._head)


def test_a_key_is_taken_only_once_all_have_agreed_and_only_if_it_is_the_seats_own() -> None:
    full, _ = opened()
    watching = fresh(full)
    with pytest.raises(MalformedMessage, match="not agreed"):
        watching.take(full.wishes[:1], full.keys)
    first, second = full.keys
    for wrong, check in (
        (OpenedKey(0, second.secret), "another key"),
        (OpenedKey(5, first.secret), "another key"),
        (OpenedKey(0, b"\xff" * 32), "encoding"),
        (OpenedKey(0, bytes(len(first.secret))), "another key"),
    ):
        with pytest.raises(MalformedMessage, match=check):
            watching.take(full.wishes, (wrong,))
    assert not watching.opened
    watching.take(full.wishes, full.keys)
    assert watching.open
    with pytest.raises(ValueError, match="closed"):
        fresh(full).faces(CardTable())


def test_a_wish_of_another_deal_table_head_or_hand_is_none() -> None:
    full, network = opened()
    own = network.players[0].identity
    true = full.wishes[0].open()
    watching = fresh(full)
    stranger = Identity.generate(seeded_draw("stranger"))
    for wish_, signer, check in (
        (changed(true, deal=true.deal + 1), own, "another deal"),
        (changed(true, table=bytes(32)), own, "another deal"),
        (changed(true, head=bytes(32)), own, "another head"),
        (changed(true, seat=7), own, "no such seat"),
        (changed(true, seat=1 - true.seat), own, "signature"),
        (true, stranger, "signature"),
    ):
        with pytest.raises(MalformedMessage, match=check):
            watching.take((sign_wish(signer, wish_),), ())
    assert not watching.wished


def changed(wish: Wish, **changes: object) -> Wish:
    fields = {name: getattr(wish, name) for name in wish.__struct_fields__}
    return Wish(**{**fields, **changes})  # type: ignore[arg-type]


def test_no_secret_is_in_the_picture_of_books_that_are_closed() -> None:
    network = finished(2)
    secret = books(network, 0)._secret
    assert secret is not None
    assert str(secret) not in repr(books(network, 0))
    assert str(secret) not in repr(network.players[0].table)


def signed_wish(network: MemoryNetwork, index: int) -> SignedWish:
    """A wish that its player has signed and told nobody of."""
    true = books(network, index)
    assert true._own is not None
    return sign_wish(true._own.identity, Wish(true._frame.table_id, 1, true._head, true._own.seat))


def tell(network: MemoryNetwork, wishes: tuple[SignedWish, ...], keys: tuple[OpenedKey, ...] = ()) -> None:
    """Player 1 tells all others this of the first deal."""
    table = network.players[1].peer._table
    assert table is not None
    for other in (0, 2):
        network.inject(1, other, encode(BooksMessage(table.table_id, 1, wishes, keys)))


def report_of(network: MemoryNetwork, index: int = 0) -> AuditReport:
    """What an auditor finds in a player's transcript of the first deal."""
    table = network.players[index].peer._table
    assert table is not None
    deal = next(run for run in table.deals.runs if run.number == 1).deal
    return audit(write_transcript(deal), seeded_draw("audit"), network._group)


def test_a_message_with_rubbish_in_it_is_not_taken_at_all() -> None:
    network = finished(3)
    books(network, 1)._secret = None
    wish(network, 0)
    wish(network, 2)
    network.run(seconds=5)
    own = books(network, 1)._own
    assert own is not None
    rubbish = sign_wish(own.identity, Wish(bytes(32), 1, bytes(32), own.seat))
    tell(network, (signed_wish(network, 1), rubbish))
    assert not any(books(network, one).agreed for one in (0, 2))
    tell(network, (signed_wish(network, 1),))
    assert network.run(lambda: all(len(books(network, one).opened) == 2 for one in (0, 2)), seconds=10)


def test_a_wish_that_comes_when_keys_are_erased_is_not_taken() -> None:
    network = finished(3)
    old = [books(network, index) for index in range(3)]
    late, secret, own = signed_wish(network, 1), old[1]._secret, old[1]._own
    assert secret is not None
    assert own is not None
    wish(network, 0)
    wish(network, 2)
    for deal in (2, 3):
        for index in range(3):
            network.do(index, Peer.next_deal)
        assert network.run(lambda deal=deal: network.all_in(Phase.PLAYING, deal), seconds=60)
        if deal == 2:
            assert network.run(lambda: network.all_in(Phase.OVER, 2), seconds=120)
            assert network.run(lambda: all(deal_of(one).books is not None for one in network.players))
    key = OpenedKey(own.seat, old[1]._frame.group.encode_scalar(secret))
    tell(network, (*old[0].wishes, late), (key,))
    network.run(seconds=5)
    report = report_of(network)
    assert report.ok
    assert own.seat not in report.wished
    assert not report.opened


def given_up() -> MemoryNetwork:
    """A finished deal of three whose others have given up the receipt of player 1, who is cut off."""
    network = MemoryNetwork(3, 1)
    network.seat_bots("random")
    assert network.gather(ruleset=SHORT, table_rules=TableRules(grace_s=20, absence="forfeit"))
    cut_off = network.players[1]

    def lose(_sender: Player, _receiver: Player, message: bytes) -> bytes | None:
        found, own = decode(message), deal_of(cut_off)._own
        assert own is not None
        opened = [one.open() for one in found.entries] if isinstance(found, Entries) else []
        return None if any((one.kind, one.seat) == (Kind.RECEIPT, own.seat) for one in opened) else message

    network.on_message = lose
    assert network.run(lambda: all(deal_of(one).outcome is not None for one in network.players), seconds=60)
    network.run(seconds=1)
    network.isolate(1)
    assert network.run(lambda: all(deal_of(network.players[one]).settled for one in (0, 2)), seconds=60)
    return network


def test_where_a_receipt_was_given_up_there_are_no_books_and_no_wish_spoils_a_transcript() -> None:
    network = given_up()
    assert deal_of(network.players[0]).books is None
    wish(network, 0)
    assert refused(network, 0) == [RefusedCommand.NOT_NOW]
    wish(network, 1)
    for other in (0, 2):
        network.link(1, other)
    network.run(seconds=30)
    assert [report_of(network, index).check for index in range(3)] == [None, None, None]


def test_open_books_stay_open_whatever_two_liars_vote_afterwards() -> None:
    network = finished(3)
    open_all(network)
    deal = deal_of(network.players[0])
    assert deal._own is not None
    assert isinstance(deal.outcome, Finished)
    liars = [network.players[one] for one in (1, 2)]
    seats = [own.seat for one in liars if (own := deal_of(one)._own) is not None]
    poll = Poll(1, seats[0], (int(deal._own.seat),), (), ())
    head = deal.outcome.final_head
    ballots = tuple(
        sign_ballot(one.identity, Ballot(deal.table_id, 1, deal.step, head, seat, poll, AbsentAnswer()))
        for one, seat in zip(liars, seats, strict=True)
    )
    network.inject(1, 0, encode(Ballots(deal.table_id, 1, ballots)))
    network.isolate(0)
    network.run(seconds=1)
    assert deal.books is not None
    assert deal.books.open


def test_who_has_lost_his_journal_takes_no_made_up_key_for_his_own() -> None:
    network = finished(3)
    lost = network.players[1]
    network.kill(1)
    lost.disk = type(lost.disk)()
    network.restart(1, resume=False)
    assert network.run(lambda: lost.peer._table is not None and deal_of(lost).books is not None, seconds=60)
    for index in range(3):
        wish(network, index)
    network.run(seconds=5)
    assert refused(network, 1) == [RefusedCommand.KEY_ERASED]
    assert not books(network, 1).opened


def test_keys_reach_who_lost_his_links_while_they_were_on_their_way_and_the_next_deal_began() -> None:
    network = finished(3)
    for index in (0, 1):
        wish(network, index)
        network.do(index, Peer.next_deal)
    network.run(seconds=3)
    network.on_message = lambda sender, _to, message: (
        None if sender.index == 1 and isinstance(decode(message), BooksMessage) else message
    )
    wish(network, 2)
    network.do(2, Peer.next_deal)
    begun = (Phase.OPENING, Phase.SHUFFLING)
    assert network.run(lambda: any(network.all_in(phase, 2) for phase in begun), seconds=9)
    others = network.isolate(1)
    network.on_message = None
    for other in others:
        network.link(1, other)
    network.run(seconds=30)
    assert [report_of(network, index).opened for index in range(3)] == [{0, 1, 2}] * 3
