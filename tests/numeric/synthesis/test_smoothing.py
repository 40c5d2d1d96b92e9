"""Smoothing of donors: moments and ranges of groups stay, values of single records do not."""

from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.smoothing import SmoothGroups, rank_groups, shared_by_many


def test_a_group_keeps_mean_variance_and_range() -> None:
    """Of 100 000 draws from normal values; the mirror at the ends takes a little of the variance."""
    rng = np.random.default_rng(1)
    values = rng.normal(10, 3, 400)
    groups = np.zeros(400, np.int64)
    donors = rng.integers(0, 400, 100_000)
    moved = SmoothGroups.of(values, groups).move(donors, rng)
    assert abs(moved.mean() - values.mean()) < 0.05
    assert abs(moved.std() / values.std() - 1) < 0.02
    assert moved.min() >= values.min()
    assert moved.max() <= values.max()
    assert not np.isin(moved, values[1:-1]).any() or np.isin(moved, values).mean() < 0.01


def test_what_many_share_stays_and_what_few_have_does_not() -> None:
    rng = np.random.default_rng(2)
    values = np.concatenate([np.zeros(10), np.arange(1.0, 11.0)])
    groups = np.zeros(20, np.int64)
    donors = np.repeat(np.arange(20), 50)
    moved = SmoothGroups.of(values, groups).move(donors, rng)
    assert (moved[donors < 10] == 0).all()
    assert (
        moved[(donors >= 10) & (values[donors] < 10)] != values[donors[(donors >= 10) & (values[donors] < 10)]]
    ).all()


def test_a_group_of_one_value_stays() -> None:
    rng = np.random.default_rng(3)
    values, groups = np.array([4.0, 4.0, 9.0]), np.array([0, 0, 1])
    moved = SmoothGroups.of(values, groups).move(np.arange(3), rng)
    assert moved.tolist() == [4.0, 4.0, 9.0]


def test_groups_of_ranks_hold_neighbours() -> None:
    values = np.random.default_rng(4).permutation(95).astype(float)
    groups = rank_groups(values, 10)
    counts = np.bincount(groups)
    assert counts.min() >= 10
    assert (np.diff(groups[np.argsort(values)]) >= 0).all()
    assert rank_groups(np.array([]), 10).size == 0
    assert rank_groups(np.arange(3.0), 10).tolist() == [0, 0, 0]


def test_a_skewed_group_keeps_its_mean() -> None:
    """Exactly, in expectation: the middles of all stretches have the mean of the values."""
    values = np.random.default_rng(5).lognormal(0, 2, 60)
    groups = np.repeat(np.arange(6), 10)
    found = SmoothGroups.of(values, groups)
    middles = (found.low + found.high) / 2
    for group in range(6):
        assert np.isclose(middles[groups == group].mean(), values[groups == group].mean())


def test_sharing_is_counted_over_the_column() -> None:
    assert shared_by_many(np.array([1.0, 2.0, 1.0]), 2).tolist() == [True, False, True]
