"""Clusters of records without chance: halves along the main axis, then k-means.

The cluster with the largest sum of squares is cut at its mean across its first principal component, until there are as many as
wanted; then every record goes to the nearest centre and centres become means, until nothing changes. Clusters of fewer than k
records join the one with the nearest centre.

References
----------
Su, T. and Dy, J. G. (2007), In search of deterministic methods for initializing k-means and Gaussian mixture clustering
(PCA-Part); Lloyd, S. P. (1982), Least squares quantization in PCM.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["record_clusters"]

_ROUNDS = 100


def record_clusters(x: FloatArray, count: int, k: int) -> IntArray:
    """Return the cluster 0, 1, 2, ... of each record: at most ``count``, each of k records or more. O(count n d) a round.

    Examples
    --------
    >>> record_clusters(np.array([[0.0], [1.0], [2.0], [50.0], [51.0], [52.0], [99.0]]), 3, 2).tolist()
    [0, 0, 0, 1, 1, 1, 1]
    """
    labels = _halved(x, count)
    for _ in range(_ROUNDS):
        centres = _centres(x, labels)
        nearest = _nearest_centre(x, centres)
        nearest = np.unique(nearest, return_inverse=True)[1].ravel().astype(np.int64)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
    return _merged(x, labels, k)


def _halved(x: FloatArray, count: int) -> IntArray:
    labels = np.zeros(len(x), dtype=np.int64)
    errors = [_error(x)]
    for new in range(1, count):
        widest = int(np.argmax(errors))
        rows = np.flatnonzero(labels == widest)
        if errors[widest] <= 0:
            break
        part = x[rows] - x[rows].mean(axis=0)
        axis = np.linalg.eigh(part.T @ part)[1][:, -1]
        axis = axis * np.sign(axis[np.argmax(np.abs(axis))])  # the sign of an eigenvector is nobody's
        labels[rows[part @ axis > 0]] = new
        errors[widest] = _error(x[labels == widest])
        errors.append(_error(x[labels == new]))
    return np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)


def _error(x: FloatArray) -> float:
    return float(((x - x.mean(axis=0)) ** 2).sum()) if len(x) else 0.0


def _centres(x: FloatArray, labels: IntArray) -> FloatArray:
    sizes = np.bincount(labels)
    return np.stack([np.bincount(labels, weights=column) / sizes for column in x.T], axis=1)


def _nearest_centre(x: FloatArray, centres: FloatArray) -> IntArray:
    best, nearest = np.full(len(x), np.inf), np.zeros(len(x), dtype=np.int64)
    for number, centre in enumerate(centres):
        distance = ((x - centre) ** 2).sum(axis=1)
        closer = distance < best
        best[closer], nearest[closer] = distance[closer], number
    return nearest


def _merged(x: FloatArray, labels: IntArray, k: int) -> IntArray:
    """Join clusters of fewer than k records to the nearest one; a cluster less in every turn."""
    while True:
        sizes = np.bincount(labels)
        small = int(np.argmin(sizes))
        if sizes[small] >= k or len(sizes) == 1:
            return labels
        centres = _centres(x, labels)
        distance = ((centres - centres[small]) ** 2).sum(axis=1)
        distance[small] = np.inf
        labels = np.where(labels == small, int(np.argmin(distance)), labels)
        labels = np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)
