"""Calibration kernel: the nine-record example, the definition by a general optimiser, hard and collinear problems."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from tacita.numeric.statistics.calibration import calibrate, deviations
from tests.oracles.mask.calibration import calibration_oracle

DISTANCES = ("linear", "raking", "logit", "truncated")

START = np.array([1000.0, 1500.0, 1100.0, 1400.0, 1100.0, 1900.0])
# female, male, -24, 25-49, +50: the six records that are left of Bergeat's nine
CELLS = np.array(
    [[1, 0, 1, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [0, 1, 0, 1, 0], [0, 1, 0, 1, 0]], dtype=float
)
TOTALS = np.array([7000.0, 5000.0, 3300.0, 5000.0, 3700.0])


def test_nine_records_of_the_paper() -> None:
    """Bergeat (2015), slide "Calibration": the linear method with q = 1/d shifts all records of a cell alike."""
    found = calibrate(CELLS, TOTALS, START, q=1 / START, distance="linear")
    assert START * found.factors == pytest.approx([1400, 1900, 1700, 2000, 2100, 2900], rel=1e-12)
    assert found.worst < 1e-12


@pytest.mark.parametrize("distance", DISTANCES)
def test_nine_records_by_the_other_distances(distance: str) -> None:
    """Here every cell has one factor, so all distances with q = 1 agree."""
    bounds = (0.4, 2.0) if distance in ("logit", "truncated") else None
    found = calibrate(CELLS, TOTALS, START, distance=distance, bounds=bounds)  # type: ignore[arg-type]
    expected = [1320, 1980, 1628, 2072, 5500 / 3, 9500 / 3]
    assert START * found.factors == pytest.approx(expected, rel=1e-11)


@given(st.sampled_from(DISTANCES), st.integers(0, 10**6), st.integers(4, 8), st.integers(1, 3), st.booleans())
def test_oracle(distance: str, seed: int, n: int, p: int, scaled: bool) -> None:
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(n), rng.integers(0, 3, (n, p)).astype(float)])
    assume(np.linalg.matrix_rank(x) == p + 1)
    start = rng.uniform(0.5, 3, n)
    q = rng.uniform(0.5, 2, n) if scaled else np.ones(n)
    bounds = (0.3, 2.5) if distance in ("logit", "truncated") else None
    totals = x.T @ (start * rng.uniform(0.6, 1.8, n))
    found = calibrate(x, totals, start, q=q, distance=distance, bounds=bounds)  # type: ignore[arg-type]
    assert found.worst < 1e-10
    oracle = calibration_oracle(x, totals, start, q, distance, bounds)
    assert found.factors == pytest.approx(oracle, abs=2e-5)


@given(st.sampled_from(DISTANCES), st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 4), st.integers(2, 5))
def test_collinear_margins_do_no_harm(distance: str, seed: int, n: int, margins: int, cells: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, cells, (n, margins))
    x = np.concatenate([np.eye(cells)[codes[:, m]] for m in range(margins)], axis=1)
    start = rng.uniform(1, 100, n)
    bounds = (0.2, 4.0) if distance in ("logit", "truncated") else None
    totals = x.T @ (start * rng.uniform(0.3, 3.5, n))
    found = calibrate(sp.csr_array(x), totals, start, distance=distance, bounds=bounds)  # type: ignore[arg-type]
    assert found.worst < 1e-9
    weights = start * found.factors
    assert x.T @ weights == pytest.approx(totals, rel=1e-9, abs=1e-9)
    if bounds is not None:
        assert found.factors.min() >= bounds[0] - 1e-12
        assert found.factors.max() <= bounds[1] + 1e-12
    if distance == "raking":
        assert found.factors.min() > 0


@pytest.mark.parametrize("distance", DISTANCES)
def test_columns_of_very_different_size(distance: str) -> None:
    rng = np.random.default_rng(3)
    n = 500
    x = np.column_stack([np.ones(n), rng.lognormal(12, 1.5, n), rng.uniform(0, 1e-4, n), rng.normal(0, 50, n)])
    start = rng.uniform(1, 40, n)
    bounds = (0.1, 5.0) if distance in ("logit", "truncated") else None
    totals = x.T @ (start * rng.uniform(0.7, 1.6, n))
    found = calibrate(x, totals, start, distance=distance, bounds=bounds)  # type: ignore[arg-type]
    assert found.worst < 1e-10


def test_truncated_weights_at_their_bounds() -> None:
    """By hand: the ends are cut off at 0.5 and 2; the two between must add up to 2.5 and, times 2 and 3, to 6.7."""
    x = np.column_stack([np.ones(4), [1.0, 2.0, 3.0, 4.0]])
    found = calibrate(x, np.array([5.0, 15.2]), np.ones(4), distance="truncated", bounds=(0.5, 2.0))
    assert found.worst < 1e-12
    assert found.factors == pytest.approx([0.5, 0.8, 1.7, 2.0], rel=1e-11)


def test_totals_that_contradict_each_other_are_not_met() -> None:
    x = np.array([[1.0, 1.0], [1.0, 1.0]])
    found = calibrate(x, np.array([3.0, 4.0]), np.ones(2), distance="raking")
    assert found.worst > 0.1


def test_a_distance_with_bounds_needs_them() -> None:
    with pytest.raises(ValueError, match="needs bounds"):
        calibrate(np.ones((2, 1)), np.array([3.0]), np.ones(2), distance="logit")


def test_deviations_are_relative() -> None:
    x = np.array([[1.0, 2.0], [1.0, -2.0]])
    off = deviations(x, np.array([2.2, 0.0]), np.ones(2), np.ones(2))
    assert off == pytest.approx([0.2 / 2.2, 0.0])


def test_start_weights_of_zero_stay() -> None:
    found = calibrate(np.ones((3, 1)), np.array([6.0]), np.array([0.0, 1.0, 2.0]), distance="raking")
    assert (np.array([0.0, 1.0, 2.0]) * found.factors).tolist() == pytest.approx([0.0, 2.0, 4.0])
