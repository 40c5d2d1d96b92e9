"""Linear regression over the set of candidates, where the response or one predictor is camouflaged.

Coefficients are linear in the response, so their ranges are exact. A camouflaged predictor is answered by an outer bound:
with the public predictors regressed out of x and y its coefficient is (x' y~) / (x' M x), a linear function divided by a
convex one, and each has its range. With response and predictor both camouflaged nothing is answered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.query.camouflage.hull import Hull, MemberRows
from tacita.query.camouflage.outward import SUM_ERROR, Bounds, rounded_outward, widened
from tacita.query.camouflage.quadratic import form_interval

__all__ = ["coefficient_intervals", "predictor_interval", "residual_variance_interval"]

BLOCK = 4096
LEAST_SINGULAR = 1e-6
"""Designs whose columns, at length 1, come nearer to dependence have no coefficients worth an answer."""


def coefficient_intervals(
    hull: Hull, design: FloatArray, members: MemberRows | None = None, *, digits: int | None = None
) -> list[Bounds]:
    """Return the ranges of the least-squares coefficients when the response is camouflaged.

    b = (X'X)^-1 X'y is linear in y: each coefficient is extreme at a vertex.

    Parameters
    ----------
    hull
        The candidates for the response.
    design
        (n, d): public predictors of all records of the hull, with a column of ones if there is a constant.
    members
        Row numbers or a mask; None for all records. Records without a response are left out.
    digits
        Significant digits of the ends, rounded away from the middle.

    Returns
    -------
    list of Bounds
        One for each column of the design.

    Raises
    ------
    ParameterError
        When the design does not have one row a record.
    DataError
        When predictors are not finite, depend on each other, or there are no more members than predictors.

    Notes
    -----
    O(n d (d + k)) time in blocks.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 5.0]]), np.array([0.5, 0.5]))
    >>> design = np.column_stack([np.ones(3), np.arange(3.0)])
    >>> [[round(end, 6) for end in bounds] for bounds in coefficient_intervals(hidden, design)]
    [[1.0, 1.0], [1.0, 2.0]]
    """
    fit = _fit(hull, design, members)
    ends = zip(fit.coefficients.min(axis=1), fit.coefficients.max(axis=1), fit.lengths, strict=True)
    found = [widened(float(low / size), float(high / size), float(2 * fit.error / size)) for low, high, size in ends]
    return [rounded_outward(bounds, digits) for bounds in found]


def residual_variance_interval(
    hull: Hull, design: FloatArray, members: MemberRows | None = None, *, digits: int | None = None
) -> Bounds:
    """Return the range of the residual variance y'(I - H)y / (n - d) when the response is camouflaged.

    It is a convex form: above by a vertex, below by the quadratic programme of the variance. Parameters and errors are those of
    :func:`coefficient_intervals`; its square root times that of a diagonal entry of (X'X)^-1 is a standard error.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 2.0, 3.0], [1.0, 4.0, 1.0]]), np.array([0.5, 0.5]))
    >>> design = np.column_stack([np.ones(3), np.arange(3.0)])
    >>> [round(end, 6) for end in residual_variance_interval(hidden, design)]
    [0.0, 6.0]
    """
    fit = _fit(hull, design, members)
    return rounded_outward(form_interval(fit.gram / fit.freedom, fit.form_error(hull.scale)), digits)


def predictor_interval(
    hull: Hull,
    response: FloatArray,
    design: FloatArray,
    members: MemberRows | None = None,
    *,
    digits: int | None = None,
) -> Bounds:
    """Return an outer bound for the coefficient of a camouflaged predictor; response and all other predictors are public.

    By the theorem of Frisch, Waugh and Lovell the coefficient is x'y~ / x'Mx, where M = I - Z (Z'Z)^-1 Z' takes the public
    predictors out and y~ = M y. The numerator is linear in x, the denominator a convex form: the quotient of both ranges
    contains every candidate's.

    Parameters
    ----------
    hull
        The candidates for the predictor.
    response
        (n,): public response of all records.
    design
        (n, d): the other predictors, public, with a column of ones if there is a constant.
    members, digits
        As for :func:`coefficient_intervals`.

    Returns
    -------
    Bounds
        Infinite where some candidate may be a combination of the public predictors.

    Raises
    ------
    ParameterError, DataError
        As for :func:`coefficient_intervals`.

    Examples
    --------
    >>> hidden = Hull(np.array([[0.0, 1.0, 2.0], [0.0, 2.0, 4.0]]), np.array([0.5, 0.5]))
    >>> [round(end, 6) for end in predictor_interval(hidden, np.array([1.0, 2.0, 3.0]), np.ones((3, 1)))]
    [0.25, 2.0]
    """
    given = np.asarray(response, dtype=np.float64)
    if given.shape != (hull.records,):
        raise ParameterError(f"'response' must have one entry for each of {hull.records} records.")
    fit = _fit(hull, design, members, given)
    if not np.isfinite(given[fit.rows]).all():
        raise DataError("A regression must have a finite response for all members; leave out those without.")
    form = form_interval(fit.gram[:-1, :-1], fit.form_error(hull.scale) * math.sqrt(fit.freedom))
    across = fit.gram[:-1, -1]
    norms = np.sqrt(np.diag(fit.gram))
    slack = 2 * fit.form_error(max(hull.scale, float(np.abs(given[fit.rows]).max()))) * math.sqrt(fit.freedom)
    error = 8 * BLOCK * SUM_ERROR * float(norms[:-1].max() * norms[-1]) + slack * float(norms.sum() + slack)
    top = widened(float(across.min()), float(across.max()), error)
    if form.low <= 0:
        return Bounds(-math.inf, math.inf)
    low = top.low / (form.high if top.low >= 0 else form.low)
    high = top.high / (form.low if top.high >= 0 else form.high)
    return rounded_outward(widened(low, high, SUM_ERROR * max(abs(low), abs(high))), digits)


@dataclass(frozen=True, eq=False, repr=False)
class _Fit:
    """Least squares of all vertices at once: coefficients at columns of length 1, products of residuals."""

    rows: IntArray | slice
    coefficients: FloatArray
    lengths: FloatArray
    error: float
    gram: FloatArray
    freedom: int

    def form_error(self, scale: float) -> float:
        """Error of a residual, on the scale of the square root of the residual variance."""
        return self.error * math.sqrt(len(self.lengths) / self.freedom) + SUM_ERROR * scale * math.sqrt(
            1 + len(self.lengths) / self.freedom
        )


@one_blas_thread()  # threads would wait for each other in every small block
def _fit(hull: Hull, design: FloatArray, members: MemberRows | None, response: FloatArray | None = None) -> _Fit:
    """Regress all vertices, and the response as a last one if there is one, on the design."""
    x = np.asarray(design, dtype=np.float64)
    if x.ndim != 2 or len(x) != hull.records or not x.shape[1]:
        raise ParameterError(f"'design' must be a matrix with one row for each of {hull.records} records.")
    rows = hull.members(members)
    x = x[rows]
    n, d = x.shape
    if not np.isfinite(x).all():
        raise DataError("A regression must have finite predictors for all members; leave out those without.")
    if n <= d:
        raise DataError("A regression must have more members than predictors; choose a larger set or fewer predictors.")
    lengths = np.sqrt(np.square(x).sum(axis=0))
    if not (lengths > 0).all():
        raise DataError("A regression must have predictors that are not 0 throughout; leave such a predictor out.")
    x = x / lengths
    factor, smallest = _triangle(x)
    ys = hull.points[:, rows]
    if response is not None:
        ys = np.vstack([ys, response[rows]])
    found = np.zeros((d, len(ys)))
    for _ in range(3):  # the seminormal equations, corrected twice: as good as solving with Q
        found += np.linalg.solve(factor, np.linalg.solve(factor.T, _products(x, ys, found)[0]))
    gram = _products(x, ys, found)[1]
    size = max(float(np.sqrt(np.square(y).sum())) for y in ys)
    # |X'r| is known to within so many roundings of |y|, for columns of length 1; (X'X)^-1 multiplies that
    steps = (BLOCK + n / BLOCK + 4 * d) * float(np.finfo(np.float64).eps)
    return _Fit(rows, found, lengths, 2 * steps * size / smallest**2, gram, n - d)


def _triangle(x: FloatArray) -> tuple[FloatArray, float]:
    """Return R of a design with columns of length 1, block by block, and its smallest singular value."""
    d = x.shape[1]
    factor = np.zeros((0, d))
    for start in range(0, len(x), BLOCK):
        factor = np.asarray(np.linalg.qr(np.vstack([factor, x[start : start + BLOCK]]), mode="r"))
    smallest = float(np.linalg.svd(factor, compute_uv=False)[-1])
    if smallest < LEAST_SINGULAR:
        raise DataError("A regression must have predictors that do not depend on each other; leave one of them out.")
    return factor, smallest


def _products(x: FloatArray, ys: FloatArray, coefficients: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return X'E and E'E for the residuals E at some coefficients."""
    across, gram = np.zeros((x.shape[1], len(ys))), np.zeros((len(ys), len(ys)))
    for start in range(0, len(x), BLOCK):
        part = slice(start, start + BLOCK)
        block = x[part]
        residuals = ys[:, part].T - block @ coefficients
        across += block.T @ residuals
        gram += residuals.T @ residuals
    return across, gram
