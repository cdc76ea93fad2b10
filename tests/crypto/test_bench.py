import pytest

from crypto.bench import BenchResult, free_cores, measure


def test_a_small_measurement_fills_every_figure():
    result = measure(cards=4, rounds=2)
    assert isinstance(result, BenchResult)
    assert result.cards == 4
    assert result.proof_bytes == 7 * 32 + 14 * 32
    assert result.cores == free_cores() >= 1
    figures = [getattr(result, name) for name in result.__dataclass_fields__]
    assert all(figure > 0 for figure in figures)


@pytest.mark.parametrize(("cards", "rounds"), [(0, 1), (1, 0)])
def test_measuring_nothing_is_refused(cards, rounds):
    with pytest.raises(ValueError):
        measure(cards, rounds)
