"""The measurement of the rules: it measures what its names say."""

from engine.bench import measure


def test_moves_of_the_same_deals_are_measured_early_and_late():
    found = measure(deals=4, seed=1, rounds=1)
    assert found.apply_per_second > found.sim_per_second > 0
    # The cost of a move does not grow with the deal; the wide margin is for a busy machine.
    assert found.early_us > 0
    assert 0 < found.late_us < 5 * found.early_us


def test_deals_too_short_for_a_late_part_leave_it_out():
    found = measure(deals=0, seed=1, rounds=1)
    assert (found.early_us, found.late_us, found.apply_per_second) == (0.0, 0.0, 0.0)
