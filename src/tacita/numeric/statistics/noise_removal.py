"""Noise taken out again: estimates of records from noisy ones whose noise has a known covariance matrix."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["bayes_estimate", "random_part", "spectral_estimate"]


def bayes_estimate(seen: FloatArray, mean: FloatArray, signal: FloatArray, noise: FloatArray) -> FloatArray:
    """Return the best linear estimate of each record, ``m + S (S + N)^-1 (z - m)``. O(n d^2 + d^3).

    Parameters
    ----------
    seen
        Noisy records; what is missing (NaN) is estimated from the rest. The work is done once for each pattern of gaps.
    mean, signal, noise
        Mean of the records, their covariance matrix without noise, and that of the noise.

    Notes
    -----
    A column of zeros in ``noise`` is one that is known as it is, and comes out so.

    Examples
    --------
    >>> one = np.ones((2, 2))
    >>> bayes_estimate(np.array([[2.0, 4.0]]), np.zeros(2), one, np.eye(2)).round(9).tolist()
    [[2.0, 2.0]]
    """
    there = ~np.isnan(seen)
    result = np.tile(mean, (len(seen), 1))
    patterns, of = np.unique(there, axis=0, return_inverse=True)
    for number, has in enumerate(patterns):
        rows = np.flatnonzero(of.ravel() == number)
        if has.any():
            inside = signal[np.ix_(has, has)] + noise[np.ix_(has, has)]
            gain = signal[:, has] @ np.linalg.pinv(inside, hermitian=True)
            result[rows] = mean + (seen[np.ix_(rows, np.flatnonzero(has))] - mean[has]) @ gain.T
    return result


def random_part(variance: float, n: int, d: int) -> float:
    """Return the largest eigenvalue that noise alone has in the covariance of n records of d columns (Marchenko-Pastur)."""
    return float(variance * (1 + np.sqrt(d / max(n, 1))) ** 2)


def spectral_estimate(
    seen: FloatArray, mean: FloatArray, whole: FloatArray, variance: float, records: int
) -> FloatArray:
    """Return records without the directions in which there is not more than noise. O(n d^2 + d^3).

    Parameters
    ----------
    seen
        Noisy records without missing values, in units in which the noise has the same variance in every column.
    mean, whole
        Mean and covariance matrix of the noisy records.
    variance
        That of the noise.
    records
        How many the covariance matrix was computed from.

    Notes
    -----
    A direction counts as signal where its eigenvalue is above the largest that noise alone would have. At least one is kept.
    """
    values, vectors = np.linalg.eigh(whole)
    kept = values > random_part(variance, records, seen.shape[1])
    kept[-1] = True
    basis = vectors[:, kept]
    return np.asarray(mean + (seen - mean) @ basis @ basis.T)
