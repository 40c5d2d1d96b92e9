"""The largest gap of two distribution functions."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.distributions import largest_gap


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([1.0, 2.0], [1.0, 2.0], 0.0),
        ([1.0, 1.0, 1.0, 2.0], [1.0, 2.0], 0.25),  # after 1: 3/4 and 1/2
        ([1.0, 2.0], [3.0], 1.0),
        ([3.0], [1.0, 2.0], 1.0),
    ],
)
def test_by_hand(x: list[float], y: list[float], expected: float) -> None:
    assert largest_gap(np.array(x), np.array(y)) == pytest.approx(expected)


def test_against_scipy() -> None:
    from scipy import stats

    rng = np.random.default_rng(1)
    x, y = rng.normal(size=200).round(1), rng.normal(0.3, 1, 150).round(1)
    assert largest_gap(np.sort(x), np.sort(y)) == pytest.approx(stats.ks_2samp(x, y).statistic)
