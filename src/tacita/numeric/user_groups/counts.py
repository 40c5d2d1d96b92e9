"""Sparse counts of users x categories in the form that kernels read, and the same counts by category."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tacita.core.arrays import Int1, Place1

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Counts", "by_category", "sparse_counts"]


class Counts(NamedTuple):
    """Rows of a sparse matrix: the entries of row i stand at start[i] to start[i + 1]."""

    start: Int1  # (rows + 1,)
    column: Place1  # (entries,)
    amount: Place1  # (entries,)


def sparse_counts(matrix: sparse.csr_array) -> Counts:
    """Return a sparse matrix of counts as kernels read it; columns ascend in every row.

    Examples
    --------
    >>> from scipy import sparse
    >>> sparse_counts(sparse.csr_array([[0, 2], [1, 0]])).column.tolist()
    [1, 0]
    """
    rows = matrix if matrix.has_canonical_format else matrix.copy()
    rows.sum_duplicates()
    return Counts(
        np.ascontiguousarray(rows.indptr, np.int64),
        np.ascontiguousarray(rows.indices, np.int32),
        np.ascontiguousarray(rows.data, np.int32),
    )


def by_category(counts: Counts, columns: int) -> Counts:
    """Return for every category the users that have it, fewest counts first, equal ones by number. O(entries log entries)."""
    user = np.repeat(np.arange(len(counts.start) - 1, dtype=np.int32), np.diff(counts.start))
    order = np.lexsort((user, counts.amount, counts.column))
    start = np.zeros(columns + 1, np.int64)
    np.cumsum(np.bincount(counts.column, minlength=columns), out=start[1:])
    return Counts(start, user[order], counts.amount[order])
