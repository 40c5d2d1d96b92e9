"""Pairs of true and published counts."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.study.census_counts import CountPairs, crossed_pairs, crossings_of


def test_pairs_leave_empty_cells_out() -> None:
    pairs = CountPairs.of(np.array([0, 1, 2, 9]), np.array([0, 3, 0, 9]))
    assert len(pairs) == 3
    assert pairs.mean == pytest.approx(4 / 3)
    assert pairs.largest == 2
    assert pairs.small_shown == 0
    assert pairs.results(1, 5).tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert pairs.results(9, 5).tolist() == [0, 0, 0, 0, 0, 0, 1], "more than the last result"
    assert pairs.distribution(2) == pytest.approx([100 / 3, 0, 200 / 3])
    assert pairs.deviations(2) == pytest.approx([1 / 3, 0, 1 / 3, 0, 1 / 3])
    assert len(pairs.within(2, float("inf"))) == 2
    assert len(CountPairs.joined([pairs, pairs])) == 6
    assert pairs.within(50, 60).mean == 0


def test_crossed_counts_are_those_of_tables() -> None:
    data = tc.samples.census_register(600, seed=1, regions=6)
    other = data.take(np.arange(300))
    found = crossed_pairs(data, other, [("sex", "education")])
    counted = [tc.tabulate(d, ["sex", "education"]) for d in (data, other)]
    inner = (counted[0].codes > 0).all(axis=1) & (counted[0].values > 0)
    assert found.truth.sum() == 600
    assert found.shown.sum() == 300
    assert sorted(found.truth) == sorted(counted[0].values[inner].astype(int))


def test_crossings_are_all_sets() -> None:
    assert crossings_of("abc", (1, 3)) == (("a",), ("b",), ("c",), ("a", "b", "c"))
