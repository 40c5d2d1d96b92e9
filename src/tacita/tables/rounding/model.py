"""The model of controlled rounding: how many multiples of the base each cell gets, so that all sums hold.

With f = floor(a / b) and r = a / b - f, a cell becomes ``b (f + t + over - under)`` where t is 0 or 1 and over and under are
the steps beyond the two neighbouring multiples. The distance ``|x - a|`` is linear in the three because it is convex:
``b r + b (1 - 2 r) t + b over + b under``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.solve import Solution, Solver
from tacita.solve.interior_point import InteriorPoint
from tacita.tables.model.relations import Relations

__all__ = ["RoundingModel"]


NEAR = 1e-9
"""A quotient this close to a whole number, as a share of it, counts as whole: sums of fractions carry rounding."""
IMPOSSIBLE = Solution("infeasible", np.empty(0), np.nan, np.inf, np.empty(0), np.empty(0), 0.0)
SIMPLEX_SECONDS, LONGEST = 10.0, 1e4
"""Seconds for the simplex method, and for a model without a limit."""


@dataclass(frozen=True, eq=False)
class RoundingModel:
    """A table in units of the base.

    Parameters
    ----------
    rows
        The relations as a sparse row matrix.
    base
        Size of a step.
    floor
        (n,): the multiple below each value, in steps.
    part
        (n,): how far the value lies above it, as a share of a step; 0 for a multiple.
    low, high
        (n,): bounds of the cells in steps.
    weight
        (n,): price of a unit of distance.
    """

    rows: Any = field(repr=False)
    base: float
    floor: FloatArray = field(repr=False)
    part: FloatArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    weight: FloatArray = field(repr=False)

    @classmethod
    def of(
        cls,
        relations: Relations,
        values: FloatArray,
        base: float,
        lower: FloatArray,
        upper: FloatArray,
        weights: FloatArray | None = None,
    ) -> RoundingModel:
        """Count values and bounds in steps; raise where no multiple lies between the bounds of a cell."""
        steps = values / base
        whole = np.rint(steps)
        near = np.abs(steps - whole) <= NEAR * np.maximum(1.0, np.abs(steps))
        floor = np.where(near, whole, np.floor(steps))
        low = np.ceil(lower / base - NEAR * np.maximum(1.0, np.abs(np.nan_to_num(lower / base, posinf=0, neginf=0))))
        high = np.floor(upper / base + NEAR * np.maximum(1.0, np.abs(np.nan_to_num(upper / base, posinf=0, neginf=0))))
        stuck = np.flatnonzero(low > high)
        if len(stuck):
            raise DataError(
                f"Controlled rounding: no multiple of the base {base:g} lies between the bounds of {len(stuck)} cells; "
                "widen 'lower' and 'upper' or take a smaller base.",
                details={"cells": stuck.tolist()},
            )
        part = np.where(near, 0.0, (values - floor * base) / base)
        weight = np.ones(len(values)) if weights is None else weights
        return cls(relations.matrix, base, floor, part, low, high, weight)

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.floor)

    def distance(self, steps: FloatArray) -> float:
        """Return the weighted sum of all changes, in units of the values."""
        return float(self.base * self.weight @ np.abs(steps - self.floor - self.part))

    @property
    def least_distance(self) -> float:
        """Distance if every cell had its nearest multiple; no rounding is nearer."""
        return float(self.base * self.weight @ np.minimum(self.part, 1 - self.part))

    def offset(self, cells: IntArray, steps: FloatArray) -> float:
        """Return what a model of some cells leaves out of the distance: the other cells, and the multiples below."""
        apart = np.abs(steps - self.floor - self.part)
        apart[cells] = self.part[cells]
        return float(self.base * self.weight @ apart)

    def beyond(self, steps: FloatArray) -> FloatArray:
        """Return for each cell the steps beyond its two neighbouring multiples: 0 where the rounding is restricted."""
        top = self.floor + (self.part > 0)
        return np.maximum(steps - top, 0.0) - np.maximum(self.floor - steps, 0.0)

    def is_additive(self, steps: FloatArray) -> bool:
        """Whether all sums hold exactly; steps are whole, so nothing is lost in adding them."""
        return not np.any(self.rows @ steps)

    def can_move(self, reach: int) -> BoolArray:
        """Return the cells with more than one multiple to choose from."""
        low, high = self.range(reach)
        return np.asarray(low < high)

    def range(self, reach: int) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and largest multiple of each cell, ``reach`` steps beyond its neighbours at most."""
        top = self.floor + (self.part > 0)
        return np.maximum(self.floor - reach, self.low), np.minimum(top + reach, self.high)

    # --- parts of the table ---------------------------------------------------------------------------------------------

    def solve(
        self,
        cells: IntArray,
        steps: FloatArray,
        *,
        reach: int,
        integer: bool,
        time_limit: float | None = None,
        start: bool = False,
        gap: float = 0.0,
        costs_count: bool = True,
    ) -> tuple[Solution, FloatArray]:
        """Round some cells while all others have the given steps.

        Parameters
        ----------
        cells
            Cells to round.
        steps
            (n,): multiples of the other cells, and of these where they are a start.
        reach
            Steps beyond the two neighbouring multiples that are allowed.
        integer
            Whether the multiples must be whole; without, the linear relaxation is solved.
        time_limit, gap
            When to stop.
        start
            Whether ``steps`` is a rounding to begin from.
        costs_count
            Whether the nearest rounding is wanted; without, any one, which the solver often finds at once.

        Returns
        -------
        tuple
            The solver's answer and (n,) the steps with the chosen cells replaced, or as given without a solution.
        """
        import scipy.sparse as sp

        low, high = self.range(reach)
        if np.any(low[cells] > high[cells]):  # a bound cuts off both neighbours
            return IMPOSSIBLE, steps
        floor, part = self.floor[cells], self.part[cells]
        columns = self.rows[:, cells].tocsr()
        rows = np.flatnonzero(np.diff(columns.indptr) > 0)
        columns = columns[rows]
        known = steps.copy()
        known[cells] = floor
        left = -(self.rows @ known)
        sides = left[rows]
        if np.count_nonzero(left) > np.count_nonzero(sides):  # a sum is off that none of these cells is part of
            return IMPOSSIBLE, steps
        up = np.where(part > 0, 1.0, 0.0)
        wide = reach > 0
        price = self.base * self.weight[cells]
        blocks, costs = [columns], [price * (1 - 2 * part)]
        bounds = [(np.clip(low[cells] - floor, 0, up), np.clip(high[cells] - floor, 0, up))]
        if wide:
            blocks += [columns, -columns]
            costs += [price] * 2
            bounds += [(np.maximum(low[cells] - floor - up, 0), np.maximum(high[cells] - floor - up, 0))]
            bounds += [(np.maximum(floor - high[cells], 0), np.maximum(floor - low[cells], 0))]
        parts = (
            np.concatenate(costs) * float(costs_count),
            sp.hstack(blocks).tocsr(),
            sides,
            sides,
            np.concatenate([b[0] for b in bounds]),
            np.concatenate([b[1] for b in bounds]),
        )
        begin = self._columns(cells, steps, wide) if start and integer else None
        limit = LONGEST if time_limit is None else time_limit
        if integer:
            whole = np.ones(len(cells) * len(blocks), bool)
            answer = Solver(*parts, integer=whole).run(time_limit=limit, gap=gap, start=begin)
        else:
            answer = _relaxed(parts, limit)
        if not answer.has_solution:
            return answer, steps
        moved = answer.values.reshape(len(blocks), len(cells))
        found = steps.copy()
        found[cells] = floor + moved[0] + (moved[1] - moved[2] if wide else 0.0)
        return answer, found

    def _columns(self, cells: IntArray, steps: FloatArray, wide: bool) -> FloatArray:
        """Return the variables of a rounding that is known."""
        moved = steps[cells] - self.floor[cells]
        up = np.where(self.part[cells] > 0, 1.0, 0.0)
        t = np.clip(moved, 0, up)
        return np.concatenate([t, np.maximum(moved - up, 0), np.maximum(-moved, 0)]) if wide else t

    def summed(self) -> FloatArray | None:
        """Round the cells that are no total and add them up; None where the relations are not sums from the bottom up.

        Always additive, at the price of totals that are far from their values. O(entries) for each level.
        """
        rows = self.rows.tocsr()
        is_total = np.zeros(self.size, bool)
        of = np.full(self.size, -1)
        for relation in range(rows.shape[0]):
            entries = slice(rows.indptr[relation], rows.indptr[relation + 1])
            negative = rows.indices[entries][rows.data[entries] < 0]
            if len(negative) != 1:
                return None
            is_total[negative] = True
            of[negative] = relation
        steps = np.clip(np.rint(self.floor + self.part), self.low, self.high)
        for _ in range(self.size):
            again = steps.copy()
            totals = np.flatnonzero(is_total)
            again[totals] = steps[totals] + (rows @ steps)[of[totals]]
            if np.array_equal(again, steps):
                break
            steps = again
        inside = np.all((steps >= self.low) & (steps <= self.high))
        return steps if inside and self.is_additive(steps) else None


def _relaxed(parts: tuple[Any, ...], time_limit: float) -> Solution:
    """Solve a relaxation: the simplex method first, which is quick on networks, then interior points.

    The first run has a short limit for another reason too: the solver's search for dependent equations takes up to a
    hundredth of its limit, and without one it has needed minutes for relations that are solved in seconds.
    """
    first = min(time_limit, SIMPLEX_SECONDS * (1 + len(parts[0]) / 1e5))
    answer = Solver(*parts).run(time_limit=first)
    if answer.status in ("optimal", "infeasible") or answer.seconds >= time_limit:
        return answer
    return InteriorPoint(*parts).run(time_limit=time_limit - answer.seconds)
