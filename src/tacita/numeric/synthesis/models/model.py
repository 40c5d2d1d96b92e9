"""The protocol of a column model: fitted to one column given others, it draws that column for other records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.smoothing import SmoothGroups, Smoothing
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["ColumnModel", "Donors", "FittedColumnModel", "bayesian_weights", "draw_rows"]


_REACH = 5
"""Neighbours to either side between which a value is moved, where a model has no leaves."""


class FittedColumnModel(Protocol):
    """A model that was fitted to a column."""

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        """Return a value for each of n records, given their other columns in the order in which the model was fitted."""
        ...


class ColumnModel(Protocol):
    """A way to draw a column given others.

    ``x`` may be empty: then values are drawn from the marginal distribution. There is one record at least.
    """

    @property
    def uses_bins(self) -> bool:
        """Whether it works on given columns that are cut into bins."""
        ...

    def fit(
        self,
        y: ModelVariable,
        x: Sequence[ModelVariable],
        rng: np.random.Generator,
        *,
        weights: FloatArray | None = None,
    ) -> FittedColumnModel:
        """Learn a column from records that have all columns; ``weights`` says how much each counts."""
        ...


def draw_rows(n: int, weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """Draw n rows with chances in proportion to their weights. O(n log m)."""
    ends = np.cumsum(weights)
    rows = np.searchsorted(ends, rng.random(n) * ends[-1], side="right")
    return np.asarray(np.minimum(rows, len(weights) - 1))


@dataclass(frozen=True)
class Donors:
    """Old values that new ones are taken from; numbers are moved between their neighbours where that is asked for.

    Parameters
    ----------
    values
        The old values.
    smooth
        Between which numbers each may be moved; None where values stay as they are.
    """

    values: FloatArray
    smooth: SmoothGroups | None = None

    @classmethod
    def of(cls, y: ModelVariable, smoothing: Smoothing, groups: IntArray | None = None) -> Donors:
        """Take a column as it was learned, with the group within which each value may be moved; without groups all are one."""
        if smoothing == "none" or not y.is_number:
            return cls(y.values)
        return cls(y.values, SmoothGroups.of(y.values, groups, reach=_REACH if groups is None else 1))

    def give(self, rows: IntArray, rng: np.random.Generator) -> FloatArray:
        """Return a value for each row that gives one."""
        return self.values[rows] if self.smooth is None else self.smooth.draw(rows, rng)


def bayesian_weights(n: int, weights: FloatArray | None, rng: np.random.Generator) -> FloatArray:
    """Return weights of a Bayesian bootstrap: a draw of the shares of the records from their posterior distribution.

    References
    ----------
    Rubin, D. B. (1981), The Bayesian bootstrap, Annals of Statistics 9, 130-134.
    """
    drawn = rng.standard_exponential(n)
    return drawn if weights is None else drawn * weights
