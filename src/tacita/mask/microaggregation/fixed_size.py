"""Fixed-size microaggregation: groups of k records taken from the edge of the cloud inwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["FixedSize"]


@dataclass(frozen=True, kw_only=True)
class FixedSize(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group of k records that started at the edge of the data.

    By ``centroid``, the record farthest from the centroid of those left and its k - 1 nearest records form a group, as
    long as k are left. By ``diameter``, the two records left that are farthest apart form a group each (maximum
    distance, MD), as long as 2k are left. Distances are Euclidean on standardised columns.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    seeds
        Where groups start: at the record farthest from the ``centroid``, or at both ends of the ``diameter``.

    Complexity
    ----------
    By centroid O(n^2 d / k) time at worst, near n log n for few columns; by diameter up to k times as much. O(n d) memory.

    Notes
    -----
    Fewer than k records that are left join the groups with the nearest centroids, so some groups may have up to 2k - 1
    records. By diameter, k to 2k - 1 records that are left form a group of their own.

    References
    ----------
    Laszlo, M. and Mukherjee, S. (2005), Minimum spanning tree partitioning algorithm for microaggregation (both fixed-size
    methods); Domingo-Ferrer, J. and Mateo-Sanz, J. M. (2002), Practical data-oriented microaggregation for statistical
    disclosure control (maximum distance).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = FixedSize(columns=["age", "savings"], k=4).apply(data)
    """

    name = "fixed_size"
    title = "Microaggregation, fixed size"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    seeds: Literal["centroid", "diameter"] = "centroid"

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group from the edge inwards."""
        from tacita.numeric.microaggregation.fixed_size import (  # loads when used
            centroid_partition,
            diameter_partition,
        )

        return (centroid_partition if self.seeds == "centroid" else diameter_partition)(space, self.k)
