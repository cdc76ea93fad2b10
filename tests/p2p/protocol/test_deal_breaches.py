"""Signed entries that break a proof, a rule or the opening rule: the deal is void, the check and its author
are named.
"""

import random
from dataclasses import replace

import pytest
from deal_cheats import LIAR, caught, found_by_all, other_byte, shares_of
from deal_players import Cheat, Table, identity_of, seeded_draw, table_of

from crypto import Draw, InvalidProof, KeyPair, shuffle
from crypto.elgamal import encode_deck
from p2p.protocol.audit import verify_evidence
from p2p.protocol.effects import Finished
from p2p.protocol.entry import (
    Body,
    CallBody,
    Entry,
    Kind,
    LayBody,
    OpenBody,
    PickUpBody,
    RevealBody,
    SealBody,
    SetsBody,
    SharesBody,
    ShuffleBody,
    SignedEntry,
    sign_entry,
)
from p2p.protocol.errors import Breach, EvidenceRefused
from p2p.protocol.evidence import Evidence
from p2p.protocol.judge import check_opening, judge, judge_proven
from p2p.protocol.ledger import DealState, Phase


def test_an_opening_that_does_not_fit_its_commitment_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return OpenBody(body.public, body.proof, other_byte(body.coin), body.blinding)

    assert caught(Kind.OPEN, lie).check == "commitment"


def test_a_key_without_a_proof_of_its_secret_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return OpenBody(body.public, other_byte(body.proof, 8), body.coin, body.blinding)

    assert caught(Kind.OPEN, lie).check.startswith("key.")


def test_an_opening_copied_from_another_seat_is_named() -> None:
    def lie(table: Table, _state: DealState, _body: Body) -> Body:
        own = [store.own.open() for store in table.stores[0] if store.own is not None]
        return next(entry.body for entry in own if entry.kind is Kind.OPEN)

    assert caught(Kind.OPEN, lie).check == "commitment"


def test_a_commitment_copied_from_another_seat_opens_to_nothing() -> None:
    """A seat that copies another's commitment and then its opening is caught: a commitment names its seat."""
    cheats: list[Cheat] = []
    # What the liar's own machine goes on to say does not leave it.
    table = table_of(
        3,
        seed=1,
        cheats=cheats,
        drop=lambda _to, signed: signed.open().seat == LIAR and signed.open().step == 1,
    )

    def said_by_another(kind: Kind) -> Body:
        own = [store.own.open() for store in table.stores[0] if store.own is not None]
        return next(entry.body for entry in own if entry.kind is kind)

    cheats.append(
        Cheat(
            LIAR, lambda _s, entry: entry.kind is Kind.COMMIT, lambda _s, _e: [said_by_another(Kind.COMMIT)]
        )
    )
    table.start()
    table.drop = lambda _to, _signed: False
    table.tell(LIAR, table.deals[0].public_state, [said_by_another(Kind.OPEN)])
    table.play()
    assert found_by_all(table).check == "commitment"


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.PICK_UP])
def test_a_shuffle_that_doubles_a_card_is_named(kind: Kind) -> None:
    def lie(_table: Table, state: DealState, body: Body) -> Body:
        size = 2 * state.frame.group.element_size
        return type(body)(body.deck[:size] + body.deck[:size] + body.deck[2 * size :], body.proof)

    assert caught(kind, lie).check.startswith("shuffle.")


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.PICK_UP])
def test_a_shuffle_that_drops_a_card_is_named(kind: Kind) -> None:
    def lie(_table: Table, state: DealState, body: Body) -> Body:
        return type(body)(body.deck[2 * state.frame.group.element_size :], body.proof)

    assert caught(kind, lie).check == "encoding"


def test_a_shuffle_of_other_inputs_is_named() -> None:
    """The inputs come from the verifier's own state: here the taker leaves one card of the pile out for one
    of his own.
    """

    def lie(table: Table, state: DealState, _body: Body) -> Body:
        slots = state.owed_by(LIAR).slots
        deck = state.cards.ciphertexts((slots[1], *slots[1:]))
        args = (state.frame.group, state.joint_key, deck, state.context(LIAR), seeded_draw("lie"))
        new_deck, proof, _ = shuffle(*args)
        return PickUpBody(encode_deck(new_deck), proof)

    assert caught(Kind.PICK_UP, lie).check.startswith("shuffle.")


