"""Sufficient perturbation: values similar to the true ones as far as asked for, with exact coefficients and covariances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.synthetic.regression_draw import RegressionDraw
from tacita.numeric.synthesis.ipso import LinearFit
from tacita.numeric.synthesis.sufficient import records_to_perturb, sufficient

__all__ = ["SufficientPerturbation"]


@dataclass(frozen=True, kw_only=True)
class SufficientPerturbation(RegressionDraw):
    """Mix true values with drawn ones in any proportion, keeping coefficients and covariances exactly.

    The chosen columns are regressed on those in ``given``. New values are the fitted ones, plus ``a`` times the old residual,
    plus ``sqrt(1 - a^2)`` times a new one, ``a`` being the similarity. New residuals are drawn orthogonal to the old ones and to
    the given columns, with the covariance matrix of the old ones. So means, coefficients and covariances are those of the
    original for every ``a``, and an old residual and its new one correlate by exactly ``a``.

    Protects against linkage the better the smaller ``similarity`` is: 0 is synthetic, like :class:`Ipso`. Does not protect what a
    regression tells: with a model that fits well, a fitted value is near the true one. With a high similarity an extreme value
    stays extreme.

    Parameters
    ----------
    similarity
        How much of the old residuals stays: 0 draws everything anew, 1 would leave the values as they are.

    Preserves
    ---------
    coefficients: those on the given columns, and so means. covariances: of the columns themselves. Both hold with
    ``decimals="any"``, where no value is missing or beyond a declared bound.

    Notes
    -----
    The paper allows a matrix of similarities, as long as what is left is a covariance matrix; one number for all columns always
    leaves one. For q given and p masked columns q + 2 p + 2 records are needed. Missing values are treated as by :class:`Ipso`.

    References
    ----------
    Muralidhar, K. and Sarathy, R. (2008), Generating sufficiency-based non-synthetic perturbed data, Transactions on Data
    Privacy 1, 17-33, which extends Muralidhar and Sarathy (2005), An enhanced data perturbation approach for small data sets,
    and Burridge (2003).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = SufficientPerturbation(columns=["earnings", "savings"], given=["age"], similarity=0.3).apply(data, seed=7)
    >>> len(masked) == len(data)
    True
    """

    name = "sufficient_perturbation"
    title = "Sufficiency-based perturbation"
    traits = Traits(scales={"numeric"}, stochastic=True, preserves=("coefficients", "covariances"))
    attacks = (
        Attack(measure="dld", knows="residuals kept {similarity:g} of themselves"),
        Attack(
            measure="dld", knows="residuals kept {similarity:g} of themselves", settings={"distance": "mahalanobis"}
        ),
    )
    advice = "use a smaller similarity"
    similarity: Annotated[float, Interval(0, 1, "left")] = 0.5

    def records_needed(self, rank: int, columns: int) -> int:
        """Return how many records a fit needs."""
        return records_to_perturb(rank, columns)

    def around(self, fit: LinearFit, y: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Mix old residuals and new ones."""
        del y
        return sufficient(fit, self.similarity, rng)

    def loosely(self, centre: FloatArray, y: FloatArray, noise: FloatArray) -> FloatArray:
        """Mix the distance from fitted values with noise."""
        return np.asarray(centre + self.similarity * (y - centre) + np.sqrt(1.0 - self.similarity**2) * noise)
