"""The Euclidean minimum spanning tree of records, without a matrix of distances.

Boruvka's algorithm: every component looks for its nearest record outside, all these edges are added at once, and the
components are merged; at most log2 n rounds. A record looks through a k-d tree and leaves out nodes that lie in its own
component or farther away than what its component has found. What a record found stays its nearest outside until that
record's component is its own, so most records search only once or twice.

Boruvka needs few columns; `_prim` grows one component record by record instead, over all records left.

Edges are ordered by length and then by their record numbers. That order has no ties, so the rounds never close
a circle and the tree is the same on every machine.

References
----------
March, W. B., Ram, P., Gray, A. G. (2010). Fast Euclidean minimum spanning tree. KDD 2010: Boruvka on trees of boxes.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float2, FloatArray, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.nearest.distances import box_distance, squared_distance
from tacita.numeric.nearest.kd_tree import KdTree, build_kd_tree

__all__ = ["spanning_tree"]


_FEW_COLUMNS = 8
_CHUNK = 512
"""Records whose distances are computed together, so that they stay in the first-level cache."""


def spanning_tree(x: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the edges (n - 1, 2) of the tree and their squared lengths, shortest first.

    Near O(n log^2 n) time for few columns; boxes do not help in many columns, so above eight Prim's algorithm takes
    O(n^2 d), vectorised. Both give the same tree. O(n d) memory. Equal records are linked in a chain first, so that
    many duplicates cost nothing.

    Examples
    --------
    >>> edges, squares = spanning_tree(np.array([[0.0], [5.0], [1.0], [1.0]]))
    >>> edges.tolist(), squares.tolist()
    ([[2, 3], [0, 2], [1, 2]], [0.0, 1.0, 16.0])
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    if len(x) < 2:
        return np.empty((0, 2), dtype=np.int64), np.empty(0)
    _, first, same = np.unique(x, axis=0, return_index=True, return_inverse=True)
    same = same.reshape(-1)
    order = np.argsort(same, kind="stable")
    twin = np.diff(same[order]) == 0
    chain = np.stack([order[:-1][twin], order[1:][twin]], axis=-1)
    distinct = x[first]
    edges, squares = _prim(distinct) if x.shape[1] > _FEW_COLUMNS else _boruvka(build_kd_tree(distinct))
    edges = np.sort(np.concatenate([chain, first[edges]]), axis=1)
    squares = np.concatenate([np.zeros(len(chain)), squares])
    ranked = np.lexsort((edges[:, 1], edges[:, 0], squares))
    return edges[ranked], squares[ranked]


@entry
def _boruvka(tree: KdTree) -> tuple[IntArray, FloatArray]:
    """Return the edges between rows of the file from which the tree was built, and their squared lengths."""
    n = len(tree.points)
    component, inside = np.arange(n), np.full(len(tree.left), -1)
    nearest, away = np.full(n, -1), np.zeros(n)  # without a nearest, `away` is how far the nearest outside is at least
    edges, squares = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    count, stack, bounds = 0, np.empty(256, np.int64), np.empty(256)
    while count < n - 1:
        ends = np.full(n, -1)  # for each component the record at which its shortest edge begins
        for i in range(n):
            c = component[i]
            limit = away[ends[c]] if ends[c] >= 0 else np.inf
            if nearest[i] >= 0 and component[nearest[i]] == c:
                nearest[i] = -1
            if nearest[i] < 0 and away[i] <= limit:
                nearest[i], away[i] = _search(tree, i, component, inside, limit, stack, bounds)
            if nearest[i] >= 0 and (ends[c] < 0 or _shorter(tree.rows, nearest, away, i, ends[c])):
                ends[c] = i
        for c in range(n):
            if ends[c] >= 0:
                a, b = ends[c], nearest[ends[c]]
                if _unite(component, a, b):
                    edges[count, 0], edges[count, 1], squares[count] = tree.rows[a], tree.rows[b], away[a]
                    count += 1
        for i in range(n):
            component[i] = _root(component, i)
        _mark(tree, component, inside)
    return edges, squares


@kernel
def _search(
    tree: KdTree, i: int, component: IntArray, inside: IntArray, limit: float, stack: IntArray, bounds: FloatArray
) -> tuple[int, float]:
    """Return the record outside the component of i that is nearest to it, and its distance; -1 above `limit`."""
    point, own = tree.points[i], component[i]
    best, found = limit, -1
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > best or inside[node] == own:
            continue
        if tree.left[node] < 0:
            for j in range(tree.start[node], tree.stop[node]):
                if component[j] == own:
                    continue
                distance = squared_distance(point, tree.points[j])
                if distance < best or (distance == best and (found < 0 or tree.rows[j] < tree.rows[found])):
                    best, found = distance, j
            continue
        a = tree.left[node]
        b = a + 1
        near_a = box_distance(point, tree.low[a], tree.high[a])
        near_b = box_distance(point, tree.low[b], tree.high[b])
        if near_a > near_b:
            a, b, near_a, near_b = b, a, near_b, near_a
        stack[depth], bounds[depth] = b, near_b
        stack[depth + 1], bounds[depth + 1] = a, near_a
        depth += 2
    return found, best


@kernel
def _shorter(rows: IntArray, nearest: IntArray, away: FloatArray, i: int, j: int) -> bool:
    """Whether the edge of i comes before the edge of j: by length, then by record numbers."""
    if away[i] != away[j]:
        return bool(away[i] < away[j])
    a, b, c, d = rows[i], rows[nearest[i]], rows[j], rows[nearest[j]]
    return bool(min(a, b) < min(c, d) or (min(a, b) == min(c, d) and max(a, b) < max(c, d)))


@kernel
def _root(parent: IntArray, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def _unite(parent: IntArray, a: int, b: int) -> bool:
    """Merge two components; false where they are one already."""
    a, b = _root(parent, a), _root(parent, b)
    parent[max(a, b)] = min(a, b)
    return a != b


@kernel
def _mark(tree: KdTree, component: IntArray, inside: IntArray) -> None:
    """Note for each node the component that all its records belong to, or -1."""
    for node in range(len(inside) - 1, -1, -1):
        if tree.left[node] >= 0:
            a, b = inside[tree.left[node]], inside[tree.left[node] + 1]
            inside[node] = a if a == b else -1
            continue
        inside[node] = component[tree.start[node]]
        for i in range(tree.start[node], tree.stop[node]):
            if component[i] != inside[node]:
                inside[node] = -1


@entry
def _prim(points: Float2) -> tuple[IntArray, FloatArray]:
    """Return the edges of the tree and their squared lengths, by Prim's algorithm."""
    n, d = points.shape
    columns, rows = np.ascontiguousarray(points.T), np.arange(n)
    away, link = np.full(n, np.inf), np.full(n, -1)
    edges, squares = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    added, place = 0, 0
    for left in range(n - 1, 0, -1):
        added = rows[place]
        rows[place], away[place], link[place] = rows[left], away[left], link[left]
        for c in range(d):
            columns[c, place] = columns[c, left]
        place = _nearest_left(columns, left, points[added], added, rows, away, link)
        t = n - 1 - left
        edges[t, 0], edges[t, 1], squares[t] = link[place], rows[place], away[place]
    return edges, squares


