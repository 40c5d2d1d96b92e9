"""Attacks of a reader on published counts: averages over tables, fitting to the sums, and linear programmes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.attack.tables.fitted_counts import fitted_to_sums
from tacita.compare.census.published_counts import PublishedCounts, set_keys
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.tables.model.relations import Relations
from tacita.tables.protect.problem import Problem
from tacita.tables.readers.count_intervals import solved_intervals
from tacita.tables.rounding.reader import rounding_intervals

__all__ = [
    "MOST_CELLS",
    "MOST_LISTED",
    "Found",
    "JointCells",
    "averaging_gain",
    "fitting_gain",
    "joint_cells",
    "narrow_small_cells",
    "solve_small_cells",
]

MOST_CELLS = 20_000
"""Cells of the tables, empty ones included, up to which linear programmes are tried; beyond, sums are used one by one."""

MOST_LISTED = 4_000_000
"""Cells of the tables, empty ones included, up to which sums are used one by one."""

_FAR = 1e8
"""No count is above this."""


@dataclass(frozen=True, eq=False)
class JointCells:
    """All tables of a set laid side by side: every cell once.

    Parameters
    ----------
    keys
        (c,): numbers of the cells in the grid of the set.
    truth
        (c,): true counts.
    mean
        (c,): mean of the published counts over the tables that publish the cell; NaN where none does.
    error
        (c,): mean distance of these counts to the truth; NaN where there is none.
    times
        (c,): how many tables publish it.
    low, high
        (c,): what a reader takes for possible, from all tables together.
    relations
        The sums of all tables.
    """

    keys: IntArray = field(repr=False)
    truth: IntArray = field(repr=False)
    mean: FloatArray = field(repr=False)
    error: FloatArray = field(repr=False)
    times: IntArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    relations: Relations = field(repr=False)


def joint_cells(published: PublishedCounts, *, empties: bool) -> JointCells:
    """Lay the tables side by side. O(n log n) for n cells of all tables, with ``empties`` those of the whole grids."""
    tables = [table.whole() if empties else table for table in published.tables]
    numbers = [set_keys(published.declared, table.dimensions, table.codes) for table in tables]
    keys, cell = np.unique(np.concatenate(numbers), return_inverse=True)
    cell = cell.ravel()
    truth = np.zeros(len(keys), np.int64)
    truth[cell] = np.concatenate([table.truth for table in tables])
    shown = np.concatenate([table.shown for table in tables]).astype(np.float64)
    there = np.concatenate([~table.hidden for table in tables])
    times = np.bincount(cell[there], minlength=len(keys))
    with np.errstate(invalid="ignore"):
        mean = np.bincount(cell[there], shown[there], len(keys)) / times
        error = np.bincount(cell[there], np.abs(shown - truth[cell])[there], len(keys)) / times
    low, high = np.zeros(len(keys)), np.full(len(keys), np.inf)
    bounds = [published.knowledge(table) for table in tables]
    np.maximum.at(low, cell, np.concatenate([part[0] for part in bounds]))
    np.minimum.at(high, cell, np.concatenate([part[1] for part in bounds]))
    rows, members, signs = [np.zeros(1, np.int64)], [], []
    for table, own in zip(tables, numbers, strict=True):
        sums = table.relations
        rows.append(np.diff(sums.start))
        members.append(np.searchsorted(keys, own)[sums.cells])
        signs.append(sums.signs)
    relations = Relations(np.cumsum(np.concatenate(rows)), np.concatenate(members), np.concatenate(signs), len(keys))
    return JointCells(keys, truth, mean, error, times, low, high, relations)


def averaging_gain(cells: JointCells) -> float | None:
    """Return by how many percent the mean over tables is nearer to the truth than one table, over the shared cells.

    None where no cell stands in two tables, or all of them are published as they are.
    """
    shared = cells.times > 1
    one = float(cells.error[shared].sum())
    if not one:
        return None
    return _percent(1.0 - float(np.abs(cells.mean - cells.truth)[shared].sum()) / one)


def fitting_gain(cells: JointCells) -> float | None:
    """Return by how many percent counts fitted to the sums are nearer to the truth than the published ones, over all cells.

    The reader does what :class:`~tacita.attack.FittedCounts` does, with the mean over tables: he averages over all ways to split
    a cell. The empty cells must be among the cells,
    since a reader does not know which of those shown as 0 they are.

    None where cells are hidden, or all counts are as they are.
    """
    one = float(np.nansum(cells.error))
    if not one or (cells.times == 0).any():
        return None
    fitted = fitted_to_sums(cells.relations.matrix, cells.mean, cells.low, cells.high)
    return _percent(1.0 - float(np.abs(fitted - cells.truth).sum()) / one)


def _percent(share: float) -> float:
    """Return percent without what only rounding of the arithmetic left."""
    return round(100.0 * share, 2) + 0.0


@dataclass(frozen=True)
class Found:
    """What a reader found who solved for small cells.

    Parameters
    ----------
    tried
        Small cells that were tried.
    exactly
        Those of them of which only one whole number is possible.
    """

    tried: int
    exactly: int

    @property
    def share(self) -> float | None:
        """Percentage of the tried cells; None where there was none to try."""
        return 100.0 * self.exactly / self.tried if self.tried else None


def solve_small_cells(cells: JointCells, targets: IntArray) -> Found:
    """Find how many of some cells have one possible count only.

    For each cell c, ``min x_c`` and ``max x_c`` over all counts x with ``A x = 0`` between their bounds, rounded inwards to whole
    numbers.

    Parameters
    ----------
    cells
        The cells with their bounds; the true counts must be within them.
    targets
        Numbers of the cells to try.

    Complexity
    ----------
    Two linear programmes for each target that its own bounds do not settle, each from the basis of the last one.
    """
    places = np.searchsorted(cells.keys, targets)
    settled: BoolArray = cells.low[places] == cells.high[places]
    exactly, rest = int(settled.sum()), places[~settled]
    if not len(rest):
        return Found(len(places), exactly)
    try:
        low, high = solved_intervals(cells.relations.matrix, cells.low, cells.high, rest, _several)
    except ParameterError:  # what the reader takes for possible is not, in a cell that he is wrong about
        return Found(len(places), exactly)
    exactly += int((high <= low).sum())
    return Found(len(places), exactly)


def _several(low: FloatArray, high: FloatArray) -> BoolArray:
    """Cells of which two whole counts were seen to be possible are done with."""
    return np.asarray(np.floor(high + 1e-6) > np.ceil(low - 1e-6))


def narrow_small_cells(cells: JointCells, targets: IntArray) -> Found:
    """Find how many of some cells have one possible count only, by the sums one after the other.

    What the other cells of a sum leave for a cell, again and again for all sums of all tables; see
    :func:`tacita.tables.rounding.reader.rounding_intervals`. Linear programmes, which use several sums at once, may find more.

    Parameters
    ----------
    cells
        The cells with their bounds.
    targets
        Numbers of the cells to look at.

    Complexity
    ----------
    O(m) for m entries of the relations, times a few sweeps.
    """
    none, no = np.zeros(len(cells.keys)), np.zeros(len(cells.keys), bool)
    problem = Problem(cells.relations, none, cells.low, cells.high, no, none, none, none, np.ones(len(cells.keys)), no)
    low, high = rounding_intervals(problem, none, base=_FAR)
    places = np.searchsorted(cells.keys, targets)
    one = np.floor(high[places] + 1e-6) <= np.ceil(low[places] - 1e-6)
    return Found(len(places), int(one.sum()))
