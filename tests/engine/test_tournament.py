"""The tournament: rows, rates with their intervals, and what is asked of them."""

import pytest

from engine import Ruleset
from engine.sim import run
from engine.tournament import RULES, Bound, Decisions, Rate, Row, mixes, play_mix, rows

PAGAT = Ruleset.preset("pagat")
AMONG_HONEST = ("honest", "honest", "honest", "counting")


def test_every_mix_is_a_way_to_fill_the_table():
    assert len(mixes(4)) == 15
    assert mixes(2, ("a", "b")) == (("a", "a"), ("a", "b"), ("b", "b"))


@pytest.mark.parametrize("bots", mixes(2))
def test_rates_of_a_mix_count_each_deal_once(bots):
    result = play_mix(4, PAGAT, 3, bots)
    assert result.bots == bots
    assert sum(rate.count for rate in result.loses.values()) == 4 - result.void.count
    assert sum(rate.count for rate in result.wins.values()) == 4 - result.void.count
    assert sum(rate.total for rate in result.loses.values()) == 8
    for rate in (*result.loses.values(), *result.wins.values(), result.void):
        assert 0 <= rate.low <= rate.share <= rate.high <= 1


def test_a_mix_is_repeatable_by_its_seed():
    first, second, other = (play_mix(5, PAGAT, seed, ("counting", "honest")) for seed in (9, 9, 10))
    assert (first.loses, first.moves) == (second.loses, second.moves)
    assert first.moves != other.moves


def test_a_deal_over_the_limit_is_void_for_everybody():
    result = play_mix(3, PAGAT, 1, ("honest",) * 3, limit=4)
    assert result.void == Rate.of(3, 3)
    assert result.loses["honest"].count == result.wins["honest"].count == 0


def test_every_decision_of_every_policy_is_timed():
    result = play_mix(2, PAGAT, 1, ("random", "honest", "counting"))
    assert set(result.decisions) == {"random", "honest", "counting"}
    for decisions in result.decisions.values():
        assert decisions.count > 5
        assert 0 < decisions.mean_s <= decisions.longest_s <= decisions.seconds
    # All turns are chosen; in pagat the removal of fours is chosen besides.
    assert sum(decisions.count for decisions in result.decisions.values()) >= result.moves


def test_slow_decisions_are_the_ones_that_are_remembered():
    decisions = Decisions().with_one(0.25).with_one(0.5).with_one(0.25)
    assert (decisions.count, decisions.longest_s, decisions.mean_s) == (3, 0.5, pytest.approx(1 / 3))
    assert Decisions().mean_s == 0


def asked(row: Row) -> list[tuple[str, float, str | None]]:
    return [(bound.what, bound.share, bound.policy) for bound in row.bounds]


def test_what_is_asked_of_the_counting_bot_in_each_form():
    void = ("void", 0.01, None)
    loses_2, loses_12 = ("loses", 0.02, "counting"), ("loses", 0.12, "counting")
    found = {(row.rules, row.bots[0]): asked(row) for row in rows()}
    assert found == {
        ("club", "honest"): [("wins", 0.8, "counting"), void],
        ("club", "random"): [("wins", 0.5, "counting"), void],
        **{
            (name, other): [loses_2, void]
            for name in (RULES[1], *RULES[3:])
            for other in ("honest", "random")
        },
        ("pagat", "honest"): [loses_12, void],
        ("pagat", "random"): [loses_12, void],
    }
    assert all(row.bots.count("counting") == 1 and len(row.bots) == 4 for row in rows())


def test_every_mix_is_asked_to_end_its_deals():
    found = rows(["pagat"], every_mix=True)
    assert [row.bots for row in found] == list(mixes(4))
    assert all(("void", 0.01, None) in asked(row) for row in found)
    assert [row.bots for row in found if len(row.bounds) == 2] == [
        row.bots for row in reversed(rows(["pagat"]))
    ]


def test_rows_play_by_their_own_rules():
    assert [row.ruleset.end for row in rows(["club", "club-sole-loser"])] == [
        "first_out",
        "first_out",
        "sole_loser",
        "sole_loser",
    ]
    result = Row("club", AMONG_HONEST).play(3, 1)
    assert sum(rate.count for rate in result.loses.values()) == 0
    assert sum(rate.count for rate in result.wins.values()) == 3


def test_a_bound_is_kept_at_its_very_edge_but_for_void_deals():
    result = play_mix(4, PAGAT, 3, ("honest", "counting"))
    loses, wins = result.loses["counting"].share, result.wins["counting"].share
    assert Bound("loses", loses, "counting").kept(result)
    assert not Bound("loses", loses - 0.01, "counting").kept(result)
    assert Bound("wins", wins, "counting").kept(result)
    assert not Bound("wins", wins + 0.01, "counting").kept(result)
    assert Bound("void", 0.01).kept(result)
    assert not Bound("void", 0.0).kept(result)


def test_the_stopwatch_changes_no_decision():
    bots = ("counting", "honest", "random")
    plain, timed = run(5, 3, PAGAT, 4, bots), play_mix(5, PAGAT, 4, bots)
    assert plain.moves == timed.moves
    assert {name: rate.share for name, rate in timed.loses.items()} == pytest.approx(plain.loses)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # Worked by hand from Wilson's formula with z = 1.96.
    [(0, 100, 0.0, 0.037), (25, 100, 0.1754, 0.343), (100, 100, 0.963, 1.0), (226, 2000, 0.0998, 0.1276)],
)
def test_intervals_are_wilsons(count, total, low, high):
    rate = Rate.of(count, total)
    assert (rate.low, rate.high) == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))
    assert Rate.of(0, 0) == Rate(0, 0, 0.0, 0.0, 1.0)
