"""Choosing swap partners within a window of ranks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import Float1, FloatArray, Int1, IntArray, Place1, Single1
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.lanes import lowest_bit

__all__ = ["choose_partners", "exchanged", "swap_partners_normal"]

_TRIES = 32
"""Random draws before the window is searched: about half of it is free, so 32 misses are next to impossible."""


@kernel
def _shuffle_ties(order: IntArray, ranked: FloatArray, rng: np.random.Generator) -> None:
    """Put records with equal values in random order, in place."""
    n = len(order)
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and ranked[stop] == ranked[start]:
            stop += 1
        for i in range(stop - 1, start, -1):
            j = start + int(rng.random() * (i - start + 1))
            order[i], order[j] = order[j], order[i]
        start = stop


@entry
def choose_partners(
    order: Int1,
    ranked: Float1,
    window: int,
    drawn: Single1 | Float1,
    rng: np.random.Generator,
    partner: Place1 | Int1,
) -> None:
    """Set for each rank the rank it is swapped with, itself where none was free.

    Parameters
    ----------
    order
        Record numbers by rank; records with equal values are put in random order, in place.
    ranked
        The values in the order of the ranks.
    window
        Largest difference in rank of two partners.
    drawn
        Uniform numbers drawn beforehand, which is cheaper than one by one; about 0.7 n are used.
    rng
        Where further draws come from.
    partner
        The answer; half as long words move half the memory.

    Notes
    -----
    Ranks are visited upwards; the partner is uniform over the free ranks in the next ``window``. A free one is found by
    drawing positions until one is free, which gives the same distribution as listing them, in O(1) expected time.
    """
    _shuffle_ties(order, ranked, rng)
    n, used, one = len(order), 0, np.uint64(1)
    # One bit a rank, set once it has a partner: a whole window stays in the fastest cache, and 64 taken ranks are passed by in
    # one step. Asking rank by rank is twice as slow, for no processor foresees the answers.
    taken = np.zeros(n // 64 + 1, np.uint64)
    for i in range(n, 64 * taken.size):
        taken[i >> 6] |= one << np.uint64(i & 63)
    for word in range(taken.size):
        while ~taken[word]:
            i = (word << 6) + lowest_bit(~taken[word])
            reach = min(window, n - 1 - i)
            found = -1
            for _ in range(_TRIES if reach > 0 else 0):
                if used < len(drawn):
                    u = float(drawn[used])
                    used += 1
                else:
                    u = rng.random()
                j = i + 1 + int(u * reach)
                if not _bit(taken, j):
                    found = j
                    break
            if found < 0:
                found = _search(taken, i + 1, reach, rng)
            if found < 0:
                found = i
            taken[word] |= one << np.uint64(i & 63)
            taken[found >> 6] |= one << np.uint64(found & 63)
            partner[i], partner[found] = found, i


@kernel(inline=True)
def _bit(words: npt.NDArray[np.uint64], i: int) -> bool:
    return bool((words[i >> 6] >> np.uint64(i & 63)) & np.uint64(1))


@kernel
def _search(taken: npt.NDArray[np.uint64], start: int, reach: int, rng: np.random.Generator) -> int:
    """Draw uniformly among the free ranks by counting them; -1 where there is none."""
    count = 0
    for j in range(start, start + reach):
        count += not _bit(taken, j)
    if count == 0:
        return -1
    wanted = int(rng.random() * count)
    for j in range(start, start + reach):
        if not _bit(taken, j):
            if wanted == 0:
                return j
            wanted -= 1
    return -1


@kernel
def _free_from(links: IntArray, i: int) -> int:
    """Follow links to the next free rank, shortening the path for the next time."""
    end = i
    while links[end] != end:
        end = links[end]
    while links[i] != end:
        links[i], i = end, links[i]
    return end


@entry
def swap_partners_normal(
    order: Int1,
    ranked: Float1,
    visits: Int1,
    centre: float,
    rng: np.random.Generator,
) -> IntArray:
    """Return for each rank the rank it is swapped with, at a distance drawn from N(centre, centre) without hard bound.

    Ranks are visited in the order of ``visits``. The distance goes up or down with equal chance; a target outside the file
    or already taken is drawn again, and after some misses the free rank next to the last target is taken.
    """
    _shuffle_ties(order, ranked, rng)
    n = len(order)
    partner = np.arange(n)
    free = np.ones(n, dtype=np.bool_)
    up, down = np.arange(n + 1), np.arange(n + 1)  # links to the next free rank; n and 0 are the ends
    for i in visits:
        if not free[i]:
            continue
        free[i] = False
        up[i], down[i + 1] = i + 1, i
        found, target = -1, i
        for _ in range(_TRIES):
            step = int(np.rint(abs(centre + centre * rng.standard_normal())))
            target = i + step if rng.random() < 0.5 else i - step
            if 0 <= target < n and free[target]:
                found = target
                break
        if found < 0:
            target = min(max(target, 0), n - 1)
            above, below = _free_from(up, target), _free_from(down, target + 1) - 1
            if above < n and (below < 0 or above - target <= target - below):
                found = above
            elif below >= 0:
                found = below
        if found >= 0:
            free[found] = False
            up[found], down[found + 1] = found + 1, found
            partner[i], partner[found] = found, i
    return partner


@entry
def exchanged(
    order: Int1,
    ranked: Float1,
    partner: Place1 | Int1,
) -> FloatArray:
    """Return the column in which the record of each rank has the value of its partner's rank."""
    masked = np.empty(len(order))
    for i in range(len(order)):
        masked[order[i]] = ranked[partner[i]]
    return masked
