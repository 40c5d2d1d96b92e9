"""Rank swapping: never farther than p percent of the ranks, and as far as the book says."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.swap.rank_swap import RankSwap, RankSwapNormal, rank_swap, rank_swap_normal
from tests.oracles.mask import rank_swap as oracle

distinct = st.lists(st.floats(-1e9, 1e9, allow_nan=False), unique=True, max_size=60)


def swapped(x: np.ndarray, p: float, seed: int = 1) -> np.ndarray:
    return rank_swap(x, p=p, rng=np.random.default_rng(seed))


@given(distinct, st.floats(0, 100), st.integers(0, 1000))
def test_ranks_move_at_most_p_percent(values: list[float], p: float, seed: int) -> None:
    x = np.array(values)
    moved = oracle.rank_differences(values, swapped(x, p, seed).tolist())
    assert max(moved, default=0) <= p * len(values) / 100 + 1e-9


@pytest.mark.parametrize("p", [0, 1, 5, 14, 50, 100])
def test_the_bound_is_used_to_the_full(p: float) -> None:
    """In 1000 records some value moves nearly as far as it may: the window is p percent, not less."""
    x = np.random.default_rng(3).permutation(1000.0 * np.arange(1000))
    moved = max(oracle.rank_differences(x.tolist(), swapped(x, p).tolist()))
    assert 0.9 * 10 * p <= moved <= 10 * p


def test_a_window_of_a_whole_number_of_ranks_is_not_lost_to_rounding() -> None:
    """0.07 * 100 is 7.000000000000001 or 6.99...: p = 7 means seven ranks either way."""
    x = np.arange(100.0)
    for p in (7.0, 14.0, 28.0, 29.0, 57.0, 58.0):
        moved = max(max(oracle.rank_differences(x.tolist(), swapped(x, p, seed).tolist())) for seed in range(40))
        assert moved == p


def test_mean_distance_is_that_of_the_book() -> None:
    """400 runs of 200 records at p = 10; 5 standard errors; 30 % more or less would be seen."""
    n, p, runs = 200, 10.0, 400
    x = np.arange(float(n))
    found = np.array([np.mean(oracle.rank_differences(x.tolist(), swapped(x, p, s).tolist())) for s in range(runs)])
    book = np.array(
        [np.mean(np.abs(np.array(oracle.partners(n, 20, random.Random(s))) - np.arange(n))) for s in range(runs)]
    )
    error = np.sqrt(found.var() / runs + book.var() / runs)
    assert abs(found.mean() - book.mean()) < 5 * error
    for off in (0.7, 1.3):
        assert abs(off * found.mean() - book.mean()) > 5 * error


def test_position_in_the_file_has_no_influence_on_ties() -> None:
    """Of equal values each is as likely to be swapped: the mean over seeds does not depend on the position."""
    x = np.array([1.0] * 10 + [2.0] * 10)
    mean = np.mean([swapped(x, 20, seed) for seed in range(3000)], axis=0)
    for half in (mean[:10], mean[10:]):
        assert half.max() - half.min() < 6 * np.sqrt(0.25 / 3000)


@pytest.mark.parametrize("p", [0, 0.4])
def test_a_window_below_one_rank_changes_nothing(p: float) -> None:
    x = np.arange(200.0)
    assert np.array_equal(swapped(x, p), x)


def test_result_is_a_new_array() -> None:
    x = np.arange(50.0)
    before = x.copy()
    for made in (swapped(x, 0), swapped(x, 50), rank_swap_normal(x, p=50, rng=np.random.default_rng(1))):
        assert made is not x
        assert not np.shares_memory(made, x)
    assert np.array_equal(x, before)


def test_n_is_the_number_of_values_that_are_there() -> None:
    """With half of 200 values missing, p = 4 means 4 ranks, not 8."""
    values = [float(i) if i % 2 else None for i in range(200)]
    data = Microdata.from_frame(pa.table({"a": values}), keys=["a"])
    moved = 0
    for seed in range(20):
        masked = RankSwap(columns=("a",), p=4).apply(data, seed=seed)
        there = ~data.is_missing("a")
        moved = max(moved, *oracle.rank_differences(data.float("a")[there].tolist(), masked.float("a")[there].tolist()))
    assert moved == 4


@pytest.mark.filterwarnings(
    "ignore:RankSwap. many values"
)  # a fifth of the ranks seldom reaches another of three levels
def test_ordinal_columns_swap_their_categories() -> None:
    levels = ("low", "middle", "high")
    data = Microdata(
        pa.table({"level": [levels[i % 3] for i in range(90)]}),
        Schema((Column(name="level", scale="ordinal", roles=("key",), categories=levels),)),
    )
    masked = RankSwap(columns=("level",), p=20).apply(data, seed=3)
    before, after = data.numbers("level"), masked.numbers("level")
    assert np.bincount(before.astype(int)).tolist() == np.bincount(after.astype(int)).tolist()
    assert (np.abs(before - after) <= 1).all(), "20 % of the ranks cannot reach from low to high"
    assert (before != after).any()


def test_strata_have_their_own_n() -> None:
    data = Microdata.from_frame(pa.table({"a": np.arange(100.0), "s": ["x"] * 10 + ["y"] * 90}), keys=["a"])
    masked = RankSwap(columns=("a",), p=10, by=("s",)).apply(data, seed=1)
    gap = np.abs(masked.float("a") - data.float("a"))
    assert gap[:10].max() <= 1
    assert 1 < gap[10:].max() <= 9


@pytest.mark.parametrize("p", [-1, 101, "5", None])
def test_p_is_a_percentage(p: object) -> None:
    for mask in (RankSwap, RankSwapNormal):
        with pytest.raises(ParameterError, match=rf"{mask.__name__}: 'p' must be in \[0, 100\]"):
            mask(p=p)  # type: ignore[arg-type]


def test_swapping_again_with_the_same_seed_is_another_draw() -> None:
    """Two steps of one recipe must not undo each other."""
    from tacita.release.recipe import Recipe

    data = Microdata.from_frame(pa.table({"a": np.arange(100.0)}), keys=["a"])
    step = RankSwap(columns=("a",), p=20)
    once = step.apply(data, seed=5).float("a")
    twice = Recipe([step, step]).apply(data, seed=5).data.float("a")
    assert not np.array_equal(twice, data.float("a"))
    assert not np.array_equal(twice, once)


def test_whole_numbers_beyond_exact_floats_are_refused() -> None:
    data = Microdata.from_frame(pa.table({"v": [2**53 + 1, 2, 3]}), keys=["v"])
    with pytest.raises(DataError, match=r"2\^53"):
        RankSwap(p=50).apply(data, seed=1)


def test_columns_that_share_memory_do_not_meet() -> None:
    """Long columns are swapped side by side and hand on the memory they worked in; each is as if it were alone."""
    names, rng = [f"v{j}" for j in range(7)], np.random.default_rng(1)
    frame = pa.table({name: rng.integers(0, 999, 60_000).astype(float) for name in names})
    together = RankSwap(columns=names, p=3).apply(Microdata.from_frame(frame), seed=5)
    for name in names:
        alone = RankSwap(columns=[name], p=3).apply(Microdata.from_frame(frame), seed=5)
        np.testing.assert_array_equal(together.float(name), alone.float(name))
