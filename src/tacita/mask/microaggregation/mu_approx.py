"""mu-Approx microaggregation: groups whose sum of squares is within a proven factor of the best possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["MuApprox"]


@dataclass(frozen=True, kw_only=True)
class MuApprox(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group that is a piece of a forest of short links.

    As long as a tree has fewer than k records, the record of it that sent out no link yet links to the nearest record
    outside, which is one of its k - 1 nearest. The trees are then cut into pieces of k records or more. The sum of
    squares within groups is at most ``18 (2k - 1) (k - 1)^2`` times the least possible, in practice close to it.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Complexity
    ----------
    Near O(n (log n + k d)) time for few columns (the nearest records), O(n (d + k)) memory.

    Notes
    -----
    The bound with its constant is derived in ``tacita.numeric.microaggregation.forest``; like the authors' it grows with k^3.
    Trees are cut from the leaves up, where the authors move the root until a cut is balanced, and pieces of 2k records or
    more are divided, which only lowers the sum of squares: all groups have k to 2k - 1 records.

    References
    ----------
    Domingo-Ferrer, J., Sebe, F. and Solanas, A. (2008), A polynomial-time approximation to optimal multivariate
    microaggregation; Aggarwal, G. et al. (2005), Approximation algorithms for k-anonymity.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = MuApprox(columns=["age", "savings"], k=3).apply(data)
    """

    name = "mu_approx"
    title = "Microaggregation, approximate (mu-approx)"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group by cutting a forest of short links."""
        from tacita.numeric.microaggregation.forest import forest_partition  # loads when used

        return forest_partition(space, self.k)
