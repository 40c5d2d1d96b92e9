"""Slow and obvious versions of the auditor: two linear programmes a cell, and enumeration of all whole tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from tacita.tables.protect.problem import Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def dense(problem: Problem) -> FloatArray:
    """The relations as a full matrix."""
    made: FloatArray = problem.relations.matrix.toarray()
    return made


def interval(problem: Problem, hidden: BoolArray, cell: int, known: set[int], rows: IntArray | None = None):  # type: ignore[no-untyped-def]
    """Smallest and largest value of a cell over all tables that agree with what the attacker knows."""
    matrix = dense(problem) if rows is None else dense(problem)[rows]
    bounds = [
        (lo, None if np.isinf(hi) else hi) if hidden[j] and j not in known else (a, a)
        for j, (lo, hi, a) in enumerate(zip(problem.lower, problem.upper, problem.values, strict=True))
    ]
    bounds = [(None if lo is not None and np.isinf(lo) else lo, hi) for lo, hi in bounds]
    ends = []
    for sign in (1.0, -1.0):
        cost = np.zeros(problem.size)
        cost[cell] = sign
        sides = {"A_eq": matrix, "b_eq": np.zeros(len(matrix))} if len(matrix) else {}
        answer = linprog(cost, bounds=bounds, method="highs", **sides)
        ends.append(answer.fun * sign if answer.status == 0 else -sign * np.inf)
    return ends[0], ends[1]


def whole_tables(problem: Problem, hidden: BoolArray, known: set[int], reach: int) -> FloatArray:
    """All tables of whole numbers no farther than ``reach`` from the true one that agree with what is known."""
    moves = [j for j in np.flatnonzero(hidden) if j not in known]
    ranges = [
        [
            v
            for v in range(int(problem.values[j]) - reach, int(problem.values[j]) + reach + 1)
            if problem.lower[j] <= v <= problem.upper[j]
        ]
        for j in moves
    ]
    found = []
    for choice in itertools.product(*ranges):
        table = problem.values.copy()
        table[moves] = choice
        if not np.any(problem.relations.residuals(table)):
            found.append(table)
    return np.array(found)


def seen_from(problem: Problem, seat: int) -> Problem:
    """The problem with the floors of a seat for lower bounds."""
    lower = problem.lower.copy()
    for cell, amount in zip(*(part.tolist() for part in problem.seats.shared(seat)), strict=True):
        lower[cell] = max(lower[cell], min(amount, problem.values[cell]))
    return replace(problem, lower=lower)


def verdicts(problem: Problem, low: float, high: float, cell: int, seat: int | None = None) -> dict[str, float]:
    """The sides whose level is missed by an interval, with the share that is reached."""
    a, slack = problem.values[cell], problem.tolerance()[cell]
    got = {"below": a - low, "above": high - a, "sliding": high - low}
    needed = {"below": problem.below[cell], "above": problem.above[cell], "sliding": problem.sliding[cell]}
    if seat is not None:
        own = dict(zip(*(part.tolist() for part in problem.seats.shared(seat)), strict=True)).get(cell, -np.inf)
        if problem.inside is not None:
            needed = dict(zip(("below", "above", "sliding"), _asked(problem, cell, seat), strict=True))
        needed["below"] = min(needed["below"], max(a - own, 0.0))
    return {
        side: min(max(amount / needed[side], 0.0), 1.0) for side, amount in got.items() if amount < needed[side] - slack
    }


def _asked(problem: Problem, cell: int, seat: int) -> list[float]:
    """The levels of a cell from a seat, by a look through the whole list."""
    inside = problem.inside
    assert inside is not None
    for place, who, levels in zip(inside.cells.tolist(), inside.seats.tolist(), inside.levels.tolist(), strict=True):
        if (place, who) == (cell, seat):
            return list(levels)
    return list(inside.most[cell].tolist())


def leaks(problem: Problem, hidden: BoolArray, tables=interval) -> dict[tuple[int | None, int, str], float]:  # type: ignore[no-untyped-def]
    """Every missed level of the outsider and, beyond those, of every seat."""
    found: dict[tuple[int | None, int, str], float] = {}
    for cell in np.flatnonzero(problem.unsafe).tolist():
        if not hidden[cell]:
            missed = verdicts(problem, problem.values[cell], problem.values[cell], cell) or {"sliding": 0.0}
            found.update({(None, cell, side): 0.0 for side in missed})
            continue
        low, high = tables(problem, hidden, cell, set())
        outside = verdicts(problem, low, high, cell)
        found.update({(None, cell, side): share for side, share in outside.items()})
        for seat in range(len(problem.seats)):
            known = set(problem.seats.known(seat).tolist())
            if cell in known:
                continue
            low, high = tables(seen_from(problem, seat), hidden, cell, known)
            inside = verdicts(problem, low, high, cell, seat)
            found.update({(seat, cell, side): share for side, share in inside.items() if side not in outside})
    return found
