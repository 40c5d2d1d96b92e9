"""The fit with the smallest absolute deviations: the median, bounds, and a plain programme."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from tacita.solve.least_absolute import least_absolute


@pytest.mark.parametrize("seed", range(3))
def test_it_deviates_as_little_as_a_plain_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, sides = rng.normal(size=(12, 4)), rng.normal(size=12)
    found = least_absolute(rows, sides, np.full(4, -0.5), np.full(4, 0.5))
    cost = np.concatenate([np.zeros(4), np.ones(24)])
    plain = linprog(
        cost,
        A_eq=np.hstack([rows, np.eye(12), -np.eye(12)]),
        b_eq=sides,
        bounds=[(-0.5, 0.5)] * 4 + [(0, None)] * 24,
    )
    assert np.abs(rows @ found - sides).sum() == pytest.approx(plain.fun, abs=1e-5)
    assert np.abs(found).max() <= 0.5


def test_one_answer_that_is_far_off_does_not_move_it() -> None:
    found = least_absolute(np.ones((5, 1)), np.array([1.0, 1, 1, 1, 100]), np.zeros(1), np.full(1, 200.0))
    assert found[0] == pytest.approx(1.0, abs=1e-4)
