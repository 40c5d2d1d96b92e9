"""Bounded noise undone: true sums hold, noise has a bound, and together they often leave one whole number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import claimed_cells, known_bounds, several_possible
from tacita.attack.targets import TableTarget
from tacita.core.parameters import Interval
from tacita.core.traits import AttackTraits
from tacita.solve.cell_intervals import cell_intervals

__all__ = ["BoundedNoise"]


@dataclass(frozen=True, kw_only=True)
class BoundedNoise(Attacker):
    """Undo noise of which a bound is known: solve for true cells that add up and are within the bound of what is shown.

    Parameters
    ----------
    tolerance
        How wide the interval of a cell may be for the cell to count as known: half of it, as a share of its lower end. A count is
        known where one whole number is left, whatever this is.
    keeps_zeros
        Whether the attacker knows that cells without anybody are shown as 0: whatever is shown above 0 then has somebody in it.
    guesses
        Whether the middle of what is left is claimed of other cells too, as ``estimate``.

    Complexity
    ----------
    O(v) linear programmes for v victims, each from the last basis; victims of which two counts were seen need none.

    Notes
    -----
    Additivity that is restored after the noise leaves less to solve for: the attacker then knows a wider bound, or none.
    Broken counts are taken for possible, as in the study of census counts; whole programmes would know hardly ever more.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80, section 5.

    Examples
    --------
    Two ones shown as 3 and their sum, a two, as 0, under noise of at most 2.

    >>> import numpy as np, scipy.sparse as sp
    >>> shown = np.array([0.0, 3, 3])
    >>> target = TableTarget(relations=sp.csr_matrix([[1.0, -1, -1]]), shown=shown, wanted=np.arange(3), lower=np.zeros(3),
    ...                      upper=np.full(3, np.inf), reach=2.0, holds_sums=False, is_count=True)
    >>> BoundedNoise().run(target, np.random.default_rng(1))[0].said.tolist()
    [2.0, 1.0, 1.0]
    """

    name = "bounded_noise"
    title = "Bounded noise undone by the sums"
    traits = AttackTraits(
        against="table",
        learns="value",
        knows="all published cells, the sums of the true ones, and how far a cell may be changed",
        breaks="noise of a small bound that is drawn for each cell apart, in tables with many sums",
        held_by="additive tables whose bound is not told, and noise without a bound",
    )

    tolerance: Annotated[float, Interval(0, 1)] = 0.05
    keeps_zeros: bool = True
    guesses: bool = False

    def declined(self, target: Any) -> str:
        if not isinstance(target, TableTarget):
            return "There are no cells with sums."
        return "" if target.reach is not None else "Cells are not changed, or nobody says by how much at most."

    def cost(self, target: Any) -> float:
        return float(target.victims) * (1e-4 + 2e-7 * float(target.relations.nnz))

    def run(self, target: TableTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        lower, upper = known_bounds(target, keeps_zeros=self.keeps_zeros)
        done = several_possible if target.is_count and not self.guesses else None
        return claimed_cells(
            target,
            cell_intervals(target.relations, lower, upper, target.wanted, done=done),
            tolerance=0.0 if target.is_count else self.tolerance,
            guesses=self.guesses,
            impossible="No true cells are possible within the bound: the noise has another one.",
        )
