"""Differences of tables: a group that no table shows is what some published cells have beyond others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import reach_of
from tacita.attack.targets import TableTarget
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.progress import task
from tacita.core.traits import AttackTraits
from tacita.solve import Solver

__all__ = ["TableDifference"]


@dataclass(frozen=True, kw_only=True)
class TableDifference(Attacker):
    """Add and subtract published cells until one cell is left that nobody published.

    Grid squares and municipalities of the same people, or tables by age in years and in classes that do not nest: each is
    harmless, and their difference may be one person. Of all combinations of published cells that give the victim the one with the
    smallest sum of coefficients is taken, so that noise adds up least.

    Parameters
    ----------
    is_clipped
        Whether counts that are told below 0 are moved to 0.

    Complexity
    ----------
    O(v) linear programmes for v victims, in the sums that hang together with the victim, each from the last basis.

    Notes
    -----
    Bounds are not used: :class:`HiddenCells` does that. So this is what anybody does with a pencil, and it also tells what
    changed cells are worth in differences: noise of the cells adds up. It is sure where values are true, or where all
    noise together cannot move the result to another count.

    References
    ----------
    Costemalle, V. (2019), Detecting geographical differencing problems in the context of spatial data dissemination, Statistical
    Journal of the IAOS 35(4), 559-568.

    Examples
    --------
    A municipality of 70 people, and the two squares that lie in it with 40 and 29.

    >>> import numpy as np, scipy.sparse as sp
    >>> shown = np.array([70.0, 40, 29, np.nan])
    >>> target = TableTarget(relations=sp.csr_matrix([[1.0, -1, -1, -1]]), shown=shown, wanted=np.array([3]),
    ...                      lower=np.zeros(4), upper=np.full(4, np.inf), is_count=True)
    >>> TableDifference().run(target, np.random.default_rng(1))[0].said.tolist()
    [1.0]
    """

    name = "table_difference"
    title = "Differences of published tables"
    traits = AttackTraits(
        against="table",
        learns="value",
        knows="published cells of several tables, and which groups are in which cells",
        breaks="true counts by two geographies that cross",
        held_by="keyed noise: the noise of all cells of a difference adds up",
    )

    is_clipped: bool = True

    def declined(self, target: Any) -> str:
        if not isinstance(target, TableTarget):
            return "There are no cells with sums."
        return "" if target.hidden[target.wanted].any() else "No cell that is wanted is hidden."

    def cost(self, target: Any) -> float:
        return float(target.victims) * (5e-4 + 1e-6 * float(target.relations.nnz))

    def run(self, target: TableTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        hidden, rows = target.hidden, target.relations.tocsr()
        shown, reach = np.where(hidden, 0.0, target.shown), reach_of(target)
        said, most_off = np.where(hidden[target.wanted], np.nan, shown[target.wanted]), reach[target.wanted].copy()
        cells_used = np.ones(target.victims)
        open_ = np.flatnonzero(hidden[target.wanted])
        finder = _Combinations(rows, hidden)
        with task("Differences of tables", len(open_)) as running:
            for i in open_.tolist():
                weights = finder.of(int(target.wanted[i]))
                if weights is not None:
                    said[i] = float(weights @ shown)
                    most_off[i] = float(np.abs(weights) @ reach)
                    cells_used[i] = float((np.abs(weights) > 1e-9).sum())
                running.advance()
        found = ~np.isnan(said)
        if target.is_count:
            said = np.rint(said)
        if self.is_clipped:
            said = np.where(said < target.lower[target.wanted], target.lower[target.wanted], said)
        is_sure = found & (most_off < (0.5 if target.is_count else 1e-12))
        return (
            Claims(
                about="cell",
                said=said,
                is_sure=is_sure,
                learned=f"{int(found.sum())} groups are differences of published cells." if found.any() else "",
                figures={
                    "found": float(found.sum()),
                    "cells_used": float(cells_used[found].mean()) if found.any() else 0.0,
                },
            ),
        )


class _Combinations:
    """Finds for a hidden cell the combination of sums that leaves it and published cells only."""

    def __init__(self, rows: Any, hidden: np.ndarray) -> None:
        from scipy.sparse.csgraph import connected_components

        self._rows, self._hidden = rows, hidden
        among = rows[:, np.flatnonzero(hidden)]
        self._part = np.full(len(hidden), -1, np.int64)
        self._part[hidden] = connected_components(abs(among).T @ abs(among), directed=False)[1]
        self._models: dict[int, tuple[Solver, IntArray, IntArray, IntArray]] = {}

    def _model(self, part: int) -> tuple[Solver, IntArray, IntArray, IntArray]:
        """Return ``min sum |c|`` over y with ``A_hidden' y = e`` and ``A_shown' y = c``, and what its rows are."""
        import scipy.sparse as sp

        if part not in self._models:
            inside = np.flatnonzero(self._part == part)
            use = np.flatnonzero(np.diff(self._rows[:, inside].tocsr().indptr) > 0)
            own = self._rows[use]
            outside = np.flatnonzero((np.bincount(own.indices, minlength=own.shape[1]) > 0) & ~self._hidden)
            m, k = len(use), len(outside)
            eye = sp.identity(k, format="csr")
            above = sp.hstack([own[:, inside].T, sp.csr_matrix((len(inside), 2 * k))])
            below = sp.hstack([own[:, outside].T, -eye, eye])
            side = np.zeros(len(inside) + k)
            cost = np.concatenate([np.zeros(m), np.ones(2 * k)])
            lower, upper = np.zeros(m + 2 * k), np.full(m + 2 * k, np.inf)
            lower[:m] = -np.inf
            model = Solver(cost, sp.vstack([above, below]).tocsr(), side, side, lower, upper, threads=1, method="dual")
            self._models[part] = (model, inside, use, outside)
        return self._models[part]

    def of(self, cell: int) -> FloatArray | None:
        """Return the coefficients of published cells whose sum is the cell; None where there are none."""
        model, inside, use, _ = self._model(int(self._part[cell]))
        at = np.searchsorted(inside, np.array([cell]))
        model.set_sides(at, np.ones(1), np.ones(1))
        found = model.run(prices=False)
        model.set_sides(at, np.zeros(1), np.zeros(1))
        if found.status != "optimal":
            return None
        weights = -(self._rows[use].T @ found.values[: len(use)])
        weights[np.abs(weights) < 1e-9] = 0.0
        weights[self._hidden] = 0.0
        return np.asarray(weights, np.float64)
