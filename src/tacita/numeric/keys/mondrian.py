"""Local recoding from above: a file is split again and again along the hierarchies of its columns (Mondrian).

All records start at the coarsest levels. A part of the file may be split by a column: children of the column's current group
that have k records (and l different confidential values) become parts of their own, one level finer; the small ones stay
together at the coarser level. Where those that stay are too few, the smallest of the split-off children stays with them.
Among the columns the one whose split lowers the loss of the cells most is taken, until no column can be split.

References
----------
LeFevre, K., DeWitt, D. and Ramakrishnan, R. (2006), Mondrian multidimensional k-anonymity. There a split that leaves a part
too small is not made; here the part stays behind.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import Float1, Int1, Int2, IntArray, Place1, Place2
from tacita.core.kernel import entry, kernel
from tacita.numeric.keys.lattice import Lattice
from tacita.numeric.keys.local_recoding import LocalRecoding
from tacita.numeric.keys.privacy_model import PrivacyModel

__all__ = ["recode_top_down"]

Int32Array = npt.NDArray[np.int32]


class _PatternFile(NamedTuple):
    """The patterns, the ladders of their columns one after the other, and what a part must have to be safe."""

    codes: Place2  # (m, d): category of each pattern at the lowest level
    counts: Int1  # (m,): records of each pattern
    starts: Int1  # (m + 1,): where the confidential values of each pattern begin
    values: Int1  # confidential values, one pattern after the other
    up: Place1  # category of each category on each level
    loss: Float1  # what a record loses by standing in a category of a level
    offsets: Int1  # (d,): where the ladder of each column begins in `up` and `loss`
    widths: Int1  # (d,): categories of each column at the lowest level
    k: int  # fewest records
    least: int  # fewest different confidential values


def recode_top_down(lattice: Lattice, model: PrivacyModel) -> LocalRecoding | None:
    """Split the patterns of a lattice; None where even the whole file is bad. O(m d) a level of the recursion.

    Only group sizes and the number of different confidential values are looked at: k-anonymity and distinct l-diversity.
    """
    bottom, top = lattice.node((0,) * len(lattice.top)), lattice.node(lattice.top)
    m = len(bottom.counts)
    if m == 0:
        return LocalRecoding(np.zeros((0, len(lattice.top)), dtype=np.int64), np.zeros(0, dtype=np.int64))
    if model.bad(top).any():
        return None
    starts = np.arange(m + 1, dtype=np.int64)
    values = np.zeros(m, dtype=np.int64)
    least = 1
    if bottom.values is not None and model.l > 1:
        starts = np.searchsorted(bottom.values.group, np.arange(m + 1)).astype(np.int64)
        values, least = bottom.values.value, int(np.ceil(model.l - 1e-9))
    widths = np.array([ladder.up.shape[1] for ladder in lattice.ladders], dtype=np.int64)
    sizes = np.array([ladder.up.size for ladder in lattice.ladders], dtype=np.int64)
    up = np.concatenate([ladder.up.ravel() for ladder in lattice.ladders]).astype(np.int32)
    loss = np.concatenate([ladder.loss.ravel() for ladder in lattice.ladders])
    levels = np.tile(np.array(lattice.top, dtype=np.int64), (m, 1))
    rows, cuts = _top_parts(lattice)
    group = np.empty(m, dtype=np.int64)
    file = _PatternFile(
        codes=lattice.codes,
        counts=bottom.counts,
        starts=starts,
        values=values,
        up=up,
        loss=loss,
        offsets=np.cumsum(sizes) - sizes,
        widths=widths,
        k=model.k,
        least=least,
    )
    _split_all(file, rows, cuts, levels, group)
    return LocalRecoding(levels, group)


def _top_parts(lattice: Lattice) -> tuple[IntArray, IntArray]:
    """Return the patterns in the order of their groups at the coarsest node, and where each group begins."""
    labels = lattice.grouped(lattice.top)[1]
    rows = np.argsort(labels, kind="stable").astype(np.int64)
    return rows, np.append(np.flatnonzero(np.diff(labels[rows], prepend=-1)), len(rows)).astype(np.int64)


@entry
def _split_all(file: _PatternFile, rows: Int1, cuts: Int1, levels: Int2, group: Int1) -> None:
    """Split parts, held as stretches of ``rows``, until none can be split; levels and groups are written in place."""
    stack = np.empty((len(rows) + 1, 2), np.int64)  # parts are disjoint, so there are never more than patterns
    height = len(cuts) - 1
    for i in range(height):
        stack[i, 0], stack[i, 1] = cuts[i], cuts[i + 1]
    part, trial = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    found = 0
    while height > 0:
        height -= 1
        a, b = stack[height, 0], stack[height, 1]
        column, parts = _best_split(file, rows[a:b], levels, part, trial)
        if column < 0:
            for i in range(a, b):
                group[rows[i]] = found
            found += 1
            continue
        _divide(rows[a:b], part[: b - a], parts, column, levels)
        size = np.zeros(parts + 1, np.int64)
        for i in range(b - a):
            size[part[i] if part[i] >= 0 else parts] += 1
        for q in range(parts + 1):
            if size[q] > 0:
                stack[height, 0], stack[height, 1] = a, a + size[q]
                height += 1
                a += size[q]


@kernel
def _best_split(
    file: _PatternFile, rows: IntArray, levels: IntArray, part: IntArray, trial: IntArray
) -> tuple[int, int]:
    """Return the column whose split lowers the loss most (-1: none) and its number of parts; ``part`` says who is where."""
    codes, counts, loss, widths = file.codes, file.counts, file.loss, file.widths
    best_gain, best_column, best_parts = 0.0, -1, 0
    for j in range(codes.shape[1]):
        level = levels[rows[0], j]
        if level == 0:
            continue
        base = file.offsets[j] + (level - 1) * widths[j]
        parts = _parts_of(file, rows, codes[:, j], file.up[base : base + widths[j]], trial)
        if parts == 0:
            continue
        gain, is_free = 0.0, parts == 1
        for i in range(len(rows)):
            is_free = is_free and trial[i] >= 0
            if trial[i] >= 0:
                code = codes[rows[i], j]
                gain += counts[rows[i]] * (loss[base + widths[j] + code] - loss[base + code])
        if is_free or gain > best_gain:
            best_gain, best_column, best_parts = gain, j, parts
            for i in range(len(rows)):
                part[i] = trial[i]
        if is_free:  # all records are in one child: nothing is lost by going down
            break
    return best_column, best_parts


@kernel
def _divide(rows: IntArray, part: IntArray, parts: int, column: int, levels: IntArray) -> None:
    """Put rows in the order of their parts, those that stay (-1) last, and lower the column's level of the others."""
    place, before = np.empty(len(rows), np.int64), rows.copy()
    for i in range(len(rows)):
        place[i] = part[i] if part[i] >= 0 else parts
    order = _order(place)
    for i in range(len(rows)):
        rows[i] = before[order[i]]
        if place[order[i]] < parts:
            levels[rows[i], column] -= 1


