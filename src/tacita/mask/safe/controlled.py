"""Controlled tables: what the names in a list of tables stand for, as codes of the elementary cells of a file."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError, did_you_mean
from tacita.data.microdata import Microdata
from tacita.mask.recode.ladders import as_text
from tacita.numeric.keys.frequencies import find_patterns
from tacita.numeric.safe.state import SafeLayout, TableCodes, lay_out

__all__ = ["ControlledTables", "Elementary", "TableNames", "find_elementary"]

TableNames = tuple[str, ...]
"""One table: its variables, a coarser level of a hierarchy as ``region:1``."""

_MOST_ENTRIES = 2**31


@dataclass(frozen=True, eq=False)
class Elementary:
    """The combinations of categories that occur in a file, in the order of the variable with most categories.

    Parameters
    ----------
    names
        The variables.
    labels
        (n,): elementary cell of each record.
    codes
        (m, v): categories of each cell from 0; missing is the last category of a variable.
    sizes
        (v,): number of categories, the missing one included.
    counts
        (m,): records of each cell.
    values
        For each variable its categories as text, without the missing one.
    """

    names: tuple[str, ...]
    labels: IntArray = field(repr=False)
    codes: IntArray = field(repr=False)
    sizes: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)
    values: tuple[tuple[str, ...], ...] = field(repr=False)

    @property
    def block(self) -> int:
        """Place of the variable with most categories."""
        return int(np.argmax(self.sizes))


def find_elementary(data: Microdata, names: Sequence[str]) -> Elementary:
    """Find the combinations that occur; a missing value is a category of its own. O(n v) time."""
    coded = {name: data.codes(name) for name in names}
    sizes = np.array([len(coded[name].categories) + 1 for name in names], dtype=np.int64)
    block = int(np.argmax(sizes))
    order = [block, *(j for j in range(len(names)) if j != block)]  # patterns come in lexicographic order
    found = find_patterns((coded[names[j]].values, len(coded[names[j]].categories)) for j in order)
    codes = np.empty_like(found.codes)
    codes[:, order] = found.codes
    # Missing is -1, the least of all codes: it becomes the last, so the cells of the block have to be turned round.
    codes = np.where(codes < 0, sizes - 1, codes)
    turned = np.argsort(codes[:, block], kind="stable")
    place = np.empty_like(turned)
    place[turned] = np.arange(len(turned))
    values = tuple(tuple(as_text(value) for value in coded[name].categories) for name in names)
    return Elementary(tuple(names), place[found.labels], codes[turned], sizes, found.counts[turned], values)


@dataclass(frozen=True, eq=False)
class ControlledTables:
    """The tables of a search over the elementary cells of a file.

    Parameters
    ----------
    data
        The file, for the hierarchies of its columns.
    cells
        Its elementary cells.
    owner
        Who is named in errors.
    """

    data: Microdata
    cells: Elementary
    owner: str

    def crossings(self, most: int) -> tuple[TableNames, ...]:
        """Return all tables of up to so many variables."""
        names = self.cells.names
        sets = (itertools.combinations(names, many) for many in range(1, min(most, len(names)) + 1))
        return tuple(itertools.chain.from_iterable(sets))

    def check(self, tables: Sequence[TableNames], *, parameter: str) -> None:
        """Say what is wrong with a list of tables.

        Raises
        ------
        ColumnError
            When a table names a column that is not among the variables, or one twice.
        ParameterError
            When a table names nothing, or a level that a hierarchy does not have.
        """
        for table in tables:
            if not table:
                raise ParameterError(f"{self.owner}: '{parameter}' must be lists of columns, got an empty list.")
            columns = [self._variable(name, parameter)[0] for name in table]
            if len(set(columns)) < len(columns):
                raise ColumnError(f"{self.owner}: a table of '{parameter}' names column '{_twice(columns)}' twice.")

    def groups(self, fixed: TableNames, k: int) -> IntArray | None:
        """Return (m,): the combination of some variables of each elementary cell, from 0; None without any.

        Raises
        ------
        DataError
            When a combination has fewer than k records.
        """
        if not fixed:
            return None
        self.check([fixed], parameter="fixed")
        labels = find_patterns(self.codes_at(name) for name in fixed).labels
        few = int((np.bincount(labels, weights=self.cells.counts) < k).sum())
        if few:
            raise DataError(
                f"{self.owner}: 'fixed' must leave at least k = {k} records in each of its combinations, since no record leaves "
                f"them, but {few} have fewer; fix fewer variables, or coarser levels."
            )
        return labels

    def layout(
        self, controlled: Sequence[TableNames], soft: Sequence[TableNames], groups: IntArray | None = None
    ) -> SafeLayout:
        """Number the cells of all tables."""
        if len(self.cells.counts) * (len(controlled) + len(soft) + 1) > _MOST_ENTRIES:
            raise DataError(
                f"{self.owner}: {len(self.cells.counts)} combinations in {len(controlled) + len(soft)} tables are too many to "
                "search in memory; control fewer tables, or recode to fewer categories."
            )
        levels: dict[str, tuple[IntArray, int]] = {}
        block = self.cells.codes[:, self.cells.block]
        made = [[self._codes(table, levels) for table in zone] for zone in (controlled, soft)]
        return lay_out(block, made[0], made[1], groups)

    def _codes(self, table: TableNames, levels: dict[str, tuple[IntArray, int]]) -> TableCodes:
        first = self.cells.names[self.cells.block]
        ordered = sorted(table, key=lambda name: name != first)  # the block, at its finest level, comes first
        for name in ordered:
            if name not in levels:
                levels[name] = self.codes_at(name)
        found = [levels[name] for name in ordered]
        return TableCodes([codes for codes, _ in found], [size for _, size in found], ordered[0] == first)

    def codes_at(self, name: str) -> tuple[IntArray, int]:
        """Return the code of every elementary cell in a variable or a coarser level of it, and how many there are."""
        column, level = self._variable(name, "controlled")
        j = self.cells.names.index(column)
        codes = self.cells.codes[:, j]
        if level == 0:
            return codes, int(self.cells.sizes[j])
        up = self._groups(column, level)
        return up[codes], int(up.max()) + 1

    def labels_at(self, name: str) -> Mapping[str, int]:
        """Return the code of every label of a variable or a coarser level of it."""
        column, level = self._variable(name, "important")
        values = self.cells.values[self.cells.names.index(column)]
        if level == 0:
            return {value: i for i, value in enumerate(values)}
        named, up = self._labels(column, level), self._groups(column, level)
        return {named[value]: int(up[i]) for i, value in enumerate(values)}

    def _groups(self, column: str, level: int) -> IntArray:
        """Return the group of every category of a column at a level; missing stays a group of its own."""
        named = self._labels(column, level)
        values = self.cells.values[self.cells.names.index(column)]
        lacking = sum(value not in named for value in values)
        if lacking:
            raise DataError(
                f"{self.owner}: the hierarchy of column '{column}' must have every value of the column, but {lacking} are not "
                "in it; add them, or recode them first."
            )
        labels = [named[value] for value in values]
        number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
        return np.array([*(number[label] for label in labels), len(number)], dtype=np.int64)

    def _labels(self, column: str, level: int) -> Mapping[str, str]:
        hierarchy = self.data.schema[column].hierarchy
        return {} if hierarchy is None else hierarchy.labels(level)

    def _variable(self, name: str, parameter: str) -> tuple[str, int]:
        """Return the column and the level that a name stands for."""
        column, colon, level = name.rpartition(":")
        if name in self.cells.names or not colon or column not in self.cells.names:
            column, level = name, "0"
        if column not in self.cells.names:
            there = " It is in the data, but not in 'columns'." if column in self.data.schema else ""
            raise ColumnError(
                f"{self.owner}: '{parameter}' names '{name}', which is not among the variables of the mask."
                f"{there or did_you_mean(name, self.cells.names)}"
            )
        hierarchy = self.data.schema[column].hierarchy
        depth = 1 if hierarchy is None else max(hierarchy.depth, 1)
        if not level.isdecimal() or int(level) >= depth:
            raise ParameterError(
                f"{self.owner}: '{parameter}' names '{name}', but column '{column}' has "
                + (f"levels 0 to {depth - 1}." if depth > 1 else "no hierarchy with coarser levels.")
            )
        return column, int(level)


def _twice(columns: Sequence[str]) -> str:
    return next(name for i, name in enumerate(columns) if name in columns[:i])
