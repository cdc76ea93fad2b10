"""Whole deals in memory by every form and variation that the network carries, each audited."""

from collections import Counter

import pytest
from deal_players import Table, restart, seeded_draw, table_of

from engine import VARIATIONS, IndexDrawn, Ruleset
from p2p.protocol.audit import audit
from p2p.protocol.carried import as_carried
from p2p.protocol.effects import Finished
from p2p.protocol.entry import Kind, opened_slots
from p2p.protocol.transcript import write_transcript


def played(players: int, rules: Ruleset, seed: int = 1, **options: object) -> Table:
    """A deal played to its end by random moves, the same for everybody, and approved by the auditor."""
    table = table_of(players, rules=rules, seed=seed, watchers=1, **options)
    table.start()
    table.play(steps=6000)
    assert all(len(seen) == 1 for seen in table.digests.values())
    outcomes = {deal.outcome for deal in table.deals}
    assert len(outcomes) == 1
    outcome = outcomes.pop()
    assert isinstance(outcome, Finished), outcome
    assert all(deal.settled and not deal.noise for deal in table.deals)
    texts = {write_transcript(deal) for deal in table.deals}
    assert len(texts) == 1
    report = audit(texts.pop(), seeded_draw("audit"), table.group)
    assert report.ok, report
    assert (report.loser, report.winner) == (outcome.loser, outcome.winner)
    assert (outcome.loser is None) == (rules.end == "first_out")
    check_opening_rule(table)
    return table


ENTITLING = {Kind.SHUFFLE, Kind.CALL, Kind.ANSWER, Kind.COIN, Kind.PICK_UP, Kind.DRAW}


def check_opening_rule(table: Table) -> None:
    """Read off the entries alone: no share of any kind before a complete seal that is later than what
    entitles its reader, and later than the shuffle that made its slots.
    """
    sealed = entitled = -1
    record = table.deals[0].record
    steps = [
        [signed.open() for signed in record.accepted_at(at).values()] for at in range(table.deals[0].step)
    ]
    for step, entries in enumerate(steps):
        kinds = {entry.kind for entry in entries}
        if kinds & {Kind.SHARES, Kind.REVEAL}:
            assert sealed > entitled
        if Kind.SEAL in kinds:
            assert len(entries) == table.players
            sealed = step
        if kinds & ENTITLING:
            entitled = step
    made = {card.slot: card.made_at for card in table.deals[0].readers}
    seals = [step for step, entries in enumerate(steps) if entries[0].kind is Kind.SEAL]
    for step, entries in enumerate(steps):
        for entry in entries:
            slots = entry.body.slots if entry.kind in {Kind.SHARES, Kind.REVEAL, Kind.SETS} else ()
            assert all(any(made[slot] < seal < step for seal in seals) for slot in slots)


def kinds_of(table: Table) -> Counter[Kind]:
    """How many entries of each kind the deal has."""
    return Counter(signed.open().kind for signed in table.deals[0].record.all_entries())


FORMS = ("club", "pagat", "encyclopedia", "dictionary")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_played_to_its_end(form: str) -> None:
    played(3, as_carried(Ruleset.preset(form)), seed=3)


@pytest.mark.parametrize("name", VARIATIONS)
def test_every_named_variation_is_played_to_its_end(name: str) -> None:
    played(3, as_carried(VARIATIONS[name].ruleset))


OTHERS: dict[str, tuple[int, Ruleset]] = {
    name: (players, Ruleset.with_preset(form, options))
    for name, players, form, options in (
        ("one card by the caller", 3, "dictionary", {"check": "one_by_caller"}),
        ("one random card in club", 3, "club", {"claim_number": "honest", "check": "one_random"}),
        ("announced exits", 3, "dictionary", {"out_call": "manual", "pack": 24}),
        ("announced exits and a stock", 3, "dictionary", {"out_call": "manual", "deal": "hand", "pack": 24}),
        (
            "everything that is hidden at once",
            4,
            "dictionary",
            {"callers": "any", "check": "one_random", "deal": "hand", "refill": "every_turn", "burn": 1},
        ),
        ("open calls that pick a card", 4, "dictionary", {"callers": "any", "check": "one_by_caller"}),
        (
            "open calls in rotation",
            3,
            "pagat",
            {"callers": "any", "open_turn": "normal_rotation", "pack": 24},
        ),
        ("a pending player must be called", 3, "dictionary", {"must_call_pending": "yes", "callers": "any"}),
        ("no claim repeated", 2, "pagat", {"stall_guard": "no_repeat_claim", "pack": 24}),
        (
            "ranks that rise and aces that are silent",
            3,
            "dictionary",
            {"rank_rule": "ascending", "no_aces": "yes"},
        ),
        (
            "a rank chosen after each round",
            3,
            "encyclopedia",
            {"rank_rule": "ascending", "ascending_after_pickup": "choose"},
        ),
        ("retired ranks", 2, "pagat", {"retired_ranks": "barred", "follow_max": "live_copies", "pack": 24}),
        ("the old rank after a wrong doubt", 3, "dictionary", {"rank_after_wrong_ne": "same", "lead_min": 2}),
        ("every lead of one card exempt", 3, "dictionary", {"lead_exempt": "any_round_lead"}),
        ("a punished zero", 3, "dictionary", {"illegal_zero": "penalty"}),
        (
            "eights of two packs",
            3,
            "dictionary",
            {"packs": 2, "pack": 24, "sets": "forced", "set_size": "copies", "sets_at_deal": "yes"},
        ),
        ("the first out wins", 4, "encyclopedia", {"end": "first_out", "next_dealer": "left"}),
    )
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_options_are_played_to_their_end(name: str) -> None:
    players, rules = OTHERS[name]
    played(players, rules, seed=2)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("one card by the caller", {Kind.CALL}),
        ("one random card in club", {Kind.COIN_COMMIT, Kind.COIN}),
        ("announced exits", {Kind.OUT}),
        ("everything that is hidden at once", {Kind.DRAW, Kind.ANSWER, Kind.COIN, Kind.REVEAL, Kind.PICK_UP}),
        ("eights of two packs", {Kind.SETS}),
    ],
)
def test_the_entries_of_an_option_really_occur(name: str, kinds: set[Kind]) -> None:
    players, rules = OTHERS[name]
    found: set[Kind] = set()
    for seed in range(5):
        found |= set(kinds_of(played(players, rules, seed=seed)))
        if kinds <= found:
            return
    assert kinds <= found


