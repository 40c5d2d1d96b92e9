"""Demands: the protection levels of a problem as what moves must reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.tables.protect.problem import Problem

__all__ = ["Demands", "rooms"]


def rooms(problem: Problem, seat: int | None = None) -> tuple[FloatArray, FloatArray]:
    """Return how far each cell can go up and down when it is hidden, as a seat sees it: 0 for cells that cannot be."""
    free = problem.can_hide
    up = np.where(free, np.maximum(problem.upper - problem.values, 0.0), 0.0)
    down = np.where(free, np.maximum(problem.values - problem.lower, 0.0), 0.0)
    if seat is not None:
        cells, room = problem.known_from(seat)
        up[cells[room < 0]] = 0.0
        down[cells] = np.minimum(down[cells], np.maximum(room, 0.0))
    return up, down


@dataclass(frozen=True, eq=False)
class Demands:
    """Cells that must be able to move, how far, and what part of that is asked from seats.

    Parameters
    ----------
    cells
        (D,): cell of each demand.
    amounts
        (D,): how far it must be able to move; negative for downwards.
    private
        (D,): the one seat that a demand is for, -1 for everybody.
    rest
        (D,): the share of the amount that is asked from seats that are not listed.
    shares
        For each demand the seats from which another share is asked: 0 for a seat that it need not hold against.
    """

    cells: IntArray = field(repr=False)
    amounts: FloatArray = field(repr=False)
    private: IntArray = field(repr=False)
    rest: FloatArray = field(repr=False)
    shares: tuple[dict[int, float], ...] = field(repr=False)

    @classmethod
    def of(cls, problem: Problem, *, upwards: float | FloatArray = 0.5) -> Demands:
        """Read the levels of the unsafe cells.

        Parameters
        ----------
        problem
            What is to be protected.
        upwards
            What share of the width that a sliding level asks beyond the two others is asked of the upper side, 0 to 1;
            one number, or (n,) for each cell its own.

        Notes
        -----
        A side gives no more than the room that the cell itself has there; the other side is asked for the rest. Half
        and half is the cheapest as a rule: a move and its mirror image hide the same cells, and these need half as
        much room. A level within the tolerance is asked for too, although the auditor lets it pass.
        """
        cells = np.flatnonzero(problem.unsafe)
        split = np.broadcast_to(upwards, (problem.size,))
        outside = np.abs(_sides(problem, cells, problem.levels_from(None, cells), split))
        nobody = not len(problem.seats)
        inside = problem.from_inside
        most = _sides(problem, cells, inside.most[cells], split) if not nobody else np.zeros_like(outside)
        listed = np.flatnonzero(problem.unsafe[inside.cells]) if not nobody else np.empty(0, np.int64)
        at, seats = inside.cells[listed], inside.seats[listed]
        asked = _sides(problem, at, inside.levels[listed], split, _rooms_of_pairs(problem, at, seats))
        place = np.searchsorted(cells, at)
        found: list[tuple[int, float, int, float, dict[int, float]]] = []
        for side, sign in ((0, 1.0), (1, -1.0)):
            amount = np.maximum(outside[:, side], most[:, side])
            shares: list[dict[int, float]] = [{} for _ in cells]
            for where, seat, wanted in zip(place.tolist(), seats.tolist(), asked[:, side].tolist(), strict=True):
                if amount[where] > 0:
                    shares[where][seat] = wanted / float(amount[where])
                elif wanted > 0:
                    found.append((int(cells[where]), sign * wanted, seat, 0.0, {}))
            rest = np.divide(most[:, side], amount, out=np.zeros(len(cells)), where=amount > 0)
            found += [
                (int(cells[i]), sign * float(amount[i]), -1, float(rest[i]), shares[i])
                for i in np.flatnonzero(amount > 0).tolist()
            ]
        order = sorted(range(len(found)), key=lambda k: found[k][2] >= 0)  # those for everybody first
        return cls._made([found[k] for k in order])

    @classmethod
    def _made(cls, found: Sequence[tuple[int, float, int, float, dict[int, float]]]) -> Demands:
        return cls(
            np.array([f[0] for f in found], np.int64),
            np.array([f[1] for f in found], np.float64),
            np.array([f[2] for f in found], np.int64),
            np.array([f[3] for f in found], np.float64),
            tuple(f[4] for f in found),
        )

    def _rows(self) -> list[tuple[int, float, int, float, dict[int, float]]]:
        return list(
            zip(
                self.cells.tolist(),
                self.amounts.tolist(),
                self.private.tolist(),
                self.rest.tolist(),
                self.shares,
                strict=True,
            )
        )

    def __len__(self) -> int:
        return len(self.cells)

    def share(self, demand: int, seat: int) -> float:
        """What part of its amount a demand asks from a seat, -1 for the outsider."""
        if seat < 0 or self.private[demand] >= 0:
            return 1.0
        return self.shares[demand].get(seat, float(self.rest[demand]))

    def arrays(self) -> tuple[IntArray, FloatArray, IntArray, FloatArray, IntArray, IntArray, FloatArray]:
        """The demands as the kernels take them: listed seats as starts, numbers and shares."""
        start = np.concatenate([[0], np.cumsum([len(e) for e in self.shares])]).astype(np.int64)
        seats = np.array([s for e in self.shares for s in e], np.int64)
        share = np.array([s for e in self.shares for s in e.values()], np.float64)
        return self.cells, self.amounts, self.private, self.rest, start, seats, share

    def asking(self, cell: int, amounts: tuple[float, float]) -> Demands:
        """Ask other amounts of a cell, up and down."""
        rows = self._rows()
        shares, rest = next((e, r) for c, _, p, r, e in rows if c == cell and p < 0)
        kept = [row for row in rows if row[0] != cell or row[2] >= 0]
        return Demands._made([*kept, *((cell, a, -1, rest, dict(shares)) for a in amounts if a != 0.0)])

    def without(self, demands: Mapping[int, Set[int]]) -> Demands:
        """Leave out what cannot be met: from demand to the seats that it cannot hold against, -1 for everybody."""
        gone = {d for d, seats in demands.items() if -1 in seats or self.private[d] >= 0}
        return Demands._made(
            [
                (*row[:4], row[4] | dict.fromkeys(demands.get(d, ()), 0.0))
                for d, row in enumerate(self._rows())
                if d not in gone
            ]
        )

    def split_off(self, cell: int, seat: int, amounts: tuple[float, float]) -> Demands:
        """Ask other amounts of a cell when it is attacked from one seat: nothing there, and two private demands beside."""
        kept = [
            (*row[:4], row[4] | {seat: 0.0} if row[0] == cell and row[2] < 0 else row[4])
            for row in self._rows()
            if row[0] != cell or row[2] != seat
        ]
        return Demands._made([*kept, *((cell, a, seat, 0.0, {}) for a in amounts if a != 0.0)])


def _sides(
    problem: Problem, cells: IntArray, levels: FloatArray, upwards: FloatArray, believed: FloatArray | None = None
) -> FloatArray:
    """Return (k, 2): how far cells must go up and down, with what a sliding level asks beyond the two others.

    ``believed`` is how far down each of them can go where it is less to a seat than to everybody.
    """
    tolerance, (up_room, down_room) = problem.tolerance()[cells], (room[cells] for room in rooms(problem))
    down_room = down_room if believed is None else np.minimum(down_room, believed)
    low, high, sliding = levels[:, 0].copy(), levels[:, 1].copy(), levels[:, 2]
    missing = sliding - high - low
    more = np.where(missing > 1e-9 * sliding, missing, 0.0)
    left_up, left_down = np.maximum(up_room - high, 0.0), np.maximum(down_room - low, 0.0)
    upper = np.minimum(np.maximum(upwards[cells] * more, more - left_down), left_up)
    high, low = high + upper, low + more - upper
    return np.stack([_within(high, up_room, tolerance), _within(low, down_room, tolerance)], axis=1)


def _rooms_of_pairs(problem: Problem, cells: IntArray, seats: IntArray) -> FloatArray:
    """Return how far under its value each cell can be to its seat; infinite where the seat knows nothing of it."""
    if not len(cells):
        return np.empty(0)
    start, known, room = problem.rooms_of_seats
    who = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.lexsort((known, who))
    own, asked = (who * problem.size + known)[order], seats * problem.size + cells
    place = np.minimum(np.searchsorted(own, asked), max(len(own) - 1, 0))
    there = own[place] == asked if len(own) else np.zeros(len(asked), bool)
    found = np.full(len(asked), np.inf)
    found[there] = np.maximum(room[order][place[there]], 0.0)
    return found


def _within(amount: FloatArray, room: FloatArray, tolerance: FloatArray) -> FloatArray:
    """An amount that passes its room by no more than the tolerance asks for the room."""
    return np.where((amount > room) & (amount <= room + tolerance), room, amount)
