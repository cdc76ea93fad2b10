"""A seat that stops and starts again says what it said before, or nothing."""

import pytest
from deal_players import journal_of, restart, seeded_draw, table_of

from engine import Seat
from p2p.protocol.deal import Deal
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.effects import Finished, Publish
from p2p.protocol.entry import SignedEntry


@pytest.mark.parametrize("seed", range(3))
def test_a_seat_restarted_again_and_again_plays_on_without_a_fork(seed: int) -> None:
    table = table_of(3, seed=seed)
    table.start()
    for turn in range(60):
        table.play(until=lambda table, wanted=table.deals[0].step + 5: table.deals[0].step >= wanted)
        if table.deals[0].outcome is not None:
            break
        restart(table, table.rng.randrange(3), (seed, turn))
    table.play()
    assert {type(deal.outcome) for deal in table.deals} == {Finished}
    assert all(len(seen) == 1 for seen in table.digests.values())


@pytest.mark.parametrize("step", range(8))
def test_after_a_crash_the_stored_entry_is_sent_again_and_no_other(step: int) -> None:
    """The process dies between storing its entry and sending it, at each early step."""
    table = table_of(
        2, seed=step, drop=lambda _to, signed: signed.open().seat == 0 and signed.open().step >= step
    )
    table.start()
    table.play(until=lambda table: table.deals[0].owed == ())
    stored = [store.own for store in table.stores[0] if store.own is not None][-1]
    secrets, journal = journal_of(table, 0)
    again = Deal(
        table.terms, OwnSeat(Seat(0), table.identities[0]), seeded_draw("new"), table.group, secrets, journal
    )
    table.deals[0] = again
    said: list[SignedEntry] = []
    table.drop = lambda _to, _signed: False
    original = table.publish

    def publish(index: int, signed: SignedEntry) -> None:
        if index == 0:
            said.append(signed)
        original(index, signed)

    table.publish = publish
    table.take(0, again.start())
    if said:
        assert said[0] == stored
    table.play()
    assert {type(deal.outcome) for deal in table.deals} == {Finished}


def test_a_seat_without_its_journal_never_signs_once_its_key_has_spoken() -> None:
    table = table_of(2, seed=1)
    table.start()
    fresh = Deal(table.terms, OwnSeat(Seat(0), table.identities[0]), seeded_draw("lost"), table.group)
    table.deals[0] = fresh
    for signed in table.deals[1].entries_from(0):
        table.take(0, fresh.receive(signed))
    effects = fresh.start()
    assert not any(isinstance(effect, Publish) for effect in effects)
    assert fresh.step == table.deals[1].step


def test_secrets_are_stored_once_and_dropped_at_the_end() -> None:
    table = table_of(2, seed=1)
    table.start()
    for deal in table.deals:
        held = deal._secrets
        assert held is not None
        shown = repr(vars(deal)) + repr(held) + repr(held.key) + repr(deal.view)
        for secret in (repr(int(held.key.secret)), repr(held.blinding), held.blinding.hex()):
            assert secret not in shown
    table.play()
    for seat in range(2):
        assert sum(store.secrets is not None for store in table.stores[seat]) == 1
        assert table.deals[seat]._secrets is None
        secrets = journal_of(table, seat)[0]
        assert secrets is not None
        assert secrets.hex() not in repr(table.stores[seat]) + repr(vars(table.deals[seat]))
        assert repr(secrets) not in repr(table.stores[seat])
