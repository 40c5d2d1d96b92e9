"""One audit in progress: which levels of which cells are missed, from where, and by which relations."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.progress import Task, task
from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.certificate import Leak, Side
from tacita.tables.auditor.knowledge import NOTHING, Known
from tacita.tables.auditor.reach import Reach

__all__ = ["AuditRun", "Levels"]


_NEARLY = float(np.nextafter(1.0, 0.0))
_NONE: frozenset[Side] = frozenset()


class Levels(NamedTuple):
    """What an attacker's interval for one cell must reach; a level that is not looked at is 0."""

    below: float
    above: float
    sliding: float

    def lacking(self, down: float, up: float, slack: float) -> tuple[int, float] | None:
        """The next level that an interval misses, as a sign and an amount to go."""
        if up < self.above - slack:
            return 1, self.above
        if down < self.below - slack:
            return -1, self.below
        if up + down < self.sliding - slack:
            return 1, self.sliding - down
        return None


class AuditRun:
    """One audit in progress: which levels are missed, from where.

    Parameters
    ----------
    attacker
        The attacker on the pattern.
    """

    def __init__(self, attacker: CellAttacker) -> None:
        self.attacker = attacker
        self._slack = attacker.problem.tolerance()
        self._exact: dict[tuple[int, int], float] = {}

    def levels(self, cell: int, seat: int | None = None, skip: Set[Side] = _NONE) -> Levels:
        """Return the levels of a cell, as they can be asked for from a seat, without those to skip."""
        return _asked(self.attacker.problem.levels_from(seat, np.array([cell])), skip)[0]

    def levels_of(self, cell: int, seats: IntArray, skip: Set[Side] = _NONE) -> list[Levels]:
        """Return the same from each of some seats."""
        pairs = self.attacker.problem.from_inside.of_pairs(np.full(len(seats), cell, np.int64), seats)
        return _asked(pairs, skip)

    # --- the outsider --------------------------------------------------------------------------------------------------

    def from_outside(self, cells: IntArray) -> list[Leak]:
        """Return what anybody can find out about these unsafe cells."""
        place = self.attacker.polytope.place
        leaks: list[Leak] = []
        with task("Auditing from outside", 2 * len(cells)) as running:
            self._sweep(cells[place[cells] >= 0], running)
            for cell in cells.tolist():
                running.advance()
                leaks += self.missed(cell) if place[cell] >= 0 else self._given_away(cell)
        return leaks

    def _sweep(self, cells: IntArray, running: Task) -> None:
        """Settle most cells by moves, each of which serves all cells that move in it."""
        attacker = self.attacker
        seen, problem = attacker.checked_moves, attacker.problem
        for cell in cells.tolist():
            running.advance()
            at, slack = int(attacker.polytope.place[cell]), self._slack[cell]
            levels = Levels(float(problem.below[cell]), float(problem.above[cell]), float(problem.sliding[cell]))
            while (ask := levels.lacking(float(seen.down[at]), float(seen.up[at]), slack)) is not None:
                found, _ = attacker.attempt(at, *ask)
                if found is None or found.amount < ask[1] - slack:
                    break

    def _given_away(self, cell: int) -> list[Leak]:
        """Leaks of a cell that is published, known beforehand, or found by a chain of single relations."""
        attacker = self.attacker
        relations: tuple[int, ...] = ()
        if attacker.hidden[cell]:
            relations = tuple(sorted(attacker.reach(cell, "above", np.inf).prices))
        sides: tuple[Side, ...] = ("below", "above", "sliding")
        missed = [side for side, level in zip(sides, self.levels(cell), strict=True) if level > self._slack[cell]]
        if not missed and not attacker.hidden[cell]:
            missed = ["sliding"]
        return [Leak(cell, None, side, 0.0, relations) for side in missed]

    # --- one cell, from anywhere ---------------------------------------------------------------------------------------

    def lacks(self, cell: int, levels: Levels, known: Known) -> bool:
        """Whether no move at hand proves the levels of a cell for somebody who knows this."""
        at = int(self.attacker.polytope.place[cell])
        return levels.lacking(*self.attacker.checked_moves.without(at, known, levels), self._slack[cell]) is not None

    def shows(self, cell: int, levels: Levels, known: Known) -> bool:
        """Whether moves prove the levels of a cell against somebody who knows this, looking for new ones.

        The answer no proves nothing.
        """
        attacker = self.attacker
        at = int(attacker.polytope.place[cell])
        if at in known.fixed_set:
            return False
        for _ in range(3):
            ask = levels.lacking(*attacker.checked_moves.without(at, known, levels), self._slack[cell])
            if ask is None:
                return True
            if not attacker.shows(at, *ask, known):
                return False
        return False

    def missed(self, cell: int, known: Known = NOTHING, seat: int | None = None, skip: Set[Side] = _NONE) -> list[Leak]:
        """Return the levels of a cell that somebody who knows this narrows too much."""
        attacker, slack = self.attacker, self._slack[cell]
        at, levels = int(attacker.polytope.place[cell]), self.levels(cell, seat, skip)
        found: dict[int, Reach] = {}
        leaks = []
        sides: tuple[tuple[Side, int, float], ...] = (("above", 1, levels.above), ("below", -1, levels.below))
        for side, sign, needed in sides:
            if attacker.checked_moves.without(at, known)[sign > 0] >= needed - slack:
                continue
            answer = attacker.settle(at, sign, needed, known)
            shown = attacker.checked_moves.without(at, known)[sign > 0]
            if not answer.is_met or shown < needed - slack:  # a level holds only by a table that shows it
                found[sign] = answer
                share = min(answer.amount, shown) / needed if answer.is_met else answer.amount / needed
                leaks.append(self._leak(cell, seat, side, share, [answer], known))
        leaks += self._sliding(cell, levels.sliding, known, seat, found)
        if seat is None:
            self._exact.update({(at, sign): answer.amount for sign, answer in found.items() if not answer.is_met})
        return leaks

    def _sliding(self, cell: int, needed: float, known: Known, seat: int | None, found: dict[int, Reach]) -> list[Leak]:
        """The width of the interval: first up as far as wanted, then down for the rest."""
        attacker, slack = self.attacker, self._slack[cell]
        at = int(attacker.polytope.place[cell])
        down, up = attacker.checked_moves.without(at, known)
        if down + up >= needed - slack:
            return []
        for sign in (1, -1):
            answer = found.get(sign) or attacker.settle(at, sign, needed - (down if sign > 0 else up), known)
            if not answer.is_met:
                found[sign] = answer
            if sign > 0:
                up = max(up, answer.amount)
            else:  # nobody believes that a cell is smaller than what he has in it
                down = max(down, min(answer.amount, float(known.down(np.array([at]))[0])))
            if answer.is_met:
                break
        if down + up >= needed - slack:
            # Bounds allow the width; what counts are tables that show it.
            for sign, answer in found.items():
                attacker.settle(at, sign, answer.amount - 0.25 * slack, known)
            down, up = attacker.checked_moves.without(at, known)
            if down + up >= needed - slack:
                return []
        return [self._leak(cell, seat, "sliding", (down + up) / needed, list(found.values()), known)]

    def _leak(self, cell: int, seat: int | None, side: Side, share: float, answers: list[Reach], known: Known) -> Leak:
        relations = sorted({row for answer in answers for row in answer.prices})
        exactly, floors = (self._used(answers, of) for of in (known.fixed, known.held))
        return Leak(cell, seat, side, min(max(share, 0.0), _NEARLY), tuple(relations), exactly, floors)

    def _used(self, answers: list[Reach], places: IntArray) -> tuple[int, ...]:
        """The attacker's own cells that stand in the combination with a coefficient other than 0."""
        if not len(places):
            return ()
        own = set(self.attacker.polytope.cells[places].tolist())
        used: set[int] = set()
        for answer in answers:
            weight: dict[int, float] = {}
            for row, price in answer.prices.items():
                names, signs = self.attacker.problem.relations.row(row)
                for name, sign in zip(names.tolist(), signs.tolist(), strict=True):
                    if name in own:
                        weight[name] = weight.get(name, 0.0) + (price or 1.0) * sign
            used |= {name for name, total in weight.items() if abs(total) > 1e-9}
        return tuple(sorted(used))

    # --- intervals -----------------------------------------------------------------------------------------------------

    def intervals(self, hidden: IntArray) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return for each hidden cell the interval that moves prove, and where it is exact."""
        attacker = self.attacker
        problem, polytope, seen = attacker.problem, attacker.polytope, attacker.checked_moves
        true, at = problem.values[hidden], polytope.place[hidden]
        there = at >= 0
        low, high = true.copy(), true.copy()
        low[there] -= seen.down[at[there]]
        high[there] += seen.up[at[there]]
        sure = {1: ~there, -1: ~there}
        sure[1][there] = seen.up[at[there]] >= polytope.up[at[there]]
        sure[-1][there] = seen.down[at[there]] >= polytope.down[at[there]]
        where = {int(p): i for i, p in enumerate(at.tolist()) if p >= 0}
        for (p, sign), amount in self._exact.items():
            i = where[p]
            sure[sign][i] = True
            if sign > 0:
                high[i] = true[i] + amount
            else:
                low[i] = true[i] - amount
        low = np.maximum(low, problem.lower[hidden])
        high = np.minimum(high, problem.upper[hidden])
        return low, high, sure[1] & sure[-1]


def _asked(levels: FloatArray, skip: Set[Side]) -> list[Levels]:
    """Rows of levels without those to skip."""
    sides: tuple[Side, ...] = ("below", "above", "sliding")
    kept = np.array([side not in skip for side in sides])
    return [Levels(*row) for row in np.where(kept, levels, 0.0).tolist()]
