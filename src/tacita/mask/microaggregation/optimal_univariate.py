"""Optimal univariate microaggregation: every column is cut into the groups that lose least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import UnivariateMicroaggregation

__all__ = ["OptimalUnivariate"]


@dataclass(frozen=True, kw_only=True)
class OptimalUnivariate(UnivariateMicroaggregation):
    """Replace each value by the mean of its group in the partition of its column that loses least of all.

    Every column is sorted by itself and cut into runs of k to 2k - 1 values such that the sum of squares within the runs
    is least; no partition into groups of k or more has a smaller one. The cut is a shortest path,
    ``F(i) = min over j = i-2k+1..i-k of F(j) + SSE(j, i)``.

    Protects single values: each value of a column occurs k times or more. Does not protect against linkage by several
    columns: combinations of masked values stay unique, and each is even closer to the original than by individual
    ranking.

    Preserves
    ---------
    means: of every column, to rounding. ranks: a larger value never becomes smaller than another. Other aggregates and
    weights give up means; ``keep_zeros`` and ``by`` give up ranks over the whole column, ``identities`` both.

    Complexity
    ----------
    O(d (n log n + k n)) time: at k = 3 the cut costs less than the sort. O(n d) memory; long columns run side by side.

    Notes
    -----
    Optimal for the mean without weights; other aggregates take the same groups. Sums of squares are computed from
    distances within a run, so a large common offset of the values does not spoil them. On one column this is also
    k-anonymity. Missing values stay missing and take no part; a column with fewer than k values loses them, with a warning.

    References
    ----------
    Hansen, S. L. and Mukherjee, S. (2003), A polynomial algorithm for optimal univariate microaggregation; Domingo-Ferrer, J.
    and Mateo-Sanz, J. M. (2002), Practical data-oriented microaggregation for statistical disclosure control (sizes k to
    2k - 1).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = OptimalUnivariate(columns=["savings"], k=3).apply(data)
    """

    name = "optimal_univariate"
    title = "Microaggregation, optimal for one column"
    traits = Traits(scales={"numeric"}, preserves=("means", "ranks"))

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Cut the sorted values of one column where least is lost."""
        from tacita.numeric.microaggregation.univariate import optimal_runs
        from tacita.numeric.statistics.order import sorting_order  # loads when used

        order = sorting_order(space[:, 0])
        labels = np.empty(len(space), dtype=np.int64)
        labels[order] = optimal_runs(space[order, 0], self.k)
        return labels
