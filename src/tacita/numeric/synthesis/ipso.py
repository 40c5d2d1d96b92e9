"""IPSO: values drawn anew around their regression, so that coefficients, and residual covariances too, come out exactly.

Let X (n, q) hold the given columns with an intercept, Y (n, p) the values, ``Y = X B + E`` the least squares fit.

- A: ``Y_A = X B + F`` with rows of F from a normal distribution with the covariance matrix ``E'E / n``.
- B: F is replaced by its residual on X, ``G = F - X (X'X)^-1 X'F``: regressing ``X B + G`` on X gives B exactly.
- C: G is turned by ``(G'G)^(-1/2) (E'E)^(1/2)``: the residual covariance matrix is that of the original too.

References
----------
Burridge, J. (2003), Information preserving statistical obfuscation, Statistics and Computing 13, 321-327.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["IpsoKind", "LinearFit", "fit_on_given", "given_design", "ipso", "records_needed"]

IpsoKind = Literal["A", "B", "C"]

_RANK = 1e-10
"""A direction of the given columns whose length is below this share of the longest is none of its own."""


class LinearFit:
    """A least squares fit of several columns on the same given ones.

    Parameters
    ----------
    design
        (n, q): the given columns, with an intercept.
    y
        (n, p): the values.
    """

    def __init__(self, design: FloatArray, y: FloatArray) -> None:
        left, size, right = np.linalg.svd(design, full_matrices=False)
        kept = size > _RANK * max(float(size[0]) if len(size) else 0.0, 1e-300)
        self.basis: FloatArray = np.ascontiguousarray(left[:, kept])
        """(n, r): an orthonormal basis of what the given columns span."""
        self._back = right[kept].T / size[kept]
        self.inside: FloatArray = self.basis.T @ y
        self.residuals: FloatArray = y - self.basis @ self.inside

    @property
    def rank(self) -> int:
        """Number of given columns that are their own."""
        return int(self.basis.shape[1])

    @property
    def coefficients(self) -> FloatArray:
        """(q, p): the smallest coefficients that fit."""
        return np.asarray(self._back @ self.inside)

    @property
    def root(self) -> FloatArray:
        """(p, p): L with ``L L' = E'E``."""
        return _root(self.residuals)

    def outside(self, values: FloatArray) -> FloatArray:
        """Return what the given columns do not explain of some values."""
        return np.asarray(values - self.basis @ (self.basis.T @ values))


def given_design(given: FloatArray) -> FloatArray:
    """Return given columns with an intercept; each missing value is the mean of its column, and marked in one more.

    Examples
    --------
    >>> given_design(np.array([[1.0], [3.0], [np.nan]])).tolist()
    [[1.0, 1.0, 0.0], [1.0, 3.0, 0.0], [1.0, 2.0, 1.0]]
    """
    gaps = np.isnan(given)
    means = np.where(gaps, 0.0, given).sum(axis=0) / np.maximum((~gaps).sum(axis=0), 1)
    filled = np.where(gaps, means, given)
    return np.hstack([np.ones((len(given), 1)), filled, gaps[:, gaps.any(axis=0)].astype(np.float64)])


def records_needed(rank: int, columns: int) -> int:
    """Return how many records are needed so that new values do not follow from the old fit alone."""
    return rank + columns + 1


def fit_on_given(given: FloatArray, y: FloatArray) -> LinearFit:
    """Fit values on given columns with an intercept. O(n q^2 + n q p)."""
    return LinearFit(given_design(given), y)


def ipso(fit: LinearFit, y: FloatArray, kind: IpsoKind, rng: np.random.Generator) -> FloatArray:
    """Draw the values anew. O(n q^2 + n p (p + q)) time, a few arrays of their size.

    Parameters
    ----------
    fit
        Their regression, on at least ``records_needed`` records.
    y
        (n, p): the old values.
    kind
        ``A``, ``B`` or ``C``.
    rng
        Where the draws come from.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(size=(50, 2)), rng.normal(size=(50, 3))
    >>> fit = fit_on_given(x, y)
    >>> new = fit_on_given(x, ipso(fit, y, "C", rng))
    >>> bool(np.allclose(new.coefficients, fit.coefficients))
    True
    >>> bool(np.allclose(new.residuals.T @ new.residuals, fit.residuals.T @ fit.residuals))
    True
    """
    n = len(y)
    normal = rng.standard_normal(y.shape)
    drawn = normal @ (fit.root.T / np.sqrt(max(n, 1)))
    if kind == "A":
        return np.asarray(fit.basis @ fit.inside + drawn)
    if kind == "B":
        return np.asarray(fit.basis @ fit.inside + fit.outside(drawn))
    loose = fit.outside(normal)
    # loose'loose = L L', so loose L'^-1 has orthonormal columns, and times the root of E'E the residuals' own products
    turned = np.linalg.solve(np.linalg.cholesky(loose.T @ loose), loose.T).T
    turned = fit.outside(turned)  # once more: what rounding left of the given columns
    turned = np.linalg.solve(np.linalg.cholesky(turned.T @ turned), turned.T).T
    return np.asarray(fit.basis @ fit.inside + turned @ fit.root.T)


def _root(residuals: FloatArray) -> FloatArray:
    """Return a square root of the products of residuals, also where columns follow from each other."""
    _, size, right = np.linalg.svd(residuals, full_matrices=False)
    root = np.zeros((residuals.shape[1], residuals.shape[1]))
    root[:, : len(size)] = right.T * size
    return root
