"""The audit from the seats: contributors know cells of their own and floors of others, and attack the rest with that.

A move holds for a seat too when it moves none of the cells that the seat is alone in, and lowers none of the others
below what the seat has there. As less is asked from most seats than from outside, it need only be followed as far as the
seat's own level. So one look at a move settles all seats but those with much in a cell that it lowers. Only what no
move at hand settles is looked at again, with the seat's knowledge as bounds; where several seats are left for one
cell, a single move that holds for all of them may settle them together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.progress import task
from tacita.tables.auditor.audit_run import AuditRun, Levels
from tacita.tables.auditor.certificate import Leak, Side
from tacita.tables.auditor.checked_moves import CheckedMove
from tacita.tables.auditor.knowledge import Known

__all__ = ["leaks_from_seats"]


def leaks_from_seats(run: AuditRun, targets: BoolArray, outside: Sequence[Leak]) -> list[Leak]:
    """Return what seats find out about the target cells beyond what an outsider finds.

    Parameters
    ----------
    run
        The audit, after the outsider's turn.
    targets
        (n,): unsafe cells to look at.
    outside
        Leaks to the outsider.
    """
    broken: dict[int, set[Side]] = {}
    for leak in outside:
        broken.setdefault(leak.cell, set()).add(leak.side)
    left = _Sieve(run).left(targets, broken)
    leaks: list[Leak] = []
    with task("Auditing from the seats", sum(len(seats) for seats in left.values())) as running:
        for cell in sorted(left):
            skip = broken.get(cell, set())
            _settle_together(run, cell, left[cell], skip)
            asked = run.levels_of(cell, np.array([seat for seat, _ in left[cell]]), skip)
            for (seat, known), levels in zip(left[cell], asked, strict=True):
                running.advance()
                if run.lacks(cell, levels, known):  # most are settled by what was found for others
                    leaks += run.missed(cell, known, seat, skip)
    return sorted(leaks, key=lambda leak: (-1 if leak.seat is None else leak.seat, leak.cell, leak.side))


class _Sieve:
    """Sorts out the seats that moves at hand hold for."""

    def __init__(self, run: AuditRun) -> None:
        self._run = run
        problem, polytope = run.attacker.problem, run.attacker.polytope
        start, cells, room = problem.rooms_of_seats
        seat = np.repeat(np.arange(len(problem.seats)), np.diff(start))
        at = polytope.place[cells]
        there = np.flatnonzero(at >= 0)
        order = there[np.argsort(at[there], kind="stable")]
        self._start = np.searchsorted(at[order], np.arange(len(polytope) + 1))
        self._seat, self._room = seat[order], room[order]
        self._inside = problem.from_inside
        self._first = self._inside.start
        self._knows: dict[int, Known] = {}

    def left(self, targets: BoolArray, broken: dict[int, set[Side]]) -> dict[int, list[tuple[int, Known]]]:
        """Return for each unsafe cell the seats against which no move is at hand, with what they know."""
        run = self._run
        place = run.attacker.polytope.place
        found: dict[int, list[tuple[int, Known]]] = {}
        for cell in np.flatnonzero(targets & (place >= 0)).tolist():
            skip = broken.get(cell, set())
            seats = self._open(cell, skip)
            for seat, levels in zip(seats.tolist(), run.levels_of(cell, seats, skip), strict=True):
                known = self._known(seat)
                if run.lacks(cell, levels, known):
                    found.setdefault(cell, []).append((seat, known))
        return found

    def _known(self, seat: int) -> Known:
        if seat not in self._knows:
            attacker = self._run.attacker
            self._knows[seat] = Known.of(attacker.problem, attacker.polytope, seat)
        return self._knows[seat]

    def _open(self, cell: int, skip: set[Side]) -> IntArray:
        """Return the seats that may see more of a cell than they should: all others are settled."""
        run, inside = self._run, self._inside
        pairs = slice(self._first[cell], self._first[cell + 1])
        listed, levels = inside.seats[pairs], inside.levels[pairs]
        slack = float(run.attacker.problem.tolerance()[cell])
        at = int(run.attacker.polytope.place[cell])
        kept = run.attacker.checked_moves.kept(at)
        found = [np.empty(0, np.int64)]
        sides: tuple[tuple[Side, int, int], ...] = (("below", 0, -1), ("above", 1, 1), ("sliding", 2, 0))
        for side, column, sign in sides:
            most, own = float(inside.most[cell, column]), levels[:, column]
            if side in skip or max(most, float(own.max(initial=0.0))) <= slack:
                continue
            if sign:
                found.append(self._unsettled(at, sign, kept, most, (listed, own), slack))
            else:  # the width may come from two tables: whoever knows a cell that moves is looked at
                found.append(np.unique(np.concatenate([self._near(made) for made in kept] or [listed])))
        return np.unique(np.concatenate(found))

    def _near(self, made: CheckedMove) -> IntArray:
        return np.unique(np.concatenate([self._seat[self._start[p] : self._start[p + 1]] for p in made.cells.tolist()]))

    def _unsettled(
        self,
        at: int,
        sign: int,
        kept: Sequence[CheckedMove],
        most: float,
        listed: tuple[IntArray, FloatArray],
        slack: float,
    ) -> IntArray:
        """Return the seats for which none of the moves reaches their level of a cell on one side."""
        left: IntArray | None = None
        reaches = sorted(((made.toward(at, sign)[0], k) for k, made in enumerate(kept)), reverse=True)
        for reach, k in reaches[:_TRIED]:
            if left is None and reach < most - slack:
                break  # those who are not listed need one that reaches all of it
            hit = self._hit(kept[k], at, sign, most, listed, slack, reach)
            if left is not None and reach < most - slack:  # too short for those who are not listed
                hit = np.union1d(hit, np.setdiff1d(left, listed[0], assume_unique=True))
            left = hit if left is None else np.intersect1d(left, hit, assume_unique=True)
            if not len(left):
                return left
        if left is not None:
            return left
        problem = self._run.attacker.problem
        everybody = np.arange(len(problem.seats))
        needs = np.full(len(everybody), most)
        needs[listed[0]] = listed[1]
        return everybody[needs > slack]

    def _hit(
        self,
        made: CheckedMove,
        at: int,
        sign: int,
        most: float,
        listed: tuple[IntArray, FloatArray],
        slack: float,
        reach: float,
    ) -> IntArray:
        """Return the seats that a move does not hold for, followed as far as their level."""
        move = float(made.moves[made.cells == at].sum())
        steps = made.moves * (sign / move)  # for each unit that the cell moves
        count = self._start[made.cells + 1] - self._start[made.cells]
        entry = np.repeat(self._start[made.cells] - np.cumsum(count) + count, count) + np.arange(int(count.sum()))
        step, seat, room = np.repeat(steps, count), self._seat[entry], self._room[entry]
        need = np.full(len(seat), most)
        if len(listed[0]):
            place = np.minimum(np.searchsorted(listed[0], seat), len(listed[0]) - 1)
            same = listed[0][place] == seat
            need[same] = listed[1][place[same]]
        falls = -step * need
        bad = (need > slack) & ((room < 0) | (falls > room + 1e-9 * np.abs(falls)))
        far = listed[0][(listed[1] > slack) & (listed[1] > reach + slack)]
        return np.unique(np.concatenate([seat[bad], far]))


_TRIED = 8
"""CheckedMoves of a cell that are looked at for all seats at once."""


def _settle_together(run: AuditRun, cell: int, group: Sequence[tuple[int, Known]], skip: set[Side]) -> None:
    """Look for moves that serve all seats of a group, then each half of it."""
    if len(group) < 2:
        return
    known = Known.together([known for _, known in group])
    asked = np.array(run.levels_of(cell, np.array([seat for seat, _ in group]), skip)).max(axis=0).tolist()
    if not run.shows(cell, Levels(*asked), known):
        half = len(group) // 2
        _settle_together(run, cell, group[:half], skip)
        _settle_together(run, cell, group[half:], skip)
