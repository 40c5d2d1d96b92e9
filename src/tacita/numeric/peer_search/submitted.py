"""What each peer has submitted so far, and whether one more query makes its entropy larger, in constant time.

With n queries submitted, c(x) of them x, and S the sum of c(x) log2 c(x), the entropy of section 4 is H = log2 n - S / n. One
more x makes n + 1 of n, c + 1 of c, and S + g(c) of S, with g(c) = (c + 1) log2(c + 1) - c log2 c. Then

    n (H after - H before) > 0   exactly when   g(c) < S / n + (n + 1) log2(1 + 1 / n),

so that a peer keeps n and S, and one count for each query. For large counts it says: the query has a share below 2^-H of what
the peer submitted.

References
----------
Domingo-Ferrer, J. (2011). Coprivacy. SORT special issue, 25-40: section 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Int1, IntArray, Place1, Whole
from tacita.core.kernel import kernel

__all__ = ["Submitted", "count_of", "nothing_submitted", "submit", "verdict_on"]

_TIE = 1e-9
"""Bits by which two sides of the comparison may differ and still be equal: rounding stays far below, real differences above."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_29, _32 = np.uint64(29), np.uint64(32)


class Submitted(NamedTuple):
    """The queries submitted under each name."""

    keys: Int1  # open addressing: peer * queries + query + 1, 0 where free; a power of two of them
    counts: Place1  # how often that peer submitted that query
    total: Int1  # (N,) n of each peer
    weight: Float1  # (N,) S of each peer
    growth: Float1  # g(0), g(1), ...
    slack: Float1  # (n + 1) log2(1 + 1 / n) for n = 0, 1, ...; nothing for n = 0


def nothing_submitted(peers: int, submissions: int) -> Submitted:
    """Return the state before the first query, with room for so many submissions. O(peers + submissions) memory.

    Examples
    --------
    >>> state = nothing_submitted(2, 3)
    >>> state.growth[:3].round(4).tolist(), state.slack[:2].tolist()
    ([0.0, 2.0, 2.7549], [0.0, 2.0])
    """
    size = 1 << max(4, int(2 * submissions).bit_length())
    count = np.arange(1, submissions + 2, dtype=np.float64)
    rise = np.log1p(1 / count) / np.log(2)  # log2(1 + 1 / c), exact also where c is large
    growth = np.concatenate([[0.0], count * rise + np.log2(count + 1)])
    slack = np.concatenate([[0.0], (count + 1) * rise])
    return Submitted(
        np.zeros(size, np.int64),
        np.zeros(size, np.int32),
        np.zeros(peers, np.int64),
        np.zeros(peers),
        growth,
        slack,
    )


@kernel
def _slot(keys: IntArray, key: Whole) -> np.int64:
    """Return where a key stands, or the free place where it would stand."""
    mask = len(keys) - 1
    word = np.uint64(key) * _MIX
    word ^= word >> _32
    place = np.int64((word * _MIX) >> _29) & mask
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def count_of(state: Submitted, key: Whole) -> np.int64:
    """Return how often a query stands under a name."""
    place = _slot(state.keys, key)
    return np.int64(state.counts[place]) if state.keys[place] == key else np.int64(0)


@kernel
def verdict_on(state: Submitted, peer: Whole, key: Whole) -> int:
    """Return 1 when one more submission makes the entropy larger, 0 when it leaves it, -1 when it makes it smaller."""
    n = state.total[peer]
    if n == 0:
        return 0  # of one query alone the entropy is 0, as it is of none
    gain = state.weight[peer] / n + state.slack[n] - state.growth[count_of(state, key)]
    if gain > _TIE:
        return 1
    return 0 if gain >= -_TIE else -1


@kernel
def submit(state: Submitted, peer: Whole, key: Whole) -> None:
    """Put one query under a name."""
    place = _slot(state.keys, key)
    state.keys[place] = key
    state.weight[peer] += state.growth[state.counts[place]]
    state.counts[place] += 1
    state.total[peer] += 1
