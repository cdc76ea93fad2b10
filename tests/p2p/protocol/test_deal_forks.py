"""Two stories of one seat: whoever tells them is named by everybody honest, with evidence, and nobody
honest ever is.
"""

from dataclasses import dataclass

import pytest
from deal_players import Cheat, Table, identity_of, seeded_draw, table_of

from crypto import prove_key, prove_shares, shuffle
from crypto.elgamal import encode_deck
from engine import Ruleset
from p2p.protocol.audit import audit, verify_evidence
from p2p.protocol.effects import Finished, Void
from p2p.protocol.entry import (
    AnswerBody,
    AnswerCommitBody,
    Body,
    CallBody,
    CoinBody,
    CoinCommitBody,
    CommitBody,
    DrawBody,
    Entry,
    Kind,
    LayBody,
    OpenBody,
    OutBody,
    PickUpBody,
    ReceiptBody,
    RevealBody,
    SealBody,
    SetsBody,
    SharesBody,
    ShuffleBody,
    SignedEntry,
    sign_entry,
)
from p2p.protocol.evidence import FORK, decode_evidence
from p2p.protocol.judge import as_slots
from p2p.protocol.ledger import DealState, Phase
from p2p.protocol.transcript import write_transcript

OPEN_CALLS = Ruleset.with_preset("dictionary", {"callers": "any"})
ONE_RANDOM = Ruleset.with_preset("dictionary", {"check": "one_random"})
FORMS_OF_KIND = {
    Kind.DRAW: Ruleset.with_preset("dictionary", {"deal": "hand", "refill": "every_turn"}),
    Kind.COIN_COMMIT: ONE_RANDOM,
    Kind.COIN: ONE_RANDOM,
    Kind.ANSWER_COMMIT: OPEN_CALLS,
    Kind.ANSWER: OPEN_CALLS,
    Kind.OUT: Ruleset.with_preset("dictionary", {"out_call": "manual"}),
}
"""Kinds of entry that pagat has not, and rules that have them."""


@dataclass
class OtherStory:
    """Makes a second body that is as valid as the first, with the liar's own secrets."""

    table: Table
    seat: int

    def __call__(self, state: DealState, entry: Entry) -> list[Body]:
        body, draw = entry.body, seeded_draw("other story")
        if isinstance(body, OutBody):
            # It may end the deal, and then the liar has dropped its secrets.
            return [body, SealBody()]
        secrets = self.table.deals[self.seat]._secrets
        assert secrets is not None
        group, context = state.frame.group, state.context(self.seat)
        other: Body
        match body:
            case CommitBody():
                other = CommitBody(bytes(32))
            case OpenBody():
                proof = prove_key(group, secrets.key.secret, context, draw)
                other = OpenBody(body.public, proof, body.coin, body.blinding)
            case CoinCommitBody() | AnswerCommitBody():
                other = type(body)(bytes(32))
            case CoinBody():
                other = CoinBody(bytes(32), body.blinding)
            case AnswerBody():
                other = AnswerBody(None if body.believe else True, None, body.blinding)
            case ShuffleBody() | PickUpBody() | DrawBody():
                deck = isinstance(body, ShuffleBody)
                inputs = state.deck if deck else state.cards.ciphertexts(state.owed_by(self.seat).slots)
                deck, proof, _ = shuffle(group, state.joint_key, inputs, context, draw)
                other = type(body)(encode_deck(deck), proof)
            case SharesBody() | RevealBody() | SetsBody():
                cards = state.cards.ciphertexts(as_slots(body.slots))
                if not cards:
                    other = SetsBody(state.game.hand_of(self.seat)[:1], bytes(8), b"")
                else:
                    key = secrets.key
                    shares, proof = prove_shares(group, key.secret, key.public, cards, context, draw)
                    other = type(body)(body.slots, b"".join(one.encode() for one in shares), proof)
            case LayBody():
                other = LayBody(body.slots, 14 if body.rank != 14 else 13, body.number)
                if state.game.rank is not None:
                    other = CallBody(False) if state.game.live else LayBody(body.slots[:1], body.rank, 1)
            case CallBody():
                hand = state.game.hand_of(self.seat)
                other = LayBody(hand[:1], int(state.game.rank), 1)
            case _:
                raise AssertionError(body)
        return [body, other]


