"""A numerical predictor in order: its distinct values, the units near a point, and the share of units below it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["OrderedUnits"]


@dataclass(frozen=True, eq=False)
class OrderedUnits:
    """Units by the value of one variable.

    Parameters
    ----------
    order
        Units from the smallest value to the largest, ties by their row.
    values
        Their values in this order.
    starts
        Where each distinct value begins.

    Examples
    --------
    >>> made = OrderedUnits.of(np.array([3.0, 1.0, 3.0, 2.0]))
    >>> made.distinct.tolist(), made.counts.tolist(), made.ranks(np.array([1.0, 3.0])).tolist()
    ([1.0, 2.0, 3.0], [1, 1, 2], [0.125, 0.75])
    """

    order: IntArray = field(repr=False)
    values: FloatArray = field(repr=False)
    starts: IntArray = field(repr=False)

    @classmethod
    def of(cls, values: FloatArray) -> OrderedUnits:
        """Sort the units, equal values by row, so that every machine has the same order. O(n log n)."""
        n = len(values)
        order = np.argsort(values)  # twice as quick as a stable sort, but ties come as the machine likes
        ordered = values[order]
        new = np.empty(n, dtype=np.bool_)
        new[:1] = True
        np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        if len(starts) < n:  # one sort of whole numbers, value by value and row by row within it
            base = (np.cumsum(new) - 1) * n
            order = np.sort(base + order) - base
        return cls(order, ordered, starts)

    @property
    def size(self) -> int:
        """Number of units."""
        return len(self.values)

    @cached_property
    def distinct(self) -> FloatArray:
        """The values, each once."""
        return self.values[self.starts]

    @cached_property
    def counts(self) -> IntArray:
        """Number of units of each distinct value."""
        return np.diff(np.append(self.starts, self.size))

    @cached_property
    def middles(self) -> FloatArray:
        """Share of units below each distinct value, with half of those that have it: its place in [0, 1]."""
        return (self.starts + self.counts / 2) / self.size

    def ranks(self, at: FloatArray) -> FloatArray:
        """Return the places of any values in [0, 1], between distinct values by straight lines."""
        return np.interp(at, self.distinct, self.middles)

    def near(self, at: FloatArray, m: int, rng: np.random.Generator) -> IntArray:
        """Return for each point one of the m nearest units, drawn at random; ties are broken at random.

        The m nearest lie among the m before and the m after the point's place in the order. One of them is drawn, and
        then, of all units that share its value, one: with m = 1 it is the j of Lucero et al., section 3.2.1.

        Parameters
        ----------
        at
            Points.
        m
            How many units count as near.
        rng
            Draws, keyed.

        Returns
        -------
        IntArray
            Rows of the units.

        Complexity
        ----------
        O(points (log n + m log m)).
        """
        m = min(m, self.size)
        places = np.searchsorted(self.values, at)[:, None] + np.arange(-m, m)[None, :]
        inside = (places >= 0) & (places < self.size)
        places = np.clip(places, 0, self.size - 1)
        away = np.where(inside, np.abs(self.values[places] - at[:, None]), np.inf)
        # Equal distances on both sides: in every row one side, at random, comes first.
        flip = rng.random(len(at)) < 0.5
        places[flip], away[flip] = places[flip, ::-1], away[flip, ::-1]
        by_distance = np.argsort(away, axis=1, kind="stable")
        drawn = by_distance[np.arange(len(at)), rng.integers(0, m, len(at))]
        value = np.searchsorted(self.starts, places[np.arange(len(at)), drawn], side="right") - 1
        within = np.floor(rng.random(len(at)) * self.counts[value]).astype(np.int64)
        return np.asarray(self.order[self.starts[value] + within])
