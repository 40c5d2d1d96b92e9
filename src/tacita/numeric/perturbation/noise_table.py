"""Tables of noise for counts: for each count the distribution of what is added to it, with most entropy for its variance.

The noise v of a count i takes whole numbers in [max(-i, -D), D], has mean 0 and variance V. Among all such distributions the
one with most entropy is ``p_v proportional to exp(a v + b v^2)``; a and b are found by Newton's method on the convex dual
``log sum_v exp(a v + b v^2) - b V``, in two unknowns for each count.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError

__all__ = ["most_entropy", "noise_from_table", "noise_support", "noise_table"]

ROUNDS = 500
BLOCK = 1 << 16


def noise_support(count: int, bound: int, *, smallest: int = 1) -> IntArray:
    """Return what may be added to a count: at most ``bound`` either way, nothing below 0, nothing in 1, ..., smallest - 1.

    Examples
    --------
    >>> noise_support(1, 2).tolist(), noise_support(1, 3, smallest=3).tolist()
    ([-1, 0, 1, 2], [-1, 2, 3])
    """
    if count == 0:  # nobody is nobody: an empty cell may be known to be empty, and stays so
        return np.zeros(1, dtype=np.int64)
    noise = np.arange(max(-count, -bound), bound + 1)
    return np.asarray(noise[(noise == -count) | (noise >= smallest - count)])


def most_entropy(support: IntArray, variance: float) -> FloatArray:
    """Return the distribution on ``support`` with mean 0, this variance and most entropy.

    Parameters
    ----------
    support
        Ascending whole numbers, some at or below 0, some at or above.
    variance
        From the product of the two points around 0 (0 where 0 is one of them) to the product of the two ends.

    Raises
    ------
    ParameterError
        When no distribution on the support has mean 0 and this variance.

    Notes
    -----
    With points -l and h around 0 and ends -L and H, ``(v + l)(v - h)`` and ``(v + L)(H - v)`` are never negative on the
    support and have means V - l h and L H - V. The nearer of the two takes the place of v^2: next to a bound of the variance
    it is small, and its mean keeps all digits. At a bound itself the distribution stands on two points.

    Complexity: O(points) for each of a few dozen rounds.

    Examples
    --------
    >>> most_entropy(np.array([-1, 0, 1, 2]), 1.0).round(5).tolist()
    [0.39806, 0.30581, 0.19419, 0.10194]
    >>> most_entropy(np.array([-1, 2, 3, 4, 5]), 2.0).round(5).tolist()
    [0.66667, 0.33333, 0.0, 0.0, 0.0]
    """
    low, high = int(-support[0]), int(support[-1])
    if low < 0 or high < 0:
        raise ParameterError(f"Noise on [{-low}, {high}] must be able to go both ways; give it a larger bound.")
    below, above = int(-support[support <= 0][-1]), int(support[support >= 0][0])
    least, most = below * above, low * high
    if not least <= variance <= most:
        raise ParameterError(
            f"The variance of noise on [{-low}, {high}] must be in [{least}, {most}], got {variance:g}; "
            "choose another variance or a larger bound."
        )
    if variance == least:
        return _two_points(support, below, above)
    if variance == most:
        return _two_points(support, low, high)
    if variance - least <= most - variance:
        return _newton(support, (support + below) * (support - above), variance - least)
    return _newton(support, (support + low) * (high - support), most - variance)


def _two_points(support: IntArray, below: int, above: int) -> FloatArray:
    """Return the distribution with mean 0 on -below and above."""
    found = np.zeros(len(support))
    if below == above == 0:
        found[support == 0] = 1.0
    else:
        found[support == -below] = above / (below + above)
        found[support == above] = below / (below + above)
    return found


def _newton(support: IntArray, feature: IntArray, goal: float) -> FloatArray:
    """Return p proportional to exp(a v + b feature) with mean of v 0 and of the feature ``goal``, to the last digits."""
    # Both are brought to the size of 1, so that a and b are of one kind.
    x = np.stack([support / np.abs(support).max(), feature / goal])
    aim = np.array([0.0, 1.0])
    at = np.zeros(2)
    p, value = _tilted(x, at, aim)
    for _ in range(ROUNDS):
        off = x @ p - aim
        centred = x - (x @ p)[:, None]
        step = np.linalg.lstsq((centred * p) @ centred.T, -off, rcond=None)[0]
        slope, length = float(off @ step), 1.0
        if np.abs(off).max() < 1e-16 or slope == 0.0:
            break
        # Far from the solution steps are shortened until the dual falls; near it differences of the dual are rounding errors.
        new_p, new_value = _tilted(x, at + step, aim)
        while new_value > value + 1e-4 * length * slope and -slope > 1e-12 and length > 1e-12:
            length /= 2
            new_p, new_value = _tilted(x, at + length * step, aim)
        if -slope <= 1e-12 and np.abs(x @ new_p - aim).max() >= np.abs(off).max():
            break
        at, p, value = at + length * step, new_p, new_value
    return p


def _tilted(x: FloatArray, at: FloatArray, aim: FloatArray) -> tuple[FloatArray, float]:
    """Return the distribution for two multipliers, and the dual there."""
    power = at @ x
    top = float(power.max())
    weights = np.exp(power - top)
    total = float(weights.sum())
    return weights / total, top + float(np.log(total)) - float(at @ aim)


def noise_table(bound: int, variance: float, *, smallest: int = 1) -> FloatArray:
    """Return the cumulative noise table: a row for each count, a column for each of -bound, ..., bound.

    Row i holds P(noise <= v) for a count of i; counts beyond the last row have its distribution. Row 0 is no noise at all:
    zero stays zero.

    Parameters
    ----------
    bound
        D, the most that noise changes a count.
    variance
        V, the same for every count but 0.
    smallest
        The smallest count but 0 that may be shown; 3 for no ones and no twos.

    Returns
    -------
    (max(bound, bound + smallest - 1) + 1, 2 bound + 1); the last entry of each row is exactly 1.

    Raises
    ------
    ParameterError
        When a count has no such noise: V above ``i D`` for the count i, or below what hiding small counts takes.

    Notes
    -----
    Zero stays zero because a cell without members has no set that noise could be keyed by, and because a structural zero
    that became positive would be seen to be false. The zeros of a table are therefore exact. Complexity: O(D^2) for each
    round of Newton.

    References
    ----------
    Giessing, S. (2016), Computational issues in the design of transition probabilities and disclosure risk estimation for
    additive noise, Privacy in Statistical Databases, LNCS 9867, 237-251.

    Examples
    --------
    >>> noise_table(2, 1.0)[1].round(5).tolist()
    [0.0, 0.39806, 0.70387, 0.89806, 1.0]
    """
    if bound < 1 or smallest < 1:
        raise ParameterError(
            f"A noise table needs a bound and a smallest count of at least 1, got {bound}, {smallest}."
        )
    table = np.zeros((bound + smallest, 2 * bound + 1))
    for count in range(len(table)):
        support = noise_support(count, bound, smallest=smallest)
        try:
            p = most_entropy(support, variance if count else 0.0)
        except ParameterError as error:
            raise ParameterError(f"There is no such noise for a count of {count}. {error}") from error
        table[count, support + bound] = p
        table[count] = np.minimum(np.cumsum(table[count]), 1.0)
        table[count, support[-1] + bound :] = 1.0
    return table


def noise_from_table(table: FloatArray, counts: IntArray, uniforms: FloatArray) -> IntArray:
    """Return the noise of each count: the first v whose cumulative probability exceeds the count's number in [0, 1).

    Complexity: O(counts x columns) time, in blocks.

    Examples
    --------
    >>> noise_from_table(noise_table(2, 1.0), np.array([0, 1, 1, 900]), np.array([0.9, 0.1, 0.95, 0.5])).tolist()
    [0, -1, 2, 0]
    """
    bound = table.shape[1] // 2
    noise = np.empty(len(counts), dtype=np.int64)
    for start in range(0, len(counts), BLOCK):
        part = slice(start, start + BLOCK)
        rows = np.minimum(counts[part], len(table) - 1)
        noise[part] = (table[rows] <= uniforms[part, None]).sum(axis=1) - bound
    return noise
