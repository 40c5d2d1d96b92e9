"""Optimal univariate microaggregation: no partition of a column loses less, at any offset and with any outlier."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import TacitaWarning
from tacita.data.microdata import Microdata
from tacita.mask.microaggregation.individual_ranking import IndividualRanking
from tacita.mask.microaggregation.optimal_univariate import OptimalUnivariate
from tacita.numeric.microaggregation.univariate import optimal_runs, runs_of
from tests.oracles.numeric import microaggregation as oracle

numbers = st.one_of(
    st.integers(-4, 4).map(float),
    st.floats(-1e3, 1e3),
    st.floats(-1, 1).map(lambda v: 1e9 + v),
    st.floats(-1e12, 1e12),
)


def column(values: list[float] | np.ndarray) -> Microdata:
    return Microdata.from_frame(pa.table({"a": np.asarray(values, dtype=float)}), keys=["a"])


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=9), st.integers(2, 4))
def test_nothing_beats_it(values: list[float], k: int) -> None:
    """Against all partitions, not only those into runs."""
    if len(values) < k:
        return
    x = np.sort(values)
    assert oracle.sse(x[:, None], optimal_runs(x, k)) <= oracle.best_partition(x[:, None], k) * (1 + 1e-9) + 1e-9


@given(st.lists(numbers, min_size=2, max_size=40), st.integers(2, 6))
def test_it_is_the_exact_optimum(values: list[float], k: int) -> None:
    """Against the programme over runs of any length in exact fractions: sums of squares are equal but for rounding."""
    if len(values) < k:
        return
    ordered = sorted(values)
    labels = optimal_runs(np.array(ordered), k)
    assert np.bincount(labels).min() >= k
    assert np.bincount(labels).max() <= 2 * k - 1
    assert float(oracle.exact_sse(ordered, labels)) <= float(oracle.best_runs(ordered, k)) * (1 + 1e-12)


@pytest.mark.parametrize("k", [2, 3, 7, 50])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_it_equals_the_quadratic_programme(k: int, offset: float) -> None:
    x = np.sort(np.random.default_rng(k).lognormal(0, 2, 600)) + offset
    labels = optimal_runs(x, k)
    got = oracle.sse(x[:, None] - offset, labels)
    assert got == pytest.approx(oracle.quadratic_runs(x - offset, k), rel=1e-9)


def test_a_far_outlier_does_not_spoil_the_rest() -> None:
    """With a sum of squares of 1e30 in the first group, the groups after it are still the best."""
    rest = np.sort(np.random.default_rng(3).normal(size=200))
    x = np.concatenate([[-1e15, -7e14, -5e14], rest])
    labels = optimal_runs(x, 3)
    assert labels[:4].tolist() == [0, 0, 0, 1]
    got = oracle.sse(rest[:, None], labels[3:])
    assert got == pytest.approx(oracle.quadratic_runs(rest, 3), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_scale_does_not_matter(scale: float) -> None:
    x = np.sort(np.random.default_rng(4).normal(size=100))
    assert np.array_equal(optimal_runs(x * scale, 3), optimal_runs(x, 3))


def test_constant_columns_and_few_values() -> None:
    assert np.bincount(optimal_runs(np.full(10, 0.1), 3)).min() >= 3
    assert optimal_runs(np.arange(5.0), 3).tolist() == [0] * 5
    assert optimal_runs(np.arange(2.0), 3).tolist() == [0, 0]


def test_by_hand() -> None:
    """Six values in pairs: 1 2 | 3 ... is worse than to let the gap decide."""
    masked = OptimalUnivariate(k=2).apply(column([3.0, 50.0, 1.0, 2.0, 54.0]))
    assert masked.float("a").tolist() == [2.0, 52.0, 2.0, 2.0, 52.0]


@given(st.lists(numbers, min_size=3, max_size=40))
def test_never_worse_than_individual_ranking_and_ranks_are_kept(values: list[float]) -> None:
    data = column(values)
    fixed, best = (
        mask(k=3, decimals="any", dominance=100).apply(data).float("a")
        for mask in (IndividualRanking, OptimalUnivariate)
    )
    x = np.array(values)
    assert ((x - best) ** 2).sum() <= ((x - fixed) ** 2).sum() * (1 + 1e-9) + 1e-9
    for masked in (fixed, best):
        order = np.lexsort((masked, x))
        assert (np.diff(masked[order]) >= 0).all()


def test_individual_ranking_by_hand() -> None:
    masked = IndividualRanking(k=2, decimals="any").apply(column([9.0, 1.0, 4.0, 2.0, 8.0]))
    assert masked.float("a").tolist() == [7.0, 1.5, 7.0, 1.5, 7.0]
    assert runs_of(2, 5).tolist() == [0, 0, 1, 1, 1]
    assert runs_of(3, 2).tolist() == [0, 0]


@pytest.mark.parametrize("mask", [IndividualRanking(k=3), OptimalUnivariate(k=3)])
def test_columns_do_not_see_each_other(mask: IndividualRanking | OptimalUnivariate) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=50), rng.normal(size=50)
    b[:20] = np.nan
    both = mask.apply(Microdata.from_frame(pa.table({"a": a, "b": b}), keys=["a", "b"]))
    assert np.array_equal(both.float("a"), mask.apply(column(a)).float("a"))
    assert np.array_equal(both.float("b")[20:], mask.apply(column(b[20:])).float("a"))
    assert np.isnan(both.float("b")[:20]).all()


def test_a_column_with_fewer_than_k_values_loses_them() -> None:
    data = Microdata.from_frame(pa.table({"a": np.arange(9.0), "b": [1.0, 2.0] + [None] * 7}), keys=["a", "b"])
    with pytest.warns(TacitaWarning, match=r"2 record\(s\) lack values .* their values in b were set to missing"):
        masked = OptimalUnivariate(k=3).apply(data)
    assert masked.is_missing("b").all()
    assert not masked.is_missing("a").any()


def test_long_columns_on_several_cores_are_the_same() -> None:
    rng = np.random.default_rng(6)
    x = rng.lognormal(size=(60_000, 3))
    data = Microdata.from_frame(pa.table({name: x[:, j] for j, name in enumerate("abc")}), keys=list("abc"))
    masked = OptimalUnivariate().apply(data)
    for j, name in enumerate("abc"):
        order = np.argsort(x[:, j], kind="stable")
        labels = optimal_runs(x[order, j], 3)
        means = np.bincount(labels, x[order, j]) / np.bincount(labels)
        assert np.allclose(masked.float(name)[order], means[labels], rtol=1e-12)
