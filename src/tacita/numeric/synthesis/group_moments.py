"""Groups of records drawn anew, so that every group keeps its mean and its covariance matrix exactly.

Let C (b, d) be a group less its mean, ``C = Q R`` with orthonormal columns of Q. New records are ``mean + P R`` with P drawn at
random from all matrices of orthonormal columns that are orthogonal to 1 (uniformly: from a QR decomposition of normal numbers).
Then ``(P R)'(P R) = R'R = C'C`` and ``1'P R = 0``: mean and covariance matrix are those of the group. Nothing is inverted, so
columns that are constant in a group, or follow from others, stay so.

P has b - 1 - d directions to choose from beyond those of d columns. Without one, the new records would be the old ones but for a
rotation of their common space; a group of d + 1 records in d columns would be such a case, one of two records in one column the
worst: the same two values. Hence at least d + 2 records.

References
----------
Domingo-Ferrer, J. and Gonzalez-Nicolas, U. (2010), Hybrid microdata using microaggregation, Information Sciences 180,
2834-2844.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.microaggregation.mdav.mdav import mdav_partition
from tacita.numeric.statistics.moments import standardise
from tacita.numeric.statistics.rotations import orthonormal

__all__ = ["drawn_in_groups", "fewest_in_group", "similar_groups"]

_ROOM = 2**22
"""Numbers that are drawn at once."""


def fewest_in_group(columns: int) -> int:
    """Return how many records a group needs so that there is something to draw."""
    return columns + 2


def similar_groups(x: FloatArray, k: int) -> IntArray:
    """Return groups of k or more similar records: those of MDAV on standardised columns. No chance is in it."""
    return mdav_partition(np.ascontiguousarray(standardise(x)), k)


def drawn_in_groups(x: FloatArray, labels: IntArray, rng: np.random.Generator) -> FloatArray:
    """Draw every group anew around its own mean. O(n d^2) time, a few arrays of the size of the data.

    Parameters
    ----------
    x
        (n, d): the records, without missing values.
    labels
        The group of each record, of ``fewest_in_group(d)`` records or more.
    rng
        Where the draws come from.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x, labels = rng.normal(size=(20, 2)), np.repeat([0, 1], 10)
    >>> y = drawn_in_groups(x, labels, rng)
    >>> bool(np.allclose(np.cov(x[:10].T), np.cov(y[:10].T))), bool(np.allclose(x[:10].mean(0), y[:10].mean(0)))
    (True, True)
    """
    made = np.array(x, dtype=np.float64)
    order, sizes = np.argsort(labels, kind="stable"), np.bincount(labels)
    first = np.cumsum(sizes) - sizes
    for size in np.unique(sizes[sizes > 0]):
        places = first[sizes == size]
        step = max(_ROOM // (int(size) * max(x.shape[1], 1)), 1)
        for start in range(0, len(places), step):
            rows = order[places[start : start + step, None] + np.arange(size)]
            made[rows] = _drawn(made[rows], rng)
    return made


def _drawn(x: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw (m, b, d) groups of b records anew."""
    mean = x.mean(axis=1, keepdims=True)
    root = np.linalg.qr(x - mean, mode="r")
    normal = rng.standard_normal(x.shape)
    made = orthonormal(normal - normal.mean(axis=1, keepdims=True)) @ root
    return np.asarray(mean + (made - made.mean(axis=1, keepdims=True)))
