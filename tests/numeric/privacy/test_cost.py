"""Costs: pure into rho, rho into (epsilon, delta), against the definition and against OpenDP."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.numeric.privacy.cost import Cost, epsilon_of_rho, rho_of_epsilon


@pytest.mark.parametrize(("rho", "delta"), [(1e-4, 1e-6), (0.125, 1e-6), (1.0, 1e-9), (5.0, 0.01)])
def test_epsilon_of_rho(rho: float, delta: float) -> None:
    """The least over a fine grid of alpha, and never above the simpler bound."""
    alpha = 1 + np.exp(np.linspace(-12, 20, 400_001))
    grid = rho * alpha + np.log(1 / (alpha * delta)) / (alpha - 1) + np.log1p(-1 / alpha)
    found = epsilon_of_rho(rho, delta)
    assert found == pytest.approx(max(float(grid.min()), 0), rel=1e-6)
    assert found <= rho + 2 * math.sqrt(rho * math.log(1 / delta))


def test_opendp_says_the_same() -> None:
    combinators = pytest.importorskip("opendp.combinators", reason="OpenDP is not installed")
    from opendp.domains import atom_domain
    from opendp.measurements import make_gaussian
    from opendp.metrics import absolute_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    gauss = make_gaussian(atom_domain(T="i64"), absolute_distance(T="f64"), scale=2.0)
    curve = combinators.make_zCDP_to_approxDP(gauss).map(1.0)
    assert curve.epsilon(1e-6) == pytest.approx(epsilon_of_rho(0.125, 1e-6), rel=1e-6)


def test_pure_costs_in_rho() -> None:
    assert Cost("pure", 0.5).as_rho() == 0.125
    assert Cost("zcdp", 0.5).as_rho() == 0.5
    assert epsilon_of_rho(0.0, 0.1) == 0.0


@pytest.mark.parametrize(
    ("measure", "amount"), [("pure", -1.0), ("pure", math.inf), ("zcdp", math.nan), ("renyi", 1.0)]
)
def test_what_is_no_cost_is_refused(measure: str, amount: float) -> None:
    with pytest.raises(ParameterError, match="Cost"):
        Cost(measure, amount)  # type: ignore[arg-type]


@pytest.mark.parametrize(("rho", "delta"), [(-1.0, 0.1), (1.0, 0.0), (1.0, 1.0)])
def test_impossible_conversions_are_refused(rho: float, delta: float) -> None:
    with pytest.raises(ParameterError, match="delta in"):
        epsilon_of_rho(rho, delta)


@pytest.mark.parametrize(("epsilon", "delta"), [(1e-3, 1e-9), (1.0, 1e-9), (8.0, 1e-5), (200.0, 0.01)])
def test_rho_of_epsilon_is_the_largest_that_keeps_the_promise(epsilon: float, delta: float) -> None:
    rho = float(rho_of_epsilon(epsilon, delta))
    assert epsilon_of_rho(rho, delta) <= epsilon
    assert epsilon_of_rho(rho * 1.0001, delta) > epsilon


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.1), (-1.0, 0.1), (math.inf, 0.1), (1.0, 0.0), (1.0, 1.0)])
def test_impossible_budgets_are_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(ParameterError, match="epsilon must be finite"):
        rho_of_epsilon(epsilon, delta)
