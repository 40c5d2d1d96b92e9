"""Camouflage: how the set of candidates around a confidential column is made.

Every respondent i is promised an interval [l_i, u_i] around the true value a_i. The set Pi is the hull of columns P^1, ...,
P^k with a = sum_j w_j P^j for secret weights w, and covers the promises: min_j P^j_i <= l_i and u_i <= max_j P^j_i for every
i. A statistic f is answered by an interval that contains [min f, max f] over Pi, so no number of answers rules out any column
of Pi.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.query.camouflage.hull import Hull

__all__ = ["Camouflage"]

BLOCK = 1 << 16
LEAST_SHARE = 0.2
"""Each weight is at least this share of 1 / k: the truth stays away from every face, and nobody guesses the weights."""


@dataclass(frozen=True, kw_only=True)
class Camouflage(Parameterised):
    """Hide a column in the hull of a few others, so that every statistic can be answered by an interval, as often as asked.

    For record i draw the place t_i of the truth within its range, uniform on [1/k, 1 - 1/k], and a random order of the
    vertices; the vertices that come first get the high end of the range, the others the low end, and one of them what makes
    the mean right. With z_ij the place of vertex j between both ends, sum_j w_j z_ij = t_i, and s_i the width of the range,

        P^j_i = a_i + s_i (z_ij - t_i),        so that sum_j w_j P^j_i = a_i.

    A range of s_i = k max(u_i - a_i, a_i - l_i) covers what is promised, wherever the truth is in it. Whether a vertex is high or
    low does not depend on values, so offsets cancel in sums: the width of the answer for a sum of n records grows like the
    square root of n.

    Protects against any number of answers of any kind, from any number of users: every column of the set stays possible, so
    nobody can prove that a value is nearer than [l_i, u_i] says. Does not protect against k - 1 respondents who pool their own
    values and have found out the vertices: they solve for the weights, and then know all. What fewer of them cannot narrow is
    measured by :func:`~tacita.query.camouflage.insiders.insider_bounds`.

    Parameters
    ----------
    vertices
        Number k of columns whose hull has the truth in its interior. More vertices withstand more insiders and leave more room
        for the truth: the middle of a record's range is within r_i of it in a share of 2 m / (k - 2) of all records, where m is
        the logarithmic mean of 1 and 1 / ``stretch`` (0.36 for 6 vertices and a stretch of 2); and answers are wider.
    p
        Percent of the value that nobody may come nearer than, on both sides.
    width
        Least width of the promised interval, in units of the variable; needed where values can be 0.
    low, high
        Bounds of the variable that everybody knows, such as 0 for an income; None for no bound. Candidates respect them.
    stretch
        The range of a record is wider than needed by a random factor from 1 to this. With 1 the width of an answer for one
        record is a multiple of ``p`` percent of the value, which gives the value away.

    Raises
    ------
    ParameterError
        When nothing is promised (``p`` and ``width`` are 0) or the bounds are none.

    Notes
    -----
    - What is promised: r_i = max(p |a_i| / 100, width / 2), l_i = a_i - r_i, u_i = a_i + r_i; what a bound cuts off on one
      side is added on the other.
    - A value on a bound has no interior: when a_i is the least possible value, a = sum_j w_j P^j with positive weights leaves
      only P^j_i = a_i. So where a bound leaves too little room, k further columns ("outposts") with weight 0 are added that
      carry such records to the far end of their promise. Truth and promises are covered as before, all candidates respect the
      bounds, and the truth is in the relative interior of the face that is spanned by the others, which is the most that
      bounds allow. The price: sums of many such records have wide answers.
    - All draws belong to (key, label, id of the record), so a record keeps its place between versions of the data and in any
      order of records; fresh draws could be intersected. What changes between two versions is not hidden by this: where only
      ``width`` counts, the change of a value shows as the change of its range.
    - An intruder who knows the method knows more than the guarantee says: a_i lies uniformly in the middle of its range, from
      1/k to 1 - 1/k of it, and with ``p`` above 0 the width says how large a_i is to within the factor ``stretch``. With the
      vertices themselves at hand, which takes very many questions about very small sets, all records together narrow the
      weights, too. Rounding answers outwards to few digits, and a least number of members, keep intruders away from the
      vertices; a set for each stratum keeps the weights apart.
    - Independent ranges for each record (a box) would leave insiders nothing to gain, but then widths add up: the answer for
      a sum has the width of n records, not of the square root of n.

    References
    ----------
    Gopal, R., Garfinkel, R. and Goes, P. (2002), Confidentiality via camouflage: the CVC approach to disclosure limitation when
    answering queries to databases, Operations Research 50(3), 501-516.

    Garfinkel, R., Gopal, R. and Rice, D. (2006), New approaches to disclosure limitation while answering queries to a database:
    protecting numerical confidential data against insider threat based on data or algorithms, HICSS-39.

    Examples
    --------
    >>> incomes = np.array([2100.0, 1800.0, 0.0, 5200.0, 3100.0])
    >>> hidden = Camouflage(p=10, width=400, low=0).cover(incomes, key=Key(b"sixteen or more!"))
    >>> bool((hidden.least <= incomes).all() and (incomes <= hidden.most).all())
    True
    """

    vertices: Annotated[int, Interval(3, 64)] = 6
    p: Annotated[float, Interval(0, 100)] = 10.0
    width: Annotated[float, Interval(0)] = 0.0
    low: float | None = None
    high: float | None = None
    stretch: Annotated[float, Interval(1, 10)] = 2.0

    def check(self) -> None:
        """Check that something is promised, and that the bounds are bounds."""
        if self.p == 0 and self.width == 0:
            raise ParameterError("Camouflage: 'p' or 'width' must be above 0; with both 0 nothing is promised.")
        if not self._lowest() < self._highest():
            raise ParameterError(f"Camouflage: 'low' must be below 'high', got {self.low} and {self.high}.")
        if self.low is not None and not np.isfinite([self.low]).all():
            raise ParameterError("Camouflage: 'low' must be finite; leave it out where there is no bound.")
        if self.high is not None and not np.isfinite([self.high]).all():
            raise ParameterError("Camouflage: 'high' must be finite; leave it out where there is no bound.")

    def _lowest(self) -> float:
        return -np.inf if self.low is None else self.low

    def _highest(self) -> float:
        return np.inf if self.high is None else self.high

    def promised(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the intervals [l_i, u_i] that no set of answers narrows.

        Parameters
        ----------
        values
            The true column.

        Returns
        -------
        tuple of FloatArray
            l and u; NaN where a value is missing.

        Examples
        --------
        >>> Camouflage(p=10, width=20, low=0).promised(np.array([1000.0, 4.0]))
        (array([900.,   0.]), array([1100.,   20.]))
        """
        reach = np.maximum(np.abs(values) * (self.p / 100), self.width / 2)
        low, high = values - reach, values + reach
        cut_below, cut_above = np.maximum(self._lowest() - low, 0.0), np.maximum(high - self._highest(), 0.0)
        return np.maximum(low - cut_above, self._lowest()), np.minimum(high + cut_below, self._highest())

    @one_blas_thread()
    def cover(
        self, values: FloatArray, *, key: Key, label: str = "", ids: npt.NDArray[np.uint64] | None = None
    ) -> Hull:
        """Return the set of candidates around a column.

        Parameters
        ----------
        values
            (n,): the true column; NaN where a value is missing, which is not hidden.
        key
            Secret key that all draws come from.
        label
            What the column is, such as the name of data set and variable; other labels give other draws.
        ids
            (n,): what identifies each record for ever; without it, its row number.

        Returns
        -------
        Hull
            k vertices, or 2 k where values lie on or near a bound.

        Raises
        ------
        DataError
            When values are infinite or outside the bounds, or when a value is promised nothing.
        ParameterError
            When ``ids`` has another length.

        Notes
        -----
        O(k n log k) time, (k + 2) n floats. Worked in blocks; the result does not depend on their size.
        """
        values = np.asarray(values, dtype=np.float64)
        if values.ndim != 1:
            raise DataError("Camouflage: a column must have one dimension.")
        names = np.arange(len(values), dtype=np.uint64) if ids is None else np.asarray(ids, dtype=np.uint64)
        if names.shape != values.shape:
            raise ParameterError("Camouflage: 'ids' must have one entry for each value.")
        self._check_values(values)
        secret = key.derive("camouflage", label)
        weights = self._weights(secret)
        k, n = self.vertices, len(values)
        points = np.empty((k, n))
        far = np.zeros(n, dtype=bool)
        for start in range(0, n, BLOCK):
            part = slice(start, start + BLOCK)
            points[:, part], far[part] = self._near(values[part], names[part], weights, secret)
        if far.any():
            outposts = np.empty((k, n))
            for start in range(0, n, BLOCK):
                part = slice(start, start + BLOCK)
                outposts[:, part] = self._outposts(values[part], names[part], points[:, part], far[part], secret)
            points, weights = np.concatenate([points, outposts]), np.concatenate([weights, np.zeros(k)])
        return Hull(points, weights, (self._lowest(), self._highest()))

    def _check_values(self, values: FloatArray) -> None:
        if np.isinf(values).any():
            raise DataError("Camouflage: all values must be finite; code missing values as missing.")
        if (values < self._lowest()).any() or (values > self._highest()).any():
            raise DataError(
                "Camouflage: all values must lie within 'low' and 'high'; choose the bounds that hold for all."
            )
        low, high = self.promised(values)
        open_to_all = int((low >= high).sum())
        if open_to_all:
            raise DataError(
                "Camouflage: every value must be promised an interval with a width; p percent of 0 is nothing, give 'width'.",
                details={"records": open_to_all},
            )

    def _weights(self, secret: Key) -> FloatArray:
        """Draw the weights: uniform on the simplex, drawn a part of the way to its middle."""
        k = self.vertices
        drawn = -np.log1p(-np.array([secret.uniform("weight", j) for j in range(k)]))  # exponential, hence Dirichlet
        return np.asarray(LEAST_SHARE / k + (1 - LEAST_SHARE) * drawn / drawn.sum())

    def _places(self, names: npt.NDArray[np.uint64], weights: FloatArray, secret: Key) -> FloatArray:
        """Draw z: where each vertex is between the ends of each record's range; both ends are reached, nothing depends on values.

        Below the middle, some vertex with w_j <= t comes first (one has w_j <= 1/k) and gets the high end in full; some other
        with w_j <= 1/2 comes last and gets the low end (of three, one other has). Above the middle all is turned round.
        """
        k = self.vertices
        wanted = 1 / k + (1 - 2 / k) * _uniform(secret, names, "place")
        is_turned = wanted > 0.5
        share = np.where(is_turned, 1 - wanted, wanted)
        turns = np.stack([_uniform(secret, names, "turn", j) for j in range(k)])
        column = np.arange(len(names))
        first = np.where(weights[:, None] <= share * (1 + 1e-12), turns, 2.0).argmin(axis=0)
        turns[first, column] = -1.0
        last = np.where(weights[:, None] <= 0.5, turns, -2.0).argmax(axis=0)
        turns[last, column] = 2.0
        order = turns.argsort(axis=0)
        sizes = weights[order]
        places = np.empty_like(turns)
        filled = np.clip((share - (np.cumsum(sizes, axis=0) - sizes)) / sizes, 0.0, 1.0)
        np.put_along_axis(places, order, filled, axis=0)
        places[first, column], places[last, column] = 1.0, 0.0
        return np.where(is_turned, 1 - places, places)

    def _near(
        self, values: FloatArray, names: npt.NDArray[np.uint64], weights: FloatArray, secret: Key
    ) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        """Return the vertices of a block, and which of its records they do not cover because a bound is too near."""
        low, high = self.promised(values)
        place = self._places(names, weights, secret)
        mean = weights @ place
        wanted = self.vertices * np.maximum(high - values, values - low)
        wanted *= self.stretch ** _uniform(secret, names, "stretch")
        below, above = (values - self._lowest()) / mean, (self._highest() - values) / (1 - mean)
        size = np.minimum(wanted, np.minimum(below, above))
        points = values + size * (place - mean)
        np.clip(points, self._lowest(), self._highest(), out=points)
        is_free = size == wanted
        at_low, at_high = place == 0, place == 1
        # rounding must not leave an end just short of what was promised, nor of the bound that it was cut at
        points = np.where(at_low & is_free, np.minimum(points, low), points)
        points = np.where(at_high & is_free, np.maximum(points, high), points)
        points = np.where(at_low & ~is_free & (below <= above), self._lowest(), points)
        points = np.where(at_high & ~is_free & (above <= below), self._highest(), points)
        return points, (points.min(axis=0) > low) | (points.max(axis=0) < high)

    def _outposts(
        self,
        values: FloatArray,
        names: npt.NDArray[np.uint64],
        points: FloatArray,
        far: npt.NDArray[np.bool_],
        secret: Key,
    ) -> FloatArray:
        """Return further columns of a block: in one of them each uncovered record is at the far end of its promise."""
        k = self.vertices
        low, high = self.promised(values)
        turn = _integers(secret, names, k, "outpost turn")
        found = np.take_along_axis(points, (np.arange(k)[:, None] + turn) % k, axis=0)
        more = self.stretch ** _uniform(secret, names, "outpost stretch")
        up = np.minimum(np.maximum(values + (high - values) * more, high), self._highest())
        down = np.maximum(np.minimum(values - (values - low) * more, low), self._lowest())
        chosen = _integers(secret, names, k, "outpost")[far]
        found[chosen, np.flatnonzero(far)] = np.where(points.max(axis=0) < high, up, down)[far]
        return found


def _uniform(secret: Key, names: npt.NDArray[np.uint64], *parts: str | int) -> FloatArray:
    """Return one number in [0, 1) for each record and purpose."""
    return (secret.record_order(names, *parts) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _integers(secret: Key, names: npt.NDArray[np.uint64], below: int, *parts: str | int) -> IntArray:
    return np.asarray(_uniform(secret, names, *parts) * below, dtype=np.int64)