def test_a_shuffle_proven_for_another_step_is_named() -> None:
    def lie(_table: Table, state: DealState, _body: Body) -> Body:
        context = replace(state.context(LIAR), step=state.step + 1)
        new_deck, proof, _ = shuffle(
            state.frame.group, state.joint_key, state.deck, context, seeded_draw("lie")
        )
        return ShuffleBody(encode_deck(new_deck), proof)

    assert caught(Kind.SHUFFLE, lie).check.startswith("shuffle.")


def test_shares_before_the_seal_are_a_breach() -> None:
    def lie(table: Table, state: DealState, _body: Body) -> Body:
        return shares_of(table, state, state.game.hand_of(0), SharesBody)

    assert caught(Kind.SEAL, lie).check == "kind"


@pytest.mark.parametrize("wrong", ["own", "burned", "missing", "doubled", "unsorted"])
def test_shares_of_other_slots_than_those_owed_are_a_breach(wrong: str) -> None:
    def lie(table: Table, state: DealState, body: Body) -> Body:
        slots = {
            "own": (*body.slots, *state.game.hand_of(LIAR)),
            "burned": (*state.game.burned, *body.slots),
            "missing": body.slots[1:],
            "doubled": (body.slots[0], *body.slots),
            "unsorted": body.slots[::-1],
        }[wrong]
        return shares_of(table, state, slots, SharesBody)

    assert caught(Kind.SHARES, lie).check == "slots"


@pytest.mark.parametrize("kind", [Kind.SHARES, Kind.REVEAL])
def test_a_false_share_or_proof_is_named(kind: Kind) -> None:
    def swap(_table: Table, state: DealState, body: Body) -> Body:
        size = state.frame.group.element_size
        wrong = (state.publics[0]).encode() + body.shares[size:]
        return type(body)(body.slots, wrong, body.proof)

    assert caught(kind, swap).check == "shares.equation"
    assert caught(kind, lambda _t, _s, b: type(b)(b.slots, b.shares, b.proof[:-1])).check == "shares.length"
    assert caught(kind, lambda _t, _s, b: type(b)(b.slots, b.shares[:-1], b.proof)).check == "encoding"


def test_a_reveal_of_another_packet_is_a_breach() -> None:
    def lie(table: Table, state: DealState, body: Body) -> Body:
        hand = state.game.hand_of(LIAR) or state.game.table[0].slots
        return shares_of(table, state, (*body.slots[:-1], hand[0]), RevealBody)

    assert caught(Kind.REVEAL, lie).check == "slots"


def test_a_move_out_of_turn_is_a_breach() -> None:
    table = table_of(3, seed=1, watchers=1)
    table.start()
    table.play(until=lambda t: t.deals[0].state.turn not in (LIAR, None))
    table.silent.add(LIAR)
    game = table.deals[0].state
    table.say(LIAR, LayBody(game.hand_of(LIAR)[:1], 14, 1))
    table.play()
    assert found_by_all(table).check == "turn"


def test_an_entry_for_a_step_long_past_that_was_never_owed_is_a_breach() -> None:
    table = table_of(3, seed=1)
    table.start()
    record = table.deals[0].record
    shuffles = [s for s in map(record.state_at, range(9)) if s is not None and s.phase is Phase.SHUFFLE]
    state = next(s for s in shuffles if s.order[s.shuffled] != LIAR)
    table.silent.add(LIAR)
    table.tell(LIAR, state, [SealBody()])
    table.play()
    assert found_by_all(table).check == "turn"


def test_a_step_number_that_does_not_fit_the_previous_head_is_a_breach() -> None:
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    table.silent.add(LIAR)
    entry = Entry(deal.table_id, 1, deal.step + 1, LIAR, deal.head, SealBody())
    table.send(LIAR, [sign_entry(table.identities[LIAR], entry)])
    table.play()
    assert found_by_all(table).check == "step"


@pytest.mark.parametrize(
    "wrong", ["foreign", "burned", "twice", "none", "many", "rank", "number", "unstated"]
)
def test_a_lay_that_the_rules_refuse_is_a_breach(wrong: str) -> None:
    def lie(_table: Table, state: DealState, _body: Body) -> Body:
        game = state.game
        mine, rank = game.hand_of(LIAR), int(game.rank or 14)
        return {
            "foreign": LayBody(game.hand_of(0)[:1], rank, 1),
            "burned": LayBody(game.burned, rank, 1),
            "twice": LayBody((mine[0], mine[0]), rank, 2),
            "none": LayBody((), rank, 0),
            "many": LayBody(mine[:4], rank, 4),
            "rank": LayBody(mine[:1], 2, 1),
            "number": LayBody(mine[:1], rank, 2),
            "unstated": LayBody(mine[:1], rank, None),
        }[wrong]

    assert caught(Kind.LAY, lie).check.startswith("rules.")


