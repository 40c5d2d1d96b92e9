"""The set of candidates, a polytope: the convex hull of a few columns, with the true column among its points."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError

__all__ = ["Hull", "MemberRows"]

MemberRows = IntArray | BoolArray | slice
"""Which records: row numbers, a mask over all records, or a slice."""


@dataclass(frozen=True, eq=False, repr=False)
class Hull:
    """The hull of k columns of n values: every convex combination of them is a candidate for the confidential column.

    The true column is the combination with the secret ``weights``. Neither columns nor weights ever leave.

    Parameters
    ----------
    points
        (k, n): the columns whose hull it is; NaN in all of them where a record has no value.
    weights
        (k,): not negative, their sum is 1. All positive: the truth is in the relative interior.
    bounds
        Least and greatest value that the variable can have, as everybody knows.

    Raises
    ------
    ParameterError
        When shapes do not fit or the weights are none.
    DataError
        When points are infinite, outside the bounds, or missing in one column and not in another.

    Notes
    -----
    Memory: (k + 2) n floats, because the least and greatest candidate value of every record are kept too.

    Examples
    --------
    >>> Hull(np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([0.5, 0.5]))
    Hull(2 points, 2 records)
    """

    points: FloatArray
    weights: FloatArray
    bounds: tuple[float, float] = (-np.inf, np.inf)
    least: FloatArray = field(init=False)
    most: FloatArray = field(init=False)
    present: BoolArray | None = field(init=False)
    scale: float = field(init=False)

    def __post_init__(self) -> None:
        points, weights = self.points, self.weights
        if points.ndim != 2 or weights.shape != (len(points),) or len(points) < 1:
            raise ParameterError("Hull: 'points' must be a matrix with one row for each of the 'weights'.")
        if not (weights >= 0).all() or abs(float(weights.sum()) - 1) > 1e-9:
            raise ParameterError("Hull: 'weights' must not be negative and must sum to 1.")
        least, most = points.min(axis=0), points.max(axis=0)
        lacks = np.isnan(least)
        missing = bool(lacks.any())
        if missing and not np.isnan(points[:, lacks]).all():
            raise DataError("Hull: a value must be missing in all points or in none.")
        low, high = self.bounds
        there = least[~lacks], most[~lacks]
        if there[0].min(initial=0.0) == -np.inf or there[1].max(initial=0.0) == np.inf:
            raise DataError("Hull: all values must be finite.")
        if there[0].min(initial=low) < low or there[1].max(initial=high) > high:
            raise DataError("Hull: all values must lie within the bounds of the variable; choose wider bounds.")
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "most", most)
        object.__setattr__(self, "present", ~lacks if missing else None)
        scale = max(abs(float(there[0].min(initial=0.0))), abs(float(there[1].max(initial=0.0))))
        object.__setattr__(self, "scale", scale)

    def __repr__(self) -> str:
        return f"Hull({self.points.shape[0]} points, {self.points.shape[1]} records)"

    @property
    def records(self) -> int:
        """Number of records, with a value or without."""
        return len(self.least)

    @property
    def is_interior(self) -> bool:
        """Whether the truth is in the relative interior: it is a combination of all points with positive weights."""
        return bool((self.weights > 0).all())

    def truth(self, members: MemberRows = slice(None)) -> FloatArray:
        """Return the true values of some records; for the owner of the data alone."""
        return np.asarray(self.weights @ self.points[:, members])

    def members(self, members: MemberRows | None) -> IntArray | slice:
        """Return which records a question is about: those of the given ones that have a value.

        Parameters
        ----------
        members
            Row numbers without repetition, or a mask over all records; None for all of them.

        Returns
        -------
        IntArray or slice
            Row numbers in increasing order, or the slice of everything.

        Raises
        ------
        ParameterError
            When a mask has another length, a row number is not there or stands there twice.
        DataError
            When no record with a value is left.
        """
        if members is None:
            members = slice(None)
        if isinstance(members, slice):
            if members == slice(None) and self.present is None:
                return self._everything()
            return self._with_value(np.arange(self.records)[members])
        given = np.asarray(members)
        if given.dtype == np.bool_:
            if given.shape != (self.records,):
                raise ParameterError(f"interval: a mask of members must have {self.records} entries, got {given.size}.")
            if self.present is None and given.all():
                return self._everything()
            return self._with_value(np.flatnonzero(given))
        if given.ndim != 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
            raise ParameterError("interval: 'members' must be row numbers in one dimension, or a mask.")
        rows = given.astype(np.int64)
        if (rows[1:] <= rows[:-1]).any():
            rows = np.sort(rows)
        if len(rows) and (rows[0] < 0 or rows[-1] >= self.records):
            raise ParameterError(f"interval: row numbers of members must be from 0 to {self.records - 1}.")
        if (rows[1:] == rows[:-1]).any():
            raise ParameterError("interval: 'members' must be a set; no row number may stand there twice.")
        return self._with_value(rows)

    def _everything(self) -> slice:
        self._with_value(np.arange(min(self.records, 1)))
        return slice(None)

    def _with_value(self, rows: IntArray) -> IntArray:
        rows = rows if self.present is None else rows[self.present[rows]]
        if not len(rows):
            raise DataError("interval: the statistic must have at least one member with a value; choose a larger set.")
        return rows
