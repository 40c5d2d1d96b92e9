"""Individual ranking: every column is microaggregated by itself, in runs of k sorted values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import UnivariateMicroaggregation

__all__ = ["IndividualRanking"]


@dataclass(frozen=True, kw_only=True)
class IndividualRanking(UnivariateMicroaggregation):
    """Replace each value by the mean of the k values of its column that are next to it in size.

    Every column is sorted by itself; the first k values form a group, the next k another, and so on; the last group takes
    what is left and has k to 2k - 1 values. Groups of different columns have nothing to do with each other.

    Protects single values: each value of a column occurs k times or more. Does not protect against linkage by several
    columns: combinations of masked values stay unique, and each is close to the original; studies find a high disclosure
    risk.

    Preserves
    ---------
    means: of every column, to rounding. ranks: a larger value never becomes smaller than another. Little information is
    lost. Other aggregates and weights give up means; ``keep_zeros`` and ``by`` give up ranks over the whole column,
    ``identities`` both.

    Complexity
    ----------
    O(d n log n) time (the sorts), O(n d) memory; long columns run side by side on all cores.

    Notes
    -----
    Equal values stand in the order of the file and may come into different groups. Missing values stay missing and take no
    part; a column with fewer than k values loses them, with a warning. ``OptimalUnivariate`` cuts the sorted
    values where least is lost.

    References
    ----------
    Defays, D. and Nanopoulos, P. (1993), Panels of enterprises and confidentiality: the small aggregates method; Domingo-Ferrer,
    J. and Torra, V. (2001), A quantitative comparison of disclosure control methods for microdata (risk of individual
    ranking).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = IndividualRanking(columns=["age", "savings"], k=3).apply(data)
    """

    name = "individual_ranking"
    title = "Microaggregation, one column at a time"
    traits = Traits(scales={"numeric"}, preserves=("means", "ranks"))

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group the sorted values of one column by k."""
        from tacita.numeric.microaggregation.univariate import runs_of
        from tacita.numeric.statistics.order import sorting_order  # loads when used

        labels = np.empty(len(space), dtype=np.int64)
        labels[sorting_order(space[:, 0])] = runs_of(self.k, len(space))
        return labels
