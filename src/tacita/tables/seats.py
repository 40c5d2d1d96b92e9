"""Seats: where an attacker sits who contributed to the table himself.

An outsider knows what is published and the relations. Whoever is alone in a cell knows that cell as well, hidden or
not; a holding that is alone in several cells knows all of them at once. Each such contributor is a seat from which the
table must hold too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["Seats"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Seats:
    """Contributors who are alone in cells of the table.

    Parameters
    ----------
    start
        (s + 1,): seat j knows the cells ``cells[start[j]:start[j + 1]]``.
    cells
        The cells that a seat is alone in.
    owners
        (s,): number of the contributor or holding that sits there.
    own_start, own_cells, own_amounts
        What a seat has in cells that it shares with others: its amount ``own_amounts[j]`` in the cell ``own_cells[j]``, cells
        of a seat in rising order. It knows that such a cell is not smaller than that.

    Examples
    --------
    >>> seats = Seats.of(np.array([7, -1, 7, 4]))
    >>> len(seats), seats.known(1).tolist()
    (2, [0, 2])
    """

    start: IntArray = field(repr=False)
    cells: IntArray = field(repr=False)
    owners: IntArray = field(repr=False)
    own_start: IntArray | None = field(default=None, repr=False)
    own_cells: IntArray | None = field(default=None, repr=False)
    own_amounts: FloatArray | None = field(default=None, repr=False)

    @classmethod
    def of(cls, sole: IntArray, owners: IntArray | None = None, amounts: FloatArray | None = None) -> Seats:
        """Make seats from the sole contributor of each cell, -1 where there is none or more than one.

        Parameters
        ----------
        sole
            (n,): the only contributor of each cell, or -1.
        owners, amounts
            (n, m): the largest contributors of each cell, -1 where there is none, and what they have in it.
        """
        alone = np.flatnonzero(sole >= 0)
        order = alone[np.argsort(sole[alone], kind="stable")]
        seated, first = np.unique(sole[order], return_index=True)
        start = np.append(first, len(order)).astype(np.int64)
        made = cls(start, order.astype(np.int64), seated.astype(np.int64))
        return made if owners is None or amounts is None else made._sharing(sole, owners, amounts)

    def _sharing(self, sole: IntArray, owners: IntArray, amounts: FloatArray) -> Seats:
        cell, place = np.nonzero((owners >= 0) & (sole < 0)[:, None])
        owner = owners[cell, place]
        seat = np.searchsorted(self.owners, owner)
        if not len(self):
            return self
        here = np.flatnonzero(self.owners[np.minimum(seat, len(self) - 1)] == owner)
        seat, cell, amount = seat[here], cell[here], amounts[cell, place][here]
        order = np.lexsort((cell, seat))
        start = np.searchsorted(seat[order], np.arange(len(self) + 1))
        return Seats(
            self.start, self.cells, self.owners, start.astype(np.int64), cell[order].astype(np.int64), amount[order]
        )

    @classmethod
    def nobody(cls) -> Seats:
        """No seat: the table is attacked by outsiders only."""
        return cls(np.zeros(1, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.owners)

    def known(self, seat: int) -> IntArray:
        """Return the cells that a seat is alone in."""
        return self.cells[self.start[seat] : self.start[seat + 1]]

    def by_cell(self, size: int) -> tuple[IntArray, IntArray]:
        """Return for each of so many cells the seats that are alone in it, as starts and seat numbers."""
        seat = np.repeat(np.arange(len(self)), np.diff(self.start))
        order = np.argsort(self.cells, kind="stable")
        start = np.searchsorted(self.cells[order], np.arange(size + 1)).astype(np.int64)
        return start, seat[order].astype(np.int64)

    def shared(self, seat: int) -> tuple[IntArray, FloatArray]:
        """Return the cells that a seat shares with others, in rising order, and what it has in them."""
        if self.own_start is None or self.own_cells is None or self.own_amounts is None:
            return np.empty(0, np.int64), np.empty(0)
        place = slice(self.own_start[seat], self.own_start[seat + 1])
        return self.own_cells[place], self.own_amounts[place]
