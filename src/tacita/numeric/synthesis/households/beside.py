"""What is known of the others in a household when a member is drawn: their columns beside his own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm
from tacita.numeric.synthesis.households.homes import Homes

__all__ = [
    "COMPOSITION",
    "FIRST",
    "LAST",
    "PLACE",
    "SECOND",
    "SIZE",
    "as_classes",
    "as_number",
    "beside",
    "less_first",
    "not_drawn",
    "of_first",
    "plus_first",
]

SIZE, COMPOSITION, PLACE = "\x1fsize", "\x1fcomposition", "\x1fplace"
FIRST, SECOND, LAST = "\x1ffirst ", "\x1fsecond ", "\x1flast "
"""No column of a file is called so: the first character separates units in a text and is never typed."""


def beside(
    columns: Mapping[str, ColumnValues], names: Sequence[str], homes: Homes, rows: IntArray, place: int
) -> dict[str, ColumnValues]:
    """Return what is known of the other members when those at a place are drawn; of first members the second's composition."""
    found: dict[str, ColumnValues] = {}
    home = homes.household[rows]
    first = homes.first[home]
    for name in names:
        column = columns.get(name)
        if column is None:
            continue
        if place == 0:
            is_alone = homes.sizes[home] < 2
            second = column.of(np.where(is_alone, first, first + 1))
            if column.classes:
                found[SECOND + name] = _marked(second, is_alone)
            continue
        found[FIRST + name] = column.of(first)
        if place < 2:
            continue
        for word, at in ((SECOND, first + 1), (LAST, rows - 1)):
            other = column.of(at)
            found[word + name] = other if column.classes else less_first(other, column.of(first))
        found[PLACE] = as_number(homes.place[rows])
    return found


def of_first(
    columns: Mapping[str, ColumnValues], names: Sequence[str], homes: Homes, rows: IntArray
) -> dict[str, ColumnValues]:
    """Return the columns of the first member of each one's household."""
    first = homes.first[homes.household[rows]]
    return {FIRST + name: columns[name].of(first) for name in names}


def as_number(values: IntArray) -> ColumnValues:
    """Return whole numbers as a column without gaps."""
    return ColumnValues.of_numbers(values.astype(np.float64))


def as_classes(codes: IntArray, count: int) -> ColumnValues:
    """Return positions of classes as a column."""
    return ColumnValues.of_classes(codes, count)


def not_drawn(like: ColumnValues, n: int) -> ColumnValues:
    """Return a column of n values that are not drawn yet, of the same kind as another."""
    return ColumnValues(np.zeros(n), np.ones(n, np.int16), like.classes, like.kinds, like.is_ordered)


def _marked(column: ColumnValues, nobody: BoolArray) -> ColumnValues:
    """Return a column of classes with one more class for those who have no such member."""
    values = np.where(nobody, float(column.classes), column.values)
    return ColumnValues(
        values, np.where(nobody, 0, column.gaps).astype(np.int16), column.classes + 1, column.kinds, False
    )


def less_first(column: ColumnValues, reference: ColumnValues) -> ColumnValues:
    """Return differences to the first member; where his number is missing, to the typical one."""
    base = np.where(reference.there, reference.values, reference.typical())
    return column.like(np.where(column.there, column.values - base, 0.0), column.gaps)


def plus_first(drawn: ColumnValues, reference: ColumnValues, form: NumberForm) -> ColumnValues:
    """Return what :func:`less_first` took away, as the column can have it."""
    base = np.where(reference.there, reference.values, reference.typical())
    return drawn.like(np.where(drawn.there, form.written(drawn.values + base), 0.0), drawn.gaps)
