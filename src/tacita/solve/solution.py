"""What a solver gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["Solution", "Status"]


Status = Literal["optimal", "feasible", "infeasible", "unbounded", "unknown"]
"""optimal     proven, to the gap that was asked for
feasible    a solution, stopped by time or by the user before the proof
infeasible  no solution exists
unbounded   the objective has no limit
unknown     stopped before any solution was found
"""


@dataclass(frozen=True, eq=False)
class Solution:
    """A solution and what is known about it.

    Parameters
    ----------
    status
        How far the solver got.
    values
        Values of the variables; empty where there is no solution.
    objective
        Objective of the values; NaN where there is no solution.
    bound
        No solution has a smaller objective (for a maximum: a larger one).
    duals
        For a continuous model: the price of each row, the change of the objective for a unit of its side.
    reduced
        For a continuous model: the reduced cost of each variable.
    seconds
        Time it took.
    """

    status: Status
    values: FloatArray = field(repr=False)
    objective: float
    bound: float
    duals: FloatArray = field(repr=False)
    reduced: FloatArray = field(repr=False)
    seconds: float

    @property
    def has_solution(self) -> bool:
        """Whether there are values."""
        return self.status in ("optimal", "feasible")

    @property
    def gap(self) -> float:
        """Largest possible distance to the optimum as a share of the objective; inf where nothing is known."""
        if not self.has_solution or not np.isfinite(self.bound):
            return float("inf")
        return abs(self.objective - self.bound) / max(abs(self.objective), 1e-9)
