"""Smoothing of donors: distributions and ranges of groups stay, values of single records do not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacita.numeric.synthesis.smoothing import SmoothGroups, shared_by_many


def test_ends_are_the_neighbours_among_distinct_values_of_the_group() -> None:
    """Against the definition, value by value, for groups of any size and with ties."""
    rng = np.random.default_rng(1)
    values, groups = rng.integers(0, 40, 200).astype(float), rng.integers(0, 7, 200)
    for reach in (1, 3):
        made = SmoothGroups.of(values, groups, reach=reach)
        for i in range(200):
            own = np.unique(values[groups == groups[i]])
            p = int(np.searchsorted(own, values[i]))
            stays = (values == values[i]).sum() >= 10
            low, high = own[max(p - reach, 0)], own[min(p + reach, len(own) - 1)]
            assert (made.low[i], made.high[i]) == ((values[i], values[i]) if stays else (low, high))


@pytest.mark.parametrize("draw", ["normal", "lognormal", "uniform"])
def test_a_distribution_stays(draw: str) -> None:
    """Of 300 values in one group, however skewed: a test of 3000 draws against them does not see the difference."""
    rng = np.random.default_rng(2)
    values = getattr(rng, draw)(size=300)
    moved = SmoothGroups.of(values).draw(rng.integers(0, 300, 3000), rng)
    assert stats.ks_2samp(moved, values).pvalue > 0.05
    assert abs(moved.std() / values.std() - 1) < 0.1
    assert not np.isin(moved, values).any()
    assert values.min() <= moved.min()
    assert moved.max() <= values.max()


def test_what_many_share_stays_and_what_few_have_does_not() -> None:
    rng = np.random.default_rng(3)
    values = np.concatenate([np.zeros(10), np.arange(1.0, 11.0)])
    donors = np.repeat(np.arange(20), 50)
    moved = SmoothGroups.of(values).draw(donors, rng)
    assert (moved[donors < 10] == 0).all()
    assert (moved[donors >= 10] != values[donors[donors >= 10]]).all()


def test_a_group_of_one_value_stays() -> None:
    values, groups = np.array([4.0, 4.0, 9.0]), np.array([0, 0, 1])
    assert SmoothGroups.of(values, groups).draw(np.arange(3), np.random.default_rng(4)).tolist() == [4.0, 4.0, 9.0]
    assert SmoothGroups.of(np.array([])).low.size == 0


def test_sharing_is_counted_over_the_column() -> None:
    assert shared_by_many(np.array([1.0, 2.0, 1.0]), 2).tolist() == [True, False, True]
