"""The classes of all records as rows of bytes, in the form that the kernels read, and what they count in one pass."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, IntArray, PlaceArray
from tacita.numeric.statistics.cell_sums import add_members, add_records, find_members, places_of

__all__ = ["Codes", "RecordPlanes"]

Codes: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]


class RecordPlanes:
    """For each variable with classes one row of bytes for all records, or as many as its number of classes needs.

    Parameters
    ----------
    sizes
        Number of classes of each variable.
    records
        n, how many records there are.
    codes
        Gives the class of each record; asked once for a variable, when it is first needed.

    Notes
    -----
    Room for all variables is claimed at once and filled when a variable is first asked for; the system gives memory for what is
    filled only. Several threads may read; filling waits for a lock.
    """

    def __init__(self, sizes: Mapping[str, int], records: int, codes: Callable[[str], Codes]) -> None:
        self._sizes, self._codes = dict(sizes), codes
        self._first: dict[str, int] = {}
        planes = 0
        for name, size in self._sizes.items():
            self._first[name] = planes
            planes += _bytes_of(size)
        self._planes = np.empty((max(planes, 1), records), dtype=np.uint8)
        self._filled: dict[str, Codes] = {}
        self._lock = threading.Lock()

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self._planes.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes that are filled."""
        wide = sum(int(c.nbytes) for c in self._filled.values() if c.dtype != np.uint8)
        return wide + sum(_bytes_of(self._sizes[name]) for name in self._filled) * self._planes.shape[1]

    def shape(self, names: Sequence[str]) -> tuple[int, ...]:
        """Number of classes of some variables."""
        return tuple(self._sizes[name] for name in names)

    def codes(self, name: str) -> Codes:
        """Return the class of each record, read-only; always the same array."""
        found = self._filled.get(name)
        if found is not None:
            return found
        with self._lock:
            if name not in self._filled:
                given, first = self._codes(name), self._first[name]
                count = _bytes_of(self._sizes[name])
                for byte in range(count):
                    self._planes[first + byte] = given if count == 1 else (given >> (8 * byte)) & 0xFF
                kept = self._planes[first] if count == 1 else given.astype(np.min_scalar_type(self._sizes[name] - 1))
                kept.flags.writeable = False
                self._filled[name] = kept
            return self._filled[name]

    def _strides(self, names: Sequence[str]) -> tuple[IntArray, IntArray]:
        """The planes of a table, and what a byte of each counts in the number of a cell."""
        which, strides, step = [], [], 1
        for name in reversed(names):
            self.codes(name)
            for byte in range(_bytes_of(self._sizes[name])):
                which.append(self._first[name] + byte)
                strides.append(step << (8 * byte))
            step *= self._sizes[name]
        return np.array(which, dtype=np.int64), np.array(strides, dtype=np.int64)

    def places(self, names: Sequence[str]) -> PlaceArray:
        """Return the cell of every record in the table of some variables."""
        out = np.empty(self._planes.shape[1], dtype=np.int32)
        places_of(self._planes, *self._strides(names), out)
        return out

    def places_at(self, names: Sequence[str], rows: IntArray) -> IntArray:
        """Return the cells of some records."""
        out = np.zeros(len(rows), dtype=np.int64)
        for name in names:
            out *= self._sizes[name]
            out += self.codes(name)[rows]
        return out

    def count(self, names: Sequence[str], keys: PlaceArray) -> IntArray:
        """Return number and sums of keyed hashes of all records in each cell of a table: (cells, 3)."""
        table = np.zeros((prod(self.shape(names)), 3), dtype=np.int64)
        add_records(self._planes, *self._strides(names), keys, table)
        return table

    def count_inside(self, names: Sequence[str], where: Sequence[str], inside: BoolArray, keys: PlaceArray) -> IntArray:
        """Return the same of the records that lie in some cells of the table of other variables.

        Parameters
        ----------
        names
            The variables of the table.
        where, inside
            The variables of the universe, and which cells of their table belong to it.
        keys
            (n, 2): keyed hashes of all records.
        """
        table = np.zeros((prod(self.shape(names)), 3), dtype=np.int64)
        add_members(self._planes, *self._strides(where), inside.ravel(), *self._strides(names), keys, table)
        return table

    def find(self, names: Sequence[str], where: Sequence[str], inside: BoolArray) -> tuple[PlaceArray, PlaceArray]:
        """Return the rows of the records that lie in some cells of a table, increasing, and their cells in another.

        Parameters
        ----------
        names, where, inside
            As in :meth:`count_inside`.
        """
        n = self._planes.shape[1]
        rows, cells = np.empty(n + 1, dtype=np.int32), np.empty(n + 1, dtype=np.int32)
        found = find_members(self._planes, *self._strides(where), inside.ravel(), *self._strides(names), rows, cells)
        return rows[:found], cells[:found]


def _bytes_of(size: int) -> int:
    """How many bytes the numbers of so many classes need."""
    return max(1, -(-(max(size, 1) - 1).bit_length() // 8))
