"""Hill climbing on the moments of a masked file: Algorithm 13 of post-masking optimisation, corrected and incremental.

One step changes one value. The error E of the moments follows in O(d), the relative error IL1' of the values in O(d) after one
search for the nearest original. E is tested first, so that most steps never search; the path is the same. The letters beside
the lines of :func:`climb` are those of the algorithm's step 8.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, Float1, Float2, FloatArray, Int1, Int2, Word1
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word
from tacita.numeric.nearest.kd_tree import KdTree
from tacita.numeric.nearest.neighbour import after_move

__all__ = ["Band", "Climb", "ColumnRules", "cell_loss", "climb", "is_allowed", "move_value", "reached", "row_loss"]


_11 = np.uint64(11)
_UNIT = 2.0**-53


_ERROR, _LOSS, _CELLS = 0, 1, 2
"""Sums of a climb: E of (5.3), then the sum and the number of the relative errors of (5.2)."""


class ColumnRules(NamedTuple):
    """What the columns must keep, for compiled loops.

    ``effect[j, k]`` is what a unit of column j adds to column k: 1 on the diagonal, a sign where k is a total of which j
    is a part. ``affected[j, :touched[j]]`` lists the columns that j moves, itself first. ``upper`` and ``lower`` are the pairs
    of columns in chains. ``whole`` says that a column moves by whole numbers only. With ``no_new_zeros`` what is 0 stays 0 and
    nothing else becomes it, totals included.
    """

    effect: Float2
    affected: Int2
    touched: Int1
    low: Float1
    high: Float1
    whole: Bool1
    upper: Int1
    lower: Int1
    no_new_zeros: bool


class Climb(NamedTuple):
    """The state of a climb; the arrays change in place.

    ``original`` and ``base`` are the original file standardised and in the values that IL1' compares, ``values`` and ``z``
    the masked file raw and standardised, ``nearest`` its C(i), ``gap`` a distance below which no other original lies (0 where
    nothing is known), ``first`` and ``second`` the differences of the first and second moments, ``sums`` E, the sum and the count
    of relative errors.
    """

    original: Float2
    base: Float2
    values: Float2
    z: Float2
    mean: Float1
    sd: Float1
    nearest: Int1
    gap: Float1
    first: Float1
    second: Float2
    sums: Float1


class Band(NamedTuple):
    """Where IL1' shall come to lie, and the error of the moments at which the climb ends."""

    low: float
    high: float
    goal: float
    target_e: float


def reached(state: Climb) -> tuple[float, float]:
    """Return E and IL1' of the file as it stands."""
    return float(state.sums[_ERROR]), float(state.sums[_LOSS] / max(state.sums[_CELLS], 1))


@kernel(inline=True)
def cell_loss(x: float, y: float) -> float:
    """Return |x - y| / |x|; 1 where only x is 0, NaN where both are or one is missing."""
    if x == 0.0:
        return np.nan if y == 0.0 or np.isnan(y) else 1.0
    return abs(x - y) / abs(x)  # one term of (5.2)