def test_a_call_with_nothing_to_call_is_a_breach() -> None:
    table = table_of(3, seed=3)
    table.start()
    turn = table.deals[0].state.turn
    table.silent.add(turn)
    table.say(turn, CallBody(False))
    table.play()
    assert found_by_all(table, turn).check in {"kind", "rules.nothing-to-call"}


def test_false_fours_are_a_breach_and_open_only_the_liars_own_cards() -> None:
    def lie(table: Table, state: DealState, _body: Body) -> Body:
        hand, faces = state.game.hand_of(LIAR), table.deals[LIAR].view.faces
        odd = next(slot for slot in hand if faces[slot].rank != faces[hand[0]].rank)
        rest = [slot for slot in hand[1:] if slot != odd]
        return shares_of(table, state, tuple(sorted((hand[0], odd, *rest[:2]))), SetsBody)

    assert caught(Kind.SETS, lie).check.startswith("rules.")


def test_sets_of_slots_not_in_the_hand_are_a_breach() -> None:
    def lie(table: Table, state: DealState, _body: Body) -> Body:
        return shares_of(table, state, state.game.hand_of(0)[:4], SetsBody)

    assert caught(Kind.SETS, lie).check == "slots"


def test_declining_with_leftover_bytes_is_a_breach() -> None:
    assert caught(Kind.SETS, lambda _t, _s, _b: SetsBody((), b"\1", b"")).check == "encoding"


def test_another_kind_of_entry_than_the_one_owed_is_a_breach() -> None:
    assert caught(Kind.COMMIT, lambda _t, _s, _b: SealBody()).check == "kind"


def verdict(state: DealState, entry: Entry, draw: Draw) -> str:
    """The check that an entry breaks, or "right"."""
    try:
        check = judge(state, entry, draw)
        if check is not None:
            check.function(*check.args)
        judge_proven(state, entry)
    except Breach as breach:
        return breach.check
    except InvalidProof as error:
        return error.check.value
    return "right"


def test_whatever_a_seat_signs_at_whatever_moment_is_right_or_a_breach_and_nothing_else() -> None:
    states: list[DealState] = []
    table = table_of(3, seed=3, watch=lambda _index, _effect: states.append(table.deals[0].public_state))
    table.start()
    table.play()
    said = [signed.open().body for signed in table.deals[0].record.all_entries()]
    rng, size, seen = random.Random(3), table.group.element_size, set()
    for attempt in range(4000):
        state = rng.choice(states)
        seat = rng.randrange(3)
        hand = range(9) if state.game is None else state.game.hand_of(rng.randrange(3)) + state.game.pile
        slots = tuple(sorted(rng.sample(hand, min(len(hand), rng.randrange(4)))))
        data = rng.randbytes(size * rng.choice([0, len(slots), 2 * len(slots)]))
        bodies = [
            *rng.sample(said, 8),
            OpenBody(rng.randbytes(size), data, bytes(32), bytes(32)),
            ShuffleBody(data, data),
            PickUpBody(data, data),
            LayBody(slots, rng.randint(2, 14), rng.choice([None, 0, len(slots), 104])),
            *(kind(slots, data, data[:16]) for kind in (SharesBody, RevealBody, SetsBody)),
        ]
        owed = state.owed_by(seat)
        fitting = [body for body in bodies if owed is not None and body.kind in owed.kinds]
        entry = Entry(table.deals[0].table_id, 1, state.step, seat, state.head, rng.choice(fitting or bodies))
        seen.add(verdict(state, entry, seeded_draw(attempt)))
    assert {"right", "turn", "encoding", "slots", "commitment", "rules.not-in-hand"} <= seen


def test_keys_of_all_seats_that_cancel_out_void_the_deal_and_name_the_last_seat_everywhere() -> None:
    table = table_of(2, seed=1, watchers=1)
    group, secrets = table.group, table.deals[LIAR]._secrets
    opposite = group.scalar(-table.deals[0]._secrets.key.secret)
    table.deals[LIAR]._secrets = replace(secrets, key=KeyPair(opposite, group.base_multiply(opposite)))
    table.start()
    outcome = found_by_all(table)
    assert (outcome.check, outcome.step) == ("key.joint", 1)


