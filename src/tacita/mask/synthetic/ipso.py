"""IPSO: confidential values drawn anew around their regression on the other columns, with exact coefficients and covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.traits import Traits
from tacita.mask.synthetic.regression_draw import RegressionDraw
from tacita.numeric.synthesis.ipso import IpsoKind, LinearFit, ipso, records_needed

__all__ = ["Ipso"]


@dataclass(frozen=True, kw_only=True)
class Ipso(RegressionDraw):
    """Draw confidential numbers anew around their regression on other columns, keeping coefficients and covariances.

    The chosen columns are regressed on those in ``given``; new values are the fitted ones plus new residuals. ``A`` draws these
    from the normal distribution that was fitted. ``B`` takes out of them what the given columns would explain: who repeats the
    regression gets the same coefficients. ``C`` also turns them so that the residual covariance matrix is the same: standard
    errors, tests and all sufficient statistics of the normal model are those of the original.

    Protects against linkage by the masked columns: beyond what the given columns tell, a new value has nothing to do with the old
    one. Does not protect what a regression tells: with a model that fits well, a fitted value is near the true one; and a
    given column is published as it is.

    Parameters
    ----------
    kind_of
        ``A``, ``B`` or ``C``.

    Preserves
    ---------
    coefficients: with ``B`` and ``C`` those on the given columns, and so means. covariances: with ``C`` those of residuals, so of
    the columns themselves. Both hold with ``decimals="any"``, where no value is missing or beyond a declared bound.

    Notes
    -----
    A missing value of a given column counts as the mean, and is marked by one more column. Missing values of masked columns stay
    missing; records that lack the same values are drawn together, and where those are too few, their residuals are drawn as in
    ``A`` around the fit of all records that have these columns. Within strata everything holds stratum by stratum, so in total.
    Burridge's maximum likelihood estimate divides by n; so does this.

    References
    ----------
    Burridge, J. (2003), Information preserving statistical obfuscation, Statistics and Computing 13, 321-327.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = Ipso(columns=["earnings", "savings"], given=["age", "sex"]).apply(data, seed=7)
    >>> len(masked) == len(data)
    True
    """

    name = "ipso"
    title = "Information preserving obfuscation (IPSO)"
    traits = Traits(scales={"numeric"}, stochastic=True, preserves=("coefficients", "covariances"))
    attacks = (
        Attack(
            measure="dld", knows="values were drawn anew around their regression", settings={"distance": "mahalanobis"}
        ),
    )
    faces = ("distance_link",)
    kind_of: IpsoKind = "C"

    def keeps(self, claim: str) -> bool:
        """Whether a claim holds with these parameters: nothing exact survives rounding."""
        return super().keeps(claim) and self.kind_of in ("BC" if claim == "coefficients" else "C")

    def records_needed(self, rank: int, columns: int) -> int:
        """Return how many records a fit needs."""
        return records_needed(rank, columns)

    def around(self, fit: LinearFit, y: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw around the fit by the kind of IPSO."""
        return ipso(fit, y, self.kind_of, rng)
