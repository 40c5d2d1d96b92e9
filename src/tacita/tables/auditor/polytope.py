"""The attacker's polytope: all tables that agree with what is published, as deviations from the true one.

With ``d = x - a`` the true table is ``d = 0``, every relation has the side 0, and only hidden cells have a variable. So
zero is always inside, a multiple between 0 and 1 of an inside point is inside, and a relation with a single hidden cell
gives that cell away: such cells are taken out one after the other before any linear programme is made.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.relations import Relations
from tacita.tables.protect.problem import Problem

__all__ = ["Polytope", "check_whole", "shyness"]


@dataclass(frozen=True, eq=False)
class Polytope:
    """Hidden cells that are not given away by a chain of single relations, with the relations between them.

    Parameters
    ----------
    relations
        The relations of the whole table.
    cells
        Numbers of the cells in the table; position p in the polytope is cell ``cells[p]``.
    rows
        Numbers of the relations in the table that still tie two or more of the cells.
    by_row, by_cell
        Those relations as a sparse row and as a sparse column matrix.
    down, up
        How far each cell can go under and over its true value by what everybody knows; non-negative, maybe infinite.
    block
        Number of the block of each cell: cells of different blocks move independently.
    place
        (n,) position of each cell of the table in ``cells``; -1 where it is not there.
    chain
        Cells given away by single relations and the relation of each, in the order in which they fall.
    link
        (n,) position of each cell of the table in ``chain``; -1 where it is not there.
    """

    relations: Relations = field(repr=False)
    cells: IntArray = field(repr=False)
    rows: IntArray = field(repr=False)
    by_row: Any = field(repr=False)
    by_cell: Any = field(repr=False)
    down: FloatArray = field(repr=False)
    up: FloatArray = field(repr=False)
    block: IntArray = field(repr=False)
    place: IntArray = field(repr=False)
    chain: tuple[tuple[int, int], ...] = field(repr=False)
    link: IntArray = field(repr=False)

    @classmethod
    def of(cls, problem: Problem, hidden: BoolArray) -> Polytope:
        """Make the polytope of a pattern; hidden cells that are known beforehand stay fixed."""
        if hidden.shape != (problem.size,) or hidden.dtype != np.bool_:
            raise ParameterError(f"'hidden' must be one truth value for each of the {problem.size} cells.")
        free = hidden & (problem.lower < problem.upper)
        chain = _fall(problem.relations, free)
        n = problem.size
        link = np.full(n, -1, np.int64)
        for at, (cell, _) in enumerate(chain):
            link[cell] = at
        kept = free & (link < 0)
        cells = np.flatnonzero(kept).astype(np.int64)
        among, rows = problem.relations.among(kept)
        place = np.full(n, -1, np.int64)
        place[cells] = np.arange(len(cells))
        true = problem.values[cells]
        return cls(
            relations=problem.relations,
            cells=cells,
            rows=rows,
            by_row=among.matrix,
            by_cell=among.columns,
            down=np.maximum(true - problem.lower[cells], 0.0),
            up=np.maximum(problem.upper[cells] - true, 0.0),
            block=among.blocks() if len(cells) else np.empty(0, np.int64),
            place=place,
            chain=tuple(chain),
            link=link,
        )

    def __len__(self) -> int:
        return len(self.cells)

    def residual(self, at: IntArray, amounts: FloatArray) -> float:
        """Return by how much the worst relation is off when the cells at these positions move by these amounts."""
        start, rows, signs = self.by_cell.indptr, self.by_cell.indices, self.by_cell.data
        long = start[at + 1] - start[at]
        total = int(long.sum())
        if not total:
            return 0.0
        entry = np.arange(total) + np.repeat(start[at] - np.concatenate([[0], np.cumsum(long)[:-1]]), long)
        _, which = np.unique(rows[entry], return_inverse=True)
        return float(np.abs(np.bincount(which, signs[entry] * np.repeat(amounts, long))).max())

    def single_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return how far each cell goes down and up at most, by its own bounds and by each relation on its own."""
        cells, signs = self.by_row.indices, self.by_row.data
        rows = np.repeat(np.arange(len(self.rows)), np.diff(self.by_row.indptr))
        size, is_part = np.abs(signs), signs > 0
        # A term ``sign d`` of a relation rises no more than all others together can fall.
        falls = _others(rows, size * np.where(is_part, self.down[cells], self.up[cells]))
        rises = _others(rows, size * np.where(is_part, self.up[cells], self.down[cells]))
        down, up = self.down.copy(), self.up.copy()
        np.minimum.at(up, cells, np.where(is_part, falls, rises) / size)
        np.minimum.at(down, cells, np.where(is_part, rises, falls) / size)
        return down, up

    def frozen(self) -> BoolArray:
        """Return which cells the relations alone determine, whatever the bounds.

        A cell moves in some solution of ``A d = 0`` if and only if it moves in almost every one: a random vector is
        projected onto the solutions by least squares, and what does not move in the result is determined. Rounding
        leaves 1e-10 where cells that move show 1e-5 or more; the answer is a hint and proofs do not rest on it.
        """
        from scipy.sparse.linalg import lsmr

        from tacita.numeric.compiled.blas import one_blas_thread

        if not len(self.rows):
            return np.zeros(len(self), bool)
        drawn = np.random.default_rng(1).normal(size=len(self))
        with one_blas_thread():  # the vectors are short, and threads would wait for each other
            prices = lsmr(self.by_row.T.tocsr(), drawn, atol=1e-14, btol=1e-14, conlim=1e14, maxiter=5000)[0]
        found: BoolArray = np.abs(drawn - self.by_row.T @ prices) < 1e-7
        return found

    def combination(self, cell: int, rows: IntArray, prices: FloatArray) -> dict[int, float]:
        """Return the prices of the table's relations that bound a cell, with those that cancel chained cells.

        ``rows`` are positions in the polytope. With the result y, the vector ``e_cell - A' y`` is zero on all chained
        cells, so that the bound uses nothing but the hidden cells of the polytope and their public bounds.
        """
        found = {int(self.rows[r]): float(y) for r, y in zip(rows, prices, strict=True)}
        left: dict[int, float] = {}
        if self.link[cell] >= 0:
            left[int(self.link[cell])] = 1.0
        for row, price in found.items():
            self._cancel(left, row, price)
        heap = [-at for at in left]
        heapq.heapify(heap)
        while heap:
            at = -heapq.heappop(heap)
            amount = left.pop(at, 0.0)
            if abs(amount) < 1e-9:
                continue
            given, row = self.chain[at]
            names, signs = self.relations.row(row)
            price = amount / float(signs[names == given].sum())
            found[row] = found.get(row, 0.0) + price
            before = set(left)
            self._cancel(left, row, price)
            left.pop(at, None)
            for new in set(left) - before:
                heapq.heappush(heap, -new)
        return {row: price for row, price in found.items() if abs(price) > 1e-9}

    def _cancel(self, left: dict[int, float], row: int, price: float) -> None:
        names, signs = self.relations.row(row)
        for cell, sign in zip(names.tolist(), signs.tolist(), strict=True):
            at = int(self.link[cell])
            if at >= 0:
                left[at] = left.get(at, 0.0) - price * sign


