"""The cheapest safe pattern of one block: solve, separate, solve again."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.solve import Solution
from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import Core
from tacita.tables.suppression.exact.master import Master, partner_cuts
from tacita.tables.suppression.exact.proof import Miss, Proof, complete
from tacita.tables.suppression.exact.repair import Repair
from tacita.tables.suppression.exact.separation import Separator

__all__ = ["Block"]


_CUTS_A_ROUND = 100
_ROUNDS = 60
_COARSE = 0.02
_NEAR_ROUNDS = 6
_SHARE = 0.1
"""Share of the time left that one pass may take which only prepares the search."""


class Block:
    """The search in one core; whenever it is stopped, ``hidden`` is safe and nothing safe costs less than ``bound``.

    Parameters
    ----------
    core
        The problem of the block.
    report
        Called now and then while the search is running; True stops it.
    """

    def __init__(self, core: Core, report: Callable[[], bool]) -> None:
        self.core = core
        self._report = report
        self._attack = BlockAttack(core)
        self._until = float("inf")
        self.hidden: BoolArray = np.ones(core.size, bool)
        self.bound = float(core.cost[core.forced].sum())
        self._step = _step(core.cost)
        self._repair = Repair(core, self._attack)
        self._gap = 0.0
        self._last: Solution

    @property
    def cost(self) -> float:
        """Cost of the best pattern so far."""
        return float(self.core.cost[self.hidden].sum())

    def leaks(self) -> list[Miss]:
        """Return the levels that are missed even when all cells are hidden."""
        return complete(Proof(self.core, np.ones(self.core.size, bool)), self._attack)

    # --- the search ------------------------------------------------------------------------------------------------------

    def takes(self, start: BoolArray, is_proven: bool) -> bool:
        """Keep a pattern if it is safe, and say whether it is; what the caller knows is not lost for want of time."""
        proof = Proof(self.core, start | self.core.forced)
        if not is_proven and complete(proof, self._attack, first=True):
            return False
        self._keep(proof.hidden)
        return True

    def begin(self, start: BoolArray | None, seconds: float) -> None:
        """Find a first pattern, from a known one if there is one."""
        self._until = time.perf_counter() + seconds
        if not self._over():
            self._offer(self.core.forced if start is None else start, self.core.cost)

    def search(self, seconds: float, gap: float) -> None:
        """Improve pattern and bound until they meet, or time is over."""
        self._until, self._gap = time.perf_counter() + seconds, gap
        if self._is_done():
            return
        self._separator = Separator(self.core, self._attack)
        self._master = Master(self.core)
        self._master.add(partner_cuts(self.core))
        y = self._relax(_ROUNDS)
        if y is None or self._is_done():
            return
        early = self._whole(_COARSE, _SHARE * (self._until - time.perf_counter()))
        if np.isfinite(early.bound):
            self._raise(early.bound)
        self._offer(y > 0.999, self.core.cost * (1.001 - y))
        self._near(y)
        self._branch()

    def _over(self) -> bool:
        return time.perf_counter() > self._until or self._report()

    def _is_done(self) -> bool:
        left = self.cost - self.bound
        return self._over() or left <= max(self._gap * self.cost, self._step - 1e-6, 1e-9 * self.cost)

    def _raise(self, bound: float) -> None:
        """Take a new bound: costs come in steps, so a bound between two steps is the upper one."""
        if self._step > 0:
            bound = self._step * float(np.ceil(bound / self._step - 1e-6))
        self.bound = min(max(self.bound, bound), self.cost)

    def _offer(self, hidden: BoolArray, price: FloatArray) -> None:
        """Make a pattern safe and lean, and keep it if it is the best."""
        proof = self._repair.safe(hidden, np.maximum(price, 1e-3 * self.core.cost), self._over)
        if proof is None:
            return
        self._keep(proof.hidden)
        until = time.perf_counter() + _SHARE * (self._until - time.perf_counter())
        self._keep(self._repair.lean(proof, price, lambda: time.perf_counter() > until or self._over()).hidden)

    def _keep(self, hidden: BoolArray) -> None:
        if float(self.core.cost[hidden].sum()) < self.cost - 1e-12:
            self.hidden = hidden.copy()

    def _relax(self, rounds: int) -> FloatArray | None:
        """Solve the linear relaxation with cuts until they get few or gain nothing; return its last point."""
        y, stale, last = None, 0, -np.inf
        most = max(_CUTS_A_ROUND, len(self.core.guarded) // 2)
        for _ in range(rounds):
            answer = self._master.relaxed(max(self._until - time.perf_counter(), 0.0))
            if answer.status != "optimal":
                return None
            y = np.clip(answer.values, 0.0, 1.0)
            self._raise(answer.objective)
            self._last = answer
            stale = stale + 1 if answer.objective < last + 2e-4 * abs(last) else 0
            last = max(last, answer.objective)
            if stale >= 3 or self._is_done():
                break
            cuts = self._separator.at(y, most, self._over)
            if len(cuts) < most // 4:
                cuts += self._separator.bridges(y, most // 4, self._over)
            if not cuts:
                break
            self._master.add(cuts)
        return y

    def _fix(self) -> None:
        """Fix by reduced costs what only patterns at least as dear as the best one have otherwise."""
        objective, reduced = self._last.objective, self._last.reduced
        room = self.cost - max(self._step - 1e-6, 0.0) - objective + 1e-6 * abs(objective)
        free = ~self.core.forced
        self._master.fix(np.where(free & (reduced < -room), 1.0, 0.0), np.where(free & (reduced > room), 0.0, 1.0))

    def _whole(self, gap: float, seconds: float, fixed: BoolArray | None = None) -> Solution:
        """Solve the mixed-integer master, with some cells as in the best pattern."""
        self._fix()
        left = min(self._until - time.perf_counter(), seconds)
        return self._master.whole(left, gap, self.hidden, fixed, lambda *_: self._over())

    def _attacked(self, hidden: BoolArray) -> bool:
        """Attack a solution of the master; take the cuts where it fails, keep it as the best pattern otherwise."""
        misses = complete(Proof(self.core, hidden), BlockAttack(self.core, hidden), tick=self._over)
        if self._over():
            return True
        if misses:
            self._master.add(self._separator.of_misses(hidden, misses, self._over))
        else:
            self._keep(hidden)
        return bool(misses)

    def _near(self, other: FloatArray) -> None:
        """Search where the best pattern and another point differ: the cuts serve everywhere, the pattern at the end too."""
        fixed = np.abs(self.hidden - other) < 0.01
        last = None
        for _ in range(_NEAR_ROUNDS):
            if self._over():
                return
            answer = self._whole(1e-3, 2.0, fixed)
            if not answer.has_solution or answer.objective > self.cost - 1e-9 * self.cost:
                return
            last = answer.values > 0.5
            if not self._attacked(last):
                return
        if last is not None:
            self._offer(last, self.core.cost)

    def _branch(self) -> None:
        """Solve the mixed-integer master, cut its solution off or accept it, ever more tightly."""
        gap = _COARSE
        while not self._is_done():
            gap = max(self._gap / 2, min(gap, 0.5 * (self.cost - self.bound) / self.cost))
            gap = gap if gap > 2e-5 else 0.0
            answer = self._whole(gap, np.inf)
            if answer.status == "infeasible":
                self.bound = self.cost
                return
            if np.isfinite(answer.bound):
                self._raise(answer.bound)
            if not answer.has_solution or self._is_done():
                return
            hidden = answer.values > 0.5
            if self._attacked(hidden):
                self._near(hidden.astype(np.float64))
            elif gap == 0.0 and answer.status == "optimal":
                self._raise(self.cost)  # what is left between cost and bound is rounding of the solver
            else:
                gap *= 0.25


def _step(cost: FloatArray) -> float:
    """Return what all costs are multiples of, when they are whole numbers; otherwise 0."""
    if np.any(cost != np.rint(cost)) or cost.max(initial=0.0) > 1e9:
        return 0.0
    return float(np.gcd.reduce(cost.astype(np.int64)))
