"""The auditor: what every attacker can learn from a suppressed table, proven; it trusts no protector.

A level counts as held only when an alternative table is at hand that was checked against every relation and bound, and
as missed only when relations were found that bound the cell more closely.
"""

from __future__ import annotations

import time
from collections.abc import Set

import numpy as np
import numpy.typing as npt

from tacita.core.errors import ParameterError
from tacita.core.progress import Task, task
from tacita.tables.attacker import Attacker, Reach
from tacita.tables.certificate import Certificate, Leak, Side
from tacita.tables.problem import Problem

__all__ = ["audit", "infeasible"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_NOBODY = np.empty(0, np.int64)
_NEARLY = float(np.nextafter(1.0, 0.0))
_SIDES: tuple[Side, ...] = ("below", "above", "sliding")


def audit(
    problem: Problem,
    hidden: BoolArray,
    *,
    exact: bool = False,
    integer: bool = False,
    seats: bool = True,
    only: BoolArray | None = None,
) -> Certificate:
    """Prove for the outsider and for every seat that the protection levels hold, or say by which relations they fail.

    The attacker's tables are ``A x = 0`` with ``x = a`` on published cells and ``lower <= x <= upper`` on hidden ones;
    a seat knows its own cells beside. See :class:`~tacita.tables.problem.Problem` for the levels.

    Parameters
    ----------
    problem
        The table, its bounds, levels and seats.
    hidden
        (n,): hidden cells.
    exact
        Whether the exact interval of every hidden cell is wanted, secondary ones included, and not only the proof of
        the levels.
    integer
        Whether the attacker knows that all cells are whole numbers.
    seats
        Whether to look from the seats too.
    only
        (n,): unsafe cells to look at; None for all.

    Returns
    -------
    Certificate
        Its leaks are those of the outsider, then those of the seats. What an outsider finds is not repeated for each
        seat, although every seat finds it too.

    Raises
    ------
    ParameterError
        When ``hidden`` or ``only`` do not fit the table.
    DataError
        When ``integer`` and values or relations are not whole.

    Complexity
    ----------
    In the unsafe cells u about u small linear programmes or fewer, and one for each pair of a seat and an unsafe cell
    near to it whose witnesses all use a cell of the seat. With ``exact`` up to two on the whole block for each hidden
    cell. Memory O(entries of the relations + moves of the witnesses).

    Notes
    -----
    An unsafe cell that is published misses each of its levels with a share of 0. Levels within
    :meth:`~tacita.tables.problem.Problem.tolerance` count as held.

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear
    constraints, Management Science 47(7), 1008-1027.

    Examples
    --------
    A total of three parts, of which two are hidden: their sum is known, each of them may be 0 up to the sum.

    >>> from tacita.tables.relations import Relations
    >>> yes, no, none = np.array([False, True, False, False]), np.zeros(4, bool), np.zeros(4)
    >>> table = Problem(Relations.of([(0, [1, 2, 3])], 4), np.array([9.0, 2, 3, 4]), none, np.full(4, np.inf), yes,
    ...                 none + 1.0, none + 1.0, none, np.ones(4), no)
    >>> audit(table, np.array([False, True, True, False])).is_safe
    True
    >>> alone = audit(table, yes)
    >>> [(leak.cell, leak.side, leak.share, leak.relations) for leak in alone.leaks]
    [(1, 'below', 0.0, (0,)), (1, 'above', 0.0, (0,))]
    """
    begin = time.perf_counter()
    if only is not None and (only.shape != (problem.size,) or only.dtype != np.bool_):
        raise ParameterError(f"audit: 'only' must be one truth value for each of the {problem.size} cells.")
    attacker = Attacker(problem, hidden, integer=integer)
    targets = problem.unsafe if only is None else problem.unsafe & only
    look = Look(attacker)
    leaks = look.from_outside(np.flatnonzero(targets))
    if seats and len(problem.seats):
        from tacita.tables.seat_audit import leaks_from_seats

        leaks += leaks_from_seats(look, targets, leaks)
    low, high, is_exact = look.intervals(np.flatnonzero(hidden))
    if exact:
        from tacita.tables.intervals import exact_intervals

        low, high, is_exact = exact_intervals(attacker)
    return Certificate(
        hidden=np.flatnonzero(hidden).astype(np.int64),
        low=low,
        high=high,
        is_exact=is_exact,
        leaks=tuple(leaks),
        seats=len(problem.seats) if seats else 0,
        solves=attacker.solves,
        seconds=time.perf_counter() - begin,
        is_integer=integer,
    )


def infeasible(problem: Problem, *, integer: bool = False) -> tuple[Leak, ...]:
    """Return the levels that no pattern can meet, with the relations that force it.

    Everything that can be hidden is hidden; whatever leaks even then leaks from every pattern.
    """
    return audit(problem, problem.can_hide | problem.unsafe, integer=integer).leaks


class Look:
    """One audit in progress: which levels are missed, from where.

    Parameters
    ----------
    attacker
        The attacker on the pattern.
    """

    def __init__(self, attacker: Attacker) -> None:
        self.attacker = attacker
        problem = attacker.problem
        self.needed = {name: getattr(problem, name) for name in _SIDES}
        self.slack = problem.tolerance()
        self._exact: dict[tuple[int, int], float] = {}

    # --- the outsider --------------------------------------------------------------------------------------------------

    def from_outside(self, cells: IntArray) -> list[Leak]:
        """Return what anybody can find out about these unsafe cells."""
        attacker, place = self.attacker, self.attacker.polytope.place
        leaks: list[Leak] = []
        with task("Auditing from outside", 2 * len(cells)) as running:
            self._sweep(cells[place[cells] >= 0], running)
            for cell in cells.tolist():
                running.advance()
                if place[cell] >= 0:
                    leaks += self.missed(cell, _NOBODY, frozenset())
                else:
                    leaks += self._given_away(cell)
        return leaks

    def _sweep(self, cells: IntArray, running: Task) -> None:
        """Settle most cells by witnesses, each of which serves all cells that move in it."""
        attacker = self.attacker
        for at in attacker.polytope.place[cells].tolist():
            running.advance()
            while (ask := self._next(at)) is not None:
                found, _ = attacker.attempt(at, ask[0], ask[1])
                if found is None or found.amount < ask[1] - attacker.tolerance[at]:
                    break

    def _next(self, at: int) -> tuple[int, float] | None:
        """The next level of a cell that no witness proves yet, as a sign and an amount."""
        cell = int(self.attacker.polytope.cells[at])
        seen = self.attacker.witnesses
        return self._lacking(cell, float(seen.down[at]), float(seen.up[at]))

    def _lacking(
        self, cell: int, down: float, up: float, skip: Set[Side] = frozenset()
    ) -> tuple[int, float] | None:
        above, below, sliding = (float(self.needed[side][cell]) for side in ("above", "below", "sliding"))
        slack = self.slack[cell]
        if up < above - slack and "above" not in skip:
            return 1, above
        if down < below - slack and "below" not in skip:
            return -1, below
        if up + down < sliding - slack and "sliding" not in skip:
            return 1, sliding - down
        return None

    def _given_away(self, cell: int) -> list[Leak]:
        """Leaks of a cell that is published, known beforehand, or found by a chain of single relations."""
        attacker = self.attacker
        relations: tuple[int, ...] = ()
        if attacker.hidden[cell]:
            relations = tuple(sorted(attacker.reach(cell, "above", np.inf).prices))
        missed = [side for side in _SIDES if self.needed[side][cell] > self.slack[cell]]
        if not missed and not attacker.hidden[cell]:
            missed = ["sliding"]
        return [Leak(cell, None, side, 0.0, relations) for side in missed]

    # --- one cell, from anywhere ---------------------------------------------------------------------------------------

    def needs(self, side: Side, cell: int, seat: int | None) -> float:
        """A level of a cell as it can be asked for from a seat: whoever has a part in it knows that it is not smaller."""
        if side == "below" and seat is not None:
            return float(self.attacker.problem.below_from(seat, np.array([cell]))[0])
        return float(self.needed[side][cell])

    def lacks(self, cell: int, known: Set[int], seat: int | None, skip: Set[Side] = frozenset()) -> bool:
        """Whether no witness at hand proves the levels of a cell for somebody who knows these cells."""
        at = int(self.attacker.polytope.place[cell])
        down, up = self.attacker.witnesses.without(at, known)
        got = {"below": down, "above": up, "sliding": down + up}
        return any(got[side] < self.needs(side, cell, seat) - self.slack[cell] for side in _SIDES if side not in skip)

    def shows(self, cell: int, fixed: IntArray, skip: Set[Side]) -> bool:
        """Whether witnesses prove the levels of a cell against somebody who knows these cells, looking for new ones.

        The answer no proves nothing.
        """
        attacker, known = self.attacker, frozenset(fixed.tolist())
        at = int(attacker.polytope.place[cell])
        if at in known:
            return False
        for _ in range(3):
            ask = self._lacking(cell, *attacker.witnesses.without(at, known), skip)
            if ask is None:
                return True
            if not attacker.shows(at, *ask, fixed):
                return False
        return False

    def missed(
        self, cell: int, fixed: IntArray, known: Set[int], seat: int | None = None, skip: Set[Side] = frozenset()
    ) -> list[Leak]:
        """Return the levels of a cell that somebody who knows these cells narrows too much."""
        attacker = self.attacker
        at, slack = int(attacker.polytope.place[cell]), self.slack[cell]
        down, up = attacker.witnesses.without(at, known)
        found: dict[int, Reach] = {}
        leaks = []
        for side, sign, reached in (("above", 1, up), ("below", -1, down)):
            needed = self.needs(side, cell, seat)
            if reached < needed - slack and side not in skip:
                answer = attacker.settle(at, sign, needed, fixed)
                shown = attacker.witnesses.without(at, known)[sign > 0]
                if not answer.is_met or shown < needed - slack:  # a level holds only by a table that shows it
                    found[sign] = answer
                    share = min(answer.amount, shown) / needed if answer.is_met else answer.amount / needed
                    leaks.append(self._leak(cell, seat, side, share, [answer], fixed))
        if "sliding" not in skip:
            leaks += self._sliding(cell, fixed, known, seat, found)
        if seat is None:
            for sign, answer in found.items():
                self._exact[at, sign] = answer.amount
        return leaks

    def _sliding(
        self, cell: int, fixed: IntArray, known: Set[int], seat: int | None, found: dict[int, Reach]
    ) -> list[Leak]:
        """The width of the interval: first up as far as wanted, then down for the rest."""
        attacker, needed = self.attacker, float(self.needed["sliding"][cell])
        at, slack = int(attacker.polytope.place[cell]), self.slack[cell]
        down, up = attacker.witnesses.without(at, known)
        if down + up >= needed - slack:
            return []
        for sign in (1, -1):
            answer = found.get(sign) or attacker.settle(at, sign, needed - (down if sign > 0 else up), fixed)
            if not answer.is_met:
                found[sign] = answer
            down, up = (down, max(up, answer.amount)) if sign > 0 else (max(down, answer.amount), up)
            if answer.is_met:
                break
        if down + up >= needed - slack:
            # Bounds allow the width; what counts are tables that show it.
            for sign, answer in found.items():
                attacker.settle(at, sign, answer.amount - 0.25 * slack, fixed)
            down, up = attacker.witnesses.without(at, known)
            if down + up >= needed - slack:
                return []
        return [self._leak(cell, seat, "sliding", (down + up) / needed, list(found.values()), fixed)]

    def _leak(
        self, cell: int, seat: int | None, side: Side, share: float, answers: list[Reach], fixed: IntArray
    ) -> Leak:
        relations = sorted({row for answer in answers for row in answer.prices})
        known = self._used(answers, fixed)
        return Leak(cell, seat, side, min(max(share, 0.0), _NEARLY), tuple(relations), known)

    def _used(self, answers: list[Reach], fixed: IntArray) -> tuple[int, ...]:
        """The attacker's own cells that stand in the combination with a coefficient other than 0."""
        if not len(fixed):
            return ()
        own = set(self.attacker.polytope.cells[fixed].tolist())
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
        """Return for each hidden cell the interval that witnesses prove, and where it is exact."""
        attacker = self.attacker
        problem, polytope, seen = attacker.problem, attacker.polytope, attacker.witnesses
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


