"""A declared set of tables: all that will ever be published of some records, with every cell that tables share in it once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.tabulate import TallyRequest, tally
from tacita.numeric.additive.goal import Holders, add_up, holders_of
from tacita.tables.additive.level_aims import is_balanced, least_distance
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import ancestry, grid_of, ranges, shape_of
from tacita.tables.model.placing import placed
from tacita.tables.model.table import Table

__all__ = ["DeclaredSet", "declare", "held_once", "raised_cells"]


@dataclass(frozen=True, eq=False)
class DeclaredSet:
    """Tables of counts of the same records, and their elementary cells.

    An elementary cell is a combination of all classifying variables together. It may stand in no table; every cell of every
    table is a sum of elementary cells.

    Parameters
    ----------
    dimensions
        All classifying variables.
    tables
        The tables, as :func:`tacita.tables.tabulate` makes them without empty cells: the same cells in the same order.
    places
        For each table the number that its cells have in the set.
    counts
        (c,): true counts of the cells of the set.
    codes
        (c, d): codes of these cells; the total in dimensions that a table does not use.
    elementary
        (e,): true counts of the elementary cells.
    combinations
        (e, d): codes of the elementary cells.
    holders
        The cells that each elementary cell is counted in.
    """

    dimensions: tuple[Dimension, ...]
    tables: tuple[Table, ...] = field(repr=False)
    places: tuple[IntArray, ...] = field(repr=False)
    counts: IntArray = field(repr=False)
    codes: IntArray = field(repr=False)
    elementary: IntArray = field(repr=False)
    combinations: IntArray = field(repr=False)
    holders: Holders = field(repr=False)

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def levels(self) -> dict[str, IntArray]:
        """The cells by the variables that they are crossed by: ``sex x age``; the cell of all records is ``Total``."""
        used = np.stack(
            [self.codes[:, axis] != d.places[d.total or ""] for axis, d in enumerate(self.dimensions)], axis=1
        )
        number = used @ (1 << np.arange(used.shape[1]))
        names = [dimension.name for dimension in self.dimensions]
        found = {}
        for level in np.unique(number).tolist():
            crossed = [name for axis, name in enumerate(names) if level >> axis & 1]
            found[" x ".join(crossed) or "Total"] = np.flatnonzero(number == level)
        return found

    def least_of(self, level: str, smallest: int) -> float:
        """Return what the deviations of a level add up to at least when no count from 1 to ``smallest`` - 1 is shown."""
        inside = np.zeros(len(self), bool)
        inside[self.levels[level]] = True
        return least_distance(self.counts[inside], smallest, balanced=is_balanced(self.holders, inside))

    def gather(self, noisy: Callable[[Table], IntArray] | Sequence[IntArray]) -> IntArray:
        """Return (c,): noisy counts of the cells of the set, from those of the tables.

        Parameters
        ----------
        noisy
            A function that gives the noisy counts of a table, or an array for each table.

        Raises
        ------
        ParameterError
            When there is no array for each table, or one has another length than its table.
        DataError
            When a cell has different noisy counts in different tables: such noise is not keyed by the members of a cell.
        """
        if not callable(noisy) and len(noisy) != len(self.tables):
            raise ParameterError(
                f"'noisy' must have an array for each of the {len(self.tables)} tables, got {len(noisy)}."
            )
        found = np.full(len(self), -1, np.int64)
        differs = np.zeros(len(self), bool)
        for number, (table, place) in enumerate(zip(self.tables, self.places, strict=True)):
            part = np.asarray(noisy(table) if callable(noisy) else noisy[number])
            if part.shape != (len(table),):
                raise ParameterError(
                    f"'noisy' must have {len(table)} counts for table {number}, got shape {part.shape}."
                )
            whole = np.rint(part).astype(np.int64)
            if (whole != part).any() or (whole < 0).any():
                raise ParameterError(f"'noisy' must have whole numbers of at least 0, which table {number} has not.")
            differs[place] |= (found[place] >= 0) & (found[place] != whole)
            found[place] = whole
        if differs.any():
            raise DataError(
                f"{int(differs.sum())} cells have different noisy counts in different tables; take noise that depends on the "
                "members of a cell alone, as that of cell keys."
            )
        return found


def declare(data: Microdata, tables: Sequence[Sequence[str | Dimension]], *, total: str = "Total") -> DeclaredSet:
    """Count records in all tables that will be published.

    Parameters
    ----------
    data
        The records; weights are not used.
    tables
        The classifying columns of each table. A :class:`Dimension` brings its own sums, such as age bands that overlap; it then
        stands for this variable in all tables.
    total
        Code of the total of a column that does not bring one.

    Raises
    ------
    ParameterError
        When there is no table, a table names a variable twice, or a variable has two different dimensions.
    ColumnError
        When a column is not there.
    DataError
        When there are no records, or a variable without a total is missing from a table.

    Complexity
    ----------
    O(n log n) for n records, and O(e c log(e c)) for e elementary cells that are each counted in c cells.

    Examples
    --------
    >>> from tacita.data.samples import person_register
    >>> found = declare(person_register(500, seed=1), [["sex", "marital"], ["sex", "disability"]])
    >>> len(found), [len(table) for table in found.tables], list(found.levels)
    (24, [15, 12], ['Total', 'sex', 'marital', 'sex x marital', 'disability', 'sex x disability'])
    """
    by = _variables(tables)
    found = tally(data, TallyRequest(by=tuple(by), weight=False, holding=False, depth=1))
    if not int(found.responses[0].records.sum()):
        raise DataError("declare: the data have no records, so the tables have no cells.")
    dimensions, codes = placed(found, list(by.values()), total=total)
    elementary = found.responses[0].records.astype(np.int64)
    axis_of = {dimension.name: axis for axis, dimension in enumerate(dimensions)}
    wanted = [[axis_of[_name(item)] for item in table] for table in tables]
    _check_totals(dimensions, wanted)
    raised = raised_cells(dimensions, codes, wanted)
    keys, cell = np.unique(np.concatenate([key for _, key in raised]), return_inverse=True)
    holders = held_once(np.concatenate([owner for owner, _ in raised]), cell, len(elementary), len(keys))
    counts = add_up(holders, elementary)
    sizes, strides = shape_of(dimensions)
    made = [
        _table(dimensions, axes, np.unique(key), keys, counts) for axes, (_, key) in zip(wanted, raised, strict=True)
    ]
    return DeclaredSet(
        tuple(dimensions),
        tuple(table for table, _ in made),
        tuple(place for _, place in made),
        counts,
        np.stack([(keys // stride) % size for size, stride in zip(sizes, strides, strict=True)], axis=1),
        elementary,
        codes,
        holders,
    )


def _name(item: str | Dimension) -> str:
    return item.name if isinstance(item, Dimension) else item


def _variables(tables: Sequence[Sequence[str | Dimension]]) -> dict[str, str | Dimension]:
    """Return every variable once, with its dimension where one is given."""
    if isinstance(tables, str) or not len(tables) or any(isinstance(t, str) or not len(t) for t in tables):
        raise ParameterError("declare: 'tables' must have at least one table, and each a list of columns.")
    by: dict[str, str | Dimension] = {}
    for table in tables:
        names = [_name(item) for item in table]
        if len(set(names)) < len(names):
            raise ParameterError("declare: a table of 'tables' names a column twice.")
        for item, name in zip(table, names, strict=True):
            known = by.setdefault(name, item)
            if isinstance(item, Dimension):
                if isinstance(known, Dimension) and known != item:
                    raise ParameterError(
                        f"declare: '{name}' has different dimensions in 'tables'; put all sums into one, see Dimension.with_sums."
                    )
                by[name] = item
    return by


def _check_totals(dimensions: Sequence[Dimension], wanted: Sequence[Sequence[int]]) -> None:
    for axis, dimension in enumerate(dimensions):
        if dimension.total is None:
            raise DataError(f"declare: dimension '{dimension.name}' has no total; add one, see Dimension.with_sums.")
        if not any(axis in axes for axes in wanted):
            raise DataError(f"declare: no table has the dimension '{dimension.name}'.")


def raised_cells(
    dimensions: Sequence[Dimension], codes: IntArray, tables: Sequence[Sequence[int]]
) -> list[tuple[IntArray, IntArray]]:
    """Return for each table, given by its axes, which combination is counted in which cell: its number, and the cell's key."""
    strides = shape_of(dimensions)[1]
    at_total = np.array([d.places[d.total or ""] for d in dimensions], np.int64)
    base = int(at_total @ strides)
    found = []
    for axes in tables:
        owner = np.arange(len(codes), dtype=np.int64)
        key = np.full(len(codes), base, np.int64)
        for axis in axes:
            start, above = ancestry(dimensions[axis])
            at = codes[owner, axis]
            times = np.diff(start)[at]
            raised = above[ranges(start[at], times)]
            owner, key = np.repeat(owner, times), np.repeat(key, times)
            key = key + (raised - at_total[axis]) * strides[axis]
        found.append((owner, key))
    return found


def held_once(owner: IntArray, cell: IntArray, owners: int, cells: int) -> Holders:
    """Return the cells that each combination is counted in, each once, however many tables have it."""
    pair = np.unique(owner * cells + cell)
    start = np.searchsorted(pair // cells, np.arange(owners + 1)).astype(np.int64)
    return holders_of(start, pair % cells, cells)


def _table(
    dimensions: Sequence[Dimension], axes: Sequence[int], part: IntArray, keys: IntArray, counts: IntArray
) -> tuple[Table, IntArray]:
    """Return one table of the set, its cells in the order that tabulating it alone gives them, and their places in the set."""
    sizes, strides = shape_of(dimensions)
    mine = [dimensions[axis] for axis in axes]
    own = np.stack([(part // strides[axis]) % sizes[axis] for axis in axes], axis=1) @ shape_of(mine)[1]
    order = np.argsort(own)
    place = np.searchsorted(keys, part[order]).astype(np.int64)
    codes, relations = grid_of(mine, own[order])
    shown = counts[place]
    return Table(tuple(mine), codes, shown.astype(np.float64), relations, responses=("",), counts=shown), place
