"""Exact feasibility intervals: how little and how much every hidden cell can be for an outsider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.progress import task
from tacita.solve import solve
from tacita.tables.auditor.knowledge import NOTHING
from tacita.tables.auditor.polytope import Polytope
from tacita.tables.auditor.region import Region, whole_block

if TYPE_CHECKING:
    from tacita.tables.auditor.attacker import CellAttacker

__all__ = ["endless_cells", "exact_intervals"]


_SMALL = 1000


def exact_intervals(attacker: CellAttacker) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return low, high and whether they are exact (always) for every hidden cell.

    One linear programme finds all cells without an upper end, another all without a lower one. A cell that some
    solution takes as far as its public bounds or a single relation allow is settled by it. In a small block each other
    end costs one programme, which goes on from the basis of the one before; in a large one the attacker looks around
    the cell first.

    Complexity
    ----------
    At most two programmes a cell, each some pivots.
    """
    problem, polytope = attacker.problem, attacker.polytope
    hidden = np.flatnonzero(attacker.hidden)
    at = polytope.place[hidden]
    there = at >= 0
    low, high = problem.values[hidden].copy(), problem.values[hidden].copy()
    down, up = _ends(attacker)
    low[there] -= down[at[there]]
    high[there] += up[at[there]]
    return low, high, np.ones(len(hidden), bool)


def _ends(attacker: CellAttacker) -> tuple[FloatArray, FloatArray]:
    """How far each cell of the polytope goes down and up."""
    polytope, seen = attacker.polytope, attacker.checked_moves
    ends = {1: np.full(len(polytope), np.nan), -1: np.full(len(polytope), np.nan)}
    bounds = dict(zip((-1, 1), polytope.single_bounds(), strict=True))
    with task("Exact intervals", 2 * len(polytope)) as running:
        order = np.argsort(polytope.block, kind="stable").astype(np.int64)
        for cells in np.split(order, np.flatnonzero(np.diff(polytope.block[order])) + 1) if len(order) else ():
            region = _whole(polytope, cells, attacker.is_integer)
            for sign in (1, -1):
                endless = endless_cells(polytope, cells, sign)
                attacker.solves += 1
                ends[sign][cells[endless]] = np.inf
                for cell in cells[~endless].tolist():
                    running.advance()
                    reached = (seen.up if sign > 0 else seen.down)[cell]
                    bound = np.floor(bounds[sign][cell] + 1e-6) if attacker.is_integer else bounds[sign][cell]
                    is_there = reached >= bound - 0.5 * attacker.tolerance[cell]
                    ends[sign][cell] = bound if is_there else _end(attacker, region, cell, sign, bound)
    return ends[-1], ends[1]


def _end(attacker: CellAttacker, region: Region, cell: int, sign: int, bound: float) -> float:
    """How far one cell goes, which is no farther than a bound."""
    seen = attacker.checked_moves
    if len(region.cells) > _SMALL and np.isfinite(bound) and not attacker.is_integer:
        near = attacker.end(cell, sign, bound)
        if near is not None:
            return near
    far = region.farthest(cell, sign, np.inf, NOTHING)
    attacker.solves += 1
    seen.add(region.cells, far.moves, keep=False)
    if not attacker.is_integer:
        return max(far.amount, 0.0)
    reached = (seen.up if sign > 0 else seen.down)[cell]
    most = np.floor(far.amount + 1e-6)
    if reached >= most:
        return float(most)
    attacker.solves += 1
    return float(region.farthest(cell, sign, np.inf, NOTHING, whole=True).amount)


def _whole(polytope: Polytope, cells: IntArray, is_integer: bool) -> Region:
    rooms = np.concatenate([polytope.down[cells], polytope.up[cells]])
    rooms = rooms[np.isfinite(rooms) & (rooms > 0)]
    scale = float(np.median(rooms)) if len(rooms) else 1.0
    return whole_block(polytope, int(cells[0]), scale=scale, is_integer=is_integer, endless=1e15, loose=0.0)


def endless_cells(polytope: Polytope, cells: IntArray, sign: int) -> BoolArray:
    """Return which cells of a block can move in a direction for ever.

    These are the cells that move in some ray of the polytope. Rays can be added up and stretched, so the one with the
    largest sum of moves, each counted up to 1, moves all of them by 1 or more.
    """
    from scipy.sparse import block_array, csr_array, eye_array

    rises, falls = np.isinf(polytope.up[cells]), np.isinf(polytope.down[cells])
    asked = np.flatnonzero(rises if sign > 0 else falls)
    found = np.zeros(len(cells), bool)
    if not len(asked):
        return found
    rows = np.unique(polytope.by_cell[:, cells].indices)
    if not len(rows):  # no relation holds the cells back
        found[asked] = True
        return found
    n, k = len(cells), len(asked)
    relations = polytope.by_row[rows][:, cells]
    picked = csr_array((np.full(k, -float(sign)), (np.arange(k), asked)), shape=(k, n))
    answer = solve(
        np.concatenate([np.zeros(n), np.ones(k)]),
        block_array([[relations, None], [picked, eye_array(k)]], format="csr"),
        np.concatenate([np.zeros(len(rows)), np.full(k, -np.inf)]),
        np.zeros(len(rows) + k),
        np.concatenate([np.where(falls, -np.inf, 0.0), np.zeros(k)]),
        np.concatenate([np.where(rises, np.inf, 0.0), np.ones(k)]),
        maximise=True,
    )
    found[asked] = answer.values[n:] > 0.5
    return found
