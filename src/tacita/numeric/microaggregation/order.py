"""Partitions along an order of the records: the exact dynamic programme, and orders worth trying.

When every group must be an interval of a given order, the best partition is found exactly. With C(a, b) the SSE of the
records at places a..b-1 of the order and F(b) the least SSE of the first b records,

    F(0) = 0,    F(b) = min over s = k..2k-1 of F(b - s) + C(b - s, b).

In one dimension the sorted order makes this optimal (Hansen and Mukherjee); in several it is as good as the order is.

References
----------
Hansen, S. L., Mukherjee, S. (2003). A polynomial algorithm for optimal univariate microaggregation. IEEE TKDE 15(4).
Domingo-Ferrer, J. et al. (2008). A polynomial-time approximation to optimal multivariate microaggregation. Computers
and Mathematics with Applications 55(4): orders from multivariate tours, followed by the univariate programme.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry
from tacita.numeric.microaggregation.partition import group_centroids

__all__ = ["curve_order", "group_order", "nearest_tour", "order_partition"]


def order_partition(x: FloatArray, order: IntArray, k: int) -> IntArray:
    """Return the partition of least SSE whose groups are intervals of `order` with k..2k-1 records.

    Parameters
    ----------
    x
        Records, shape (n, d), n >= k.
    order
        A permutation of 0..n-1.
    k
        Least group size.

    Returns
    -------
    IntArray
        Labels of the records (not of the places), numbered along the order.

    Notes
    -----
    C(a, b) is built by adding one record after the other to a running mean, SSE += m/(m+1) |x - mean|^2, which has only
    positive terms: prefix sums of squares would cancel. O(n k d) time, O(n) memory.

    Examples
    --------
    >>> x = np.array([[0.0], [9.0], [1.0], [8.0], [2.0]])
    >>> order_partition(x, np.argsort(x[:, 0]), 2).tolist()
    [0, 1, 0, 1, 0]
    """
    labels = np.empty(len(x), dtype=np.int64)
    labels[order] = _cut_order(np.ascontiguousarray(x, dtype=np.float64), np.asarray(order, dtype=np.int64), k)
    return labels


@entry
def _cut_order(x: Float2, order: Int1, k: int) -> IntArray:
    """Return the group of each place of the order."""
    n, d = x.shape
    least = np.full(n + 1, np.inf)
    least[0] = 0.0
    size = np.zeros(n + 1, dtype=np.int64)
    mean = np.empty(d)
    for b in range(k, n + 1):
        mean[:] = 0.0
        cost = 0.0
        for m in range(min(2 * k - 1, b)):
            row = order[b - 1 - m]
            distance = 0.0
            for c in range(d):
                gap = x[row, c] - mean[c]
                distance += gap * gap
                mean[c] += gap / (m + 1.0)
            cost += distance * (m / (m + 1.0))
            if m + 1 >= k and least[b - 1 - m] + cost < least[b]:
                least[b] = least[b - 1 - m] + cost
                size[b] = m + 1
    place_labels = np.empty(n, dtype=np.int64)
    b, group = n, 0
    while b > 0:
        place_labels[b - size[b] : b] = group
        b -= size[b]
        group += 1
    return group - 1 - place_labels


@entry
def nearest_tour(points: Float2) -> IntArray:
    """Return the tour that starts at the point farthest from the mean and always goes on to the nearest one left.

    Outliers are visited first, while they still have neighbours to share a group with. O(n^2 d) time, O(n d) memory.
    """
    n, d = points.shape
    left, rows, order = points.copy(), np.arange(n), np.empty(n, dtype=np.int64)
    here = np.zeros(d)
    for i in range(n):
        here += points[i] / n
    for t in range(n):
        best, chosen = np.inf, 0
        for i in range(n - t):
            distance = 0.0
            for c in range(d):
                distance += (left[i, c] - here[c]) ** 2
            if t == 0:
                distance = -distance
            if distance < best:
                best, chosen = distance, i
        order[t] = rows[chosen]
        here[:] = left[chosen]
        rows[chosen] = rows[n - t - 1]
        left[chosen] = left[n - t - 1]
    return order


def group_order(x: FloatArray, labels: IntArray, groups: IntArray) -> IntArray:
    """Return an order of the records that visits the groups of a partition in the order `groups`.

    Within a group the records run from the previous group's centroid towards the next one's. O(n log n + n d) time.
    """
    centroids = group_centroids(x, labels)[groups]
    ahead = np.vstack([centroids[1:], centroids[-1:]]) - np.vstack([centroids[:1], centroids[:-1]])
    turn = np.empty(len(groups), dtype=np.int64)
    turn[groups] = np.arange(len(groups))
    visit = turn[labels]
    along = np.einsum("id,id->i", x, ahead[visit])
    return np.lexsort((along, visit)).astype(np.int64)


def curve_order(points: FloatArray) -> IntArray:
    """Return a space-filling order: halves at the median of the widest column, neighbouring halves end to end.

    Every column has a direction. A node is traversed along its widest column in that column's direction, and the
    second half is entered with all other directions turned round, as on Hilbert's and Sierpinski's curves, so that
    the order leaves a half near the place where it enters the next. O(n log^2 n + n d log n) time.
    """
    points = np.ascontiguousarray(points, dtype=np.float64)
    n, d = points.shape
    order = np.arange(n)
    stack = [(0, n, np.ones(d))]
    while stack:
        a, b, direction = stack.pop()
        if b - a < 2:
            continue
        rows = order[a:b]
        box = points[rows]
        column = int(np.argmax(box.max(axis=0) - box.min(axis=0)))
        order[a:b] = rows[np.argsort(direction[column] * box[:, column], kind="stable")]
        turned = -direction
        turned[column] = direction[column]
        middle = (a + b) // 2
        stack += [(a, middle, direction), (middle, b, turned)]
    return order
