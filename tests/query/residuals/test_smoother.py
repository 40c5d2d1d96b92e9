"""Curves with fixed degrees of freedom, and the kernel smoother of what is shown."""

import numpy as np
import pytest

from tacita.query.residuals.ordered import OrderedUnits
from tacita.query.residuals.smoother import fixed_spline, kernel_curve

RNG = np.random.default_rng(6)
X = RNG.lognormal(0, 1, 800)


@pytest.mark.parametrize("df", [2.5, 5.0, 9.0])
def test_the_trace_of_the_smoother_is_the_degrees_of_freedom(df: float) -> None:
    """The smoother is linear: its matrix is what it makes of unit vectors."""
    x = np.sort(RNG.normal(size=120))
    units = OrderedUnits.of(x)
    hat = np.column_stack([fixed_spline(units, e, df=df, count=5).at(units.ranks(x)) for e in np.eye(120)])
    assert np.trace(hat) == pytest.approx(df, abs=1e-6)
    assert np.diag(hat).max() < 8 * df / 120


def test_the_penalty_does_not_depend_on_residuals() -> None:
    units = OrderedUnits.of(X)
    found = {fixed_spline(units, t, df=5, count=10).penalty for t in (X, np.sin(50 * X), RNG.normal(size=len(X)))}
    assert len(found) == 1


def test_it_follows_a_curve_and_not_the_noise() -> None:
    units = OrderedUnits.of(X)
    truth = np.sin(3 * units.ranks(X))
    found = fixed_spline(units, truth + RNG.normal(0, 1, len(X)), df=5, count=10).at(units.ranks(X))
    assert np.sqrt(np.mean((found - truth) ** 2)) < 0.2
    assert np.corrcoef(found, truth)[0, 1] > 0.9


def test_an_outlying_unit_does_not_pull_the_curve_through_it() -> None:
    x, t = np.append(RNG.normal(0, 1, 300), 1e6), np.append(RNG.normal(0, 1, 300), 30.0)
    units = OrderedUnits.of(x)
    assert fixed_spline(units, t, df=5, count=10).at(units.ranks(np.array([1e6])))[0] < 6


@pytest.mark.parametrize(("distinct", "df"), [(1, 1), (2, 2), (3, 2), (4, 3), (50, 5)])
def test_few_distinct_values_have_fewer_degrees(distinct: int, df: float) -> None:
    x = np.repeat(np.arange(float(distinct)), 40)
    found = fixed_spline(OrderedUnits.of(x), RNG.normal(size=len(x)), df=5, count=10)
    assert found.df == pytest.approx(df, abs=0.01)
    assert np.isfinite(found.at(np.array([0.0, 0.5, 1.0]))).all()


def test_few_units_have_fewer_degrees() -> None:
    x = np.arange(30.0)
    assert fixed_spline(OrderedUnits.of(x), x, df=5, count=10).df == pytest.approx(3, abs=1e-6)


def test_the_kernel_smoother_is_local_and_linear() -> None:
    x = np.sort(RNG.random(600))
    at, height = kernel_curve(x, 2 - 5 * x)
    assert np.allclose(height, 2 - 5 * at)
    bent = kernel_curve(x, np.abs(x - 0.5))[1]
    assert bent[0] > 0.4
    assert bent[len(bent) // 2] < 0.15
    assert [len(part) for part in kernel_curve(np.ones(9), np.ones(9))] == [0, 0]
