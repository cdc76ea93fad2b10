"""Sessions: what is counted, when one is over, who is the best, and the deal that settles a tie."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Ruleset, RulesetError, RulesetFault, Score, Standings

ALL = (0, 1, 2, 3)
TO_TWO = Ruleset.preset("pagat").with_(session="to_n_losses", session_losses=2)
CLUB = Ruleset.preset("club").with_(session="to_n_losses", session_losses=2)


def lost(*losers, winner=None, players=ALL):
    return Score(frozenset(players), frozenset(losers), winner)


def after(rules, *scores, start=None, at_table=ALL):
    standings = start or Standings.zero(4)
    for score in scores:
        standings = standings.after(rules, score, at_table)
    return standings


def test_losses_and_wins_are_counted_for_ever_unless_the_session_goes_to_a_number():
    counted = after(Ruleset.preset("pagat"), *[lost(1, winner=2)] * 5, lost(0, winner=1))
    assert (counted.losses, counted.wins) == ((1, 5, 0, 0), (0, 1, 5, 0))
    assert not counted.over
    assert counted.players(ALL) == ALL
    assert counted.before(ALL) == counted


def test_where_each_deal_stands_alone_nothing_is_counted():
    rules = Ruleset.preset("pagat").with_(session="none")
    assert after(rules, lost(1, winner=2)) == Standings.zero(4)


def test_the_session_ends_with_the_last_loss_and_the_fewest_losses_are_best():
    going = after(TO_TWO, lost(0), lost(1), lost(2))
    assert (going.over, going.players(ALL)) == (False, ALL)
    ended = after(TO_TWO, lost(1, winner=3), start=going)
    assert (ended.losses, ended.losers, ended.best, ended.tied) == ((1, 2, 1, 0), (1,), (3,), False)
    assert ended.players(ALL) == ALL
    assert ended.before(ALL) == Standings.zero(4)
    again = after(TO_TWO, lost(3, winner=0), start=ended)
    assert (again.losses, again.wins, again.over) == ((0, 0, 0, 1), (1, 0, 0, 0), False)


def test_a_tie_is_played_off_by_those_tied_and_the_first_out_is_the_best():
    tied = after(TO_TWO, lost(0), lost(1), lost(1))
    assert (tied.losers, tied.best, tied.tied) == ((1,), (2, 3), True)
    assert tied.players(ALL) == (2, 3)
    assert tied.settles((2, 3))
    assert not tied.settles(ALL)
    assert tied.before((2, 3)) == tied
    settled = after(TO_TWO, lost(2, winner=3, players=(2, 3)), start=tied)
    assert (settled.losers, settled.best, settled.tied, settled.over) == ((1,), (3,), False, True)
    assert (settled.losses, settled.wins) == (tied.losses, tied.wins)
    assert settled.players(ALL) == ALL


def test_a_tie_break_that_broke_off_drops_who_broke_it_or_is_played_again():
    tied = after(TO_TWO, lost(0), lost(0))
    assert tied.best == (1, 2, 3)
    void = after(TO_TWO, lost(2, players=(1, 2, 3)), start=tied)
    assert (void.best, void.players(ALL)) == ((1, 3), (1, 3))
    stopped = after(TO_TWO, lost(players=(1, 3)), start=void)
    assert stopped == void
    assert after(TO_TWO, lost(3, players=(1, 3)), start=void).best == (1,)
    # If all are to blame nobody is better than another.
    assert after(TO_TWO, lost(1, 3, players=(1, 3)), start=void).best == (1, 3)


def test_who_has_gone_is_no_best_and_plays_off_no_tie():
    assert after(TO_TWO, lost(0), lost(0), at_table=(0, 1)).best == (1,)
    tied = after(TO_TWO, lost(0), lost(0))
    assert tied.players((0, 2, 3)) == (2, 3)
    assert tied.among((0, 3)).best == (3,)
    assert tied.players((0, 3)) == (0, 3)
    # That is no tie-break any more but the first deal of the next session.
    assert tied.before((0, 3)) == Standings.zero(4)
    assert after(TO_TWO, lost(3, players=(0, 3)), start=tied, at_table=(0, 3)).losses == (0, 0, 0, 1)
    assert tied.among((0,)).best == ()
    assert tied.among((0,)).over


def test_several_can_lose_a_session_at_once():
    ended = after(TO_TWO, lost(0, 1), lost(0, 1))
    assert (ended.losers, ended.best) == ((0, 1), (2, 3))


def test_where_the_first_out_wins_the_session_goes_to_so_many_wins():
    going = after(CLUB, lost(winner=1), lost(winner=2), lost(3), lost(3))
    assert (going.wins, going.losses, going.over) == ((0, 1, 1, 0), (0, 0, 0, 2), False)
    ended = after(CLUB, lost(winner=2), start=going)
    assert (ended.losers, ended.best, ended.tied, ended.over) == ((), (2,), False, True)
    assert ended.before(ALL) == Standings.zero(4)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=40), st.integers(1, 4))
def test_every_session_ends_with_one_best_who_has_the_fewest_losses(deals, goal):
    rules = TO_TWO.with_(session_losses=goal)
    standings = Standings.zero(4)
    for last, first in deals:
        players = standings.players(ALL)
        before = standings.before(players)
        loser, winner = players[last % len(players)], players[first % len(players)]
        standings = standings.after(rules, lost(loser, winner=winner, players=players), ALL)
        assert max(standings.losses) <= goal
        assert standings.over == (max(standings.losses) == goal)
        if standings.over:
            fewest = min(standings.losses)
            assert all(standings.losses[seat] == fewest for seat in standings.best)
            assert not set(standings.best) & set(standings.losers)
        if before.tied:
            assert standings.best == (winner,)


def test_the_number_of_losses_is_an_option_of_such_sessions_alone():
    assert Ruleset.preset("pagat").session_losses == 3
    assert TO_TWO.differences() == (("session", "to_n_losses", "count_losses"), ("session_losses", 2, 3))
    assert Ruleset.from_mapping(TO_TWO.to_mapping()) == TO_TWO
    for options in ({"session_losses": 2}, {"session": "none", "session_losses": 99}):
        with pytest.raises(RulesetError) as caught:
            Ruleset.with_preset("pagat", options)
        assert caught.value.reason is RulesetFault.SESSION_LOSSES_NEED_SESSION
    for value in (0, 100, "3", True):
        with pytest.raises(RulesetError) as caught:
            Ruleset.with_preset("pagat", {"session": "to_n_losses", "session_losses": value})
        assert caught.value.reason is RulesetFault.BAD_VALUE
