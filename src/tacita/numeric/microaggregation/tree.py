"""Groups from a spanning tree: its longest edges are cut as long as both sides keep k records.

References
----------
Laszlo, M., Mukherjee, S. (2005). Minimum spanning tree partitioning algorithm for microaggregation. IEEE TKDE 17(7),
902-911.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Int1, Int2, IntArray
from tacita.core.kernel import entry

__all__ = ["cut_edges", "root_tree"]


def cut_edges(edges: IntArray, longest_first: IntArray, n: int, k: int) -> IntArray:
    """Return the component of each of n vertices after cutting, named by one of its vertices.

    Parameters
    ----------
    edges
        (n - 1, 2): the edges of a tree on 0..n-1.
    longest_first
        The order in which edges are tried. An edge is cut if both parts of its component then have k vertices.
    n, k
        Number of vertices, least size of a component.

    Notes
    -----
    Every vertex knows how many vertices hang below it in its component. A cut subtracts that number on the way up to the
    root. O(n h) time for trees of height h, O(n) memory; most edges are tried in O(1), because fewer than k vertices
    hang below them.

    Examples
    --------
    >>> path = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
    >>> cut_edges(path, np.array([3, 2, 1, 0]), 5, 2).tolist()
    [0, 0, 0, 3, 3]
    """
    parent, order = root_tree(edges, n)
    return np.asarray(_cut(edges[longest_first], parent, order, k))


@entry
def root_tree(edges: Int2, n: int) -> tuple[IntArray, IntArray]:
    """Return the parent of each vertex of a forest (-1 for the first vertex of a tree), and parents before children."""
    starts, ends = np.zeros(n + 2, np.int64), np.empty(2 * len(edges), np.int64)
    for a, b in edges:
        starts[a + 2] += 1
        starts[b + 2] += 1
    starts = np.cumsum(starts)
    for a, b in edges:
        ends[starts[a + 1]], ends[starts[b + 1]] = b, a
        starts[a + 1] += 1
        starts[b + 1] += 1
    parent, order = np.full(n, -2), np.empty(n, np.int64)
    done, found = 0, 0
    for root in range(n):
        if parent[root] != -2:
            continue
        parent[root], order[found] = -1, root
        found += 1
        while done < found:
            vertex = order[done]
            done += 1
            for other in ends[starts[vertex] : starts[vertex + 1]]:
                if parent[other] == -2:
                    parent[other], order[found] = vertex, other
                    found += 1
    return parent, order


@entry
def _cut(edges: Int2, parent: Int1, order: Int1, k: int) -> IntArray:
    n = len(parent)
    below = np.ones(n, np.int64)
    for t in range(n - 1, 0, -1):
        if parent[order[t]] >= 0:
            below[parent[order[t]]] += below[order[t]]
    for a, b in edges:
        child = a if parent[a] == b else b
        if below[child] < k:
            continue
        root = child
        while parent[root] >= 0:
            root = parent[root]
        if below[root] - below[child] < k:
            continue
        above = parent[child]
        while above >= 0:
            below[above] -= below[child]
            above = parent[above]
        parent[child] = -1
    component = np.arange(n)
    for vertex in order:
        if parent[vertex] >= 0:
            component[vertex] = component[parent[vertex]]
    return component
