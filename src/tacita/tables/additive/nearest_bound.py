"""The linear bound: no additive table is nearer to the noisy counts than this."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.solve import solve
from tacita.tables.model.relations import Relations

__all__ = ["nearest_bound"]


def nearest_bound(
    relations: Relations, truth: IntArray, noisy: IntArray, *, D: int, fixed: BoolArray | None = None
) -> float:
    """Return a lower bound of ``sum |x - noisy|`` over all additive tables within D of the truth that keep zeros.

    Parameters
    ----------
    relations
        The sums.
    truth, noisy
        (n,): true and noisy counts.
    D
        How far from the truth a cell may be.
    fixed
        (n,): cells that have their true count.

    Raises
    ------
    DataError
        When there is no such table, even with fractions.

    Notes
    -----
    Small counts and whole numbers are left out of account, so that the best table may be further than the bound.

    Complexity: one linear programme in 2 n variables.

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> nearest_bound(rows, np.array([3, 1, 2]), np.array([3, 3, 3]), D=3)
    3.0
    """
    import scipy.sparse as sp

    stay = np.zeros(len(truth), bool) if fixed is None else fixed
    free = (truth > 0) & ~stay
    low = np.where(free, np.maximum(truth - D, 0), truth).astype(np.float64)
    high = np.where(free, truth + D, truth).astype(np.float64)
    aim = np.where(stay, truth, noisy).astype(np.float64)
    inside = np.clip(aim, low, high)
    sides = -(relations.matrix @ inside)
    answer = solve(
        np.ones(2 * len(truth)),
        sp.hstack([relations.matrix, -relations.matrix]).tocsr(),
        sides,
        sides,
        np.zeros(2 * len(truth)),
        np.concatenate([high - inside, inside - low]),
    )
    if answer.status != "optimal":
        raise DataError(f"nearest_bound: no additive table is within {D} of the truth with the 'fixed' cells.")
    return float(np.abs(inside - aim).sum() + answer.values.sum())