@kernel
def _parts_of(file: _PatternFile, rows: IntArray, codes: Int32Array, child_of: Int32Array, part: IntArray) -> Any:
    """Number the children that can be split off (the others get -1) and return how many there are."""
    counts, starts, values, k, least = file.counts, file.starts, file.values, file.k, file.least
    child = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        child[i] = child_of[codes[rows[i]]]
    order = _order(child)
    kept, smallest, smallest_size, stay_size, found = 0, -1, 2**62, 0, 0
    a = 0
    stay, ordered = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        ordered[i] = rows[order[i]]
    for b in range(1, len(rows) + 1):
        if b < len(rows) and child[order[b]] == child[order[a]]:
            continue
        size = 0
        for i in range(a, b):
            size += counts[ordered[i]]
        is_good = size >= k and (least <= 1 or _distinct(ordered[a:b], starts, values) >= least)
        for i in range(a, b):
            part[order[i]] = found if is_good else -1
            if not is_good:
                stay[kept] = ordered[i]
                kept += 1
        if is_good:
            if size < smallest_size:
                smallest, smallest_size = found, size
            found += 1
        else:
            stay_size += size
        a = b
    if kept == 0 or found == 0:
        return found
    if stay_size >= k and (least <= 1 or _distinct(stay[:kept], starts, values) >= least):
        return found
    if found == 1:
        return 0
    for i in range(len(rows)):  # the smallest stays behind as well; the last takes its number
        if part[i] == smallest:
            part[i] = -1
        elif part[i] == found - 1:
            part[i] = smallest
    return found - 1


@kernel
def _distinct(rows: IntArray, starts: IntArray, values: IntArray) -> Any:
    """Return the number of different confidential values of some patterns."""
    total = 0
    for row in rows:
        total += starts[row + 1] - starts[row]
    held, place = np.empty(total, np.int64), 0
    for row in rows:
        for e in range(starts[row], starts[row + 1]):
            held[place] = values[e]
            place += 1
    order = _order(held)
    found = 1 if total > 0 else 0
    for i in range(1, total):
        if held[order[i]] != held[order[i - 1]]:
            found += 1
    return found


@kernel
def _order(keys: IntArray) -> IntArray:
    """Return the order of some numbers, equal ones as they stand, by merging ever longer runs.

    Numpy's sorts do the same, but take longer to compile than everything else here together.
    """
    n = len(keys)
    order, other = np.arange(n), np.empty(n, np.int64)
    run = 1
    while run < n:
        for start in range(0, n, 2 * run):
            i, j, place = start, min(start + run, n), start
            middle, stop = j, min(start + 2 * run, n)
            while place < stop:
                if i < middle and (j >= stop or keys[order[i]] <= keys[order[j]]):
                    other[place] = order[i]
                    i += 1
                else:
                    other[place] = order[j]
                    j += 1
                place += 1
        order, other = other, order
        run *= 2
    return order
