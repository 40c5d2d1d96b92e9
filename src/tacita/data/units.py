"""Units: which records belong together, and which columns belong to the household instead of the person.

A column belongs to the unit when it has one value for all members of every unit, gaps aside. Whatever is done to such a column
for one member alone can be undone: another member shows the value. So masks treat these columns once for each unit, and the
others once for each record. Which column has the units is said by the schema (role ``household``), by a mask's
parameter ``unit``, or not at all (``unit = false``).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, TacitaNote
from tacita.core.parameters import ColumnName
from tacita.data.columns import to_positions
from tacita.data.microdata import Microdata

__all__ = ["Unit", "Units", "check_equal_in_units", "find_units", "say_units", "values_of_units"]


Unit: TypeAlias = ColumnName | Literal[False] | None
"""A column of units by its name; None for the household of the schema; False for none."""

_FIRST = 10_000


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a file.

    Parameters
    ----------
    name
        The column that they come from.
    labels
        (n,): unit of each record, numbered from 0.
    is_named
        Whether the column was named for this purpose; otherwise its role says what it is.
    """

    name: str
    labels: IntArray = field(repr=False)
    is_named: bool

    @property
    def sizes(self) -> IntArray:
        """Return the number of members of each unit."""
        return np.bincount(self.labels)

    def unequal(self, codes: IntArray) -> int:
        """Return in how many units the members have different codes; -1 is missing and differs from none."""
        known = codes >= 0
        most = self.value_of(codes)
        least = np.full(len(most), np.iinfo(np.int64).max)
        np.minimum.at(least, self.labels[known], codes[known])
        return int((least[most >= 0] < most[most >= 0]).sum())

    def value_of(self, codes: IntArray) -> IntArray:
        """Return the code that the members of each unit have, -1 where none has one (the largest where they differ)."""
        found = np.full(int(self.labels.max(initial=-1)) + 1, -1, dtype=np.int64)
        np.maximum.at(found, self.labels, codes)
        return found

    def shared(self, data: Microdata, names: Iterable[str]) -> tuple[str, ...]:
        """Return the columns that belong to the unit: one value for all members of every unit, gaps aside."""
        return tuple(name for name in names if self._is_shared(data._column(name)))

    def _is_shared(self, column: pa.ChunkedArray) -> bool:
        """Whether the members of every unit have one value; the first records tell of most columns that they do not."""
        first = replace(self, labels=self.labels[:_FIRST])
        if len(column) > _FIRST and first.unequal(to_positions(column.slice(0, _FIRST))[0]):
            return False
        return not self.unequal(to_positions(column)[0])

    def spread(self, cells: BoolArray) -> BoolArray:
        """Return for each record whether any member of its unit has a mark."""
        return np.asarray(np.bincount(self.labels, weights=cells)[self.labels] > 0)

    def counted(self, data: Microdata, names: Iterable[str]) -> tuple[str, ...]:
        """Return the columns that say how many members a unit has: whoever sees the units can count them."""
        found, size = [], self.sizes[self.labels]
        for name in names:
            codes = data.codes(name)
            numbers = np.array([*(_as_number(value) for value in codes.categories), np.nan])[codes.values]
            known = ~np.isnan(numbers)
            if known.any() and len(np.unique(numbers[known])) > 1 and bool((numbers == size)[known].all()):
                found.append(name)
        return tuple(found)


def _as_number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return np.nan


def find_units(data: Microdata, unit: Unit, *, owner: str) -> Units | None:
    """Return the units that a mask is to work on, None where every record stands for itself.

    Where the schema says which column it is, a record without a number is a unit of its own, and units of one member each are
    none at all. A column that was named must have a number for every record.

    Examples
    --------
    >>> from tacita.data.samples import household_survey
    >>> data = household_survey(100, seed=1)
    >>> units = find_units(data, None, owner="Example")
    >>> units.shared(data, ["region", "sex"])
    ('region',)
    >>> find_units(data, False, owner="Example") is None
    True
    """
    name = data.schema.household if unit is None else unit or None
    if name is None:
        return None
    data.schema[name]  # raises with a suggestion where the name is unknown
    alone = data.is_missing(name)
    if unit is not None and alone.any():
        raise DataError(
            f"{owner}: the unit '{name}' is missing in {int(alone.sum())} records; give each its own number."
        )
    labels = data.groups([name])
    if alone.any():
        labels = labels.copy()
        labels[alone] = int(labels.max()) + 1 + np.arange(int(alone.sum()))
        labels = np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)
    if unit is None and len(labels) == int(labels.max(initial=-1)) + 1:
        return None
    return Units(name, labels, is_named=unit is not None)


def say_units(units: Units | None, columns: Iterable[str], *, owner: str, done: str) -> None:
    """Tell the user that some columns were treated by unit because of a role, unless that was asked for."""
    listed = sorted(columns)
    if units is None or units.is_named or not listed:
        return
    warnings.warn(
        f"{owner}: {', '.join(listed)} {'has' if len(listed) == 1 else 'have'} one value for all members of a '{units.name}', "
        f"so {done}. With unit = false every record stands for itself.",
        TacitaNote,
        stacklevel=5,
    )


def values_of_units(x: FloatArray, units: IntArray) -> FloatArray:
    """Return one row for each unit: the value that its members have, NaN where none has one."""
    found = np.full((int(units.max(initial=-1)) + 1, x.shape[1]), np.nan)
    for j in range(x.shape[1]):
        known = ~np.isnan(x[:, j])
        found[units[known], j] = x[known, j]
    return found


def check_equal_in_units(x: FloatArray, units: IntArray, first: IntArray, names: tuple[str, ...], owner: str) -> None:
    """Raise an error that names the first column in which members of a unit differ, and in how many units."""
    same = (x == x[first][units]) | (np.isnan(x) & np.isnan(x[first][units]))
    for j, name in enumerate(names):
        if not same[:, j].all():
            count = len(np.unique(units[~same[:, j]]))
            raise DataError(
                f"{owner}: column '{name}' differs between the members of {count} units; "
                "mask it without 'unit', or take a column that is equal for all members."
            )
