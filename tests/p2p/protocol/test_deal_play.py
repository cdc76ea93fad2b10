"""Whole deals in memory: everybody gets the same state at every step, to the end, in any order."""

import random

import pytest
from deal_players import Table, identity_of, run_job, seeded_draw, signed_proposal, table_of
from tiny_group import quick_group

import engine
from crypto import Ristretto255
from engine import IllegalMove, Lay, Rank, Ruleset, Seat, next_dealer
from p2p.protocol.audit import audit, verify_evidence
from p2p.protocol.deal import Deal
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.deal_terms import DealTerms, Origin, Setup, decode_terms
from p2p.protocol.deal_views import Stage
from p2p.protocol.effects import Effect, Finished, Publish, Stopped, Store, Void
from p2p.protocol.entry import CommitBody, Entry, Kind, SealBody, SignedEntry, sign_entry
from p2p.protocol.errors import MalformedMessage, NotNow, ProposalRefused
from p2p.protocol.table_rules import TableRules
from p2p.protocol.transcript import write_transcript

CHOSEN = Ruleset.with_preset("pagat", {"first_dealer": "chosen"})


def played(players: int, **options: object) -> Table:
    table = table_of(players, **options)
    table.start()
    table.play()
    return table


def check_agreement(table: Table) -> None:
    """Everybody saw the same head and digest at every step, and the same end; the transcript passes the
    audit.
    """
    assert all(len(seen) == 1 for seen in table.digests.values())
    outcomes = {deal.outcome for deal in table.deals}
    assert len(outcomes) == 1
    assert isinstance(outcomes.pop(), Finished)
    assert all(deal.settled and not deal.noise for deal in table.deals)
    texts = {write_transcript(deal) for deal in table.deals}
    assert len(texts) == 1
    report = audit(texts.pop(), seeded_draw("audit"), table.group)
    assert report.ok, report
    assert report.loser == table.deals[0].outcome.loser
    assert report.seats == table.players
    assert report.form == "pagat"
    assert report.receipts == frozenset(range(table.players))


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_whole_deal_ends_alike_for_all_seats_and_a_watcher_and_passes_the_audit(players: int) -> None:
    check_agreement(played(players, watchers=1, seed=players))


@pytest.mark.parametrize("seed", range(4))
def test_messages_in_any_order_and_twice_change_nothing(seed: int) -> None:
    check_agreement(played(3, watchers=1, seed=seed, shuffled=True))


def test_lost_messages_are_fetched_from_anybody_who_has_them() -> None:
    rng = random.Random(5)
    table = table_of(4, seed=5, drop=lambda _to, _signed: rng.random() < 0.3)
    table.start()
    table.play()
    # Receipts are collected, not waited for: the last ones come in afterwards.
    table.gossip()
    table.deliver()
    check_agreement(table)


def test_a_deal_in_the_real_group_ends_and_passes_the_audit() -> None:
    check_agreement(played(3, seed=2, group=Ristretto255()))


def test_other_forms_run_over_the_same_ledger() -> None:
    table = played(3, seed=1, rules=Ruleset.preset("dictionary"))
    outcomes = {deal.outcome for deal in table.deals}
    assert len(outcomes) == 1
    assert audit(write_transcript(table.deals[0]), seeded_draw(1), table.group).ok


def test_seating_and_dealer_of_the_first_deal_follow_from_all_coins() -> None:
    seatings = set()
    for seed in range(8):
        table = table_of(3, seed=seed)
        table.start()
        seatings.add((table.deals[0].state.order, table.deals[0].state.dealer))
    assert len(seatings) > 3


@pytest.mark.parametrize("seat", [0, 2])
def test_where_the_first_dealer_is_chosen_his_seat_deals_and_the_coins_still_seat_all(seat: int) -> None:
    orders = set()
    for number in range(4):
        table = table_of(
            4, seed=number, table=f"chosen {number}", rules=CHOSEN, table_rules=TableRules(dealer=seat)
        )
        table.start()
        for deal in table.deals:
            assert deal.state.dealer == Seat(seat)
            assert deal.state.turn == deal.state.next_in(Seat(seat))
        orders.add(table.deals[0].state.order)
    assert len(orders) > 1


def test_if_the_chosen_seat_does_not_play_the_next_one_that_does_deals_first() -> None:
    for seat, dealer in ((1, 3), (0, 0), (3, 3), (4, 0)):
        first = DealTerms.first(signed_proposal(5, CHOSEN, table_rules=TableRules(dealer=seat)))
        table = Table(first.after_void((0, 3), None), quick_group())
        table.start()
        assert [table.terms.players[deal.state.dealer] for deal in table.deals] == [dealer, dealer]


