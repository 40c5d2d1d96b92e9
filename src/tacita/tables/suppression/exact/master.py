"""The master problem: the cheapest pattern that meets all cuts found so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.solve import Solution, Solver
from tacita.tables.suppression.exact.block_form import Core
from tacita.tables.suppression.exact.cuts import Cut

__all__ = ["Master", "partner_cuts"]


Progress = Callable[[float, float, float], bool]


class Master:
    """A pool of cuts, its linear relaxation (kept warm) and its mixed-integer model (made anew for each run).

    Parameters
    ----------
    core
        The problem.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._cuts: list[Cut] = []
        self._model = self._solver(None)
        self.low = core.forced.astype(np.float64)
        self.high = np.ones(core.size)

    def __len__(self) -> int:
        return len(self._cuts)

    def _solver(self, integer: BoolArray | None) -> Solver:
        core, none = self._core, np.empty(0)
        return Solver(core.cost, None, none, none, core.forced.astype(np.float64), np.ones(core.size), integer=integer)

    def _add(self, model: Solver, cuts: list[Cut]) -> None:
        import scipy.sparse as sp

        start = np.cumsum([0, *(len(cut.cells) for cut in cuts)])
        cells = np.concatenate([cut.cells for cut in cuts])
        weights = np.concatenate([cut.weights for cut in cuts])
        rows = sp.csr_array((weights, cells, start), shape=(len(cuts), self._core.size))
        model.add_rows(rows, np.array([cut.side for cut in cuts]), np.full(len(cuts), np.inf))

    def add(self, cuts: list[Cut]) -> None:
        """Take more cuts into the pool."""
        if cuts:
            self._cuts += cuts
            self._add(self._model, cuts)

    def relaxed(self, time_limit: float) -> Solution:
        """Solve the linear relaxation."""
        return self._model.run(time_limit=time_limit)

    def fix(self, low: FloatArray, high: FloatArray) -> None:
        """Fix cells in the mixed-integer model, those that no better pattern can have otherwise."""
        self.low, self.high = np.maximum(self.low, low), np.minimum(self.high, high)

    def whole(
        self, time_limit: float, gap: float, start: BoolArray, fixed: BoolArray | None, progress: Progress
    ) -> Solution:
        """Solve the mixed-integer model; cells that are ``fixed`` are as in ``start``."""
        model = self._solver(np.ones(self._core.size, bool))
        low, high = self.low, self.high
        if fixed is not None:
            low, high = np.where(fixed, start, low), np.where(fixed, start, high)
        model.set_bounds(np.arange(self._core.size), low, high)
        if self._cuts:
            self._add(model, self._cuts)
        known = start.astype(np.float64) if bool(np.all((start >= low) & (start <= high))) else None
        return model.run(time_limit=time_limit, gap=gap, start=known, progress=progress)


def partner_cuts(core: Core) -> list[Cut]:
    """Return for each relation: a hidden cell needs a hidden partner, otherwise the relation gives it away."""
    cuts = []
    for row in range(core.rows.shape[0]):
        cells = core.rows.indices[core.rows.indptr[row] : core.rows.indptr[row + 1]].astype(np.int64)
        forced = core.forced[cells]
        if forced.sum() >= 2:
            continue
        guarded = cells[forced & np.isin(cells, core.guarded)]
        if forced.any():
            if len(guarded):
                others = cells[~forced]
                cuts.append(Cut(others, np.ones(len(others))))
            continue
        for place, cell in enumerate(cells):
            others = np.delete(cells, place)
            cuts.append(Cut(np.append(others, cell), np.append(np.ones(len(others)), -1.0), 0.0))
    return cuts
