"""Open books: nothing before all wish it, everything after; a wish that is not honoured stays in sight."""

import json

import pytest
from absence_table import deal_of, playing
from deal_players import seeded_draw
from finished_table import SHORT, books, finished, open_all, wish
from memory_table import MemoryNetwork

from crypto import Identity
from p2p.protocol.audit import audit
from p2p.protocol.books import Books, OpenedKey, Wish, sign_wish
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import CommandRefused, Phase, RefusedCommand, TrustAnswer
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
    assert watching.take(full.wishes, full.keys)
    assert watching.open
    assert not watching.take(full.wishes, full.keys), "nothing of it is new"
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
