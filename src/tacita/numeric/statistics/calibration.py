"""Calibration of weights: the weights nearest to given ones under which chosen totals hold.

Given start weights d_k, rows x_k, totals T and scale factors q_k, the calibrated weights solve

    min  sum_k d_k G(w_k / d_k) / q_k      subject to      sum_k w_k x_k = T,

where G is a convex distance with G(1) = G'(1) = 0. They are w_k = d_k F(q_k x_k'u) with F the inverse of G', and the
multipliers u minimise the convex dual

    phi(u) = sum_k d_k H(q_k x_k'u) / q_k - T'u,      H' = F.

Newton's method on phi with halved steps, columns scaled to unit size, and least-squares steps, so that collinear totals
(two margins have the same sum) do no harm. Sparse matrices load when a calibration runs, so that masks can name a
distance without them.

=============  ===================================================================================================
distance       F(v)
=============  ===================================================================================================
``linear``     1 + v
``raking``     exp v
``logit``      (L (U - 1) + U (1 - L) e^(Av)) / ((U - 1) + (1 - L) e^(Av)),  A = (U - L) / ((1 - L)(U - 1))
``truncated``  1 + v, kept within [L, U]
=============  ===================================================================================================

References
----------
Deville, J.-C. and Särndal, C.-E. (1992), Calibration estimators in survey sampling, Journal of the American Statistical
Association 87, 376-382, cases 1, 2, 6 and 7 of table 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["Calibrated", "Distance", "calibrate", "deviations"]


Distance = Literal["linear", "raking", "logit", "truncated"]
"""How far apart two weights are: which of the four functions F is used."""

_SMALLEST_TOTAL = 1e-6
"""A total that is a smaller share of the sum of its absolute terms is compared with that share instead."""
_SUFFICIENT = 1e-4
_HALVINGS = 60
_RANK = 1e-11
"""Directions whose curvature is a smaller share of the largest one belong to collinear totals."""
_DAMPING = 1e-3


@dataclass(frozen=True, eq=False)
class Calibrated:
    """What a calibration reached.

    Parameters
    ----------
    factors
        (n,): calibrated weight / start weight.
    multipliers
        (p,): u, one for each total; not unique where totals are collinear.
    steps
        Newton steps.
    worst
        Largest deviation of a total, relative to the total.
    """

    factors: FloatArray = field(repr=False)
    multipliers: FloatArray = field(repr=False)
    steps: int
    worst: float


class _Link(NamedTuple):
    """H, F and F' at some points."""

    h: FloatArray
    f: FloatArray
    slope: FloatArray


def calibrate(
    x: Any,
    totals: FloatArray,
    start: FloatArray,
    *,
    q: FloatArray | None = None,
    distance: Distance = "linear",
    bounds: tuple[float, float] | None = None,
    steps: int = 200,
    tolerance: float = 1e-12,
) -> Calibrated:
    """Calibrate weights to totals. O(z) for each step with z the non-zero pairs within rows of x, plus O(p^3).

    Parameters
    ----------
    x
        (n, p), dense or sparse: what each row contributes to each total for one unit of weight.
    totals
        (p,): T.
    start
        (n,): d_k, 0 or more.
    q
        (n,): q_k, above 0; ones by default.
    distance
        Which F.
    bounds
        (L, U) with L < 1 < U for ``logit`` and ``truncated``: limits of calibrated / start weight.
    steps
        Largest number of Newton steps.
    tolerance
        Relative deviation of the totals at which the search ends; it also ends when nothing improves any more.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> found = calibrate(x, np.array([6.0, 2.0]), np.array([1.0, 2.0, 1.0]), distance="raking")
    >>> found.factors.round(9).tolist()
    [2.0, 2.0, 2.0]
    """
    import scipy.sparse as sp

    design = sp.csr_array(x)
    start = np.asarray(start, dtype=np.float64)
    q = np.ones(len(start)) if q is None else np.asarray(q, dtype=np.float64)
    size = np.sqrt((design.multiply(design)).T @ (start * q))
    size[size == 0] = 1.0
    scaled, wanted = design @ sp.diags_array(1 / size), totals / size
    u, state = np.zeros(len(totals)), _state(scaled, wanted, start, q, np.zeros(len(totals)), distance, bounds)
    first, worst, done = float(np.linalg.norm(state.gap)), np.inf, 0
    for done in range(steps + 1):
        worst = float(deviations(design, totals, start * state.link.f, start).max(initial=0.0))
        if worst <= tolerance or done == steps:
            break
        step = _newton_step(scaled, start * q, state, first, distance)
        moved = _line_search(scaled, wanted, start, q, u, step, state, distance, bounds)
        if moved is None:
            break
        u, state = moved
    return Calibrated(factors=state.link.f, multipliers=u / size, steps=done, worst=worst)


