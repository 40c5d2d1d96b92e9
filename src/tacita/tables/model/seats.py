"""Seats: where an attacker sits who contributed to the table himself.

An outsider knows what is published and the relations. A contributor knows more: a cell that it is alone in, hidden or not,
and of every other cell that it is in, that it is not smaller than what it has there. A holding knows what all its
members know. Each of them is a seat from which the table must hold too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["Seats", "SeatsName"]

SeatsName: TypeAlias = Literal["contributors", "singletons", "none"]
"""Who attacks a table beside outsiders: everybody in it, those alone in cells with these cells only, or nobody."""


@dataclass(frozen=True, eq=False)
class Seats:
    """Contributors, the cells they are alone in, and what they have in others.

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
    holdings
        (s,): which seats are holdings; None where all are contributors.
    is_whole
        Whether the seats stand for everybody in the table, and not only for the largest of each cell.

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
    holdings: BoolArray | None = field(default=None, repr=False)
    is_whole: bool = True

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
        if owners is None or amounts is None:
            named, seat = np.unique(sole[alone], return_inverse=True)
            return cls.among(len(named), (alone, seat), None, floors=False, owners=named)
        cell, place = np.nonzero(owners >= 0)
        named = np.unique(np.concatenate([sole[alone], owners[cell, place]]))
        parts = (cell, np.searchsorted(named, owners[cell, place]), amounts[cell, place])
        return cls.among(len(named), (alone, np.searchsorted(named, sole[alone])), parts, floors=True, owners=named)

    @classmethod
    def among(
        cls,
        count: int,
        alone: tuple[IntArray, IntArray],
        parts: tuple[IntArray, IntArray, FloatArray] | None,
        *,
        floors: bool,
        owners: IntArray | None = None,
        holdings: BoolArray | None = None,
        is_whole: bool = True,
    ) -> Seats:
        """Make seats from pairs of a cell and a seat that is alone in it, and from what seats have in cells.

        Parameters
        ----------
        count
            Number of seats.
        alone
            Cells and who is alone in them.
        parts
            Cells, seats, and what the seat has there.
        floors
            Whether a seat knows that a cell is not smaller than what it has there.
        owners, holdings, is_whole
            See the class.
        """
        cells, seat = alone
        order = np.lexsort((cells, seat))
        start = np.searchsorted(seat[order], np.arange(count + 1)).astype(np.int64)
        named = np.arange(count) if owners is None else owners
        made = cls(start, cells[order].astype(np.int64), named.astype(np.int64), holdings=holdings, is_whole=is_whole)
        if parts is None or not floors:
            return made
        size = int(max(cells.max(initial=-1), parts[0].max(initial=-1))) + 1
        single = np.full(size, -1, np.int64)
        single[cells] = seat
        shared = np.flatnonzero((single[parts[0]] != parts[1]) & (parts[2] != 0))
        cell, who, amount = (each[shared] for each in parts)
        order = np.lexsort((cell, who))
        return cls(
            made.start,
            made.cells,
            made.owners,
            np.searchsorted(who[order], np.arange(count + 1)).astype(np.int64),
            cell[order].astype(np.int64),
            amount[order].astype(np.float64),
            holdings,
            is_whole,
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

    @property
    def seat_of_cell(self) -> IntArray:
        """The seat of each entry of ``cells``."""
        return np.repeat(np.arange(len(self)), np.diff(self.start)).astype(np.int64)

    def by_cell(self, size: int) -> tuple[IntArray, IntArray]:
        """Return for each of so many cells the seats that are alone in it, as starts and seat numbers."""
        order = np.argsort(self.cells, kind="stable")
        start = np.searchsorted(self.cells[order], np.arange(size + 1)).astype(np.int64)
        return start, self.seat_of_cell[order]

    def shared(self, seat: int) -> tuple[IntArray, FloatArray]:
        """Return the cells that a seat shares with others, in rising order, and what it has in them."""
        if self.own_start is None or self.own_cells is None or self.own_amounts is None:
            return np.empty(0, np.int64), np.empty(0)
        place = slice(self.own_start[seat], self.own_start[seat + 1])
        return self.own_cells[place], self.own_amounts[place]

    def parts(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return seats, cells and amounts of all that is shared with others."""
        if self.own_start is None or self.own_cells is None or self.own_amounts is None:
            return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        seat = np.repeat(np.arange(len(self)), np.diff(self.own_start)).astype(np.int64)
        return seat, self.own_cells, self.own_amounts

    def rooms(self, values: FloatArray, lower: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Return what every seat knows of cells as seats, cells and how far the cell can be under its value, -1 for not at all.

        A cell that a seat is alone in has -1: it does not move in either direction. By seat, then cell.
        """
        seat, cell, amount = self.parts()
        below = np.maximum(values[cell] - np.maximum(amount, lower[cell]), 0.0)
        tells = amount > lower[cell]
        who = np.concatenate([self.seat_of_cell, seat[tells]])
        where = np.concatenate([self.cells, cell[tells]])
        room = np.concatenate([np.full(len(self.cells), -1.0), below[tells]])
        order = np.lexsort((where, who))
        return who[order].astype(np.int64), where[order].astype(np.int64), room[order]

    def singletons(self) -> Seats:
        """The same seats, of which each knows nothing but the cells that it is alone in."""
        return Seats(self.start, self.cells, self.owners, holdings=self.holdings, is_whole=self.is_whole)

    @property
    def _counts(self) -> BoolArray:
        """(s,): seats that know anything."""
        alone = np.diff(self.start) > 0
        return alone if self.own_start is None else alone | (np.diff(self.own_start) > 0)

    @property
    def count(self) -> int:
        """Number of seats that know anything."""
        return int(self._counts.sum())

    @property
    def who(self) -> tuple[int, int]:
        """Number of contributors and of holdings among them."""
        groups = 0 if self.holdings is None else int((self._counts & self.holdings).sum())
        return self.count - groups, groups
