"""What is left to decide in a tabular adjustment: moves of cells, after everything that follows by itself is taken out.

A cell whose value is known cannot move. A relation with one cell left fixes it; a relation with two makes their moves
proportional, so that they are one. What remains are groups of cells that move together, in units that suit a solver.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.tables.protect.problem import Problem

__all__ = ["AdjustmentCore", "adjustment_core", "reject"]


_TINY = 1e-11


@dataclass(frozen=True, eq=False)
class AdjustmentCore:
    """Moves z of g groups with ``rows z = 0`` and ``-down <= z <= up``.

    An unsafe group must go up by ``above`` at least or down by ``below`` at least. Moving by z costs ``weight |z|``.

    Parameters
    ----------
    rows
        Relations between the groups, a sparse row matrix.
    weight, up, down
        (g,): cost of a unit, largest move up and down.
    unsafe
        (k,): the groups that must move.
    above, below
        (k,): how far they must move.
    goes_up, goes_down
        (k,): whether the bounds leave room for it.
    member
        (n, g) sparse: how far each cell moves with each group, in units of the table.
    """

    rows: Any = field(repr=False)
    weight: FloatArray = field(repr=False)
    up: FloatArray = field(repr=False)
    down: FloatArray = field(repr=False)
    unsafe: IntArray = field(repr=False)
    above: FloatArray = field(repr=False)
    below: FloatArray = field(repr=False)
    goes_up: BoolArray = field(repr=False)
    goes_down: BoolArray = field(repr=False)
    member: Any = field(repr=False)

    @property
    def size(self) -> int:
        """Number of groups."""
        return len(self.weight)

    @cached_property
    def least(self) -> FloatArray:
        """(g,): no solution moves a group by less than this, up or down; 0 for groups that may stay."""
        found = np.zeros(self.size)
        found[self.unsafe] = np.minimum(
            np.where(self.goes_up, self.above, np.inf), np.where(self.goes_down, self.below, np.inf)
        )
        return found

    def cost(self, z: FloatArray) -> float:
        """Return the weighted sum of the moves."""
        return float(self.weight @ np.abs(z))

    def moves(self, z: FloatArray) -> FloatArray:
        """Return how far each cell of the table moves."""
        found: FloatArray = self.member @ z
        return found

    def blocks(self) -> list[tuple[IntArray, AdjustmentCore]]:
        """Return the parts that no relation ties together and that have something to protect, with their groups."""
        from tacita.tables.model.relations import Relations

        labels = Relations.of_matrix(self.rows).blocks() if self.rows.shape[0] else np.arange(self.size)
        wanted = np.unique(labels[self.unsafe])
        if len(wanted) == 1 and np.all(labels == wanted[0]):
            return [(np.arange(self.size), self)]
        return [(cells, self._part(cells)) for cells in (np.flatnonzero(labels == label) for label in wanted)]

    def _part(self, cells: IntArray) -> AdjustmentCore:
        rows = self.rows[:, cells].tocsr()
        mine = np.isin(self.unsafe, cells)
        return AdjustmentCore(
            rows[np.diff(rows.indptr) > 0],
            self.weight[cells],
            self.up[cells],
            self.down[cells],
            np.searchsorted(cells, self.unsafe[mine]),
            self.above[mine],
            self.below[mine],
            self.goes_up[mine],
            self.goes_down[mine],
            self.member[:, cells],
        )


def reject(cells: IntArray, why: str) -> DataError:
    """Return the error for cells that cannot be protected."""
    return DataError(
        f"Tabular adjustment: {len(cells)} unsafe cells cannot be moved out of their protection intervals: {why} "
        "Widen the bounds, unlock totals, or lower the protection levels; 'details' names the cells.",
        details={"cells": np.asarray(cells).tolist()},
    )


def adjustment_core(problem: Problem, weights: FloatArray) -> tuple[AdjustmentCore, float]:
    """Return what is left to decide, and the size of one unit of its moves in the table.

    Raises a DataError that names the cells which no move can protect, as far as that shows by single cells and pairs.
    """
    member = _members(problem)
    sheet = member.tocsc()
    sizes, cells, ratios = np.diff(sheet.indptr), sheet.indices, sheet.data
    group = np.repeat(np.arange(member.shape[1]), sizes)
    stays = np.diff(member.tocsr().indptr) == 0
    alone = np.flatnonzero(problem.unsafe & stays & (np.minimum(problem.below, problem.above) > 0))
    if len(alone):
        raise reject(alone, "locked and known cells leave them no room.")
    room_up, room_down = problem.upper - problem.values, problem.values - problem.lower
    rises, size = ratios > 0, np.abs(ratios)
    up = _least(group, np.where(rises, room_up[cells], room_down[cells]) / size, member.shape[1])
    down = _least(group, np.where(rises, room_down[cells], room_up[cells]) / size, member.shape[1])
    need = problem.unsafe[cells]
    above = -_least(
        group[need], -np.where(rises, problem.above[cells], problem.below[cells])[need] / size[need], len(up)
    )
    below = -_least(
        group[need], -np.where(rises, problem.below[cells], problem.above[cells])[need] / size[need], len(up)
    )
    weight: FloatArray = np.asarray(np.bincount(group, weights[cells] * size, len(up)), np.float64)
    unsafe = np.unique(group[need])
    above, below = above[unsafe], below[unsafe]
    slack = 1e-9 * np.maximum(1.0, np.maximum(above, below))
    goes_up, goes_down = above <= up[unsafe] + slack, below <= down[unsafe] + slack
    stuck = unsafe[~goes_up & ~goes_down]
    if len(stuck):
        raise reject(np.sort(cells[need & np.isin(group, stuck)]), "their bounds leave no room on either side.")
    level = float(max(above.max(initial=0.0), below.max(initial=0.0)))
    unit = float(2.0 ** np.round(np.log2(level / 1024))) if level > 0 else 1.0
    weight = np.asarray(weight * unit, np.float64)
    rows = _independent((problem.relations.matrix @ member).tocsr())
    return AdjustmentCore(
        rows,
        weight,
        np.maximum(up, 0.0) / unit,
        np.maximum(down, 0.0) / unit,
        unsafe,
        above / unit,
        below / unit,
        goes_up,
        goes_down,
        member.tocsr() * unit,
    ), unit


def _least(group: IntArray, amount: FloatArray, size: int) -> FloatArray:
    found = np.full(size, np.inf)
    np.minimum.at(found, group, amount)
    return found


def _members(problem: Problem) -> Any:
    """Return (n, g) how cells move with groups, after relations of one and of two cells are used up."""
    import scipy.sparse as sp

    free = np.flatnonzero(~problem.locked & (problem.lower < problem.upper))
    member = sp.csr_array((np.ones(len(free)), (free, np.arange(len(free)))), shape=(problem.size, len(free)))
    while True:
        rows = _clean((problem.relations.matrix @ member).tocsr())
        counts = np.diff(rows.indptr)
        # A cell with a level on one side only may stand still or go away from it; two such cells that must move in
        # opposite ways have three choices, so they are never one group.
        one_sided = problem.unsafe & (np.minimum(problem.below, problem.above) == 0)
        merge = _merged(rows, counts, (abs(member).T @ one_sided.astype(float)) > 0)
        if merge is None:
            return member
        member = _clean((member @ merge).tocsr())


def _merged(rows: Any, counts: IntArray, one_sided: BoolArray) -> Any:
    """Return (g, h) how groups move with fewer groups; None where no relation brings two together or fixes one."""
    import scipy.sparse as sp

    few, size = np.flatnonzero((counts == 1) | (counts == 2)), len(one_sided)
    apart, changed = one_sided.tolist(), False
    parent, ratio, fixed = list(range(size)), [1.0] * size, [False] * size

    def root(cell: int) -> tuple[int, float]:
        times = 1.0
        while parent[cell] != cell:
            times *= ratio[cell]
            cell = parent[cell]
        return cell, times

    for relation in few.tolist():
        at = slice(rows.indptr[relation], rows.indptr[relation + 1])
        ends = [(*root(int(c)), float(v)) for c, v in zip(rows.indices[at], rows.data[at], strict=True)]
        one, times, value = ends[0]
        if len(ends) == 1:
            fixed[one] = changed = True
            continue
        other, others, second = ends[1]
        if one == other:  # a ring of pairs: consistent, or it can only stand still
            fixed[one] = fixed[one] or abs(value * times + second * others) > _TINY
            continue
        if apart[one] and apart[other]:
            continue
        parent[one], ratio[one] = other, -(second * others) / (value * times)
        fixed[other] = fixed[other] or fixed[one]
        apart[other], changed = apart[other] or apart[one], True
    if not changed:
        return None
    roots = [root(cell) for cell in range(size)]
    kept = {cell: place for place, cell in enumerate(c for c in range(size) if parent[c] == c and not fixed[c])}
    moving = [(cell, kept[top], times) for cell, (top, times) in enumerate(roots) if top in kept]
    where = np.array([(c, g) for c, g, _ in moving], np.int64).reshape(-1, 2)
    return sp.csr_array((np.array([t for *_, t in moving]), (where[:, 0], where[:, 1])), shape=(size, len(kept)))


def _clean(matrix: Any) -> Any:
    matrix.data[np.abs(matrix.data) < _TINY] = 0.0
    matrix.eliminate_zeros()
    return matrix


def _independent(rows: Any) -> Any:
    """Return the relations without empty and repeated ones."""
    rows = _clean(rows)
    rows.sort_indices()
    seen: dict[tuple[bytes, bytes], int] = {}
    for relation in np.flatnonzero(np.diff(rows.indptr) > 0).tolist():
        at = slice(rows.indptr[relation], rows.indptr[relation + 1])
        data = rows.data[at]
        seen.setdefault((rows.indices[at].tobytes(), np.round(data / data[0], 12).tobytes()), relation)
    return rows[np.array(sorted(seen.values()), np.int64)]
