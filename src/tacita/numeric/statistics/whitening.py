"""Whitening: coordinates in which Euclidean distance is Mahalanobis distance."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["LEAST_NOISE", "NULL_VARIANCE", "whitening", "whitening_of"]


NULL_VARIANCE = 1e-9
"""A direction with less than this part of the largest variance counts as one in which the data do not vary."""
LEAST_NOISE = 1e-3
"""The smallest variance of known noise that counts, in parts of the largest."""


def whitening(x: FloatArray) -> FloatArray:
    """Return W (d x r) such that the columns of ``x @ W`` are uncorrelated with variance 1. O(n d^2 + d^3).

    ``x`` is standardised and has no missing values. Directions of (nearly) no variance are left out, as the pseudo-inverse
    of the covariance matrix does: an accounting identity makes the matrix singular, and in such a direction no record
    differs from another. When no direction is left W has one column of zeros, so that all records are equal.
    """
    centred = x - x.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / max(len(x), 1))
    kept = variances > NULL_VARIANCE * max(float(variances[-1]), 0.0)
    if not kept.any():
        return np.zeros((x.shape[1], 1))
    return np.asarray(directions[:, kept] / np.sqrt(variances[kept]))


def whitening_of(covariance: FloatArray) -> FloatArray:
    """Return W (d x d) such that noise of this covariance has variance 1 in every direction of ``noise @ W``. O(d^3).

    Columns are brought to variance 1 first. A direction with less than ``LEAST_NOISE`` of the largest variance gets that much, so
    that no direction decides by rounding alone.

    Examples
    --------
    >>> whitening_of(np.array([[4.0, 0.0], [0.0, 1.0]])).round(3).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    sd = np.sqrt(np.diag(covariance))
    variances, directions = np.linalg.eigh(covariance / np.outer(sd, sd))
    held = np.maximum(variances, LEAST_NOISE * max(float(variances[-1]), LEAST_NOISE))
    return np.asarray(directions / np.sqrt(held) / sd[:, None])
