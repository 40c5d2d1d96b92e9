"""What is published: rounded numbers, and others that follow from these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from tacita.query.models.linear import fit_linear
from tacita.query.models.logistic import fit_logistic
from tacita.query.models.model_result import FittedModel, InternalFit
from tacita.query.models.publish import PublishedFigures, published
from tacita.query.models.robust import fit_robust
from tacita.query.models.significant import to_decimals, to_significant
from tacita.query.models.terms import ModelSpec
from tests.query.models.builders import built, full_spec, sample, with_constant


@pytest.fixture(scope="module")
def fit() -> InternalFit:
    found = fit_linear(built(full_spec(), sample()))
    assert isinstance(found, InternalFit)
    return found


@pytest.fixture(scope="module")
def model(fit: InternalFit) -> FittedModel:
    return published(full_spec(), fit, count=lambda n: n)


def test_close_to_the_exact_results(fit: InternalFit, model: FittedModel) -> None:
    expected = sm.OLS(fit.design.data.response, with_constant(fit.design)).fit()
    np.testing.assert_allclose([c.estimate for c in model.coefficients], expected.params, rtol=6e-4)
    np.testing.assert_allclose([c.error for c in model.coefficients], expected.bse, rtol=6e-4)
    np.testing.assert_allclose([c.statistic for c in model.coefficients], expected.tvalues, rtol=1e-2)
    np.testing.assert_allclose([c.p_value for c in model.coefficients], expected.pvalues, atol=5e-3)
    assert model.r_squared == pytest.approx(expected.rsquared, abs=1e-3)


def test_everything_follows_from_the_rounded_numbers(model: FittedModel) -> None:
    freedom = 400 - len(model.coefficients)
    for c in model.coefficients:
        assert c.estimate == to_significant(c.estimate)
        assert c.statistic == to_significant(c.estimate / c.error, 3)
        assert c.p_value == to_decimals(2 * stats.t.sf(abs(c.statistic), freedom))
    *terms, residual, total = model.table.lines
    assert residual.freedom == freedom
    assert model.r_squared == to_decimals(1 - residual.amount / total.amount)
    for line in terms:
        f = to_significant(line.amount / line.freedom / (residual.amount / freedom), 3)  # type: ignore[operator]
        assert line.statistic == f
        assert line.p_value == to_decimals(stats.f.sf(f, line.freedom, freedom))


def test_the_number_of_records_is_the_policys(fit: InternalFit) -> None:
    assert published(full_spec(), fit).n is None
    rounded = published(full_spec(), fit, count=lambda n: 5 * round(n / 5 + 1))
    assert rounded.n == 405
    assert rounded.table.lines[-1].freedom == 404
    hidden = published(full_spec(), fit)
    assert hidden.table.lines[-1].freedom is None


def test_absorbed_and_reference_classes_are_named() -> None:
    spec = ModelSpec.of("y", ["x", "g", "h"])
    design = built(spec, sample(100), count=34)  # of three classes one at least has fewer
    fit = fit_linear(design)
    assert isinstance(fit, InternalFit)
    model = published(spec, fit)
    for name, reference in model.references:
        assert design.data.named(name).classes[design.categories[name].reference] == reference
    absorbed = {name: len(classes) for name, classes in model.absorbed}
    assert set(absorbed) == {"g", "h"}
    assert absorbed == {name: len(c.absorbed) for name, c in design.categories.items() if c.absorbed}


def test_a_logistic_model_has_a_deviance_table() -> None:
    spec = full_spec("logistic")
    fit = fit_logistic(built(spec, sample(600, binary=True)))
    assert isinstance(fit, InternalFit)
    model = published(spec, fit, count=lambda n: n)
    assert model.table.kind == "deviance"
    line = model.table.lines[0]
    assert line.p_value == to_decimals(stats.chi2.sf(line.statistic, line.freedom))
    assert model.method == "maximum likelihood"
    assert model.distribution == "z"


def test_methods_have_names(fit: InternalFit) -> None:
    robust = fit_robust(built(full_spec(), sample()))
    assert isinstance(robust, InternalFit)
    assert published(full_spec(robust=True), robust).method == "robust"
    weighted = fit_linear(built(full_spec(), replace(sample(), weights=np.ones(400))))
    assert isinstance(weighted, InternalFit)
    model = published(full_spec(), weighted)
    assert model.method == "weighted least squares"
    assert model.table.kind == "wald"
    line = model.table.lines[0]
    assert line.p_value == to_decimals(stats.f.sf(line.statistic, line.freedom, weighted.freedom))
    assert published(full_spec(), fit).method == "least squares"


def test_fewer_figures(fit: InternalFit) -> None:
    model = published(full_spec(), fit, PublishedFigures(figures=2))
    assert all(c.estimate == to_significant(c.estimate, 2) for c in model.coefficients)


@pytest.mark.parametrize(("n", "kept"), [(20, 2), (49, 2), (500, 3), (4999, 3), (5000, 4), (10**6, 4)])
def test_small_sets_may_get_fewer_figures(n: int, kept: int) -> None:
    assert PublishedFigures(by_records=True).for_records(n) == kept
    assert PublishedFigures().for_records(n) == 4
