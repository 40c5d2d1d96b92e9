"""Whether margins can be met within bounds, and which of them clash where they cannot: a linear programme."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["Clash", "find_clash"]


_SLACK = 1e-7
"""A total that is missed by a smaller share is met: the solver's own tolerance."""
_PRICE = 1e-7
_GROUPS = 10_000
"""Longer problems are first tried with about this many groups of similar rows."""
_MOST_TRIALS = 200
_MOST_ROWS = 100_000
"""Above these sizes an explanation is not made smaller, and no wider bounds are looked for: it would take long."""


@dataclass(frozen=True, eq=False)
class Clash:
    """Totals that no weights within the bounds can meet together.

    Parameters
    ----------
    totals
        Their numbers; where ``is_irreducible``, any of them left out makes the rest feasible.
    bounds
        Bounds with which all totals could be met; None where none would do or none was looked for.
    is_irreducible
        Whether every one of the totals is needed for the clash.
    """

    totals: IntArray = field(repr=False)
    bounds: tuple[float, float] | None
    is_irreducible: bool


def find_clash(x: Any, totals: FloatArray, start: FloatArray, bounds: tuple[float, float]) -> Clash | None:
    """Look for factors f within the bounds with ``sum_k start_k f_k x_k = totals``; return what stands in the way, if any.

    The phase-one programme ``min sum |slack|`` is solved; its prices are a certificate (Farkas), and the totals with a
    price are the clash. One after another is then left out where the others still clash.

    Parameters
    ----------
    x
        (n, p), sparse: contributions to the totals.
    totals
        (p,): what must be met.
    start
        (n,): start weights.
    bounds
        Smallest and largest factor; infinities for none.
    """
    import scipy.sparse as sp

    used = np.flatnonzero(start > 0)
    rows, start = sp.csr_array(x)[used], start[used]
    if len(used) > _GROUPS:
        some, together = _grouped(rows, start)
        if _priced(*_scaled(some, totals, together), bounds) is None:
            return None
    matrix, sides = _scaled(rows, totals, start)
    suspects = _priced(matrix, sides, bounds)
    if suspects is None:
        return None
    found, is_irreducible = _filtered(matrix, sides, bounds, suspects)
    return Clash(found, _wider(matrix, sides, bounds), is_irreducible)


def _scaled(x: Any, totals: FloatArray, start: FloatArray) -> tuple[Any, FloatArray]:
    """Return the rows and sides of ``matrix f = sides``, each side about 1."""
    import scipy.sparse as sp

    scale = np.maximum(np.abs(totals), 1e-6 * (abs(x).T @ start))
    scale[scale == 0] = 1.0
    return sp.csr_array((sp.diags_array(1 / scale) @ x.T) @ sp.diags_array(start)), totals / scale


def _grouped(x: Any, start: FloatArray) -> tuple[Any, FloatArray]:
    """Put similar rows together, some ten thousand groups in all; a group has one factor for all its members.

    Where groups can meet the totals, rows can: a sufficient condition that needs a far smaller programme.
    """
    import scipy.sparse as sp

    n = x.shape[0]
    width = int(np.diff(x.indptr).max(initial=0))
    # Rows in the same cells come together, and within them those with similar numbers.
    parts = np.zeros((2 * width, n))
    place = np.arange(x.nnz) - np.repeat(x.indptr[:-1], np.diff(x.indptr))
    row = np.repeat(np.arange(n), np.diff(x.indptr))
    parts[place, row], parts[width + place, row] = x.indices + 1, x.data
    order = np.lexsort(parts[::-1])
    group = np.empty(n, dtype=np.int64)
    group[order] = np.arange(n) // -(-n // _GROUPS)
    members = sp.csr_array((start, (group, np.arange(n))), shape=(int(group.max()) + 1, n))
    total = np.asarray(members.sum(axis=1)).ravel()
    return sp.csr_array(sp.diags_array(1 / total) @ (members @ x)), total


def _priced(matrix: Any, sides: FloatArray, bounds: tuple[float, float]) -> IntArray | None:
    """Solve phase one; return the rows with a price, or None where all totals can be met."""
    import scipy.sparse as sp

    from tacita.solve import solve

    p, n = matrix.shape
    eye = sp.eye_array(p)
    cost = np.concatenate([np.zeros(n), np.ones(2 * p)])
    lower = np.concatenate([np.full(n, bounds[0]), np.zeros(2 * p)])
    upper = np.concatenate([np.full(n, bounds[1]), np.full(2 * p, np.inf)])
    answer = solve(cost, sp.hstack([matrix, eye, -eye]), sides, sides, lower, upper)
    missed = answer.values[n : n + p] + answer.values[n + p :]
    if missed.max(initial=0.0) <= _SLACK:
        return None
    return np.asarray(np.flatnonzero(np.abs(answer.duals) > _PRICE), dtype=np.int64)


def _filtered(matrix: Any, sides: FloatArray, bounds: tuple[float, float], suspects: IntArray) -> tuple[IntArray, bool]:
    """Leave out every total without which the others still clash."""
    if len(suspects) > _MOST_TRIALS or matrix.shape[1] > _MOST_ROWS:
        return suspects, False
    kept = suspects.tolist()
    for row in suspects.tolist():
        others = [r for r in kept if r != row]
        if others and _priced(matrix[others], sides[others], bounds) is not None:
            kept = others
    return np.array(kept, dtype=np.int64), True


def _wider(matrix: Any, sides: FloatArray, bounds: tuple[float, float]) -> tuple[float, float] | None:
    """Return the narrowest bounds, moved away from 1 in proportion on both sides, within which all totals can be met.

    Factors are ``1 - t (1 - L) <= f <= 1 + t (U - 1)`` with the smallest t; weights stay at 0 or above.
    """
    import scipy.sparse as sp

    from tacita.solve import solve

    low, high = bounds
    p, n = matrix.shape
    if not (np.isfinite(low) and np.isfinite(high) and low < 1 < high) or n > _MOST_ROWS:
        return None
    eye, one = sp.eye_array(n), np.ones((n, 1))
    rows = sp.vstack(
        [
            sp.hstack([matrix, sp.csr_array((p, 1))]),
            sp.hstack([eye, sp.csr_array((1 - low) * one)]),
            sp.hstack([eye, sp.csr_array((1 - high) * one)]),
        ]
    )
    free = np.full(n, np.inf)
    answer = solve(
        np.append(np.zeros(n), 1.0),
        rows,
        np.concatenate([sides, np.ones(n), -free]),
        np.concatenate([sides, free, np.ones(n)]),
        np.zeros(n + 1),
        np.full(n + 1, np.inf),
    )
    if not answer.has_solution:
        return None
    t = float(answer.values[-1])
    return max(0.0, 1 - t * (1 - low)), 1 + t * (high - 1)
