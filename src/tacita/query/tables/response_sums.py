"""Sums of a response by cell, their variances and largest contributors: in one pass each, in the order of rows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, PlaceArray, WordArray
from tacita.numeric.statistics.cell_sums import add_response, add_squares, find_largest
from tacita.query.noise.magnitude_key import LargestContributors
from tacita.query.tables.design import SampleDesign, stratum_factors

__all__ = ["MOST_PAIRS", "ResponseInCells"]

MOST_PAIRS = 1 << 21
"""Pairs of stratum and cell that have a place each, 32 MB."""

_ONE = np.ones(1)
_NO_STRATUM = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ResponseInCells:
    """The response of some records in the cells of a table; missing values count nowhere.

    Parameters
    ----------
    rows, cells
        (m,): row numbers, increasing, and the cell of each.
    count
        Number of cells.
    values
        (n,): the response of every record of the version.
    weights
        (n,): their weights; None where all weigh 1.

    Notes
    -----
    Numbers with decimals are added up in the order of rows, whatever was asked before, so the same question has the same bytes.

    Examples
    --------
    >>> rows, cells = np.array([0, 1, 2], dtype=np.int32), np.array([0, 1, 0], dtype=np.int32)
    >>> found = ResponseInCells(rows, cells, 2, np.array([1.0, np.nan, 3.0]), None)
    >>> found.totals.tolist(), found.known.tolist()
    ([4.0, 0.0], [2, 0])
    """

    rows: PlaceArray = field(repr=False)
    cells: PlaceArray = field(repr=False)
    count: int
    values: FloatArray = field(repr=False)
    weights: FloatArray | None = field(repr=False)

    def __post_init__(self) -> None:
        sums = np.zeros((self.count, 4))
        add_response(self.rows, self.cells, self.values, self._weights, sums)
        object.__setattr__(self, "_sums", sums)

    @property
    def _weights(self) -> FloatArray:
        return _ONE if self.weights is None else self.weights

    def _column(self, number: int) -> FloatArray:
        sums: FloatArray = self.__dict__["_sums"]
        return np.ascontiguousarray(sums[:, number])

    @property
    def known(self) -> IntArray:
        """(count,): records with a value."""
        return self._column(0).astype(np.int64)

    @property
    def weighing(self) -> IntArray:
        """(count,): those of them whose weight is not 0."""
        return self._column(1).astype(np.int64)

    @property
    def sums_of_weights(self) -> FloatArray:
        """(count,): sums of the weights."""
        return self._column(2)

    @property
    def totals(self) -> FloatArray:
        """(count,): sums of weight times value."""
        return self._column(3)

    def variances(self, means: FloatArray, scale: FloatArray, design: SampleDesign) -> FloatArray:
        """Return the variance of the sum of ``w (x - mean) scale`` in every cell, under a design without clusters.

        Parameters
        ----------
        means, scale
            (count,): what is taken away from each value, and what the rest is multiplied by; finite.
        design
            Its strata; there are at most :data:`MOST_PAIRS` pairs of stratum and cell.

        Notes
        -----
        As :func:`~tacita.query.tables.design.cell_variances`, in one pass without sorting.
        """
        sums = np.zeros((design.strata * self.count, 2))
        strata = design.stratum if design.strata > 1 else _NO_STRATUM
        add_squares(self.rows, self.cells, strata, self.values, self._weights, means, scale, sums)
        squares, plain = (sums[:, j].reshape(design.strata, self.count) for j in range(2))
        factor, per = stratum_factors(design)
        found: FloatArray = (factor[:, None] * (squares - per[:, None] * plain**2)).sum(axis=0)
        return np.maximum(found, 0.0)

    def largest(self, ids: WordArray, depth: int) -> LargestContributors:
        """Return the largest contributions of each cell.

        Parameters
        ----------
        ids
            (n,): what identifies every record of the version.
        depth
            How many are kept.
        """
        amounts, who = np.zeros((self.count, depth)), np.zeros(self.count * depth, dtype=np.uint64)
        find_largest(self.rows, self.cells, self.values, self._weights, ids, amounts, who)
        return LargestContributors(amounts, who.reshape(self.count, depth))
