"""Who can read what: exactly those whom the rules entitle, and only after the seals."""

import pickle

from deal_players import Table, table_of

from engine import Seat
from p2p.protocol.effects import Effect, Run
from p2p.protocol.entry import Kind
from p2p.protocol.ledger import Phase


def check_hands(table: Table) -> None:
    """At this moment every card in a hand lacks its owner's share, and burned cards lack every share."""
    for deal in table.deals:
        state = deal.public_state
        if state.game is None:
            continue
        seats = frozenset(state.seats)
        cards = state.cards.cards
        for seat in state.game.order:
            for slot in state.game.hand_of(seat):
                if not state.game.over and cards[slot].face is None:
                    assert seat not in cards[slot].shares
                    assert {reading.seat for reading in cards[slot].readings} <= {seat}
        for slot in state.game.burned:
            assert not cards[slot].shares
        for card in cards.values():
            for reading in card.readings:
                assert reading.since > card.made_at
            assert len(seats - card.shares.keys()) != 0 or card.face is not None


def test_at_every_moment_a_hand_is_read_by_its_owner_alone_and_a_burned_card_by_nobody() -> None:
    table = table_of(4, seed=3, watchers=1)
    table.start()
    check_hands(table)
    for _ in range(400):
        table.deliver()
        check_hands(table)
        if not table.move():
            break
    assert table.deals[0].outcome is not None


def test_a_watcher_has_read_only_what_was_opened_to_all() -> None:
    table = table_of(3, seed=3, watchers=1)
    table.start()
    watcher = table.deals[3]
    assert watcher.view.faces == {}
    table.play()
    opened = {slot for slot, card in watcher.public_state.cards.cards.items() if card.face is not None}
    assert set(watcher.view.faces) == opened
    assert watcher.view.hand == ()


def test_each_owner_has_read_his_hand_and_all_hands_are_different_cards() -> None:
    table = table_of(4, seed=3)
    table.start()
    hands = [deal.view.hand for deal in table.deals]
    cards = [card for hand in hands for _, card in hand]
    assert len(cards) == len(set(cards)) == 51
    for seat, deal in enumerate(table.deals):
        assert {slot for slot, _ in hands[seat]} == set(deal.state.hand_of(Seat(seat)))
        assert set(deal.view.faces) == set(deal.state.hand_of(Seat(seat)))


def test_no_share_flows_before_the_seal_that_entitles_it() -> None:
    table = table_of(3, seed=5)
    table.start()
    table.play()
    record = table.deals[0].record
    for signed in record.all_entries():
        entry = signed.open()
        state = record.state_at(entry.step)
        if entry.kind in {Kind.SHARES, Kind.REVEAL}:
            assert state.last_seal > state.entitled_at
            assert record.state_at(state.last_seal).phase in {
                Phase.SEAL_DECK,
                Phase.SEAL_CALL,
                Phase.SEAL_PICK_UP,
            }


def test_a_picked_up_hand_gets_new_slots_and_cards_that_share_no_bytes_with_the_old_ones() -> None:
    table = table_of(3, seed=5)
    table.start()
    table.play()
    record = table.deals[0].record
    cards = table.deals[0].public_state.cards.cards
    picked = [s.open() for s in record.all_entries() if s.open().kind is Kind.PICK_UP]
    assert picked
    encodings = [card.ciphertext.encode() for card in cards.values()]
    assert len(set(encodings)) == len(encodings)
    for entry in picked:
        before, after = record.state_at(entry.step), record.state_at(entry.step + 1)
        old = before.owed_by(Seat(entry.seat)).slots
        new = after.game.hand_of(Seat(entry.seat))
        assert len(old) == len(new)
        assert not set(old) & set(new)


def test_jobs_are_picklable_and_show_no_secret() -> None:
    seen = set()

    def watch(_index: int, effect: Effect) -> None:
        if isinstance(effect, Run):
            seen.add(effect.job.function.__name__)
            again = pickle.loads(pickle.dumps(effect.job))
            assert again.id == effect.job.id
            assert "args" not in repr(effect)

    table = table_of(2, seed=1, watch=watch)
    table.start()
    table.play()
    assert seen >= {"prove_key", "verify_key", "verify_shuffle", "prove_shares", "verify_shares"}
