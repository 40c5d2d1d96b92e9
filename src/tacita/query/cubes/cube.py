"""A cube: counts and sums of keyed hashes for every combination of classes of some variables, over all records.

All three numbers of a cell are whole and add up over disjoint sets of records. So the table of a universe is a slice of a cube
that has its variables, added up over those that the table does not have; which cube it was read from changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray
from tacita.query.universe.boxes import Boxes

__all__ = ["CellSums", "Cube"]


@dataclass(frozen=True, eq=False)
class CellSums:
    """The records of each cell of a table, as a number and exact sums of their keyed hashes.

    Parameters
    ----------
    numbers
        (cells, 3): number of records, sums of their first and of their second hash; in the order of the flattened table.
    shape
        Number of classes of each variable.
    """

    numbers: IntArray = field(repr=False)
    shape: tuple[int, ...]

    @cached_property
    def counts(self) -> IntArray:
        """(cells,): number of records."""
        return np.ascontiguousarray(self.numbers[:, 0])

    @cached_property
    def sums(self) -> IntArray:
        """(cells, 2): sums of the keyed hashes."""
        return np.ascontiguousarray(self.numbers[:, 1:])

    @cached_property
    def whole(self) -> tuple[int, int, int]:
        """The two sums and the number of all records of the table together: what the set is known by."""
        n, first, second = self.numbers.sum(axis=0).tolist()
        return first, second, n

    def less(self, cells: IntArray, keys: IntArray | PlaceArray) -> CellSums:
        """Return the table without some of its records.

        Parameters
        ----------
        cells
            (m,): the cells of these records.
        keys
            (m, 2): their keyed hashes.
        """
        if not len(cells):
            return self
        numbers = self.numbers.copy()
        np.subtract.at(numbers[:, 0], cells, 1)
        np.subtract.at(numbers[:, 1:], cells, keys.astype(np.int64))
        return CellSums(numbers, self.shape)


@dataclass(frozen=True, eq=False)
class Cube:
    """The unfiltered table of some variables.

    Parameters
    ----------
    names
        The variables, sorted: one cube for all orders and roles.
    numbers
        (..., 3): for each cell what :class:`CellSums` has.

    Examples
    --------
    >>> cube = Cube(("sex",), np.array([[3, 10, 20], [2, 5, 7]]))
    >>> cube.of_universe((), Boxes(("sex",), (2,), ((0b10,),))).whole
    (5, 7, 2)
    """

    names: tuple[str, ...]
    numbers: IntArray = field(repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of classes of each variable."""
        return self.numbers.shape[:-1]

    def margin(self, names: Sequence[str]) -> Cube:
        """Return the cube of some of the variables."""
        kept = set(names)
        axes = tuple(axis for axis, name in enumerate(self.names) if name not in kept)
        left = tuple(name for name in self.names if name in kept)
        return Cube(left, self.numbers.sum(axis=axes) if axes else self.numbers)

    def in_order(self, by: Sequence[str]) -> IntArray:
        """Return the numbers with the axes in the order of ``by``, which has all variables: (..., 3)."""
        return self.numbers.transpose([*(self.names.index(name) for name in by), len(self.names)])

    def of_universe(self, by: Sequence[str], boxes: Boxes) -> CellSums:
        """Return the table of a universe by some of the variables.

        Parameters
        ----------
        by
            The variables of the table.
        boxes
            The universe; its variables may be among those of the table.

        Notes
        -----
        O(c) for c cells of the cube; a universe of one box takes its classes only.
        """
        if len(boxes.boxes) == 1:
            chosen = dict(zip(boxes.variables, boxes.classes(boxes.boxes[0]), strict=True))
            made = _of_one_box(self.numbers, self.names, chosen, set(by))
        else:
            places = [boxes.variables.index(name) if name in boxes.variables else -1 for name in self.names]
            inside = boxes.grid().reshape([1 if place < 0 else boxes.shape[place] for place in places])
            made = self.numbers * inside[..., None]
            made = made.sum(axis=tuple(axis for axis, name in enumerate(self.names) if name not in by))
        cube = Cube(tuple(name for name in self.names if name in by), made)
        shape = tuple(self.shape[self.names.index(name)] for name in by)
        return CellSums(np.ascontiguousarray(cube.in_order(by)).reshape(prod(shape), 3), shape)


def _of_one_box(numbers: IntArray, names: Sequence[str], chosen: dict[str, IntArray], by: set[str]) -> IntArray:
    """Add up the classes that are chosen of each variable outside the table; of one inside, the others become 0."""
    made = numbers
    for axis in reversed(range(len(names))):  # from behind, so that the axes before stay where they are
        name, classes = names[axis], chosen.get(names[axis])
        if name not in by:
            made = (made if classes is None else made.take(classes, axis=axis)).sum(axis=axis)
        elif classes is not None:
            outside = np.ones(made.shape[axis], dtype=np.bool_)
            outside[classes] = False
            made = np.where(outside.reshape([-1 if a == axis else 1 for a in range(made.ndim)]), 0, made)
    return made