@kernel
def row_loss(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the sum of the relative errors of one record and how many cells it has."""
    total, count = 0.0, 0.0
    for j in range(len(x)):
        loss = cell_loss(x[j], y[j])
        if not np.isnan(loss):
            total += loss
            count += 1.0
    return total, count


@kernel
def move_value(
    row: FloatArray, z: FloatArray, j: int, value: float, rules: ColumnRules, mean: FloatArray, sd: FloatArray
) -> None:
    """Give column j of one record a value, and every total that it is a part of what follows."""
    change = value - row[j]
    row[j] = value
    for a in range(1, rules.touched[j]):
        k = rules.affected[j, a]
        row[k] += rules.effect[j, k] * change
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        z[k] = 0.0 if np.isnan(row[k]) else (row[k] - mean[k]) / sd[k]


@kernel
def is_allowed(row: FloatArray, before: FloatArray, j: int, rules: ColumnRules) -> bool:
    """Whether a record keeps its zeros, bounds and chains after column j was moved from where it was ``before``."""
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        if rules.no_new_zeros and (row[k] == 0.0) != (before[k] == 0.0):
            return False
        if row[k] < rules.low[k] or row[k] > rules.high[k]:
            return False
    is_broken = False
    for a in range(len(rules.upper)):
        is_broken |= row[rules.upper[a]] < row[rules.lower[a]]  # false where one is missing
    return not is_broken


@kernel
def _moment_error(state: Climb, i: int, z: FloatArray, j: int, rules: ColumnRules) -> float:
    """Return E, the objective of (5.3), with record i at ``z`` instead of where it is. O(d) for a column without totals."""
    n, d = state.z.shape
    old = state.z[i]
    error = state.sums[_ERROR]
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        first = state.first[k]
        error += (first + (z[k] - old[k]) / n) ** 2 - first**2  # (5.3), first sum
        for other in range(d):
            is_twice = False  # a pair of two moved columns counts once
            for b in range(a):
                is_twice |= rules.affected[j, b] == other
            if not is_twice:
                second = state.second[k, other]
                error += (
                    second + (z[k] * z[other] - old[k] * old[other]) / n
                ) ** 2 - second**2  # (5.3), second and third
    return float(error)


@kernel
def _accept(state: Climb, i: int, row: FloatArray, z: FloatArray, j: int, rules: ColumnRules) -> None:
    n, d = state.z.shape
    old = state.z[i]
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        state.first[k] += (z[k] - old[k]) / n
        for other in range(d):
            is_twice = False
            for b in range(a):
                is_twice |= rules.affected[j, b] == other
            if not is_twice:
                state.second[k, other] += (z[k] * z[other] - old[k] * old[other]) / n
                state.second[other, k] = state.second[k, other]
    for k in range(d):
        state.values[i, k], state.z[i, k] = row[k], z[k]


@entry
def climb(
    state: Climb,
    cells: Int2,
    rules: ColumnRules,
    tree: KdTree,
    band: Band,
    step: float,
    is_standardised: bool,
    words: Word1,
    steps: int,
) -> tuple[int, int]:
    """Try ``steps`` random changes of the cells; return how many were tried and how many kept.

    Ends early once E is at the target and IL1' in its band. A value moves by ``step`` standard deviations times u^3, where u
    is uniform on (-1, 1): mostly a little, sometimes far.
    """
    d = state.z.shape[1]
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    row, z, kept = np.empty(d), np.empty(d), 0
    for tried in range(steps):
        loss = state.sums[_LOSS] / max(state.sums[_CELLS], 1.0)  # (5.2)
        if state.sums[_ERROR] <= band.target_e and band.low <= loss <= band.high:  # (5.4)
            return tried, kept
        # (a): a value of M is perturbed
        cell = draw_below(next_word(words) & LOW_WORD, len(cells))
        u = 2.0 * np.float64(next_word(words) >> _11) * _UNIT - 1.0
        i, j = cells[cell, 0], cells[cell, 1]
        for k in range(d):
            row[k], z[k] = state.values[i, k], state.z[i, k]
        value = row[j] + step * state.sd[j] * u * u * u
        value = row[j] + np.rint(value - row[j]) if rules.whole[j] else value
        move_value(row, z, j, value, rules, state.mean, state.sd)
        if not is_allowed(row, state.values[i], j, rules):
            continue
        error = _moment_error(state, i, z, j, rules)  # (f)
        if error >= state.sums[_ERROR]:  # (g), before the search of (b)
            continue
        # (b): the nearest original of the moved record; (d): IL1' follows from this record alone
        near, gap = after_move(z, state.z[i], state.original, state.nearest[i], state.gap[i], tree, stack, bounds)
        before = row_loss(state.base[state.nearest[i]], state.z[i] if is_standardised else state.values[i])
        after = row_loss(state.base[near], z if is_standardised else row)
        total, count = state.sums[_LOSS] + after[0] - before[0], state.sums[_CELLS] + after[1] - before[1]
        new = total / max(count, 1.0)
        if not band.low <= new <= band.high and abs(new - band.goal) >= abs(loss - band.goal):  # (h)
            continue
        _accept(state, i, row, z, j, rules)
        state.nearest[i], state.gap[i] = near, gap
        state.sums[_ERROR], state.sums[_LOSS], state.sums[_CELLS] = error, total, count
        kept += 1
    return steps, kept
