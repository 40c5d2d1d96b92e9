"""Predictive mean matching: a number taken from one of the records whose predicted value is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.models.linear import LinearFitted, LinearModel
from tacita.numeric.synthesis.models.model import Donors
from tacita.numeric.synthesis.smoothing import Smoothing
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["PmmModel"]

_DONORS = 5
"""Records whose predicted value is nearest, one of which gives its value."""


@dataclass(frozen=True)
class _FittedPmm:
    regression: LinearFitted
    donors: Donors
    predicted: FloatArray
    order: IntArray

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        wanted = self.regression.design.times(x, n, self.regression.coefficients)
        count = min(_DONORS, len(self.order))
        # Of sorted values the nearest ones stand together: go from an empty stretch to either side, whichever is nearer.
        low = np.searchsorted(self.predicted, wanted)
        high = low.copy()
        padded = np.concatenate([[-np.inf], self.predicted, [np.inf]])
        for _ in range(count):
            goes_down = wanted - padded[low] <= padded[high + 1] - wanted
            low, high = low - goes_down, high + ~goes_down
        # Who has the same prediction as the outermost of them is as near: with classes alone there are many such.
        low = np.searchsorted(self.predicted, self.predicted[low], "left")
        high = np.searchsorted(self.predicted, self.predicted[high - 1], "right")
        return self.donors.give(self.order[low + (rng.random(n) * (high - low)).astype(np.int64)], rng)


@dataclass(frozen=True)
class PmmModel:
    """Draw a number from one of the 5 records whose predicted value is nearest to that of the new record, or ties with these.

    Predicted values are those of a linear regression: for old records with the estimated coefficients, for new ones, where draws
    are proper, with drawn ones (type 1 matching). The five are found by search in the sorted predictions.

    Parameters
    ----------
    smoothing
        Whether numbers are moved between their neighbours.
    proper
        Whether the parameters of the regression are drawn from their posterior distribution.

    Notes
    -----
    Weights count in the regression; among the five nearest every record is as likely.

    References
    ----------
    Little, R. J. A. (1988), Missing-data adjustments in large surveys, Journal of Business and Economic Statistics 6, 287-296;
    van Buuren, S. (2018), Flexible imputation of missing data, algorithm 3.3.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = ModelVariable(np.arange(100.0))
    >>> fitted = PmmModel(smoothing="none").fit(ModelVariable(x.values**2), [x], rng)
    >>> set(fitted.draw([ModelVariable(np.full(99, 50.0))], 99, rng).tolist()) <= {(50.0 + i) ** 2 for i in range(-3, 4)}
    True
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
    ) -> _FittedPmm:
        """Regress, and sort the predictions. O(n log n + n q^2)."""
        fitted = LinearModel(self.proper).fit(y, x, rng, weights=weights)
        predicted = fitted.design.times(x, len(y), fitted.estimate)
        order = np.argsort(predicted, kind="stable")
        return _FittedPmm(fitted, Donors.of(y, self.smoothing), predicted[order], order)