def test_messages_in_any_order_change_nothing_where_everything_is_hidden() -> None:
    players, rules = OTHERS["everything that is hidden at once"]
    played(players, rules, seed=5, shuffled=True)


def test_twelve_seats_play_with_two_packs() -> None:
    rules = as_carried(Ruleset.preset("club")).with_(pack=52)
    table = played(12, rules, seed=1)
    assert len(table.deals[0].state.order) == 12
    assert table.deals[0].state.ruleset.cards == 104


def test_only_the_checked_card_is_opened_and_the_rest_of_the_packet_stays_unseen() -> None:
    for check in ("one_random", "one_by_caller"):
        table = played(3, Ruleset.with_preset("dictionary", {"check": check}), seed=4)
        record = table.deals[-1].record
        for signed in record.all_entries():
            entry = signed.open()
            if entry.kind is Kind.REVEAL:
                state = record.state_at(entry.step)
                assert state is not None
                assert len(entry.body.slots) == 1
                assert state.game.table[-1].slots[state.game.index] == entry.body.slots[0]
        readings = {reading.slot: reading for reading in table.deals[-1].readers}
        unseen = [card for card in table.deals[-1].state.removed if card.face is None]
        assert all(readings[card.slot].face is None for card in unseen)


def test_the_place_of_the_checked_card_follows_from_all_coins_and_varies() -> None:
    places = Counter(
        event.event.index
        for seed in range(6)
        for event in played(3, OTHERS["one random card in club"][1], seed=seed).happened[0]
        if isinstance(event.event, IndexDrawn)
    )
    assert len(places) > 2


def test_forced_sets_are_shown_by_the_program_and_by_nobody_else() -> None:
    table = played(3, Ruleset.with_preset("pagat", {"sets": "forced"}), seed=1)
    deal = table.deals[-1]
    asked = [
        deal.record.state_at(signed.open().step)
        for signed in deal.record.all_entries()
        if signed.open().kind is Kind.SETS
    ]
    assert asked
    assert not any(owed.choice for state in asked for owed in state.owed)


@pytest.mark.parametrize("seed", range(2))
def test_seats_that_restart_open_the_very_answers_and_coins_that_they_committed_to(seed: int) -> None:
    players, rules = OTHERS["everything that is hidden at once"]
    table = table_of(players, rules=rules, seed=seed)
    table.start()
    for turn in range(80):
        table.play(until=lambda table, wanted=table.deals[0].step + 3: table.deals[0].step >= wanted)
        if table.deals[0].outcome is not None:
            break
        restart(table, table.rng.randrange(players), (seed, turn))
    table.play(steps=6000)
    assert {type(deal.outcome) for deal in table.deals} == {Finished}
    assert all(len(seen) == 1 for seen in table.digests.values())


def test_a_discarded_pile_stays_unseen() -> None:
    """After a right veryu of the pile nobody but its owners ever read what lay below the packet."""
    tables = (played(3, Ruleset.preset("dictionary"), seed) for seed in range(30))
    deal = next(
        table.deals[-1]
        for table in tables
        if any(card.face is None for card in table.deals[-1].state.removed)
    )
    opened = {slot for s in deal.record.all_entries() for slot in (opened_slots(s.open().body) or ())}
    readers = {reading.slot: reading.readings for reading in deal.readers}
    unseen = [card.slot for card in deal.state.removed if card.face is None]
    assert not opened & set(unseen)
    assert all(None not in {reading.seat for reading in readers[slot]} for slot in unseen)
