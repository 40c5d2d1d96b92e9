"""A lower bound for tabular adjustment: what cannot be had cheaper, whatever the directions.

Let v be the absolute moves. In every relation ``sum c_j z_j = 0`` no cell moves further than all others together,

    |c_i| v_i <= sum over j != i of |c_j| v_j,

and an unsafe group moves at least by its level. The cheapest v under these rows is a linear programme without directions;
its optimum is close to that of the adjustment, where a model with big constants starts from the levels alone. Rows are
added where they are violated. Any prices of the rows prove a bound by duality, whatever the tolerance of the solver.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.clock import Clock
from tacita.core.progress import task
from tacita.solve import Solver
from tacita.solve.interior_point import InteriorPoint
from tacita.tables.adjustment.core import AdjustmentCore

__all__ = ["CompensationBound"]


VIOLATED = 1e-3
SIMPLEX_SECONDS = 2.0


class CompensationBound:
    """Rows found so far, the bound they prove, and what it says about single groups.

    Parameters
    ----------
    core
        What is to be decided.
    cost
        Cost of a known solution: no group of a better one moves further than it can pay for.
    """

    def __init__(self, core: AdjustmentCore, cost: float) -> None:
        import scipy.sparse as sp

        self.core = core
        self._sizes = abs(core.rows).tocsr()
        self._relation = np.repeat(np.arange(self._sizes.shape[0]), np.diff(self._sizes.indptr))
        self.cuts: Any = sp.csr_array((0, core.size))
        self.value = float(core.weight @ core.least)
        self.v = core.least.copy()
        self._proofs = [(self.value, core.weight)]
        self.best_known(cost)
        self.is_done = False

    def best_known(self, cost: float) -> None:
        """Learn of a better solution."""
        self.most = np.minimum(np.maximum(self.core.up, self.core.down), self._reach(cost))

    def _reach(self, cost: float) -> FloatArray:
        """Return how far each group can move in a solution of this cost, by every proof of a bound."""
        reach = np.full(self.core.size, np.inf)
        for value, price in self._proofs:
            some = price > 1e-9 * self.core.weight
            reach[some] = np.minimum(reach[some], self.core.least[some] + max(cost - value, 0.0) / price[some])
        return reach * (1 + 1e-6) + 1e-9

    def tighten(self, clock: Clock, *, target: float = np.inf, rounds: int = 40) -> None:
        """Add violated rows and solve again, until nothing is violated, the target is reached or time is up."""
        simplex: Solver | None = self._model(Solver)
        with task("Adjustment: lower bound") as running:
            for _ in range(rounds):
                self.is_done = not self._separate(simplex)
                if self.is_done or clock.left <= 0.05 or self.value >= target:
                    return
                before, answer = self.value, None
                if simplex is not None:
                    answer = simplex.run(time_limit=min(SIMPLEX_SECONDS, clock.left))
                if answer is None or answer.status != "optimal":
                    simplex = None  # degenerate: interior points need the same few steps at any size
                    answer = self._model(InteriorPoint).run(time_limit=clock.left)
                if answer.status != "optimal":
                    return
                self._prove(answer.duals)
                self.v = np.maximum(answer.values, self.core.least)
                running.advance(note=f"bound {self.value:.6g}")
                if simplex is None and self.value - before < 2e-4 * self.value:
                    return

    def _model(self, kind: type[Solver]) -> Any:
        count = self.cuts.shape[0]
        settings = {"ends_at_corner": False} if kind is InteriorPoint else {}
        return kind(
            self.core.weight,
            self.cuts,
            np.zeros(count),
            np.full(count, np.inf),
            self.core.least,
            np.maximum(self.most, self.core.least),
            **settings,  # type: ignore[arg-type]
        )

    def _separate(self, simplex: Solver | None) -> bool:
        """Add the rows that the last v violates; return whether there were any."""
        import scipy.sparse as sp

        sizes, entries = self._sizes, self._sizes.data
        mine = entries * self.v[sizes.indices]
        over = 2 * mine - (sizes @ self.v)[self._relation]
        scale = np.maximum(mine, VIOLATED * max(float(self.core.least.max(initial=0.0)), 1e-9))
        new = np.flatnonzero(over > VIOLATED * scale)
        if not len(new):
            return False
        double = sp.csr_array(
            (2 * entries[new], (np.arange(len(new)), sizes.indices[new])), shape=(len(new), self.core.size)
        )
        cuts = (sizes[self._relation[new]] - double).tocsr()
        self.cuts = sp.vstack([self.cuts, cuts]).tocsr()
        if simplex is not None:
            simplex.add_rows(cuts, np.zeros(len(new)), np.full(len(new), np.inf))
        return True

    def _prove(self, duals: FloatArray) -> None:
        """Turn prices into a bound that holds whatever their tolerance: each group at its cheapest end."""
        price = self.core.weight - self.cuts.T @ np.maximum(duals, 0.0)
        most = np.maximum(self.most, self.core.least)
        ends = np.where(price >= 0, self.core.least, np.where(np.isfinite(most), most, 0.0))
        if np.any((price < 0) & ~np.isfinite(most)):
            return
        value = float(price @ ends)
        self.value = max(self.value, value)
        # Where a price is negative the group counts at its far end: no claim about how far it moves.
        self._proofs.append((value, np.where(price > 0, price, 0.0)))
        self._proofs = sorted(self._proofs, key=lambda proof: -proof[0])[:6]

    def tight(self) -> Any:
        """Return the rows that hold with equality at the last v: those that a search should know of."""
        if not self.cuts.shape[0]:
            return self.cuts
        size = abs(self.cuts) @ self.v
        return self.cuts[np.flatnonzero(self.cuts @ self.v <= VIOLATED * np.maximum(size, 1e-9))]
