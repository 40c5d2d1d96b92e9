"""Fully synthetic data: people of the population who were not in the sample, and what the models say of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import FullySynthetic
from tacita.mask.synthetic.fully import drawn_units, population_shares


def sample(n: int = 200, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 20, n)
    table = pa.table({"x": x, "y": 1 + 2 * x + rng.standard_normal(n), "w": np.full(n, 10.0)})
    return Microdata.from_frame(table, keys=["x"], confidential=["y"], weight="w")


def test_sampled_units_are_taken_out_of_the_population() -> None:
    rng = np.random.default_rng(1)
    population = np.array([0, 0, 0, 1, 1, 2])
    found = drawn_units(np.array([0, 0, 1]), population, 3, rng)
    assert sorted(population[found].tolist()) == [0, 1, 2]


def test_a_population_that_is_none_of_the_sample_is_refused() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(DataError, match=r"1 record\(s\) of the sample have a background"):
        drawn_units(np.array([0, 0]), np.array([0, 1, 1]), 1, rng)
    with pytest.raises(DataError, match="'population_file' has 1 of them"):
        drawn_units(np.array([0, 0]), np.array([0, 0, 1]), 2, rng)


def test_shares_are_those_of_who_was_not_sampled() -> None:
    """The mean of many draws; a certainty unit (weight 1) stands for nobody else."""
    weights = np.array([1.0, 5.0, 11.0])
    drawn = np.mean([population_shares(weights, np.random.default_rng(seed)) for seed in range(4000)], axis=0)
    assert drawn[0] == 0
    assert np.allclose(drawn[1:], [4 / 14, 10 / 14], atol=0.02)


def test_a_population_from_a_file(tmp_path: Path) -> None:
    data = sample()
    rng = np.random.default_rng(2)
    others = rng.integers(0, 20, 1000)
    people = pa.table({"x": np.concatenate([data.float("x").astype(np.int64), others])})
    tc.write(Microdata.from_frame(people), tmp_path / "people.csv")
    mask = FullySynthetic(background=["x"], population_file=str(tmp_path / "people.csv"), records=1000)
    made = mask.apply(data, seed=7)
    assert len(made) == 1000
    assert np.array_equal(np.sort(made.float("x")), np.sort(others)), "who was not sampled, all of them"
    assert made.weights().sum() == pytest.approx(2000)
    assert np.corrcoef(made.float("x"), made.float("y"))[0, 1] > 0.95


def test_a_population_must_hold_the_sample(tmp_path: Path) -> None:
    tc.write(Microdata.from_frame(pa.table({"x": np.arange(20)})), tmp_path / "few.csv")
    with pytest.raises(DataError, match="fewer than the 200 of the sample"):
        FullySynthetic(background=["x"], population_file=str(tmp_path / "few.csv")).apply(sample(), seed=1)
    tc.write(Microdata.from_frame(pa.table({"z": np.arange(300)})), tmp_path / "other.csv")
    with pytest.raises(ColumnError, match="no column 'x'"):
        FullySynthetic(background=["x"], population_file=str(tmp_path / "other.csv")).apply(sample(), seed=1)


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'background' must name"):
        FullySynthetic(background=[])
    with pytest.raises(ColumnError, match="no column is left to impute"):
        FullySynthetic(columns=["x"], background=["x"]).apply(sample(), seed=1)
    with pytest.raises(ColumnError, match="has the role weight"):
        FullySynthetic(columns=["y"], background=["w"]).apply(sample(), seed=1)
    light = sample().with_numbers({"w": np.full(200, 0.5)})
    with pytest.raises(DataError, match="weights are below 1"):
        FullySynthetic(background=["x"]).apply(light, seed=1)


def test_coverage_at_a_glance() -> None:
    """Sixty simulations of a mean, a correct and proper model: four standard errors are 11 points."""
    hits = 0
    for run in range(60):
        data = sample(100, seed=run)
        mask = FullySynthetic(background=["x"], models={"y": "linear"}, records=400, repeats="keep")
        files = [mask.apply(data, seed=1000 * run + k) for k in range(12)]
        means = [file.float("y").mean() for file in files]
        variances = [file.float("y").var(ddof=1) / len(file) for file in files]
        found = tc.combine(means, variances, kind="fully", size_ratio=4.0)
        hits += bool(found.low[0] <= 20.0 <= found.high[0])
    assert hits >= 50