def forked(kind: Kind, players: int = 4, seed: int = 1, liar: int = 1, **options: object) -> Table:
    """A table at which one seat tells two stories the first time that it owes an entry of a kind."""
    cheats: list[Cheat] = []
    table = table_of(players, seed=seed, cheats=cheats, **options)
    cheats.append(Cheat(liar, lambda _state, entry: entry.kind is kind, OtherStory(table, liar)))
    table.start()
    table.play()
    return table


def check_caught(table: Table, liar: int, check: str | None = FORK) -> None:
    """All honest peers, watchers too, void the deal and name the liar, with evidence that stands alone."""
    assert any(cheat.done for cheat in table.cheats)
    for deal in table.honest:
        assert isinstance(deal.outcome, Void)
        assert deal.outcome.seat == liar
        assert check is None or deal.outcome.check == check
        assert deal._secrets is None
        evidence = decode_evidence(deal.outcome.evidence.encode())
        verify_evidence(evidence, seeded_draw("stranger"), table.group)
        report = audit(write_transcript(deal), seeded_draw("audit"), table.group)
        assert (report.ok, report.check, report.seat) == (False, deal.outcome.check, liar)
        assert report.loser == liar


def test_a_last_shuffler_who_shows_two_decks_is_named_before_any_share_flows() -> None:
    """The attack that seals are for: two decks would collect one share here, another there, and read a
    third seat's card.
    """
    table = table_of(4, seed=2)
    table.start()
    last = table.deals[0].state.order[-1]
    cheats: list[Cheat] = []
    table = table_of(4, seed=2, cheats=cheats, watchers=1)
    cheats.append(Cheat(last, lambda _state, entry: entry.kind is Kind.SHUFFLE, OtherStory(table, last)))
    table.start()
    table.play()
    check_caught(table, last)
    for deal in table.honest:
        assert deal.public_state.phase in {Phase.SHUFFLE, Phase.SEAL_DECK}
        assert deal.trust.shares == 0


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "kind",
    [
        Kind.COMMIT,
        Kind.OPEN,
        Kind.SHUFFLE,
        Kind.SHARES,
        Kind.LAY,
        Kind.CALL,
        Kind.REVEAL,
        Kind.PICK_UP,
        Kind.SETS,
    ],
)
def test_a_fork_in_any_kind_of_step_names_its_author_on_all_honest_peers(
    kind: Kind, players: int, shuffled: bool
) -> None:
    tables = (forked(kind, players, seed, watchers=1, shuffled=shuffled) for seed in range(1, 30))
    # Where the second story breaks a rule too, a peer that saw only that one names the breach.
    check_caught(next(table for table in tables if table.cheats[0].done), 1, None)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize(("kind", "rules"), FORMS_OF_KIND.items(), ids=lambda value: str(value)[:13])
def test_a_fork_in_a_kind_of_step_that_only_some_forms_have_names_its_author(
    kind: Kind, rules: Ruleset, shuffled: bool
) -> None:
    tables = (forked(kind, 3, seed, watchers=1, shuffled=shuffled, rules=rules) for seed in range(1, 30))
    check_caught(next(table for table in tables if table.cheats[0].done), 1, None)


def test_two_seals_on_different_heads_are_a_fork_even_if_one_head_is_unknown() -> None:
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    sealed = next(s for s in deal.record.all_entries() if s.open().kind is Kind.SEAL and s.open().seat == 1)
    entry = sealed.open()
    other = sign_entry(
        table.identities[1], Entry(entry.table, entry.deal, entry.step, 1, bytes(32), SealBody())
    )
    deal.receive(other)
    assert isinstance(deal.outcome, Void)
    assert (deal.outcome.seat, deal.outcome.check, deal.outcome.step) == (1, FORK, entry.step)
    verify_evidence(deal.outcome.evidence, seeded_draw(1), table.group)


def test_two_entries_on_two_unknown_heads_are_a_fork() -> None:
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    for head in (bytes(32), bytes([1]) * 32):
        far = Entry(table.deals[0].table_id, 1, deal.step + 3, 2, head, SealBody())
        assert deal.outcome is None
        deal.receive(sign_entry(table.identities[2], far))
    assert isinstance(deal.outcome, Void)
    assert deal.outcome.seat == 2
    report = audit(write_transcript(deal), seeded_draw(1), table.group)
    assert (report.ok, report.check, report.seat) == (False, FORK, 2)


