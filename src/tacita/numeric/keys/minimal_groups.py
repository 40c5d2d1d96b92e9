"""What it tells that a group had to be coarsened: values of a subgroup that alone would not have been diverse enough."""

from __future__ import annotations

import itertools
import math

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["chance_in_uniform_part", "chances_in_uniform_parts"]

_MOST_SETS = 5000
_MOST_WAYS = 20_000


def chance_in_uniform_part(counts: IntArray, size: int, fewer_than: int) -> FloatArray:
    """Return the chance of each class for a member of a part that is known to have fewer than so many different classes.

    Parameters
    ----------
    counts
        How many of the group have each class.
    size
        How many of the group are in the part, drawn without regard to the classes.
    fewer_than
        The part has at most one class less: the l of l-diversity that it breaks.

    Returns
    -------
    FloatArray
        One chance a class; those of the whole group where no such part is possible, or there are too many sets of classes.

    Notes
    -----
    A part whose classes all lie in a set S of l - 1 classes can be drawn in ``C(c_S, size)`` ways, where ``c_S`` counts the
    members with these classes; within S a member has each class in proportion to its count. Parts with fewer classes than l - 1
    are counted once for every set around them, which matters little and not at all for l = 2. O(C(m, l - 1) m).

    Examples
    --------
    >>> chance_in_uniform_part(np.array([2, 3]), 2, 2).round(3).tolist()
    [0.25, 0.75]
    >>> chance_in_uniform_part(np.array([1, 3]), 2, 2).tolist()
    [0.0, 1.0]
    """
    total = int(counts.sum())
    whole = counts / max(total, 1)
    present = np.flatnonzero(counts > 0)
    few = min(max(fewer_than - 1, 1), len(present))
    if not total or math.comb(len(present), few) > _MOST_SETS:
        return np.asarray(whole, float)
    chance = np.zeros(len(counts))
    for chosen in itertools.combinations(present.tolist(), few):
        inside = int(counts[list(chosen)].sum())
        if inside >= size:
            chance[list(chosen)] += math.comb(inside, size) / math.comb(total, size) * counts[list(chosen)] / inside
    return np.asarray(chance / chance.sum() if chance.sum() > 0 else whole, float)


def chances_in_uniform_parts(counts: IntArray, sizes: IntArray) -> FloatArray:
    """Return the chance of each class for the members of each part, where every part is known to have one class alone.

    Parameters
    ----------
    counts
        How many of the group have each class.
    sizes
        How many are in each of these parts; the rest of the group may have any classes.

    Returns
    -------
    FloatArray
        (parts, classes). Where there are very many ways, each part is looked at by itself.

    Notes
    -----
    A way gives a class to each part. What is left of the counts, r, goes to the rest of the group in ``(sum r)! / prod r!``
    arrangements, all as likely as each other; a way that needs more of a class than there is has none. O(m^parts).

    Examples
    --------
    >>> chances_in_uniform_parts(np.array([4, 6]), np.array([4, 6])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    from scipy.special import gammaln  # loads when used

    present = np.flatnonzero(counts > 0)
    if float(max(len(present), 1)) ** len(sizes) > _MOST_WAYS:
        return np.array([chance_in_uniform_part(counts, int(size), 2) for size in sizes]).reshape(len(sizes), -1)
    ways = np.array(list(itertools.product(range(len(present)), repeat=len(sizes))), np.int64).reshape(-1, len(sizes))
    used = np.zeros((len(ways), len(present)))
    for j, size in enumerate(sizes):
        used[np.arange(len(ways)), ways[:, j]] += size
    left = counts[present] - used
    possible = (left >= 0).all(axis=1)
    chances = np.zeros((len(sizes), len(counts)))
    if not possible.any():
        return np.tile(counts / max(int(counts.sum()), 1), (len(sizes), 1))
    weight = gammaln(left.sum(axis=1) + 1) - gammaln(np.maximum(left, 0.0) + 1).sum(axis=1)
    weight = np.where(possible, np.exp(weight - weight[possible].max()), 0.0)
    for j in range(len(sizes)):
        chances[j, present] = np.bincount(ways[:, j], weights=weight, minlength=len(present)) / weight.sum()
    return chances