def deviations(x: Any, totals: FloatArray, weights: FloatArray, start: FloatArray) -> FloatArray:
    """Return by how much each weighted total differs from what it should be, as a share of the total."""
    import scipy.sparse as sp

    design = sp.csr_array(x)
    floor = _SMALLEST_TOTAL * (abs(design).T @ start)
    scale = np.maximum(np.abs(totals), floor)
    return np.asarray(np.abs(design.T @ weights - totals) / np.where(scale > 0, scale, 1.0), dtype=np.float64)


class _DualPoint(NamedTuple):
    """The dual and its derivatives at one point."""

    value: float
    gap: FloatArray
    """T - sum w x: minus the gradient."""
    link: _Link


def _state(
    scaled: Any,
    wanted: FloatArray,
    start: FloatArray,
    q: FloatArray,
    u: FloatArray,
    distance: Distance,
    bounds: tuple[float, float] | None,
) -> _DualPoint:
    with np.errstate(over="ignore", invalid="ignore"):  # a step that is too long is seen by its value
        link = _link(q * (scaled @ u), distance, bounds)
        value = float(start @ (link.h / q) - wanted @ u)  # phi(u)
        gap = wanted - scaled.T @ (start * link.f)  # T - sum_k w_k x_k
    return _DualPoint(value, gap, link)


def _newton_step(scaled: Any, weight: FloatArray, state: _DualPoint, first: float, distance: Distance) -> FloatArray:
    """Solve the Newton equation by least squares; where F is flat a little of the curvature at the start is added."""
    import scipy.sparse as sp

    curvature = weight * state.link.slope
    if distance in ("logit", "truncated"):
        curvature = curvature + _DAMPING * min(1.0, float(np.linalg.norm(state.gap)) / max(first, 1e-300)) * weight
    information = (scaled.T @ (sp.diags_array(curvature) @ scaled)).toarray()
    # Columns shrink and grow with F': scaling them again keeps small ones from being taken for collinear ones.
    unit = np.sqrt(np.diag(information))
    unit[unit == 0] = 1.0
    found = np.linalg.lstsq(information / np.outer(unit, unit), state.gap / unit, rcond=_RANK)[0]
    return np.asarray(found / unit, dtype=np.float64)


def _line_search(
    scaled: Any,
    wanted: FloatArray,
    start: FloatArray,
    q: FloatArray,
    u: FloatArray,
    step: FloatArray,
    state: _DualPoint,
    distance: Distance,
    bounds: tuple[float, float] | None,
) -> tuple[FloatArray, _DualPoint] | None:
    """Halve the step until the dual goes down; None where it does not any more."""
    slope = float(state.gap @ step)
    before = float(np.linalg.norm(state.gap))
    rounding = 1e-13 * (abs(state.value) + float(np.abs(wanted) @ np.abs(u)) + 1e-300)
    length = 1.0
    for _ in range(_HALVINGS):
        new = u + length * step
        there = _state(scaled, wanted, start, q, new, distance, bounds)
        if np.isfinite(there.value) and np.isfinite(there.gap).all():
            falls = there.value <= state.value - _SUFFICIENT * length * slope
            # Close to the end the value moves less than its rounding; the gap still tells.
            flat = abs(there.value - state.value) <= rounding
            if (falls and not flat) or (flat and float(np.linalg.norm(there.gap)) < before):
                return new, there
        length /= 2
    return None


def _link(v: FloatArray, distance: Distance, bounds: tuple[float, float] | None) -> _Link:
    if distance == "linear":  # case 1
        return _Link(v + v * v / 2, 1 + v, np.ones_like(v))
    if distance == "raking":  # case 2
        e = np.exp(v)
        return _Link(e, e, e)
    if bounds is None:
        raise ValueError(f"calibrate: the distance '{distance}' needs bounds.")
    low, high = bounds
    if distance == "truncated":  # case 7
        kept = np.clip(v, low - 1, high - 1)
        inside = (v > low - 1) & (v < high - 1)
        # Beyond a bound H goes on with the slope of the bound.
        return _Link(kept + kept * kept / 2 + (v - kept) * (1 + kept), 1 + kept, inside.astype(np.float64))
    a = (high - low) / ((1 - low) * (high - 1))  # case 6
    z = a * v + np.log((1 - low) / (high - 1))
    share = 0.5 * (1 + np.tanh(z / 2))  # has no overflow
    h = low * v + (high - low) / a * np.logaddexp(0.0, z)
    return _Link(h, low + (high - low) * share, (high - low) * a * share * (1 - share))
