"""The attacker: how far the value of a hidden cell can be from the truth, for whoever knows what.

Two linear programmes a cell would do, and on a table of a hundred thousand cells they would do for hours. Instead a
kernel looks for the nearest move, which changes only a few cells, and gives back either it or the relations that exclude it.
Neither is taken on trust: moves are checked against every relation and bound before they count
(:mod:`tacita.tables.auditor.checked_moves`), and relations go to the solver, whose prices prove the bound. The whole block of
connected cells is solved only where the kernel gave up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.tables.auditor.checked_moves import CheckedMoves
from tacita.tables.auditor.fewer_cells import FewerCells
from tacita.tables.auditor.knowledge import NOTHING, Known
from tacita.tables.auditor.polytope import Polytope, check_whole, shyness
from tacita.tables.auditor.reach import Reach
from tacita.tables.auditor.region import Farthest, Region, whole_block
from tacita.tables.protect.problem import Problem

__all__ = ["CellAttacker"]


_BASIS, _STEPS = 600, 2000
_NOBODY = np.empty(0, np.int64)


class CellAttacker:
    """All that can be asked about one pattern of hidden cells.

    Parameters
    ----------
    problem
        The table, its bounds and levels.
    hidden
        (n,): hidden cells.
    integer
        Whether the attacker knows that all cells are whole numbers.

    Raises
    ------
    DataError
        When ``integer`` and values or relations are not whole.

    Complexity
    ----------
    A level that holds costs a few dozen pivots on a basis of as many relations, whatever the size of the table, and one
    that does not costs a few small linear programmes; only what the kernel gives up goes to the whole block. Memory
    O(entries of the relations).

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear
    constraints, Management Science 47(7), 1008-1027: the attacker's subproblems and their duals as cuts.

    Examples
    --------
    Two rows and two columns, all four inner cells hidden: one of them can go up by as much as its neighbour has.

    >>> from tacita.tables.model.relations import Relations
    >>> rows = Relations.of([(4, [0, 1]), (5, [2, 3]), (6, [0, 2]), (7, [1, 3]), (8, [4, 5]), (8, [6, 7])], 9)
    >>> a = np.array([2.0, 3, 4, 1, 5, 5, 6, 4, 10])
    >>> yes, no, none = np.arange(9) < 4, np.zeros(9, bool), np.zeros(9)
    >>> table = Problem(rows, a, none, np.full(9, np.inf), no, none, none, none, np.ones(9), no)
    >>> attacker = CellAttacker(table, yes)
    >>> up, down = attacker.reach(0, "above", 10.0), attacker.reach(0, "below", 1.0)
    >>> round(up.amount, 6), up.prices, down.is_met, down.cells.tolist(), down.moves.tolist()
    (3.0, {0: 1.0}, True, [0, 1, 2, 3], [-1.0, 1.0, 1.0, -1.0])
    """

    def __init__(self, problem: Problem, hidden: BoolArray, *, integer: bool = False) -> None:
        self.problem, self.hidden, self.is_integer = problem, hidden, integer
        self.polytope = Polytope.of(problem, hidden)
        if integer:
            check_whole(problem)
        cells = self.polytope.cells
        self.tolerance = problem.tolerance()[cells]
        watched = problem.unsafe[cells]
        levels = np.maximum(np.maximum(problem.below, problem.above), problem.sliding)[cells]
        wanted = np.where(watched & np.isfinite(levels), levels, 0.0)
        self.checked_moves = CheckedMoves(self.polytope, wanted, watched, is_integer=integer)
        self.solves = 0
        self._typical = _typical(wanted)
        self._blocks: dict[int, Region] = {}
        self._given: dict[int, Reach] = {}

    def reach(
        self, cell: int, side: Literal["below", "above"], needed: float, known: Sequence[int] | IntArray = ()
    ) -> Reach:
        """Return how far a hidden cell can be from its true value, no farther than needed.

        Parameters
        ----------
        cell
            A hidden cell.
        side
            Under or over the true value.
        needed
            The level; the search stops there.
        known
            Cells that this attacker knows of his own.
        """
        if not self.hidden[cell]:
            raise ParameterError(f"reach: cell {cell} is not hidden.")
        at, sign = int(self.polytope.place[cell]), 1 if side == "above" else -1
        if at < 0:
            prices = {r: sign * y for r, y in self.polytope.combination(cell, _NOBODY, np.empty(0)).items()}
            return Reach(cell, side, 0.0, needed <= float(self.problem.tolerance()[cell]), prices)
        places = self.polytope.place[np.asarray(known, np.int64)]
        return self.settle(at, sign, needed, Known(places[places >= 0]))

    # --- one level of one cell -----------------------------------------------------------------------------------------

    def settle(self, at: int, sign: int, needed: float, known: Known = NOTHING) -> Reach:
        """Answer :meth:`reach` for positions in the polytope."""
        slack = float(self.tolerance[at])
        if needed <= slack or at in known.fixed:
            return Reach(int(self.polytope.cells[at]), _side(sign), 0.0, needed <= slack)
        room = float((self.polytope.up if sign > 0 else self.polytope.down)[at])
        if sign < 0:
            room = min(room, float(known.down(np.array([at]))[0]))
        if room < needed - slack:  # what everybody knows about the cell excludes it
            nearer = self.settle(at, sign, room, known)
            return Reach(nearer.cell, nearer.side, nearer.amount, False, nearer.prices)
        goal = min(needed, room)
        if self.is_integer:
            goal = float(np.ceil(needed - slack))
        if not np.isfinite(goal):
            return self._by_block(at, sign, goal, known)
        found, proof = self.attempt(at, sign, goal, known)
        if found is not None and found.amount >= needed - slack:
            return found
        if len(proof) and not self.is_integer:
            return self._tightened(at, sign, goal, known, proof)
        if found is None and not len(proof) and not self._frozen[at]:
            found = self._without_frozen(at, sign, goal, known)
        elif self.is_integer and not len(proof):
            found = self._nearest(at, sign, goal, known)
        if found is not None and found.amount >= needed - slack:
            return found
        return self._by_block(at, sign, goal, known)

    def end(self, at: int, sign: int, bound: float) -> float | None:
        """Return how far a cell goes when it goes no farther than a bound; None where only the whole block can tell."""
        found, proof = self.attempt(at, sign, bound)
        if found is not None and found.amount >= bound - 0.5 * self.tolerance[at]:
            return bound
        if not len(proof):
            return None
        best, is_exact = self._tighten(at, sign, bound, NOTHING, proof)
        return best.amount if is_exact and best is not None else None

    def shows(self, at: int, sign: int, amount: float, known: Known = NOTHING) -> bool:
        """Whether a move is found that takes a cell by an amount; no proof where none is found."""
        found, proof = self.attempt(at, sign, amount, known)
        if found is None and not len(proof):
            found = self._nearest(at, sign, amount, known)
        return found is not None and found.amount >= amount - self.tolerance[at]

    def _without_frozen(self, at: int, sign: int, amount: float, known: Known) -> Reach | None:
        """Look again with all cells held still that the relations determine, then let the solver look."""
        frozen = known.with_fixed(np.flatnonzero(self._frozen))
        if len(frozen.fixed) > len(known.fixed):
            found, proof = self.attempt(at, sign, amount, frozen)
            if found is not None or len(proof):
                return found
        return self._nearest(at, sign, amount, frozen)

    def attempt(self, at: int, sign: int, amount: float, known: Known = NOTHING) -> tuple[Reach | None, IntArray]:
        """Ask the kernel for a move; return it when it holds, and otherwise the relations against it.

        Both are missing where the kernel gave up, or where its table did not stand the check.
        """
        from tacita.numeric.table_moves.cheapest_move import BLOCKED, FOUND, move_cell  # loads when used

        work, fewer = self._work, self._fewer
        if self.is_integer:
            amount = float(np.ceil(amount - self.tolerance[at]))
        self.solves += 1
        net, group, of_groups = fewer.net, int(fewer.place[at]), fewer.known(known)
        if group in of_groups.fixed:  # what moves like it is known
            return None, fewer.explained(group, _NOBODY)
        usual = net.room[of_groups.held, 1]
        self._blocked[of_groups.fixed], net.room[of_groups.held, 1] = True, np.minimum(usual, of_groups.room)
        verdict, count = move_cell(net, work, self._fee, self._blocked, group, sign * amount, np.inf, _STEPS)
        self._blocked[of_groups.fixed], net.room[of_groups.held, 1] = False, usual
        if verdict == FOUND:
            return self._checked(at, sign, *fewer.back(work.cells[:count].copy(), work.moves[:count].copy())), _NOBODY
        return None, fewer.explained(group, work.blocking[:count].copy()) if verdict == BLOCKED else _NOBODY

    def _checked(self, at: int, sign: int, cells: IntArray, moves: FloatArray) -> Reach | None:
        """A checked move, if this is one; it is stretched to the bounds."""
        found = self.checked_moves.add(cells, moves)
        if found is None:
            return None
        amount, length = found.toward(at, sign)
        order = np.argsort(found.cells)
        return Reach(
            int(self.polytope.cells[at]),
            _side(sign),
            amount,
            True,
            cells=self.polytope.cells[found.cells[order]],
            moves=length * found.moves[order],
        )

    def _nearest(self, at: int, sign: int, amount: float, known: Known) -> Reach | None:
        """A move from the solver, on the whole block."""
        region = self._block(at)
        for whole in (False, True) if self.is_integer else (False,):
            self.solves += 1
            moves = region.move(at, sign, amount, known, whole=whole)
            if moves is None:
                return None
            found = self._checked(at, sign, region.cells, moves)
            if found is not None and found.amount >= amount - self.tolerance[at]:
                return found
        return None

    # --- bounds --------------------------------------------------------------------------------------------------------

    def _tightened(self, at: int, sign: int, amount: float, known: Known, rows: IntArray) -> Reach:
        """Turn relations that exclude an amount into the exact maximum."""
        bound, is_exact = self._tighten(at, sign, amount, known, rows)
        if is_exact and bound is not None:
            return bound
        exact = self._by_block(at, sign, amount if bound is None else bound.amount, known)
        return bound if exact.is_met and bound is not None else exact

    def _tighten(self, at: int, sign: int, amount: float, known: Known, rows: IntArray) -> tuple[Reach | None, bool]:
        """Bound a cell by ever more relations; return the best bound and whether it is the exact maximum.

        Relations bound the cell; either a table reaches the bound, or the kernel names relations that exclude it.
        """
        slack = float(self.tolerance[at])
        bound: Reach | None = None
        for _ in range(20):
            region = Region(self.polytope, rows, at, scale=amount)
            far = self._farthest(region, at, sign, amount, known)
            if far.amount >= amount - 0.5 * slack:
                return bound, False
            amount, bound = far.amount, self._missed(region, far, at, sign)
            if amount <= 0.5 * slack:
                return bound, True
            found, rows = self.attempt(at, sign, amount, known)
            if found is not None and found.amount >= amount - slack:
                return bound, True
            if not len(rows):
                return bound, False
        return bound, False

    def _by_block(self, at: int, sign: int, needed: float, known: Known) -> Reach:
        """Let the solver bound a cell by the relations of its whole block."""
        if at in self._given:  # what determines a cell bounds it from both sides
            given = self._given[at]
            return Reach(given.cell, _side(sign), 0.0, False, {r: sign * y for r, y in given.prices.items()})
        slack, region = float(self.tolerance[at]), self._block(at)
        far = self._farthest(region, at, sign, needed, known)
        if far.amount < needed - slack:
            missed = self._missed(*self._shortened(region, at, sign, needed, known, far), at, sign)
            if self._frozen[at] and far.amount <= slack:
                self._given[at] = Reach(
                    missed.cell, "above", 0.0, False, {r: sign * y for r, y in missed.prices.items()}
                )
            return missed
        # The bound allows the level although no move came out: only what a checked table proves counts.
        if np.isinf(far.amount):
            return Reach(int(self.polytope.cells[at]), _side(sign), np.inf, True)
        found = self._checked(at, sign, region.cells, far.moves)
        if found is None or found.amount < needed - slack:
            found = self._nearest(at, sign, needed - 0.5 * slack, known)
        if found is not None and found.amount >= needed - slack:
            return found
        reached = 0.0 if found is None else found.amount
        return self._missed(region, Farthest(reached, far.moves, far.prices), at, sign)

    def _shortened(
        self, region: Region, at: int, sign: int, needed: float, known: Known, far: Farthest
    ) -> tuple[Region, Farthest]:
        """Look for shorter prices among the relations that were used."""
        used = np.flatnonzero(np.abs(far.prices) > 1e-9)
        if self.is_integer or len(used) < 2:
            return region, far
        part = Region(self.polytope, region.rows[used], at, scale=needed if np.isfinite(needed) else self._typical)
        again = self._farthest(part, at, sign, needed, known)
        return (part, again) if again.amount <= far.amount + 0.5 * self.tolerance[at] else (region, far)

    def _farthest(self, region: Region, at: int, sign: int, needed: float, known: Known) -> Farthest:
        far = region.farthest(at, sign, needed, known)
        self.solves += 1
        if not self.is_integer or far.amount <= 0.5:
            return far
        exact = region.farthest(at, sign, needed, known, whole=True)
        self.solves += 1
        # Where rounding the linear bound down is enough, its prices explain the bound.
        prices = far.prices if np.floor(far.amount + 1e-6) <= exact.amount else np.empty(0)
        return Farthest(exact.amount, exact.moves, prices)

    def _missed(self, region: Region, far: Farthest, at: int, sign: int) -> Reach:
        cell = int(self.polytope.cells[at])
        if len(far.prices):
            used = np.flatnonzero(np.abs(far.prices) > 1e-9)
            found = self.polytope.combination(cell, region.rows[used], sign * far.prices[used])
            prices = {row: sign * price for row, price in found.items()}
        else:
            prices = dict.fromkeys(self.polytope.rows[region.rows].tolist(), 0.0)
        return Reach(cell, _side(sign), max(far.amount, 0.0), False, prices)

    # --- what is made when it is needed --------------------------------------------------------------------------------

    @cached_property
    def _fewer(self) -> FewerCells:
        return FewerCells.of(self.polytope)

    @cached_property
    def _fee(self) -> FloatArray:
        return self._fewer.most(shyness(self.problem, self.polytope.cells))

    @cached_property
    def _blocked(self) -> BoolArray:
        return np.zeros(len(self._fewer), bool)

    @cached_property
    def _frozen(self) -> BoolArray:
        return self.polytope.frozen()

    @cached_property
    def _work(self) -> Any:
        from tacita.numeric.table_moves.workspace import make_workspace

        return make_workspace(len(self._fewer.rows), len(self._fewer), _BASIS)

    def _block(self, at: int) -> Region:
        block = int(self.polytope.block[at])
        if block not in self._blocks:
            self._blocks[block] = whole_block(
                self.polytope, at, scale=self._typical, is_integer=self.is_integer, loose=0.0, afresh=True
            )
        return self._blocks[block]


def _side(sign: int) -> Literal["below", "above"]:
    return "above" if sign > 0 else "below"


def _typical(wanted: FloatArray) -> float:
    positive = wanted[wanted > 0]
    return float(np.median(positive)) if len(positive) else 1.0
