"""Whitening: coordinates in which Euclidean distance is Mahalanobis distance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["NULL_VARIANCE", "whitening"]

FloatArray = npt.NDArray[np.float64]

NULL_VARIANCE = 1e-9
"""A direction with less than this part of the largest variance counts as one in which the data do not vary."""


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