def test_a_chosen_dealer_deals_only_first_and_the_transcript_says_so() -> None:
    table = table_of(3, seed=4, rules=CHOSEN)
    table.start()
    table.play()
    outcome = table.deals[0].outcome
    assert isinstance(outcome, Finished)
    assert next_dealer(table.deals[0].state) != Seat(0)
    assert audit(write_transcript(table.deals[0]), seeded_draw(3), table.group).ok


def test_the_next_deal_builds_on_the_final_head_and_keeps_the_seating() -> None:
    table = played(3, seed=4)
    deal = table.deals[0]
    terms = deal.terms.following(
        deal.head, deal.terms.players, Setup(deal.state.order, engine.next_dealer(deal.state))
    )
    following = Table(terms, table.group, seed="second")
    following.start()
    assert following.deals[0].state.order == deal.state.order
    following.play()
    check_agreement(following)
    assert following.deals[0].terms.first_head != deal.head


def test_the_deal_after_a_void_one_depends_on_nothing_that_happened_in_it() -> None:
    first = DealTerms.first(signed_proposal(3))
    second = first.after_void(first.players, None)
    assert second == first.after_void(first.players, None)
    third = second.after_void(first.players, None)
    assert len({first.first_head, second.first_head, third.first_head}) == 3
    second.verify()


def test_terms_with_foreign_players_a_foreign_seating_or_start_are_refused() -> None:
    first = DealTerms.first(signed_proposal(3))
    for order, dealer in (((0, 1), 0), ((0, 1, 1), 0), ((0, 1, 2), 3)):
        with pytest.raises(ProposalRefused):
            first.following(bytes(32), (0, 1, 2), Setup(order, dealer)).verify()
    for players in ((0, 3), (1, 0), (1, 1)):
        with pytest.raises(ProposalRefused):
            first.following(bytes(32), players, None).verify()
        with pytest.raises(ProposalRefused):
            first.after_void(players, Setup((0, 1), 0)).verify()
    with pytest.raises(ProposalRefused):
        DealTerms(first.proposal, 1, Origin.TABLE, bytes(32), (0, 1, 2), None).verify()
    with pytest.raises(ProposalRefused):
        DealTerms(first.proposal, 1, Origin.TABLE, first.before, (0, 1), None).verify()


def test_terms_come_back_from_their_encoding() -> None:
    first = DealTerms.first(signed_proposal(3))
    for terms in (
        first,
        first.following(bytes(32), (0, 2), Setup((1, 0), 1)),
        first.after_void((1, 2), None),
    ):
        assert decode_terms(terms.encode()) == terms
    with pytest.raises(MalformedMessage):
        decode_terms(first.encode() + b"0")


def test_who_plays_a_deal_is_bound_by_its_first_head() -> None:
    first = DealTerms.first(signed_proposal(4))
    heads = {
        terms.first_head
        for players in ((0, 1), (0, 2), (1, 3))
        for terms in (first.following(bytes(32), players, None), first.after_void(players, None))
    }
    assert len(heads) == 6


def test_two_of_four_play_a_deal_that_the_others_verify() -> None:
    first = DealTerms.first(signed_proposal(4))
    terms = first.following(bytes(32), (1, 3), Setup((1, 0), 0))
    table = Table(terms, quick_group(), seed="two", watchers=1)
    table.start()
    watcher = table.deals[2]
    assert watcher.view is not None
    assert (watcher.view.seat, watcher.state.order, watcher.state.dealer) == (None, (1, 0), 0)
    # The pack is the one for so many: pagat takes 36 cards up to three players.
    assert watcher.state.ruleset.pack == 36
    table.play()
    check_agreement(table)
    assert watcher.outcome == table.deals[0].outcome
    report = audit(write_transcript(watcher), seeded_draw("audit"), table.group)
    assert (report.ok, report.seats, report.names) == (True, 2, ("player 1", "player 3"))


def test_a_member_who_does_not_play_can_say_nothing_in_the_deal() -> None:
    terms = DealTerms.first(signed_proposal(4)).following(bytes(32), (1, 3), None)
    deal = Deal(terms, None, seeded_draw("watcher"), quick_group())
    for seat in (0, 2):
        entry = Entry(deal.table_id, 2, 0, seat, terms.first_head, CommitBody(bytes(32)))
        deal.receive(sign_entry(identity_of(seat), entry))
    assert deal.noise == {"signature": 1, "no such seat": 1}
    assert not deal.have
    with pytest.raises(ValueError, match="seat"):
        Deal(terms, OwnSeat(Seat(0), identity_of(0)), seeded_draw("own"), quick_group())