def _fall(relations: Relations, free: BoolArray) -> list[tuple[int, int]]:
    """Find the cells that single relations give away, each with its relation, in order."""
    start, cells = relations.start, relations.cells
    count = np.add.reduceat(np.append(free[cells], False), start[:-1]) if len(relations) else np.empty(0, np.int64)
    count = np.where(np.diff(start) > 0, count, 0).astype(np.int64)
    waiting = np.flatnonzero(count == 1).tolist()
    if not waiting:
        return []
    still, found, columns = free.copy(), [], relations.columns
    while waiting:
        row = waiting.pop()
        if count[row] != 1:
            continue
        names = cells[start[row] : start[row + 1]]
        cell = int(names[still[names]][0])
        still[cell] = False
        found.append((cell, int(row)))
        others = columns.indices[columns.indptr[cell] : columns.indptr[cell + 1]]
        count[others] -= 1
        waiting += others[count[others] == 1].tolist()
    return found


def _others(rows: IntArray, amounts: FloatArray) -> FloatArray:
    """For each entry the sum of the other entries of its row; infinities are counted, not subtracted."""
    endless = np.isinf(amounts)
    finite = np.where(endless, 0.0, amounts)
    total, count = np.bincount(rows, finite), np.bincount(rows, endless)
    return np.where(count[rows] - endless > 0, np.inf, np.maximum(total[rows] - finite, 0.0))


def shyness(problem: Problem, cells: IntArray) -> FloatArray:
    """Return how much each cell would rather stay still: all about the same, one that a seat knows more.

    The small differences break ties, which would otherwise slow the simplex method down.
    """
    fees = 1.0 + 0.01 * np.random.default_rng(0).random(len(cells))
    known = np.zeros(problem.size, bool)
    known[problem.seats.cells] = True
    return fees + 2.0 * known[cells]


def check_whole(problem: Problem) -> None:
    """Raise an error unless all values and coefficients are whole."""
    if np.any(problem.values != np.rint(problem.values)) or np.any(
        problem.relations.signs != np.rint(problem.relations.signs)
    ):
        raise DataError("audit: with integer=True every value and every coefficient of a relation must be whole.")
