"""Paired hybrid: between the nearest synthetic record and the true one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import PairedHybrid

MONEY = ["turnover", "wages"]


def firms(n: int = 400) -> Microdata:
    return tc.samples.business_survey(n, seed=1)


def test_similarity_goes_from_synthetic_to_true() -> None:
    data = firms()
    x = np.log1p(data.floats(MONEY))
    away = [
        np.nanmean(np.abs(np.log1p(PairedHybrid(columns=MONEY, similarity=s).apply(data, seed=7).floats(MONEY)) - x))
        for s in (0.0, 0.5, 0.95)
    ]
    assert away[0] > away[1] > away[2] > 0


def test_both_mixtures_are_of_the_same_pairs() -> None:
    """With one synthetic file they are means of the same two values; the geometric one is the smaller."""
    rng = np.random.default_rng(1)
    data = Microdata.from_frame(
        pa.table({"a": rng.lognormal(3, 1, 300), "b": rng.lognormal(1, 2, 300)}), keys=["a", "b"]
    )
    one, other = (
        PairedHybrid(columns=["a", "b"], similarity=0.5, mixture=m, decimals="any")
        .apply(data, seed=7)
        .floats(["a", "b"])
        for m in ("additive", "multiplicative")
    )
    x = data.floats(["a", "b"])
    assert (one > 0).all()
    assert (other > 0).all()
    assert np.abs(np.log(other) - np.log(x)).mean() < 1
    assert one.mean() >= 0.9 * other.mean()


def test_few_records_of_a_pattern_are_paired_with_those_of_all() -> None:
    data = firms()
    wages = data.float("wages").copy()
    wages[[1, 2]] = np.nan
    data = data.with_numbers({"wages": wages})
    made = PairedHybrid(columns=MONEY).apply(data, seed=7)
    assert np.array_equal(np.isnan(made.float("wages")), np.isnan(wages))
    assert (made.float("turnover")[[1, 2]] != data.float("turnover")[[1, 2]]).any()
    assert np.isfinite(made.float("turnover")[[1, 2]]).all()


def test_limits() -> None:
    with pytest.raises(ParameterError, match="'similarity' must be in"):
        PairedHybrid(similarity=1)
    data = Microdata.from_frame(pa.table({"x": np.arange(30.0)}), keys=["x"])
    with pytest.raises(DataError, match="needs values above 0, and column 'x' has others"):
        PairedHybrid(columns=["x"], mixture="multiplicative").apply(data, seed=1)
    with pytest.raises(DataError, match="only 3 records have a value"):
        PairedHybrid(columns=MONEY).apply(firms().take(np.arange(3)), seed=1)
