"""Interior points give the optimum of the simplex method."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tacita.solve import Solver
from tacita.solve.interior_point import InteriorPoint


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("corner", [True, False])
def test_same_optimum_as_the_simplex_method(seed: int, corner: bool) -> None:
    rng = np.random.default_rng(seed)
    rows = sp.csr_array(rng.integers(0, 3, (8, 12)).astype(float))
    parts = (rng.uniform(1, 3, 12), rows, np.full(8, 4.0), np.full(8, np.inf), np.zeros(12), np.full(12, 50.0))
    one, two = Solver(*parts).run(), InteriorPoint(*parts, ends_at_corner=corner).run()
    assert two.status == "optimal"
    assert two.objective == pytest.approx(one.objective, rel=1e-5)
    # Prices prove the optimum: what the rows are worth, and nothing is to be had cheaper.
    prices = np.maximum(two.duals, 0.0)
    left = parts[0] - rows.T @ prices
    assert prices @ parts[2] + np.minimum(left, 0) @ parts[5] == pytest.approx(one.objective, rel=1e-4)


def test_infeasible() -> None:
    rows = sp.csr_array(np.ones((1, 2)))
    answer = InteriorPoint(np.ones(2), rows, np.array([5.0]), np.array([5.0]), np.zeros(2), np.ones(2)).run()
    assert answer.status == "infeasible"
