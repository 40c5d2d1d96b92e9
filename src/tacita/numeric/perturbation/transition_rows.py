"""Rows of transition matrices: what may be added to a count, and the distribution with most entropy under conditions.

A row is a distribution on whole numbers v, the noise of a count i. It has mean 0 and variance V (Giessing and Hoehne,
conditions (1) and (2)) and may have to meet more: monotone tails, a fixed probability of staying, a bounded difference of
two entries. Without these the solution is ``p_v proportional to exp(a v + b v^2)``, and many rows are found at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError

__all__ = [
    "entropy",
    "first_free_row",
    "most_entropy_rows",
    "most_entropy_within",
    "projected_row",
    "transition_support",
]

ROUNDS = 200
AT_END = 1e-14
"""A variance this near to an end of its interval, as a share of the largest, is that end: no digit tells them apart."""


def first_free_row(bound: int, forbidden: Sequence[int] = ()) -> int:
    """Return the smallest count whose results are all allowed: its row serves all larger counts.

    Examples
    --------
    >>> first_free_row(3, (1, 2)), first_free_row(3)
    (6, 3)
    """
    return bound + max(forbidden, default=-1) + 1


def transition_support(count: int, bound: int, forbidden: Sequence[int] = ()) -> IntArray:
    """Return what may be added to a count: at most ``bound`` either way, with a result from 0 up that is not forbidden.

    Examples
    --------
    >>> transition_support(1, 3, (1, 2)).tolist(), transition_support(0, 3).tolist()
    ([-1, 2, 3], [0])
    """
    if count == 0:  # zeros are kept: condition (6)
        return np.zeros(1, dtype=np.int64)
    results = np.arange(max(count - bound, 0), count + bound + 1)
    return np.asarray(results[~np.isin(results, np.asarray(forbidden, dtype=np.int64))] - count)


def entropy(p: FloatArray) -> FloatArray:
    """Return the entropy of each row, in nats.

    Examples
    --------
    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).round(3).tolist()
    [0.693, 0.0]
    """
    safe = np.where(p > 0, p, 1.0)
    return np.asarray((p * -np.log(safe)).sum(axis=-1)) + 0.0


# --- mean and variance alone: many rows at once -----------------------------------------------------------------------


def most_entropy_rows(noise: IntArray, allowed: BoolArray, variances: FloatArray) -> FloatArray:
    """Return for each row the distribution with mean 0, its variance and most entropy.

    Parameters
    ----------
    noise
        (s,): ascending whole numbers.
    allowed
        (r, s): which of them a row may use; some at or below 0, some at or above.
    variances
        (r,): within what the row can have, see :func:`tacita.numeric.perturbation.noise_table.most_entropy`.

    Returns
    -------
    array
        (r, s): distributions; 0 where nothing is allowed.

    Raises
    ------
    ParameterError
        When a row has no such distribution; how many, and the interval of the first.

    Notes
    -----
    Newton's method on the dual in two unknowns, all rows side by side; rows that are done leave. At the ends of the interval
    of the variance a row stands on two points. Complexity: O(r s) for each of a few dozen rounds.

    Examples
    --------
    >>> most_entropy_rows(np.arange(-1, 3), np.ones((1, 4), bool), np.array([1.0])).round(5).tolist()
    [[0.39806, 0.30581, 0.19419, 0.10194]]
    """
    v = np.asarray(noise, dtype=np.float64)
    low, high = -np.where(allowed, v, np.inf).min(axis=1), np.where(allowed, v, -np.inf).max(axis=1)
    below = -np.where(allowed & (v <= 0), v, -np.inf).max(axis=1)
    above = np.where(allowed & (v >= 0), v, np.inf).min(axis=1)
    with np.errstate(invalid="ignore"):
        least, most = below * above, low * high
    bad = ~((least <= variances) & (variances <= most))
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise ParameterError(
            f"The variance of {int(bad.sum())} of {len(bad)} rows cannot be met; that of the first must be in "
            f"[{least[first]:g}, {most[first]:g}], got {variances[first]:g}."
        )
    found = np.zeros(allowed.shape)
    at_least = variances - least <= AT_END * most
    at_most = ~at_least & (most - variances <= AT_END * most)
    for ends, lower, upper in ((at_least, below, above), (at_most, low, high)):
        rows = np.flatnonzero(ends)
        _two_points(found, v, rows, lower[rows], upper[rows])
    rows = np.flatnonzero(~at_least & ~at_most)
    # The nearer end of the interval takes the place of v^2, as in most_entropy: its mean keeps all digits there.
    near = (variances - least <= most - variances)[rows, None]
    feature = np.where(
        near,
        (v + below[rows, None]) * (v - above[rows, None]),
        (v + low[rows, None]) * (high[rows, None] - v),
    )
    goal = np.minimum(variances - least, most - variances)[rows]
    found[rows] = _newton_rows(v / np.abs(v).max(), feature / goal[:, None], allowed[rows])
    return found


def _two_points(found: FloatArray, v: FloatArray, rows: IntArray, below: FloatArray, above: FloatArray) -> None:
    width = below + above
    lower, upper = np.searchsorted(v, -below), np.searchsorted(v, above)
    found[rows, lower] = np.where(width > 0, above / np.where(width > 0, width, 1.0), 1.0)
    apart = width > 0
    found[rows[apart], upper[apart]] = (below / np.where(width > 0, width, 1.0))[apart]


def _newton_rows(first: FloatArray, second: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return p proportional to exp(a first + b second) with means 0 and 1, for every row."""
    rows = len(second)
    at, found = np.zeros((rows, 2)), np.zeros(second.shape)
    active = np.arange(rows)
    p, value = _tilted_rows(first, second, allowed, at)
    for _ in range(ROUNDS):
        x, y = first, second[active]
        off = np.stack([(p * x).sum(axis=1), (p * y).sum(axis=1) - 1.0], axis=1)
        size = np.abs(off).max(axis=1)
        dx, dy = x - off[:, :1], y - off[:, 1:] - 1.0
        a, b, c = (p * dx * dx).sum(axis=1), (p * dx * dy).sum(axis=1), (p * dy * dy).sum(axis=1)
        det = np.maximum(a * c - b * b, 1e-300)
        step = np.stack([(b * off[:, 1] - c * off[:, 0]) / det, (b * off[:, 0] - a * off[:, 1]) / det], axis=1)
        slope = (off * step).sum(axis=1)
        length = np.ones(len(active))
        new_p, new_value = _tilted_rows(first, y, allowed[active], at[active] + step)
        # Far from the solution steps are shortened until the dual falls; near it its differences are rounding errors.
        for _ in range(40):
            short = (new_value > value + 1e-4 * length * slope) & (-slope > 1e-12)
            if not short.any():
                break
            length[short] /= 2
            some = np.flatnonzero(short)
            moved = at[active[some]] + length[some, None] * step[some]
            new_p[some], new_value[some] = _tilted_rows(first, y[some], allowed[active[some]], moved)
        new_off = np.maximum(np.abs((new_p * x).sum(axis=1)), np.abs((new_p * y).sum(axis=1) - 1.0))
        done = (size < 1e-15) | ((-slope <= 1e-12) & (new_off >= size))
        found[active[done]] = p[done]
        stays = ~done
        at[active[stays]] += length[stays, None] * step[stays]
        active, p, value = active[stays], new_p[stays], new_value[stays]
        if not len(active):
            break
    found[active] = p
    return found


