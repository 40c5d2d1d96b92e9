"""Random rotations of records that leave means and covariances as they are.

Let X have b records. With an orthogonal T (b x b) whose rows sum to 1, that is T 1 = 1, the records T X have the mean vector of
X, and ``(T X)'(T X) = X' X``, so the covariance matrix too, exactly. Such a T turns the b - 1 directions that are orthogonal to 1
among each other. A reflection takes 1 to the first axis; there a random Q = QR-factor of ``I + s G`` acts on the other b - 1
coordinates, G of independent standard normals; the same reflection leads back. With s = 0 nothing moves; a large s gives a Q
that is uniform over all rotations and reflections.

Q has the rows ``I + s (L - L') + O(s^2)`` with L the lower part of G: for small s a record moves by s sqrt(b - 1) standard
deviations of the block, in each column.

References
----------
Ting, D., Fienberg, S. E. and Trottini, M. (2008), Random orthogonal matrix masking methodology for microdata release,
International Journal of Information and Computer Security 2, 86-105.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["block_rows", "orthonormal", "rotated"]

_ROOM = 2**22
"""Entries of the random matrices that are drawn at once."""


def block_rows(n: int, block: int, rng: np.random.Generator) -> list[IntArray]:
    """Cut n records at random into blocks of nearly equal size, the smallest of ``block`` records where there are so many.

    Examples
    --------
    >>> [len(rows) for rows in block_rows(11, 5, np.random.default_rng(1))]
    [6, 5]
    """
    return np.array_split(rng.permutation(n), max(n // block, 1)) if n else []


def rotated(x: FloatArray, rows: list[IntArray], strength: float, rng: np.random.Generator) -> FloatArray:
    """Rotate the records of every block. O(n b^2) for blocks of b records, and a few arrays of 32 MB.

    Parameters
    ----------
    x
        (n, d): the records, without missing values.
    rows
        The records of each block; a block of one record stays as it is.
    strength
        How far a record moves, in standard deviations of its block, to first order.
    rng
        Where the rotations come from.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(50, 2))
    >>> y = rotated(x, block_rows(50, 20, rng), 0.5, rng)
    >>> bool(np.allclose(np.cov(x.T), np.cov(y.T))), bool(np.allclose(x.mean(0), y.mean(0)))
    (True, True)
    """
    made = np.array(x, dtype=np.float64)
    for size in sorted({len(block) for block in rows if len(block) > 1}):
        stacked = np.stack([block for block in rows if len(block) == size])
        step = max(_ROOM // (size * size), 1)
        for start in range(0, len(stacked), step):
            some = stacked[start : start + step]
            made[some] = _turned(made[some], strength / np.sqrt(size - 1), rng)
    return made


def orthonormal(x: FloatArray) -> FloatArray:
    """Return the orthonormal factor of matrices (..., n, d), n >= d, whose triangular one has no negative diagonal.

    A QR decomposition is unique up to signs, and usual ones choose those by the first record; with these signs, independent
    standard normals give a factor that is uniform.

    Examples
    --------
    >>> orthonormal(np.array([[3.0], [4.0]])).round(3).tolist(), orthonormal(np.array([[-3.0], [4.0]])).round(3).tolist()
    ([[0.6], [0.8]], [[-0.6], [0.8]])
    """
    q, r = np.linalg.qr(x)
    return np.asarray(q * np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)[..., None, :])


def _turned(x: FloatArray, s: float, rng: np.random.Generator) -> FloatArray:
    """Rotate (m, b, d) blocks, each by a rotation of its own."""
    m, b, _ = x.shape
    mean = x.mean(axis=1, keepdims=True)
    z = _reflected(x - mean)
    random = s * rng.standard_normal((m, b - 1, b - 1))
    random[:, np.arange(b - 1), np.arange(b - 1)] += 1.0
    z[:, 1:] = orthonormal(random) @ z[:, 1:]
    return np.asarray(mean + _reflected(z))


def _reflected(x: FloatArray) -> FloatArray:
    """Apply to the records of (m, b, d) blocks the reflection that exchanges 1 / sqrt(b) and the first axis."""
    b = x.shape[1]
    v = np.full(b, 1 / np.sqrt(b))
    v[0] -= 1.0
    v /= np.sqrt(v @ v)
    return np.asarray(x - 2 * v[None, :, None] * np.einsum("b,mbd->md", v, x)[:, None, :])
