"""Rulesets: presets, validation, what is not played yet, and the forms they are written in."""

import pytest

from engine import OPTIONS, Ruleset, RulesetError, RulesetFault, Seat, new_deal
from engine.rules import PRESETS

PAGAT = Ruleset.preset("pagat")


def refusal(form="pagat", **options):
    with pytest.raises(RulesetError) as caught:
        Ruleset.with_preset(form, options)
    return caught.value


def test_pagat_is_what_the_rules_say():
    expected = {
        "form": "pagat",
        "pack": "auto",
        "packs": 1,
        "burn": 1,
        "next_dealer": "left",
        "first_lead": "dealer_left",
        "lead_max": 3,
        "follow_max": 3,
        "claim_number": "honest",
        "veryu": "none",
        "after_bluff": "challenger",
        "sets": "optional",
        "set_size": "four",
        "end": "sole_loser",
        "out_call": "automatic",
    }
    mapping = PAGAT.to_mapping()
    assert {name: mapping[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("burn", True),
        ("burn", 2),
        ("burn", "1"),
        ("lead_min", 0),
        ("lead_min", "none"),
        ("lead_max", -1),
        ("lead_max", "all"),
        ("lead_max", 1000),
        ("follow_max", True),
        ("pack", 40),
        ("pack", "36"),
        ("packs", 3),
        ("sets", "no"),
        ("hand_size", 0),
        ("end", None),
        ("veryu", ("none",)),
    ],
)
def test_a_value_outside_its_domain_is_refused_by_type_and_size(name, value):
    error = refusal(**{name: value})
    assert (error.reason, error.option) == (RulesetFault.BAD_VALUE, name)


@pytest.mark.parametrize(
    ("fault", "options"),
    [
        (RulesetFault.NUMBER_TEST_NEEDS_FREE, {"number_test": "ignored"}),
        (RulesetFault.ONE_CARD_CHECK_WITH_FREE, {"check": "one_random", "claim_number": "free"}),
        (RulesetFault.LOSER_DEALS_NEEDS_LOSER, {"next_dealer": "loser", "end": "first_out"}),
        (RulesetFault.HAND_SIZE_NEEDS_HAND, {"hand_size": 6}),
        (RulesetFault.REFILL_NEEDS_HAND, {"refill": "every_turn"}),
        (
            RulesetFault.SAME_RANK_WITH_ASCENDING,
            {"rank_after_wrong_ne": "same", "rank_rule": "ascending"},
        ),
        (RulesetFault.AFTER_PICKUP_NEEDS_ASCENDING, {"ascending_after_pickup": "choose"}),
        (RulesetFault.OPEN_TURN_NEEDS_OPEN_CALLS, {"open_turn": "normal_rotation"}),
        (RulesetFault.SET_OPTIONS_NEED_SETS, {"sets": "none", "set_size": "copies"}),
        (RulesetFault.SET_OPTIONS_NEED_SETS, {"sets": "none", "sets_at_deal": "yes"}),
        (RulesetFault.LEAD_MIN_OVER_MAX, {"lead_min": 4}),
        (RulesetFault.LEAD_MIN_OVER_MAX, {"lead_min": 5, "lead_max": "copies"}),
        (
            RulesetFault.MUST_CALL_WITHOUT_CALL,
            {"must_call_pending": "yes", "lead_exempt": "any_round_lead"},
        ),
        (RulesetFault.MUST_CALL_WITHOUT_CALL, {"must_call_pending": "yes", "out_call": "manual"}),
    ],
)
def test_a_combination_that_contradicts_itself_is_refused_by_name(fault, options):
    assert refusal(**options).reason is fault


def test_lead_min_up_to_lead_max_is_fine():
    assert PAGAT.with_(lead_min=3).lead_min == 3
    assert PAGAT.with_(lead_min=8, lead_max="copies", packs=2).lead_min == 8
    assert PAGAT.with_(lead_min=9, lead_max="none").lead_min == 9


def test_unknown_names_are_refused():
    assert refusal("poker").reason is RulesetFault.UNKNOWN_FORM
    assert refusal(jokers=2).reason is RulesetFault.UNKNOWN_OPTION
    assert refusal(form="pagat", **{"players": 3}).reason is RulesetFault.UNKNOWN_OPTION
    with pytest.raises(RulesetError):
        Ruleset.preset("poker")
    with pytest.raises(RulesetError) as caught:
        PAGAT.with_(jokers=2)
    assert caught.value.option == "jokers"


