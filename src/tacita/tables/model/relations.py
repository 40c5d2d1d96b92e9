"""Relations: the sparse matrix A with ``A x = 0`` that ties the cells of a table together.

Each row is one sum that a reader of the table knows to hold: a total minus its parts. Hierarchies, several dimensions
and linked tables all become rows, so rules, protectors and the auditor read one form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError

__all__ = ["Relations", "unit_of"]


TOLERANCE = 1e-6
"""A relation holds when it is off by no more than this share of the amounts in it together, or of one unit."""


def unit_of(values: FloatArray) -> float:
    """Return what counts as one unit of a table: 1, or less where most values are smaller than that."""
    there = np.abs(values[values != 0])
    return min(1.0, float(np.median(there))) if len(there) else 1.0


@dataclass(frozen=True, eq=False)
class Relations:
    """Sums between cells, as a sparse matrix in row form.

    Parameters
    ----------
    start
        (m + 1,): row r has the entries ``start[r]`` up to ``start[r + 1]``.
    cells
        Cell of each entry.
    signs
        Coefficient of each entry: -1 for a total, 1 for a part; other coefficients are allowed.
    size
        Number of cells.

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> rows.residuals(np.array([5.0, 2.0, 3.0])).tolist()
    [0.0]
    """

    start: IntArray = field(repr=False)
    cells: IntArray = field(repr=False)
    signs: FloatArray = field(repr=False)
    size: int

    @classmethod
    def of(cls, sums: Iterable[tuple[int, Sequence[int]]], size: int) -> Relations:
        """Make relations from pairs of a total and its parts."""
        cells: list[int] = []
        signs: list[float] = []
        start = [0]
        for total, parts in sums:
            cells += [total, *parts]
            signs += [-1.0] + [1.0] * len(parts)
            start.append(len(cells))
        made = cls(np.array(start, np.int64), np.array(cells, np.int64), np.array(signs, np.float64), size)
        if len(made.cells) and (made.cells.min() < 0 or made.cells.max() >= size):
            raise ParameterError(f"Relations: cells must be numbered 0 to {size - 1}.")
        return made

    @classmethod
    def of_matrix(cls, matrix: Any) -> Relations:
        """Make relations from a scipy sparse matrix with a column for each cell."""
        rows = matrix.tocsr()
        rows.sort_indices()
        return cls(
            rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data.astype(np.float64), rows.shape[1]
        )

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def matrix(self) -> Any:
        """The relations as a scipy sparse row matrix."""
        import scipy.sparse as sp

        # A copy: scipy sorts the entries of a row in place now and then, and the order of ours is that of the file.
        return sp.csr_array((self.signs, self.cells, self.start), shape=(len(self), self.size), copy=True)

    @cached_property
    def columns(self) -> Any:
        """The relations as a scipy sparse column matrix: for each cell the rows it stands in."""
        return self.matrix.tocsc()

    def row(self, relation: int) -> tuple[IntArray, FloatArray]:
        """Return the cells of one relation and their coefficients."""
        places = slice(self.start[relation], self.start[relation + 1])
        return self.cells[places], self.signs[places]

    def residuals(self, values: FloatArray) -> FloatArray:
        """Return ``A x``: how far each sum is off."""
        found: FloatArray = self.matrix @ values
        return found

    def violated(self, values: FloatArray, *, tolerance: float = TOLERANCE) -> IntArray:
        """Return the relations that do not hold for these values."""
        size = abs(self.matrix) @ np.abs(values)
        return np.flatnonzero(np.abs(self.residuals(values)) > tolerance * np.maximum(size, unit_of(values))).astype(
            np.int64
        )

    def among(self, cells: BoolArray) -> tuple[Relations, IntArray]:
        """Return the relations between the chosen cells alone, numbered anew, and the rows they come from.

        All other cells count as known. Rows without a chosen cell are left out.
        """
        chosen = np.flatnonzero(cells)
        part = self.matrix[:, chosen].tocsr()
        rows = np.flatnonzero(np.diff(part.indptr) > 0).astype(np.int64)
        return Relations.of_matrix(part[rows]), rows

    def blocks(self) -> IntArray:
        """Return for each cell the number of its block: cells that no relation ties together are in different ones."""
        from scipy.sparse import block_array
        from scipy.sparse.csgraph import connected_components

        if not len(self):
            return np.arange(self.size, dtype=np.int64)
        pattern = abs(self.matrix)
        _, labels = connected_components(
            block_array([[None, pattern.T], [pattern, None]], format="csr"), directed=False
        )
        return np.unique(labels[: self.size], return_inverse=True)[1].astype(np.int64)
