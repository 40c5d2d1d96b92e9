"""Standard errors that follow the survey's design: Taylor linearisation with weights, strata and clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.query.models.blocks import Standardised, added, over_blocks
from tacita.query.models.design import Design

__all__ = ["design_covariance", "spread_between_units", "wald_lines"]

_UNITS = 2**15
"""Units whose totals are multiplied at a time."""


def spread_between_units(totals: FloatArray, strata: IntArray) -> FloatArray:
    """Return the covariance of a sum over primary units, drawn independently within strata.

    With z_hc the total of unit c of stratum h, n_h units in it and their mean m_h, the estimate is

        sum_h n_h / (n_h - 1) sum_c (z_hc - m_h) (z_hc - m_h)'.

    Parameters
    ----------
    totals
        (units, p).
    strata
        Stratum of each unit, 0, 1, ...

    Returns
    -------
    FloatArray
        (p, p).

    Notes
    -----
    A stratum with one unit has no spread of its own; its total is compared with the mean of all units instead, which errs on the
    large side. There is no correction for finite populations: it is not in the data, and without it errors are larger.

    Complexity
    ----------
    O(units p^2).

    References
    ----------
    Binder, D. (1983), On the variances of asymptotically normal estimators from complex surveys, International Statistical
    Review 51, 279-292; Sarndal, Swensson and Wretman (1992), section 5.5.

    Examples
    --------
    >>> spread_between_units(np.array([[1.0], [3.0], [5.0], [5.0]]), np.array([0, 0, 1, 1])).round(9).tolist()
    [[4.0]]
    """
    size = np.bincount(strata).astype(np.float64)
    sums = np.stack([np.bincount(strata, column) for column in totals.T]).astype(np.float64)
    mean, root = _within_strata(size, sums)
    made = [np.zeros((totals.shape[1], totals.shape[1]))]
    with one_blas_thread():
        for start in range(0, len(totals), _UNITS):
            inside = strata[start : start + _UNITS]
            off = (totals[start : start + _UNITS].T - mean[:, inside]) * root[inside]
            made.append(off @ off.T)
    return added(made)


def _within_strata(size: FloatArray, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what the totals of each stratum are compared with, (p, strata), and the root of n_h / (n_h - 1)."""
    alone = size == 1
    mean = sums / np.maximum(size, 1.0)
    mean[:, alone] = (sums.sum(axis=1) / max(float(size.sum()), 1.0))[:, None]
    return mean, np.sqrt(np.where(alone, 1.0, size / np.maximum(size - 1, 1.0)))


def design_covariance(
    design: Design, standard: Standardised, scores: FloatArray, bread: FloatArray
) -> tuple[FloatArray, float]:
    """Return the covariance of the coefficients of standardised columns, and the degrees of freedom of the design.

    An estimate that solves sum_i s_i (1, z_i) = 0 has the covariance B M B, where B inverts the derivative of the sum and M
    is :func:`spread_between_units` of the scores s_i (1, z_i) added up within clusters.

    Parameters
    ----------
    design
        Columns, strata and clusters; every record is a cluster where none are given, and all are in one stratum.
    standard
        Means and spreads of the columns.
    scores
        s_i, such as weight times residual.
    bread
        B, of (1, z).

    Returns
    -------
    tuple of FloatArray and float
        (p + 1, p + 1), and units - strata - p.

    Notes
    -----
    Degrees of freedom are units less strata, less the slopes, as R's survey package takes them; Stata takes no slopes off.

    Complexity
    ----------
    O(n p^2) time; O(strata p) memory, with clusters O(n p) where these are as many as records.
    """
    data, p = design.data, design.width
    n = data.size
    strata = np.zeros(n, dtype=np.int64) if data.strata is None else data.strata.astype(np.int64, copy=False)

    def part(rows: slice) -> FloatArray:
        made = np.empty((p + 1, rows.stop - rows.start))
        made[0] = scores[rows]
        np.multiply(standard.block(design, rows), scores[rows], out=made[1:])
        return made

    strata = np.unique(strata, return_inverse=True)[1] if data.strata is not None else strata
    if data.clusters is None:
        meat, units = _between_records(n, strata, part), n
    else:
        number = np.unique(data.clusters, return_inverse=True)[1]
        units = int(number.max(initial=-1)) + 1
        of_unit = np.zeros(units, dtype=np.int64)
        of_unit[number] = strata
        strata = np.unique(of_unit, return_inverse=True)[1]
        meat = spread_between_units(_cluster_totals(n, p + 1, number, units, part), strata)
    groups = int(strata.max(initial=-1)) + 1
    return bread @ meat @ bread, float(units - groups - p)


def _between_records(n: int, strata: IntArray, part: Callable[[slice], FloatArray]) -> FloatArray:
    """Return the spread where every record is a unit: one pass for the sums of strata, one for the products."""
    groups = int(strata.max(initial=-1)) + 1
    size = np.bincount(strata, minlength=groups).astype(np.float64)

    def summed(rows: slice) -> FloatArray:
        return np.stack([np.bincount(strata[rows], row, minlength=groups) for row in part(rows)])

    mean, root = _within_strata(size, added(over_blocks(n, summed)))

    def product(rows: slice) -> FloatArray:
        off = part(rows)
        off -= mean[:, strata[rows]] if groups > 1 else mean
        off *= root[strata[rows]] if groups > 1 else root
        return np.asarray(off @ off.T)

    return added(over_blocks(n, product))


def _cluster_totals(
    n: int, width: int, number: IntArray, units: int, part: Callable[[slice], FloatArray]
) -> FloatArray:
    """Return the totals of clusters, (units, width); each block knows only those that it has records of."""

    def summed(rows: slice) -> tuple[IntArray, FloatArray]:
        here, place = np.unique(number[rows], return_inverse=True)
        return here, np.stack([np.bincount(place, row, minlength=len(here)) for row in part(rows)], axis=1)

    totals = np.zeros((units, width))
    for here, sums in over_blocks(n, summed):
        totals[here] += sums
    return totals


def wald_lines(design: Design, coefficients: FloatArray, covariance: FloatArray) -> tuple[tuple[str, int, float], ...]:
    """Return for each term the statistic b' V^-1 b of the coefficients of its columns, with their number.

    Unlike sums of squares it is meaningful with any covariance; it compares each term with all others.
    """
    lines = []
    for place, label in enumerate(design.terms):
        at = [j + 1 for j, column in enumerate(design.columns) if column.term == place]
        b = coefficients[at]
        scale = np.sqrt(np.maximum(np.diag(covariance)[at], 1e-300))
        inner = covariance[np.ix_(at, at)] / np.outer(scale, scale)
        lines.append((label, len(at), float((b / scale) @ np.linalg.lstsq(inner, b / scale, rcond=1e-12)[0])))
    return tuple(lines)
