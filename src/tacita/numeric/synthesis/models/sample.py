"""Sample: values drawn from the column itself, whatever the other columns are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.synthesis.models.model import Donors, bayesian_weights, draw_rows
from tacita.numeric.synthesis.smoothing import Smoothing
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["SampleModel"]


@dataclass(frozen=True)
class _FittedSample:
    donors: Donors
    weights: FloatArray | None

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        m = len(self.donors.values)
        rows = rng.integers(0, m, n) if self.weights is None else draw_rows(n, self.weights, rng)
        return self.donors.give(rows, rng)


@dataclass(frozen=True)
class SampleModel:
    """Draw values from the marginal distribution.

    Parameters
    ----------
    smoothing
        Whether numbers are moved between their neighbours.
    proper
        Whether the shares of the records are drawn by a Bayesian bootstrap.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> fitted = SampleModel().fit(ModelVariable(np.array([0.0, 0.0, 1.0]), 2), (), rng)
    >>> round(float(fitted.draw((), 10_000, rng).mean()), 2)
    0.34
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
    ) -> _FittedSample:
        """Keep the values. O(n log n)."""
        shares = bayesian_weights(len(y), weights, rng) if self.proper else weights
        return _FittedSample(Donors.of(y, self.smoothing), shares)
