"""From the keys of inner cells to those of all cells, in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.keyed import Key
from tacita.numeric.perturbation.set_keys import keyed_uniforms
from tacita.numeric.perturbation.whole_parts import WholeParts
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import ancestry, ranges, shape_of
from tacita.tables.model.placing import MISSING
from tacita.tables.model.table import Table

if TYPE_CHECKING:
    from tacita.data.store.key_tally import KeyTally

__all__ = ["cell_key_sums", "cell_name_uniforms", "spread_everywhere", "spread_whole"]


def spread_whole(dimensions: Sequence[Dimension], codes: IntArray, columns: IntArray) -> tuple[IntArray, IntArray]:
    """Add up whole numbers of inner cells to all cells that contain one of them, exactly.

    Parameters
    ----------
    dimensions, codes
        As in :func:`tacita.tables.model.grid.spread`.
    columns
        (c, k): what is added up.

    Returns
    -------
    keys, sums
        The cells with at least one inner cell, ascending, and (m, k) their sums.
    """
    sizes, strides = shape_of(dimensions)
    keys, sums = codes @ strides, columns
    for axis, dimension in enumerate(dimensions):
        start, holders = ancestry(dimension)
        at = (keys // strides[axis]) % sizes[axis]
        times = np.diff(start)[at]
        row = np.repeat(np.arange(len(keys)), times)
        raised = keys[row] + (holders[ranges(start[at], times)] - at[row]) * strides[axis]
        order = np.argsort(raised, kind="stable")
        raised = raised[order]
        first = np.flatnonzero(np.append(True, raised[1:] != raised[:-1])[: len(raised)])
        keys = raised[first]
        sums = np.add.reduceat(sums[row[order]], first, axis=0) if len(first) else sums[:0]
    return keys, sums


def spread_everywhere(dimensions: Sequence[Dimension], codes: IntArray, columns: IntArray) -> IntArray:
    """Add up whole numbers of inner cells to all combinations of codes, those without an inner cell included.

    Parameters
    ----------
    dimensions, codes, columns
        As in :func:`spread_whole`.

    Returns
    -------
    array
        (cells, k): the sums in the order of the keys; 0 where nothing is.

    Notes
    -----
    Dimension by dimension, each total from its leaves: O(cells) for each level, without sorting.
    """
    sizes, strides = shape_of(dimensions)
    made = np.zeros((int(np.prod(sizes)), columns.shape[1]), dtype=np.int64)
    keys = codes @ strides
    ordered = np.sort(keys)
    if (ordered[1:] != ordered[:-1]).all():
        made[keys] = columns
    else:
        np.add.at(made, keys, columns)
    grid = made.reshape(*sizes.tolist(), columns.shape[1])
    for axis, dimension in enumerate(dimensions):
        ancestry(dimension)  # raises where the leaves of a code do not say what it is
        moved = np.moveaxis(grid, axis, 0)
        leaves = set(dimension.leaves)
        for code, place in dimension.places.items():
            if code not in leaves:
                below = np.array(sorted(dimension.places[leaf] for leaf in dimension.members[code]), np.int64)
                is_run = below[-1] - below[0] == len(below) - 1
                moved[place] = moved[below[0] : below[-1] + 1].sum(axis=0) if is_run else moved[below].sum(axis=0)
    return made


def cell_key_sums(found: KeyTally, table: Table) -> tuple[IntArray, FloatArray]:
    """Return the sums of keys, and of amounts, of the cells of a table that was made of the same records.

    Returns
    -------
    sums, amounts
        (n, 2): sums of keys; and (n,): sums of amounts, each rounded once.
    """
    places = [[d.places.get(value, -1) for value in values]
              for d, values in zip(table.dimensions, found.tally.categories, strict=True)]  # fmt: skip
    missing = [d.places.get(MISSING, -1) for d in table.dimensions]
    codes = np.stack(
        [
            np.array([*at, gone], np.int64)[position]
            for at, gone, position in zip(places, missing, found.tally.codes.T, strict=True)
        ],
        axis=1,
    )
    exact = WholeParts(0, np.zeros((len(codes), 0), np.int64)) if found.amounts is None else found.amounts
    keys, added = spread_whole(table.dimensions, codes, np.column_stack([found.sums, exact.parts]))
    own = table.codes @ shape_of(table.dimensions)[1]
    place = np.minimum(np.searchsorted(keys, own), max(len(keys) - 1, 0))
    made = np.zeros((len(table), added.shape[1]), np.int64)
    there = keys[place] == own if len(keys) else np.zeros(len(own), bool)
    made[there] = added[place[there]]
    return made[:, :2], WholeParts(exact.lowest, made[:, 2:]).rounded()


def cell_name_uniforms(key: Key, table: Table, cells: IntArray) -> FloatArray:
    """Return a number in [0, 1) for each of some cells, by what the cell is called: the same in every table.

    A code has a keyed word of 128 bits, a total none; the words of the codes of a cell are added up, and their sum is
    encrypted. So neither the order of the dimensions nor a dimension that the cell is the total of plays a part.

    Parameters
    ----------
    key
        The secret key, derived for the purpose.
    table
        The table.
    cells
        Numbers of cells.

    Notes
    -----
    O(codes) digests and O(cells) for the rest.
    """
    words = np.zeros((len(cells), 2), np.uint64)
    for place, dimension in enumerate(table.dimensions):
        used, where = np.unique(table.codes[cells, place], return_inverse=True)
        named = [dimension.codes[code] for code in used.tolist()]
        digests = [bytes(16) if code == dimension.total else key.digest(dimension.name, code)[:16] for code in named]
        words += np.frombuffer(b"".join(digests), dtype="<u8").reshape(-1, 2).astype(np.uint64)[where]
    return keyed_uniforms(key.derive("names"), words)
