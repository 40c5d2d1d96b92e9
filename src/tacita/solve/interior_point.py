"""Interior points: the solver's other method for large linear models that the simplex method walks through too slowly."""

from __future__ import annotations

from typing import Any

from tacita.core.arrays import FloatArray
from tacita.solve import Solver

__all__ = ["InteriorPoint"]


class InteriorPoint(Solver):
    """A linear model that is solved from the inside.

    The number of steps hardly grows with the model, where the simplex method may take hundreds of thousands on the
    degenerate models that tables in three dimensions give. There is no warm start: every run begins anew.

    Parameters
    ----------
    cost, rows, row_lower, row_upper, lower, upper
        The model, as in :class:`tacita.solve.Solver`.
    ends_at_corner
        Whether to walk on to a corner of the feasible set. Without, prices and values are inner points of the optimal
        set, found sooner, and right to the solver's tolerance only.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> model = InteriorPoint(np.array([1.0, 2.0]), sp.csr_array([[1.0, 1.0]]), np.array([3.0]), np.array([np.inf]),
    ...                       np.zeros(2), np.full(2, np.inf))
    >>> round(model.run().objective, 6)
    3.0
    """

    def __init__(
        self,
        cost: FloatArray,
        rows: Any,
        row_lower: FloatArray,
        row_upper: FloatArray,
        lower: FloatArray,
        upper: FloatArray,
        *,
        ends_at_corner: bool = True,
    ) -> None:
        super().__init__(cost, rows, row_lower, row_upper, lower, upper)
        self._option("solver", "ipm")
        self._option("run_crossover", "on" if ends_at_corner else "off")
