"""The better half of two partitions: a cross-over that keeps each region from the parent that is better there.

Join two groups of two partitions when they share a record. The connected components of this graph are sets of records
that both partitions divide among themselves, so each component can be taken from either, and the SSE of the mixture is

    sum over components of min(SSE of the one, SSE of the other)  <=  the lesser SSE of the two.

Group sizes are those of the parents. Two good partitions agree on most groups, and what they disagree on falls into
many small components; so a search that reheats a good partition keeps every local improvement and loses nothing.

References
----------
Whitley, D., Hains, D., Howe, A. (2009). Tunneling between optima: partition crossover for the traveling salesman
problem. GECCO 2009, 915-922: the same idea for tours.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.partition import group_centroids, relabel

__all__ = ["mix_partitions"]


_LEAST = 1e-12
"""Least gain for which a component changes sides, relative to the SSE: a tie must not be decided by rounding."""


def mix_partitions(x: FloatArray, one: IntArray, other: IntArray) -> IntArray:
    """Return the partition that takes every component from the better parent, in a tie from `one`.

    O(n d) time up to the inverse Ackermann function, O(n d) memory.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [2.0], [3.0], [9.0], [10.0], [20.0], [21.0]])
    >>> one, other = np.array([0, 0, 1, 1, 2, 3, 2, 3]), np.array([0, 1, 0, 1, 2, 2, 3, 3])
    >>> mix_partitions(x, one, other).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    ours, theirs = _contributions(x, one), _contributions(x, other)
    return relabel(_choose(one, other, ours, theirs, _LEAST * float(ours.sum())))


def _contributions(x: FloatArray, labels: IntArray) -> FloatArray:
    """Squared distance of each record to the centroid of its group."""
    gaps = x - group_centroids(x, labels)[labels]
    return np.asarray(np.einsum("id,id->i", gaps, gaps))


@entry
def _choose(one: Int1, other: Int1, ours: Float1, theirs: Float1, least: float) -> IntArray:
    """Find the components by union-find over the groups of both, and take each from the better side."""
    offset = one.max() + 1
    parent = np.arange(offset + other.max() + 1)
    for i in range(len(one)):
        a, b = _root(parent, one[i]), _root(parent, offset + other[i])
        if a != b:
            parent[b] = a
    gain = np.zeros(len(parent))
    for i in range(len(one)):
        gain[_root(parent, one[i])] += ours[i] - theirs[i]
    mixed = np.empty_like(one)
    for i in range(len(one)):
        mixed[i] = offset + other[i] if gain[_root(parent, one[i])] > least else one[i]
    return mixed


@kernel
def _root(parent: IntArray, a: int) -> int:
    """Follow the parents to the root, halving the path on the way."""
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    return a
