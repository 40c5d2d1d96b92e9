"""IPSO: confidential values drawn anew around their regression on the other columns, with exact coefficients and covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import DataError
from tacita.core.parameters import Columns
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.given_columns import given_numbers
from tacita.mask.numeric_mask import Draw, NumericMask
from tacita.numeric.synthesis.ipso import IpsoKind, LinearFit, given_design, ipso, records_needed

__all__ = ["Ipso"]


@dataclass(frozen=True, kw_only=True)
class Ipso(NumericMask):
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
    given
        The columns that the values are regressed on; they stay as they are. By default none, so that only means, variances and
        covariances of the chosen columns themselves are kept.

    Returns
    -------
    Microdata
        With the chosen columns drawn anew.

    Raises
    ------
    ColumnError
        When a column is masked and given at once, or a nominal column in ``given`` has more than 50 values.
    DataError
        When there are too few records for the columns, so that values would follow from the fit.

    Preserves
    ---------
    coefficients: with ``B`` and ``C`` those on the given columns, and so means. covariances: with ``C`` those of residuals, so of
    the columns themselves. Both hold with ``decimals="any"``, where no value is missing or beyond a declared bound.

    Complexity
    ----------
    O(n q^2 + n p (p + q)) time for p masked and q given columns, a few arrays of the size of the data.

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
    given: Columns = ()

    def keeps(self, claim: str) -> bool:
        """Whether a claim holds with these parameters: nothing exact survives rounding."""
        exact = self.decimals == "any" and not self.keep_zeros
        return exact and not self.identities and self.kind_of in ("BC" if claim == "coefficients" else "C")

    def conditioning(self, data: Microdata, masked: tuple[str, ...]) -> FloatArray | None:
        """Return the given columns as numbers."""
        return given_numbers(data, self.given, masked, owner="Ipso")

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Draw anew, block by block of records that have the same values."""
        if not len(x) or draw.given is None:
            return x
        masked, design = x.copy(), given_design(draw.given)
        patterns, block = np.unique(active, axis=0, return_inverse=True)
        rng = draw.joint(names)
        for number, pattern in enumerate(patterns):
            there = np.flatnonzero(pattern)
            if not there.size:
                continue
            rows = np.flatnonzero(block.ravel() == number)
            cells = np.ix_(rows, there)
            fit = LinearFit(design[rows], x[cells])
            if len(rows) >= records_needed(fit.rank, len(there)):
                masked[cells] = ipso(fit, x[cells], self.kind_of, rng)
            else:
                masked[cells] = self._borrowed(x, active, design, rows, there, rng)
        return masked

    def _borrowed(
        self,
        x: FloatArray,
        active: BoolArray,
        design: FloatArray,
        rows: IntArray,
        there: IntArray,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Draw for few records around the fit of all that have the same columns."""
        every = np.flatnonzero(active[:, there].all(axis=1))
        fit = LinearFit(design[every], x[np.ix_(every, there)])
        needed = records_needed(fit.rank, len(there))
        if len(every) < needed:
            raise DataError(
                f"Ipso: {len(every)} records are too few for {len(there)} columns given {design.shape[1] - 1} others, whose "
                f"values would follow from the fit; at least {needed} are needed. Take fewer columns, or larger strata."
            )
        place = np.searchsorted(every, rows)
        drawn = rng.standard_normal((len(rows), len(there))) @ (fit.root.T / np.sqrt(len(every)))
        return np.asarray((fit.basis @ fit.inside)[place] + drawn)
