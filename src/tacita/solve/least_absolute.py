"""The fit with the smallest sum of absolute deviations, within bounds: what a reader of noisy sums solves for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.solve.interior_point import InteriorPoint

__all__ = ["least_absolute"]


def least_absolute(rows: Any, sides: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return x between its bounds with the smallest ``sum |A x - b|``.

    Parameters
    ----------
    rows, sides
        A (m, n), dense or a scipy sparse matrix, and b (m,).
    lower, upper
        (n,): bounds of x.

    Notes
    -----
    A linear model in n + 2 m variables, solved from the inside and not walked to a corner: right to the solver's tolerance.

    Examples
    --------
    >>> least_absolute(np.array([[1.0], [1.0], [1.0]]), np.array([2.0, 3.0, 9.0]), np.zeros(1), np.full(1, 5.0)).round(4)
    array([3.])
    """
    import scipy.sparse as sp

    matrix = sp.csr_array(rows)
    m, n = matrix.shape
    eye = sp.identity(m, format="csr")
    model = InteriorPoint(
        np.concatenate([np.zeros(n), np.ones(2 * m)]),
        sp.csr_array(sp.hstack([matrix, eye, -eye])),
        np.asarray(sides, np.float64),
        np.asarray(sides, np.float64),
        np.concatenate([lower, np.zeros(2 * m)]),
        np.concatenate([upper, np.full(2 * m, np.inf)]),
        ends_at_corner=False,
    )
    return np.clip(model.run(prices=False).values[:n], lower, upper)
