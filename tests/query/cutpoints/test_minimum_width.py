"""Minimum width: no cutting has more bins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.query.cutpoints.minimum_width import MinimumWidth, fewest_records
from tests.effort import examples
from tests.query.cutpoints.examples import TABLE_3, check_bins, extents, variables


def most_bins(values: np.ndarray, minimum: int) -> int:
    """The most bins that any cutting between distinct values has, by dynamic programming over all of them."""
    _, counts = np.unique(values, return_counts=True)
    best = {0: 0}
    for end in range(1, len(counts) + 1):
        options = [best[a] + 1 for a in best if counts[a:end].sum() >= minimum]
        if options:
            best[end] = max(options)
    return best[len(counts)]


def test_table_3() -> None:
    bins = MinimumWidth(minimum=2).cut(TABLE_3)
    assert extents(TABLE_3, bins) == [(1, 1), (2, 2), (4, 4), (5, 6)]


@settings(max_examples=examples(25), deadline=None)
@given(variables, st.integers(1, 6))
def test_bins_are_full_and_no_cutting_has_more(values: np.ndarray, minimum: int) -> None:
    if len(values) < minimum:
        with pytest.raises(DataError, match="at least 'minimum'"):
            MinimumWidth(minimum=minimum).cut(values)
        return
    bins = MinimumWidth(minimum=minimum).cut(values)
    check_bins(values, bins, minimum)
    assert bins.n_bins == most_bins(values, minimum)


def test_without_ties_every_bin_has_the_minimum_and_the_last_the_rest() -> None:
    values = np.random.default_rng(0).permutation(107).astype(float)
    bins = MinimumWidth(minimum=10).cut(values)
    assert np.bincount(bins.codes(values)).tolist() == [10] * 9 + [17]
    assert fewest_records(np.array([5]), 5).tolist() == []


def test_cutpoints_are_short_and_no_values() -> None:
    values = np.random.default_rng(0).lognormal(10, 1, 2000)
    bins = MinimumWidth(minimum=100).cut(values)
    assert not set(bins.cuts) & set(values.tolist())
    assert max(len(label.split()[-1]) for label in bins.labels) <= 8
    rounded = MinimumWidth(minimum=100, grain=1000).cut(values)
    assert all(cut % 1000 == 0 for cut in rounded.cuts)
    check_bins(values, rounded, 100)
