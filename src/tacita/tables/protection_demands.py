"""Demands: the protection levels of a problem as moves that alternative tables must make."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.tables.problem import Problem

__all__ = ["Demands", "rooms"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def rooms(problem: Problem) -> tuple[FloatArray, FloatArray]:
    """Return how far each cell can go up and down when it is hidden: 0 for cells that cannot be."""
    free = problem.can_hide
    up = np.where(free, np.maximum(problem.upper - problem.values, 0.0), 0.0)
    down = np.where(free, np.maximum(problem.values - problem.lower, 0.0), 0.0)
    return up, down


@dataclass(frozen=True, eq=False)
class Demands:
    """Cells that must be able to move, how far, and against which seats that need not hold.

    Parameters
    ----------
    cells
        (D,): cell of each demand.
    amounts
        (D,): how far it must be able to move; negative for downwards.
    private
        (D,): the one seat that a demand is for, -1 for everybody.
    exempt
        For each demand the seats that it need not hold against.
    """

    cells: IntArray = field(repr=False)
    amounts: FloatArray = field(repr=False)
    private: IntArray = field(repr=False)
    exempt: tuple[tuple[int, ...], ...] = field(repr=False)

    @classmethod
    def of(cls, problem: Problem, *, upwards: float | FloatArray = 0.5) -> Demands:
        """Read the levels of the unsafe cells.

        Parameters
        ----------
        problem
            What is to be protected.
        upwards
            What share of the width that a sliding level asks beyond the two others is asked of the upper side, 0 to 1;
            one number, or (n,) for each cell its own.

        Notes
        -----
        A side gives no more than the room that the cell itself has there; the other side is asked for the rest. Half
        and half is the cheapest as a rule: a move and its mirror image hide the same cells, and these need half as
        much room. A level within the tolerance is asked for too, although the auditor lets it pass.
        """
        tolerance = problem.tolerance()
        cells = np.flatnonzero(problem.unsafe)
        up_room, down_room = rooms(problem)
        high, low = problem.above[cells].copy(), problem.below[cells].copy()
        missing = problem.sliding[cells] - high - low
        more = np.where(missing > 1e-9 * problem.sliding[cells], missing, 0.0)
        left_up, left_down = (
            np.maximum(room[cells] - level, 0.0) for room, level in ((up_room, high), (down_room, low))
        )
        share = np.broadcast_to(upwards, (problem.size,))[cells]
        upper = np.minimum(np.maximum(share * more, more - left_down), left_up)
        high, low = high + upper, low + more - upper
        asked = [(cells, _within(high, up_room[cells], tolerance[cells]), 1.0)]
        asked.append((cells, _within(low, down_room[cells], tolerance[cells]), -1.0))
        which = np.concatenate([c[a > 0] for c, a, _ in asked])
        amount = np.concatenate([sign * a[a > 0] for c, a, sign in asked])
        start, seats = problem.seats.by_cell(problem.size)
        exempt = tuple(tuple(seats[start[c] : start[c + 1]].tolist()) for c in which.tolist())
        made = cls(which.astype(np.int64), amount, np.full(len(which), -1, np.int64), exempt)
        return made._as_seats_can_believe(problem)

    def _as_seats_can_believe(self, problem: Problem) -> Demands:
        """Ask less of a cell downwards from a seat that has a large part in it; see :meth:`Problem.below_from`.

        Where a sliding level would have to make up for it on the other side, nothing is changed.
        """
        seat, cells, level = _shared(problem)
        tolerance = problem.tolerance()[cells]
        down, high, low = np.full(problem.size, -1), np.zeros(problem.size), np.zeros(problem.size)
        is_low = self.amounts < 0
        down[self.cells[is_low]] = np.flatnonzero(is_low)
        low[self.cells[is_low]], high[self.cells[~is_low]] = -self.amounts[is_low], self.amounts[~is_low]
        is_less = (down[cells] >= 0) & (level < np.minimum(low[cells], problem.below[cells]) - tolerance)
        is_less &= high[cells] + level >= problem.sliding[cells] - tolerance
        exempt = list(self.exempt)
        for demand, who in zip(down[cells[is_less]].tolist(), seat[is_less].tolist(), strict=True):
            exempt[demand] = (*exempt[demand], who)
        asked = is_less & (level > 0)
        return Demands(
            np.append(self.cells, cells[asked]),
            np.append(self.amounts, -level[asked]),
            np.append(self.private, seat[asked]),
            (*exempt, *(() for _ in range(int(asked.sum())))),
        )

    def __len__(self) -> int:
        return len(self.cells)

    def arrays(self) -> tuple[IntArray, FloatArray, IntArray, IntArray, IntArray]:
        """The demands as the kernels take them: exempt seats as starts and numbers."""
        start = np.concatenate([[0], np.cumsum([len(e) for e in self.exempt])]).astype(np.int64)
        seats = np.array([s for e in self.exempt for s in e], np.int64)
        return self.cells, self.amounts, self.private, start, seats

    def asking(self, cell: int, amounts: tuple[float, float]) -> Demands:
        """Ask other amounts of a cell, up and down."""
        exempt = next(
            e
            for c, p, e in zip(self.cells.tolist(), self.private.tolist(), self.exempt, strict=True)
            if c == cell and p < 0
        )
        keep = np.flatnonzero((self.cells != cell) | (self.private >= 0))
        new = [a for a in amounts if a != 0.0]
        return Demands(
            np.append(self.cells[keep], np.full(len(new), cell, np.int64)),
            np.append(self.amounts[keep], new),
            np.append(self.private[keep], np.full(len(new), -1, np.int64)),
            (*(self.exempt[k] for k in keep.tolist()), *(exempt for _ in new)),
        )

    def without(self, demands: Mapping[int, Set[int]]) -> Demands:
        """Leave out what cannot be met: from demand to the seats that it cannot hold against, -1 for everybody."""
        gone = {d for d, seats in demands.items() if -1 in seats or self.private[d] >= 0}
        keep = [d for d in range(len(self)) if d not in gone]
        exempt = tuple((*self.exempt[d], *sorted(demands.get(d, ()))) for d in keep)
        return Demands(self.cells[keep], self.amounts[keep], self.private[keep], exempt)

    def split_off(self, cell: int, seat: int, amounts: tuple[float, float]) -> Demands:
        """Ask other amounts of a cell when it is attacked from one seat: exempt there, and two private demands beside."""
        keep = np.flatnonzero((self.cells != cell) | (self.private != seat)).tolist()
        exempt = (
            (*self.exempt[k], seat) if self.cells[k] == cell and self.private[k] < 0 else self.exempt[k] for k in keep
        )
        new = [a for a in amounts if a != 0.0]
        return Demands(
            np.append(self.cells[keep], np.full(len(new), cell, np.int64)),
            np.append(self.amounts[keep], new),
            np.append(self.private[keep], np.full(len(new), seat, np.int64)),
            (*exempt, *(() for _ in new)),
        )


def _within(amount: FloatArray, room: FloatArray, tolerance: FloatArray) -> FloatArray:
    """An amount that passes its room by no more than the tolerance asks for the room."""
    return np.where((amount > room) & (amount <= room + tolerance), room, amount)


def _shared(problem: Problem) -> tuple[IntArray, IntArray, FloatArray]:
    """Seats and the unsafe cells that they share with others, with the lower level that can be asked for there."""
    seats = problem.seats
    if seats.own_start is None or seats.own_cells is None or seats.own_amounts is None:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    seat = np.repeat(np.arange(len(seats)), np.diff(seats.own_start))
    there = np.flatnonzero(problem.unsafe[seats.own_cells])
    cells = seats.own_cells[there]
    most = np.maximum(problem.values[cells] - seats.own_amounts[there], 0.0)
    return seat[there].astype(np.int64), cells, np.minimum(problem.below[cells], most)
