import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.figures import median, quantile

VALUES = st.lists(st.floats(0, 1e6), min_size=1, max_size=200)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([5.0], 0.5, 5.0),
        ([3.0, 1.0, 2.0], 0.5, 2.0),
        ([1.0, 2.0, 3.0, 4.0], 0.5, 2.0),
        ([float(n) for n in range(1, 101)], 0.99, 99.0),
        ([float(n) for n in range(1, 201)], 0.99, 198.0),
        ([1.0, 2.0], 0.0, 1.0),
        ([1.0, 2.0], 1.0, 2.0),
    ],
)
def test_a_quantile_is_the_least_value_that_the_share_does_not_exceed(
    values: list[float], share: float, expected: float
) -> None:
    assert quantile(values, share) == expected


@given(VALUES, st.floats(0, 1))
def test_a_quantile_is_one_of_the_values_and_has_its_share_beneath_it(values: list[float], share: float) -> None:
    found = quantile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)


def test_there_is_no_quantile_without_values() -> None:
    with pytest.raises(ValueError, match="a quantile needs values"):
        quantile([], 0.5)


def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two() -> None:
    assert median([4.0, 1.0, 3.0, 2.0]) == 2.5
