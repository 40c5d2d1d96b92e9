"""Microaggregation by a spanning tree: the longest edges of the minimum spanning tree are cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["SpanningTree"]


@dataclass(frozen=True, kw_only=True)
class SpanningTree(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group that hangs together in the minimum spanning tree.

    The records are linked by the tree of least total length. Its edges are looked at from the longest to the shortest,
    and an edge is cut if both parts of its tree then have k records or more. Trees of 2k records or more are divided by a
    fixed-size method.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    divide
        How trees of 2k records or more are divided: from the record farthest from the ``centroid`` (M-c), or from the
        two that are farthest apart, the ``diameter`` (M-d).

    Complexity
    ----------
    Near O(n log^2 n) time for up to eight columns, O(n^2 d) for more; O(n d) memory, no matrix of distances.

    Notes
    -----
    Good where the data have clusters with gaps between them, whatever their shape; on scattered data MDAV is better.
    Edges of equal length are looked at in the order of their record numbers, the last first.

    References
    ----------
    Laszlo, M. and Mukherjee, S. (2005), Minimum spanning tree partitioning algorithm for microaggregation.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = SpanningTree(columns=["age", "savings"], k=3).apply(data)
    """

    name = "spanning_tree"
    title = "Microaggregation, spanning tree"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    divide: Literal["centroid", "diameter"] = "centroid"

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group by cutting the spanning tree."""
        from tacita.numeric.microaggregation.fixed_size import (
            centroid_partition,
            diameter_partition,
            split_large,
        )  # loads when used
        from tacita.numeric.microaggregation.tree import cut_edges
        from tacita.numeric.nearest.spanning_tree import spanning_tree

        edges = spanning_tree(space)[0]
        trees = cut_edges(edges, np.arange(len(edges))[::-1], len(space), self.k)
        return split_large(
            space, trees, self.k, centroid_partition if self.divide == "centroid" else diameter_partition
        )
