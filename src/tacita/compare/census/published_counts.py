"""What a way publishes of a declared set of tables, beside the truth, and what a reader of it knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.additive.declared_set import DeclaredSet
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import grid_of, shape_of
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.readers.joint_cells import cell_numbers

__all__ = ["Knowledge", "PublishedCounts", "PublishedTable", "own_keys", "set_keys"]


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """One table: true and published counts of the cells that have one of both.

    Parameters
    ----------
    dimensions
        Its classifying variables.
    keys
        (n,): numbers of the cells in the grid of all codes, ascending.
    truth, shown
        (n,): true and published counts.
    hidden
        (n,): cells that are not published.
    """

    dimensions: tuple[Dimension, ...]
    keys: IntArray = field(repr=False)
    truth: IntArray = field(repr=False)
    shown: IntArray = field(repr=False)
    hidden: BoolArray = field(repr=False)

    @classmethod
    def of(
        cls,
        table: Table,
        keys: IntArray,
        shown: IntArray,
        hidden: BoolArray | None = None,
        *,
        at: IntArray | None = None,
    ) -> PublishedTable:
        """Put published counts beside the true ones of a table; cells that one side lacks have 0 there.

        Parameters
        ----------
        table
            The true counts.
        keys, shown
            Numbers of the published cells in the grid, in any order, and their counts.
        hidden
            Which of them are not published; None for none.
        at
            Numbers of all cells to list; by default those that one of the sides has.
        """
        own = own_keys(table.dimensions, table.codes)
        every = np.union1d(own, keys) if at is None else at
        truth, published = np.zeros(len(every), np.int64), np.zeros(len(every), np.int64)
        away = np.zeros(len(every), bool)
        truth[np.searchsorted(every, own)] = np.rint(table.values).astype(np.int64)
        place = np.searchsorted(every, keys)
        published[place] = np.rint(shown).astype(np.int64)
        if hidden is not None:
            away[place] = hidden
        return cls(table.dimensions, every.astype(np.int64), truth, published, away)

    @property
    def codes(self) -> IntArray:
        """(n, d): codes of the cells."""
        sizes, strides = shape_of(self.dimensions)
        return np.stack([(self.keys // step) % size for size, step in zip(sizes, strides, strict=True)], axis=1)

    @property
    def relations(self) -> Relations:
        """The sums between the cells; those that are not listed are empty."""
        return grid_of(self.dimensions, self.keys)[1]

    @property
    def grid_size(self) -> int:
        """Number of cells with the empty ones."""
        return int(np.prod([len(dimension.codes) for dimension in self.dimensions], dtype=np.int64))

    def whole(self) -> PublishedTable:
        """Return the table with all cells of its grid; those that were not listed are published as empty."""
        every = np.arange(self.grid_size, dtype=np.int64)
        truth, shown, hidden = (
            np.zeros(len(every), np.int64),
            np.zeros(len(every), np.int64),
            np.zeros(len(every), bool),
        )
        truth[self.keys], shown[self.keys], hidden[self.keys] = self.truth, self.shown, self.hidden
        return PublishedTable(self.dimensions, every, truth, shown, hidden)

    def to_table(self) -> Table:
        """Return the published counts as a table, for what takes tables."""
        codes, relations = grid_of(self.dimensions, self.keys)
        return Table(self.dimensions, codes, self.shown.astype(np.float64), relations, responses=("",))


Knowledge = Callable[[PublishedTable], tuple[FloatArray, FloatArray]]
"""What a reader who knows the way and its parameters takes for possible: the least and the most of each cell of a table."""


@dataclass(frozen=True, eq=False)
class PublishedCounts:
    """All tables of a declared set as one way publishes them.

    Parameters
    ----------
    declared
        The set with its true counts.
    tables
        The tables, in the order of the set.
    knowledge
        What a reader knows of the true counts.
    notes
        What the owner should know about this result.
    """

    declared: DeclaredSet
    tables: tuple[PublishedTable, ...] = field(repr=False)
    knowledge: Knowledge = field(repr=False)
    notes: tuple[str, ...] = ()


def own_keys(dimensions: Sequence[Dimension], codes: IntArray) -> IntArray:
    """Return (n,): numbers of cells in the grid of their table."""
    return np.asarray(codes @ shape_of(dimensions)[1], np.int64)


def set_keys(declared: DeclaredSet, dimensions: Sequence[Dimension], codes: IntArray) -> IntArray:
    """Return (n,): numbers of cells in the grid of all variables of the set; the same cell has the same in every table."""
    return cell_numbers(declared.dimensions, dimensions, codes)
