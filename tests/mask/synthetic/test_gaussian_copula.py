"""Gaussian copula, and ``tacita.mask.synthetic.latent_draw``: whole new files of mixed columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import spearmanr

import tacita as tc
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.mask import GaussianCopula, LatinHypercube
from tests.conformance.mask_checks import find_repeats

BOTH = [GaussianCopula, LatinHypercube]


def people(n: int = 3000) -> Microdata:
    return tc.samples.household_survey(n, seed=1)


@pytest.mark.parametrize("mask", BOTH)
def test_distributions_gaps_and_ranks_are_near(mask: type[GaussianCopula]) -> None:
    data = people()
    made = mask().apply(data, seed=7)
    assert made.is_synthetic
    assert not find_repeats(data, made)
    for name in ("age", "earnings", "savings"):
        x, y = data.float(name), made.float(name)
        assert abs(np.nanmean(y) - np.nanmean(x)) < 0.1 * np.nanstd(x)
        assert abs(np.isnan(x).mean() - np.isnan(y).mean()) < 0.03
        assert abs((x == 0).mean() - (y == 0).mean()) < 0.03
        assert (y[~np.isnan(y)] == np.round(y[~np.isnan(y)])).all() == (
            x[~np.isnan(x)] == np.round(x[~np.isnan(x)])
        ).all()
    for name in ("region", "education", "health"):
        counts = [np.bincount(d.codes(name).values + 1, minlength=20) / len(d) for d in (data, made)]
        assert np.abs(counts[0] - counts[1]).max() < 0.04
    names = ["age", "earnings", "savings"]
    old, new = (spearmanr(d.floats(names), nan_policy="omit").statistic for d in (data, made))
    assert np.abs(np.asarray(old) - np.asarray(new)).max() < 0.08


def test_weights_add_up_and_are_drawn_or_equal() -> None:
    data = people(500)
    for how in ("draw", "equal"):
        weights = GaussianCopula(records=200, new_weights=how).apply(data, seed=7).weights()  # type: ignore[arg-type]
        np.testing.assert_allclose(weights.sum(), data.weights().sum())
        assert (len(np.unique(weights)) == 1) == (how == "equal")


def test_weights_stay_within_their_bounds_and_add_up() -> None:
    """Through ``tacita.mask.synthetic.new_records``: scaling to the total must not push a weight below 1."""
    data = tc.samples.business_survey(300, seed=1)
    assert data.schema["weight"].bounds is not None
    weights = LatinHypercube().apply(data, seed=7).weights()
    assert weights.min() >= 1
    np.testing.assert_allclose(weights.sum(), data.weights().sum())


@pytest.mark.parametrize("mask", BOTH)
def test_strata_keep_their_share_and_their_own(mask: type[GaussianCopula]) -> None:
    rng = np.random.default_rng(1)
    group = np.repeat(["a", "b", "c"], [600, 390, 10])
    slope = np.select([group == "a", group == "b"], [1.0, -1.0], 0.0)
    x = rng.normal(size=1000)
    data = Microdata.from_frame(pa.table({"g": group, "x": x, "y": slope * x + 0.1 * rng.normal(size=1000)}))
    made = mask(by=["g"], records=500).apply(data, seed=7)
    drawn = np.array(made.to_arrow().column("g").to_pylist())
    assert [int((drawn == g).sum()) for g in "abc"] == [300, 195, 5]
    for g, sign in (("a", 1), ("b", -1)):
        assert sign * spearmanr(made.floats(["x", "y"])[drawn == g]).statistic > 0.95


def test_missing_codes_come_back_in_their_shares() -> None:
    rng = np.random.default_rng(1)
    x = np.where(rng.random(2000) < 0.2, -9.0, rng.normal(10, 1, 2000))
    table = pa.table({"x": pa.array(x, mask=rng.random(2000) < 0.1), "y": rng.normal(size=2000)})
    data = Microdata.from_frame(table, missing={"x": [-9]})
    made = GaussianCopula().apply(data, seed=7).to_arrow().column("x").to_pylist()
    assert abs(sum(v is None for v in made) / 2000 - 0.1) < 0.03
    assert abs(sum(v == -9 for v in made) / 2000 - 0.18) < 0.03


def test_few_combinations_are_kept_only_when_asked_for() -> None:
    rng = np.random.default_rng(1)
    data = Microdata.from_frame(pa.table({"a": rng.choice(["u", "v"], 200), "b": rng.choice(["s", "t", "r"], 200)}))
    with pytest.raises(DataError, match="repeats='keep'"):
        GaussianCopula().apply(data, seed=7)
    assert len(GaussianCopula(repeats="keep").apply(data, seed=7)) == 200


def test_no_rare_number_comes_out_as_it_was() -> None:
    data = Microdata.from_frame(pa.table({"x": np.random.default_rng(1).lognormal(5, 1, 800)}))
    for mask in BOTH:
        assert not np.isin(mask().apply(data, seed=7).float("x"), data.float("x")).any()


def test_too_few_records_and_none() -> None:
    with pytest.raises(DataError, match="k = 10 needs at least 10 records to learn from, got 4"):
        GaussianCopula().apply(people(4), seed=1)
    assert len(GaussianCopula(records=0).apply(people(50), seed=1)) == 0
    assert len(GaussianCopula().apply(people(50).take(np.arange(0)), seed=1)) == 0


def test_a_constant_column_and_an_empty_one_stay() -> None:
    table = pa.table(
        {"one": np.ones(60), "none": pa.nulls(60, pa.float64()), "x": np.random.default_rng(1).normal(size=60)}
    )
    made = LatinHypercube().apply(Microdata.from_frame(table), seed=7)
    assert (made.float("one") == 1).all()
    assert made.is_missing("none").all()
