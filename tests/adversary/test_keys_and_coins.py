"""Attacks on key shares and on the coins that draw seating and dealer."""

from collections.abc import Callable

from deal_players import Table, seeded_draw, table_of

from crypto import COIN_BYTES, commit, index_from, joint_draw, permutation_from, prove_key
from p2p.protocol.deal_own import DealSecrets
from p2p.protocol.deal_steps import DEALER_LABEL, SEATING_LABEL
from p2p.protocol.entry import CommitBody, Kind, OpenBody
from p2p.protocol.judge import COMMITMENT_LABEL

LIAR = 2

Verdict = Callable[[Table, int], str]


def secrets_of(table: Table, seat: int) -> DealSecrets:
    """A seat's secrets, as an accomplice would hand them over."""
    secrets = table.deals[seat]._secrets
    assert secrets is not None
    return secrets


def stopped_before_opening() -> Table:
    """A table where all but the liar have opened; what the liar's own program opened did not leave it."""
    table = table_of(3, seed=1, drop=lambda _to, s: s.open().seat == LIAR and s.open().kind is Kind.OPEN)
    table.silent.add(LIAR)
    table.start()
    table.drop = lambda _to, _signed: False
    assert [owed.seat for owed in table.deals[0].owed] == [LIAR]
    return table


def test_a_key_and_proof_handed_over_by_an_accomplice_are_worth_nothing_in_another_seat(
    verdict: Verdict,
) -> None:
    """The liar knows his accomplice's key and proof beforehand, so that he can commit to them. With one key
    in two seats one of them would need no secret of its own; but the proof names its seat.
    """
    table = table_of(3, seed=1, drop=lambda _to, signed: signed.open().seat == LIAR)
    table.silent.add(LIAR)
    accomplice = 1
    copied = secrets_of(table, accomplice).key.public.encode()
    coin, blinding = bytes(range(32)), bytes(range(32, 64))
    context = table.deals[0].public_state.context(LIAR)
    table.start()
    table.drop = lambda _to, _signed: False
    commitment = commit(COMMITMENT_LABEL, context, copied + coin, blinding)
    table.tell(LIAR, table.deals[0].public_state, [CommitBody(commitment)])
    table.deliver()
    opened = [store.own.open().body for store in table.stores[accomplice] if store.own is not None]
    proof = next(body.proof for body in opened if isinstance(body, OpenBody))
    table.tell(LIAR, table.deals[0].public_state, [OpenBody(copied, proof, coin, blinding)])
    table.play()
    assert verdict(table, LIAR).startswith("key.")


def test_a_coin_chosen_after_seeing_the_others_is_named(verdict: Verdict) -> None:
    """The last one to open grinds for a coin that makes him deal, and opens that one."""
    table = stopped_before_opening()
    own = secrets_of(table, LIAR)
    others = [secrets_of(table, seat).coin for seat in (0, 1)]
    draw = seeded_draw("grinding")
    while True:
        coin = draw(COIN_BYTES)
        seed = joint_draw([*others, coin])
        if permutation_from(seed, 3, SEATING_LABEL)[index_from(seed, 3, DEALER_LABEL)] == LIAR:
            break
    state = table.deals[0].public_state
    proof = prove_key(table.group, own.key.secret, state.context(LIAR), draw)
    table.tell(LIAR, state, [OpenBody(own.key.public.encode(), proof, coin, own.blinding)])
    table.play()
    assert verdict(table, LIAR) == "commitment"


def test_a_key_chosen_to_cancel_the_others_is_named(verdict: Verdict) -> None:
    """The last one to open knows the others' keys by now, but has committed to his own before."""
    table = stopped_before_opening()
    own = secrets_of(table, LIAR)
    group = table.group
    wanted = group.base_multiply(5)
    rogue = wanted - secrets_of(table, 0).key.public - secrets_of(table, 1).key.public
    state = table.deals[0].public_state
    proof = prove_key(group, own.key.secret, state.context(LIAR), seeded_draw("rogue"))
    table.tell(LIAR, state, [OpenBody(rogue.encode(), proof, own.coin, own.blinding)])
    table.play()
    assert verdict(table, LIAR) == "commitment"


def test_the_last_to_open_can_only_refuse_and_then_owes_alone() -> None:
    """What he learns before the others is the seating; he may stop the deal, and it shows who does."""
    table = stopped_before_opening()
    table.play()
    for deal in table.honest:
        assert deal.outcome is None
        assert [(owed.seat, owed.kinds) for owed in deal.owed] == [(LIAR, (Kind.OPEN,))]
