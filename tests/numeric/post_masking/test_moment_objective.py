"""The error of the moments: by hand, against the double loop, and its gradient against differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.post_masking.moment_objective import (
    MOST,
    Objective,
    level_losses,
    moment_error,
    moment_sums,
    objective,
)
from tests.oracles.compare import post_masking as oracle

values = st.floats(-5, 5, allow_nan=False, width=32)


def test_by_hand() -> None:
    """Means 0 and 1, second moments (2, 0; 0) and (3, 1; 1): E = 1 + 0 + 1 + 1 + 1."""
    x = np.array([[np.sqrt(2.0), 0.0], [-np.sqrt(2.0), 0.0]])
    y = np.array([[1 + np.sqrt(2.0), 1.0], [1 - np.sqrt(2.0), 1.0]])
    assert moment_error(moment_sums(y), moment_sums(x)) == pytest.approx(1 + 1 + 1 + 1 + 1)
    assert moment_error(moment_sums(x), moment_sums(x)) == 0


@given(arrays(np.float64, (5, 2), elements=values), arrays(np.float64, (7, 2), elements=values))
def test_files_of_different_length(x: np.ndarray, y: np.ndarray) -> None:
    found = moment_error(moment_sums(y), moment_sums(x))
    assert found == pytest.approx(oracle.moment_error(x.tolist(), y.tolist()), rel=1e-6, abs=1e-9)


def problem(seed: int, weight: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, Objective]:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(20, 3)), rng.normal(size=(30, 3))
    mine, of_x, of_y = moment_sums(y[:8]), moment_sums(x), moment_sums(y)
    near, unit = x[:8], np.abs(x[:8])
    unit[0, 0] = 0.0
    part = Objective(
        of_y.first - mine.first - 30 * of_x.first / 20,
        of_y.second - mine.second - 30 * of_x.second / 20,
        n=30,
        goal=5.0,
        slack=0.01,
        weight=weight,
        scale=2.0,
    )
    assert objective(y[:8].copy(), near, unit, part, np.empty((8, 3)))[1] == pytest.approx(moment_error(of_y, of_x))
    return y[:8].copy(), near, unit, part


@pytest.mark.parametrize("weight", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_gradient_is_that_of_the_value(seed: int, weight: float) -> None:
    z, near, unit, part = problem(seed, weight)
    gradient, unused = np.empty_like(z), np.empty_like(z)
    objective(z, near, unit, part, gradient)
    for i, j in ((0, 0), (0, 1), (3, 2), (7, 0)):
        up, down = z.copy(), z.copy()
        up[i, j] += 1e-6
        down[i, j] -= 1e-6
        slope = objective(up, near, unit, part, unused)[0] - objective(down, near, unit, part, unused)[0]
        assert gradient[i, j] == pytest.approx(slope / 2e-6, rel=1e-4, abs=1e-7)


losses = arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 100))


@given(losses, st.floats(0, 1))
def test_largest_errors_are_cut_to_one_height(found: np.ndarray, ratio: float) -> None:
    made = level_losses(found, np.ones(len(found)), ratio * found.sum())
    assert made.sum() == pytest.approx(ratio * found.sum(), abs=1e-9)
    assert (made <= found).all()
    cut = made < found
    assert not cut.any() or np.allclose(made[cut], made.max(), atol=1e-9)


def test_cutting_by_hand() -> None:
    assert level_losses(np.array([10.0, 4.0, 1.0]), np.ones(3), 8.0).tolist() == [3.5, 3.5, 1.0]
    assert level_losses(np.array([10.0, 4.0, 1.0]), np.ones(3), 0.0).tolist() == [0.0, 0.0, 0.0]


def test_errors_are_raised_where_values_move_least() -> None:
    size = np.array([0.1, 1.0, 0.0])
    made = level_losses(np.array([1.0, 1.0, 1.0]), size, 4.0)
    assert made.sum() == pytest.approx(4.0)
    assert made[2] == 1.0
    assert made[0] - 1 == pytest.approx(100 * (made[1] - 1))
    far = level_losses(np.array([1.0, 1.0, 1.0]), size, 1e9)
    assert ((far - 1) * size <= MOST + 1e-12).all()
