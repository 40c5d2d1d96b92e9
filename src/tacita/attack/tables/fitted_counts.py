"""Fitted counts: noise of cells that add up is averaged over all ways to add them up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import known_bounds
from tacita.attack.targets import TableTarget
from tacita.core.arrays import FloatArray
from tacita.core.traits import AttackTraits

__all__ = ["FittedCounts", "fitted_to_sums"]


def fitted_to_sums(relations: Any, shown: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the counts whose sums hold that are nearest to some shown ones, moved to what is possible of each.

    Parameters
    ----------
    relations
        A with ``A x = 0``, a sparse matrix of scipy.
    shown
        (n,): p. The nearest counts are ``p - A'y`` with the y of least squares.
    lower, upper
        (n,): what is possible of each cell.

    Complexity
    ----------
    O(entries of A) for each step of the iteration, of which there are at most 2000.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> ends = np.zeros(3), np.full(3, np.inf)
    >>> fitted_to_sums(sp.csr_array([[1.0, -1.0, -1.0]]), np.array([9.0, 3.0, 3.0]), *ends).tolist()
    [8.0, 4.0, 4.0]
    """
    from scipy.sparse.linalg import lsmr

    across = relations.T.tocsr()
    y = lsmr(across, shown, atol=1e-8, btol=1e-8, maxiter=2000)[0]
    return np.asarray(np.clip(np.round(shown - across @ y, 9), lower, upper), np.float64)


@dataclass(frozen=True, kw_only=True)
class FittedCounts(Attacker):
    """Fit changed counts to the sums of the true ones by least squares, and round.

    Every sum that a cell is in says something of it: its noise is averaged over all ways to put the cell together. Where a cell
    is published several times with other noise, the mean counts.

    Complexity
    ----------
    O(entries of the sums) for each step of a least-squares solver, whatever the number of victims.

    Notes
    -----
    Nothing is known for sure: noise is averaged. What a reader already has is the published count itself, so the guess that this
    is held against is that one. With equal variances the fit is the best linear estimate; averages over splits are another, and
    no better.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80, section 5.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> target = TableTarget(relations=sp.csr_matrix([[1.0, -1, -1]]), shown=np.array([9.0, 3, 3]), wanted=np.arange(3),
    ...                      lower=np.zeros(3), upper=np.full(3, np.inf), reach=3.0, holds_sums=False, is_count=True)
    >>> FittedCounts().run(target, np.random.default_rng(1))[0].said.tolist()
    [8.0, 4.0, 4.0]
    """

    name = "fitted_counts"
    title = "Noise averaged over all sums"
    traits = AttackTraits(
        against="table",
        learns="value",
        knows="all published cells, the sums of the true ones, and how far a cell may be changed",
        breaks="noise that is drawn for each cell of tables with many sums, or for each copy of a cell",
        held_by="additive tables, and sets of tables that agree on what they share",
    )

    def declined(self, target: Any) -> str:
        if not isinstance(target, TableTarget):
            return "There are no cells with sums."
        if target.reach is None or not target.is_count:
            return "There are no changed counts."
        return "Cells are hidden." if target.hidden.any() else ""

    def cost(self, target: Any) -> float:
        return 0.05 + 2e-6 * float(target.relations.nnz) + 1e-6 * float(target.victims)

    def run(self, target: TableTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        lower, upper = known_bounds(target, keeps_zeros=True)
        fitted = fitted_to_sums(target.relations, target.shown, lower, np.maximum(lower, upper))
        moved = float(np.abs(fitted - target.shown).mean()) if len(fitted) else 0.0
        said = np.floor(fitted[target.wanted] + 0.5)
        learned = f"Sums move the counts by {moved:.2f} on average." if moved > 1e-6 else ""
        return (Claims(about="cell", said=said, learned=learned, figures={"moved": moved}),)
