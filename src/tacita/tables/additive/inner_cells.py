"""Inner cells: those that are no sum of others, and the cells that each of them is counted in.

Where every relation of a table follows from its inner cells, these may be chosen freely, and all sums hold. That is so for one
table of any number of dimensions, whatever its hierarchies, bands that overlap among them. It is not so for linked tables that
share margins only: there two sets of inner cells must have the same sums.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.numeric.additive.goal import Holders, holders_of
from tacita.tables.model.relations import Relations

__all__ = ["InnerCells", "inner_cells"]


@dataclass(frozen=True, eq=False)
class InnerCells:
    """The inner cells that somebody is in.

    Parameters
    ----------
    places
        (i,): which cells of the table they are.
    holders
        The cells that each is counted in, itself first or later.
    ties
        Relations that do not follow from the inner cells: they say that two sums of inner cells are equal.
    """

    places: IntArray = field(repr=False)
    holders: Holders = field(repr=False)
    ties: IntArray = field(repr=False)

    @property
    def are_free(self) -> bool:
        """Whether all sums hold, whatever the inner cells are."""
        return not len(self.ties)


def inner_cells(relations: Relations, is_there: BoolArray) -> InnerCells:
    """Find the inner cells of a table.

    Parameters
    ----------
    relations
        Sums of cells: coefficient -1 for the total, 1 for each part.
    is_there
        (n,): cells that may have a count; all others are and stay 0.

    Raises
    ------
    DataError
        When a relation has other coefficients, or a cell is a part of itself.

    Notes
    -----
    With S the matrix that has a 1 where a cell is a part of a total (one relation for each total), the cells are
    ``(I + S + S^2 + ...) x`` for inner cells x. The series ends at the depth of the hierarchies together.

    Complexity: O(depth x entries) time, and O(entries) memory for the entries of the result: the inner cells times the cells
    that each is counted in.

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2]), (3, [1])], 4)
    >>> found = inner_cells(rows, np.ones(4, bool))
    >>> found.places.tolist(), found.holders.cells.tolist()
    ([1, 2], [0, 1, 3, 0, 2])
    """
    import scipy.sparse as sp

    n, m = relations.size, len(relations)
    row = np.repeat(np.arange(m), np.diff(relations.start))
    is_total = relations.signs == -1.0
    if not ((relations.signs == 1.0) | is_total).all() or (np.bincount(row[is_total], minlength=m) != 1).any():
        raise DataError("Additive counts need relations with one total and its parts, each counted once.")
    total_of = np.empty(m, np.int64)
    total_of[row[is_total]] = relations.cells[is_total]
    totals, defining = np.unique(total_of, return_index=True)
    chosen = np.zeros(m, bool)
    chosen[defining] = True
    part = ~is_total & chosen[row]
    is_inner = np.ones(n, bool)
    is_inner[totals] = False
    places = np.flatnonzero(is_inner & is_there).astype(np.int64)
    one = np.ones(int(part.sum()), np.int64)
    sums = sp.csr_array((one, (total_of[row[part]], relations.cells[part])), shape=(n, n))
    start = sp.csr_array((np.ones(len(places), np.int64), (places, np.arange(len(places)))), shape=(n, len(places)))
    _check_no_circle(sums)
    found, layer = start, start
    while layer.nnz:
        layer = sums @ layer
        found = found + layer
    if found.nnz and found.data.max() > 1:
        raise DataError("A cell counts an inner cell twice; the parts of a sum must not overlap.")
    signs = sp.csr_array((relations.signs.astype(np.int64), (row, relations.cells)), shape=(m, n))
    off = signs @ found
    ties = np.unique(off.nonzero()[0]).astype(np.int64)
    by_inner = found.tocsc()
    by_inner.sort_indices()
    return InnerCells(places, holders_of(by_inner.indptr.astype(np.int64), by_inner.indices.astype(np.int64), n), ties)


def _check_no_circle(sums: Any) -> None:
    """Take away parts of parts of parts, until nothing is left."""
    deep = np.ones(sums.shape[0], bool)
    for _ in range(sums.shape[0] + 1):
        deep = np.asarray(sums @ deep.astype(np.int64) > 0, bool)
        if not deep.any():
            return
    raise DataError("A cell is a part of itself; sums must not run in a circle.")
