"""Values drawn anew that stay similar to the old ones, with the same sufficient statistics of the normal model.

Let ``Y = X B + E`` be the least squares fit of values on given columns X with an intercept. New values are

    Y' = X B + a E + sqrt(1 - a^2) F,      X'F = 0,   E'F = 0,   F'F = E'E,

with F drawn at random and a the similarity. Then ``X'Y' = X'Y`` and the new residuals have the products
``a^2 E'E + (1 - a^2) F'F = E'E``: means, coefficients on X and all covariances are those of the original, for every a. The
correlation of an old residual with its new one is a exactly. a = 0 is IPSO of kind C with residuals that are orthogonal to the
old ones, a = 1 the original.

References
----------
Muralidhar, K. and Sarathy, R. (2008), Generating sufficiency-based non-synthetic perturbed data, Transactions on Data Privacy 1,
17-33: their alpha is a here, one number for all columns, which no choice makes impossible.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.statistics.rotations import orthonormal
from tacita.numeric.synthesis.ipso import LinearFit

__all__ = ["records_to_perturb", "sufficient"]

_RANK = 1e-10
"""A direction of the residuals that is shorter than this share of the longest, each column at length 1, is none of its own."""


def records_to_perturb(rank: int, columns: int) -> int:
    """Return how many records are needed: new residuals have to be orthogonal to the given columns and to the old ones."""
    return rank + 2 * columns + 1


def sufficient(fit: LinearFit, similarity: float, rng: np.random.Generator) -> FloatArray:
    """Draw the values anew. O(n q p + n p^2) time, a few arrays of their size.

    Parameters
    ----------
    fit
        Their regression, on at least ``records_to_perturb`` records.
    similarity
        a above, from 0 to 1.
    rng
        Where the draws come from.

    Examples
    --------
    >>> from tacita.numeric.synthesis.ipso import fit_on_given
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(size=(50, 2)), rng.normal(size=(50, 3))
    >>> fit = fit_on_given(x, y)
    >>> new = fit_on_given(x, sufficient(fit, 0.8, rng))
    >>> bool(np.allclose(new.coefficients, fit.coefficients))
    True
    >>> bool(np.allclose(new.residuals.T @ new.residuals, fit.residuals.T @ fit.residuals))
    True
    >>> float(round(np.corrcoef(fit.residuals[:, 0], new.residuals[:, 0])[0, 1], 9))
    0.8
    """
    old, taken = fit.residuals, _directions(fit.residuals)
    new = orthonormal(_apart(fit, taken, rng.standard_normal(old.shape)))
    new = orthonormal(_apart(fit, taken, new))  # once more: what rounding left
    fresh = new @ np.linalg.qr(old, mode="r")
    return np.asarray(fit.basis @ fit.inside + similarity * old + np.sqrt(1.0 - similarity**2) * fresh)


def _apart(fit: LinearFit, taken: FloatArray, values: FloatArray) -> FloatArray:
    """Return what neither the given columns nor the old residuals explain."""
    left = fit.outside(values)
    return np.asarray(left - taken @ (taken.T @ left))


def _directions(residuals: FloatArray) -> FloatArray:
    """Return an orthonormal basis of what the residuals span."""
    length = np.sqrt((residuals**2).sum(axis=0))
    left, size, _ = np.linalg.svd(residuals / np.where(length > 0, length, 1.0), full_matrices=False)
    return np.asarray(left[:, size > _RANK * max(float(size[0]) if len(size) else 0.0, 1e-300)])
