"""One sweep: every elementary cell is offered a change of its count, and takes it by the rule of Metropolis.

The potential is a sum over the cells of all tables, ``E = sum_t phi(row_t, d)``, read from a table. A cell with count y may
change to

    0 -> k or k + 1;   k -> 0 or k + 1;   k + 1 -> 0, or k or k + 2;   y -> y - 1 or y + 1 above,

the better of its two offers is taken when ``dE <= -T ln u``. All potentials are whole numbers, so that a seed gives the same
result on every processor.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Int1, Int2, Word1
from tacita.core.kernel import entry
from tacita.numeric.compiled.random import next_word
from tacita.numeric.safe.state import Byte1, SafeState, Short1

__all__ = ["minus_logs", "reach", "sweep_cells"]

_BITS = 12


def minus_logs() -> Float1:
    """Return -ln u for 4096 evenly spread u."""
    many = 1 << _BITS
    return np.asarray(-np.log((np.arange(many) + 0.5) / many), dtype=np.float64)


@entry
def sweep_cells(
    state: SafeState,
    starts: Int1,
    blocks: Int1,
    potential: Int2,
    logs: Float1,
    temperature: float,
    k: int,
    random: Word1,
) -> int:
    """Offer every elementary cell a change, block by block in the order given; return how many were taken. O(m t)."""
    counts, places, deviations, rows, classes = state
    tables, centre, by_cell, taken = places.shape[1], potential.shape[1] // 2, len(classes) > 0, 0
    for block in blocks:
        for j in range(starts[block], starts[block + 1]):
            word = next_word(random)
            y = counts[j]
            first, second = -1, 1
            if y == 0:
                first, second = k, k + 1
            elif y == k:
                first = -k
            elif y == k + 1:
                first = -k - 1
                second = 1 if word & np.uint64(1) else -1
            by_first, by_second = 0, 0
            for t in range(tables):
                cell = places[j, t]
                at = deviations[cell] + centre
                row = rows[t]
                if by_cell:
                    row += classes[cell]
                now = potential[row, at]
                by_first += potential[row, at + first] - now
                by_second += potential[row, at + second] - now
            if by_second < by_first:
                by_first, first = by_second, second
            if by_first <= temperature * logs[np.int64(word >> np.uint64(64 - _BITS))]:
                counts[j] += first
                for t in range(tables):
                    deviations[places[j, t]] += first
                taken += 1
    return taken


@entry
def reach(deviations: Short1, classes: Byte1, allowances: Int1, controlled: int) -> tuple[int, int, int]:
    """Return max |d_i| - w_i over the controlled cells that deviate, how many have it, and the largest |d_i| of any cell.

    The maximum is at least 0. O(c).
    """
    worst, many, largest = 0, 0, 0
    by_cell = len(classes) > 0
    for i in range(len(deviations)):
        off = abs(int(deviations[i]))
        if off == 0:
            continue
        largest = max(largest, off)
        if i < controlled:
            if by_cell:
                off -= int(allowances[classes[i]])
            if off > worst:
                worst, many = off, 0
            if off == worst:
                many += 1
    return worst, many, largest
