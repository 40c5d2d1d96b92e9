"""Moves that were found, each checked before it counts, and what they prove for whom."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.auditor.knowledge import Known
from tacita.tables.auditor.polytope import Polytope

__all__ = ["CheckedMove", "CheckedMoves"]


_NOISE = 1e-9
_OFF = 1e-10
_VISIBLE = 1e-6
_ALL = (np.inf, np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class CheckedMove:
    """A move: how the cells of a table can change together without a reader noticing, and how far.

    ``a + t d`` agrees with everything that is published for each t from ``-down`` to ``up``.

    Parameters
    ----------
    cells
        Cells that move, as positions in the polytope.
    moves
        What each moves by, the largest of them 1 in size; for whole cells the smallest whole ones.
    down, up
        How far the move can be followed backwards and forwards.
    """

    cells: IntArray = field(repr=False)
    moves: FloatArray = field(repr=False)
    down: float
    up: float

    @cached_property
    def steps(self) -> dict[int, float]:
        """What each of the cells moves by, to look one up at once."""
        return dict(zip(self.cells.tolist(), self.moves.tolist(), strict=True))

    def range(self) -> tuple[FloatArray, FloatArray]:
        """Return how far each of the cells goes under and over its true value."""
        forth, back = self.up * self.moves, -self.down * self.moves
        return np.maximum(-forth, -back), np.maximum(forth, back)

    def reach(self, cell: int) -> tuple[float, float]:
        """Return how far one cell goes under and over its true value."""
        move = self.steps.get(cell, 0.0)
        forth, back = self.up * move, -self.down * move
        return max(-forth, -back), max(forth, back)

    def toward(self, cell: int, sign: int) -> tuple[float, float]:
        """Return how far one cell goes up (sign 1) or down (-1), and at which length of the move."""
        move = self.steps.get(cell, 0.0)
        length = self.up if move * sign > 0 else -self.down
        return length * move * sign, length


class CheckedMoves:
    """All moves found so far, and the widest interval they prove for each cell.

    A move counts only when, recomputed in double precision, it keeps every relation to a share of 1e-10 of its
    largest step; its length follows from the bounds of the cells. A cell that moves by less than a millionth of the
    largest step is not counted as moving.

    Parameters
    ----------
    polytope
        The attacker's polytope.
    wanted
        (cells of the polytope,): longest step that is of interest for a cell; moves without end stop there.
    watched
        (cells of the polytope,): cells for which single moves are kept, to be asked for by seats.
    is_integer
        Whether only tables of whole numbers count.
    """

    def __init__(self, polytope: Polytope, wanted: FloatArray, watched: BoolArray, *, is_integer: bool = False) -> None:
        self._polytope, self._wanted, self._watched = polytope, wanted, watched
        self._is_integer = is_integer
        self.down, self.up = np.zeros(len(polytope)), np.zeros(len(polytope))
        self._found: dict[int, list[tuple[Set[int], float, float, CheckedMove]]] = {}
        self.count = 0

    def add(self, cells: IntArray, moves: FloatArray, *, keep: bool = True) -> CheckedMove | None:
        """Check a move, stretch it as far as the bounds allow, and keep it; None when it does not hold.

        A move of thousands of cells is of no use to seats and need not be kept.
        """
        made = self._checked(cells, moves)
        if made is None:
            return None
        under, over = made.range()
        seen = np.abs(made.moves) > _VISIBLE * np.abs(made.moves).max()
        at, under, over = made.cells[seen], under[seen], over[seen]
        self.down[at], self.up[at] = np.maximum(self.down[at], under), np.maximum(self.up[at], over)
        self.count += 1
        kept = self._watched[at] & keep
        if kept.any():
            support = made.steps.keys()
            for p, lo, hi in zip(at[kept].tolist(), under[kept].tolist(), over[kept].tolist(), strict=True):
                self._found.setdefault(p, []).append((support, lo, hi, made))
        return made

    def without(self, cell: int, known: Known, enough: tuple[float, float, float] = _ALL) -> tuple[float, float]:
        """Return how far a cell goes down and up in tables that agree with what somebody knows beside.

        Parameters
        ----------
        cell
            A watched cell, as a position in the polytope.
        known
            What is known beside.
        enough
            Down, up and both together: what the caller asks for; nothing is looked at beyond that.
        """
        down = up = 0.0
        for support, under, over, made in self._found.get(cell, ()):
            if (under > down or over > up) and support.isdisjoint(known.fixed_set):
                reach = self._shortened(made, known, cell) if len(known.held) else (under, over)
                down, up = max(down, reach[0]), max(up, reach[1])
                if down >= enough[0] and up >= enough[1] and down + up >= enough[2]:
                    break
        return down, up

    def kept(self, cell: int) -> list[CheckedMove]:
        """Return the moves that are kept for a watched cell."""
        return [made for _, _, _, made in self._found.get(cell, ())]

    def _shortened(self, made: CheckedMove, known: Known, cell: int) -> tuple[float, float]:
        """How far a cell goes under and over its true value in a move that is followed no farther than floors allow."""
        down, up, steps = made.down, made.up, made.steps
        for held, room in known.floors:  # a seat knows few cells, and a move may have hundreds
            move = steps.get(held, 0.0)
            if move > 0:
                down = min(down, room / move)
            elif move < 0:
                up = min(up, room / -move)
        if self._is_integer:
            down, up = float(np.floor(down + 1e-6)), float(np.floor(up + 1e-6))
        own = steps[cell]
        return (down * own, up * own) if own > 0 else (-up * own, -down * own)

    def _checked(self, cells: IntArray, moves: FloatArray) -> CheckedMove | None:
        largest = float(np.abs(moves).max(initial=0.0))
        if largest == 0.0 or not np.isfinite(largest):
            return None
        if self._is_integer:
            whole = np.rint(moves)
            if np.abs(moves - whole).max() > 1e-6 or not whole.any():
                return None
            unit = float(np.gcd.reduce(whole.astype(np.int64)))
            moves = whole / unit
        else:
            unit = largest
            moves = moves / unit
        there = np.abs(moves) > _NOISE
        cells, moves = cells[there], moves[there]
        if self._polytope.residual(cells, moves) > _OFF * np.abs(moves).max():
            return None
        down, up = self._length(cells, -moves, unit), self._length(cells, moves, unit)
        if self._is_integer:
            down, up = np.floor(down + 1e-6), np.floor(up + 1e-6)
        return CheckedMove(cells, moves, down, up) if max(down, up) > 0 else None

    def _length(self, cells: IntArray, moves: FloatArray, asked: float) -> float:
        """How far a move goes until the first bound; one without end goes beyond what was asked for and wanted."""
        p, size = self._polytope, np.abs(moves)
        room = np.where(moves > 0, p.up[cells], p.down[cells])
        length = float((room / size).min())
        seen = size > _VISIBLE * size.max()
        enough = 2.0 * max(float((self._wanted[cells[seen]] / size[seen]).max()), asked)
        return length if np.isfinite(length) else enough
