"""Nested: a detailed class drawn among the records that share a coarser one, such as a municipality within its region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.models.model import Donors, bayesian_weights
from tacita.numeric.synthesis.smoothing import Smoothing
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["NestedModel"]


@dataclass(frozen=True)
class _NestedGroups:
    """Numbers for the combinations of values that some columns have."""

    known: tuple[FloatArray, ...]

    @classmethod
    def of(cls, x: Sequence[ModelVariable]) -> _NestedGroups:
        return cls(tuple(np.unique(variable.values) for variable in x))

    def labels(self, x: Sequence[ModelVariable], n: int) -> IntArray:
        """Return the combination of each record; a new value gives one that nobody had."""
        made = np.zeros(n, np.int64)
        for values, variable in zip(self.known, x, strict=True):
            place = np.minimum(np.searchsorted(values, variable.values), len(values) - 1)
            made = made * (len(values) + 1) + np.where(values[place] == variable.values, place, len(values))
        return made


@dataclass(frozen=True)
class _FittedNested:
    donors: Donors
    groups: _NestedGroups
    labels: IntArray
    order: IntArray
    ends: FloatArray

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        wanted = self.groups.labels(x, n)
        first, last = np.searchsorted(self.labels, wanted, "left"), np.searchsorted(self.labels, wanted, "right")
        is_known = last > first
        first, last = (
            np.where(is_known, first, 0),
            np.where(is_known, last, len(self.order)),
        )  # else somebody of any group
        low, high = np.append(0.0, self.ends)[first], self.ends[last - 1]
        place = np.searchsorted(self.ends, low + rng.random(n) * (high - low), side="right")
        return self.donors.give(self.order[np.clip(place, first, last - 1)], rng)


@dataclass(frozen=True)
class NestedModel:
    """Draw values among the records that agree in all given columns; where nobody does, among all.

    Parameters
    ----------
    smoothing
        Whether numbers are moved between their neighbours.
    proper
        Whether the shares of the records are drawn by a Bayesian bootstrap.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> town, region = ModelVariable(np.array([0.0, 1.0, 2.0]), 3), ModelVariable(np.array([0.0, 0.0, 1.0]), 2)
    >>> set(NestedModel().fit(town, [region], rng).draw([region.of(np.zeros(50, int))], 50, rng).tolist())
    {0.0, 1.0}
    """

    smoothing: Smoothing = "density"
    proper: bool = False

    uses_bins: ClassVar[bool] = False

    def fit(
        self,
        y: ModelVariable,
        x: Sequence[ModelVariable],
        rng: np.random.Generator,
        *,
        weights: FloatArray | None = None,
    ) -> _FittedNested:
        """Sort the records by their group. O(n log n)."""
        n = len(y)
        groups = _NestedGroups.of(x)
        labels = groups.labels(x, n)
        shares = bayesian_weights(n, weights, rng) if self.proper else np.ones(n) if weights is None else weights
        order = np.argsort(labels, kind="stable")
        return _FittedNested(Donors.of(y, self.smoothing), groups, labels[order], order, np.cumsum(shares[order]))
