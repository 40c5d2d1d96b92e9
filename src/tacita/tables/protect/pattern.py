"""A suppression pattern and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tacita.core.arrays import BoolArray
from tacita.tables.protect.problem import Problem

__all__ = ["Pattern", "relative_gap"]


def relative_gap(found: float, bound: float) -> float:
    """Return by which share something found may be dearer than the best there is, when nothing is below the bound."""
    return max(found - bound, 0.0) / found if found > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Pattern:
    """Which cells are hidden.

    Parameters
    ----------
    hidden
        (n,): hidden cells, unsafe ones included.
    cost
        Sum of the costs of the hidden cells, those of the unsafe cells included.
    bound
        No safe pattern costs less than this; the cost of the unsafe cells alone where nothing better is known.
    seconds
        Time it took to find.
    has_proof
        Whether the bound is worth a word: somebody looked for it, or the pattern costs no more.
    """

    hidden: BoolArray = field(repr=False)
    cost: float
    bound: float
    seconds: float
    has_proof: bool = False

    @classmethod
    def of(cls, problem: Problem, hidden: BoolArray, *, seconds: float, bound: float | None = None) -> Pattern:
        """Add up the costs of a pattern; without a bound, the unsafe cells alone are one."""
        least = float(problem.cost[problem.unsafe].sum()) if bound is None else bound
        cost = float(problem.cost[hidden].sum())
        return cls(hidden, cost, least, seconds, bound is not None or relative_gap(cost, least) == 0)

    @property
    def gap(self) -> float:
        """Largest possible distance to the cheapest safe pattern, as a share of the cost."""
        return relative_gap(self.cost, self.bound)

    def secondary(self, problem: Problem) -> BoolArray:
        """Cells that are hidden only to protect others."""
        found: BoolArray = self.hidden & ~problem.unsafe
        return found
