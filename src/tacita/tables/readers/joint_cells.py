"""Published tables of counts laid side by side: what is the same cell in several of them is one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import grid_of, shape_of
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected

__all__ = ["ReadTables", "cell_numbers", "published_counts", "read_tables"]


@dataclass(frozen=True, eq=False)
class ReadTables:
    """All cells of some tables, empty ones included, each once.

    Parameters
    ----------
    dimensions
        All classifying variables.
    numbers
        (c,): numbers of the cells in the grid of all variables.
    least, most
        (c,): the smallest and the largest count that a table publishes of a cell.
    relations
        The sums of all tables.
    """

    dimensions: tuple[Dimension, ...]
    numbers: IntArray = field(repr=False)
    least: IntArray = field(repr=False)
    most: IntArray = field(repr=False)
    relations: Relations = field(repr=False)

    def __len__(self) -> int:
        return len(self.numbers)

    def counts(self, tables: Sequence[Table | Protected]) -> IntArray:
        """Return (c,): the counts of other tables, such as the true ones, for these cells; 0 where none has the cell."""
        found = np.zeros(len(self), np.int64)
        names = [dimension.name for dimension in self.dimensions]
        for given in tables:
            table, values = published_counts(given)
            here = np.ones(len(table), bool)
            for axis, dimension in enumerate(table.dimensions):
                if dimension.name not in names:
                    here &= table.codes[:, axis] == dimension.places.get(dimension.total or "", -1)
            kept = [axis for axis, dimension in enumerate(table.dimensions) if dimension.name in names]
            own = [table.dimensions[axis] for axis in kept]
            number = cell_numbers(self.dimensions, own, table.codes[here][:, kept])
            place = np.searchsorted(self.numbers, number).clip(max=len(self) - 1)
            there = self.numbers[place] == number
            found[place[there]] = values[here][there]
        return found


def read_tables(tables: Sequence[Table | Protected], *, owner: str) -> ReadTables:
    """Lay tables side by side as a reader does; cells that a table does not list are 0 in it.

    Raises
    ------
    ParameterError
        When there is no table, or a variable has different codes in two of them.
    DataError
        When cells are hidden, or counts are no whole numbers.

    Complexity
    ----------
    O(n log n) for the n cells of all grids.
    """
    if not len(tables):
        raise ParameterError(f"{owner}: 'tables' must have at least one table.")
    every: dict[str, Dimension] = {}
    for given in tables:
        for dimension in (given.table if isinstance(given, Protected) else given).dimensions:
            if every.setdefault(dimension.name, dimension) != dimension:
                raise ParameterError(f"{owner}: '{dimension.name}' has different codes in two tables.")
    numbers, shown, sums = [], [], []
    for given in tables:
        table, values = published_counts(given)
        sizes, strides = shape_of(table.dimensions)
        codes, relations = grid_of(table.dimensions, np.arange(int(np.prod(sizes)), dtype=np.int64))
        whole = np.zeros(len(codes), np.int64)
        whole[table.codes @ strides] = values
        numbers.append(cell_numbers(tuple(every.values()), table.dimensions, codes))
        shown.append(whole)
        sums.append(relations)
    found, at = np.unique(np.concatenate(numbers), return_inverse=True)
    counts = np.concatenate(shown)
    least, most = np.full(len(found), np.iinfo(np.int64).max), np.zeros(len(found), np.int64)
    np.minimum.at(least, at.ravel(), counts)
    np.maximum.at(most, at.ravel(), counts)
    start = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(part.start) for part in sums]))]).astype(np.int64)
    members = [np.searchsorted(found, own)[part.cells] for own, part in zip(numbers, sums, strict=True)]
    signs = np.concatenate([part.signs for part in sums])
    joint = Relations(start, np.concatenate(members).astype(np.int64), signs, len(found))
    return ReadTables(tuple(every.values()), found, least, most, joint)


def cell_numbers(every: Sequence[Dimension], dimensions: Sequence[Dimension], codes: IntArray) -> IntArray:
    """Return (n,): numbers of cells in the grid of all variables; a variable that a table lacks is at its total."""
    strides = shape_of(every)[1]
    numbers = np.zeros(len(codes), np.int64)
    names = [dimension.name for dimension in dimensions]
    for dimension in dimensions:
        if dimension not in every:
            raise ParameterError(f"'{dimension.name}' has other codes than in the tables before, or is not in them.")
    for axis, dimension in enumerate(every):
        if dimension.name in names:
            numbers += codes[:, names.index(dimension.name)] * strides[axis]
        elif dimension.total is None:
            raise ParameterError(f"'{dimension.name}' has no total, and not every table has it.")
        else:
            numbers += dimension.places[dimension.total] * strides[axis]
    return numbers


def published_counts(given: Table | Protected) -> tuple[Table, IntArray]:
    """Return a table and its counts as they are published.

    Raises
    ------
    DataError
        When cells are hidden, or counts are no whole numbers.
    """
    if isinstance(given, Protected) and given.hidden.any():
        raise DataError(
            f"{int(given.hidden.sum())} cells are hidden; hidden cells are the task of tacita.tables.audit."
        )
    values: FloatArray = given.values
    whole = np.rint(values)
    if not np.isfinite(values).all() or np.abs(values - whole).max(initial=0.0) > 1e-9:
        raise DataError("Counts must be whole numbers.")
    return given.table if isinstance(given, Protected) else given, whole.astype(np.int64)