def test_hands_that_leave_no_stock_in_a_smaller_pack_are_played_with_the_tables_pack() -> None:
    rules = Ruleset.preset("dictionary").with_(deal="hand", hand_size=10)
    table = signed_proposal(5, rules).open()
    assert (table.ruleset.pack, table.ruleset_for(3).pack, table.ruleset_for(4).pack) == (52, 36, 52)


def test_own_entries_are_stored_before_they_are_published_with_all_they_build_on() -> None:
    stored: set[bytes] = set()
    steps: list[int] = []

    def watch(index: int, effect: Effect) -> None:
        if index != 0:
            return
        if isinstance(effect, Store):
            stored.update(signed.entry for signed in effect.entries)
            if effect.own is not None:
                before = table.deals[0].record.before(effect.own.open().step)
                assert {signed.entry for signed in before} <= stored
                stored.add(effect.own.entry)
        if isinstance(effect, Publish):
            assert effect.signed.entry in stored
            steps.append(effect.signed.open().step)

    table = table_of(2, seed=1, watch=watch)
    table.start()
    table.play()
    assert len(steps) == len(set(steps))
    assert {signed.entry for signed in table.deals[0].record.all_entries()} <= stored


def test_jobs_may_come_back_late_while_other_entries_arrive() -> None:
    """Proofs come back in another order than they went out; entries that arrive meanwhile wait their turn."""
    table = table_of(3, seed=7, hold_job=lambda index, _job: index == 0)
    rng = random.Random(7)
    table.start()
    for _ in range(4000):
        table.deliver()
        if table.waiting:
            index, job = table.waiting.pop(rng.randrange(len(table.waiting)))
            table.take(index, table.deals[index].job_done(job.id, run_job(job)))
        elif not table.move():
            break
    check_agreement(table)


@pytest.mark.parametrize("result", [ValueError("a worker fell over"), False, True, b""])
def test_a_proof_is_taken_for_verified_only_if_its_check_returned_none(result: object) -> None:
    table = table_of(2, seed=1, hold_job=lambda index, job: index == 0 and "verify" in repr(job.function))
    table.start()
    ((index, job),) = table.waiting
    deal = table.deals[index]
    before = deal.step, deal.owed
    with pytest.raises((ValueError, TypeError)):
        deal.job_done(job.id, result)
    assert (deal.step, deal.owed) == before


def test_a_seal_is_signed_only_after_every_proof_before_it_was_verified() -> None:
    """While any verification of seat 0 is out, it publishes no seal."""
    seals = 0

    def watch(index: int, effect: Effect) -> None:
        nonlocal seals
        if index == 0 and isinstance(effect, Publish) and effect.signed.open().kind is Kind.SEAL:
            seals += 1
            assert not table.waiting

    table = table_of(
        3, seed=1, watch=watch, hold_job=lambda index, job: index == 0 and "verify" in repr(job.function)
    )
    table.start()
    for _ in range(400):
        table.deliver()
        if table.waiting:
            index, job = table.waiting.pop()
            table.take(index, table.deals[index].job_done(job.id, run_job(job)))
        elif not table.move():
            break
    assert seals > 3


def test_an_illegal_or_untimely_move_raises_and_changes_nothing() -> None:
    table = table_of(3, seed=3)
    with pytest.raises(NotNow):
        table.deals[0].submit(engine.Call(Seat(0), False))
    table.start()
    game = table.deals[0].state
    turn = game.turn
    deal = table.deals[turn]
    other = table.deals[(turn + 1) % 3]
    head = deal.head
    lay = Lay(turn, game.hand_of(turn)[:1], Rank.ACE, 1)
    for mine, move in (
        (other, lay),
        (deal, engine.Call(turn, False)),
        (deal, Lay(turn, game.hand_of(turn)[:1], Rank.ACE, 2)),
        (deal, Lay(turn, game.hand_of(Seat((turn + 1) % 3))[:1], Rank.ACE, 1)),
    ):
        with pytest.raises((IllegalMove, NotNow)):
            mine.submit(move)
        assert mine.head == head
    assert any(isinstance(effect, Publish) for effect in deal.submit(lay))
    with pytest.raises((IllegalMove, NotNow)):
        deal.submit(lay)


