"""What a reader who knows the bound of the noise and that true sums hold can solve for, by linear programmes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.parameters import Interval, coerce
from tacita.solve.cell_intervals import Done, cell_intervals
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.readers.joint_cells import ReadTables, cell_numbers, published_counts, read_tables

__all__ = ["SolvedCounts", "Undone", "count_intervals", "outside", "reader_bounds", "solve_counts", "solved_intervals"]

_CLOSE = 1e-6


@dataclass(frozen=True)
class Undone:
    """What linear programmes undo.

    Parameters
    ----------
    small
        Cells whose true count is one or two; or up to another bound that was asked for.
    known_small
        Those of them of which the attacker knows that they are small and not empty.
    exact
        Those of them whose count he knows.
    """

    small: int
    known_small: int
    exact: int


@dataclass(frozen=True, eq=False)
class SolvedCounts:
    """For every cell that was tried, the least and the most that its true count can be.

    Parameters
    ----------
    cells
        (t,): numbers of the cells that were tried, among those of ``tables``.
    low, high
        (t,): the interval, or as much of it as was looked at.
    is_exact
        (t,): whether it is the whole interval.
    tables
        The tables side by side.
    """

    cells: IntArray = field(repr=False)
    low: IntArray = field(repr=False)
    high: IntArray = field(repr=False)
    is_exact: BoolArray = field(repr=False)
    tables: ReadTables = field(repr=False)

    @property
    def is_known(self) -> BoolArray:
        """(t,): cells of which one count only is possible."""
        return np.asarray(self.is_exact & (self.low == self.high), bool)

    def undone(self, true: Sequence[Table], *, below: int = 3) -> Undone:
        """Count the truly small cells, from 1 to ``below`` - 1, that the reader knows. For the owner's eyes.

        Parameters
        ----------
        true
            The tables with their true counts.
        below
            Counts from 1 up to this are small.
        """
        every = self.tables.counts(true)
        small = int(((every > 0) & (every < below)).sum())
        truth = every[self.cells]
        here = (truth > 0) & (truth < below)
        known = here & self.is_exact & (self.low > 0) & (self.high < below)
        return Undone(small, int(known.sum()), int((known & self.is_known).sum()))


def solve_counts(
    tables: Sequence[Table | Protected],
    *,
    reach: int | Sequence[IntArray],
    below: Annotated[int, Interval(1)] | None = 3,
) -> SolvedCounts:
    """Solve published tables of counts for the true ones, as a reader does who has only what left.

    The reader knows all tables, that no published count is further from its true one than ``reach``, that cells without anybody
    are shown as 0, and that true counts add up. For each cell c, ``min x_c`` and ``max x_c`` over all such counts x, rounded
    inwards to whole numbers.

    Parameters
    ----------
    tables
        The tables as they are published. What is the same cell in several tables is one.
    reach
        The bound of the noise that the reader knows; or for each table a bound for each of its cells, as marks of reliability
        give it (:attr:`tacita.tables.CountSet.reaches`).
    below
        Only cells that can be small are tried, those with a published count of less than ``below + reach``; and intervals are
        exact where they lie from 1 to ``below - 1``, while of other cells it is found that they do not. None tries all cells,
        and all intervals are exact.

    Returns
    -------
    SolvedCounts
        The intervals.

    Raises
    ------
    ParameterError
        When there is no table, or a variable has different codes in two of them.
    DataError
        When cells are hidden, or counts are no whole numbers, or no true counts are possible: the reach is not that of the noise.

    Complexity
    ----------
    A linear programme in all cells, the empty ones included, then two for each cell that is still open, each from the basis of
    the last one.

    Notes
    -----
    Linear programmes take broken counts for possible. Whole programmes would know no less, and hardly ever more: an interval
    ends at a broken number only where sums of three tables interlock.

    The reader knows the bound and not the transition matrix. Of counts with keyed noise and nothing after it, one who knows the
    matrix rules out a little more: :class:`CellKey` looks at that itself (``exposed``).

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80, section 5.

    Examples
    --------
    Two ones shown as 3 and their sum, a two, as 0, under noise of at most 2.

    >>> import tacita as tc
    >>> sex = tc.tables.Dimension.flat("sex", ["f", "m"])
    >>> cells = {"sex": ["Total", "f", "m"], "value": [2, 1, 1]}
    >>> true = tc.tables.table_from_cells(cells, [sex])
    >>> found = solve_counts([true.with_values(np.array([0.0, 3.0, 3.0]))], reach=2)
    >>> found.low.tolist(), found.high.tolist(), found.undone([true])
    ([2, 1, 1], [2, 1, 1], Undone(small=3, known_small=3, exact=3))
    """
    owner = "solve_counts"
    joint = read_tables(tables, owner=owner)
    bound, low, high = _known(joint, tables, reach, owner)
    if (low > high).any():
        raise ParameterError(f"{owner}: tables differ by more than 'reach' allows in {int((low > high).sum())} cells.")
    most = np.inf if below is None else below + bound
    cells = np.flatnonzero(joint.least < most).astype(np.int64)
    done: Done = _never if below is None else outside(below - 1)
    least, last = solved_intervals(joint.relations.matrix, low, high, cells, done)
    exact = ~done(least.astype(np.float64), last.astype(np.float64))
    return SolvedCounts(cells, least, last, exact, joint)


def _known(
    joint: ReadTables, tables: Sequence[Table | Protected], reach: int | Sequence[IntArray], owner: str
) -> tuple[int, FloatArray, FloatArray]:
    """Return the largest bound of the noise, and what all published counts say by themselves."""
    is_one = isinstance(reach, (int, np.integer))
    largest = reach if is_one else max((int(np.max(part, initial=0)) for part in reach), default=0)  # type: ignore[union-attr]
    bound: int = coerce(largest, Annotated[int, Interval(0)], owner=owner, name="reach")
    low, high = reader_bounds(joint.most, bound)[0], reader_bounds(joint.least, bound)[1]
    if is_one:
        return bound, low, high
    given = [np.asarray(part) for part in reach]  # type: ignore[union-attr]
    read = [published_counts(table) for table in tables]
    if len(given) != len(read) or any(
        part.shape != (len(table),) for part, (table, _) in zip(given, read, strict=True)
    ):
        raise ParameterError(f"{owner}: 'reach' must be one bound, or have one for each cell of each table.")
    if any((part < 0).any() or not np.issubdtype(part.dtype, np.integer) for part in given):
        raise ParameterError(f"{owner}: 'reach' must have whole numbers of at least 0.")
    for part, (table, shown) in zip(given, read, strict=True):
        place = np.searchsorted(joint.numbers, cell_numbers(joint.dimensions, table.dimensions, table.codes))
        least, most = reader_bounds(shown, part)
        np.maximum.at(low, place, least)
        np.minimum.at(high, place, most)
    return bound, low, high


def count_intervals(
    relations: Relations, shown: IntArray, cells: IntArray, *, reach: int, small: int = 2
) -> tuple[IntArray, IntArray]:
    """Return for some cells of one table the least and the most that the true count can be, by linear programmes.

    The attacker knows the published counts, that none is further from its true count than ``reach``, that cells without
    anybody are shown as 0, and that the true counts add up.

    Parameters
    ----------
    relations
        The sums of the table.
    shown
        (n,): published counts.
    cells
        Cells to attack.
    reach
        The published bound of the deviations.
    small
        Intervals are exact where they lie within 1 to this count; of other cells it is only found that they do not.

    Examples
    --------
    Section 5 of Giessing and Hoehne: two ones shown as 3 and their sum, a two, as 0, under noise of at most 2.

    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> low, high = count_intervals(rows, np.array([0, 3, 3]), np.arange(3), reach=2)
    >>> low.tolist(), high.tolist()
    ([2, 1, 1], [2, 1, 1])
    """
    return solved_intervals(relations.matrix, *reader_bounds(shown, reach), cells, outside(small))


def reader_bounds(shown: IntArray, reach: int | IntArray) -> tuple[FloatArray, FloatArray]:
    """Return what published counts say by themselves: whatever is shown above 0 has somebody in it."""
    lower = np.where(shown > 0, np.maximum(shown - reach, 1), 0)
    return lower.astype(np.float64), (shown + reach).astype(np.float64)


def solved_intervals(
    rows: Any, lower: FloatArray, upper: FloatArray, cells: IntArray, done: Done
) -> tuple[IntArray, IntArray]:
    """Return ``min x_c`` and ``max x_c`` of some cells over ``A x = 0`` within bounds, rounded inwards to whole numbers.

    Parameters
    ----------
    rows, lower, upper, cells, done
        As in :func:`tacita.solve.cell_intervals.cell_intervals`.
    """
    found = cell_intervals(rows, lower, upper, cells, done=done)
    if found is None:
        raise ParameterError("No true counts are possible within these bounds: the noise has another reach.")
    return np.ceil(found[0] - _CLOSE).astype(np.int64), np.floor(found[1] + _CLOSE).astype(np.int64)


def outside(small: int) -> Done:
    """Cells that were seen outside of the counts from 1 to ``small`` are done with."""
    return lambda low, high: np.asarray((low <= _CLOSE) | (high >= small + 1 - _CLOSE))


def _never(low: FloatArray, _: FloatArray) -> BoolArray:
    return np.zeros(len(low), bool)
