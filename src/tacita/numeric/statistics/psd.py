"""Covariance matrices that are none: the nearest usable one with the same variances, and its factor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["Repaired", "repair_covariance"]


_TOLERANCE = 1e-10
"""A negative eigenvalue below this share of the largest one is rounding, not a fault of the matrix."""


@dataclass(frozen=True)
class Repaired:
    """A positive semidefinite matrix in place of another, and how far off that one was.

    Parameters
    ----------
    matrix
        The usable matrix; its diagonal is the old one.
    factor
        Lower triangular L with ``L L' = matrix``.
    smallest
        Smallest eigenvalue of the matrix that was given.
    changed
        Whether that was more than rounding below zero, so that the matrix had to be changed.
    """

    matrix: FloatArray
    factor: FloatArray
    smallest: float
    changed: bool


def repair_covariance(matrix: FloatArray) -> Repaired:
    """Return a positive semidefinite matrix with the same diagonal, and its factor. O(d^3) time.

    Negative eigenvalues are set to zero, which can only raise the diagonal; rows and columns are then scaled so that
    the diagonal is again the old one. A matrix without negative eigenvalues comes back as it is.

    Parameters
    ----------
    matrix
        Symmetric, with a diagonal of zeros or more; a row with a zero on the diagonal is zero everywhere.

    Notes
    -----
    The factor is triangular so that the first columns' noise does not depend on the columns after them. It comes from
    the eigenvectors by a QR decomposition, because Cholesky's algorithm breaks down on singular matrices.

    Examples
    --------
    >>> import numpy as np
    >>> impossible = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    >>> made = repair_covariance(impossible)
    >>> made.changed, made.matrix.round(2).tolist()
    (True, [[1.0, 0.5, -0.5], [0.5, 1.0, 0.5], [-0.5, 0.5, 1.0]])
    """
    if not matrix.size:
        return Repaired(matrix, matrix, 0.0, changed=False)
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    wanted = np.sqrt(np.diag(matrix))
    got = np.sqrt((root**2).sum(axis=1))
    root = root * np.where(got > 0, wanted / np.where(got > 0, got, 1.0), 0.0)[:, None]
    upper = np.asarray(np.linalg.qr(root.T, mode="r"))
    lower = upper.T * np.where(np.diag(upper) < 0, -1.0, 1.0)
    changed = bool(values[0] < -_TOLERANCE * max(values[-1], 0.0))
    usable = root @ root.T if changed else matrix.copy()
    np.fill_diagonal(usable, np.diag(matrix))
    return Repaired(np.asarray(usable), lower, float(values[0]), changed)
