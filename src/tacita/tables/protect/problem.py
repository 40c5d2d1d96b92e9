"""The protection problem as arrays: what is to be hidden, how well, from whom, and what hiding costs.

Every protector and the auditor take this one form, whatever table it came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.relations import Relations, unit_of
from tacita.tables.model.seats import Seats
from tacita.tables.rules.inside import Inside

__all__ = ["Problem"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Cells with relations, what everybody knows, what must not be learned, and what hiding a cell costs.

    An unsafe cell i with value a is protected from an attacker when his interval [l, u] for it, over all tables that
    agree with the published cells, the relations and the bounds, meets ``l <= a - below``, ``u >= a + above`` and
    ``u - l >= sliding``. This must hold for the outsider. A seat knows the cells that it is alone in and floors of those
    that it shares with others; from there a cell has levels of its own (``inside``), and the lower one ends at what the
    seat has in it (:meth:`levels_from`).

    Parameters
    ----------
    relations
        A with ``A x = 0`` for the values.
    values
        (n,): true values.
    lower, upper
        (n,): what everybody knows about a cell before the table is published; 0 and infinity for sums of
        non-negative amounts. Equal bounds mean that the cell is known, such as one that is empty by structure.
    unsafe
        (n,): cells that must be hidden and protected.
    below, above, sliding
        (n,): protection levels of the unsafe cells, non-negative; those of other cells are not looked at.
    cost
        (n,): what hiding a cell costs, positive.
    locked
        (n,): cells that must be published.
    seats
        Contributors who know cells of their own, and floors of others.
    inside
        What is asked from the seats; None for the same as from outside.
    """

    relations: Relations
    values: FloatArray = field(repr=False)
    lower: FloatArray = field(repr=False)
    upper: FloatArray = field(repr=False)
    unsafe: BoolArray = field(repr=False)
    below: FloatArray = field(repr=False)
    above: FloatArray = field(repr=False)
    sliding: FloatArray = field(repr=False)
    cost: FloatArray = field(repr=False)
    locked: BoolArray = field(repr=False)
    seats: Seats = field(default_factory=Seats.nobody)
    inside: Inside | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.values)

    @cached_property
    def from_inside(self) -> Inside:
        """What is asked of the unsafe cells from each seat.

        Nothing is asked of a cell that a seat is alone in. A contributor knows that a cell is not smaller than what it has
        in it; no pattern can make it believe less.
        """
        asked = Inside.alike(self.below, self.above, self.sliding) if self.inside is None else self.inside
        seat, cell, amount = self.seats.parts()
        here = np.flatnonzero(self.unsafe[cell])
        seat, cell, most = seat[here], cell[here], np.maximum(self.values[cell[here]] - amount[here], 0.0)
        part = asked.of_pairs(cell, seat)
        part[:, 0] = np.minimum(part[:, 0], most)
        own = np.flatnonzero(self.unsafe[self.seats.cells])
        return Inside.of(
            np.where(self.unsafe[:, None], asked.most, 0.0),
            np.concatenate([asked.cells, cell, self.seats.cells[own]]),
            np.concatenate([asked.seats, seat, self.seats.seat_of_cell[own]]),
            np.concatenate([asked.levels, part, np.zeros((len(own), 3))]),
        )

    def levels_from(self, seat: int | None, cells: IntArray) -> FloatArray:
        """Return (k, 3): levels below, above and sliding of unsafe cells from a seat, None for the outsider."""
        if seat is None:
            return np.stack([self.below[cells], self.above[cells], self.sliding[cells]], axis=1)
        return self.from_inside.of_seat(seat, cells)

    def below_from(self, seat: int | None, cells: IntArray) -> FloatArray:
        """Return the lower protection levels of cells as they are asked for from a seat."""
        return self.levels_from(seat, cells)[:, 0]

    def above_from(self, seat: int | None, cells: IntArray) -> FloatArray:
        """Return the upper protection levels of cells as they are asked for from a seat."""
        return self.levels_from(seat, cells)[:, 1]

    @cached_property
    def rooms_of_seats(self) -> tuple[IntArray, IntArray, FloatArray]:
        """What seats know: starts, cells, and how far under its value a cell can be; -1 where the seat is alone."""
        who, cells, room = self.seats.rooms(self.values, self.lower)
        return np.searchsorted(who, np.arange(len(self.seats) + 1)).astype(np.int64), cells, room

    def known_from(self, seat: int) -> tuple[IntArray, FloatArray]:
        """Return the cells that a seat knows something of, and how far under its value each can be; -1 for alone."""
        start, cells, room = self.rooms_of_seats
        return cells[start[seat] : start[seat + 1]], room[start[seat] : start[seat + 1]]

    @property
    def can_hide(self) -> BoolArray:
        """(n,): cells whose suppression hides anything: not locked, and not known beforehand."""
        return ~self.locked & (self.lower < self.upper)

    def tolerance(self) -> FloatArray:
        """(n,): differences up to this count as rounding of the solver: a millionth of the value, or of the table's unit.

        The tolerance of an unsafe cell is no more than half of its smallest level, so that no level gets lost in it.
        """
        return self._tolerance

    @cached_property
    def _tolerance(self) -> FloatArray:
        size = np.maximum(unit_of(self.values), np.abs(self.values))
        levels = np.stack([self.below, self.above, self.sliding])
        least = np.where(self.unsafe & (levels > 0), levels, np.inf).min(axis=0)
        if len(self.seats):
            asked = self.from_inside
            for cells, from_seats in ((slice(None), asked.most), (asked.cells, asked.levels)):
                least_of = np.where(from_seats > 0, from_seats, np.inf).min(axis=1)
                np.minimum.at(least, np.arange(self.size)[cells], least_of)
        return np.asarray(np.maximum(np.minimum(1e-6 * size, 0.5 * least), 1e-9 * size))

    def with_cost(self, cost: FloatArray) -> Problem:
        """The same problem with other costs."""
        return replace(self, cost=np.asarray(cost, np.float64))

    def check(self) -> None:
        """Raise an error that says which part of the problem contradicts another."""
        n = self.size
        for name in ("lower", "upper", "unsafe", "below", "above", "sliding", "cost", "locked"):
            if getattr(self, name).shape != (n,):
                raise ParameterError(f"Problem: '{name}' must have one entry for each of the {n} cells.")
        if self.relations.size != n:
            raise ParameterError(f"Problem: 'relations' must speak of {n} cells, got {self.relations.size}.")
        if np.any(self.lower > self.values + self.tolerance()) or np.any(self.upper < self.values - self.tolerance()):
            raise DataError("Problem: every value must lie between its 'lower' and 'upper' bound.")
        for name in ("below", "above", "sliding"):
            if np.any(getattr(self, name)[self.unsafe] < 0):
                raise DataError(f"Problem: '{name}' must not be negative.")
        if np.any(self.cost <= 0) or not np.all(np.isfinite(self.cost)):
            raise DataError("Problem: 'cost' must be positive and finite for every cell.")
        if np.any(self.locked & self.unsafe):
            raise DataError("Problem: an unsafe cell is locked; either it is published or it is protected.")
        off = self.relations.violated(self.values)
        if len(off):
            raise DataError(
                f"Problem: {len(off)} of {len(self.relations)} relations do not hold for the values.",
                details={"relations": off.tolist()},
            )