def test_an_honest_successor_who_saw_only_the_other_story_is_never_blamed() -> None:
    """Its entry builds on a head that the others do not know: it is held, and the ancestors show whose fork
    it is.
    """
    table = table_of(3, seed=1)
    table.start()
    order = table.deals[0].state.order
    liar, honest = order[0], order[1]
    cheats: list[Cheat] = []
    table = table_of(3, seed=1, cheats=cheats)

    def bodies(state: DealState, entry: Entry) -> list[Body]:
        stories = OtherStory(table, liar)(state, entry)
        others = [seat for seat in range(3) if seat != liar]
        return [stories[1] if seat == honest else stories[0] for seat in others]

    cheats.append(Cheat(liar, lambda _state, entry: entry.kind is Kind.SHUFFLE, bodies))
    seen = []
    original = table.take

    def take(index: int, effects: object) -> None:
        original(index, effects)
        seen.append([deal.outcome for deal in table.deals])

    table.take = take
    table.start()
    table.play()
    check_caught(table, liar)
    assert all(not isinstance(one, Void) or one.seat == liar for outcomes in seen for one in outcomes)


def test_an_unknown_previous_head_is_no_fault_and_what_is_held_is_bounded() -> None:
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    for step in range(100, 200):
        entry = Entry(deal.table_id, 1, step, 2, bytes([step]) * 32, SealBody())
        deal.receive(sign_entry(table.identities[2], entry))
    assert deal.outcome is None
    assert len(deal._held) == 16
    assert not deal.noise


def test_of_entries_far_ahead_only_those_that_can_be_held_cost_a_signature_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(3, seed=1)
    table.start()
    deal = table.deals[0]
    checked: list[SignedEntry] = []
    monkeypatch.setattr("p2p.protocol.deal.check_signature", lambda _key, signed: checked.append(signed))
    for step in range(100, 400):
        entry = Entry(deal.table_id, 1, step, 2, bytes(32), SealBody())
        deal.receive(sign_entry(table.identities[2], entry))
    assert len(checked) == 16


def test_the_receipts_of_all_make_a_deal_finished_whether_they_come_before_a_fork_or_behind_it() -> None:
    late: list[SignedEntry] = []

    def drop(to: int, signed: SignedEntry) -> bool:
        is_late = to == 0 and signed.open().kind is Kind.RECEIPT and signed.open().seat == 2
        if is_late:
            late.append(signed)
        return is_late

    table = table_of(3, seed=2, drop=drop)
    table.start()
    table.play()
    deal = table.deals[0]
    finished, last = deal.outcome, deal.record.accepted_at(deal.step - 1)
    assert isinstance(finished, Finished)
    ((liar, first),) = last.items()
    entry = first.open()
    other = Entry(entry.table, entry.deal, entry.step, liar, entry.previous, SealBody())
    table.take(0, deal.receive(sign_entry(identity_of(liar), other)))
    assert isinstance(deal.outcome, Void)
    assert (deal.outcome.seat, deal.settled) == (liar, False)
    assert not deal.owed
    table.take(0, deal.receive(late[0]))
    assert (deal.outcome, deal.settled) == (finished, True)
    assert [type(one.outcome) for one in table.ended[0]] == [Finished, Void, Finished]
    assert audit(write_transcript(deal), seeded_draw(1), table.group).ok


def test_a_fork_among_receipts_voids_a_deal_that_is_not_settled_and_not_a_settled_one() -> None:
    for missing in (True, False):
        table = table_of(
            2,
            seed=1,
            drop=lambda to, s, missing=missing: missing and to == 0 and s.open().kind is Kind.RECEIPT,
        )
        table.start()
        table.play()
        deal = table.deals[0]
        assert isinstance(deal.outcome, Finished)
        assert deal.settled != missing
        finished = deal.outcome
        for head in (bytes(32), bytes([1]) * 32):
            entry = Entry(deal.table_id, 1, deal.step, 1, head, ReceiptBody())
            deal.receive(sign_entry(identity_of(1), entry))
        if missing:
            assert isinstance(deal.outcome, Void)
            assert deal.outcome.seat == 1
        else:
            assert deal.outcome == finished
            assert audit(write_transcript(deal), seeded_draw(1), table.group).ok
