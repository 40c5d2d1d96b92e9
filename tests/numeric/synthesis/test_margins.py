"""Margins: the distribution of a column, none of whose rare values comes out as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacita.numeric.synthesis.margins import class_margin, number_margin

SHARES = (np.arange(20000) + 0.5) / 20000


@pytest.mark.parametrize("kind", ["lognormal", "normal", "cauchy", "ages", "zeros"])
def test_mean_and_spread_stay(kind: str) -> None:
    rng = np.random.default_rng(1)
    x = {
        "lognormal": rng.lognormal(8, 1, 2000),
        "normal": rng.normal(size=600),
        "cauchy": rng.standard_cauchy(500),
        "ages": np.round(rng.normal(40, 15, 600)),
        "zeros": np.where(rng.random(600) < 0.3, 0.0, rng.lognormal(5, 2, 600)),
    }[kind]
    drawn = number_margin(x, 5).values_at(SHARES)
    assert abs(drawn.mean() - x.mean()) < 0.01 * x.std()
    assert 0.8 < drawn.std() / x.std() < 1.02  # of a heavy tail a part is given up
    assert (np.diff(drawn) >= 0).all()
    counts = dict(zip(*np.unique(x, return_counts=True), strict=True))
    rare = [value for value, count in counts.items() if count < 5]
    assert not np.isin(drawn, rare).any()
    for value, count in counts.items():
        if count >= 5:  # a value of many keeps its share
            assert abs((drawn == value).mean() - count / len(x)) < 1e-3


@given(
    hnp.arrays(np.float64, st.integers(5, 60), elements=st.integers(-5, 12).map(float)),
    st.integers(2, 5),
)
def test_any_column_has_a_margin(x: np.ndarray, k: int) -> None:
    """Monotone, ordered shares from 0 to 1, and ranks whose mean is a half, whatever is common and whatever rare."""
    margin = number_margin(x, k)
    assert margin.shares[0] == 0
    assert margin.shares[-1] == 1
    assert (np.diff(margin.shares) >= 0).all()
    assert (np.diff(margin.values) >= -1e-9).all()
    assert np.isfinite(margin.values).all()
    assert abs(margin.ranks_at(SHARES).mean() - 0.5) < 1e-3


def test_an_end_is_not_that_of_one_person() -> None:
    """The largest value is not where the column ends: that is where the mean and the spread of its bin say."""
    x = np.concatenate([np.arange(100.0), [1000.0]])
    largest = number_margin(x, 5).values_at(np.array([1.0]))[0]
    assert largest != 1000
    assert largest < 900
    positive = number_margin(np.random.default_rng(1).lognormal(0, 2, 200), 5)
    assert positive.values_at(np.array([0.0]))[0] >= 0


def test_few_rare_values_between_common_ones_are_a_line() -> None:
    x = np.concatenate([np.zeros(10), [3.0, 4.0], np.full(10, 10.0)])
    margin = number_margin(x, 5)
    drawn = margin.values_at(np.array([0.2, 11 / 22, 0.9]))
    np.testing.assert_allclose(drawn, [0, 5, 10])


def test_classes_that_do_not_occur_never_come() -> None:
    margin = class_margin(np.array([0, 0, 3]), np.array([3, 2, 1, 0]))
    assert set(margin.values_at(SHARES).tolist()) == {0.0, 3.0}
    assert abs((margin.values_at(SHARES) == 3).mean() - 1 / 3) < 1e-3
    assert margin.values_at(np.array([1.0])).tolist() == [0.0]
