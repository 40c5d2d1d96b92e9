"""Bins of residual plots: published cutpoints first, never a value of a record."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.cutpoints.bins import Bins
from tacita.query.residuals.binning import BinGroups, fewer_bins, quantile_bins
from tests.effort import examples


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(2, 6), st.integers(1, 30))
def test_fewer_bins_keep_published_cutpoints_and_minimum_counts(counts: list[int], most: int, count: int) -> None:
    bins = Bins(cuts=tuple(float(c) for c in range(1, len(counts))))
    made = fewer_bins(bins, np.array(counts), most, count)
    assert set(made.cuts) <= set(bins.cuts)
    assert made.n_bins <= most
    values = np.repeat(np.arange(0.5, len(counts)), counts)
    found = np.bincount(made.codes(values), minlength=made.n_bins)
    assert made.n_bins == 1 or found.min() >= count


def test_quantile_bins_have_enough_records_and_show_no_value() -> None:
    x = np.random.default_rng(2).lognormal(5, 1, 1000)
    made = quantile_bins(x, 20, 30)
    assert 4 <= made.n_bins <= 20
    assert np.bincount(made.codes(x)).min() >= 30
    assert not set(made.cuts) & set(x)


def test_quantile_bins_of_few_and_of_bounded_values() -> None:
    assert quantile_bins(np.arange(15.0), 20, 10).cuts == ()
    bounded = quantile_bins(np.random.default_rng(2).beta(1, 9, 500), 10, 10, low=0.0, high=1.0)
    assert bounded.low == 0
    assert bounded.high == 1
    assert all(0 < cut < 1 for cut in bounded.cuts)


def test_groups_hide_small_bins_and_round_counts() -> None:
    made = BinGroups.of_bins(Bins(cuts=(1.0, 2.0)), np.repeat([0.5, 1.5, 2.5], [4, 27, 14]), 10)
    assert made.shown.tolist() == [False, True, True]
    assert made.suppressed == ("up to 1",)
    assert made.counts(10).tolist() == [0, 30, 10]
    assert made.x == pytest.approx([0.5, 1.5, 2.5])
