"""The cheapest move of one cell: a dual simplex method that never looks farther than it must.

A cell k of a table with relations ``A x = 0`` is protected when another table agrees with everything that is published
and has ``x_k`` moved by the wanted amount. With d the difference between the two tables, and each cell j charged for
moving at all, the linear programme is

    min sum_j fee_j |d_j| / min(1, room_j)    s.t.  A d = 0,  d_k = 1,  -room_down <= d <= room_up

in units of the wanted amount (the tight linear form of a fixed charge). Without moves every relation holds but those
of cell k, and with fees for prices that start is dual feasible. The dual simplex method then repairs one broken
relation after another, always the cheapest way. Its basis knows only the relations that were broken so far, a few dozen
whatever the size of the table, so a dense inverse of that size is all it needs. Cells with little room are run to
their bound in passing (long-step ratio test), and what is repaired next is what is farthest off along its edge.

References
----------
Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear constraints,
Management Science 47(7), 1008-1027: the attacker's problems. Koberstein, A. (2008), Progress in the dual simplex
algorithm for solving large scale LP problems, Computational Optimization and Applications 41, 185-204: the long step.
Forrest, J. J. and Goldfarb, D. (1992), Steepest-edge simplex algorithms for linear programming, Mathematical Programming
57, 341-374.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Bool1, BoolArray, Float1, FloatArray, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.table_moves.basis import clean, enter, flip, result, sign_of, touch_row
from tacita.numeric.table_moves.workspace import BASIS, MOVED, SEEN, STEPS, TOUCHED, Net, Workspace

__all__ = ["BLOCKED", "DEAR", "FOUND", "GAVE_UP", "move_cell", "priced_move"]


FOUND, BLOCKED, GAVE_UP, DEAR = 0, 1, 2, 3
"""Verdicts: a move was found; none exists; too many relations or steps; every move costs more than the budget."""

_ZERO = 1e-9
_OUT = 1e-8
"""In wanted amounts: what is off by more is out of bounds."""
_NOTHING = -(1 << 60)
_PIVOT = 1e-7
_CLEARLY = 1e-6
_SMALL_ROOM = 1e-3
"""A room below this share of the wanted amount is priced as if it were this: prices must stay comparable."""


@kernel
def _combine(
    cells: IntArray,
    signs: FloatArray,
    first: int,
    stop: int,
    basic: IntArray,
    inverse: FloatArray,
    rho: FloatArray,
    k: int,
) -> float:
    """Put into ``rho`` how the relations in the basis are combined into another; returns the squared length."""
    length = 1.0
    for q in range(k):
        rho[q] = 0.0
    for i in range(first, stop):
        for v in (2 * cells[i], 2 * cells[i] + 1):
            p = basic[v]
            if p >= 0:
                coefficient = signs[i] * sign_of(v)
                for q in range(k):
                    rho[q] -= coefficient * inverse[p, q]
    for q in range(k):
        length += rho[q] * rho[q]
    return length


@kernel
def _worst(net: Net, work: Workspace, scale: float) -> tuple[int, float]:
    """Find what is farthest out of bounds along its edge: a relation (its number), or a basic variable (-1 - its place)."""
    worst, at, amount, k = 0.0, np.int64(_NOTHING), 0.0, work.sizes[BASIS]
    for i in range(work.sizes[SEEN]):
        row = work.seen_rows[i]
        off = work.residual[row]
        if work.place[row] < 0 and abs(off) > _OUT and off * off > worst:  # no length is below 1
            if work.row_length[row] < 0.0:
                first, stop = net.row_start[row], net.row_start[row + 1]
                work.row_length[row] = _combine(
                    net.row_cells, net.row_signs, first, stop, work.basic, work.inverse, work.rho, k
                )
            far = off * off / work.row_length[row]
            if far > worst:
                worst, at, amount = far, row, off
    for p in range(k):
        v, off = work.variables[p], work.x[p]
        if off >= 0.0:
            off = max(off - net.room[v // 2, v % 2] * scale, 0.0)
        if abs(off) > _OUT:
            if work.basic_length[p] < 0.0:
                length = 0.0
                for q in range(k):
                    length += work.inverse[p, q] * work.inverse[p, q]
                work.basic_length[p] = length
            far = off * off / work.basic_length[p]
            if far > worst:
                worst, at, amount = far, np.int64(-1 - p), off
    return int(at), amount


@kernel
def _price_row(net: Net, work: Workspace, at: int) -> None:
    """Find how each cell acts on what is out of bounds: alpha = rho A."""
    k, rho = work.sizes[BASIS], work.rho
    if at >= 0:
        first, stop = net.row_start[at], net.row_start[at + 1]
        _combine(net.row_cells, net.row_signs, first, stop, work.basic, work.inverse, rho, k)
    else:
        for q in range(k):
            rho[q] = -work.inverse[-1 - at, q]
    work.sizes[TOUCHED] = 0
    for q in range(k):
        if abs(rho[q]) > _ZERO:
            _add_row(net, work, work.rows[q], rho[q])
    if at >= 0:
        _add_row(net, work, at, 1.0)


@kernel
def _add_row(net: Net, work: Workspace, row: int, times: float) -> None:
    for i in range(net.row_start[row], net.row_start[row + 1]):
        j = net.row_cells[i]
        if work.alpha[j] == 0.0:
            work.touched[work.sizes[TOUCHED]] = j
            work.sizes[TOUCHED] += 1
        work.alpha[j] += times * net.row_signs[i]
        if work.alpha[j] == 0.0:
            work.alpha[j] = 1e-300  # keeps its place in the list; below every tolerance


@kernel
def _price(net: Net, fee: FloatArray, variable: int, scale: float) -> float:
    room = min(1.0, net.room[variable // 2, variable % 2] * scale)
    return float(fee[variable // 2] / max(room, _SMALL_ROOM))


@kernel
def _gather(
    net: Net,
    work: Workspace,
    fee: FloatArray,
    due: FloatArray,
    blocked: BoolArray,
    target: int,
    purse: float,
    scale: float,
    sigma: float,
) -> int:
    """List the variables that can repair what is out of bounds, with the dual step at which each becomes free."""
    found = 0
    for i in range(work.sizes[TOUCHED]):
        j = work.touched[i]
        a = work.alpha[j]
        if abs(a) < _PIVOT or blocked[j] or due[j] > purse or j == target:
            continue
        for s in range(2):
            v = 2 * j + s
            if work.basic[v] >= 0 or net.room[j, s] * scale <= _ZERO:
                continue
            push = sigma * a * sign_of(v)
            if (push > 0.0) != work.at_bound[v]:
                continue
            reduced = _price(net, fee, v, scale) - sign_of(v) * work.value[j]
            slack = -reduced if work.at_bound[v] else reduced
            work.candidates[found] = v
            work.ratios[found] = max(slack, 0.0) / abs(a)
            found += 1
    return found


@kernel
def _choose(net: Net, work: Workspace, found: int, scale: float, infeasible: float) -> int:
    """Long-step ratio test: put the variables that run to their bound in front and return how many.

    Returns -1 when all of them together do not suffice, and -2 when that is too close to tell.
    """
    slope = abs(infeasible)
    for passed in range(found):
        best = passed
        for i in range(passed + 1, found):
            if work.ratios[i] < work.ratios[best]:
                best = i
        v, ratio = work.candidates[best], work.ratios[best]
        work.candidates[best], work.ratios[best] = work.candidates[passed], work.ratios[passed]
        work.candidates[passed], work.ratios[passed] = v, ratio
        slope -= abs(work.alpha[v // 2]) * net.room[v // 2, v % 2] * scale
        if slope <= _ZERO:  # a demand that takes all the room there is must not fail by rounding
            return passed
    return -1 if slope > _CLEARLY else -2


@kernel
def _paid(net: Net, work: Workspace, fee: FloatArray, scale: float) -> float:
    """Objective of the moves so far: no move of the cell costs less."""
    total = 0.0
    for i in range(work.sizes[MOVED]):
        v = work.moved[i]
        p = work.basic[v]
        x = work.x[p] if p >= 0 else (net.room[v // 2, v % 2] * scale if work.at_bound[v] else 0.0)
        if x != 0.0:
            total += x * _price(net, fee, v, scale)
    return total


@kernel
def _combined(work: Workspace, at: int) -> int:
    """Write down the relations that are combined into what is out of bounds."""
    found = 0
    for q in range(work.sizes[BASIS]):
        if abs(work.rho[q]) > _ZERO:
            work.blocking[found] = work.rows[q]
            found += 1
    if at >= 0:
        work.blocking[found] = at
        found += 1
    return found


@entry
def move_cell(
    net: Net,
    work: Workspace,
    fee: Float1,
    blocked: Bool1,
    target: int,
    amount: float,
    budget: float,
    steps: int,
) -> tuple[int, int]:
    """Find a cheap move, whatever a single cell costs: see :func:`priced_move`."""
    return priced_move(net, work, fee, fee, blocked, target, amount, np.inf, budget, steps)


@kernel
def priced_move(
    net: Net,
    work: Workspace,
    fee: FloatArray,
    due: FloatArray,
    blocked: BoolArray,
    target: int,
    amount: float,
    purse: float,
    budget: float,
    steps: int,
) -> tuple[int, int]:
    """Find a cheap move of all cells that moves one cell by an amount and keeps every relation.

    Parameters
    ----------
    fee
        (n,): what it costs to move a cell at all; near 0 for cells that are hidden anyway, never 0.
    due, purse
        (n,): what each cell costs in truth; those that cost more than ``purse`` do not move either.
    blocked
        (n,): cells that must not move.
    target, amount
        The cell and its move, of either sign.
    budget
        Give up when the linear programme costs more than this.
    steps
        Most steps of the simplex method.

    Returns
    -------
    verdict, count
        On ``FOUND``, ``work.cells[:count]`` and ``work.moves[:count]`` hold the move, the target first. ``BLOCKED`` means
        that no move exists, whatever it costs; ``work.blocking[:count]`` are the relations that prove it.
    """
    scale = 1.0 / abs(amount)
    sign = 1.0 if amount > 0 else -1.0
    if net.room[target, 0 if amount > 0 else 1] * scale < 1.0 - _ZERO:
        return BLOCKED, 0
    for i in range(net.cell_start[target], net.cell_start[target + 1]):
        touch_row(work, net.cell_rows[i], net.cell_signs[i] * sign)
    most = len(work.rows)
    valued, verdict, found = 0, GAVE_UP, 0
    for _ in range(steps):
        at, infeasible = _worst(net, work, scale)
        if at == _NOTHING:
            found, off = result(net, work, target, amount)
            verdict = FOUND if off < 1e-7 else GAVE_UP
            break
        if at >= 0 and work.sizes[BASIS] == most:
            break
        _price_row(net, work, at)
        sigma = 1.0 if infeasible > 0 else -1.0
        candidates = _gather(net, work, fee, due, blocked, target, purse, scale, sigma)
        passed = _choose(net, work, candidates, scale, infeasible)
        theta = work.ratios[passed] if passed >= 0 else 0.0
        entering = work.candidates[passed] if passed >= 0 else -1
        if passed > 0:
            flip(net, work, passed, scale)
        if passed >= 0:
            enter(net, work, at, entering, scale, sigma)
        for i in range(work.sizes[TOUCHED]):
            j = work.touched[i]
            if work.value[j] == 0.0 and theta != 0.0:
                work.valued[valued] = j
                valued += 1
            work.value[j] -= theta * sigma * work.alpha[j]
            if work.value[j] == 0.0 and theta != 0.0:
                work.value[j] = 1e-300
            work.alpha[j] = 0.0
        if passed == -1:
            verdict, found = BLOCKED, _combined(work, at)
        if passed < 0:
            break
        work.sizes[STEPS] += 1
        if budget < np.inf and _paid(net, work, fee, scale) > budget:
            verdict = DEAR
            break
    clean(work, valued)
    return verdict, found