def test_nobody_submits_a_move_for_another_seat() -> None:
    table = table_of(2, seed=3)
    table.start()
    turn = table.deals[0].state.turn
    other = table.deals[1 - turn]
    with pytest.raises((IllegalMove, NotNow)):
        other.submit(Lay(turn, other.state.hand_of(turn)[:1], Rank.ACE, 1))


def test_equal_heads_with_different_digests_stop_the_deal_and_name_nobody() -> None:
    table = table_of(2, seed=3)
    table.start()
    one, two = table.deals
    assert one.compare(two.step, two.head, two.digest, None) == ()
    one.compare(two.step, two.head, bytes(32), None)
    assert one.outcome == Stopped(two.step)
    assert one.stage is Stage.STOPPED
    report = audit(write_transcript(one), seeded_draw(1), table.group)
    assert (report.ok, report.check, report.seat) == (False, "stopped", None)


@pytest.mark.parametrize("withheld", [False, True])
def test_a_digest_told_after_the_end_takes_nothing_back(withheld: bool) -> None:
    def drop(to: int, signed: SignedEntry) -> bool:
        return withheld and to == 0 and signed.open().kind is Kind.RECEIPT

    table = table_of(2, seed=1, drop=drop)
    table.start()
    table.play()
    deal = table.deals[0]
    finished = deal.outcome
    assert isinstance(finished, Finished)
    assert deal.settled is not withheld
    for step in (deal.step, 3):
        assert deal.compare(step, deal.record.state_at(step).head, bytes(32), table.terms.keys[1]) == ()
    assert (deal.outcome, deal.settled) == (finished, not withheld)
    assert audit(write_transcript(deal), seeded_draw(1), table.group).ok


def test_a_stopped_deal_says_whose_program_differs_and_at_which_step_and_its_transcript_does_too() -> None:
    table = table_of(3, seed=3)
    table.start()
    deal = table.deals[0]
    earlier = deal.step - 2
    deal.compare(earlier, deal.record.state_at(earlier).head, bytes(32), table.terms.keys[2])
    assert deal.outcome == Stopped(earlier, Seat(2))
    report = audit(write_transcript(deal), seeded_draw(1), table.group)
    assert (report.ok, report.check, report.step, report.seat) == (False, "stopped", earlier, None)


@pytest.mark.parametrize("late", [False, True])
def test_a_stopped_deal_still_turns_void_by_two_stories_so_a_lie_about_digests_hides_no_fork(
    late: bool,
) -> None:
    table = table_of(3, seed=3)
    table.start()
    deal = table.deals[0]
    step = deal.step + 1 if late else deal.step - 1
    one, two = (
        sign_entry(table.identities[1], Entry(deal.table_id, 1, step, 1, bytes([head]) * 32, SealBody()))
        for head in (1, 2)
    )
    deal.compare(deal.step, deal.head, bytes(32), table.terms.keys[1])
    assert isinstance(deal.outcome, Stopped)
    deal.receive(one)
    deal.receive(two)
    assert isinstance(deal.outcome, Void)
    assert (deal.outcome.seat, deal.outcome.check, deal.outcome.step) == (1, "fork", step)
    verify_evidence(deal.outcome.evidence, seeded_draw(2), table.group)


def test_in_a_stopped_deal_nothing_is_judged_any_more() -> None:
    table = table_of(3, seed=3)
    table.start()
    deal = table.deals[0]
    deal.compare(deal.step, deal.head, bytes(32), table.terms.keys[1])
    entry = Entry(deal.table_id, 1, deal.step, 1, deal.head, SealBody())
    assert deal.receive(sign_entry(table.identities[1], entry)) == ()
    assert isinstance(deal.outcome, Stopped)


def test_progress_and_trust_count_what_was_verified() -> None:
    table = table_of(3, seed=9)
    table.start()
    deal = table.deals[0]
    assert [one.checked_by for one in deal.shuffles] == [3, 3, 3]
    assert [one.seat for one in deal.shuffles] == list(deal.state.order)
    table.play()
    trust = deal.trust
    assert trust.shuffles == 3
    assert trust.seals == 3 * trust.seals_complete
    assert trust.packets_opened == sum(isinstance(h.event, engine.Revealed) for h in table.happened[0])
    assert (
        trust.repacks == sum(isinstance(h.event, engine.PickedUp) for h in table.happened[0])
        or deal.state.over
    )
    assert all(one.key_proven and one.shuffles == 1 for one in trust.seats)


def test_an_identity_that_does_not_hold_the_seat_is_refused() -> None:
    table = table_of(2)
    with pytest.raises(ValueError, match="seat"):
        Deal(table.terms, OwnSeat(Seat(0), table.identities[1]), seeded_draw(1), table.group)
