"""How many records of a group must go at least until the rest can fulfil a model of the confidential value.

A group has counts c_v of the confidential values, n in all; q_v are the shares in the file. The most that can be kept, n', is
bounded from above, so that n - n' is lost whatever is done.

======================  ===============================================================================================
t, equal distance       largest n' with sum_v max(q_v n' - c_v, 0) <= t n': values that are too rare bound the rest
t, other distances      n' <= n (far - D) / (far - t): the distance is convex, and no part of the group is farther from the
                        file than ``far``, the farthest of its single values
entropy l               n' <= n H / log l: the entropy is concave and never negative
recursive c             c'_v <= c (r_l + ... + r_m), the tail of the whole group
beta                    largest n' with sum_v min(c_v, cap_v n') >= n', cap_v = q_v (1 + beta)
======================  ===============================================================================================
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.numeric.keys.diversity import GroupValues, entropy_values

__all__ = [
    "above_caps",
    "likeness_caps",
    "lost_to_caps",
    "lost_to_distance",
    "lost_to_entropy",
    "lost_to_equal_distance",
    "lost_to_recursion",
    "single_values",
]

_TURNS = 4
"""Steps of Newton's method; each leaves a bound, and the last ones change little."""


def lost_to_equal_distance(table: GroupValues, t: float) -> FloatArray:
    """Return the records that t-closeness by the equal distance costs each group.

    The surplus ``sum max(q n' - c, 0) - t n'`` is convex in n' and 0 at 0: Newton's steps from n down never pass its last root.
    """
    q, kept = table.overall[table.value], table.sizes.copy()
    absent = 1.0 - table.sums(q) - t
    for _ in range(_TURNS):
        short = q * kept[table.group] > table.count
        slope = table.sums(np.where(short, q, 0.0)) + absent
        most = np.divide(table.sums(np.where(short, table.count, 0.0)), slope, out=kept.copy(), where=slope > 1e-12)
        kept = np.minimum(kept, np.maximum(most, 0.0))
    return np.asarray(table.sizes - kept)


def lost_to_distance(table: GroupValues, distances: FloatArray, far: FloatArray, t: float) -> FloatArray:
    """Return the records that t-closeness by any convex distance costs each group.

    Parameters
    ----------
    distances
        (g,): distance of each group.
    far
        (v,): distance of a group that has one value only.
    """
    farthest = np.zeros(len(table.sizes))
    np.maximum.at(farthest, table.group, far[table.value])
    room = farthest - t
    share = np.divide(distances - t, room, out=np.zeros(len(room)), where=(distances > t) & (room > 1e-12))
    return np.asarray(table.sizes * np.clip(share, 0.0, 1.0))


def single_values(table: GroupValues) -> GroupValues:
    """Return a table with one group for each value of the file, which has that value alone."""
    v = len(table.overall)
    return replace(table, group=np.arange(v), value=np.arange(v), count=np.ones(v), sizes=np.ones(v))


def lost_to_entropy(table: GroupValues, least: float) -> FloatArray:
    """Return the records that entropy l-diversity costs each group."""
    share = np.log(np.maximum(entropy_values(table), 1.0)) / np.log(least)
    return np.asarray(table.sizes * np.clip(1.0 - share, 0.0, 1.0))


def lost_to_recursion(table: GroupValues, least: int, c: float) -> FloatArray:
    """Return the records that recursive (c, l)-diversity costs each group."""
    order = np.lexsort((-table.count, table.group))
    group, count = table.group[order], table.count[order]
    start = np.searchsorted(group, np.arange(len(table.sizes)))
    is_tail = np.arange(len(group)) - start[group] >= least - 1
    tail = np.bincount(group[is_tail], weights=count[is_tail], minlength=len(table.sizes))
    return np.asarray(table.sums(np.maximum(table.count - c * tail[table.group], 0.0)))


def likeness_caps(overall: FloatArray, beta: float, is_enhanced: bool) -> FloatArray:
    """Return the largest share of each value in a group: (1 + beta) q, or (1 + min(beta, -log q)) q where it is enhanced."""
    with np.errstate(divide="ignore"):
        gain = np.minimum(beta, -np.log(overall)) if is_enhanced else np.full(len(overall), beta)
    return np.asarray(np.where(overall > 0, overall * (1.0 + gain), 0.0))


def above_caps(table: GroupValues, caps: FloatArray) -> BoolArray:
    """Return the groups in which a value has more than its cap."""
    over = table.share > caps[table.value]
    return np.asarray(table.sums(over.astype(np.float64)) > 0)


def lost_to_caps(table: GroupValues, caps: FloatArray) -> FloatArray:
    """Return the records that caps on the shares of values cost each group, by Newton's steps as for distances."""
    cap, kept = caps[table.value], table.sizes.copy()
    for _ in range(_TURNS):
        over = table.count > cap * kept[table.group]
        slope = 1.0 - table.sums(np.where(over, cap, 0.0))
        most = np.divide(table.sums(np.where(over, 0.0, table.count)), slope, out=kept.copy(), where=slope > 1e-12)
        kept = np.minimum(kept, np.maximum(most, 0.0))
    return np.asarray(table.sizes - kept)
