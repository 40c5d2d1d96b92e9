"""Sets of records, and their names: the same for the same records, however they were described.

The name of a set is made of exact sums of the records' keyed hashes and of their number, so two ways to the same set
give the same name, on every engine and in every order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key, KeyPart

__all__ = ["EXACT_IN_FLOAT", "MemberSet", "sums_by_cell"]

EXACT_IN_FLOAT = 1 << 22
"""So many numbers of 31 bits stay below 2**53, whatever they are: their sum is exact in a float."""


class MemberSet:
    """Some records of a data version.

    Two sets of one version have the same name if they are the same set; other sets share it with a chance of about 2**-62.

    Parameters
    ----------
    rows
        Their row numbers, increasing.
    record_keys
        (N, 2): keyed hashes of all records of the version.

    Examples
    --------
    >>> MemberSet(np.array([0, 2]), np.array([[1, 5], [2, 6], [3, 7]])).parts
    (4, 12, 2)
    """

    def __init__(self, rows: IntArray, record_keys: npt.NDArray[np.integer[Any]]) -> None:
        self._found: Callable[[], IntArray] = lambda: rows
        self._record_keys = record_keys
        self._size = len(rows)

    @classmethod
    def named(
        cls,
        found: Callable[[], IntArray],
        record_keys: npt.NDArray[np.integer[Any]],
        *,
        size: int,
        sums: tuple[int, int],
    ) -> MemberSet:
        """Return a set whose number and sums are known already; its rows are found when somebody asks for them.

        Parameters
        ----------
        found
            Gives the row numbers, increasing.
        record_keys
            (N, 2): keyed hashes of all records of the version.
        size, sums
            How many records they are, and the exact sums of their two keyed hashes.
        """
        made = cls(np.zeros(0, dtype=np.int64), record_keys)
        made._found, made._size = found, size
        made.__dict__["sums"] = sums
        return made

    def __repr__(self) -> str:
        return "MemberSet()"

    def __len__(self) -> int:
        return self._size

    @cached_property
    def rows(self) -> IntArray:
        """Row numbers, increasing."""
        return self._found()

    @cached_property
    def sums(self) -> tuple[int, int]:
        """The exact sums of the records' two keyed hashes."""
        if len(self.rows) == len(self._record_keys):
            whole = self._record_keys.sum(axis=0, dtype=np.int64)
        else:
            whole = self._record_keys[self.rows].sum(axis=0, dtype=np.int64)
        return int(whole[0]), int(whole[1])

    @property
    def parts(self) -> tuple[KeyPart, ...]:
        """What the set is named by: two sums and the number of records."""
        return (*self.sums, len(self))

    def name(self, key: Key) -> bytes:
        """Return the name of the set under a key."""
        return key.digest("members", *self.parts)


def sums_by_cell(cells: npt.NDArray[np.integer[Any]], keys: npt.NDArray[np.integer[Any]], count: int) -> IntArray:
    """Add up keyed hashes by cell, exactly: (count, 2).

    Up to :data:`EXACT_IN_FLOAT` records are added as they are; of more, the 31 bits are added in two parts of 15 and 16 bits,
    each exact in a float up to 2**37 records.

    Parameters
    ----------
    cells
        (n,): the cell of each record.
    keys
        (n, 2): the keyed hashes of these records.
    count
        Number of cells.

    Returns
    -------
    array
        (count, 2) whole numbers; 0 in a cell without records.

    Complexity
    ----------
    O(n + count).

    Examples
    --------
    >>> sums_by_cell(np.array([0, 2, 0]), np.array([[1, 5], [2, 6], [3, 7]]), 3).tolist()
    [[4, 12], [0, 0], [2, 6]]
    """
    out = np.empty((count, 2), dtype=np.int64)
    for j in range(2):
        column = keys[:, j]
        if len(cells) <= EXACT_IN_FLOAT:
            out[:, j] = np.bincount(cells, column, count)
        else:
            low = np.bincount(cells, column & 0xFFFF, count).astype(np.int64)
            out[:, j] = (np.bincount(cells, column >> 16, count).astype(np.int64) << 16) + low
    return out
