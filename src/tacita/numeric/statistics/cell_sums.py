"""Sums by cell in one pass over the records: how many, whose keyed hashes, which rows, and sums of a response.

Records come as *planes*: rows of bytes, one for each variable with up to 256 classes and two for one with more. The cell of a
record in a table is the sum of its bytes, each times the stride of its plane, so a pass reads one byte a variable and record.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Bool1, Byte2, Float1, Float2, FrozenFloat1, Int1, Int2, Place1, Place2, Word1
from tacita.core.kernel import entry, kernel

__all__ = [
    "add_members",
    "add_records",
    "add_response",
    "add_squares",
    "find_largest",
    "find_members",
    "places_of",
]

_BLOCK = 4096
"""Records at a time: their cells stay in the cache."""


@kernel
def _places(planes: Byte2, which: Int1, strides: Int1, start: int, stop: int, out: Place1) -> None:
    """Write the cell of each of some records."""
    for j in range(stop - start):
        out[j] = 0
    for v in range(len(which)):
        row = planes[which[v]]
        stride = np.int32(strides[v])
        for j in range(stop - start):
            out[j] += np.int32(row[start + j]) * stride


@entry
def places_of(planes: Byte2, which: Int1, strides: Int1, out: Place1) -> None:
    """Write the cell of every record in a table of fewer than 2**31 cells.

    Parameters
    ----------
    planes
        (p, n): bytes of the records.
    which, strides
        (v,): the planes of the table, and what a byte of each counts.
    out
        (n,): where the cells are written.
    """
    n = planes.shape[1]
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        _places(planes, which, strides, start, stop, out[start:stop])


@entry
def add_records(planes: Byte2, which: Int1, strides: Int1, keys: Place2, table: Int2) -> None:
    """Add up all records by cell: their number and the sums of their two keyed hashes.

    Parameters
    ----------
    planes, which, strides
        As in :func:`places_of`.
    keys
        (n, 2): keyed hashes of 31 bits.
    table
        (cells, 3): what is added to.

    Notes
    -----
    Whole numbers, so the order of records does not matter. O(n v) time.
    """
    n = planes.shape[1]
    cells = np.empty(_BLOCK, dtype=np.int32)
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        _places(planes, which, strides, start, stop, cells)
        for j in range(stop - start):
            cell = cells[j]
            table[cell, 0] += 1
            table[cell, 1] += keys[start + j, 0]
            table[cell, 2] += keys[start + j, 1]


@entry
def add_members(
    planes: Byte2,
    where: Int1,
    where_strides: Int1,
    inside: Bool1,
    which: Int1,
    strides: Int1,
    keys: Place2,
    table: Int2,
) -> None:
    """Add up the records of a universe by cell: their number and the sums of their two keyed hashes.

    Parameters
    ----------
    planes, which, strides, keys
        As in :func:`add_records`.
    where, where_strides
        (u,): the planes of the universe's own table.
    inside
        Which cells of that table belong to the universe.
    table
        (cells, 3): what is added to.
    """
    n = planes.shape[1]
    places, cells = np.empty(_BLOCK, dtype=np.int32), np.empty(_BLOCK, dtype=np.int32)
    chosen = np.empty(_BLOCK + 1, dtype=np.int32)
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        _places(planes, where, where_strides, start, stop, places)
        _places(planes, which, strides, start, stop, cells)
        found = 0
        for j in range(stop - start):  # written always and kept if inside: no branch to guess
            chosen[found] = j
            found += inside[places[j]]
        for i in range(found):
            j = chosen[i]
            cell = cells[j]
            table[cell, 0] += 1
            table[cell, 1] += keys[start + j, 0]
            table[cell, 2] += keys[start + j, 1]


@entry
def find_members(
    planes: Byte2,
    where: Int1,
    where_strides: Int1,
    inside: Bool1,
    which: Int1,
    strides: Int1,
    rows: Place1,
    cells: Place1,
) -> int:
    """List the records of a universe, increasing, with their cells; return how many they are.

    Parameters
    ----------
    planes, where, where_strides, inside, which, strides
        As in :func:`add_members`.
    rows, cells
        (n + 1,): where row numbers and cells are written.
    """
    n, found = planes.shape[1], 0
    places, of = np.empty(_BLOCK, dtype=np.int32), np.empty(_BLOCK, dtype=np.int32)
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        _places(planes, where, where_strides, start, stop, places)
        _places(planes, which, strides, start, stop, of)
        for j in range(stop - start):  # written always and kept if inside: no branch to guess
            rows[found] = start + j
            cells[found] = of[j]
            found += inside[places[j]]
    return found


@entry
def add_response(rows: Place1, cells: Place1, values: FrozenFloat1, weights: FrozenFloat1, sums: Float2) -> None:
    """Add up a response by cell, record by record in the order of rows: (cells, 4) number, positive weights, w and w x.

    Parameters
    ----------
    rows, cells
        (m,): the records, and their cells.
    values
        (n,): the response of every record of the version; missing ones are not counted.
    weights
        (n,): weights of all records; of one number, it is that of everybody.
    sums
        (cells, 4): what is added to.
    """
    for i in range(len(rows)):
        row, cell = rows[i], cells[i]
        x = values[row]
        if not np.isnan(x):
            w = weights[row] if len(weights) > 1 else weights[0]
            sums[cell, 0] += 1.0
            sums[cell, 1] += 1.0 if w > 0 else 0.0
            sums[cell, 2] += w
            sums[cell, 3] += w * x


@entry
def add_squares(
    rows: Place1,
    cells: Place1,
    strata: Int1,
    values: FrozenFloat1,
    weights: FrozenFloat1,
    means: Float1,
    scale: Float1,
    sums: Float2,
) -> None:
    """Add up ``z = w (x - mean) scale`` and its squares by stratum and cell; 0 where nothing is weighed.

    Parameters
    ----------
    rows, cells, values, weights
        As in :func:`add_response`.
    strata
        (n,): the stratum of every record; of one number, it is that of everybody.
    means, scale
        (cells,): what is taken away from each value, and what the rest is multiplied by.
    sums
        (strata * cells, 2): what is added to, squares first.
    """
    for i in range(len(rows)):
        row, cell = rows[i], cells[i]
        x = values[row]
        if not np.isnan(x):
            w = weights[row] if len(weights) > 1 else weights[0]
            if w > 0:
                z = w * (x - means[cell]) * scale[cell]
                place = (strata[row] if len(strata) > 1 else strata[0]) * len(means) + cell
                sums[place, 0] += z * z
                sums[place, 1] += z


@entry
def find_largest(
    rows: Place1, cells: Place1, values: FrozenFloat1, weights: FrozenFloat1, ids: Word1, amounts: Float2, who: Word1
) -> None:
    """Find the largest contributions ``w x`` of each cell, by size regardless of sign; equal ones by the smaller id.

    Parameters
    ----------
    rows, cells, values, weights
        As in :func:`add_response`.
    ids
        (n,): what identifies every record.
    amounts, who
        (cells, depth) zeros and (cells * depth,) zeros: where the contributions are written, by falling size, and whose they are.
    """
    depth = amounts.shape[1]
    held = np.zeros(len(amounts), dtype=np.int64)
    for i in range(len(rows)):
        row, cell = rows[i], cells[i]
        x = values[row]
        if np.isnan(x):
            continue
        amount = (weights[row] if len(weights) > 1 else weights[0]) * x
        size, at = abs(amount), held[cell]
        if at == depth and size < abs(amounts[cell, depth - 1]):
            continue
        while at > 0:
            before = abs(amounts[cell, at - 1])
            if before > size or (before == size and who[cell * depth + at - 1] < ids[row]):
                break
            if at < depth:
                amounts[cell, at] = amounts[cell, at - 1]
                who[cell * depth + at] = who[cell * depth + at - 1]
            at -= 1
        if at < depth:
            amounts[cell, at] = amount
            who[cell * depth + at] = ids[row]
            if held[cell] < depth:
                held[cell] += 1
