"""Design-based variances: against a loop over clusters, the formula of a simple random sample, and another program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.tables import design as module
from tacita.query.tables.design import SampleDesign, cell_variances, clusters_in_cells, share_variances
from tests.effort import examples
from tests.oracles.query.design import mean_variance_oracle, share_variance_oracle, total_variance_oracle


@st.composite
def samples(draw: st.DrawFn) -> dict[str, Any]:
    """A small sample with strata and clusters, some of them alone, and a part of it that is analysed."""
    n = draw(st.integers(1, 14))
    numbers = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    weights = st.lists(st.floats(0.5, 4), min_size=n, max_size=n)
    return {
        "stratum": np.array(draw(numbers)),
        "cluster": np.array(draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))) if draw(st.booleans()) else None,
        "cells": np.array(draw(numbers)),
        "z": np.array(draw(st.lists(st.floats(-5, 5), min_size=n, max_size=n))),
        "w": np.array(draw(weights)),
        "rows": np.flatnonzero(draw(st.lists(st.booleans(), min_size=n, max_size=n))),
    }


def clusters(sample: dict[str, Any]) -> list[int]:
    found = sample["cluster"]
    return list(range(len(sample["z"]))) if found is None else found.tolist()


def chosen(sample: dict[str, Any], cell: int | None = None) -> list[bool]:
    inside = np.isin(np.arange(len(sample["z"])), sample["rows"])
    return (inside if cell is None else inside & (sample["cells"] == cell)).tolist()


@pytest.mark.parametrize("dense", [True, False])
@settings(max_examples=examples(25), deadline=None)
@given(sample=samples())
def test_sums_vary_as_clusters_do(dense: bool, sample: dict[str, Any]) -> None:
    design = SampleDesign.of(sample["stratum"], sample["cluster"], len(sample["z"]))
    rows = sample["rows"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_DENSE", 10**6 if dense else 0)
        found = cell_variances(sample["z"][rows], sample["cells"][rows], 5, design, rows)
        several = clusters_in_cells(sample["cells"][rows], 5, design, rows)
    assert found.shape == (5,)
    for cell in range(5):
        slow = total_variance_oracle(sample["z"], chosen(sample, cell), sample["stratum"], clusters(sample))
        assert found[cell] == pytest.approx(slow, abs=1e-9)
        there = {p for p, is_in in zip(clusters(sample), chosen(sample, cell), strict=True) if is_in}
        assert several[cell] == len(there)


@pytest.mark.parametrize("dense", [True, False])
@settings(max_examples=examples(25), deadline=None)
@given(sample=samples())
def test_shares_vary_as_clusters_do(dense: bool, sample: dict[str, Any]) -> None:
    design = SampleDesign.of(sample["stratum"], sample["cluster"], len(sample["z"]))
    rows = sample["rows"]
    w, cells = sample["w"][rows], sample["cells"][rows]
    shares = np.bincount(cells, w, 5) / w.sum() if len(rows) else np.full(5, np.nan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_DENSE", 10**6 if dense else 0)
        found = share_variances(w, cells, shares, design, rows)
    if not len(rows):
        assert np.isnan(found).all()
        return
    for cell in range(5):
        slow = share_variance_oracle(
            sample["w"], chosen(sample, cell), chosen(sample), sample["stratum"], clusters(sample)
        )
        assert found[cell] == pytest.approx(slow, abs=1e-9)


def srs(n: int = 50, seed: int = 1) -> tuple[FloatArray, IntArray, SampleDesign, IntArray]:
    rng = np.random.default_rng(seed)
    return rng.normal(10, 3, n), rng.integers(0, 2, n), SampleDesign.of(None, None, n), np.arange(n)


def test_a_simple_random_sample_has_the_formula_of_the_books() -> None:
    x, cells, design, rows = srs()
    n = len(x)
    everybody = np.zeros(n, dtype=np.int64)
    assert cell_variances(x, everybody, 1, design, rows)[0] == pytest.approx(n * x.var(ddof=1))
    mean = cell_variances((x - x.mean()) / n, everybody, 1, design, rows)[0]
    assert mean == pytest.approx(x.var(ddof=1) / n)
    p = cells.mean()
    shares = np.array([1 - p, p])
    assert share_variances(np.ones(n), cells, shares, design, rows)[1] == pytest.approx(p * (1 - p) / (n - 1))
    # A count in a domain is a sum of zeros and ones.
    assert cell_variances(np.ones(n), cells, 2, design, rows)[1] == pytest.approx(n**2 * p * (1 - p) / (n - 1))


def test_a_stratified_sample_adds_up_its_strata() -> None:
    x, stratum, _, rows = srs(60, 2)
    design = SampleDesign.of(stratum, None, 60)
    parts = [len(x[stratum == h]) * x[stratum == h].var(ddof=1) for h in (0, 1)]
    found = cell_variances(x, np.zeros(60, dtype=np.int64), 1, design, rows)
    assert found[0] == pytest.approx(sum(parts))


def test_clusters_agree_with_statsmodels() -> None:
    """A weighted mean with standard errors by cluster, as a regression on a constant has it."""
    api = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed")
    rng = np.random.default_rng(5)
    n = 200
    cluster = np.repeat(np.arange(60), 5)[rng.permutation(300)[:n]]
    cluster = np.unique(cluster, return_inverse=True)[1]
    x, w = rng.normal(5, 2, n) + cluster % 3, rng.uniform(1, 4, n)
    fitted = api.WLS(x, np.ones(n), weights=w).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    mean = float((w * x).sum() / w.sum())
    design = SampleDesign.of(None, cluster, n)
    z = w * (x - mean) / w.sum()
    found = cell_variances(z, np.zeros(n, dtype=np.int64), 1, design, np.arange(n))
    assert fitted.params[0] == pytest.approx(mean)
    assert found[0] == pytest.approx(float(fitted.cov_params()[0, 0]))
    slow = mean_variance_oracle(x, w, [True] * n, [0] * n, cluster.tolist())
    assert found[0] == pytest.approx(slow)


def test_variances_are_those_of_repeated_samples() -> None:
    """Draw clusters again and again: the mean of the estimates is the variance of the totals."""
    rng = np.random.default_rng(6)
    sizes = rng.integers(1, 5, 300)
    owner = np.repeat(np.arange(300), sizes)
    x = rng.gamma(2, 3, len(owner)) + owner % 4
    totals, estimates = [], []
    for _ in range(400):
        drawn = rng.choice(300, 30)  # with replacement, as the formula assumes
        parts = [x[owner == p] * 10 for p in drawn]
        z, cluster = np.concatenate(parts), np.repeat(np.arange(30), sizes[drawn])
        design = SampleDesign.of(None, cluster, len(z))
        totals.append(z.sum())
        estimates.append(cell_variances(z, np.zeros(len(z), dtype=np.int64), 1, design, np.arange(len(z)))[0])
    assert np.mean(estimates) == pytest.approx(np.var(totals), rel=0.2)


# --- the design -----------------------------------------------------------------------------------------------------------


def test_a_cluster_belongs_to_the_stratum_of_its_first_record() -> None:
    design = SampleDesign.of(np.array([2, 0, 1, 0]), np.array([1, 0, 1, 3]), 4)
    assert design.stratum.tolist() == [2, 0, 2, 0]
    assert design.sizes.tolist() == [2, 0, 1]
    assert (design.strata, design.clusters) == (3, 4)


def test_a_sample_without_a_design_is_simple() -> None:
    design = SampleDesign.of(None, None, 5)
    assert design.sizes.tolist() == [5]
    assert design.cluster is None
    empty = SampleDesign.of(None, None, 0)
    nobody = np.zeros(0, dtype=np.int64)
    assert cell_variances(np.zeros(0), nobody, 2, empty, nobody).tolist() == [0, 0]


def test_a_stratum_with_one_cluster_is_not_left_out() -> None:
    design = SampleDesign.of(np.array([0, 0, 1]), None, 3)
    found = cell_variances(np.array([1.0, 3.0, 5.0]), np.zeros(3, dtype=np.int64), 1, design, np.arange(3))
    assert found[0] == pytest.approx(2 / 1 * 2.0 + 25.0)


def test_many_strata_and_many_cells_need_little_memory() -> None:
    """10**5 strata by 10**5 cells would be 80 GB; only those that occur have a place."""
    n = 1000
    rng = np.random.default_rng(7)
    design = SampleDesign.of(rng.integers(0, 100_000, n), rng.integers(0, 400, n), n)
    cells = rng.integers(0, 100_000, n)
    found = cell_variances(np.ones(n), cells, 100_000, design, np.arange(n))
    shares = np.bincount(cells, minlength=100_000) / n
    assert found.shape == share_variances(np.ones(n), cells, shares, design, np.arange(n)).shape == (100_000,)
    assert found.sum() > 0
