"""Neighbourhoods: a few cells near each other in the relations, for searches that improve one place at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, IntArray

__all__ = ["grown", "neighbourhood"]


def neighbourhood(rows: Any, columns: Any, start: int, size: int, rng: np.random.Generator) -> IntArray:
    """Return about ``size`` cells around one cell: whole relations, ring after ring, in random order within a ring.

    Parameters
    ----------
    rows, columns
        The relations as a sparse row matrix and as a sparse column matrix.
    start
        The cell in the middle.
    size
        Number of cells at which the growth ends; a block with fewer cells is returned as it is.
    rng
        Random stream.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> rows = sp.csr_array([[-1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 1.0, 1.0]])
    >>> neighbourhood(rows, rows.tocsc(), 0, 3, np.random.default_rng(1)).tolist()
    [0, 1, 2]
    """
    inside, taken = {int(start)}, set[int]()
    ring = [int(start)]
    while ring and len(inside) < size:
        pointers = columns.indptr
        near = [columns.indices[pointers[c] : pointers[c + 1]] for c in ring]
        relations = [r for r in np.unique(np.concatenate(near)).tolist() if r not in taken]
        ring = []
        for relation in rng.permutation(np.array(relations, np.int64)).tolist():
            if len(inside) >= size:
                break
            taken.add(relation)
            new = [
                c for c in rows.indices[rows.indptr[relation] : rows.indptr[relation + 1]].tolist() if c not in inside
            ]
            inside.update(new)
            ring += new
    return np.array(sorted(inside), np.int64)


def grown(rows: Any, cells: BoolArray) -> BoolArray:
    """Return the cells with all cells that share a relation with one of them."""
    touched = (abs(rows) @ cells.astype(np.float64)) > 0
    found: BoolArray = np.asarray((abs(rows).T @ touched.astype(np.float64)) > 0) | cells
    return found
