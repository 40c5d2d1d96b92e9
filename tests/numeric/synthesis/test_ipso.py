"""The kernel of IPSO against the definition with plain matrices."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.synthesis.ipso import fit_on_given, given_design, ipso, records_needed


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_against_the_formulas(kind: str) -> None:
    """The same draws, with X'X inverted and Cholesky roots: A and B agree to rounding, C in its products."""
    rng = np.random.default_rng(3)
    given, y = rng.normal(size=(60, 2)), rng.normal(size=(60, 3)) @ np.diag([1.0, 10.0, 0.1])
    fit = fit_on_given(given, y)
    new = ipso(fit, y, kind, np.random.default_rng(5))  # type: ignore[arg-type]
    x = np.hstack([np.ones((60, 1)), given])
    b = np.linalg.inv(x.T @ x) @ x.T @ y
    e = y - x @ b
    np.testing.assert_allclose(fit.coefficients, b, atol=1e-12)
    normal = np.random.default_rng(5).standard_normal((60, 3))
    drawn = normal @ (fit.root.T / np.sqrt(60))
    np.testing.assert_allclose(fit.root @ fit.root.T, e.T @ e, atol=1e-9)
    hat = x @ np.linalg.inv(x.T @ x) @ x.T
    if kind == "A":
        np.testing.assert_allclose(new, x @ b + drawn, atol=1e-9)
    elif kind == "B":
        np.testing.assert_allclose(new, x @ b + drawn - hat @ drawn, atol=1e-9)
    else:
        loose = new - x @ b
        np.testing.assert_allclose(x.T @ loose, 0, atol=1e-9)
        np.testing.assert_allclose(loose.T @ loose, e.T @ e, rtol=1e-9, atol=1e-9)


def test_given_columns_that_follow_from_others_are_no_trouble() -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(size=(40, 1))
    y = rng.normal(size=(40, 2))
    double = fit_on_given(np.hstack([one, 2 * one, np.ones((40, 1))]), y)
    assert double.rank == 2
    np.testing.assert_allclose(double.residuals, fit_on_given(one, y).residuals, atol=1e-12)
    assert records_needed(double.rank, 2) == 5


def test_a_gap_is_a_mean_and_a_mark() -> None:
    design = given_design(np.array([[1.0, np.nan], [3.0, np.nan]]))
    np.testing.assert_array_equal(design, [[1, 1, 0, 1], [1, 3, 0, 1]])


def test_the_spread_of_a_is_that_of_the_residuals() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=(40_000, 1)) * 3
    new = ipso(fit_on_given(np.empty((40_000, 0)), y), y, "A", rng)
    assert new.std() == pytest.approx(y.std(), rel=0.02)  # four standard errors are 1.4 %