def test_mapping_reads_back_and_is_strict():
    mapping = PAGAT.with_(lead_max="copies").to_mapping()
    assert Ruleset.from_mapping(mapping).to_mapping() == mapping
    for name in mapping:
        with pytest.raises(RulesetError) as caught:
            Ruleset.from_mapping({key: value for key, value in mapping.items() if key != name})
        assert (caught.value.reason, caught.value.option) == (RulesetFault.MISSING_OPTION, name)
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_mapping(mapping | {"players": 4})
    assert caught.value.reason is RulesetFault.UNKNOWN_OPTION
    for form in ("poker", 5, None, ["pagat"]):
        with pytest.raises(RulesetError) as caught:
            Ruleset.from_mapping(mapping | {"form": form})
        assert caught.value.reason is RulesetFault.UNKNOWN_FORM


def test_every_option_has_a_field_a_domain_and_a_usual_value():
    assert list(PAGAT.to_mapping()) == ["form", *OPTIONS]
    for changes in PRESETS.values():
        assert all(OPTIONS[name].holds(value) for name, value in changes.items())


def test_differences_are_told_against_the_preset():
    assert PAGAT.differences() == ()
    assert PAGAT.resolve(4).differences(4) == ()
    assert PAGAT.with_(pack=52).resolve(3).differences(3) == (("pack", 52, 36),)
    changed = PAGAT.with_(lead_max="none", burn=0)
    assert changed.differences() == (("burn", 0, 1), ("lead_max", "none", 3))


@pytest.mark.parametrize(
    ("form", "players", "pack"),
    [
        *(("pagat", players, 36 if players < 4 else 52) for players in range(2, 7)),
        *(("encyclopedia", players, 36 if players < 5 else 52) for players in (2, 4, 5, 12)),
        *(("dictionary", players, 36 if players < 5 else 52) for players in (2, 4, 5, 12)),
    ],
)
def test_automatic_pack_follows_the_number_of_players(form, players, pack):
    resolved = Ruleset.preset(form).resolve(players)
    assert (resolved.pack, resolved.packs, resolved.cards) == (pack, 1, pack)
    assert resolved.resolved
    assert resolved.resolve(players) == resolved


def test_a_pack_that_is_asked_for_stays():
    assert PAGAT.with_(pack=24).resolve(6).cards == 24
    assert PAGAT.with_(packs=2).resolve(2).cards == 72
    assert not PAGAT.resolved


@pytest.mark.parametrize(
    ("form", "players", "fault"),
    [
        ("pagat", 1, RulesetFault.TOO_FEW_PLAYERS),
        ("pagat", 0, RulesetFault.TOO_FEW_PLAYERS),
        ("pagat", 7, RulesetFault.TOO_MANY_PLAYERS),
        ("encyclopedia", 13, RulesetFault.TOO_MANY_PLAYERS),
        ("club", 13, RulesetFault.TOO_MANY_PLAYERS),
    ],
)
def test_a_number_of_players_that_the_form_lacks_is_refused(form, players, fault):
    with pytest.raises(RulesetError) as caught:
        Ruleset.preset(form).resolve(players)
    assert caught.value.reason is fault


def test_club_takes_more_than_six_with_two_packs_only():
    club = Ruleset.preset("club")
    assert [club.resolve(players).cards for players in (2, 5, 6, 12)] == [36, 36, 72, 72]
    assert club.with_(packs=1).resolve(6).cards == 36
    with pytest.raises(RulesetError) as caught:
        club.with_(packs=1).resolve(7)
    assert caught.value.reason is RulesetFault.TOO_MANY_PLAYERS


def test_a_draw_pile_needs_cards_that_are_left():
    rules = PAGAT.with_(deal="hand", hand_size=7, pack=36)
    assert rules.resolve(4).cards == 36
    with pytest.raises(RulesetError) as caught:
        rules.resolve(5)
    assert (caught.value.reason, caught.value.option) == (RulesetFault.NO_STOCK_LEFT, "hand_size")
    with pytest.raises(RulesetError) as caught:
        Ruleset.preset("dictionary").with_(deal="hand", hand_size=6, pack=24).resolve(4)
    assert caught.value.reason is RulesetFault.NO_STOCK_LEFT


def test_more_players_than_cards_are_refused():
    with pytest.raises(RulesetError) as caught:
        Ruleset.preset("pagat").with_(pack=24).resolve(25)
    assert caught.value.reason is RulesetFault.TOO_MANY_PLAYERS


def test_automatic_packs_are_two_from_six_players():
    rules = Ruleset.preset("dictionary").with_(packs="auto", pack=36)
    assert [rules.resolve(players).packs for players in (2, 5, 6, 12)] == [1, 1, 2, 2]


def test_two_packs_do_not_raise_the_limit_of_pagat():
    with pytest.raises(RulesetError):
        PAGAT.with_(packs=2).resolve(7)


def test_an_order_that_repeats_a_seat_or_lacks_the_dealer_is_refused():
    with pytest.raises(ValueError, match="once"):
        new_deal(PAGAT, (Seat(0), Seat(0), Seat(1)), Seat(0))
    with pytest.raises(ValueError, match="once"):
        new_deal(PAGAT, (Seat(0), Seat(1)), Seat(2))
