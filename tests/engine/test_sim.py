"""Deals on the model: repeatable figures, rotating seats, void deals, and how well each policy plays."""

from dataclasses import asdict

import pytest

from engine import VARIATIONS, Ruleset, RulesetError
from engine.sim import run

PAGAT = Ruleset.preset("pagat")
OTHERS = ("honest", "honest", "honest")


def figures(result):
    """Everything but the time taken."""
    return {
        name: value for name, value in asdict(result).items() if name not in ("seconds", "moves_per_second")
    }


def test_the_same_seed_gives_the_same_figures():
    first = run(10, 4, PAGAT, 5, ("counting", *OTHERS))
    assert figures(run(10, 4, PAGAT, 5, ("counting", *OTHERS))) == figures(first)
    assert figures(run(10, 4, PAGAT, 6, ("counting", *OTHERS))) != figures(first)


def test_result_has_the_keys_that_scripts_rely_on():
    result = asdict(run(2, 2, PAGAT, 1, ("random", "honest")))
    keys = ["deals", "void", "moves", "seconds", "moves_per_second", "loses", "wins"]
    assert list(result) == keys
    assert result["deals"] == 2
    assert result["moves_per_second"] == pytest.approx(result["moves"] / result["seconds"])


def test_each_deal_has_one_loser_and_one_winner_among_the_seats():
    result = run(12, 4, PAGAT, 2, ("random", "random", "honest", "honest"))
    assert 2 * 12 * (result.loses["random"] + result.loses["honest"]) == pytest.approx(12)
    assert 2 * 12 * (result.wins["random"] + result.wins["honest"]) == pytest.approx(12)


def test_equal_players_lose_equally_often_since_seats_rotate():
    result = run(20, 3, PAGAT, 2, ("honest",) * 3)
    assert result.loses == {"honest": pytest.approx(1 / 3)}


def test_a_deal_over_the_turn_limit_is_void_and_counts_for_nobody():
    result = run(5, 3, PAGAT, 2, ("honest",) * 3, limit=4)
    assert (result.void, result.moves) == (5, 20)
    assert result.loses == {"honest": 0.0}
    assert result.wins == {"honest": 0.0}


@pytest.mark.parametrize("name", ["encyclopedia-no-veryu", "dictionary-no-veryu"])
def test_deals_of_careful_players_end_also_where_nobody_can_say_veryu(name):
    result = run(12, 4, VARIATIONS[name].ruleset, 1, ("counting",) * 4)
    assert result.void == 0


def test_nobody_loses_where_the_first_out_wins():
    rules = Ruleset.preset("dictionary").with_(end="first_out", next_dealer="left")
    result = run(5, 3, rules, 2, ("random",) * 3)
    assert result.loses == {"random": 0.0}
    assert result.wins == {"random": pytest.approx(1 / 3)}


def test_wrong_tables_are_refused():
    with pytest.raises(ValueError, match="as many bots"):
        run(1, 3, PAGAT, 1, ("random",))
    with pytest.raises(ValueError, match="no policy"):
        run(1, 2, PAGAT, 1, ("random", "clever"))
    with pytest.raises(RulesetError):
        run(1, 7, PAGAT, 1, ("random",) * 7)


def test_no_deals_give_no_figures():
    result = run(0, 2, PAGAT, 1, ("random", "honest"))
    assert (result.deals, result.moves, result.loses) == (0, 0, {"random": 0.0, "honest": 0.0})


def test_counting_loses_seldom_among_honest_players():
    result = run(120, 4, PAGAT, 11, ("counting", *OTHERS))
    assert result.loses["counting"] <= 0.12
    assert result.wins["counting"] > 0.4


def test_counting_hardly_ever_loses_among_random_players():
    result = run(40, 4, PAGAT, 11, ("counting", "random", "random", "random"))
    assert result.loses["counting"] <= 0.03
    assert result.void == 0


def test_honest_players_lose_less_than_random_ones():
    result = run(40, 4, PAGAT, 4, ("honest", "honest", "random", "random"))
    assert result.loses["honest"] < result.loses["random"] / 3


@pytest.mark.parametrize("others", ["honest", "random"])
@pytest.mark.parametrize("form", ["encyclopedia", "dictionary", "club-sole-loser"])
def test_counting_hardly_ever_loses_in_the_other_forms(form, others):
    rules = VARIATIONS[form].ruleset if form in VARIATIONS else Ruleset.preset(form)
    result = run(60, 4, rules, 12, ("counting", *(others,) * 3))
    assert result.loses["counting"] <= 0.035
    assert result.void == 0


@pytest.mark.parametrize(("others", "least"), [("honest", 0.8), ("random", 0.5)])
def test_counting_is_mostly_the_first_out_in_club(others, least):
    result = run(100, 4, Ruleset.preset("club"), 13, ("counting", *(others,) * 3))
    assert result.wins["counting"] >= least
    assert result.loses == {"counting": 0.0, others: 0.0}
