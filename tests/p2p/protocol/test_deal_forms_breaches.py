"""Breaches in the entries that only some forms have: draws, coins, answers, calls that pick a card, exits."""

import pytest
from deal_cheats import LIAR, caught, found_by_all, other_byte, shares_of
from deal_players import Cheat, Table, seeded_draw, table_of

from crypto import shuffle
from crypto.elgamal import encode_deck
from engine import Ruleset
from p2p.protocol.entry import (
    AnswerBody,
    AnswerCommitBody,
    Body,
    CallBody,
    CoinBody,
    DrawBody,
    Kind,
    LayBody,
    OutBody,
    RevealBody,
    SharesBody,
)
from p2p.protocol.ledger import DealState, Phase

DRAW_PILE = Ruleset.with_preset("dictionary", {"deal": "hand", "refill": "every_turn"})
ONE_RANDOM = Ruleset.with_preset("dictionary", {"check": "one_random"})
ONE_BY_CALLER = Ruleset.with_preset("dictionary", {"check": "one_by_caller"})
OPEN_CALLS = Ruleset.with_preset("dictionary", {"callers": "any"})
MANUAL = Ruleset.with_preset("dictionary", {"out_call": "manual"})


def test_a_draw_without_a_proof_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return DrawBody(body.deck, other_byte(body.proof, 70))

    assert caught(Kind.DRAW, lie, rules=DRAW_PILE).check.startswith("shuffle.")


def test_a_draw_of_other_cards_than_those_on_top_of_the_stock_is_named() -> None:
    """The drawer shuffles, truly proven, his hand with the bottom of the stock."""

    def lie(_table: Table, state: DealState, _body: Body) -> Body:
        game = state.game
        slots = game.hand_of(LIAR) + game.stock[-game.drawing :]
        inputs = state.cards.ciphertexts(slots)
        deck, proof, _ = shuffle(
            state.frame.group, state.joint_key, inputs, state.context(LIAR), seeded_draw("lie")
        )
        return DrawBody(encode_deck(deck), proof)

    assert caught(Kind.DRAW, lie, rules=DRAW_PILE).check.startswith("shuffle.")


def test_a_draw_of_more_cards_than_are_due_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return DrawBody(body.deck + body.deck[:8], body.proof)

    assert caught(Kind.DRAW, lie, rules=DRAW_PILE).check == "encoding"


def test_shares_of_the_stock_are_refused() -> None:
    """Nobody may help to read a card that nobody has drawn."""

    def lie(table: Table, state: DealState, body: Body) -> Body:
        return shares_of(table, state, (*body.slots, state.game.stock[0]), SharesBody)

    assert caught(Kind.SHARES, lie, rules=DRAW_PILE).check == "slots"


def test_cards_of_the_stock_have_no_shares_until_they_are_drawn_and_sealed() -> None:
    table = table_of(3, seed=1, rules=DRAW_PILE)
    table.start()
    table.play()
    for step in range(table.deals[0].step):
        state = table.deals[0].record.state_at(step)
        game = state.game
        if game is None or not state.cards.cards:
            continue
        assert not any(state.cards.cards[slot].shares for slot in game.stock)
        if state.phase is Phase.SEAL_PICK_UP:
            assert not any(state.cards.cards[slot].shares for slot in game.hand_of(state.taker))


def test_a_coin_that_does_not_fit_its_commitment_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return CoinBody(other_byte(body.coin), body.blinding)

    assert caught(Kind.COIN, lie, rules=ONE_RANDOM).check == "commitment"


def test_a_coin_copied_from_another_seat_is_named() -> None:
    def lie(table: Table, state: DealState, _body: Body) -> Body:
        secrets = table.deals[0]._secrets
        return CoinBody(*secrets.coin_of_step(table.group, state.commitment_context(0)))

    assert caught(Kind.COIN, lie, rules=ONE_RANDOM).check == "commitment"


def test_opening_another_card_than_the_coins_drew_is_named() -> None:
    def lie(table: Table, state: DealState, _body: Body) -> Body:
        packet = state.game.table[-1].slots
        slot = next((slot for slot in packet if slot not in state.game.opening), state.game.hand_of(LIAR)[0])
        return shares_of(table, state, (slot,), RevealBody)

    assert caught(Kind.REVEAL, lie, rules=ONE_RANDOM).check == "slots"


