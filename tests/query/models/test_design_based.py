"""Standard errors of the design against a slow loop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.models.design_based import spread_between_units, wald_lines
from tacita.query.models.linear import fit_linear
from tacita.query.models.model_result import InternalFit
from tests.query.models.builders import built, full_spec, sample, with_constant


def slow_covariance(x: FloatArray, y: FloatArray, w: FloatArray, strata: IntArray, clusters: IntArray) -> FloatArray:
    """The textbook: totals of scores by cluster, their spread within strata, between two inverses."""
    b = np.linalg.solve((x.T * w) @ x, (x.T * w) @ y)
    everything = [
        sum((w[i] * (y[i] - x[i] @ b)) * x[i] for i in np.flatnonzero(clusters == c)) for c in np.unique(clusters)
    ]
    meat = np.zeros((x.shape[1], x.shape[1]))
    for h in np.unique(strata):
        units = np.unique(clusters[strata == h])
        totals = []
        for c in units:
            rows = np.flatnonzero(clusters == c)
            totals.append(sum((w[i] * (y[i] - x[i] @ b)) * x[i] for i in rows))
        centre = np.mean(everything, axis=0) if len(units) == 1 else np.mean(totals, axis=0)
        factor = 1.0 if len(units) == 1 else len(units) / (len(units) - 1)
        for z in totals:
            meat += factor * np.outer(z - centre, z - centre)
    bread = np.linalg.inv((x.T * w) @ x)
    return np.asarray(bread @ meat @ bread)


@pytest.mark.parametrize("with_strata", [False, True])
@pytest.mark.parametrize("with_clusters", [False, True])
def test_against_the_textbook(with_strata: bool, with_clusters: bool) -> None:
    rng = np.random.default_rng(9)
    n, data = 240, sample(240)
    w = rng.uniform(1, 5, n)
    clusters = rng.permutation(np.repeat(np.arange(60), 4)) if with_clusters else None
    strata = np.minimum((np.arange(n) if clusters is None else clusters) // 7, 8) if with_strata else None
    surveyed = replace(data, weights=w, strata=strata, clusters=clusters)
    fit = fit_linear(built(full_spec(), surveyed))
    assert isinstance(fit, InternalFit)
    expected = slow_covariance(
        with_constant(fit.design),
        data.response,
        w,
        np.zeros(n, dtype=np.int64) if strata is None else strata,
        np.arange(n) if clusters is None else clusters,
    )
    np.testing.assert_allclose(fit.covariance, expected, rtol=1e-6, atol=1e-10)
    x = with_constant(fit.design)
    np.testing.assert_allclose(fit.coefficients, np.linalg.solve((x.T * w) @ x, (x.T * w) @ data.response), rtol=1e-7)
    units = n if clusters is None else 60
    groups = 1 if strata is None else len(np.unique(strata))
    assert fit.freedom == units - groups - fit.design.width
    assert fit.kind == "wald"


def test_a_stratum_with_one_unit_is_compared_with_all() -> None:
    totals = np.array([[1.0], [3.0], [8.0]])
    found = spread_between_units(totals, np.array([0, 0, 1]))
    assert found[0, 0] == pytest.approx(2 * (1 + 1) + (8 - 4) ** 2)


def test_clusters_make_errors_larger_where_records_are_copies() -> None:
    data = sample(200)
    twice = np.repeat(np.arange(200), 2)
    copies = replace(data, response=data.response[twice], predictors=tuple(_taken(p, twice) for p in data.predictors))
    alone = fit_linear(built(full_spec(), replace(copies, weights=np.ones(400))))
    together = fit_linear(built(full_spec(), replace(copies, clusters=twice)))
    assert isinstance(alone, InternalFit)
    assert isinstance(together, InternalFit)
    np.testing.assert_allclose(together.errors / alone.errors, np.sqrt(2), rtol=0.01)


def _taken(predictor: object, rows: IntArray) -> object:
    values, codes = predictor.values, predictor.codes  # type: ignore[attr-defined]
    return replace(
        predictor,  # type: ignore[type-var]
        values=None if values is None else values[rows],
        codes=None if codes is None else codes[rows],
    )


def test_wald_of_one_coefficient_is_t_squared() -> None:
    fit = fit_linear(built(full_spec(), replace(sample(), weights=np.ones(400))))
    assert isinstance(fit, InternalFit)
    label, freedom, amount = wald_lines(fit.design, fit.coefficients, fit.covariance)[0]
    assert (label, freedom) == ("x", 1)
    assert amount == pytest.approx((fit.coefficients[1] / fit.errors[1]) ** 2)
