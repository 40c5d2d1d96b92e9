"""Additivity in two stages of whole programmes: sums first, then no small counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.solve import solve
from tacita.tables.model.relations import Relations

__all__ = ["Staged", "two_stages"]

SPARED = 2.0
"""Weight of zeros and of the smallest count in the first stage; other cells have 1."""
GAP = 0.02


@dataclass(frozen=True, eq=False)
class Staged:
    """What two stages found: the counts, the number of models that were solved, and what was given up."""

    values: IntArray = field(repr=False)
    models: int
    notes: tuple[str, ...]


def two_stages(
    relations: Relations,
    truth: IntArray,
    noisy: IntArray,
    fixed: BoolArray,
    *,
    D: int,
    smallest: int,
    time_limit: float | None,
) -> Staged:
    """Restore additivity, then remove small counts (section 5).

    Parameters
    ----------
    relations
        Any sums, those of linked tables among them.
    truth, noisy
        (n,): true and noisy counts.
    fixed
        (n,): cells that must have their true count.
    D
        How far from the truth a cell may be.
    smallest
        The smallest count but 0 that may be shown.
    time_limit
        Seconds for each model.

    Raises
    ------
    DataError
        When no table meets sums, zeros of the data, small counts and fixed cells, or none was found in time.

    Notes
    -----
    Stage 1: ``min sum w |x - noisy|``, sums hold, w = 2 where the noisy count is 0 or ``smallest``. Stage 2: counts from 1 to
    ``smallest`` - 1 of stage 1 become 0 or at least ``smallest``, zeros stay, all others stay at least ``smallest``, with least
    ``sum |x - noisy|``. Given up in this order where there is no such table: the bound D of stage 2, by one up to twice its size;
    then the zeros that stage 1 made.

    Complexity: whole programmes, hard in the worst case; for some thousands of cells at most.
    """
    low, high = _bounds(truth, fixed, D)
    weights = np.where((noisy == 0) | (noisy == smallest), SPARED, 1.0)
    models = 1
    first = _nearest(relations.matrix, noisy, low, high, weights, None, smallest, time_limit)
    tried = [(reach, True) for reach in range(D, 2 * D + 1)] + [(2 * D, False)]
    if first is None:
        # Without a table within D to begin with, the noisy counts say which cells are zero.
        first, tried = noisy.astype(np.int64), [(reach, False) for reach in range(D, 2 * D + 1)]
    for reach, keeps_zeros in tried:
        models += 1
        low, high = _bounds(truth, fixed, reach)
        is_zero = (first == 0) if keeps_zeros else truth == 0
        is_zero &= ~fixed
        high = np.where(is_zero, 0.0, high)
        low = np.where(is_zero, 0.0, low)
        sensitive = (first > 0) & (first < smallest) if keeps_zeros else (truth > 0) & ~fixed
        low = np.where((first >= smallest) & keeps_zeros & ~fixed, np.maximum(low, smallest), low)
        if (low > high).any():
            continue
        found = _nearest(relations.matrix, noisy, low, high, np.ones(len(truth)), sensitive, smallest, time_limit)
        if found is not None:
            return Staged(found, models, _notes(D, reach, keeps_zeros))
    raise DataError(
        f"AdditiveCounts: no table within {2 * D} of the truth was found that adds up, keeps the zeros and the 'fixed' cells and "
        "has no small counts; widen 'D', free cells, or give it a longer 'time_limit'."
    )


def _notes(D: int, reach: int, keeps_zeros: bool) -> tuple[str, ...]:
    found = [f"The bound was widened to {reach}: no table within {D} of the truth was found."] if reach > D else []
    found += [] if keeps_zeros else ["Zeros of the first stage were freed; those of the data were kept."]
    return tuple(found)


def _bounds(truth: IntArray, fixed: BoolArray, D: int) -> tuple[FloatArray, FloatArray]:
    free = (truth > 0) & ~fixed
    low = np.where(free, np.maximum(truth - D, 0), truth).astype(np.float64)
    return low, np.where(free, truth + D, truth).astype(np.float64)


def _nearest(
    rows: Any,
    aim: IntArray,
    low: FloatArray,
    high: FloatArray,
    weights: FloatArray,
    sensitive: BoolArray | None,
    smallest: int,
    time_limit: float | None,
) -> IntArray | None:
    """Return the nearest whole table, x = a + p - q; a sensitive cell has a binary z with ``smallest z <= x <= high z``."""
    import scipy.sparse as sp

    n = len(aim)
    inside = np.clip(aim, low, high)
    sides = -(rows @ inside)
    chosen = np.empty(0, np.int64) if sensitive is None else np.flatnonzero(sensitive & (high > 0))
    k = len(chosen)
    pick = sp.csr_array((np.ones(k), (np.arange(k), chosen)), shape=(k, n))
    least, most = sp.diags_array(np.full(k, float(smallest))), sp.diags_array(high[chosen])
    body = sp.block_array(
        [[rows, -rows, None], [pick, -pick, -least], [pick, -pick, -most]] if k else [[rows, -rows]], format="csr"
    )
    at = inside[chosen]
    answer = solve(
        np.concatenate([weights, weights, np.zeros(k)]),
        body,
        np.concatenate([sides, -at, np.full(k, -np.inf)]),
        np.concatenate([sides, np.full(k, np.inf), -at]),
        np.zeros(2 * n + k),
        np.concatenate([high - inside, inside - low, np.ones(k)]),
        integer=np.ones(2 * n + k, bool),
        time_limit=time_limit,
        gap=GAP,
    )
    if not len(answer.values) or not np.isfinite(answer.values).all():
        return None
    found = np.rint(inside + answer.values[:n] - answer.values[n : 2 * n]).astype(np.int64)
    is_right = not np.abs(rows @ found).any() and (found >= low).all() and (found <= high).all()
    small = (found[chosen] > 0) & (found[chosen] < smallest)
    return found if is_right and not small.any() else None
