"""Logistic regression against statsmodels' Logit, and where there is no fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm

from tacita.query.models.logistic import fit_logistic
from tacita.query.models.model_result import InternalFit
from tacita.query.models.terms import ModelSpec
from tacita.query.models.violation import ModelViolation
from tests.query.models.builders import built, full_spec, numbers, sample, with_constant


@pytest.fixture(scope="module")
def fit() -> InternalFit:
    found = fit_logistic(built(full_spec("logistic"), sample(800, binary=True)))
    assert isinstance(found, InternalFit)
    return found


def test_against_statsmodels(fit: InternalFit) -> None:
    x, y = with_constant(fit.design), fit.design.data.response
    expected = sm.Logit(y, x).fit(disp=0, tol=1e-12)
    np.testing.assert_allclose(fit.coefficients, expected.params, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(fit.errors, expected.bse, rtol=1e-6)
    np.testing.assert_allclose(fit.fitted, expected.predict(), rtol=1e-7)
    assert fit.residual == pytest.approx(-2 * expected.llf)
    assert fit.total == pytest.approx(-2 * expected.llnull)
    assert fit.r_squared == pytest.approx(expected.prsquared)
    influence = sm.GLM(y, x, family=sm.families.Binomial()).fit().get_influence(observed=False)
    np.testing.assert_allclose(fit.leverage, influence.hat_matrix_diag, rtol=1e-4)
    np.testing.assert_allclose(fit.standardised, influence.resid_studentized, rtol=1e-4)


def test_deviance_table(fit: InternalFit) -> None:
    x, y = with_constant(fit.design), fit.design.data.response
    left = [
        -2 * sm.Logit(y, x[:, : 1 + fit.design.leading(t)]).fit(disp=0).llf for t in range(len(fit.design.terms) + 1)
    ]
    np.testing.assert_allclose([amount for _, _, amount in fit.lines], -np.diff(left), rtol=1e-5, atol=1e-7)


def test_weights_of_ones_change_the_errors_only() -> None:
    data = sample(500, binary=True)
    plain = fit_logistic(built(full_spec("logistic"), data))
    weighted = fit_logistic(built(full_spec("logistic"), replace(data, weights=np.full(500, 2.5))))
    assert isinstance(plain, InternalFit)
    assert isinstance(weighted, InternalFit)
    np.testing.assert_allclose(weighted.coefficients, plain.coefficients, rtol=1e-6, atol=1e-8)
    x = with_constant(plain.design)
    v = plain.fitted * (1 - plain.fitted)
    bread = np.linalg.inv(x.T @ (x * v[:, None]))
    meat = (x * plain.residuals[:, None]).T @ (x * plain.residuals[:, None]) * 500 / 499
    np.testing.assert_allclose(weighted.covariance, bread @ meat @ bread, rtol=1e-5, atol=1e-9)


def test_frequency_weights_equal_repeated_records() -> None:
    data = sample(200, binary=True)
    w = np.random.default_rng(2).integers(1, 4, 200)
    spec = ModelSpec.of("y", ["x", "z"], family="logistic")
    weighted = fit_logistic(built(spec, replace(data, weights=w.astype(float))))
    rows = np.repeat(np.arange(200), w)
    many = numbers(data.response[rows], x=data.named("x").values[rows], z=data.named("z").values[rows])  # type: ignore[index]
    repeated = fit_logistic(built(spec, many))
    assert isinstance(weighted, InternalFit)
    assert isinstance(repeated, InternalFit)
    np.testing.assert_allclose(weighted.coefficients, repeated.coefficients, rtol=1e-7)


def rule(y: np.ndarray, **columns: np.ndarray) -> str:
    found = fit_logistic(built(ModelSpec.of("y", list(columns), family="logistic"), numbers(y, **columns)))
    assert isinstance(found, ModelViolation)
    return found.rule


def test_no_fit() -> None:
    x = np.arange(40.0)
    assert rule((x > 20).astype(float), x=x) == "separation"
    assert rule(np.where((x > 20) & (x % 5 < 2), 1.0, 0.0), d=(x > 20).astype(float), x=x % 5) in {
        "separation",
        "no_convergence",
    }
    assert rule(np.ones(40), x=x) == "separation"
    assert rule(x, x=x) == "response_not_binary"
    assert rule((x % 2), x=x, z=3 * x) == "dependent_columns"
    assert rule(np.array([0.0, 1.0]), x=x[:2]) == "too_few_records"


def test_quasi_separation_is_seen() -> None:
    """One class without a single 1: its coefficient has no finite value."""
    rng = np.random.default_rng(3)
    d = (np.arange(200) < 30).astype(float)
    y = np.where(d > 0, 0.0, (rng.random(200) < 0.5).astype(float))
    assert rule(y, d=d, x=rng.normal(size=200)) == "separation"
