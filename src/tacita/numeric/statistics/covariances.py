"""Covariance matrices for noise: estimated, shrunk, and factored even where they are singular."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.statistics.moments import column_mean, column_sd, covariance

__all__ = ["factor", "sample_covariance", "shrunk_covariance"]


def sample_covariance(x: FloatArray) -> FloatArray:
    """Return the covariance matrix with denominator n - 1, pairwise over the values that are there.

    With missing values a pairwise matrix need not be positive semidefinite; :func:`factor` then gives the nearest one.
    """
    n: FloatArray | int = len(x)
    if np.isnan(x.sum()):
        there = (~np.isnan(x)).astype(np.float64)
        n = there.T @ there
    return np.asarray(covariance(x) * (n / np.maximum(n - 1, 1)))


def shrunk_covariance(x: FloatArray) -> tuple[FloatArray, float]:
    """Return the covariance matrix with its correlations shrunk towards zero, and the intensity of the shrinkage.

    ``r*_ij = (1 - lambda) r_ij`` with ``lambda = sum_{i != j} Var(r_ij) / sum_{i != j} r_ij^2``, cut to [0, 1]. O(n d^2).

    References
    ----------
    Schaefer, J. and Strimmer, K. (2005), A shrinkage approach to large-scale covariance matrix estimation, section 2.
    """
    n, d = x.shape
    cov = sample_covariance(x)
    if n < 4 or d < 2:
        return cov, 0.0
    sd = column_sd(x)
    scores = np.nan_to_num((x - column_mean(x)) / np.where(sd > 0, sd, 1.0))
    mean_products = scores.T @ scores / n
    mean_squares = (scores**2).T @ (scores**2) / n
    # Var(r_ij) = n / (n - 1)^3 * sum_k (w_kij - mean w_ij)^2 with w_kij the product of the scores of record k.
    variances = n / (n - 1) ** 3 * n * (mean_squares - mean_products**2)
    correlations = mean_products * n / (n - 1)
    off = ~np.eye(d, dtype=bool)
    total = float((correlations[off] ** 2).sum())
    intensity = 1.0 if total == 0 else float(np.clip(variances[off].sum() / total, 0.0, 1.0))
    shrunk = np.where(off, (1 - intensity) * cov, cov)
    return np.asarray(shrunk), intensity


def factor(cov: FloatArray) -> FloatArray:
    """Return F with ``F F' = cov``; negative eigenvalues of a matrix that is none by rounding are taken as zero.

    Works for singular matrices, where Cholesky's factor does not exist (census is exactly singular). Correlations are
    factored and not covariances: of columns in very different units the rounding of the largest would drown the others.
    """
    sd = np.sqrt(np.clip(np.diag(cov), 0.0, None))
    unit = np.where(sd > 0, sd, 1.0)
    values, vectors = np.linalg.eigh((cov + cov.T) / 2 / unit[:, None] / unit)
    return np.asarray(sd[:, None] * vectors * np.sqrt(np.clip(values, 0.0, None)))
