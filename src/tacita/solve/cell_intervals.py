"""Intervals of cells: the least and the most that each can be where sums hold and bounds are known.

Cells that are known are taken to the other side of the sums, and what is left falls into parts that share no sum. Each part is
one model, which is solved again and again from its last basis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.progress import task
from tacita.solve.solver import Solver

__all__ = ["CellSystem", "Done", "cell_intervals"]

Done: TypeAlias = Callable[[FloatArray, FloatArray], BoolArray]
"""Which cells are done with, by the least and the most that was seen of each."""

_CLOSE = 1e-9
_LARGEST = 1e5
"""Models are scaled so that no known number is larger: the solver's tolerance is then a small share of it."""


@dataclass(frozen=True, eq=False)
class _Part:
    """Cells that hang together, their model, and the size of one unit in it."""

    cells: IntArray
    model: Solver
    lower: FloatArray
    upper: FloatArray
    unit: float
    far: float
    """What is as large as this is without limit."""

    def told(self, values: FloatArray) -> FloatArray:
        """Return values of the model as those of cells."""
        is_far = (
            np.abs(values) >= 0.9 * self.far
        )  # one cell at the end, and what is known of its sum, leave another short of it
        return np.asarray(np.where(is_far, np.copysign(np.inf, values), values * self.unit), np.float64)


class CellSystem:
    """All tables with ``A x = 0`` and ``lower <= x <= upper``, to be asked about single cells.

    Parameters
    ----------
    rows
        A, a scipy sparse matrix.
    lower, upper
        (n,): bounds of all cells; equal where a cell is known.
    whole
        Whether cells are whole numbers, and models are solved in whole numbers; otherwise broken ones count as possible.

    Complexity
    ----------
    O(entries of A) to build; a linear programme in the cells of one part for each end that is asked for.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> total = CellSystem(sp.csr_array([[1.0, -1.0, -1.0]]), np.array([10.0, 0.0, 0.0]), np.array([10.0, 7.0, 20.0]))
    >>> low, high = total.intervals(np.array([1, 2]))
    >>> low.tolist(), high.tolist()
    ([0.0, 3.0], [7.0, 10.0])
    """

    def __init__(self, rows: Any, lower: FloatArray, upper: FloatArray, *, whole: bool = False) -> None:
        import scipy.sparse as sp

        self.lower, self.upper, self.whole = np.array(lower, np.float64), np.array(upper, np.float64), whole
        self._sums = sp.csr_array(rows)
        size = np.maximum(*(np.where(np.isfinite(end), np.abs(end), 0.0) for end in (self.lower, self.upper)))
        self._is_free = self.upper - self.lower > _CLOSE * np.maximum(size, 1e-300)
        known = np.where(self._is_free, 0.0, self.lower)
        self._sides = -(self._sums @ known)
        self._magnitudes = abs(self._sums) @ np.abs(known)
        self.is_possible = bool((self.lower <= self.upper + _CLOSE * np.maximum(size, 1.0)).all())
        self._part_of, self._part_of_sum = self._divide()
        self._parts: dict[int, _Part] = {}

    def _divide(self) -> tuple[IntArray, IntArray]:
        """Return the part of each cell and of each sum, -1 for what is known."""
        import scipy.sparse as sp
        from scipy.sparse.csgraph import connected_components

        free = np.flatnonzero(self._is_free)
        among = self._sums[:, free]
        m, n = among.shape
        ties = sp.csr_array(sp.block_array([[None, abs(among)], [abs(among).T, None]])) if m and n else None
        label = np.arange(m + n) if ties is None else connected_components(ties, directed=False)[1]
        is_used = np.diff(among.indptr) > 0
        off = ~is_used & (np.abs(self._sides) > 1e-6 * (1.0 + self._magnitudes))
        self.is_possible = self.is_possible and not off.any()
        part_of = np.full(len(self.lower), -1, np.int64)
        part_of[free] = label[m:]
        return part_of, np.where(is_used, label[:m], -1)

    def _model(self, label: int) -> _Part:
        if label not in self._parts:
            cells = np.flatnonzero(self._part_of == label)
            own = np.flatnonzero(self._part_of_sum == label)
            low, high = self.lower[cells], self.upper[cells]
            ends = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)], self._sides[own]])
            unit = 1.0 if self.whole else _power_of_two(float(np.abs(ends).max(initial=0.0)) / _LARGEST)
            far = 1e3 * float(np.abs(ends).max(initial=0.0)) / unit + 1.0
            low, high = np.maximum(low / unit, -far), np.minimum(high / unit, far)
            side = self._sides[own] / unit
            model = Solver(
                np.zeros(len(cells)),
                self._sums[own][:, cells],
                side,
                side,
                low,
                high,
                integer=np.ones(len(cells), bool) if self.whole else None,
                threads=1,
                method="auto" if self.whole else "primal",
            )
            self._parts[label] = _Part(cells, model, low, high, unit, far)
        return self._parts[label]

    def intervals(self, cells: IntArray, *, done: Done | None = None) -> tuple[FloatArray, FloatArray] | None:
        """Return the least and the most that some cells can be, or None where nothing meets the sums and the bounds.

        Parameters
        ----------
        cells
            The cells.
        done
            Which of the cells are done with, by what was seen of them: their intervals need not be exact.

        Notes
        -----
        One programme pulls all open cells of a part at once; whatever is at its bound, or done with, by its solution needs no
        programme of its own. The rest are solved one by one.
        """
        low, high = self.lower[cells].copy(), self.upper[cells].copy()
        if not self.is_possible:
            return None
        labels = self._part_of[cells]
        with task("Solving for cells", len(cells)) as running:
            for label in np.unique(labels[labels >= 0]).tolist():
                here = np.flatnonzero(labels == label)
                found = _ends(self._model(label), cells[here], done)
                if found is None:
                    return None
                low[here], high[here] = found
                running.advance(len(here))
        return low, high

    def end_of(
        self,
        cell: int,
        known: tuple[IntArray, FloatArray, FloatArray] | None = None,
        *,
        least: bool = False,
    ) -> float | None:
        """Return the most (or least) that one cell can be, for somebody who knows more of others; None where nothing fits.

        Parameters
        ----------
        cell
            The cell.
        known
            Cells that he knows more of, each of them once, and the bounds that he knows.
        least
            The least instead of the most.
        """
        label = int(self._part_of[cell])
        if label < 0:
            return float(self.lower[cell])
        part = self._model(label)
        place, floor, cap = np.zeros(0, np.int64), np.zeros(0), np.zeros(0)
        if known is not None:
            inside = self._part_of[known[0]] == label
            place = np.searchsorted(part.cells, known[0][inside])
            floor = np.clip(known[1][inside] / part.unit, part.lower[place], part.upper[place])
            cap = np.clip(known[2][inside] / part.unit, floor, part.upper[place])
        part.model.set_bounds(place, floor, cap)
        at = np.searchsorted(part.cells, np.array([cell]))
        part.model.set_cost(at, np.ones(1))
        found = part.model.run(maximise=not least, prices=False)
        part.model.set_cost(at, np.zeros(1))
        part.model.set_bounds(place, part.lower[place], part.upper[place])
        return float(part.told(found.values[at])[0]) if found.status == "optimal" else None

    @property
    def part_of(self) -> IntArray:
        """(n,): which cells hang together: the number of the part of each, -1 where it is known."""
        return self._part_of


