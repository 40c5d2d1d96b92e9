"""The paper's partition, exactly: the most similar pair, then whoever is most similar to the group, again and again.

References
----------
Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
logs using the Open Directory Project. SORT special issue, 41-58: Algorithms 3 and 4.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Int2, IntArray
from tacita.core.kernel import entry, kernel

__all__ = ["most_similar_groups"]


@entry
def most_similar_groups(similar: Int2, k: int) -> IntArray:
    """Return (n,): groups of k users in the order in which they are formed, and -1 for the fewer than k that are left over.

    As long as k users are left, the two that are most similar start a group. k - 2 times the user joins whose similarities to
    the members have the largest sum, which is what adding up rows and columns of the matrix comes to. Equal pairs and users go
    by the lowest number.

    Every user keeps who of the later ones left is most similar to him. He looks again only when that one was taken: O(n^2) time
    for the first look, O(n) for each further one, O(n^2 / k) for the groups.
    """
    n = similar.shape[0]
    labels = np.full(n, -1)
    nearest = np.full(n, -1)
    for i in range(n):
        _look(similar, labels, i, nearest)
    left, group = n, 0
    total = np.zeros(n, np.int64)
    while left >= k:
        first, highest = -1, -1
        for i in range(n):
            if labels[i] < 0 and nearest[i] >= 0 and similar[i, nearest[i]] > highest:
                first, highest = i, similar[i, nearest[i]]
        total[:] = 0
        taken = first
        for size in range(1, k + 1):
            labels[taken] = group
            for s in range(n):
                total[s] += similar[taken, s]
            if size == 1:
                taken = nearest[first]
            elif size < k:
                taken = _highest(total, labels)
        left -= k
        group += 1
        for i in range(n):
            if labels[i] < 0 and nearest[i] >= 0 and labels[nearest[i]] >= 0:
                _look(similar, labels, i, nearest)
    return labels


@kernel
def _look(similar: IntArray, labels: IntArray, i: int, nearest: IntArray) -> None:
    """Find the user left behind i that is most similar to him."""
    nearest[i], highest = -1, -1
    for j in range(i + 1, len(labels)):
        if labels[j] < 0 and similar[i, j] > highest:
            nearest[i], highest = j, similar[i, j]


@kernel
def _highest(total: IntArray, labels: IntArray) -> int:
    """Return the user left with the largest sum."""
    found, highest = -1, -1
    for s in range(len(labels)):
        if labels[s] < 0 and total[s] > highest:
            found, highest = s, total[s]
    return found
