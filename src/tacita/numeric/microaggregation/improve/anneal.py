"""Simulated annealing of a partition: the compiled loop that proposes, judges and makes moves.

A proposal takes a record i and one of its near records j. If they are in different groups A and B, i either shifts to B
(where sizes allow) or changes places with a random member of B. Now and then the group of i is dissolved, or a new
group is created around i. A move that changes the SSE by delta is made with probability min(1, exp(-delta / T_i)).

The temperature has a local factor. With heavy tails the SSE per record spans many decades: while the outliers settle
the dense middle still boils, and when the middle settles the outliers have long been frozen. So record i has

    T_i(t) = T(t) * (r_i / mean r)^1/2,

r_i the mean squared distance to its k nearest records, about the SSE that it will contribute. T(t) falls geometrically.
`survey` takes both ends from the distribution of r, nothing needs to be told: with R the value of r above which the
sparsest records hold a tenth of the sum, and r the one below which the densest hold a hundredth, T starts so that
records at R are mobile and ends so that records at r have settled.

References
----------
Kirkpatrick, S., Gelatt, C. D., Vecchi, M. P. (1983). Optimization by simulated annealing. Science 220, 671-680.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray, Place1, Place2, PlaceArray, Word1
from tacita.core.kernel import entry
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word
from tacita.numeric.microaggregation.improve.exchanges import (
    create,
    dissolve,
    join_cost,
    leave_gain,
    make_groups,
    refresh,
    shift,
    swap,
    swap_delta,
)

__all__ = ["Survey", "anneal", "survey"]


_LOCAL = 0.5
"""Exponent of the local factor: 0 is one temperature for all, 1 leaves the outliers too little time."""
_HOT, _COLD = 0.6, 0.006
"""First and last temperature of a record, in units of its r, for the sparsest and densest records that matter."""
_SPARSE, _DENSE = 0.9, 0.01
"""Shares of the sum of r that lie below the sparse and the dense records that fix the temperatures."""
_FAVOUR, _COPIES = 0.25, 8
"""Sparse records carry most of the SSE: they are proposed r^1/4 times as often, in steps of an eighth of the mean."""
_RARE = 0.6
"""Expected cost of dissolving and creating, in evaluated deltas a proposal."""
_ROUND = 1024
"""Proposals at one temperature."""
_WINDOW = 1 << 15
"""Places of `pick` from which one round draws. Near records stand near each other, so a window fits the cache."""
_REFRESH = 512
"""Rounds after which the group sums are recomputed."""
_EXPONENTIAL = -np.log((np.arange(4096) + 0.5) / 4096)
"""Quantiles of the exponential distribution: delta <= T * draw is the Metropolis rule, without a logarithm a move."""
_16, _17, _32, _52 = np.uint64(16), np.uint64(17), np.uint64(32), np.uint64(52)
_ONE, _LOW_16 = np.uint64(1), np.uint64(0xFFFF)


class Survey(NamedTuple):
    """What the annealing knows about the records, apart from the partition."""

    near: Place2  # (n, m) near records of each record
    filled: Int1  # (n,) how many of them are filled in
    scale: Float1  # (n,) local factor of the temperature
    pick: Place1  # record numbers from which proposals are drawn, one or more places for each record
    warm: float  # first temperature
    cold: float  # last temperature
    rare: float  # share of proposals that dissolve or create a group


def survey(x: FloatArray, near: PlaceArray, k: int) -> Survey:
    """Measure the surroundings of each record and choose temperatures and proposal rates. O(n (k d + log n)) time."""
    filled = (near >= 0).sum(axis=1).astype(np.int64)
    spread = _spread(x, near, filled, k)
    mean = float(spread.mean())
    relative = np.maximum(spread / mean, 1e-6) if mean > 0.0 else np.ones(len(x))
    mean = mean or 1.0
    ascending = np.sort(relative)
    share = np.cumsum(ascending) / ascending.sum()
    sparse, dense = ascending[np.searchsorted(share, [_SPARSE, _DENSE])]
    weight = relative**_FAVOUR
    copies = np.maximum(np.rint(_COPIES * weight / weight.mean()), 1).astype(np.int64)
    return Survey(
        near=near,
        filled=filled,
        scale=relative**_LOCAL,
        pick=np.repeat(np.arange(len(x), dtype=np.int32), copies),
        warm=_HOT * mean * float(sparse) ** (1 - _LOCAL),
        cold=_COLD * mean * float(dense) ** (1 - _LOCAL),
        rare=_RARE / (k * near.shape[1]),
    )


@entry
def _spread(x: Float2, near: Place2, count: Int1, k: int) -> FloatArray:
    """Mean squared distance of each record to its k nearest ones."""
    n, d = x.shape
    spread = np.zeros(n)
    for i in range(n):
        m = min(k, count[i])
        for r in range(m):
            for c in range(d):
                spread[i] += (x[i, c] - x[near[i, r], c]) ** 2 / m
    return spread


@entry
def anneal(
    x: Float2,
    known: Survey,
    labels: Int1,
    k: int,
    moves: int,
    warm: float,
    cold: float,
    state: Word1,
) -> tuple[IntArray, float]:
    """Make `moves` proposals, rounded to full rounds, while the temperature falls from `warm` to `cold`.

    Parameters
    ----------
    x
        Standardised records, padded with zero columns to a multiple of four for the vector units.
    known
        What `survey` found.
    labels
        Groups 0.. of size k..2k-1; not changed.
    k
        Least group size.
    moves, warm, cold
        Number of proposals, first and last temperature.
    state
        Random stream, changed in place.

    Returns
    -------
    tuple
        Labels, with gaps where groups were dissolved, and the SSE as it was tracked through the moves.

    Notes
    -----
    O(moves d) time, O(n d) memory.
    """
    near, count, scale, pick, _, _, rare = known
    groups = make_groups(x, labels, k)
    labels, sums, sizes, members, place, _ = groups
    tracked = refresh(x, groups)
    rounds = (moves + _ROUND - 1) // _ROUND
    cooling = (cold / warm) ** (1.0 / max(rounds, 1))
    rare_word = np.uint64(rare * 65536.0)
    temperature = warm
    window = min(_WINDOW, len(pick))
    first_window = draw_below(next_word(state) >> _32, len(pick))
    for t in range(rounds):
        start = (first_window + t * window) % len(pick)
        for _ in range(_ROUND):
            first, second = next_word(state), next_word(state)
            drawn = start + draw_below(first >> _32, window)
            i = pick[drawn if drawn < len(pick) else drawn - len(pick)]
            if count[i] == 0:
                continue
            limit = temperature * scale[i] * _EXPONENTIAL[second >> _52]
            if (second & _LOW_16) < rare_word:
                if (second >> _16) & _ONE:
                    _, change = dissolve(x, near, count, labels[i], k, groups, limit)
                else:
                    _, change = create(x, near, count, i, k, groups, limit)
                tracked += change
                continue
            a, b = labels[i], labels[near[i, draw_below(first & LOW_WORD, count[i])]]
            if a == b:
                continue
            size_a, size_b = sizes[a], sizes[b]
            half = (second >> _17) & LOW_WORD
            if half & _ONE and size_a > k and size_b < 2 * k - 1:
                change = join_cost(x, i, sums, b, size_b) - leave_gain(x, i, sums, a, size_a)
                if change <= limit:
                    shift(x, i, b, labels, sums, sizes, members, place)
                    tracked += change
            else:
                j = members[b, draw_below(half, size_b)]
                change = swap_delta(x, i, j, sums, a, size_a, b, size_b)
                if change <= limit:
                    swap(x, i, j, labels, sums, members, place)
                    tracked += change
        temperature *= cooling
        if t % _REFRESH == _REFRESH - 1:
            tracked = refresh(x, groups)
    return labels, tracked
