"""Rounded cells: the base shows, and a total that was rounded for itself says how its parts were rounded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import claimed_cells, known_bounds, several_possible
from tacita.attack.targets import TableTarget
from tacita.core.arrays import FloatArray
from tacita.core.parameters import Interval
from tacita.core.traits import AttackTraits
from tacita.solve.cell_intervals import cell_intervals
from tacita.solve.narrowed_sums import narrowed_by_sums

__all__ = ["RoundedCells", "base_of"]


@dataclass(frozen=True, kw_only=True)
class RoundedCells(Attacker):
    """Undo rounding: the base is what all cells are multiples of, and the sums of the true cells hold.

    First the sums are used one by one, which is fast on any table; what is still open is solved for by linear programmes.

    Parameters
    ----------
    most_cells
        Cells up to which linear programmes are tried; beyond, sums are used one by one only.
    tolerance
        How wide the interval of a cell may be for the cell to count as known: half of it, as a share of its lower end. A count is
        known where one whole number is left, whatever this is.

    Complexity
    ----------
    O(m) for m entries of the sums, times a few sweeps; then O(v) linear programmes for v open victims.

    Notes
    -----
    Counts that were rounded to one of their two neighbouring multiples are less than a base away, so at most the base less one.
    Where it is told that all went to the nearest multiple, it is half of that. A rounding that controls all sums at once shows
    totals that are those of the rounded parts, which excludes much less.

    References
    ----------
    Cox, L. H. (1987), A constructive procedure for unbiased controlled rounding, Journal of the American Statistical Association
    82(398), 520-524: why rounding each cell for itself can be undone.

    Examples
    --------
    Five cells were rounded to the nearest multiple of 3 and are shown as 0, their total as 6: each of them is a 1.

    >>> import numpy as np, scipy.sparse as sp
    >>> target = TableTarget(relations=sp.csr_matrix([[1.0, -1, -1, -1, -1, -1]]), shown=np.array([6.0, 0, 0, 0, 0, 0]),
    ...                      wanted=np.arange(6), lower=np.zeros(6), upper=np.full(6, np.inf), reach=1.0,
    ...                      holds_sums=False, is_count=True)
    >>> RoundedCells().run(target, np.random.default_rng(1))[0].said.tolist()
    [5.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """

    name = "rounded_cells"
    title = "Rounding undone by the sums"
    traits = AttackTraits(
        against="table",
        learns="value",
        knows="all published cells, the sums of the true ones, and how cells were rounded",
        breaks="rounding of each cell to the nearest multiple, totals included, in tables with many sums",
        held_by="controlled rounding, and rounding at random to a base that is large beside the counts",
    )

    most_cells: Annotated[int, Interval(0)] = 20_000
    tolerance: Annotated[float, Interval(0, 1)] = 0.05

    def declined(self, target: Any) -> str:
        if not isinstance(target, TableTarget):
            return "There are no cells with sums."
        if base_of(target.shown) is None:
            return "The cells are not multiples of a base."
        return "" if target.reach is not None or target.is_count else "Nobody says how cells were rounded."

    def cost(self, target: Any) -> float:
        entries = float(target.relations.nnz)
        solved = 2e-7 * entries if len(target.shown) <= self.most_cells else 0.0
        return 1e-7 * entries + float(target.victims) * (1e-5 + solved)

    def run(self, target: TableTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        target = replace(target, reach=self._reach(target))
        low, high = known_bounds(target)
        rows = target.relations.tocsr()
        unit = base_of(target.shown) or 1.0
        low, high = narrowed_by_sums(
            rows.indptr, rows.indices, rows.data, low, high, change=1e-9 * unit, whole=target.is_count
        )
        ends = (low[target.wanted], high[target.wanted])
        is_possible = bool((low <= high + 1e-6 * unit).all())
        if is_possible and len(low) <= self.most_cells:
            done = several_possible if target.is_count else None
            solved = cell_intervals(rows, low, high, target.wanted, done=done)
            is_possible, ends = solved is not None, ends if solved is None else solved
        return claimed_cells(
            target,
            ends if is_possible else None,
            tolerance=0.0 if target.is_count else self.tolerance,
            guesses=False,
            impossible="No true cells are possible: the cells were rounded in another way.",
        )

    def _reach(self, target: TableTarget) -> FloatArray | float:
        """Return how far a cell may have been moved; of counts less than a base."""
        base = base_of(target.shown) or 1.0
        reach = np.asarray(base if target.reach is None else target.reach, np.float64)
        return np.where(reach == base, base - 1.0, reach) if target.is_count else reach


def base_of(shown: FloatArray) -> float | None:
    """Return the largest whole number above 1 that all published cells are multiples of; None where there is none.

    Examples
    --------
    >>> base_of(np.array([10.0, 0.0, 25.0, np.nan]))
    5.0
    """
    values = np.abs(shown[~np.isnan(shown)])
    values = values[values > 0]
    if not len(values) or (values != np.rint(values)).any() or values.max() > 2**53:
        return None
    base = int(np.gcd.reduce(values.astype(np.int64)))
    return float(base) if base > 1 else None
