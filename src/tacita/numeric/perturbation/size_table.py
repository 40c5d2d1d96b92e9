"""Tables of noise for sums: how many steps a sum moves, by a look-up with a keyed number, as for counts.

The size of a sum is measured in steps: a step is a share of a contribution, of the mean, of the range or of the sum itself. A sum
of a steps moves by v steps, where v comes from row a of a table of noise; between two rows the two results are mixed.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.perturbation.noise_table import noise_from_table, noise_table

__all__ = ["separation_point", "size_noise", "stepwise_noise"]


def size_noise(steps: FloatArray, uniforms: FloatArray, *, bound: int, variance: float) -> FloatArray:
    """Return by how many steps sums of so many steps move.

    Parameters
    ----------
    steps
        (n,): sizes in steps, from 0.
    uniforms
        (n,): keyed numbers in [0, 1).
    bound, variance
        The most steps of noise, and its variance, as for counts. A sum of 0 steps does not move, and none changes its sign.

    Notes
    -----
    ``(1 - t) v(i) + t v(i + 1)`` for a size of ``i + t`` steps, both looked up with the same number. O(n bound).

    Examples
    --------
    >>> size_noise(np.array([0.0, 0.5, 9.0]), np.array([0.01, 0.01, 0.01]), bound=2, variance=1.0).tolist()
    [0.0, -0.5, -2.0]
    """
    table = noise_table(bound, variance)
    size = np.minimum(steps, len(table) - 1)
    low = np.floor(size).astype(np.int64)
    part = size - low
    below = noise_from_table(table, low, uniforms)
    above = noise_from_table(table, np.minimum(low + 1, len(table) - 1), uniforms)
    return np.asarray((1 - part) * below + part * above)


def separation_point(variance: float, weights: FloatArray, share: float) -> float:
    """Return the size below which contributions are small: there noise by shares would be less than that of a count.

    ``sqrt(variance) / (share sqrt(sum of squared weights))``: at this size both have the same variance.

    Examples
    --------
    >>> separation_point(1.0, np.array([1.0]), 0.25)
    4.0
    """
    return float(np.sqrt(variance) / (share * np.sqrt((weights**2).sum())))


def stepwise_noise(
    totals: FloatArray,
    step: FloatArray,
    uniforms: FloatArray,
    counts: IntArray,
    *,
    bound: int,
    variances: tuple[float, float],
    extra: FloatArray,
    small: BoolArray,
    small_variance: float,
) -> FloatArray:
    """Return the noise of each sum, one contribution after the other.

    Parameters
    ----------
    totals
        (m,): the sums.
    step
        (m, K): how large a step is, for the largest contribution first.
    uniforms
        (m, K): keyed numbers in [0, 1).
    counts
        (m,): number of contributors.
    bound, variances
        The most steps, and the variance of steps where the number of contributors is even, and where it is odd.
    extra
        (m,): steps that are added to the noise of the first contribution, in its direction.
    small, small_variance
        (m,): sums that are so small that they move like counts, by steps of 1 and once only; and by which variance.

    Notes
    -----
    The row of the table is the number of steps in what the sum has become, so that noise of mean 0 never changes its sign;
    ``extra`` could, and ends at 0. O(m K bound).
    """
    now = totals.astype(np.float64)
    is_odd = counts % 2 == 1
    for k in range(step.shape[1]):
        length = np.where(small, 1.0, step[:, k])
        steps = np.divide(np.abs(now), length, out=np.zeros(len(now)), where=length > 0)
        even, odd = (size_noise(steps, uniforms[:, k], bound=bound, variance=one) for one in variances)
        moved = np.where(is_odd, odd, even)
        if small.any():
            once = size_noise(steps, uniforms[:, k], bound=bound, variance=small_variance) if k == 0 else 0.0
            moved = np.where(small, once, moved)
        if k == 0:
            moved = moved + np.sign(moved) * extra
        now = np.where(now < 0, -1.0, 1.0) * np.maximum(np.abs(now) + length * moved, 0.0)
    return np.asarray(now - totals)
