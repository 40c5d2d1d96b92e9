"""Relations as plain arrays and the working space of :mod:`tacita.numeric.table_moves.cheapest_move`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, Float1, Float2, FloatArray, Int1

__all__ = ["BASIS", "MOVED", "SEEN", "STEPS", "TOUCHED", "Net", "Workspace", "make_net", "make_workspace"]


SEEN, BASIS, TOUCHED, MOVED, STEPS = 0, 1, 2, 3, 4
"""Places in ``Workspace.sizes``: relations seen, size of the basis, cells touched, variables moved; then steps taken."""


class Net(NamedTuple):
    """Relations by row and by cell, and how far each cell can move."""

    row_start: Int1
    row_cells: Int1
    row_signs: Float1
    cell_start: Int1
    cell_rows: Int1
    cell_signs: Float1
    room: Float2
    """(n, 2): how far a cell can go up and down; 0 where it cannot move."""


class Workspace(NamedTuple):
    """Working space, clean between two calls."""

    residual: Float1
    place: Int1
    """(m,): number of a relation in the basis, -1 outside."""
    seen_rows: Int1
    is_seen: Bool1
    valued: Int1
    value: Float1
    """(n,): what the relations in the basis pay for a unit more of the cell."""
    alpha: Float1
    touched: Int1
    basic: Int1
    """(2 n,): number of a variable in the basis, -1 outside; variable 2 j is cell j going up, 2 j + 1 going down."""
    at_bound: Bool1
    moved: Int1
    was_moved: Bool1
    rows: Int1
    variables: Int1
    x: Float1
    inverse: Float2
    rho: Float1
    """The relations in the basis, as they are combined into what is out of bounds."""
    felt: Float1
    step: Float1
    sizes: Int1
    candidates: Int1
    ratios: Float1
    blocking: Int1
    """Relations that together prove that no move exists."""
    cells: Int1
    moves: Float1
    row_length: Float1
    """(m,): squared length of the edge along which a relation is repaired, -1 where it is not known."""
    basic_length: Float1
    """The same for the variables in the basis, by their place."""


def make_net(rows: Any, columns: Any, up: FloatArray, down: FloatArray) -> Net:
    """Gather the arrays of a sparse matrix in row and in column form."""
    return Net(
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int64),
        rows.data.astype(np.float64),
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int64),
        columns.data.astype(np.float64),
        np.ascontiguousarray(np.stack([up, down], axis=1), dtype=np.float64),
    )


def make_workspace(relations: int, cells: int, most: int) -> Workspace:
    """Make working space for a basis of at most ``most`` relations."""
    return Workspace(
        np.zeros(relations),
        np.full(relations, -1, np.int64),
        np.empty(relations, np.int64),
        np.zeros(relations, np.bool_),
        np.empty(cells, np.int64),
        np.zeros(cells),
        np.zeros(cells),
        np.empty(cells, np.int64),
        np.full(2 * cells, -1, np.int64),
        np.zeros(2 * cells, np.bool_),
        np.empty(2 * cells, np.int64),
        np.zeros(2 * cells, np.bool_),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most),
        np.empty((most, most)),
        np.empty(most),
        np.zeros(most),
        np.zeros(most),
        np.zeros(5, np.int64),
        np.empty(2 * cells, np.int64),
        np.empty(2 * cells),
        np.empty(most + 1, np.int64),
        np.empty(cells, np.int64),
        np.empty(cells),
        np.full(relations, -1.0),
        np.full(most, -1.0),
    )
