from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints.variants import Variants, cell_variants, keep_order, spread_positions
from tests.effort import examples


@given(st.integers(0, 2**32), st.sampled_from([None, 0, 2, -1]), st.floats(0.1, 50))
@settings(max_examples=examples(60), deadline=None)
def test_variants_keep_decimals_bounds_zeros_and_gaps(seed: int, decimals: int | None, apart: float) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(20, 30, 400)
    values = values if decimals is None else np.round(values, decimals)
    values = np.clip(values, -40, 80)
    values[:20], values[20:30] = 0.0, np.nan
    made = cell_variants(
        values, np.full(400, apart), rng.integers(0, 5, 400), np.array([0.2, 0.5, 0.8, 0.3, 0.6]), rng,
        decimals=decimals, lower=-40, upper=80,
    )  # fmt: skip
    for x in (made.zero, made.one):
        known = np.isfinite(values)
        assert np.array_equal(known, np.isfinite(x))
        assert (x[known] >= -40).all()
        assert (x[known] <= 80).all()
        assert (x[:20] == 0).all()
        assert not (x[known] * values[known] < 0).any()
        assert ((x[known] == 0) == (values[known] == 0)).all()
        if decimals is not None:
            assert np.allclose(np.round(x[known], decimals), x[known])


def test_the_mean_over_codewords_is_the_masked_value() -> None:
    rng = np.random.default_rng(1)
    values, p = rng.normal(1000, 100, 50), np.array([0.2113])
    made = cell_variants(values, np.full(50, 10.0), np.zeros(50, np.int64), p, rng)
    assert np.allclose(p * made.one + (1 - p) * made.zero, values)
    assert np.allclose(np.abs(made.one - made.zero), 10.0)


def test_small_marks_on_whole_numbers_keep_the_mean_over_cells() -> None:
    rng, n = np.random.default_rng(2), 200_000
    values, p = np.full(n, 50.0), np.array([0.2113])
    made = cell_variants(values, np.full(n, 0.3), np.zeros(n, np.int64), p, rng, decimals=0)
    assert made.carries.mean() == pytest.approx(0.3, abs=0.01)
    mean = p * made.one.mean() + (1 - p) * made.zero.mean()
    assert mean == pytest.approx(50.0, abs=0.004)


def test_a_value_off_the_grid_of_its_column_carries_no_mark() -> None:
    values = np.array([100.0, 107.0, 300.0])
    made = cell_variants(
        values, np.full(3, 500.0), np.zeros(3, np.int64), np.array([0.5]), np.random.default_rng(3), decimals=-2
    )
    assert made.carries.tolist()[1] is False


def test_every_symbol_has_its_cells() -> None:
    counts = np.bincount(spread_positions(1003, 10, np.random.default_rng(4)), minlength=10)
    assert counts.max() - counts.min() == 1
    some = [set(spread_positions(50, 1000, np.random.default_rng(seed)).tolist()) for seed in range(60)]
    assert all(len(found) == 50 for found in some)
    assert len(set.union(*some)) > 900


def test_an_order_that_the_file_keeps_is_kept_by_every_copy() -> None:
    rng = np.random.default_rng(5)
    net = rng.normal(100, 5, 3000)
    gross = net + np.abs(rng.normal(0, 3, 3000))
    p, where = np.array([0.5]), np.zeros(3000, np.int64)
    a, b = (cell_variants(x, np.full(3000, 4.0), where, p, rng) for x in (net, gross))
    assert (np.maximum(a.zero, a.one) > np.minimum(b.zero, b.one)).any()
    a, b = keep_order(a, b)
    assert not (np.maximum(a.zero, a.one) > np.minimum(b.zero, b.one)).any()
    assert a.carries.any()


def test_columns_that_cross_are_left_alone() -> None:
    x = np.array([1.0, 9.0])
    a = Variants(x, x - 1, x + 1, np.zeros(2, np.int64))
    b = Variants(x[::-1], x[::-1], x[::-1], np.zeros(2, np.int64))
    assert keep_order(a, b)[0] is a


def test_arrays_of_other_lengths_are_refused() -> None:
    with pytest.raises(ParameterError, match="'apart'"):
        cell_variants(np.zeros(2), np.zeros(3), np.zeros(2, np.int64), np.array([0.5]), np.random.default_rng(1))
