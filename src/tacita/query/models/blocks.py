"""Work on a design in blocks of records of one size, in one order: the answer does not depend on threads.

Every block is computed by one thread with one thread of BLAS, and the parts are added in the order of the blocks. How many
blocks are in work at a time changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.numeric.compiled.threads import in_threads
from tacita.query.models.design import Design

__all__ = ["Standardised", "added", "moments_of", "over_blocks"]

_BLOCK = 2**15
_SAMPLE = 2**12
_CONSTANT = 1e-11
"""A column whose spread is below this share of its size is constant: what is left is rounding."""

T = TypeVar("T")


def over_blocks(n: int, work: Callable[[slice], T]) -> list[T]:
    """Return ``work(rows)`` for every block of records, in order."""
    with one_blas_thread():
        return in_threads(work, [slice(a, min(a + _BLOCK, n)) for a in range(0, n, _BLOCK)], records=n)


def added(parts: Iterable[FloatArray]) -> FloatArray:
    """Return the sum of arrays, one after the other."""
    total: FloatArray | None = None
    for part in parts:
        total = part.copy() if total is None else total + part
    return np.zeros(()) if total is None else total


@dataclass(frozen=True, eq=False)
class Standardised:
    """Means and spreads of the columns, with the correlations: what least squares needs to know of the records.

    Parameters
    ----------
    total
        Number of records, or sum of weights.
    mean, scale
        Of each column; a scale of 0 marks a constant one.
    y_mean, y_scale
        Of the response.
    correlation
        (p + 1, p + 1): correlations of columns and response, which comes last.
    """

    total: float
    mean: FloatArray
    scale: FloatArray
    y_mean: float
    y_scale: float
    correlation: FloatArray

    def back(self) -> FloatArray:
        """Return the (p + 1, p + 1) matrix that takes coefficients of standardised columns to those of the columns.

        With z = (x - mean) / scale the fit t0 + sum t_j z_j has slopes t_j / scale_j and the intercept
        t0 - sum t_j mean_j / scale_j.
        """
        p = len(self.mean)
        made = np.eye(p + 1)
        made[0, 1:] = -self.mean / self.scale
        made[range(1, p + 1), range(1, p + 1)] = 1 / self.scale
        return made

    def block(self, design: Design, rows: slice, width: int | None = None) -> FloatArray:
        """Return the leading columns, standardised, one row each."""
        p = design.width if width is None else width
        made = np.empty((p, rows.stop - rows.start))
        design.fill(rows, made)
        made -= self.mean[:p, None]
        made /= self.scale[:p, None]
        return made


def moments_of(design: Design, weights: FloatArray | None) -> Standardised:
    """Return means, spreads and correlations of columns and response in one pass over the records.

    Columns are shifted by their mean over a few thousand records spread over the file before they are multiplied, and the
    exact means are taken out afterwards. So the rounding of a correlation is about 1e-15 times the square of (distance of
    the two means / spread), which is of the order of 1, and not of (mean / spread), which may be 1e6.

    Parameters
    ----------
    design
        Columns and response.
    weights
        One for each record, above 0; None for ones.

    Complexity
    ----------
    O(n p^2) time, O(block p) memory for each thread.
    """
    data, p = design.data, design.width
    n = data.size
    shift = _shift(design)

    def part(rows: slice) -> FloatArray:
        z = np.empty((p + 2, rows.stop - rows.start))
        z[0] = 1.0
        design.fill(rows, z[1:-1])
        z[-1] = data.response[rows]
        z[1:] -= shift[:, None]
        if weights is not None:
            z *= np.sqrt(weights[rows])
        return np.asarray(z @ z.T)  # of one array with itself: half of the work

    gram = added(over_blocks(n, part))
    total = float(gram[0, 0])
    off = gram[0, 1:] / total
    centred = gram[1:, 1:] - total * np.outer(off, off)
    mean = shift + off
    spread = np.sqrt(np.maximum(np.diag(centred), 0.0) / total)
    spread[spread <= _CONSTANT * np.maximum(np.abs(mean), np.abs(shift))] = 0.0
    divisor = np.where(spread > 0, spread, 1.0)
    correlation = centred / total / np.outer(divisor, divisor)
    return Standardised(total, mean[:-1], spread[:-1], float(mean[-1]), float(spread[-1]), correlation)


def _shift(design: Design) -> FloatArray:
    """Return a value near the mean of each column and of the response, from records spread over the file."""
    data = design.data
    step = max(1, data.size // _SAMPLE)
    few = np.empty((design.width + 1, len(data.response[::step])))
    design.fill(slice(0, data.size, step), few[:-1])
    few[-1] = data.response[::step]
    return np.asarray(few.mean(axis=1))
