"""What is asked of unsafe cells when they are attacked from a contributor's own place.

From outside a cell has one level on each side. From inside it depends on who looks: whoever has a part of the cell
takes it off and is left with what the others have.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["Inside"]


@dataclass(frozen=True, eq=False)
class Inside:
    """Levels of cells from inside: one for most seats, and others for seats that are listed.

    Parameters
    ----------
    most
        (n, 3): levels below, above and sliding of each cell from every seat that is not listed for it.
    cells, seats
        (m,): listed pairs, by cell and then seat.
    levels
        (m, 3): their levels.

    Examples
    --------
    >>> made = Inside.of(np.ones((2, 3)), np.array([1]), np.array([7]), np.array([[0.0, 0.5, 0.0]]))
    >>> made.of_seat(7, np.array([0, 1])).tolist()
    [[1.0, 1.0, 1.0], [0.0, 0.5, 0.0]]
    """

    most: FloatArray = field(repr=False)
    cells: IntArray = field(repr=False)
    seats: IntArray = field(repr=False)
    levels: FloatArray = field(repr=False)

    @classmethod
    def of(cls, most: FloatArray, cells: IntArray, seats: IntArray, levels: FloatArray) -> Inside:
        """Bring pairs into order; of pairs that are told twice the last counts."""
        order = np.lexsort((np.arange(len(cells)), seats, cells))
        cells, seats = cells[order], seats[order]
        last = np.append((cells[1:] != cells[:-1]) | (seats[1:] != seats[:-1]), True)[: len(cells)]
        return cls(
            np.asarray(most, np.float64),
            cells[last].astype(np.int64),
            seats[last].astype(np.int64),
            np.asarray(levels, np.float64).reshape(-1, 3)[order][last],
        )

    @classmethod
    def alike(cls, below: FloatArray, above: FloatArray, sliding: FloatArray) -> Inside:
        """The same from every seat."""
        nothing = np.empty(0, np.int64)
        return cls(np.stack([below, above, sliding], axis=1), nothing, nothing, np.empty((0, 3)))

    def __or__(self, other: Inside) -> Inside:
        """What one or the other asks; the wider level counts."""
        cells, seats = np.concatenate([self.cells, other.cells]), np.concatenate([self.seats, other.seats])
        levels = np.maximum(self.of_pairs(cells, seats), other.of_pairs(cells, seats))
        return Inside.of(np.maximum(self.most, other.most), cells, seats, levels)

    @property
    def start(self) -> IntArray:
        """(n + 1,): where the pairs of each cell begin."""
        return np.searchsorted(self.cells, np.arange(len(self.most) + 1)).astype(np.int64)

    def of_pairs(self, cells: IntArray, seats: IntArray) -> FloatArray:
        """Return (k, 3): the levels of pairs of a cell and a seat."""
        found: FloatArray = self.most[cells].copy()
        if len(self.cells) and len(cells):
            width = int(max(self.seats.max(initial=0), seats.max(initial=0))) + 1
            own, asked = self.cells * width + self.seats, cells * width + seats
            place = np.minimum(np.searchsorted(own, asked), len(own) - 1)
            listed = own[place] == asked
            found[listed] = self.levels[place[listed]]
        return found

    def of_seat(self, seat: int, cells: IntArray) -> FloatArray:
        """Return (k, 3): the levels of cells from one seat."""
        return self.of_pairs(cells, np.full(len(cells), seat, np.int64))

    def bounded(self, down: FloatArray, up: FloatArray) -> Inside:
        """Ask for no more than what everybody knows beforehand leaves open: (n,) under and over the value."""
        most = np.stack([down, up, down + up], axis=1)
        return Inside(
            np.minimum(self.most, most),
            self.cells,
            self.seats,
            np.minimum(self.levels, most[self.cells]).reshape(-1, 3),
        )

    def with_levels(self, cells: BoolArray, below: FloatArray, above: FloatArray) -> Inside:
        """Ask the same of some cells from everybody, and no width."""
        most = np.where(cells[:, None], np.stack([below, above, np.zeros(len(cells))], axis=1), self.most)
        kept = ~cells[self.cells]
        return Inside(most, self.cells[kept], self.seats[kept], self.levels[kept])

    def within(self, cells: IntArray, seats: IntArray, size: int) -> Inside:
        """The same for some cells and seats alone, numbered anew; ``seats`` are in rising order."""
        place = np.full(len(self.most), -1, np.int64)
        place[cells] = np.arange(size)
        number = np.searchsorted(seats, self.seats)
        number[number == len(seats)] = 0
        kept = place[self.cells] >= 0
        kept &= seats[number] == self.seats if len(seats) else False
        return Inside.of(self.most[cells], place[self.cells[kept]], number[kept], self.levels[kept])
