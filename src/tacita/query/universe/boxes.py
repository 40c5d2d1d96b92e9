"""Boxes: the canonical form of a universe, the same for every way of writing it.

A piece is a box in the table of its variables: on each variable a set of classes. A union of boxes can be written in many ways;
the set of its *maximal* boxes (those that lie in the union and in no larger box that does) is one and the same for all of them.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.query.universe.universe import MOST_CONDITIONS, MOST_PIECES

__all__ = ["EVERYBODY", "MOST_BOXES", "Box", "Boxes", "TooComplex", "intersections", "maximal_boxes"]

Box: TypeAlias = tuple[int, ...]
"""On each variable the classes as a bit mask."""

MOST_BOXES = 512
"""So many boxes are looked at on the way to the maximal ones; the search ends there."""

MOST_STEPS = 400_000
"""Pairs of boxes that are looked at; about a second, and a universe that needs more is refused."""


_TOO_MANY = (
    f"The universe must have at most {MOST_PIECES} maximal pieces of {MOST_CONDITIONS} conditions each; ask for less."
)


class TooComplex(DataError):  # noqa: N818  it is raised as an answer: the question is too complex
    """The universe has more maximal boxes or intersections than are looked at."""


@dataclass(frozen=True)
class Boxes:
    """A universe in canonical form.

    Parameters
    ----------
    variables
        The variables that matter, by name: on each of them at least one box is no whole range.
    shape
        Number of classes of each.
    boxes
        The maximal boxes, sorted. Without variables there is one, everybody.
    """

    variables: tuple[str, ...]
    shape: tuple[int, ...]
    boxes: tuple[Box, ...]

    def grid(self) -> BoolArray:
        """Return which cells of the table of the variables belong to the universe."""
        inside = np.zeros(self.shape, dtype=np.bool_)
        for box in self.boxes:
            inside[np.ix_(*self.classes(box))] = True
        return inside

    def classes(self, box: Box) -> list[IntArray]:
        """Return the classes of a box on each variable."""
        return [_bits(mask, size) for mask, size in zip(box, self.shape, strict=True)]

    def count(self, box: Box, table: IntArray) -> int:
        """Return how many records of a table of the variables lie in a box."""
        return int(table[np.ix_(*self.classes(box))].sum()) if self.shape else int(table)

    def split(self, box: Box, is_cutpoint: Sequence[bool]) -> list[Box]:
        """Cut a box into the classes of its categorical variables; bins of cutpoint variables stay together.

        A variable on which the box has its whole range is no condition and is not cut.

        Parameters
        ----------
        box
            A box of this universe, or an intersection of some.
        is_cutpoint
            For each variable whether its classes are bins.

        Raises
        ------
        TooComplex
            When there are more parts than are looked at.

        References
        ----------
        Lucero et al. (2011), section 3.1.1: bins of a cutpoint variable are combined within a piece, classes of an inherently
        categorical variable are not.
        """
        found: list[Box] = [()]
        for mask, size, together in zip(box, self.shape, is_cutpoint, strict=True):
            parts = [mask] if together or mask == _full(size) else [1 << int(bit) for bit in _bits(mask, size)]
            if len(found) * len(parts) > 8 * MOST_BOXES:
                raise TooComplex("The universe has too many combinations of classes to look at each.")
            found = [(*made, part) for made in found for part in parts]
        return found

    def split_sums(self, box: Box, is_cutpoint: Sequence[bool], numbers: IntArray) -> IntArray:
        """Return (p, d): sums of the numbers of a table over each part that :meth:`split` cuts a box into.

        Parameters
        ----------
        box, is_cutpoint
            As in :meth:`split`.
        numbers
            (..., d): numbers for each cell of the table of the variables.

        Raises
        ------
        TooComplex
            When there are more parts than are looked at.
        """
        classes = self.classes(box)
        whole = [len(numbers_of) == size for numbers_of, size in zip(classes, self.shape, strict=True)]
        together = tuple(v for v, (bins, full) in enumerate(zip(is_cutpoint, whole, strict=True)) if bins or full)
        parts = prod(len(numbers_of) for v, numbers_of in enumerate(classes) if v not in together)
        if parts > 8 * MOST_BOXES:
            raise TooComplex("The universe has too many combinations of classes to look at each.")
        found = numbers[np.ix_(*classes)] if classes else numbers
        return np.asarray(found.sum(axis=together)).reshape(parts, numbers.shape[-1])


EVERYBODY = Boxes((), (), ((),))
"""The universe without a condition."""


def maximal_boxes(variables: Sequence[str], shape: Sequence[int], pieces: Sequence[Box]) -> Boxes:
    """Return the canonical form of a union of boxes.

    Iterated consensus: of two boxes A and B, and a variable v, the box that has A_v or B_v on v and what both have on all
    others lies in their union. Adding such boxes, and taking away those that lie in another, until nothing changes, ends with
    all maximal boxes. Every step adds a box that lies in none of those there, and there are finitely many boxes, so it ends;
    above :data:`MOST_BOXES` it stops with an error. What is found can always be worded as a universe again, so that a journal
    can be read: it has at most as many pieces and conditions as a universe may have.

    Parameters
    ----------
    variables
        Names of the variables, sorted.
    shape
        Number of classes of each.
    pieces
        The boxes of the union; none may be empty.

    Returns
    -------
    Boxes
        The maximal boxes, and the variables that matter.

    Raises
    ------
    TooComplex
        When there are more boxes than are looked at.

    Complexity
    ----------
    O(b^2 m) pairs for b boxes and m variables, each compared with O(b) others; at most :data:`MOST_STEPS` of them. Large boxes
    are looked at first, since they hold most of the others.

    Examples
    --------
    >>> found = maximal_boxes(["age", "sex"], [2, 2], [(0b01, 0b01), (0b01, 0b10)])
    >>> found.variables, found.boxes
    (('age',), ((1,),))
    """
    packing = _Packing(shape)
    kept: list[int] = []
    waiting = [(-box.bit_count(), box) for box in map(packing.packed, dict.fromkeys(pieces))]
    heapq.heapify(waiting)
    seen = {box for _, box in waiting}
    steps = MOST_STEPS // (1 + packing.width // 4096)
    while waiting:
        new = heapq.heappop(waiting)[1]
        if any(box | new == box for box in kept):
            continue
        kept = [box for box in kept if box | new != new]
        for box in kept:
            for made in packing.consensus(box, new):
                steps -= 1
                if made not in seen:
                    seen.add(made)
                    if made | new != new and not any(other | made == other for other in kept):
                        heapq.heappush(waiting, (-made.bit_count(), made))
        kept.append(new)
        if len(kept) > MOST_BOXES or steps < 0 or len(seen) > 100 * MOST_BOXES:
            raise TooComplex(_TOO_MANY)
    found = [packing.unpacked(box) for box in kept]
    conditions = [sum(mask != _full(size) for mask, size in zip(box, shape, strict=True)) for box in found]
    if len(found) > MOST_PIECES or max(conditions, default=0) > MOST_CONDITIONS:
        raise TooComplex(_TOO_MANY)
    matters = [v for v, size in enumerate(shape) if any(box[v] != _full(size) for box in found)]
    boxes = sorted({tuple(box[v] for v in matters) for box in found})
    return Boxes(tuple(variables[v] for v in matters), tuple(shape[v] for v in matters), tuple(boxes))


def intersections(boxes: Sequence[Box]) -> list[Box]:
    """Return all intersections of two and more maximal boxes that share a cell, each once.

    Parameters
    ----------
    boxes
        Maximal boxes: none lies in another.

    Raises
    ------
    TooComplex
        When there are more of them than are looked at.

    Complexity
    ----------
    O(b i) for b boxes with i intersections.
    """
    if len(boxes) < 2:
        return []
    packing = _Packing([max(box[v].bit_length() for box in boxes) for v in range(len(boxes[0]))])
    listed = [packing.packed(box) for box in boxes]
    seen, frontier = set(listed), listed
    found: list[int] = []
    while frontier:
        added = []
        for one in frontier:
            for other in listed:
                both = one & other
                if both not in seen:
                    seen.add(both)
                    if packing.has_cells(both):
                        added.append(both)
        found += added
        if len(found) > 8 * MOST_BOXES:
            raise TooComplex("The pieces of the universe have too many intersections to look at each.")
        frontier = added
    return [packing.unpacked(box) for box in found]


class _Packing:
    """Boxes as single whole numbers, the masks of their variables side by side: comparing two is one operation."""

    def __init__(self, shape: Sequence[int]) -> None:
        self.starts = [sum(shape[:v]) for v in range(len(shape))]
        self.sizes = list(shape)
        self.fields = [_full(size) << start for size, start in zip(self.sizes, self.starts, strict=True)]
        self.width = sum(shape)

    def packed(self, box: Box) -> int:
        return sum(mask << start for mask, start in zip(box, self.starts, strict=True))

    def unpacked(self, packed: int) -> Box:
        return tuple(packed >> start & _full(size) for start, size in zip(self.starts, self.sizes, strict=True))

    def has_cells(self, packed: int) -> bool:
        return all(packed & field for field in self.fields)

    def consensus(self, a: int, b: int) -> list[int]:
        """The boxes that join two others along one variable."""
        both, either = a & b, a | b
        apart = [field for field in self.fields if not both & field]
        if len(apart) > 1:
            return []
        return [both | either & field for field in apart or self.fields]


def _full(size: int) -> int:
    return (1 << size) - 1


def _bits(mask: int, size: int) -> IntArray:
    return np.array([bit for bit in range(size) if mask >> bit & 1], dtype=np.int64)