def test_anything_but_a_receipt_after_the_end_is_a_breach_that_convinces_a_stranger() -> None:
    table = table_of(3, seed=2, drop=lambda _to, signed: signed.open().kind is Kind.RECEIPT)
    table.start()
    table.play()
    assert all(isinstance(deal.outcome, Finished) for deal in table.deals)
    over = table.deals[0].public_state
    assert table.deals[0].have == {0}, "else all have signed the end, and it stands"
    wrong = sign_entry(
        identity_of(LIAR), Entry(over.frame.table_id, 1, over.step, LIAR, over.head, SealBody())
    )
    for index in (0, 2):
        table.take(index, table.deals[index].receive(wrong))
    outcome = found_by_all(table)
    assert (outcome.check, outcome.step) == ("kind", over.step)


def test_the_opening_rule_is_checked_besides_holding_by_the_order_of_steps() -> None:
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    state = deal.public_state
    slots = state.game.hand_of(1)
    check_opening(state, 1, slots, state.entitled_at)
    made_at = state.cards.cards[slots[0]].made_at
    for last_seal, entitled in ((made_at, -1), (-1, -1), (state.last_seal, state.last_seal), (5, 7)):
        with pytest.raises(Breach) as caught_breach:
            check_opening(replace(state, last_seal=last_seal), 1, slots, entitled)
        assert caught_breach.value.check == "opening-rule"


def test_entries_of_another_table_or_deal_are_dropped_and_blame_nobody() -> None:
    one, other = table_of(2, seed=1), table_of(2, seed=1, table="another")
    one.start()
    other.start()
    deal = one.deals[0]
    before = deal.head
    for signed in other.deals[0].record.all_entries():
        assert deal.receive(signed) == ()
    second = table_of(2, seed=1)
    second = Table(second.terms.after_void(second.terms.players, None), second.group, seed=2)
    second.start()
    for signed in second.deals[0].record.all_entries():
        assert deal.receive(signed) == ()
    assert deal.noise["another deal"] > 10
    assert (deal.head, deal.outcome) == (before, None)


def test_an_entry_resigned_for_this_table_with_a_proof_of_another_fails_its_proof() -> None:
    """The same key plays at two tables; its proof from one is worth nothing at the other."""

    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        other = table_of(3, seed=1, table="another")
        other.start()
        foreign = next(
            s.open().body for s in other.deals[0].record.all_entries() if s.open().kind is Kind.SHUFFLE
        )
        return ShuffleBody(foreign.deck, foreign.proof)

    assert caught(Kind.SHUFFLE, lie).check.startswith("shuffle.")


def test_junk_and_false_signatures_are_dropped_and_counted() -> None:
    table = table_of(2, seed=1)
    deal = table.deals[0]
    entry = Entry(deal.table_id, 1, 0, 1, deal.head, SealBody())
    for signed in (
        SignedEntry(b"junk", bytes(64)),
        SignedEntry(entry.encode(), bytes(64)),
        sign_entry(identity_of(0), entry),
        sign_entry(identity_of(1), Entry(deal.table_id, 1, 0, 7, deal.head, SealBody())),
    ):
        assert deal.receive(signed) == ()
    assert deal.noise == {"not decodable": 1, "signature": 2, "no such seat": 1}
    assert deal.outcome is None


def test_evidence_against_an_honest_seat_is_refused() -> None:
    """Nobody can turn what an honest seat signed into a breach or a fork."""
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    ledger = deal.record.all_entries()
    signed = [one for one in ledger if one.open().seat == 2]
    for check, entries in (
        ("fork", (signed[0], signed[0])),
        ("fork", (signed[0], signed[1])),
        ("fork", (signed[0],)),
        ("kind", (signed[1],)),
        ("turn", (signed[-1],)),
    ):
        step = entries[-1].open().step
        evidence = Evidence(2, check, deal.terms, deal.record.before(step), entries)
        with pytest.raises(EvidenceRefused):
            verify_evidence(evidence, seeded_draw(1), table.group)
    forged = sign_entry(table.identities[1], replace_seat(signed[0].open(), 2))
    with pytest.raises(EvidenceRefused):
        verify_evidence(Evidence(2, "fork", deal.terms, (), (signed[0], forged)), seeded_draw(1), table.group)


def replace_seat(entry: Entry, seat: int) -> Entry:
    return Entry(entry.table, entry.deal, entry.step, seat, entry.previous, SealBody())
