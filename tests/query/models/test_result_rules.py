"""Rules on a fitted model: each fires, and each lets pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.linear import fit_linear
from tacita.query.models.logistic import fit_logistic
from tacita.query.models.model_result import InternalFit
from tacita.query.models.result_rules import (
    RESULT_RULES,
    ResultLimits,
    broken_result_rules,
    enough_freedom,
    leverage_limit,
    local_predictability,
    parameters_per_record,
    r_squared_limit,
    well_predicted,
)
from tacita.query.models.terms import ModelSpec
from tests.query.models.builders import built, full_spec, numbers, sample

LIMITS = ResultLimits()


def linear(y: FloatArray, **columns: FloatArray) -> InternalFit:
    found = fit_linear(built(ModelSpec.of("y", list(columns)), numbers(y, **columns)))
    assert isinstance(found, InternalFit)
    return found


def test_an_ordinary_model_passes_all_rules() -> None:
    found = fit_linear(built(full_spec(), sample()))
    assert isinstance(found, InternalFit)
    assert broken_result_rules(found) == ()
    assert len(RESULT_RULES) == 5


@pytest.mark.parametrize(("n", "fires"), [(11, True), (12, False)])
def test_residual_freedom(n: int, fires: bool) -> None:
    rng = np.random.default_rng(1)
    fit = linear(rng.normal(size=n), x=rng.normal(size=n))
    assert (enough_freedom(fit, LIMITS) is not None) == fires


@pytest.mark.parametrize(("n", "fires"), [(12, True), (13, False)])
def test_parameters_per_record(n: int, fires: bool) -> None:
    """Four coefficients on 12 records are a third, which is above 0.33."""
    rng = np.random.default_rng(1)
    fit = linear(rng.normal(size=n), x=rng.normal(size=n), z=rng.normal(size=n), u=rng.normal(size=n))
    assert (parameters_per_record(fit, LIMITS) is not None) == fires


@pytest.mark.parametrize(("noise", "fires"), [(0.1, True), (1.0, False)])
def test_r_squared(noise: float, fires: bool) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    assert (r_squared_limit(linear(x + noise * rng.normal(size=200), x=x), LIMITS) is not None) == fires


@pytest.mark.parametrize(("far", "fires"), [(100.0, True), (5.0, False)])
def test_leverage(far: float, fires: bool) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    x[0] = far
    assert (leverage_limit(linear(rng.normal(size=200), x=x), LIMITS) is not None) == fires


def grouped(*, exact: bool, steady: bool = False) -> InternalFit:
    """Five classes; in one the response follows from the numbers nearly exactly, though R^2 is low over all."""
    rng = np.random.default_rng(2)
    n = 1000
    g, x = rng.integers(0, 5, n), rng.uniform(10, 20, n)
    y = 10 + 3 * x + rng.normal(0, 30, n)
    if exact:
        y[g == 4] = 10 + 3 * x[g == 4] + rng.normal(0, 0.1, (g == 4).sum())
    if steady:
        y = 100 + rng.normal(0, 2, n)
    data = ModelData(y, (Predictor("x", x), Predictor("g", codes=g, classes=tuple("abcde"))))
    found = fit_linear(built(ModelSpec.of("y", ["x", "g"], [("x", "g")]), data))
    assert isinstance(found, InternalFit)
    return found


def test_a_group_that_is_predicted_unusually_well() -> None:
    fit = grouped(exact=True)
    assert r_squared_limit(fit, LIMITS) is None
    found = local_predictability(fit, LIMITS)
    assert found is not None
    assert found.rule == "local_predictability"
    assert "g" in found.detail
    assert local_predictability(grouped(exact=False), LIMITS) is None


def test_what_the_mean_tells_is_not_the_models_doing() -> None:
    fit = grouped(exact=False, steady=True)
    assert well_predicted(fit.design.data.response, fit.fitted, 10.0).mean() > 0.99
    assert local_predictability(fit, LIMITS) is None
    assert local_predictability(fit, replace(LIMITS, gain=0.0, share=0.5, p=1.0)) is None


def test_a_bin_of_a_number_that_is_predicted_unusually_well() -> None:
    """The line is exact in the last tenth of x only; no categorical predictor is there to show it."""
    rng = np.random.default_rng(5)
    x = np.sort(rng.uniform(0, 100, 2000))
    noise = np.where(np.arange(2000) < 1800, rng.normal(0, 60, 2000), 0.0)
    fit = linear(50 + 2 * x + noise - noise.mean(), x=x)
    assert r_squared_limit(fit, LIMITS) is None
    assert local_predictability(fit, LIMITS) is not None
    assert local_predictability(linear(50 + 2 * x + rng.normal(0, 60, 2000), x=x), LIMITS) is None


@pytest.mark.parametrize("weighted", [False, True])
def test_logistic_groups(weighted: bool) -> None:
    """A class of whom 98 in 100 have it is told by the model where half of all have it; a rare outcome is not its doing."""
    rng = np.random.default_rng(7)
    g = rng.integers(0, 3, 1500)
    found = []
    for chances in ([0.4, 0.5, 0.98], [0.02, 0.03, 0.04]):
        y = (rng.random(1500) < np.array(chances)[g]).astype(float)
        weights = np.ones(1500) if weighted else None
        data = ModelData(
            y, (Predictor("g", codes=g, classes=tuple("abc")), Predictor("x", rng.normal(size=1500))), weights=weights
        )
        fit = fit_logistic(built(ModelSpec.of("y", ["g", "x"], family="logistic"), data))
        assert isinstance(fit, InternalFit)
        found.append(local_predictability(fit, LIMITS) is not None)
    assert found == [True, False]


def test_shares_against_a_slow_count() -> None:
    """The rule fires exactly where a loop over the groups finds one above the limit."""
    fit = grouped(exact=False)
    y, data = fit.design.data.response, fit.design.data
    good = np.abs(y - fit.fitted) <= 0.3 * np.abs(y)
    known = np.abs(y - y.mean()) <= 0.3 * np.abs(y)
    gains = []
    for values in (fit.fitted, data.named("x").values):
        cuts = np.quantile(values, np.arange(1, 10) / 10, method="inverted_cdf")  # type: ignore[arg-type]
        bins = np.searchsorted(cuts, values, side="left")  # type: ignore[arg-type]
        gains += [(good[bins == b].mean(), good[bins == b].mean() - known[bins == b].mean()) for b in range(10)]
    codes = data.named("g").codes
    gains += [(good[codes == c].mean(), good[codes == c].mean() - known[codes == c].mean()) for c in range(5)]
    largest = max(share for share, gain in gains if gain > 0.001)
    for limit, fires in ((largest - 1e-9, True), (largest + 1e-9, False)):
        limits = ResultLimits(p=30.0, share=limit, gain=0.001)
        assert (local_predictability(fit, limits) is not None) == fires


def test_limits_are_checked() -> None:
    with pytest.raises(ParameterError, match="'leverage' must be"):
        ResultLimits(leverage=0.0)
