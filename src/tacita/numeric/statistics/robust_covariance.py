"""Robust centre and covariance: those of the half of the records that lies closest together (MCD).

The minimum covariance determinant estimator looks for the h = (n + d + 1) / 2 records whose covariance matrix has the smallest
determinant. From a start, mean and covariance of the h records nearest to it are computed, then again the h nearest to these,
and so on (C-steps): the determinant never rises, so this ends. Here the starts are fixed, not drawn: the half with the
smallest robust z-scores, the halves around five inner records, the covariance of signs, and the correlation of normal scores. All
take two steps, the best go on to their end, and the best end is taken; its matrix is
made consistent for normal data, and mean and covariance of all records within its 97.5 percent ellipsoid are the result.

References
----------
Rousseeuw, P. J. and van Driessen, K. (1999), A fast algorithm for the minimum covariance determinant estimator; Hubert, M.,
Rousseeuw, P. J. and Verdonck, T. (2012), A deterministic algorithm for robust location and scatter.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.statistics.moments import robust_centre_and_spread

__all__ = ["chi_square_quantile", "robust_covariance", "robust_distances"]

_STEPS, _BEST = 100, 3
"""C-steps at the most, and starts that take them all; the others take two."""
_FLAT = 1e-12
"""A direction with less than this part of the largest variance counts as one in which the data do not vary."""
_WITHIN = 0.975


def chi_square_quantile(share: float, d: int) -> float:
    """Return the quantile of the chi-square distribution with d degrees of freedom.

    Examples
    --------
    >>> round(chi_square_quantile(0.975, 2), 3)
    7.378
    """
    from scipy.special import gammaincinv  # loads when used

    return float(2 * gammaincinv(d / 2, share))


def robust_covariance(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return robust mean vector and covariance matrix of records without missing values. O(n d^2) a step.

    With fewer than 2 (d + 1) records there is no half to speak of; mean and covariance of all are returned.

    Examples
    --------
    >>> x = np.vstack([np.eye(2)[[0, 1] * 20] + np.linspace(0, 1, 40)[:, None], np.full((5, 2), 99.0)])
    >>> centre, _ = robust_covariance(x)
    >>> bool((centre < 2).all())
    True
    """
    n, d = x.shape
    if n < 2 * (d + 1):
        return x.mean(axis=0) if n else np.zeros(d), _covariance(x)
    centre, spread = robust_centre_and_spread(x)
    scale = np.where(spread > 0, spread, 1.0)
    z = (x - centre) / scale
    h = (n + d + 1) // 2
    tried = sorted((_settled(z, start, h, 2) for start in _starts(z, h)), key=lambda rows: _size(_covariance(z[rows])))
    ends = [_settled(z, rows, h, _STEPS) for rows in tried[:_BEST]]
    rows = min(ends, key=lambda rows: _size(_covariance(z[rows])))
    mean, cov = z[rows].mean(axis=0), _covariance(z[rows]) * _consistency(h / n, d)
    near = robust_distances(z, mean, cov) <= chi_square_quantile(_WITHIN, d)
    if near.sum() > d + 1:
        mean, cov = z[near].mean(axis=0), _covariance(z[near]) * _consistency(_WITHIN, d)
    return np.asarray(centre + scale * mean), np.asarray(cov * np.outer(scale, scale))


def robust_distances(x: FloatArray, centre: FloatArray, cov: FloatArray) -> FloatArray:
    """Return the squared Mahalanobis distance of each record. O(n d^2).

    Directions in which the matrix has no variance are left out: there all records but outliers are equal.
    """
    variances, directions = np.linalg.eigh(cov)
    kept = variances > _FLAT * max(float(variances[-1]), 0.0)
    scores = (x - centre) @ (directions[:, kept] / np.sqrt(variances[kept]))
    return np.asarray(np.einsum("ij,ij->i", scores, scores))


def _covariance(x: FloatArray) -> FloatArray:
    centred = x - x.mean(axis=0) if len(x) else x
    return np.asarray(centred.T @ centred / max(len(x) - 1, 1))


def _size(cov: FloatArray) -> float:
    """Return the determinant, as its logarithm; of a singular matrix -inf."""
    sign, log = np.linalg.slogdet(cov)
    return float(log) if sign > 0 else -np.inf


def _consistency(share: float, d: int) -> float:
    """Return the factor that makes the covariance of the innermost share of normal records that of all."""
    from scipy.special import gammainc

    return float(share / gammainc(d / 2 + 1, chi_square_quantile(share, d) / 2)) if share < 1 else 1.0


def _starts(z: FloatArray, h: int) -> list[IntArray]:
    """Return the h records that are nearest by each of the fixed starts."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    norms = np.sqrt((z**2).sum(axis=1))
    signs = z / np.where(norms > 0, norms, 1.0)[:, None]
    scores = ndtri((rankdata(z, axis=0) - 1 / 3) / (len(z) + 1 / 3))
    found = [_nearest(norms, h)]
    inner = np.argsort(norms, kind="stable")[: len(z) // 2 : max(len(z) // 10, 1)]
    found += [_nearest(((z - z[row]) ** 2).sum(axis=1), h) for row in inner]
    for matrix in (_covariance(signs), _covariance(scores)):
        turned = z @ np.linalg.eigh(matrix)[1]
        middle, spread = robust_centre_and_spread(turned)
        found.append(_nearest((((turned - middle) / np.where(spread > 0, spread, 1.0)) ** 2).sum(axis=1), h))
    return found


def _nearest(distance: FloatArray, h: int) -> IntArray:
    return np.sort(np.argsort(distance, kind="stable")[:h])


def _settled(z: FloatArray, rows: IntArray, h: int, steps: int) -> IntArray:
    """Take C-steps until the records stay the same, or so many."""
    for _ in range(steps):
        closer = _nearest(robust_distances(z, z[rows].mean(axis=0), _covariance(z[rows])), h)
        if np.array_equal(closer, rows):
            break
        rows = closer
    return rows
