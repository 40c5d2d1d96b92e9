"""Linear regression against numpy's least squares and statsmodels on all records."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.models.linear import fit_linear, triangle_of
from tacita.query.models.model_result import InternalFit
from tacita.query.models.terms import ModelSpec
from tacita.query.models.violation import ModelViolation
from tests.effort import examples
from tests.query.models.builders import built, full_spec, numbers, sample, with_constant


@pytest.fixture(scope="module")
def fit() -> InternalFit:
    found = fit_linear(built(full_spec(), sample()))
    assert isinstance(found, InternalFit)
    return found


def test_against_statsmodels_on_all_records(fit: InternalFit) -> None:
    expected = sm.OLS(fit.design.data.response, with_constant(fit.design)).fit()
    np.testing.assert_allclose(fit.coefficients, expected.params, rtol=1e-9)
    np.testing.assert_allclose(fit.covariance, expected.cov_params(), rtol=1e-7, atol=1e-12)
    assert fit.r_squared == pytest.approx(expected.rsquared, rel=1e-10)
    assert fit.freedom == expected.df_resid
    influence = expected.get_influence()
    np.testing.assert_allclose(fit.leverage, influence.hat_matrix_diag, rtol=1e-8)
    np.testing.assert_allclose(fit.standardised, influence.resid_studentized_internal, rtol=1e-7)
    np.testing.assert_allclose(fit.fitted, expected.fittedvalues, rtol=1e-10)


def test_against_numpy(fit: InternalFit) -> None:
    expected = np.linalg.lstsq(with_constant(fit.design), fit.design.data.response, rcond=None)[0]
    np.testing.assert_allclose(fit.coefficients, expected, rtol=1e-9)


def test_sequential_sums_of_squares(fit: InternalFit) -> None:
    x, y = with_constant(fit.design), fit.design.data.response
    left = [sm.OLS(y, x[:, : 1 + fit.design.leading(t)]).fit().ssr for t in range(len(fit.design.terms) + 1)]
    np.testing.assert_allclose([amount for _, _, amount in fit.lines], -np.diff(left), rtol=1e-7)
    assert sum(df for _, df, _ in fit.lines) == fit.design.width
    assert sum(amount for _, _, amount in fit.lines) + fit.residual == pytest.approx(fit.total)


@pytest.mark.parametrize("gap", [1e-2, 1e-3, 1e-4])
def test_nearly_dependent_columns_keep_their_figures(gap: float) -> None:
    """The second column is the first but for a part of size gap; coefficients are right to six figures and more."""
    rng = np.random.default_rng(8)
    x, e = rng.normal(1000, 1, 2000), rng.normal(size=2000)
    y = x + rng.normal(size=2000)
    found = fit_linear(built(ModelSpec.of("y", ["x", "z"]), numbers(y, x=x, z=x + gap * e)))
    assert isinstance(found, InternalFit)
    centred = np.column_stack([np.ones(2000), x - 1000, gap * e])
    b = np.linalg.lstsq(centred, y, rcond=None)[0]  # the same space, well-conditioned
    np.testing.assert_allclose(found.coefficients[1:], [b[1] - b[2], b[2]], rtol=1e-7)


@given(st.integers(0, 10**6), st.integers(8, 60), st.integers(1, 4), st.floats(-3, 3))
@settings(max_examples=examples(20), deadline=None)
def test_any_small_problem(seed: int, n: int, p: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * 10**size + 5 * 10**size
    y = rng.normal(size=n)
    data = numbers(y, **{f"x{j}": x[:, j] for j in range(p)})
    found = fit_linear(built(ModelSpec.of("y", [f"x{j}" for j in range(p)]), data))
    assert isinstance(found, InternalFit)
    expected = sm.OLS(y, sm.add_constant(x)).fit()
    np.testing.assert_allclose(
        found.coefficients, expected.params, rtol=1e-6, atol=1e-9 * np.abs(expected.params).max()
    )
    np.testing.assert_allclose(found.errors, expected.bse, rtol=1e-6)


def rule(data: object, *names: str) -> str:
    found = fit_linear(built(ModelSpec.of("y", list(names)), data))  # type: ignore[arg-type]
    assert isinstance(found, ModelViolation)
    return found.rule


def test_dependent_columns_are_refused() -> None:
    x, y = np.arange(20.0), np.arange(20.0) % 3
    assert rule(numbers(y, x=x, z=2 * x + 1), "x", "z") == "dependent_columns"
    assert rule(numbers(y, x=x, z=np.full(20, 7.3)), "x", "z") == "dependent_columns"
    assert rule(numbers(y[:2], x=x[:2]), "x") == "too_few_records"


def test_an_exact_fit_has_no_residual() -> None:
    x = np.arange(30.0)
    found = fit_linear(built(ModelSpec.of("y", ["x"]), numbers(3 + 2 * x, x=x)))
    assert isinstance(found, InternalFit)
    assert found.residual == 0
    assert found.r_squared == 1
    np.testing.assert_allclose(found.coefficients, [3, 2])


def test_the_triangle_is_that_of_cholesky() -> None:
    x = np.random.default_rng(1).normal(size=(50, 4))
    correlation = np.corrcoef(x.T)
    np.testing.assert_allclose(triangle_of(correlation, np.ones(3)), np.linalg.cholesky(correlation))


def test_a_constant_response_is_explained_by_nothing() -> None:
    found = fit_linear(built(ModelSpec.of("y", ["x"]), numbers(np.full(30, 2.0), x=np.arange(30.0))))
    assert isinstance(found, InternalFit)
    np.testing.assert_allclose(found.coefficients, [2, 0], atol=1e-12)
    assert found.r_squared == 0
