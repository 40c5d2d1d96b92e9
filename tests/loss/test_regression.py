"""Overlap of confidence intervals: by hand, against general tools, and where a model has no coefficients."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, MeasureError
from tacita.data.microdata import Microdata
from tacita.loss import RegressionOverlap
from tacita.loss.user_model import interval_overlap
from tacita.mask import AdditiveNoise
from tests.oracles.numeric import models as oracle


def microdata(**columns: object) -> Microdata:
    return Microdata.from_frame(pa.table(columns))


def test_line_by_hand() -> None:
    """Intercept 0.5, error sqrt(1.25), t(0.975, 1) = 12.706: an interval of 28.41; shifted by 1 it keeps 27.41 of it."""
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 6.0])
    found = RegressionOverlap()(microdata(x=x, y=y), microdata(x=x, y=y + 1), pairing="order")
    width = 2 * 12.7062047 * np.sqrt(1.25)
    assert found.parts["overlap.x"] == pytest.approx(1)
    assert found.parts["overlap.intercept"] == pytest.approx((width - 1) / width)
    assert found.parts["difference.intercept"] == pytest.approx(1 / np.sqrt(1.25))
    assert found.value == pytest.approx(100 * (1 - (1 + (width - 1) / width) / 2))
    assert found.note == "linear regression of y"


numbers = st.floats(-10, 10).map(lambda v: round(v, 2))


@given(numbers, st.floats(0.1, 5), numbers, st.floats(0.1, 5))
def test_overlap_against_the_formula(low: float, width: float, low2: float, width2: float) -> None:
    found = interval_overlap(*(np.array([v]) for v in (low, low + width, low2, low2 + width2)))
    assert found[0] == pytest.approx(oracle.overlap((low, low + width), (low2, low2 + width2)), abs=1e-9)


def test_intervals_that_are_points() -> None:
    def at(*ends: float) -> float:
        return float(interval_overlap(*(np.array([float(e)]) for e in ends))[0])

    assert at(2, 2, 2, 2) == 1
    assert at(2, 2, 3, 3) == 0
    assert at(0, 0, 0, 0) == 1
    assert at(2, 2, 1, 5) == 0.5  # the point is covered, the interval hardly


@pytest.mark.parametrize("seed", range(4))
def test_linear_against_general_tools(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(5, 2, (80, 3))
    y = x @ [1.0, 2.0, 0.0] + rng.normal(size=80)
    x2, y2 = x + rng.normal(0, 0.5, x.shape), y + rng.normal(0, 0.5, 80)
    files = [microdata(a=f[:, 0], b=f[:, 1], c=f[:, 2], y=g) for f, g in ((x, y), (x2, y2))]
    found = RegressionOverlap(confidence=0.9)(*files, pairing="order")
    expected = oracle.linear_overlaps(x, y, x2, y2, 0.9)
    assert [found.parts[f"overlap.{n}"] for n in ("intercept", "a", "b", "c")] == pytest.approx(expected, abs=1e-7)
    assert found.value == pytest.approx(100 * (1 - np.mean(expected)), abs=1e-5)


def test_binary_response_is_logistic() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 1))
    y = (rng.random(300) < 1 / (1 + np.exp(-x[:, 0]))).astype(float)
    x2 = x + rng.normal(0, 0.5, x.shape)
    found = RegressionOverlap()(microdata(x=x[:, 0], y=1 + y), microdata(x=x2[:, 0], y=1 + y), pairing="order")
    intervals = []
    for file in (x, x2):
        b, errors, _ = oracle.logistic(file, y)
        intervals.append([(c - 1.959964 * e, c + 1.959964 * e) for c, e in zip(b, errors, strict=True)])
    expected = [oracle.overlap(i, j) for i, j in zip(*intervals, strict=True)]
    assert [found.parts["overlap.intercept"], found.parts["overlap.x"]] == pytest.approx(expected, abs=1e-3)
    words = RegressionOverlap(columns=["x", "s"], response="s")
    named = [microdata(x=f[:, 0], s=np.where(y > 0, "yes", "no")) for f in (x, x2)]
    assert words(*named, pairing="order").value == pytest.approx(found.value, abs=1e-6)
    # Noise on the response leaves no two values: then the model is linear.
    assert (
        "linear"
        in RegressionOverlap()(microdata(x=x[:, 0], y=y), microdata(x=x[:, 0], y=y + 0.1), pairing="order").note
    )


def test_categories_are_terms() -> None:
    rng = np.random.default_rng(2)
    s = rng.choice(["a", "b", "c"], 200)
    y = np.where(s == "b", 2.0, 0.0) + rng.normal(size=200)
    data = microdata(s=s, y=y)
    found = RegressionOverlap(columns=["s", "y"])(data, microdata(s=s, y=y), pairing="order")
    assert set(found.parts) >= {"overlap.intercept", "overlap.s[2]", "overlap.s[3]"}
    assert found.value == 0
    gone = microdata(s=np.where(s == "c", "a", s), y=y)
    assert RegressionOverlap(columns=["s", "y"])(data, gone, pairing="order").parts["overlap.s[3]"] == 0


def test_a_model_that_the_masked_file_has_not_is_a_total_loss() -> None:
    x = np.arange(10.0)
    data = microdata(x=x, y=x + np.tile([0.0, 1.0], 5))
    masked = microdata(x=pa.array([1.0, *[None] * 9], pa.float64()), y=x)
    found = RegressionOverlap()(data, masked, pairing="order")
    assert found.value == 100
    assert "none for the masked" in found.note


def test_missing_values_are_left_out() -> None:
    x = np.arange(10.0)
    data = microdata(x=pa.array([None, *x[1:]]), y=x + np.tile([0.0, 1.0], 5))
    found = RegressionOverlap()(data, data)
    assert found.value == 0
    assert "1 original and 1 masked records are incomplete" in found.note


def test_bad_input() -> None:
    x = np.arange(10.0)
    data = microdata(x=x, y=(x > 4).astype(float), s=list("abcabcabca"))
    with pytest.raises(MeasureError, match="can be told apart by the other columns without error"):
        RegressionOverlap()(data, data)
    with pytest.raises(MeasureError, match="needs two values of the response in both files; 's' has others"):
        RegressionOverlap(columns=["x", "s"], response="s")(data, data)
    with pytest.raises(ColumnError, match="name the 'response'"):
        RegressionOverlap(columns=["s"])(data, data)
    with pytest.raises(ColumnError, match="Did you mean 'x'"):
        RegressionOverlap(columns=["x", "y"], response="xx")(data, data)
    few = microdata(a=[1.0, 2.0], b=[2.0, 1.0])
    with pytest.raises(MeasureError, match="2 terms, but only 2 records of the original are complete"):
        RegressionOverlap()(few, few)


def test_census_with_its_identity(reference: Callable[[str], Path]) -> None:
    """PTOTVAL = PEARNVAL + POTHVAL: one of the three is left out, and more noise overlaps less."""
    from pyarrow import csv

    table = csv.read_csv(reference("census.csv"))
    census = Microdata.from_frame(table, keys=table.column_names)
    model = RegressionOverlap(columns=census.names, response="TAXINC")
    assert model(census, census).value == 0
    assert sum(part.startswith("overlap.") for part in model(census, census).parts) == 12
    values = [model(census, AdditiveNoise(sd_ratio=s).apply(census, seed=1)).value for s in (0.01, 0.1, 0.5)]
    assert values == sorted(values)
