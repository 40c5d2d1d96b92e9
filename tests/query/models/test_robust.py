"""Huber's regression against statsmodels' RLM."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm

from tacita.query.models.model_result import InternalFit
from tacita.query.models.robust import fit_robust, huber_weights, residual_scale
from tacita.query.models.terms import ModelSpec
from tacita.query.models.violation import ModelViolation
from tests.query.models.builders import built, full_spec, numbers, sample, with_constant


def test_against_statsmodels() -> None:
    fit = fit_robust(built(full_spec(), sample()))
    assert isinstance(fit, InternalFit)
    x = with_constant(fit.design)
    expected = sm.RLM(fit.design.data.response, x, M=sm.robust.norms.HuberT()).fit(tol=1e-12, maxiter=200)
    np.testing.assert_allclose(fit.coefficients, expected.params, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(fit.errors, expected.bse, rtol=1e-5)


def test_one_outlier_hardly_moves_it() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=200)
    y = 1 + 2 * x + rng.normal(size=200)
    wild = y.copy()
    wild[0] += 1e5
    spec = ModelSpec.of("y", ["x"])
    calm, hit = (fit_robust(built(spec, numbers(v, x=x))) for v in (y, wild))
    assert isinstance(calm, InternalFit)
    assert isinstance(hit, InternalFit)
    assert np.abs(calm.coefficients - hit.coefficients).max() < 0.05


def test_weights_alone_keep_the_coefficients() -> None:
    data = sample(300)
    plain = fit_robust(built(full_spec(), data))
    weighted = fit_robust(built(full_spec(), replace(data, weights=np.full(300, 3.0))))
    assert isinstance(plain, InternalFit)
    assert isinstance(weighted, InternalFit)
    np.testing.assert_allclose(weighted.coefficients, plain.coefficients, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(weighted.errors, plain.errors, rtol=0.5)
    assert weighted.distribution == "t"


def test_no_fit() -> None:
    x = np.arange(40.0)
    exact = fit_robust(built(ModelSpec.of("y", ["x"]), numbers(np.where(x < 39, 2 * x, 0.0), x=x)))
    assert isinstance(exact, ModelViolation)
    assert exact.rule in {"robust_scale", "no_convergence"}
    dependent = fit_robust(built(ModelSpec.of("y", ["x", "z"]), numbers(x % 3, x=x, z=x)))
    assert isinstance(dependent, ModelViolation)
    assert dependent.rule == "dependent_columns"
    few = fit_robust(built(ModelSpec.of("y", ["x"]), numbers(x[:2], x=x[:2])))
    assert isinstance(few, ModelViolation)
    assert few.rule == "too_few_records"


def test_scale_and_weights() -> None:
    r = np.random.default_rng(1).normal(0, 3, 20_000)
    assert residual_scale(r) == pytest.approx(3, rel=0.03)
    assert huber_weights(np.array([0.0, 10.0]), 1.0).tolist() == pytest.approx([1.0, 0.1345])
