"""The nearest table in weighted squares that meets relations and bounds: Newton's method on the dual.

``min sum w (z - t)^2`` subject to ``A z = b`` and ``low <= z <= high``. For given prices of the relations the best z is
known cell by cell, ``z = clip(t + A' price / (2 w), low, high)``, and the dual is concave with the residual ``b - A z`` as its
slope. It is made of quadratic pieces, so that Newton's method with a line search ends after some dozen factorisations of
``A D A'``, where D has the cells that are not at a bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["nearest_in_squares"]


ROUNDS = 200
TOLERANCE = 1e-10


def nearest_in_squares(
    rows: Any, sides: FloatArray, target: FloatArray, weights: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray | None:
    """Return the nearest point, or None where the iteration finds none because no point meets the rows and the bounds.

    Parameters
    ----------
    rows, sides
        A (a scipy sparse matrix) and b.
    target
        (n,): t, the point to be near to.
    weights
        (n,): w, positive.
    low, high
        (n,): bounds, infinities where there is none.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> sum_of_two = sp.csr_array([[1.0, 1.0, -1.0]])
    >>> free = np.full(3, np.inf)
    >>> nearest_in_squares(sum_of_two, np.zeros(1), np.array([1.0, 2.0, 6.0]), np.ones(3), -free, free).round(6).tolist()
    [2.0, 3.0, 5.0]
    """
    if not rows.shape[0]:
        return np.clip(target, low, high)
    rows = rows.tocsr()
    across = rows.T.tocsr()
    twice = 2 * weights
    price = np.zeros(rows.shape[0])
    size = np.maximum(np.abs(sides), abs(rows) @ np.abs(_inside(target, low, high)))
    size = np.maximum(size, max(1e-6 * float(size.max()), 1e-300))
    z, value = _point(across, price, target, twice, low, high, sides, rows)
    for _ in range(ROUNDS):
        residual = sides - rows @ z
        if np.all(np.abs(residual) <= TOLERANCE * size):
            return z
        step = _newton(rows, across, residual, z, low, high, twice)
        slope, length = float(residual @ step), 1.0
        moved = False
        while length > 1e-12:
            trial = price + length * step
            there, gained = _point(across, trial, target, twice, low, high, sides, rows)
            if gained >= value + 1e-4 * length * slope - 1e-13 * abs(value):
                price, z, value, moved = trial, there, gained, True
                break
            length /= 2
        if not moved or slope <= 0:
            break
    return z if np.all(np.abs(sides - rows @ z) <= 1e-7 * size) else None


def _inside(x: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    return np.minimum(np.maximum(x, low), high)


def _point(
    across: Any,
    price: FloatArray,
    target: FloatArray,
    twice: FloatArray,
    low: FloatArray,
    high: FloatArray,
    sides: FloatArray,
    rows: Any,
) -> tuple[FloatArray, float]:
    """Return the best z for these prices and the value of the dual."""
    z = _inside(target + (across @ price) / twice, low, high)
    return z, float((twice / 2) @ (z - target) ** 2 + price @ (sides - rows @ z))


def _newton(
    rows: Any, across: Any, residual: FloatArray, z: FloatArray, low: FloatArray, high: FloatArray, twice: FloatArray
) -> FloatArray:
    """Return Newton's step; relations that depend on others and rows whose cells all stand at bounds get a small ridge."""
    import scipy.sparse as sp
    from scipy.sparse.linalg import splu

    inner = ((z > low) & (z < high)) / twice
    second = (rows @ sp.diags_array(inner) @ across).tocsc()
    diagonal = second.diagonal()
    scale = float(diagonal.max(initial=0.0)) or float((1 / twice).max())
    ridge = np.where(diagonal > 1e-9 * scale, 1e-10 * scale, 1e-3 * scale)
    found: FloatArray = splu(second + sp.diags_array(ridge, format="csc")).solve(residual)
    return found
