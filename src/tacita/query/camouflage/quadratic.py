"""Quadratic statistics over the set of candidates: variance and standard deviation, by a small certified quadratic programme.

A sum of squares of linear functions is, for x = sum_j v_j P^j, the form v' G v with the Gram matrix G of the vertices. It is
convex: largest at a vertex, and its least value over all convex weights v is the squared distance of a hull from the origin.
"""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.outward import SUM_ERROR, Bounds, widened

__all__ = ["BLOCK", "form_interval", "least_form", "root", "variance_interval"]

BLOCK = 1 << 16
PRODUCT_ERROR = BLOCK * float(np.finfo(np.float64).eps)
"""Largest relative error of a product of matrices with so many terms a sum, in whatever order they are added."""


def least_form(gram: FloatArray) -> tuple[FloatArray, float]:
    """Find the least value of v' G v over convex weights v, with a proof.

    Wolfe's method for the point of a hull that is nearest to the origin: the affine minimum over a set of vertices, with a
    step back to the hull where it lies outside and one more vertex where that helps. For any v convexity gives, for all
    convex weights u, u' G u >= 2 u' G v - v' G v >= 2 min_j (G v)_j - v' G v, which is the bound that is returned.

    Parameters
    ----------
    gram
        (k, k): G, symmetric and positive semi-definite.

    Returns
    -------
    tuple of FloatArray and float
        The weights, and a number that no v' G v is below (but for the rounding of the bound itself).

    Notes
    -----
    The bound holds whatever v is, so neither tolerances nor the limit on steps can make it wrong, only lower. O(k^3) a step.

    References
    ----------
    Wolfe, P. (1976), Finding the nearest point in a polytope, Mathematical Programming 11, 128-149.

    Examples
    --------
    >>> weights, bound = least_form(np.array([[4.0, 0.0], [0.0, 4.0]]))
    >>> weights.round(9).tolist(), round(bound, 9)
    ([0.5, 0.5], 2.0)
    """
    k = len(gram)
    weights = np.zeros(k)
    weights[int(np.argmin(np.diag(gram)))] = 1.0
    best, best_bound = weights, -math.inf
    tolerance = 1e-13 * float(np.abs(gram).max(initial=0.0))
    for _ in range(20 * k):
        slopes = gram @ weights
        value = float(weights @ slopes)
        bound = 2 * float(slopes.min()) - value
        if bound > best_bound:
            best, best_bound = weights, bound
        entering = int(np.argmin(slopes))
        if value - slopes[entering] <= tolerance:
            break
        weights = _back_to_the_hull(gram, weights, entering)
    return best, best_bound


def _back_to_the_hull(gram: FloatArray, weights: FloatArray, entering: int) -> FloatArray:
    """Return the minimum over the affine hull of a subset of the vertices in use and the entering one, inside their hull."""
    used = weights > 0
    used[entering] = True
    while True:
        place = np.flatnonzero(used)
        system = np.ones((len(place) + 1, len(place) + 1))
        system[:-1, :-1], system[-1, -1] = gram[np.ix_(place, place)], 0.0
        side = np.zeros(len(place) + 1)
        side[-1] = 1.0
        wanted = np.zeros(len(weights))
        wanted[place] = np.linalg.lstsq(system, side, rcond=None)[0][:-1]
        outside = used & (wanted <= 1e-15)
        if not outside.any() or len(place) == 1:
            found = np.maximum(wanted, 0.0)
            return np.asarray(found / found.sum())
        steps = np.full(len(weights), np.inf)
        falls = outside & (weights > wanted)
        steps[falls] = weights[falls] / (weights[falls] - wanted[falls])
        steps[outside & ~falls] = 0.0  # the entering vertex cannot enter
        leaving = int(np.argmin(steps))
        weights = weights + min(float(steps[leaving]), 1.0) * (wanted - weights)
        weights[leaving] = 0.0
        used = used & (weights > 0) if weights.any() else np.arange(len(weights)) == entering
        weights = np.where(used, weights, 0.0)


def form_interval(gram: FloatArray, scale: float) -> Bounds:
    """Return the range of v' G v over convex weights.

    Parameters
    ----------
    gram
        (k, k): Gram matrix of linear images of the vertices.
    scale
        Largest size of a linear image that rounding can have hidden: absolute error, on the scale of the square root of the form.

    Returns
    -------
    Bounds
        From the proven bound below to the best vertex above, wider by what rounding can have changed; never below 0.
    """
    top = float(np.diag(gram).max())
    bound = least_form(gram)[1]
    error = 4 * PRODUCT_ERROR * top + 2 * scale * math.sqrt(top) + scale**2
    if top == 0 and scale == 0:  # a constant column, exactly; squares of tiny numbers may be 0 as well
        return Bounds(0.0, 0.0)
    low, high = widened(bound, top, error)
    return Bounds(max(low, 0.0), high)


@one_blas_thread()  # the last bits of an answer must not depend on the machine
def variance_interval(hull: Hull, rows: IntArray | slice) -> Bounds:
    """Return the range of the variance sum_i (x_i - mean)^2 / (n - 1) over all candidates.

    Parameters
    ----------
    hull
        The candidates.
    rows
        The members, as :meth:`Hull.members` returns them; at least two.

    Raises
    ------
    DataError
        When there is only one member.

    Notes
    -----
    O(k^2 n) time in blocks, O(k n) memory for a block of n.

    Examples
    --------
    >>> hidden = Hull(np.array([[0.0, 2.0], [2.0, 1.0]]), np.array([0.5, 0.5]))
    >>> [round(end, 9) for end in variance_interval(hidden, slice(None))]
    [0.0, 2.0]
    """
    count = hull.records if isinstance(rows, slice) else len(rows)
    if count < 2:
        raise DataError("interval: a variance must have at least two members; choose a larger set.")
    means = np.array([row[rows].sum() for row in hull.points]) / count
    gram = np.zeros((len(means), len(means)))
    spread = 0.0
    for start in range(0, count, BLOCK):
        part = slice(start, min(start + BLOCK, count)) if isinstance(rows, slice) else rows[start : start + BLOCK]
        block = hull.points[:, part] - means[:, None]
        spread = max(spread, float(np.abs(block).max()))
        gram += block @ block.T
    scale = SUM_ERROR * hull.scale * math.sqrt(count / (count - 1)) if spread else 0.0
    return form_interval(gram / (count - 1), scale)


def root(bounds: Bounds) -> Bounds:
    """Return the range of the square root of something that is not negative.

    Examples
    --------
    >>> root(Bounds(0.0, 0.0))
    Bounds(low=0.0, high=0.0)
    """
    low, high = math.sqrt(bounds.low), math.sqrt(bounds.high)
    low = math.nextafter(low, 0.0)
    return Bounds(low, math.nextafter(high, math.inf) if high else 0.0)
