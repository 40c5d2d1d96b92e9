"""Clustered microaggregation: records are clustered first, and grouped within their cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation
from tacita.mask.microaggregation.projection import principal_scores

__all__ = ["Clustered"]


@dataclass(frozen=True, kw_only=True)
class Clustered(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group within its own cluster.

    Records are clustered by k-means on standardised columns. Within each cluster groups of k or more are formed by MDAV, by the
    robust distance of ``rmd``, or in the order of the cluster's own first principal component. A group never reaches over
    clusters.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    clusters
        Number of clusters at most.
    within
        How groups are formed in a cluster: ``mdav``, ``rmd`` or ``component``.

    Raises
    ------
    ParameterError
        When ``clusters`` is not positive.

    Complexity
    ----------
    O(c n d) a round of the clustering for c clusters, at most 100 rounds; then that of the technique, in each cluster.

    Notes
    -----
    Clusters begin as halves along the main axis, without chance. One with fewer than k records joins the nearest. Clusters make a
    long search shorter, and ``component`` better, where the data fall into clouds; where they do not, groups at the borders of
    clusters are worse than those of the technique alone.

    References
    ----------
    Templ, M. (2008), Statistical disclosure control for microdata using the R-package sdcMicro (``clustpca``); Su, T. and Dy, J.
    G. (2007), In search of deterministic methods for initializing k-means and Gaussian mixture clustering.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Clustered(columns=["age", "savings"], k=5, clusters=4).apply(data)
    """

    name = "clustered"
    title = "Microaggregation within clusters"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    clusters: Annotated[int, Interval(1)] = 8
    within: Literal["mdav", "rmd", "component"] = "mdav"

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Cluster, then group within clusters."""
        from tacita.numeric.microaggregation.clusters import record_clusters  # loads when used

        labels = record_clusters(space, self.clusters, self.k)
        made, top = np.empty(len(space), dtype=np.int64), 0
        for cluster in range(int(labels.max()) + 1):
            rows = np.flatnonzero(labels == cluster)
            groups = self._groups(np.ascontiguousarray(space[rows]))
            made[rows] = top + groups
            top += int(groups.max()) + 1
        return made

    def _groups(self, space: FloatArray) -> IntArray:
        """Group the records of one cluster."""
        from tacita.numeric.microaggregation.fixed_size import seeded_partition  # loads when used
        from tacita.numeric.microaggregation.mdav.mdav import mdav_partition
        from tacita.numeric.microaggregation.order import order_partition
        from tacita.numeric.statistics.robust_covariance import robust_covariance, robust_distances

        if self.within == "mdav":
            return mdav_partition(space, self.k)
        if self.within == "rmd":
            distance = robust_distances(space, *robust_covariance(space))
            return seeded_partition(space, self.k, np.argsort(-distance, kind="stable"))
        return order_partition(space, np.argsort(principal_scores(space), kind="stable"), self.k)
