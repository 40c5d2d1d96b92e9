"""Hybrid microaggregation: within groups of similar records values are drawn anew, with the exact moments of the group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import Draw, NumericMask
from tacita.numeric.synthesis.group_moments import drawn_in_groups, fewest_in_group, similar_groups
from tacita.numeric.synthesis.ipso import LinearFit, given_design

__all__ = ["HybridMicroaggregation"]


@dataclass(frozen=True, kw_only=True)
class HybridMicroaggregation(NumericMask):
    """Group similar records, and draw the values of each group anew with the mean and the covariance matrix of the group.

    Groups of k or more records are those of MDAV on standardised columns. In each of them all values are drawn anew, like
    :class:`Ipso` of kind C without given columns: mean vector and covariance matrix of the group stay exactly, and nothing
    else does. A small ``k`` keeps what holds for small parts of the file and stays near to the records, a ``k`` of the size of
    the file is fully synthetic.

    Protects against linkage, the better the larger ``k`` is: a masked record is near to its group, and to no record in it more
    than to another. Does not protect what is known of a whole group: whoever has the true values of everybody in it but one
    computes those from the mean, if he also knows who is in the group; and equal records that fill a group stay as they are.

    Parameters
    ----------
    k
        Smallest group size. With d columns it must be at least d + 2.

    Returns
    -------
    Microdata
        With the chosen columns drawn anew within groups.

    Raises
    ------
    ParameterError
        When ``k`` is below the number of columns plus 2.
    DataError
        When there are fewer than k records in the file or in a stratum, or too few that have the same values.

    Preserves
    ---------
    group moments: means and covariances within every group. covariances: those of the file, which follow, with means. Both
    hold with ``decimals="any"``, where no value is missing or beyond a declared bound.

    Complexity
    ----------
    That of MDAV, and O(n d^2) time to draw; a few arrays of the size of the data.

    Notes
    -----
    The paper leaves the group size to the user and asks of the synthesiser that it keeps means and covariances; for a group of
    fewer than d + 2 records there is nothing to draw but a rotation of the records themselves. Missing values stay missing;
    records that lack the same values are grouped apart, and where fewer than ``k`` share such a pattern, they are drawn from the
    normal distribution that fits all records which have these columns. Who knows the true values of the masked columns for
    everybody can form the groups again, but not the draws.

    References
    ----------
    Domingo-Ferrer, J. and Gonzalez-Nicolas, U. (2010), Hybrid microdata using microaggregation, Information Sciences 180,
    2834-2844.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1).select(["earnings", "income"])
    >>> data = data.take(np.flatnonzero(~np.isnan(data.floats(data.names)).any(axis=1)))
    >>> masked = HybridMicroaggregation(columns=data.names, k=20, decimals="any").apply(data, seed=7)
    >>> before, after = (np.cov(file.floats(data.names).T) for file in (data, masked))
    >>> bool(np.allclose(before, after))
    True
    """

    name = "hybrid_microaggregation"
    title = "Hybrid microaggregation"
    traits = Traits(scales={"numeric"}, stochastic=True, preserves=("covariances", "group moments"))
    attacks = (
        Attack(measure="dld", knows="values were drawn anew within groups of {k} or more similar records"),
        Attack(
            measure="dld",
            knows="values were drawn anew within groups of {k} or more similar records",
            settings={"distance": "mahalanobis"},
        ),
    )
    advice = "use a larger k, or larger strata"
    k: Annotated[int, Interval(3)] = 20

    def keeps(self, claim: str) -> bool:
        """Whether a claim holds with these parameters: nothing exact survives rounding."""
        return super().keeps(claim) and self.decimals == "any" and not self.keep_zeros

    def find_groups(self, x: FloatArray) -> IntArray:
        """Return the groups 0, 1, 2, ... of complete records."""
        return similar_groups(x, self.k)

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Draw anew, pattern by pattern of missing values."""
        self._check_sizes(x)
        masked, rng = x.copy(), draw.joint(names)
        patterns, block = np.unique(active, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            there = np.flatnonzero(pattern)
            rows = np.flatnonzero(block.ravel() == number)
            if there.size and rows.size:
                masked[np.ix_(rows, there)] = self._drawn(x, active, rows, there, rng)
        return masked

    def _check_sizes(self, x: FloatArray) -> None:
        n, d = x.shape
        if self.k < fewest_in_group(d):
            raise ParameterError(
                f"HybridMicroaggregation: 'k' must be at least {fewest_in_group(d)} for {d} columns, got {self.k}; take a "
                "larger k, or fewer columns."
            )
        if 0 < n < self.k:
            raise DataError(
                f"HybridMicroaggregation: k = {self.k} needs at least {self.k} records in the file and in every stratum, "
                f"got {n}."
            )

    def _drawn(
        self, x: FloatArray, active: BoolArray, rows: IntArray, there: IntArray, rng: np.random.Generator
    ) -> FloatArray:
        """Draw the values of records that have the same columns."""
        if len(rows) >= self.k:
            values = np.ascontiguousarray(x[np.ix_(rows, there)])
            return drawn_in_groups(values, self.find_groups(values), rng)
        every = np.flatnonzero(active[:, there].all(axis=1))
        if len(every) < fewest_in_group(len(there)):
            raise DataError(
                f"HybridMicroaggregation: only {len(every)} records have a value in each of {len(there)} columns that go "
                f"together somewhere, and {fewest_in_group(len(there))} are needed. Mask fewer columns at once, or suppress "
                "these values."
            )
        values = x[np.ix_(every, there)]
        fit = LinearFit(given_design(np.empty((len(every), 0))), values)
        noise = rng.standard_normal((len(rows), len(there))) @ (fit.root.T / np.sqrt(len(every)))
        return np.asarray(values.mean(axis=0) + noise)