def test_opening_the_whole_packet_where_one_card_is_checked_is_named() -> None:
    def lie(table: Table, state: DealState, _body: Body) -> Body:
        game = state.game
        slots = game.table[-1].slots
        others = next(game.hand_of(seat) for seat in game.order if game.hand_of(seat))
        return shares_of(table, state, slots if len(slots) > 1 else (*slots, *others), RevealBody)

    assert caught(Kind.REVEAL, lie, rules=ONE_BY_CALLER).check == "slots"


@pytest.mark.parametrize(("index", "check"), [(None, "rules.index-missing"), (103, "rules.no-such-card")])
def test_a_call_that_picks_no_card_of_the_packet_is_named(index: int | None, check: str) -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return CallBody(body.believe, index)

    assert caught(Kind.CALL, lie, rules=ONE_BY_CALLER).check == check


def test_a_call_that_picks_a_card_where_all_are_checked_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return CallBody(body.believe, 0)

    assert caught(Kind.CALL, lie).check == "rules.index-unasked"


def test_an_answer_changed_after_it_was_committed_is_named() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return AnswerBody(None if body.believe is not None else False, None, body.blinding)

    assert caught(Kind.ANSWER, lie, rules=OPEN_CALLS).check == "commitment"


def test_an_answer_of_nothing_that_picks_a_card_is_no_answer() -> None:
    def lie(_table: Table, _state: DealState, body: Body) -> Body:
        return AnswerBody(None, 0, body.blinding)

    assert caught(Kind.ANSWER, lie, rules=OPEN_CALLS).check == "encoding"


def test_a_committed_answer_that_the_rules_refuse_is_named_when_it_is_opened() -> None:
    """Veryu where the form has none, committed to in time and opened rightly."""
    rules = OPEN_CALLS.with_(veryu="none")
    cheats: list[Cheat] = []
    said: list[Body] = []
    # What the liar's own machine goes on to say does not leave it.
    table = table_of(
        3,
        seed=1,
        cheats=cheats,
        watchers=1,
        rules=rules,
        drop=lambda _to, s: not said and s.open().seat == LIAR and s.open().kind is Kind.ANSWER,
    )

    def commit(state: DealState) -> list[Body]:
        return [AnswerCommitBody(secrets.answer_commitment(table.group, state.context(LIAR), True, None))]

    def opened(state: DealState) -> list[Body]:
        return [AnswerBody(True, None, secrets.coin_of_step(table.group, state.commitment_context(LIAR))[1])]

    secrets = table.deals[LIAR]._secrets
    assert secrets is not None
    cheats.append(Cheat(LIAR, lambda _s, e: e.kind is Kind.ANSWER_COMMIT, lambda s, _e: commit(s)))
    table.start()
    table.play(until=lambda table: table.deals[0].public_state.phase is Phase.ANSWER_OPEN)
    assert cheats[0].done
    state = table.deals[0].public_state
    assert {owed.seat for owed in table.deals[0].owed} == {LIAR}
    said += opened(state)
    table.tell(LIAR, state, said)
    table.deliver()
    assert found_by_all(table).check == "rules.no-veryu"


def test_announcing_with_cards_in_hand_is_named() -> None:
    def lie(_table: Table, _state: DealState, _body: Body) -> Body:
        return OutBody()

    assert caught(Kind.LAY, lie, rules=MANUAL).check == "kind"

    def too_soon(_table: Table, _state: DealState, body: Body) -> Body:
        return LayBody(body.slots, body.rank, body.number, True)

    assert caught(Kind.LAY, too_soon, rules=MANUAL).check == "rules.cards-left"
    assert caught(Kind.LAY, too_soon).check == "rules.no-announcing"


def test_while_answers_are_committed_nobody_can_tell_what_they_are() -> None:
    """What travels first is the same whatever is said, and the public state holds no answer."""
    table = table_of(3, seed=1, rules=OPEN_CALLS)
    table.start()
    table.play()
    deal, windows = table.deals[0], 0
    for step in range(deal.step):
        committed = deal.record.state_at(step)
        if committed.phase is not Phase.ANSWER_OPEN:
            continue
        windows += 1
        assert committed.game.answers == ()
        said = [s.open() for s in deal.record.accepted_at(step - 1).values()]
        assert {entry.kind for entry in said} == {Kind.ANSWER_COMMIT}
        assert len({len(entry.encode()) for entry in said}) == 1
        owner = committed.game.table[-1].owner
        assert {entry.seat for entry in said} == set(committed.game.seats_in) - {owner}
    assert windows > 3
