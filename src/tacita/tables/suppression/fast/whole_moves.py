"""Moves of one cell over the whole table by the general solver: exact and slow, for the few cells that need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve import Solver
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.demands import rooms

__all__ = ["cheapest_move", "farthest_move", "neighbourhood", "other_sides"]


def cheapest_move(
    problem: Problem, fee: FloatArray, room: tuple[FloatArray, FloatArray], cell: int, amount: float
) -> tuple[IntArray, FloatArray] | None:
    """Return the cells of a move that takes one cell by an amount, and what each moves by, at small fees; None for no way.

    Parameters
    ----------
    fee
        (n,): what it costs to move a cell at all.
    room
        (n,) each: how far each cell can go up and down.
    """
    import scipy.sparse as sp

    up, down = room
    unit = abs(amount)
    free = np.flatnonzero((up > 0) | (down > 0))
    rows: Any = problem.relations.matrix[:, free]
    lower, upper = np.zeros(2 * len(free)), np.concatenate([up[free], down[free]]) / unit
    price = np.tile(fee[free], 2) / np.clip(upper, 1e-3, 1.0)
    at = int(np.searchsorted(free, cell))
    if at == len(free) or free[at] != cell:
        return None
    wanted, other = (at, at + len(free)) if amount > 0 else (at + len(free), at)
    if upper[wanted] < 1.0:
        return None
    lower[wanted] = upper[wanted] = 1.0
    upper[other] = 0.0
    zero = np.zeros(len(problem.relations))
    answer = Solver(price, sp.hstack([rows, -rows], format="csr"), zero, zero, lower, upper).run()
    if answer.status != "optimal":
        return None
    moves = (answer.values[: len(free)] - answer.values[len(free) :]) * unit
    moved = np.flatnonzero(np.abs(moves) > 1e-9 * unit)
    return free[moved].astype(np.int64), moves[moved]


def farthest_move(problem: Problem, seat: int | None, cell: int, sign: float) -> tuple[float, tuple[int, ...]]:
    """Return how far a cell can move to a seat when all that may be hidden is, and the relations that hold it there."""
    up, down = rooms(problem, seat)
    free = np.flatnonzero((up > 0) | (down > 0))
    at = int(np.searchsorted(free, cell))
    if at == len(free) or free[at] != cell:
        return 0.0, ()
    zero = np.zeros(len(problem.relations))
    cost = np.zeros(len(free))
    cost[at] = sign
    model = Solver(cost, problem.relations.matrix[:, free], zero, zero, -down[free], up[free])
    answer = model.run(maximise=True)
    if answer.status != "optimal":
        return float("inf"), ()
    held = np.flatnonzero(np.abs(answer.duals) > 1e-7) if len(answer.duals) else np.empty(0, np.int64)
    return max(answer.objective, 0.0), tuple(held.tolist())


def neighbourhood(problem: Problem, cell: int, most: int) -> BoolArray:
    """Return the cells around a cell, step by step over the relations, until there are about ``most``."""
    rows, columns = abs(problem.relations.matrix), abs(problem.relations.columns).T.tocsr()
    found = np.zeros(problem.size, bool)
    found[cell] = True
    before = 0
    while before < int(found.sum()) < most:
        before = int(found.sum())
        found |= columns @ (rows @ found.astype(np.float64)) > 0
    return found


def other_sides(problem: Problem, cell: int, seat: int | None) -> tuple[float, float] | None:
    """Return how far up and (negative) down a cell can be asked to move so that its sliding level holds; None for no way."""
    tolerance = float(problem.tolerance()[cell])
    below, above, sliding = problem.levels_from(seat, np.array([cell]))[0].tolist()
    if sliding <= below + above + tolerance:
        return None
    up, down = (farthest_move(problem, seat, cell, sign)[0] for sign in (1.0, -1.0))
    if up < above - tolerance or down < below - tolerance or up + down < sliding - tolerance:
        return None
    low = min(down, max(below, 0.5 * sliding))  # the same on both sides hides the fewest cells as a rule
    high = min(up, max(above, sliding - low))
    low = min(down, max(below, sliding - high))
    less = 0.25 * tolerance  # what takes all the room there is must not fail by rounding
    return max(high - less, 0.0), -max(low - less, 0.0)
