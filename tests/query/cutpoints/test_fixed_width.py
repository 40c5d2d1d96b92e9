"""Fixed width: the least width, checked against trying every one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.query.cutpoints.fixed_width import FixedWidth, least_width
from tests.effort import examples
from tests.query.cutpoints.examples import TABLE_3, check_bins, extents, members, variables


def slow_width(values: list[int], minimum: int) -> int | None:
    """Try every width, count every bin from the first that has a value to the last."""
    for width in range(1, 2 * max(abs(value) for value in values) + 3):
        number = [-(-value // width) for value in values]
        if all(number.count(i) >= minimum for i in range(min(number), max(number) + 1)):
            return width
    return None


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.integers(-40, 60), min_size=1, max_size=30), st.integers(1, 5))
def test_the_least_width_is_that_of_trying_all(values: list[int], minimum: int) -> None:
    steps, counts = np.unique(values, return_counts=True)
    assert least_width(steps.astype(np.int64), counts.astype(np.int64), minimum) == slow_width(values, minimum)


@pytest.mark.slow
@settings(max_examples=examples(3000), deadline=None)
@given(st.lists(st.integers(-300, 600), min_size=1, max_size=80), st.integers(1, 9))
def test_the_least_width_is_that_of_trying_all_many_times(values: list[int], minimum: int) -> None:
    steps, counts = np.unique(values, return_counts=True)
    assert least_width(steps.astype(np.int64), counts.astype(np.int64), minimum) == slow_width(values, minimum)


def test_a_width_above_the_least_may_fail() -> None:
    """Width 2 serves and width 3 does not, so that a bisection may miss the least one."""
    values = [1, 2, 3, 4]
    assert slow_width(values, 2) == 2
    assert [-(-value // 3) for value in values].count(2) == 1
    assert least_width(np.array(values), np.ones(4, dtype=np.int64), 2) == 2


def test_table_3() -> None:
    bins = FixedWidth(minimum=2).cut(TABLE_3)
    assert bins.cuts == (2.0, 4.0)
    assert bins.labels == ("up to 2", "3 to 4", "above 4")
    assert extents(TABLE_3, bins) == [(1, 2), (4, 4), (5, 6)]  # the paper prints 1-2, 3-4, 5-6: the limits of the bins


@settings(max_examples=examples(25), deadline=None)
@given(variables, st.integers(1, 6), st.sampled_from([None, 0.5, 7.0]), st.sampled_from([None, 0.0, 3.5]))
def test_bins_are_equally_wide_and_full(
    values: np.ndarray, minimum: int, grain: float | None, start: float | None
) -> None:
    method = FixedWidth(minimum=minimum, grain=grain, start=start)
    if len(values) < minimum:
        with pytest.raises(DataError, match="at least 'minimum'"):
            method.cut(values)
        return
    bins = method.cut(values)
    check_bins(values, bins, minimum)
    if bins.n_bins > 3:
        assert np.allclose(np.diff(bins.cuts), bins.cuts[1] - bins.cuts[0])
    if bins.n_bins > 1 and grain is not None:
        steps = (np.array(bins.cuts) - (start or 0.0)) / grain
        assert np.allclose(steps, np.rint(steps), atol=1e-6)


def test_outer_bins_are_as_wide_as_the_others_or_narrower() -> None:
    values = np.random.default_rng(3).normal(size=500)
    bins = FixedWidth(minimum=8).cut(values)
    width = bins.cuts[1] - bins.cuts[0]
    assert values.min() > bins.cuts[0] - width
    assert values.max() <= bins.cuts[-1] + width + 1e-9


def test_neither_the_smallest_value_nor_the_exact_width_is_published() -> None:
    values = np.random.default_rng(4).lognormal(10, 0.3, 3000)
    bins = FixedWidth(minimum=30).cut(values)
    assert bins.n_bins >= 3
    width = bins.cuts[1] - bins.cuts[0]
    assert width == float(f"{width:.3g}")  # three significant digits at most
    downwards = bins.cuts[0] - width * np.arange(1, 50)
    assert np.min(np.abs(downwards - values.min())) > 1e-6 * values.min()


def test_whole_numbers_get_whole_widths_and_grains_are_kept() -> None:
    ages = np.random.default_rng(1).integers(18, 96, 2000).astype(float)
    bins = FixedWidth(minimum=60).cut(ages)
    assert bins.whole
    assert all(cut == int(cut) for cut in bins.cuts)
    assert all(cut % 5 == 0 for cut in FixedWidth(minimum=60, grain=5).cut(ages).cuts)


def test_edge_cases() -> None:
    assert FixedWidth(minimum=3).cut(np.full(9, 7.0)).n_bins == 1
    assert FixedWidth(minimum=3).cut(np.array([1.0, 2, 3, 4, 5])).n_bins == 1  # too few for two bins
    assert FixedWidth(minimum=2, start=0).cut(np.array([-1.0, 1, 2, 3, 4, 5])).n_bins == 1  # one value below the start
    assert FixedWidth(minimum=1).cut(np.array([1e300, 2e300, -1e300])).n_bins > 1
    assert members(np.array([5.0, np.nan]), FixedWidth(minimum=1).cut(np.array([5.0, np.nan]))) == [[5.0]]
    with pytest.raises(ParameterError, match="whole number, at least 1"):
        FixedWidth(minimum=0)


def test_the_best_of_ten_starts_is_taken() -> None:
    ages = np.random.default_rng(7).normal(50, 14, 800).round()
    assert 10 < ages.max() - ages.min() <= 100
    first = np.ceil(ages.min() / 10) * 10 - 10
    bins = FixedWidth(minimum=15, grain=1).cut(ages)
    tried = [
        FixedWidth(minimum=15, grain=1, start=start).cut(ages)
        for start in np.arange(first, min(first + 10, ages.min()))
    ]
    widths = [found.cuts[1] - found.cuts[0] for found in tried if found.n_bins > 2]
    assert bins.cuts[1] - bins.cuts[0] == min(widths)
    assert bins in tried
