"""Decimal grids: points at equal distances, and for each value the first point that is not below it.

Cutpoints that are to be round lie on a grid. What matters for counting is then only between which points a value lies, a whole
number, so that counts are exact however the values are represented.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.numeric.statistics.decimals import rounded
from tacita.query.cutpoints.round_numbers import decimals_in

__all__ = ["DecimalGrid"]

_MOST_STEPS = 1e12
"""Beyond this, decimal points at so small a distance are no longer told apart by floating point."""


@dataclass(frozen=True)
class DecimalGrid:
    """The points ``origin + k grain`` for whole numbers k.

    Parameters
    ----------
    grain
        Distance of neighbouring points.
    origin
        One of the points.

    Examples
    --------
    >>> grid = DecimalGrid(0.1)
    >>> grid.steps(np.array([0.3, 0.31, 1.1])).tolist(), grid.points(np.array([3, 4, 11])).tolist()
    ([3, 4, 11], [0.3, 0.4, 1.1])
    """

    grain: float
    origin: float = 0.0

    def points(self, steps: IntArray) -> FloatArray:
        """Return the points with these numbers, as they are published."""
        # Rounding takes away the last digits that floating point adds: 3 * 0.1 is 0.3.
        return (
            rounded(
                np.asarray(self.origin + steps * self.grain, dtype=np.float64), decimals_in(self.grain, self.origin)
            )
            + 0.0
        )

    def steps(self, values: FloatArray) -> IntArray:
        """Return for each value the least k with ``value <= origin + k grain``.

        Raises
        ------
        ParameterError
            When the grain is so fine that the values cannot be told apart on the grid.
        """
        scaled = (values - self.origin) / self.grain
        if not np.all(np.abs(scaled) < _MOST_STEPS):
            raise ParameterError(
                f"Cutpoints: 'grain' must be coarse enough for the size of the values, got {self.grain:g}; take a larger one."
            )
        steps = np.ceil(scaled).astype(np.int64)
        # The quotient may be a hair off; what counts is the comparison with the points as they are published.
        steps -= self.points(steps - 1) >= values
        steps += self.points(steps) < values
        return steps
