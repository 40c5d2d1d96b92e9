"""Hybrid microaggregation: exact moments of every group, from near to the records to fully synthetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import HybridMicroaggregation, Ipso
from tacita.numeric.microaggregation.mdav.mdav import mdav_partition
from tacita.numeric.statistics.moments import standardise
from tests.conformance.property_checks import PROPERTY_CHECKS

NAMES = ("a", "b", "c")


def file(n: int = 200, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    x = np.exp(rng.normal(size=(n, 3)) @ np.array([[1.0, 0.5, 0], [0, 1, 0.2], [0, 0, 2]]))
    group = np.where(rng.random(n) < 0.5, "u", "v")
    return Microdata.from_frame(pa.table({"g": group, **dict(zip(NAMES, x.T, strict=True))}), keys=NAMES)


def masked(k: int, data: Microdata, **more: Any) -> Microdata:
    return HybridMicroaggregation(columns=NAMES, k=k, decimals="any", **more).apply(data, seed=7)


@pytest.mark.parametrize("k", [5, 20, 200])
def test_groups_of_mdav_keep_their_moments(k: int) -> None:
    """The groups are found anew by the kernel of MDAV, not by the mask."""
    data = file()
    made, x = masked(k, data).floats(NAMES), data.floats(NAMES)
    labels = mdav_partition(np.ascontiguousarray(standardise(x)), k)
    for group in range(labels.max() + 1):
        a, b = x[labels == group], made[labels == group]
        np.testing.assert_allclose(b.mean(0), a.mean(0), rtol=1e-9)
        np.testing.assert_allclose(np.cov(b.T), np.cov(a.T), rtol=1e-9, atol=1e-9 * np.abs(a).max() ** 2)
    assert (made != x).all()
    assert (labels.max() == 0) == (k == 200)


@pytest.mark.parametrize("claim", ["covariances", "group moments"])
def test_claims_are_checked(claim: str) -> None:
    mask = HybridMicroaggregation(columns=NAMES, k=8, decimals="any")
    assert claim in mask.traits.preserves
    assert HybridMicroaggregation(columns=NAMES, k=8).traits.preserves == ()
    PROPERTY_CHECKS[claim](mask, file(), mask.apply(file(), seed=3), NAMES)
    rough = HybridMicroaggregation(columns=NAMES, k=8, decimals=1)
    with pytest.raises(AssertionError):
        PROPERTY_CHECKS[claim](mask, file(), rough.apply(file(), seed=3), NAMES)


def test_a_synthetic_file_has_the_file_s_moments_but_not_the_groups() -> None:
    """IPSO keeps the covariances of the file; that groups have theirs is what hybrid data add."""
    data = file()
    mask = HybridMicroaggregation(columns=NAMES, k=8, decimals="any")
    made = Ipso(columns=NAMES, decimals="any").apply(data, seed=3)
    PROPERTY_CHECKS["covariances"](mask, data, made, NAMES)
    with pytest.raises(AssertionError):
        PROPERTY_CHECKS["group moments"](mask, data, made, NAMES)


def test_small_groups_are_nearer_to_the_records() -> None:
    data = file(600)
    x = np.log(data.floats(NAMES))
    far = []
    for k in (5, 30, 600):
        y = masked(k, data).floats(NAMES)
        far.append(np.abs(np.log(np.abs(y) + 1e-9) - x).mean())
    assert far == sorted(far)
    risks = [tc.risk.DistanceLinkage(columns=list(NAMES))(data, masked(k, data)).value for k in (5, 50, 600)]
    assert risks[0] > 2 * risks[1] > 2 * risks[2]


def test_rare_patterns_of_gaps_borrow_from_all() -> None:
    data = file()
    values = data.numbers("a").copy()
    values[[3, 8]] = np.nan
    data = data.with_column("a", pa.array(values, from_pandas=True))
    made = masked(10, data)
    assert np.flatnonzero(np.isnan(made.numbers("a"))).tolist() == [3, 8]
    assert np.isfinite(made.floats(["b", "c"])).all()
    assert (made.numbers("b") != data.numbers("b")).all()


def test_strata_keep_their_own() -> None:
    data = file()
    made = masked(10, data, by=("g",))
    for name in ("u", "v"):
        rows = np.array([v == name for v in data.to_arrow().column("g").to_pylist()])
        np.testing.assert_allclose(made.floats(NAMES)[rows].mean(0), data.floats(NAMES)[rows].mean(0), rtol=1e-9)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ParameterError, match="'k' must be at least 5 for 3 columns, got 4"):
        masked(4, file())
    with pytest.raises(DataError, match="k = 10 needs at least 10 records in the file and in every stratum, got 9"):
        masked(10, file(9))
    apart = np.where(np.arange(40) < 38, 1.0, np.nan) * np.arange(40)
    other = np.where(np.arange(40) < 38, np.nan, 1.0) * np.arange(40)
    table = pa.table({"a": pa.array(apart, from_pandas=True), "b": pa.array(other, from_pandas=True)})
    with pytest.raises(DataError, match="only 2 records have a value in each of 1 columns"):
        HybridMicroaggregation(columns=["a", "b"], k=10).apply(Microdata.from_frame(table, keys=["a", "b"]), seed=1)