def _power_of_two(size: float) -> float:
    """Return a unit near a size that no number is rounded by."""
    return float(2.0 ** np.ceil(np.log2(max(size, 1e-12))))


def _ends(part: _Part, cells: IntArray, done: Done | None) -> tuple[FloatArray, FloatArray] | None:
    """Solve for the ends of some cells of one part."""
    at, model = np.searchsorted(part.cells, cells), part.model
    bottom, top = part.lower[at] + _CLOSE, part.upper[at] - _CLOSE * np.maximum(np.abs(part.upper[at]), 1.0)
    low, high = np.full(len(at), np.inf), np.full(len(at), -np.inf)

    def is_open(maximise: bool) -> BoolArray:
        at_end = high >= top if maximise else low <= bottom
        return ~np.asarray(at_end, bool) if done is None else ~(at_end | done(low * part.unit, high * part.unit))

    def look(maximise: bool) -> bool:
        nonlocal low, high
        found = model.run(maximise=maximise, prices=False)
        if found.status != "optimal":
            return False
        low, high = np.minimum(low, found.values[at]), np.maximum(high, found.values[at])
        return True

    for maximise in (True, False):
        while (left := is_open(maximise)).any():
            model.set_cost(at, left.astype(np.float64))
            if not look(maximise):
                return None
            if np.array_equal(left, is_open(maximise)):
                break
    model.set_cost(at, np.zeros(len(at)))
    for i in np.flatnonzero(is_open(True) | is_open(False)).tolist():
        model.set_cost(at[i : i + 1], np.ones(1))
        for maximise in (True, False):
            if is_open(maximise)[i] and not look(maximise):
                return None
        model.set_cost(at[i : i + 1], np.zeros(1))
    return part.told(low), part.told(high)


def cell_intervals(
    rows: Any, lower: FloatArray, upper: FloatArray, cells: IntArray, *, done: Done | None = None, whole: bool = False
) -> tuple[FloatArray, FloatArray] | None:
    """Return ``min x_c`` and ``max x_c`` of some cells over ``A x = 0`` within bounds; None where nothing is possible.

    Parameters
    ----------
    rows, lower, upper, whole
        As in :class:`CellSystem`.
    cells, done
        As in :meth:`CellSystem.intervals`.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> sums = sp.csr_array([[1.0, -1.0, -1.0]])
    >>> low, high = cell_intervals(sums, np.array([2.0, 1, 1]), np.array([2.0, 5, 5]), np.arange(3))
    >>> low.tolist(), high.tolist()
    ([2.0, 1.0, 1.0], [2.0, 1.0, 1.0])
    """
    return CellSystem(rows, lower, upper, whole=whole).intervals(cells, done=done)
