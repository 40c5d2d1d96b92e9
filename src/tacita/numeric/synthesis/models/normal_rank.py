"""Normal rank: a number drawn by regressing its normal score, then given back the distribution of the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.synthesis.models.linear import LinearFitted, LinearModel
from tacita.numeric.synthesis.models.model import Donors
from tacita.numeric.synthesis.smoothing import Smoothing
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["NormalRankModel"]


@dataclass(frozen=True)
class _FittedNormalRank:
    scores: LinearFitted
    donors: Donors
    ends: FloatArray

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        from scipy.special import ndtr  # loads when used

        share = ndtr(self.scores.draw(x, n, rng))
        rows = np.searchsorted(self.ends, share * self.ends[-1], side="left")
        return self.donors.give(np.minimum(rows, len(self.ends) - 1), rng)


@dataclass(frozen=True)
class NormalRankModel:
    """Draw the normal score z of a number from its linear regression, then take the value of rank ``Phi(z)``.

    The score of a value is ``Phi^-1`` of the share of the records below it, ties and weights halved. The marginal distribution is
    kept, whatever its form; the relation to other columns is that of the scores.

    Parameters
    ----------
    smoothing
        Whether numbers are moved between their neighbours.
    proper
        Whether the parameters of the regression are drawn from their posterior distribution.

    References
    ----------
    Nowok, B., Raab, G. M., Dibben, C. (2016), synthpop: bespoke creation of synthetic data in R, Journal of Statistical Software
    74(11), method normrank.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = ModelVariable(rng.lognormal(size=2000))
    >>> drawn = NormalRankModel(smoothing="none").fit(y, (), rng).draw((), 5000, rng)
    >>> bool(abs(np.median(drawn) - np.median(y.values)) < 0.1), bool(np.isin(drawn, y.values).all())
    (True, True)
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
    ) -> _FittedNormalRank:
        """Regress the scores. O(n log n + n q^2)."""
        from scipy.special import ndtri  # loads when used

        n = len(y)
        order = np.argsort(y.values, kind="stable")
        ordered = y.values[order]
        shares = np.ones(n) if weights is None else weights
        ends = np.cumsum(shares[order])
        first, last = np.searchsorted(ordered, ordered, "left"), np.searchsorted(ordered, ordered, "right") - 1
        middle = (ends[first] - shares[order][first] + ends[last]) / (2 * ends[-1])
        scores = np.empty(n)
        scores[order] = ndtri(np.clip(middle, 0.5 / n, 1 - 0.5 / n))
        fitted = LinearModel(self.proper).fit(ModelVariable(scores), x, rng, weights=weights)
        return _FittedNormalRank(fitted, Donors.of(ModelVariable(ordered), self.smoothing), ends)
