"""Partitions of one sorted column: runs of k values, and the runs with the least sum of squares.

An optimal partition of numbers into groups of at least k consists of runs of k to 2k - 1 neighbours in sorted order, so
it is a shortest path: nodes 0..n, an edge from j to i for the group of the sorted values j+1..i, its length the sum of
squares of the group,

    F(i) = min over j in [i - 2k + 1, i - k] of F(j) + SSE(j, i),        F(0) = 0.

References
----------
Hansen, S. L., Mukherjee, S. (2003). A polynomial algorithm for optimal univariate microaggregation. IEEE TKDE 15(4),
1043-1044.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import Float1, FloatArray, IntArray, Place1
from tacita.core.kernel import entry, kernel

__all__ = ["optimal_runs", "runs_of"]


SizeArray = npt.NDArray[np.int32]

_LEAST, _MOST = 1e-100, 1e100
"""Range of half spans for which squares neither vanish nor overflow."""
_DIGITS = 1024.0
"""A path length this many times its last step is counted from a new zero, so that the step keeps its digits."""


def runs_of(k: int, n: int) -> IntArray:
    """Return the labels of n sorted values in runs of k; the last run also takes what is left. O(n) time.

    Examples
    --------
    >>> runs_of(3, 8).tolist()
    [0, 0, 0, 1, 1, 1, 1, 1]
    """
    return np.minimum(np.arange(n, dtype=np.int64) // k, max(n // k - 1, 0))


def optimal_runs(ordered: FloatArray, k: int) -> IntArray:
    """Return the labels of sorted values in the runs of k or more with the least sum of squares. O(k n) time, O(n) memory.

    Fewer than 2k values are one run.

    Notes
    -----
    No prefix sums, which lose the small sums of squares in large totals: the sums of a run are taken of the distances
    from its last value, updated from run to run of the same end. SSE is then right to about 4 k roundings,
    whatever the offset of the data. Path lengths are compared within a window of 2k nodes only, so where they have
    outgrown the steps they are counted from a new zero: a far outlier costs the rest no digits. Huge and tiny values are
    scaled by a power of two, so that squares neither overflow nor vanish.

    Examples
    --------
    >>> optimal_runs(np.array([1.0, 2.0, 3.0, 10.0, 11.0, 12.0, 13.0]), 2).tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    n = len(ordered)
    if n < 2 * k:
        return np.zeros(n, dtype=np.int64)
    values = np.ascontiguousarray(ordered, dtype=np.float64)
    span = float(values[-1] / 2 - values[0] / 2)
    if span > 0 and not _LEAST < span < _MOST:
        values = np.ldexp(values, -int(np.frexp(span)[1]))
    return np.asarray(_labels_of(_shortest_path(values, k)))


@entry
def _shortest_path(x: Float1, k: int) -> SizeArray:
    """Return for each node the length of the run that the shortest path to it ends with."""
    n = len(x)
    size = np.zeros(n + 1, dtype=np.int32)
    length = np.empty(n + 1)
    length[0] = 0.0
    length[1:k] = np.inf
    inverse = np.ones(2 * k)
    for m in range(1, 2 * k):
        inverse[m] = 1.0 / m
    full = min(n, 2 * k - 1)
    for i in range(k, full + 1):
        _reach(x, length, size, inverse, i, k, i - k + 1)
    for i in range(full + 1, n + 1):
        _reach(x, length, size, inverse, i, k, k)
        if length[i] > _DIGITS * (length[i] - length[i - size[i]]):
            window = length[i - 2 * k + 1 : i]
            window -= window.min()
            _reach(x, length, size, inverse, i, k, k)
    return size


@kernel(inline=True)
def _reach(
    x: FloatArray, length: FloatArray, size: SizeArray, inverse: FloatArray, i: int, k: int, choices: int
) -> None:
    """Find the best of the runs of k, k + 1, ... values that end at node i."""
    node = np.uint64(i)  # an index without sign saves the compiler the question whether it counts from the end
    last = x[node - np.uint64(1)]
    total, squares = 0.0, 0.0
    for m in range(2, k):
        step = last - x[node - np.uint64(m)]
        total += step
        squares += step * step
    best, chosen = np.inf, np.int32(0)
    for m in range(k, k + choices):
        step = last - x[node - np.uint64(m)]
        total += step
        squares += step * step
        candidate = length[node - np.uint64(m)] + (squares - total * total * inverse[m])
        # Two selections instead of a branch: which run is best is anybody's guess, the processor's too.
        chosen = np.int32(m) if candidate < best else chosen
        best = candidate if candidate < best else best
    length[node], size[node] = best, chosen


@entry
def _labels_of(size: Place1) -> IntArray:
    """Walk the path back from the last node and number its runs from the first."""
    n = len(size) - 1
    runs, i = 0, n
    while i > 0:
        runs += 1
        i -= size[i]
    labels = np.empty(n, dtype=np.int64)
    i = n
    while i > 0:
        runs -= 1
        labels[i - size[i] : i] = runs
        i -= size[i]
    return labels
