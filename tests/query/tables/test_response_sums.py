"""Sums of a response: variances against those by sorting, the largest against a full sort, missing values nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.query.noise.magnitude_key import largest_in_cells
from tacita.query.tables.design import SampleDesign, cell_variances
from tacita.query.tables.response_sums import ResponseInCells

RNG = np.random.default_rng(4)
N, COUNT = 400, 5
VALUES = np.where(RNG.random(N) < 0.1, np.nan, RNG.lognormal(4, 1, N))
WEIGHTS = RNG.random(N) * (RNG.random(N) < 0.9)
ROWS = np.flatnonzero(RNG.random(N) < 0.7).astype(np.int32)
CELLS = RNG.integers(0, COUNT - 1, len(ROWS)).astype(np.int32)
"""Nobody is in the last cell."""


def found(weights: np.ndarray | None) -> ResponseInCells:
    return ResponseInCells(ROWS, CELLS, COUNT, VALUES, weights)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alike", "weighted"])
def test_sums_are_those_of_the_records_with_a_value(weights: np.ndarray | None) -> None:
    w = np.ones(N) if weights is None else weights
    there = ~np.isnan(VALUES[ROWS])
    rows, cells = ROWS[there], CELLS[there]
    made = found(weights)
    assert made.known.tolist() == np.bincount(cells, minlength=COUNT).tolist()
    assert made.weighing.tolist() == np.bincount(cells, w[rows] > 0, COUNT).tolist()
    assert made.sums_of_weights.tolist() == np.bincount(cells, w[rows], COUNT).tolist()
    assert made.totals.tolist() == np.bincount(cells, w[rows] * VALUES[rows], COUNT).tolist()


@pytest.mark.parametrize("strata", [1, 6])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alike", "weighted"])
def test_variances_are_those_by_sorting(weights: np.ndarray | None, strata: int) -> None:
    design = SampleDesign.of(RNG.integers(0, strata, N) if strata > 1 else None, None, N)
    means, scale = RNG.random(COUNT) * 50, RNG.random(COUNT)
    w = np.ones(N) if weights is None else weights
    there = ~np.isnan(VALUES[ROWS])
    rows, cells = ROWS[there], CELLS[there]
    z = w[rows] * (VALUES[rows] - means[cells]) * scale[cells]
    wanted = cell_variances(z, cells, COUNT, design, rows)
    assert found(weights).variances(means, scale, design) == pytest.approx(wanted)
    assert found(weights).variances(1.3 * means, scale, design) != pytest.approx(wanted)


def test_the_largest_are_those_of_the_slow_way() -> None:
    ids = RNG.permutation(N).astype(np.uint64)
    made = found(WEIGHTS).largest(ids, 3)
    wanted = largest_in_cells(WEIGHTS[ROWS] * VALUES[ROWS], ids[ROWS], CELLS.astype(np.int64), COUNT, depth=3)
    assert made.amounts.tolist() == wanted.amounts.tolist()
    assert made.ids.tolist() == wanted.ids.tolist()
