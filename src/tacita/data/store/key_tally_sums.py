"""Key tallies in pieces: records come in chunks, and only their cells, sums and largest contributors are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.perturbation.whole_parts import WholeParts, whole_parts

__all__ = ["KeyedCells", "LargestKept", "ValueCodes", "numbered_cells"]


def numbered_cells(codes: npt.NDArray[np.integer[Any]]) -> tuple[IntArray, IntArray]:
    """Number the records by their combination of codes; return the numbers, and the combination of each number.

    Where the thinkable combinations are few, all of them have a number, also those without a record.

    Notes
    -----
    O(n d) where they are few, O(n d + n log n) where they are not.

    Examples
    --------
    >>> cell, inner = numbered_cells(np.array([[0, 1], [-1, 0], [0, 1]]))
    >>> inner[cell].tolist()
    [[0, 1], [-1, 0], [0, 1]]
    """
    sizes = [int(column.max(initial=-1)) + 2 for column in codes.T]  # a missing code is 0
    whole = 1
    for size in sizes:
        whole *= size
    if whole >= 2**62:
        _, first, label = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        return label.astype(np.int64), codes[first].astype(np.int64)
    label = np.zeros(len(codes), dtype=np.int64)
    for column, size in zip(codes.T, sizes, strict=True):
        label *= size
        label += column
        label += 1
    if whole > max(4 * len(codes), 1 << 16):
        named, label = np.unique(label, return_inverse=True)
    else:
        named = np.arange(whole)
    inner = np.empty((len(named), codes.shape[1]), dtype=np.int64)
    for axis in range(codes.shape[1] - 1, -1, -1):
        named, inner[:, axis] = np.divmod(named, sizes[axis])
    return label.astype(np.int64, copy=False), inner - 1


class ValueCodes:
    """The values of a column, numbered in the order in which they come."""

    def __init__(self) -> None:
        self._values: pa.Array | None = None

    def codes(self, column: pa.ChunkedArray) -> npt.NDArray[np.int32]:
        """Return the number of each value, -1 where it is missing; values not seen before get the next numbers."""
        found = column.combine_chunks().dictionary_encode()
        words = found.dictionary
        known = words[:0] if self._values is None else self._values
        fresh = words.filter(pc.is_null(pc.index_in(words, value_set=known)))
        if len(fresh) or self._values is None:
            known = self._values = pa.concat_arrays([known, fresh])
        places = pc.index_in(words, value_set=known).to_numpy(zero_copy_only=False).astype(np.int32)
        return np.asarray(
            np.append(places, np.int32(-1))[found.indices.fill_null(-1).to_numpy(zero_copy_only=False)], np.int32
        )

    def values(self, codes: npt.NDArray[np.integer[Any]]) -> pa.Array:
        """Return the values of some numbers, null for -1."""
        known = pa.nulls(0) if self._values is None else self._values
        return known.take(pa.array(codes, mask=codes < 0))


@dataclass
class KeyedCells:
    """Cells with whole numbers that are added up: how many records, sums of keys, and exact sums of broken numbers.

    Parameters
    ----------
    dimensions
        How many codes a cell has.
    amounts
        How many columns of broken numbers are added up.
    """

    dimensions: int
    amounts: int = 0
    _parts: list[tuple[npt.NDArray[np.int32], IntArray, list[WholeParts]]] = field(default_factory=list)

    def add(self, codes: npt.NDArray[np.int32], whole: IntArray, amounts: Sequence[FloatArray] = ()) -> None:
        """Add some records: (m, d) codes, (m, k) whole numbers, and columns of broken ones."""
        self._parts.append(_added(codes, whole, [whole_parts(column) for column in amounts]))
        # Cells are kept twice at most: parts are put together as soon as the later ones have as many as the first.
        if len(self._parts) > 1 and sum(len(part[0]) for part in self._parts[1:]) >= len(self._parts[0][0]):
            self._parts = [self._together()]

    def result(self) -> tuple[npt.NDArray[np.int32], IntArray, list[WholeParts]]:
        """Return (c, d) codes of the cells, (c, k) sums, and exact sums of broken numbers."""
        self._parts = [self._together()]
        return self._parts[0]

    def _together(self) -> tuple[npt.NDArray[np.int32], IntArray, list[WholeParts]]:
        if len(self._parts) == 1:
            return self._parts[0]
        codes = np.concatenate([part[0] for part in self._parts])
        whole = np.concatenate([part[1] for part in self._parts])
        cut = [_joined([part[2][j] for part in self._parts]) for j in range(self.amounts)]
        self._parts = []
        return _added(codes, whole, cut)


def _added(
    codes: npt.NDArray[np.int32], whole: IntArray, amounts: Sequence[WholeParts]
) -> tuple[npt.NDArray[np.int32], IntArray, list[WholeParts]]:
    """Add up rows of the same codes."""
    cell, inner = numbered_cells(codes)
    there = np.flatnonzero(np.bincount(cell, minlength=len(inner)))

    def total(columns: IntArray) -> IntArray:
        made = np.zeros((len(inner), columns.shape[1]), np.int64)
        for place in range(columns.shape[1]):
            one = np.zeros(len(inner), np.int64)
            np.add.at(one, cell, columns[:, place])
            made[:, place] = one
        return made[there]

    sums = [WholeParts(one.lowest, total(one.parts)) for one in amounts]
    return inner[there].astype(np.int32), total(whole), sums


def _joined(pieces: Sequence[WholeParts]) -> WholeParts:
    """Put pieces with different powers one below the other."""
    filled = [one for one in pieces if one.parts.shape[1]]
    lowest = min((one.lowest for one in filled), default=0)
    count = max((one.lowest + one.parts.shape[1] for one in filled), default=0) - lowest
    wide = [
        one.widened(lowest, count).parts if one.parts.shape[1] else np.zeros((len(one.parts), count), np.int64)
        for one in pieces
    ]
    return WholeParts(lowest, np.concatenate(wide))


@dataclass
class LargestKept:
    """The largest contributors of each cell, by size without sign; equal ones in the order of who they are.

    Parameters
    ----------
    depth
        How many a cell.
    """

    depth: int
    _parts: list[tuple[npt.NDArray[np.int32], pa.Array, npt.NDArray[np.uint64], FloatArray]] = field(
        default_factory=list
    )

    def add(
        self, codes: npt.NDArray[np.int32], who: pa.Array, words: npt.NDArray[np.uint64], shares: FloatArray
    ) -> None:
        """Add some records: (m, d) codes, who they are, their keyed words, and (k, m) shares, the amount first."""
        self._parts.append(self._cut(codes, who, words, shares))
        if len(self._parts) > 1 and sum(len(part[0]) for part in self._parts[1:]) >= len(self._parts[0][0]):
            self._together()

    def result(self) -> tuple[npt.NDArray[np.int32], IntArray, npt.NDArray[np.uint64], FloatArray]:
        """Return codes, places in the order of who they are, keyed words and shares of those who are kept."""
        self._together()
        codes, who, words, shares = self._parts[0]
        return codes, _ranks(who), words, shares

    def _together(self) -> None:
        codes, words = (np.concatenate([part[j] for part in self._parts]) for j in (0, 2))
        who = pa.concat_arrays([part[1] for part in self._parts])
        shares = np.concatenate([part[3] for part in self._parts], axis=1)
        self._parts = [self._cut(codes, who, words, shares)]

    def _cut(
        self, codes: npt.NDArray[np.int32], who: pa.Array, words: npt.NDArray[np.uint64], shares: FloatArray
    ) -> tuple[npt.NDArray[np.int32], pa.Array, npt.NDArray[np.uint64], FloatArray]:
        cell, _ = numbered_cells(codes)
        order = np.lexsort((_ranks(who), -np.abs(shares[0]), cell))
        ordered = cell[order]
        first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else np.empty(0, np.int64)
        place = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
        kept = np.sort(order[place < self.depth])
        return codes[kept], who.take(pa.array(kept)), words[kept], shares[:, kept]


def _ranks(who: pa.Array) -> IntArray:
    """Return the place of each one in the order of all: whole numbers by size, texts by their bytes."""
    order = pc.sort_indices(who).to_numpy()
    made = np.empty(len(order), np.int64)
    made[order] = np.arange(len(order))
    return made
