"""What a reader of noisy counts knows: every count that the noise allows, and all true sums at once, by linear programmes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve import Solver
from tacita.tables.perturbation.transition_matrix import TransitionMatrix
from tacita.tables.protect.problem import Problem
from tacita.tables.rounding.reader import rounding_intervals

__all__ = ["NoiseRead", "possible_counts", "read_noise"]

MOST_CELLS, MOST_PROGRAMMES = 4_000, 60
"""Unless it is said how many programmes may be solved: so many for tables of so many cells, and none for larger ones."""

PUSHES = 6
"""So many programmes move all open cells at once, before each gets one of its own."""


@dataclass(frozen=True, eq=False)
class NoiseRead:
    """What a reader found.

    Parameters
    ----------
    exposed
        Unsafe cells that are known closer than their levels.
    open
        Unsafe cells of which it is not known, because the work was limited.
    programmes
        How many linear programmes were solved.
    """

    exposed: IntArray = field(repr=False)
    open: IntArray = field(repr=False)
    programmes: int


def possible_counts(
    matrix: TransitionMatrix, shown: FloatArray, *, zeros_move: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest count that can be shown as each of these.

    Parameters
    ----------
    matrix
        The transition matrix, which readers know.
    shown
        (n,): published counts.
    zeros_move
        Whether an empty cell may show the smallest count that is shown at all.

    Examples
    --------
    >>> matrix = TransitionMatrix.maximum_entropy(D=3, V=2)
    >>> [ends.tolist() for ends in possible_counts(matrix, np.array([0.0, 3.0, 9.0]))]
    [[0.0, 1.0, 6.0], [3.0, 6.0, 12.0]]
    """
    counts = np.rint(shown).astype(np.int64)
    low, high = np.full(len(counts), np.iinfo(np.int64).max), np.full(len(counts), -1)
    for noise in range(-matrix.D, matrix.D + 1):
        true = counts - noise
        row = np.clip(true, 0, len(matrix.noise) - 1)
        can = (true >= 0) & (matrix.noise[row, noise + matrix.D] > 0)
        low[can], high[can] = np.minimum(low[can], true[can]), np.maximum(high[can], true[can])
    if zeros_move:
        smallest = next(j for j in range(1, len(matrix.forbidden) + 2) if j not in matrix.forbidden)
        low[counts == smallest] = 0
    never = high < 0  # what the matrix never shows: the bound alone is known
    low, high = np.where(never, np.maximum(counts - matrix.D, 0), low), np.where(never, counts + matrix.D, high)
    return low.astype(np.float64), high.astype(np.float64)


def read_noise(problem: Problem, low: FloatArray, high: FloatArray, *, programmes: int | None = None) -> NoiseRead:
    """Find the unsafe cells that a reader knows too well who has an interval for every cell and knows that true sums hold.

    Parameters
    ----------
    problem
        True values, relations, what everybody knows, and the unsafe cells with their levels.
    low, high
        (n,): what the published value says of each cell by itself.
    programmes
        How many linear programmes may be solved, 0 for none. None for 60 where the table has at most 4000 cells, else none.

    Notes
    -----
    First each sum by itself, again and again: cells that are known too well by that are exposed for certain. For the others a
    table is looked for that agrees with everything and has the cell as far off as its levels ask: some programmes push all open
    cells at once, then each open one gets its own. Cells that are left when the number of programmes is reached are open. A
    reader who also uses that counts are whole knows no more in tables of two dimensions, and seldom more in others.

    Complexity
    ----------
    O(m) for m entries of the relations times a few sweeps, and ``programmes`` linear programmes with a variable for each cell.
    """
    low, high = np.maximum(low, problem.lower), np.minimum(high, problem.upper)
    far = float((high - low).max(initial=1.0)) + 1.0
    near, wide = rounding_intervals(replace(problem, lower=low, upper=high), (low + high) / 2, base=far)
    state = _Reached(problem)
    exposed = problem.unsafe & ~state.meets(near, wide)
    open_ = problem.unsafe & ~exposed
    if not open_.any():
        return NoiseRead(np.flatnonzero(exposed), np.empty(0, np.int64), 0)
    if programmes is None:
        programmes = MOST_PROGRAMMES if problem.size <= MOST_CELLS else 0
    if programmes < 1 or not len(problem.relations):
        left = np.flatnonzero(open_) if len(problem.relations) else np.empty(0, np.int64)
        return NoiseRead(np.flatnonzero(exposed), left, 0)
    search = _ReaderSearch(problem, state, near, wide, programmes)
    open_ = search.push(open_)
    found, open_ = search.one_by_one(open_)
    exposed |= found
    return NoiseRead(np.flatnonzero(exposed), np.flatnonzero(open_), search.solved)


