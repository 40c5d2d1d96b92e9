"""Tables of the records of a version: of all of them, and of universes; read from kept cubes, or counted in one pass."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, PlaceArray
from tacita.core.errors import ParameterError
from tacita.query.cubes.cube import CellSums, Cube
from tacita.query.cubes.kept_arrays import KeptArrays
from tacita.query.cubes.record_planes import Codes, RecordPlanes
from tacita.query.universe.boxes import Boxes

__all__ = ["MOST_CELLS", "KeptName", "RecordTables"]

MOST_CELLS = 1_000_000
"""The largest table that is looked at, for universes and for answers."""

_LARGEST_CUBE = 1 << 17
"""Cells of a cube that is made because a question asks for a part of it; a part of a larger one is counted on its own."""

KeptName: TypeAlias = frozenset[str] | tuple[str, Hashable]
"""A cube is kept by the set of its variables, a column by its name and what was done to it."""


class RecordTables:
    """Counts of records, with exact sums of their keyed hashes, in the cells of any table and universe.

    Parameters
    ----------
    planes
        The classes of all records.
    keys
        Gives the keyed hashes of all records, (n, 2).
    kept
        Where cubes are kept.

    Notes
    -----
    All numbers are whole, so a table does not depend on which cube it was read from, nor on what was asked before. Several
    threads may ask at a time: cubes are never changed, and two that are made of the same at once are equal.
    """

    def __init__(self, planes: RecordPlanes, keys: Callable[[], PlaceArray], kept: KeptArrays[KeptName]) -> None:
        self._planes, self._keys, self._kept = planes, keys, kept

    @property
    def nbytes(self) -> int:
        """Bytes of the classes of all records."""
        return self._planes.nbytes

    def codes(self, name: str) -> Codes:
        """Return the class of each record, read-only."""
        return self._planes.codes(name)

    def places(self, names: Sequence[str]) -> PlaceArray:
        """Return the cell of every record in the table of some variables.

        Raises
        ------
        ParameterError
            When it has too many cells.
        """
        self._checked(names)
        return self._planes.places(names)

    def shape(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the number of classes of some variables."""
        return self._planes.shape(names)

    def _checked(self, names: Sequence[str]) -> tuple[int, ...]:
        """The shape of a table that is not too large."""
        shape = self.shape(names)
        if prod(shape) > MOST_CELLS:
            raise ParameterError(
                f"The table of {', '.join(names)} must have at most {MOST_CELLS} cells, got {prod(shape)}."
            )
        return shape

    def cube(self, names: Sequence[str]) -> Cube:
        """Return the unfiltered table of some variables, in whatever order they are named.

        It is taken from those that are kept, added up from a kept one with more variables, or counted.

        Raises
        ------
        ParameterError
            When it has too many cells.
        """
        wanted = tuple(sorted(set(names)))
        found = self._kept.get(frozenset(wanted))
        if found is None:
            shape = self._checked(wanted)
            larger = self._larger(frozenset(wanted))
            counted = self._planes.count(wanted, self._keys()) if larger is None else larger.margin(wanted).numbers
            found = self._kept.keep(frozenset(wanted), counted.reshape(*shape, 3))
        return Cube(wanted, found)

    def _larger(self, names: frozenset[str]) -> Cube | None:
        """The smallest kept cube that has these variables and others."""
        having = [kept for kept in self._kept.names if isinstance(kept, frozenset) and names < kept]
        for kept in sorted(having, key=lambda kept: prod(self.shape(tuple(kept)))):
            numbers = self._kept.get(kept)
            if numbers is not None:
                return Cube(tuple(sorted(kept)), numbers)
        return None

    def least_in_cells(self, names: frozenset[str]) -> int:
        """Return how many records the smallest cell has that has any, in the table of some variables of whatever size.

        Parameters
        ----------
        names
            Variables with classes.

        Complexity
        ----------
        O(n) for a table of some million cells, O(n log n) for a larger one.
        """
        if not self._planes.records:
            return 0
        wanted = sorted(names)
        if prod(self.shape(wanted)) <= 4 * MOST_CELLS:
            counts = np.bincount(self._planes.places(wanted))
            return int(counts[counts > 0].min())
        number, below = np.zeros(self._planes.records, dtype=np.int64), 1
        for name, size in zip(wanted, self.shape(wanted), strict=True):
            if below * size >= 1 << 62:
                number = np.unique(number, return_inverse=True)[1].astype(np.int64)
                below = int(number.max()) + 1
            number = number * size + self.codes(name)
            below *= size
        return int(np.unique(number, return_counts=True)[1].min())

    def counted(self, by: Sequence[str], boxes: Boxes) -> CellSums:
        """Return counts and sums of keyed hashes in every cell of the table of a universe.

        Parameters
        ----------
        by
            The variables of the table, in their order.
        boxes
            The universe.

        Raises
        ------
        ParameterError
            When the table has too many cells.

        Complexity
        ----------
        O(c) where a cube of c cells is kept that has all the variables, otherwise one pass over the records.
        """
        together = tuple(sorted({*by, *boxes.variables}))
        if prod(self.shape(together)) <= _LARGEST_CUBE or not boxes.variables:
            return self.cube(together).of_universe(by, boxes)
        shape = self._checked(tuple(by))
        self._checked(boxes.variables)
        return CellSums(self._planes.count_inside(by, boxes.variables, boxes.grid(), self._keys()), shape)

    def find(self, by: Sequence[str], boxes: Boxes) -> tuple[PlaceArray, PlaceArray]:
        """Return the rows of a universe, increasing, and their cells in the table of some variables."""
        self._checked(tuple(by))
        self._checked(boxes.variables)
        return self._planes.find(by, boxes.variables, boxes.grid())

    def has(self, boxes: Boxes, rows: IntArray) -> BoolArray:
        """Return which of some records are in a universe."""
        return np.asarray(boxes.grid().ravel()[self._planes.places_at(boxes.variables, rows)])

    def cells_at(self, by: Sequence[str], rows: IntArray) -> IntArray:
        """Return the cells of some records in the table of some variables."""
        return self._planes.places_at(by, rows)
