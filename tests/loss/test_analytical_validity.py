"""Winkler's criteria: by hand, against the slow version, and what makes a file interesting."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError, MeasureError
from tacita.data.microdata import Microdata
from tacita.loss import Validity
from tacita.loss.analytical_validity import kolmogorov_distance, moment_gaps
from tests.oracles.loss import validity as oracle


def microdata(**columns: object) -> Microdata:
    return Microdata.from_frame(pa.table(columns))


def test_gaps_by_hand() -> None:
    """x = 0, 2: mean 1, sd 1. y = 1, 5: mean 3, variance 4. Difference of means 2 sd, of variances 3."""
    means, gaps = moment_gaps(np.array([[0.0], [2.0]]), np.array([[1.0], [5.0]]))
    assert means.tolist() == [2]
    assert gaps.tolist() == [[3]]


def test_gaps_without_spread_or_values() -> None:
    x = np.array([[1.0, 1.0, np.nan], [1.0, 2.0, np.nan], [1.0, 3.0, 5.0]])
    y = np.array([[1.0, np.nan, 1.0], [1.0, np.nan, 1.0], [1.0, 3.0, 5.0]])
    means, gaps = moment_gaps(x, y)
    assert means[:2].tolist() == [0, np.inf]  # unchanged constant; one masked value is no sample
    assert np.isnan(means[2])  # nothing to compare with
    assert gaps[0, 0] == 0
    changed = moment_gaps(x[:, :1], y[:, :1] + 1)
    assert changed[0].tolist() == [np.inf]


def test_criteria_by_hand() -> None:
    """One numeric column shifted by a standard deviation: the mean fails, the variance passes, the distribution fails."""
    x = np.tile([-1.0, 1.0], 20)
    data, masked = microdata(a=x, s=["p", "q"] * 20), microdata(a=x + 1, s=["p", "q"] * 20)
    found = Validity()(data, masked, pairing="order")
    assert found.parts["means"] == 100
    assert found.parts["means.all"] == pytest.approx(1)
    assert found.parts["covariances"] == 0
    assert found.parts["distributions.a"] == pytest.approx(0.5)
    assert found.parts["distributions.s"] == 0
    assert found.value == pytest.approx(100 * 2 / 4)
    assert found.parts["valid.a"] == 0
    assert found.parts["valid.s"] == found.parts["valid_variables"] == 1
    assert found.parts["analytically_interesting"] == 0


numbers = st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=12)


@given(numbers, numbers)
def test_kolmogorov_against_the_slow_version(x: list, y: list) -> None:
    assert kolmogorov_distance(np.array(x), np.array(y)) == pytest.approx(oracle.kolmogorov(x, y))


@pytest.mark.parametrize("seed", range(6))
def test_against_the_slow_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    sex, region = rng.choice(["f", "m"], n), rng.choice(["a", "b", "c"], n)
    x = rng.normal(size=(n, 2))
    y = x + rng.normal(0, 0.3, x.shape)
    region2 = np.where(rng.random(n) < 0.1, "a", region)
    names = {"means": 0.05, "covariances": 0.08, "tables": 0.04, "distributions": 0.06}
    measure = Validity(
        by=["sex"],
        tables=[["sex", "region"]],
        smallest=5,
        mean_tolerance=names["means"],
        covariance_tolerance=names["covariances"],
        table_tolerance=names["tables"],
        distribution_tolerance=names["distributions"],
    )
    found = measure(
        microdata(u=x[:, 0], v=x[:, 1], sex=sex, region=region),
        microdata(u=y[:, 0], v=y[:, 1], sex=sex, region=region2),
        pairing="order",
    )
    tolerances = names["means"], names["covariances"]
    passed = oracle.moment_criteria(x.tolist(), y.tolist(), tolerances)
    for word in ("f", "m"):
        passed += oracle.moment_criteria(x[sex == word].tolist(), y[sex == word].tolist(), tolerances)
    passed += [oracle.kolmogorov(x[:, j].tolist(), y[:, j].tolist()) <= names["distributions"] for j in (0, 1)]
    shares = oracle.total_variation(region.tolist(), region2.tolist())
    crossed = oracle.total_variation(list(zip(sex, region, strict=True)), list(zip(sex, region2, strict=True)))
    passed += [True, shares <= names["distributions"], crossed <= names["tables"]]
    assert found.value == pytest.approx(100 * (1 - sum(passed) / len(passed)))
    assert found.parts["tables.sex+region"] == pytest.approx(crossed)


def test_variables_with_failing_covariances_are_taken_out() -> None:
    """Column a keeps its values but not its company: alone it is valid, together with the others it is not."""
    rng = np.random.default_rng(1)
    common = rng.normal(size=400)
    columns = {name: common + 0.5 * rng.normal(size=400) for name in "abcdefg"}
    masked = {**columns, "a": rng.permutation(columns["a"])}
    found = Validity()(microdata(**columns), microdata(**masked), pairing="order")
    assert [name for name in columns if not found.parts[f"valid.{name}"]] == ["a"]
    assert found.parts["valid_variables"] == 6
    assert found.parts["analytically_interesting"] == 1
    assert "6 of 7 variables can be validly analysed: analytically interesting" in found.note


def test_a_subdomain_that_is_gone_fails_and_a_small_one_is_not_compared() -> None:
    a = np.random.default_rng(1).normal(size=100)
    data = microdata(a=a, s=["x"] * 50 + ["y"] * 40 + ["z"] * 10)
    masked = microdata(a=a, s=["x"] * 90 + ["z"] * 10)
    found = Validity(columns=["a"], by=["s"])(data, masked, pairing="order")
    assert "1 subdomains are too small to compare" in found.note
    assert found.parts["valid.a"] == 0
    assert "means.3" not in found.parts
    assert Validity(columns=["a"], by=["s"])(data, data).value == 0


def test_household_survey_becomes_less_valid_with_noise() -> None:
    data = tc.samples.household_survey(600, seed=1)
    numeric = [c.name for c in data.schema if c.scale == "numeric" and "weight" not in c.roles]
    values = [Validity(by=["sex"])(data, data).value]
    for ratio in (0.3, 3.0):
        masked = tc.mask.AdditiveNoise(columns=numeric, sd_ratio=ratio).apply(data, seed=1)
        values.append(Validity(by=["sex"])(data, masked).value)
    assert values[0] == 0
    assert values == sorted(values)
    assert values[-1] > values[0]


def test_bad_input() -> None:
    data = microdata(a=pa.nulls(5, pa.float64()), b=np.arange(5.0))
    with pytest.raises(MeasureError, match="too few values to compare anything"):
        Validity(columns=["a"])(data, data)
    with pytest.raises(ColumnError, match="works on ordinal and nominal columns, but 'b' is numeric"):
        Validity(columns=["b"], by=["b"])(data, data)
    with pytest.raises(ColumnError, match="works on ordinal and nominal columns, but 'b' is numeric"):
        Validity(columns=["b"], tables=[["b"]])(data, data)
