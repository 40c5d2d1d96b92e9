"""Curves through residuals: a penalised spline whose degrees of freedom are fixed beforehand, and a kernel smoother."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.residuals.ordered import OrderedUnits

__all__ = ["FixedSpline", "fixed_spline", "kernel_curve"]

_PIECES, _DEGREE, _CELLS = 12, 3, 400
_HUGE = 1e12
"""A penalty beyond which a spline is a straight line."""


@dataclass(frozen=True, eq=False)
class FixedSpline:
    """A curve b over the ranks of a variable.

    Parameters
    ----------
    coefficients
        Of the B-splines on equal pieces of [0, 1].
    penalty
        What the degrees of freedom were turned into.
    df
        Degrees of freedom: the trace of the smoother.
    """

    coefficients: FloatArray = field(repr=False)
    penalty: float
    df: float

    def at(self, ranks: FloatArray) -> FloatArray:
        """Return the curve at places in [0, 1]."""
        return np.asarray(_basis(ranks) @ self.coefficients)


def fixed_spline(units: OrderedUnits, response: FloatArray, *, df: float, count: int) -> FixedSpline:
    """Fit a penalised spline of some numbers over the ranks of a variable, with given degrees of freedom.

    With B the cubic B-splines on 12 equal pieces of the rank scale, W the shares of units, D second differences,

        b = B (B'WB + l D'D)^-1 B'W t,    l such that  trace (B'WB + l D'D)^-1 B'WB = df.

    The trace holds predictors only, so l does not depend on any residual: nothing is chosen by the data that are smoothed, and
    the curve cannot be overfitted however the residuals lie.

    Parameters
    ----------
    units
        The variable.
    response
        What is smoothed: one number for each unit, in the order of rows.
    df
        Degrees of freedom, at least 2 (a straight line). A variable with few distinct values has fewer: at most one less than
        values, and at most one for every ``count`` units.
    count
        Units for each degree of freedom.

    Returns
    -------
    FixedSpline
        The curve.

    Complexity
    ----------
    O(n) after sorting: units are put together in 400 cells of equal ranks.

    Notes
    -----
    The paper fits a generalised additive model and warns of overfitting. Over ranks instead of values every unit has about the
    same leverage, at most a few times df / n, also where it lies far out: a curve over values would pass through such a unit.
    What the curve misses in shape the deviations give back, which are added to it again.

    References
    ----------
    Eilers, P. and Marx, B. (1996), Flexible smoothing with B-splines and penalties, Statistical Science 11, 89-121.

    Examples
    --------
    >>> x = np.linspace(0, 1, 500)
    >>> curve = fixed_spline(OrderedUnits.of(x), x**2, df=5, count=10)
    >>> round(curve.df, 6), bool(abs(curve.at(np.array([0.5]))[0] - 0.25) < 0.01)
    (5.0, True)
    """
    wanted = float(np.clip(min(df, len(units.counts) - 1, units.size / count), 2.0, None))
    sums = np.add.reduceat(response[units.order], units.starts) if units.size else np.zeros(0)
    cells = np.minimum((units.middles * _CELLS).astype(np.int64), _CELLS - 1)
    weight = np.bincount(cells, units.counts, _CELLS)
    used = weight > 0
    place = np.bincount(cells, units.middles * units.counts, _CELLS)[used] / weight[used]
    mean = np.bincount(cells, sums, _CELLS)[used] / weight[used]
    share = weight[used] / weight.sum()
    basis = _basis(place)
    gram = basis.T @ (share[:, None] * basis)
    differences = np.diff(np.eye(basis.shape[1]), 2, axis=0)
    roughness = differences.T @ differences
    if len(units.counts) < 2:
        return FixedSpline(np.full(basis.shape[1], float(mean[0]) if len(mean) else 0.0), _HUGE, 1.0)
    penalty, found = _penalty_for(gram, roughness, wanted)
    solved = np.linalg.solve(gram + penalty * roughness + 1e-12 * np.eye(len(gram)), basis.T @ (share * mean))
    return FixedSpline(solved, penalty, found)


def _penalty_for(gram: FloatArray, roughness: FloatArray, df: float) -> tuple[float, float]:
    """Return the penalty with these degrees of freedom, and those that it has; the trace falls as the penalty grows."""
    from scipy.linalg import eigh
    from scipy.optimize import brentq

    # Against gram + roughness, which is definite, both matrices are diagonal: 1 - d and d.
    d = np.clip(eigh(roughness, gram + roughness, eigvals_only=True), 0.0, 1.0)

    def trace(log_penalty: float) -> float:
        penalty = np.exp(log_penalty)
        return float(np.sum((1 - d) / np.maximum(1 - d + penalty * d, 1e-300)))

    low, high = np.log(1e-9), np.log(_HUGE)
    if trace(high) >= df:
        return _HUGE, trace(high)
    if trace(low) <= df:
        return 1e-9, trace(low)
    root = float(brentq(lambda at: trace(at) - df, low, high, xtol=1e-12))
    return float(np.exp(root)), trace(root)


def _basis(ranks: FloatArray) -> FloatArray:
    """Return the cubic B-splines at places in [0, 1], one column each."""
    from scipy.interpolate import BSpline

    knots = np.arange(-_DEGREE, _PIECES + _DEGREE + 1) / _PIECES
    # Without its last bit 1.0 lies in the last piece of the unclamped knots.
    inside = np.clip(ranks, 0.0, np.nextafter(1.0, 0.0))
    return np.asarray(BSpline.design_matrix(inside, knots, _DEGREE).toarray())


def kernel_curve(x: FloatArray, y: FloatArray, places: int = 60) -> tuple[FloatArray, FloatArray]:
    """Return a local linear kernel smoother of synthetic points, on equal steps over their range.

    It is made of what is shown and of nothing else, so it tells nothing more. Gaussian kernel, bandwidth of Silverman's rule
    doubled, which is about that of regression.

    Returns
    -------
    tuple of FloatArray
        Places and heights; empty where the points have no width.

    Complexity
    ----------
    O(points places).

    Examples
    --------
    >>> x = np.linspace(0, 1, 200)
    >>> at, height = kernel_curve(x, 3 * x)
    >>> bool(np.allclose(height, 3 * at))
    True
    """
    if len(x) < 3 or x.max() <= x.min():
        return np.zeros(0), np.zeros(0)
    lower, upper = np.quantile(x, [0.25, 0.75])
    spread, middle = float(x.std()), float(upper - lower) / 1.34
    h = 1.8 * (min(spread, middle) if middle > 0 else spread) * len(x) ** -0.2
    at = np.linspace(x.min(), x.max(), places)
    away = (x[None, :] - at[:, None]) / h
    weight = np.exp(-0.5 * np.square(away)) + 1e-12 / (1 + np.square(away))  # also where no point is near
    s0, s1, s2 = weight.sum(axis=1), (weight * away).sum(axis=1), (weight * away * away).sum(axis=1)
    t0, t1 = weight @ y, (weight * away) @ y
    whole = s0 * s2 - s1**2
    return at, np.where(whole > 1e-9 * s0**2, (s2 * t0 - s1 * t1) / np.maximum(whole, 1e-300), t0 / s0)
