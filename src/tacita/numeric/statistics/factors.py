"""Principal components of a correlation matrix: loadings, communalities, score coefficients, and their alignment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["Factors", "align", "correlation_of", "principal_components"]


@dataclass(frozen=True)
class Factors:
    """Principal components of p standardised columns, q of them kept.

    Parameters
    ----------
    eigenvalues
        lambda_j, largest first; shape (q,).
    vectors
        Eigenvectors u_j as columns; shape (p, q).
    """

    eigenvalues: FloatArray
    vectors: FloatArray

    @property
    def loadings(self) -> FloatArray:
        """RF: the correlation of column i with component j, ``u_ij sqrt(lambda_j)``."""
        return np.asarray(self.vectors * np.sqrt(self.eigenvalues))

    @property
    def communalities(self) -> FloatArray:
        """C: the share of the variance of column i that the first component explains, ``lambda_1 u_i1^2``."""
        if not len(self.eigenvalues):
            return np.zeros(len(self.vectors))
        return np.asarray(self.eigenvalues[0] * self.vectors[:, 0] ** 2)

    @property
    def coefficients(self) -> FloatArray:
        """F: what standardised columns are multiplied by to give components of variance 1, ``u_ij / sqrt(lambda_j)``."""
        root = np.sqrt(self.eigenvalues)
        return np.asarray(np.divide(self.vectors, root, out=np.zeros_like(self.vectors), where=root > 0))


def correlation_of(covariance: FloatArray) -> FloatArray:
    """Return the correlation matrix; NaN in the rows and columns of a variable without spread."""
    sd = np.sqrt(np.diag(covariance))
    size = np.outer(sd, sd)
    return np.asarray(np.divide(covariance, size, out=np.full_like(covariance, np.nan), where=size > 0))


def principal_components(correlation: FloatArray, tolerance: float) -> Factors:
    """Return the components whose eigenvalue is above ``tolerance`` times the largest one. O(p^3).

    A component without variance has no score, and its direction is chosen by rounding alone, so it is dropped; so are
    the negative eigenvalues that correlations over different records can have.

    Examples
    --------
    >>> import numpy as np
    >>> found = principal_components(np.array([[1.0, 1.0], [1.0, 1.0]]), 1e-8)
    >>> found.eigenvalues.round(6).tolist(), found.communalities.round(6).tolist()
    ([2.0], [1.0, 1.0])
    """
    values, vectors = np.linalg.eigh((correlation + correlation.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = values > tolerance * max(float(values[0]), 0.0) if len(values) else np.zeros(0, dtype=np.bool_)
    return Factors(values[kept], vectors[:, kept])


def align(reference: Factors, other: Factors) -> Factors:
    """Return ``other`` with its components in the order and with the signs of those of ``reference`` they are most like.

    Components are matched one to one so that the sum of the absolute cosines of matched eigenvectors is largest; a sign
    is turned where the cosine is negative. A component of the reference without a partner gets the eigenvalue 0 and
    the vector 0; components that are left over in ``other`` are dropped. O(p q^2 + q^3).

    Notes
    -----
    Where eigenvalues of the reference are equal, its eigenvectors are any basis of their space, and no order or sign
    can undo a rotation within it: such components may differ although the two spaces are the same.
    """
    from scipy.optimize import linear_sum_assignment

    p, q = reference.vectors.shape
    cosines = reference.vectors.T @ other.vectors
    rows, partners = linear_sum_assignment(-np.abs(cosines))
    eigenvalues, vectors = np.zeros(q), np.zeros((p, q))
    sign = np.where(cosines[rows, partners] < 0, -1.0, 1.0)
    eigenvalues[rows] = other.eigenvalues[partners]
    vectors[:, rows] = other.vectors[:, partners] * sign
    return Factors(eigenvalues, vectors)