@dataclass
class _Reached:
    """How far each cell was seen to go, and whether that is enough."""

    problem: Problem

    def __post_init__(self) -> None:
        self.low, self.high = self.problem.values.copy(), self.problem.values.copy()
        self.slack = 1e-6 * np.maximum(1.0, np.abs(self.problem.values))

    def add(self, values: FloatArray) -> None:
        """Note a table that agrees with everything."""
        self.low, self.high = np.minimum(self.low, values), np.maximum(self.high, values)

    def meets(self, low: FloatArray, high: FloatArray) -> BoolArray:
        """Return the cells whose levels these ends meet."""
        is_met = (low <= self.problem.values - self.problem.below + self.slack) & (
            high >= self.problem.values + self.problem.above - self.slack
        )
        return np.asarray(is_met & (high - low > 1e-6))

    def lacks(self, sign: int, cells: int | slice = slice(None)) -> BoolArray:
        """Return the cells that were not seen far enough up (1) or down (-1)."""
        stuck = self.high[cells] - self.low[cells] <= 1e-6
        values, slack = self.problem.values[cells], self.slack[cells]
        if sign > 0:
            return np.asarray((self.high[cells] < values + self.problem.above[cells] - slack) | stuck)
        return np.asarray((self.low[cells] > values - self.problem.below[cells] + slack) | stuck)


class _ReaderSearch:
    """One model of all tables that a reader takes for possible, asked again and again."""

    def __init__(self, problem: Problem, state: _Reached, low: FloatArray, high: FloatArray, most: int) -> None:
        rows = len(problem.relations)
        self._model = Solver(
            np.zeros(problem.size),
            problem.relations.matrix,
            np.zeros(rows),
            np.zeros(rows),
            np.minimum(low, problem.values),
            np.maximum(high, problem.values),
            threads=1,
        )
        self._state, self._most, self.solved = state, most, 0

    def _far(self, cells: IntArray, sign: int) -> float | None:
        """Move cells as far as they go together; return how far, None when it is not known."""
        self.solved += 1
        self._model.set_cost(cells, np.ones(len(cells)))
        answer = self._model.run(maximise=sign > 0, prices=False)
        self._model.set_cost(cells, np.zeros(len(cells)))
        if answer.status != "optimal":
            return None
        self._state.add(answer.values)
        return float(answer.objective)

    def push(self, open_: BoolArray) -> BoolArray:
        """Push all open cells at once, up and down in turn; return those that are still open."""
        for turn in range(PUSHES):
            sign = 1 if turn % 2 == 0 else -1
            cells = np.flatnonzero(open_ & self._state.lacks(sign))
            if len(cells) and self.solved < self._most:
                self._far(cells, sign)
                open_ = open_ & ~self._state.meets(self._state.low, self._state.high)
        return open_

    def one_by_one(self, open_: BoolArray) -> tuple[BoolArray, BoolArray]:
        """Ask for each open cell by itself; return those that are exposed, and those still open."""
        exposed, state = np.zeros(len(open_), bool), self._state
        open_ = open_.copy()
        for cell in np.flatnonzero(open_).tolist():
            if not (state.lacks(1, cell) or state.lacks(-1, cell)):
                open_[cell] = False
                continue
            sides = [sign for sign in (1, -1) if state.lacks(sign, cell)]
            if self.solved + len(sides) > self._most:
                continue
            ends = [self._far(np.array([cell], np.int64), sign) for sign in sides]
            if None not in ends:
                open_[cell] = False
                exposed[cell] = bool(state.lacks(1, cell) or state.lacks(-1, cell))
        return exposed, open_
