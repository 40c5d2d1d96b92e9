"""MDAV microaggregation: groups of at least k similar records, each value replaced by its group's mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["Mdav"]


@dataclass(frozen=True, kw_only=True)
class Mdav(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group of k or more similar records.

    Groups are formed by MDAV (Maximum Distance to Average Vector): as long as 3k records are left, take the record r
    farthest from the average of those left and the record s farthest from r, and form a group of each with its k - 1
    nearest records. Distances are Euclidean on standardised columns.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    effort
        How hard to look for groups with a small sum of squares: ``mdav`` is exact MDAV, ``fast`` improves it at the cost
        of a few MDAVs, ``quality`` searches for long (about 10 s for a thousand records) and reaches the best known
        partitions of the reference files. Neither is ever worse than MDAV.
    moves
        Exchanges that ``quality`` tries; by default as many as its time above allows.

    Complexity
    ----------
    Exact MDAV. O(n^2 d / k) distance computations at worst; a tree with deletion brings that near n log n for few
    columns. O(n d) memory.

    Notes
    -----
    Ties: of equally distant records the one that stands first in the file is taken. The centroid is computed from
    exactly maintained sums, so the partition does not depend on the order of the arithmetic. ``quality`` draws random
    numbers: with a seed the result follows from the seed, without one from the data and the parameters alone. Constraints
    between columns hold in the masked file if one ``aggregate`` keeps them and their columns are grouped together; a
    constraint of the form "if a then b" holds if records are grouped within the strata of a (``by``).

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2005), Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation; Domingo-Ferrer, J. (2007), Statistical databases, section "Microaggregation", steps 1 to 6; Torra, V.
    (2008), Constrained microaggregation: adding constraints for data editing (which aggregate keeps which constraint).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Mdav(columns=["age", "savings"], k=5).apply(data)
    >>> four_at_a_time = Mdav(columns="numeric columns", groups=4, effort="fast").apply(data)
    """

    name = "mdav"
    title = "Microaggregation (MDAV)"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    effort: Literal["mdav", "fast", "quality"] = "mdav"
    moves: Annotated[int, Interval(0)] | None = None

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group by MDAV, and improve the groups if asked for."""
        if self.effort == "mdav":
            from tacita.numeric.microaggregation.mdav.mdav import mdav_partition  # loads when used

            return mdav_partition(space, self.k)
        from tacita.numeric.microaggregation.improve.improve import fast_partition, improve_partition, settled_partition

        if self.effort == "fast":
            return fast_partition(space, self.k)
        start = settled_partition(space, self.k)
        return improve_partition(space, start, self.k, rng_seed=int(rng.integers(2**63)), moves=self.moves)