def _tilted_rows(
    first: FloatArray, second: FloatArray, allowed: BoolArray, at: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the distributions for two multipliers each, and the dual there."""
    power = np.where(allowed, at[:, :1] * first + at[:, 1:] * second, -np.inf)
    top = power.max(axis=1, initial=-np.inf)
    weights = np.exp(power - top[:, None])
    total = weights.sum(axis=1)
    return weights / total[:, None], top + np.log(total) - at[:, 1]


# --- more conditions: one row by a convex programme -------------------------------------------------------------------


def most_entropy_within(
    equal: FloatArray, aims: FloatArray, below: FloatArray | None = None, limits: FloatArray | None = None
) -> FloatArray:
    """Return the distribution with most entropy among those with ``equal p = aims`` and ``below p <= limits``.

    Parameters
    ----------
    equal, aims
        (m, k) and (m,): conditions that hold exactly, beside that p sums to one.
    below, limits
        (q, k) and (q,): conditions that hold with a sign.

    Notes
    -----
    There must be a distribution with all p positive that meets the conditions and none of the signed ones with equality:
    points that must be 0, and conditions that must be tight, are to be taken out beforehand. The dual ``log sum exp(theta f) -
    theta aims`` is minimised with multipliers of signed conditions at most 0, by Newton's method on those that are free
    (Bertsekas 1982). O((m + q)^3 + (m + q) k) a round.

    Raises
    ------
    ParameterError
        When no distribution was found.

    Examples
    --------
    >>> most_entropy_within(np.array([[-1.0, 0.0, 1.0]]), np.array([0.0])).round(4).tolist()
    [0.3333, 0.3333, 0.3333]
    """
    m, k = equal.shape
    below = np.zeros((0, k)) if below is None else below
    limits = np.zeros(0) if limits is None else limits
    scale = np.abs(np.concatenate([equal, below])).max(axis=1, initial=1e-300)
    x = np.concatenate([equal, below]) / scale[:, None]
    aim = np.concatenate([aims, limits]) / scale
    signed = np.arange(len(x)) >= m
    at = np.zeros(len(x))
    p, value = _tilted(x, at, aim)
    for _ in range(ROUNDS):
        off = x @ p - aim
        free = ~signed | (at < 0) | (off > 0)
        wrong = np.abs(off[free]).max(initial=0.0)
        if wrong < 1e-15:
            break
        centred = x[free] - (x[free] @ p)[:, None]
        step = np.zeros(len(x))
        step[free] = np.linalg.lstsq((centred * p) @ centred.T, -off[free], rcond=1e-14)[0]
        length = 1.0
        while True:
            moved = at + length * step
            moved[signed] = np.minimum(moved[signed], 0.0)
            new_p, new_value = _tilted(x, moved, aim)
            if new_value <= value + 1e-4 * float(off @ (moved - at)) or length < 1e-12:
                break
            length /= 2
        new_off = x @ new_p - aim
        new_free = ~signed | (moved < 0) | (new_off > 0)
        if wrong < 1e-9 and np.abs(new_off[new_free]).max(initial=0.0) >= wrong:
            break
        at, p, value = moved, new_p, new_value
    tight = ~signed | (at < 0)
    off = x @ p - aim
    if np.abs(off[tight]).max(initial=0.0) > 1e-6 or off[signed].max(initial=0.0) > 1e-6:
        raise ParameterError("No distribution meets all conditions of a row; relax one of them.")
    return projected_row(p, x[tight], aim[tight])


def _tilted(x: FloatArray, at: FloatArray, aim: FloatArray) -> tuple[FloatArray, float]:
    """Return the distribution for some multipliers, and the dual there."""
    power = at @ x
    top = float(power.max())
    weights = np.exp(power - top)
    total = float(weights.sum())
    return weights / total, top + float(np.log(total)) - float(at @ aim)


def projected_row(p: FloatArray, equal: FloatArray, aims: FloatArray, *, weighted: bool = True) -> FloatArray:
    """Return the distribution next to ``p`` that sums to one and has ``equal p = aims``.

    Parameters
    ----------
    p
        (k,): a distribution, or nearly one.
    equal, aims
        The conditions.
    weighted
        Whether a change counts by the share of p that it is, which leaves small entries alone; else all count alike.

    Notes
    -----
    Entries that would be negative become 0, the most negative first, and the others are fitted anew. O(k^3) at worst.

    Raises
    ------
    ParameterError
        When no distribution meets the conditions.

    Examples
    --------
    >>> v = np.array([-1.0, 2.0, 3.0])
    >>> projected_row(np.array([0.667, 0.332, 0.001]), np.stack([v, v * v]), np.array([0.0, 2.0])).round(4).tolist()
    [0.6667, 0.3333, 0.0]
    """
    rows = np.concatenate([np.ones((1, len(p))), equal])
    wanted = np.concatenate([[1.0], aims])
    free = np.ones(len(p), dtype=bool)
    start = np.asarray(p, dtype=np.float64)
    while True:
        made = np.zeros(len(p))
        at = start[free]
        weight = np.maximum(at, 1e-300) if weighted else np.ones(len(at))
        for _ in range(3):  # a second and third pass take away the rounding errors of the first
            part = rows[:, free]
            gap = wanted - part @ at
            at = at + weight * (part.T @ np.linalg.lstsq((part * weight) @ part.T, gap, rcond=None)[0])
        made[free] = at
        if (at >= -1e-13).all():
            break
        free[np.flatnonzero(free)[int(np.argmin(at))]] = False
        if not free.any():
            break
    if np.abs(rows @ made - wanted).max() > 1e-9:
        raise ParameterError("No distribution meets all conditions of a row; relax one of them.")
    return np.maximum(made, 0.0)
