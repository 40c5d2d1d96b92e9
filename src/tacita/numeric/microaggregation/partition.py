"""Partitions of records into groups: sizes, centroids and the within-group sum of squares.

A partition of n records is an int64 vector ``labels``: record i belongs to group ``labels[i]``. Labels are
consecutive from 0, so ``labels.max() + 1`` groups exist; `relabel` brings any labelling into that form.

The cost that microaggregation minimises is

    SSE = sum_g sum_{i in g} |x_i - c_g|^2,        c_g = mean of the records of group g,

usually quoted as 100 * SSE / SST with SST = sum_i |x_i - mean(x)|^2 on standardised columns.

References
----------
Domingo-Ferrer, J., Mateo-Sanz, J. M. (2002). Practical data-oriented microaggregation for statistical
disclosure control. IEEE TKDE 14(1), 189-201: groups of size k..2k-1 suffice, SSE as the loss.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry

__all__ = ["group_centroids", "group_sizes", "partition_sse", "relabel", "sizes_between", "total_sse"]


def relabel(labels: IntArray) -> IntArray:
    """Rename groups 0, 1, 2, ... in the order of their first record. O(n) time where no label is above n.

    Two labellings describe the same partition exactly when their relabelled forms are equal.

    Examples
    --------
    >>> relabel(np.array([7, 7, 2, 7, 2])).tolist()
    [0, 0, 1, 0, 1]
    """
    labels = np.asarray(labels, dtype=np.int64)
    if labels.size == 0:
        return labels.copy()
    if labels.min() < 0 or labels.max() > labels.size:
        labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    renamed: IntArray = _in_order(labels, int(labels.max()) + 1)
    return renamed


def group_sizes(labels: IntArray) -> IntArray:
    """Number of records of each group 0..max(labels). O(n) time.

    Examples
    --------
    >>> group_sizes(np.array([0, 0, 1, 0, 1])).tolist()
    [3, 2]
    """
    return np.bincount(labels).astype(np.int64)


def sizes_between(labels: IntArray, smallest: int, largest: int) -> bool:
    """Whether every label from 0 on is used by at least `smallest` and at most `largest` records.

    This is the certificate of a microaggregation (k and 2k - 1): it recounts and trusts no search.
    """
    sizes = group_sizes(labels)
    return bool(((sizes >= smallest) & (sizes <= largest)).all())


def group_centroids(x: FloatArray, labels: IntArray) -> FloatArray:
    """Mean record of each group, shape (groups, d). O(n d) time.

    Examples
    --------
    >>> group_centroids(np.array([[0.0], [2.0], [5.0]]), np.array([0, 0, 1])).tolist()
    [[1.0], [5.0]]
    """
    groups = int(labels.max()) + 1 if labels.size else 0
    means: FloatArray = _centroids(np.ascontiguousarray(x, dtype=np.float64), labels, groups)
    return means


def partition_sse(x: FloatArray, labels: IntArray) -> float:
    """Within-group sum of squares, sum_g sum_{i in g} |x_i - c_g|^2. O(n d) time.

    Notes
    -----
    Two passes, centroid first: the one-pass form sum |x|^2 - |sum x|^2 / n cancels when a group lies
    far from the origin, which is where outliers, hence most of the SSE, are.

    Examples
    --------
    >>> partition_sse(np.array([[0.0], [2.0], [5.0]]), np.array([0, 0, 1]))
    2.0
    """
    if labels.size == 0:
        return 0.0
    x = np.ascontiguousarray(x, dtype=np.float64)
    return float(_squared_error(x, labels, _centroids(x, labels, int(labels.max()) + 1)))


def total_sse(x: FloatArray) -> float:
    """Sum of squares around the mean record (SST). O(n d) time.

    Examples
    --------
    >>> total_sse(np.array([[1.0], [3.0]]))
    2.0
    """
    return partition_sse(x, np.zeros(len(x), dtype=np.int64))


@entry
def _in_order(labels: Int1, groups: int) -> IntArray:
    """Number the groups as they come."""
    name, used = np.full(groups, -1, dtype=np.int64), 0
    renamed = np.empty_like(labels)
    for i in range(len(labels)):
        if name[labels[i]] < 0:
            name[labels[i]] = used
            used += 1
        renamed[i] = name[labels[i]]
    return renamed


@entry
def _centroids(x: Float2, labels: Int1, groups: int) -> FloatArray:
    """Group means; an unused label keeps a zero row."""
    n, d = x.shape
    means = np.zeros((groups, d))
    sizes = np.zeros(groups, dtype=np.int64)
    for i in range(n):
        sizes[labels[i]] += 1
        for c in range(d):
            means[labels[i], c] += x[i, c]
    for g in range(groups):
        if sizes[g] > 0:
            for c in range(d):
                means[g, c] /= sizes[g]
    return means


@entry
def _squared_error(x: Float2, labels: Int1, means: Float2) -> float:
    """Sum of squared distances to the own group's mean, row sums first to keep the rounding small."""
    n, d = x.shape
    total = 0.0
    for i in range(n):
        row = 0.0
        for c in range(d):
            gap = x[i, c] - means[labels[i], c]
            row += gap * gap
        total += row
    return total
