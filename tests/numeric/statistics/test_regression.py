"""Regression kernels: by hand, against general tools, and on designs that have no solution."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.regression import independent_columns, least_squares, logistic
from tests.oracles.numeric import models as oracle


def test_line_by_hand() -> None:
    """y = 1, 2, 6 at 0, 1, 2: slope 2.5, residuals 0.5, -1, 0.5, s^2 = 1.5."""
    fit = least_squares(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 6.0]))
    assert fit.coefficients == pytest.approx([0.5, 2.5])
    assert fit.errors == pytest.approx(np.sqrt([1.5 * (1 / 3 + 1 / 2), 1.5 / 2]))


@pytest.mark.parametrize("seed", range(5))
def test_least_squares_against_the_normal_equations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(3, 2, (40, 4)) @ rng.normal(size=(4, 4))
    y = x @ rng.normal(size=4) + rng.normal(size=40)
    b, errors = oracle.linear(x, y)
    fit = least_squares(x, y)
    assert fit.coefficients == pytest.approx(b, rel=1e-7)
    assert fit.errors == pytest.approx(errors, rel=1e-7)
    assert fit.fitted == pytest.approx(b[0] + x @ b[1:])


def test_an_exact_fit_has_no_error() -> None:
    x = np.arange(20.0).reshape(10, 2) ** 2
    fit = least_squares(x, 3 + x @ [1.0, -2.0])
    assert fit.coefficients == pytest.approx([3, 1, -2])
    assert fit.errors.tolist() == [0, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_logistic_against_a_general_minimiser(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(1, 1, (150, 3))
    y = (rng.random(150) < 1 / (1 + np.exp(-x @ [1.0, -0.5, 0.0]))).astype(float)
    b, errors, p = oracle.logistic(x, y)
    fit = logistic(x, y)
    assert fit.converged
    assert fit.coefficients == pytest.approx(b, abs=1e-4)
    assert fit.errors == pytest.approx(errors, rel=1e-4)
    assert fit.fitted == pytest.approx(p, abs=1e-5)


def test_blocks_of_records_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(100, 2)), (rng.random(100) < 0.4).astype(float)
    whole, kept = logistic(x, y), independent_columns(x)
    monkeypatch.setattr("tacita.numeric.statistics.regression._BLOCK", 7)
    assert logistic(x, y).coefficients == pytest.approx(whole.coefficients, rel=1e-9)
    assert independent_columns(x).tolist() == kept.tolist()


def test_groups_that_can_be_separated_have_no_coefficients() -> None:
    x = np.arange(20.0)[:, None]
    wholly = logistic(x, (x[:, 0] > 9.5).astype(float))
    assert not wholly.converged
    assert wholly.fitted == pytest.approx((x[:, 0] > 9.5).astype(float), abs=1e-3)
    # A group of records that are all 0: its coefficient goes to minus infinity, the others stay.
    dummy = np.repeat([0.0, 1.0], 10)
    partly = logistic(dummy[:, None], np.where(dummy > 0, 0.0, np.tile([0.0, 1.0], 10)))
    assert not partly.converged
    assert partly.fitted[:10] == pytest.approx(np.full(10, 0.5), abs=1e-6)


def test_far_values_are_no_separation() -> None:
    """A linear predictor of 40 for one record says nothing about the others."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 1))
    y = (rng.random(300) < 1 / (1 + np.exp(-2 * x[:, 0]))).astype(float)
    x[0], y[0] = 20.0, 1.0
    assert logistic(x, y).converged


def test_dependent_columns_are_found_whatever_their_size() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 60))
    x = np.column_stack([np.full(60, 3.0), a, 1e6 * b, 1e-6 * (a + b), a * b, 1e9 + b, np.zeros(60)])
    assert independent_columns(x).tolist() == [False, True, True, False, True, False, False]