@kernel
def _nearest_left(
    columns: FloatArray, left: int, point: FloatArray, added: int, rows: IntArray, away: FloatArray, link: IntArray
) -> int:
    """Offer the added record to all left as their link; return the place of the one with the shortest edge."""
    buffer = np.empty(_CHUNK)
    best, found = np.inf, -1
    for a in range(0, left, _CHUNK):
        width = min(_CHUNK, left - a)
        buffer[:width] = 0.0
        for c in range(len(point)):
            value, column = point[c], columns[c, a : a + width]
            for i in range(width):
                buffer[i] += (column[i] - value) ** 2
        for i in range(width):
            p = a + i
            if buffer[i] <= away[p] and (buffer[i] < away[p] or added < link[p]):
                away[p], link[p] = buffer[i], added
            if away[p] <= best and (found < 0 or _before(away, rows, link, p, found)):
                best, found = away[p], p
    return found


@kernel
def _before(away: FloatArray, rows: IntArray, link: IntArray, p: int, q: int) -> bool:
    """Whether the edge of place p comes before the edge of place q."""
    if away[p] != away[q]:
        return bool(away[p] < away[q])
    a, b, c, d = rows[p], link[p], rows[q], link[q]
    return bool(min(a, b) < min(c, d) or (min(a, b) == min(c, d) and max(a, b) < max(c, d)))
