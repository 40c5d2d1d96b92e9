"""Inequalities that every safe pattern meets, from the multipliers of an attack that succeeds.

Any combination w of the relations has ``w d = 0`` for every move d, so ``d_k = sum of r_i d_i`` with
``r_i = -w_i / w_k``. With y_i = 1 for hidden cells a move up is at most ``sum of c_i y_i``, where c_i is ``r_i up_i``
for positive and ``-r_i down_i`` for negative r_i; a safe pattern has that sum at the level or above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.tables.suppression.exact.block_form import Core

__all__ = ["Cut", "bridge_cut", "combination", "level_cut"]


_NONE, _SMALL = 1e-7, 1e-4
_PARTS = 60.0


@dataclass(frozen=True, eq=False)
class Cut:
    """``sum of weights y[cells] >= side`` for every safe pattern (of those that hide nothing in vain)."""

    cells: IntArray = field(repr=False)
    weights: FloatArray = field(repr=False)
    side: float = 1.0

    def missing(self, y: FloatArray) -> float:
        """How much is missing at a point; positive where the point is cut off."""
        return self.side - float(self.weights @ y[self.cells])


def combination(core: Core, weights: FloatArray, cell: int) -> FloatArray | None:
    """Return r with ``d_k = r d`` for every move d, and r_k = 0; None where the relations say nothing about the cell."""
    # Multipliers are mostly small fractions; without their rounding errors the cells that cancel are exactly zero.
    near = np.rint(weights * _PARTS) / _PARTS
    clean = np.where(np.abs(weights - near) < _NONE, near, weights)
    w: FloatArray = core.rows.T @ clean
    if abs(w[cell]) < 1e-6:
        return None
    r: FloatArray = -w / w[cell]
    r[np.abs(r) < _NONE] = 0.0
    r[cell] = 0.0
    return r


def _limits(r: FloatArray, side: int, rooms: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return c: how much each cell adds to the largest move of the attacked one, if it is hidden."""
    down, up = rooms
    room = np.where(r * side > 0, up, down)
    with np.errstate(invalid="ignore"):
        return np.where(r != 0, np.abs(r) * room, 0.0)


def level_cut(
    core: Core,
    parts: Sequence[tuple[FloatArray, int]],
    level: float,
    rooms: tuple[FloatArray, FloatArray],
    y: FloatArray,
) -> Cut | None:
    """Return the cut of one level: one combination for a side, two for a sliding level; None where it says nothing.

    Cells that are hidden anyway (the forced ones, and those at 1 in y as long as that sharpens the cut at y) move to
    the right-hand side before the weights are trimmed to it. ``rooms`` are those of the attacker, down and up.
    """
    c = np.sum([_limits(r, side, rooms) for r, side in parts], axis=0)
    side = level - c[core.forced].sum()
    if not side > 1e-7 * level:
        return None
    c[core.forced] = 0.0
    cells = np.flatnonzero(c)
    weights = np.minimum(c[cells] / side, 1.0)
    return _sharpened(cells, weights, y)


def _sharpened(cells: IntArray, weights: FloatArray, y: FloatArray) -> Cut:
    """Count some cells of little weight as hidden: ``sum over the others >= 1 - their weights``, trimmed again."""
    light = np.flatnonzero(weights < 1.0)
    best, gone = Cut(cells, weights), np.empty(0, np.int64)
    if len(light):
        order = light[np.lexsort((weights[light], -y[cells[light]]))]
        taken = np.cumsum(weights[order])
        score = best.missing(y)
        for count in range(1, int(np.searchsorted(taken, 1.0 - 1e-6)) + 1):
            side = 1.0 - taken[count - 1]
            if side < 1e-6:
                break
            trimmed = np.minimum(weights / side, 1.0)
            trimmed[order[:count]] = 0.0
            now = 1.0 - float(trimmed @ y[cells])
            if now > score + 1e-9:
                score, gone, best = now, order[:count], Cut(cells, trimmed)
    keep = np.ones(len(cells), bool)
    keep[gone] = False
    return _tidy(cells[keep], best.weights[keep])


def _tidy(cells: IntArray, weights: FloatArray) -> Cut:
    """Round away from the point: a weight that grows keeps the cut valid."""
    there = weights > _NONE
    weights = np.maximum(weights[there], _SMALL)
    weights[weights > 1.0 - 1e-6] = 1.0
    return Cut(cells[there], weights)


def bridge_cut(core: Core, r: FloatArray, cell: int) -> Cut | None:
    """Return ``sum of the others' y >= y_k``: a cell that cannot move is hidden in vain."""
    others = np.flatnonzero(r)
    if core.forced[others].any():
        return None
    return Cut(np.append(others, cell), np.append(np.ones(len(others)), -1.0), 0.0)
