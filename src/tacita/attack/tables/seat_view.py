"""The view from the seats: who of those inside a table learns most about the amount of another."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from tacita.attack.targets import Seat
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve.cell_intervals import CellSystem

__all__ = ["SeatView"]


class SeatView:
    """What contributors of a table can say of the others in a cell: at most the cell's upper end less their own amount.

    Parameters
    ----------
    system
        The cells as an outsider sees them.
    seats
        What contributors know.
    most_tried
        Linear programmes for one victim after which the search stops; the best seat so far then counts.

    Notes
    -----
    Of a group of seats one programme that has what all of them know gives a bound for each. Groups are halved, the most promising
    first, so that the best seat is found without a programme for every seat.

    Examples
    --------
    Two cells, {100, 1} and {90, 1}, are hidden and their sum is shown. From the seat of the 100 the other cell is at most 92, and
    so is who is in it.

    >>> import scipy.sparse as sp
    >>> outside = CellSystem(sp.csr_array([[1.0, -1, -1]]), np.array([192.0, 0, 0]), np.array([192.0, np.inf, np.inf]))
    >>> view = SeatView(outside, [Seat(np.array([1]), np.array([100.0])), Seat(np.array([2]), np.array([90.0]))])
    >>> view.nearest(2, without=1)
    (92.0, 0)
    """

    def __init__(self, system: CellSystem, seats: Sequence[Seat], *, most_tried: int = 64) -> None:
        self._system, self._most = system, most_tried
        sizes = [len(seat.cells) for seat in seats]
        self._seat = np.repeat(np.arange(len(seats)), sizes)
        self._cells = np.concatenate([np.zeros(0, np.int64), *(seat.cells for seat in seats)]).astype(np.int64)
        self._own = np.concatenate([np.zeros(0), *(seat.own for seat in seats)])
        alone = [np.zeros(len(seat.cells), bool) if seat.alone is None else seat.alone for seat in seats]
        self._alone = np.concatenate([np.zeros(0, bool), *alone])
        self._part = system.part_of[self._cells]
        order = np.lexsort((self._seat, self._part))
        for name in ("_seat", "_cells", "_own", "_alone", "_part"):
            setattr(self, name, getattr(self, name)[order])

    def nearest(self, cell: int, *, without: int = -1) -> tuple[float, int]:
        """Return the least upper end of what others have in a cell, over outsider and seats, and the seat; -1 for the outsider.

        Parameters
        ----------
        cell
            The cell.
        without
            A seat that does not attack: that of the victim.
        """
        label = int(self._system.part_of[cell])
        inside = {number: own for number, own in self._own_in(cell).items() if number != without}
        outsider = self._system.end_of(cell)
        best = np.inf if outsider is None else outsider
        if label < 0:  # the cell is known to everybody: whoever has most in it is left with least
            who = max(inside, key=lambda number: inside[number], default=-1)
            return best - inside.get(who, 0.0), who
        near = slice(*np.searchsorted(self._part, [label, label + 1]).tolist())
        seat = self._seat[near]
        names = np.unique(seat[seat != without])
        if not len(names):
            return best, -1
        return self._search(cell, names, (seat, self._cells[near], self._own[near], self._alone[near]), inside, best)

    def _search(
        self,
        cell: int,
        names: IntArray,
        entries: tuple[IntArray, IntArray, FloatArray, BoolArray],
        inside: dict[int, float],
        outsider: float,
    ) -> tuple[float, int]:
        """Halve groups of seats, the most promising first."""
        seat, cells, own, alone = entries
        at = np.array([inside.get(number, 0.0) for number in names.tolist()])
        best, who, tried = outsider, -1, 0

        def bound(group: IntArray) -> float:
            mine = np.isin(seat, names[group])
            there, place = np.unique(cells[mine], return_inverse=True)
            floor, cap = np.zeros(len(there)), np.full(len(there), np.inf)
            np.maximum.at(floor, place, own[mine])
            np.minimum.at(cap, place, np.where(alone[mine], own[mine], np.inf))
            found = self._system.end_of(cell, (there, floor, cap))
            return outsider if found is None else found

        everybody = np.argsort(-at, kind="stable")
        heap = [(-np.inf, 0, everybody)]
        while heap and tried < self._most:
            least, _, group = heapq.heappop(heap)
            if least >= best - 1e-9 * max(abs(best), 1.0):
                break
            parts = [group] if len(group) == 1 or not tried else [group[: len(group) // 2], group[len(group) // 2 :]]
            for part in parts:
                tried += 1
                end = bound(part)
                if len(part) == 1 and end - at[part[0]] < best:
                    best, who = end - float(at[part[0]]), int(names[part[0]])
                elif len(part) > 1:
                    heapq.heappush(heap, (end - float(at[part].max()), tried, part))
        return best, who

    def _own_in(self, cell: int) -> dict[int, float]:
        """Return what each seat has in a cell."""
        there = self._cells == cell
        return dict(zip(self._seat[there].tolist(), self._own[there].tolist(), strict=True))
