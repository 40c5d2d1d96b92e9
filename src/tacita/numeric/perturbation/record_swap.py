"""Choosing partners for households that are swapped between areas.

Level by level of the geography, coarse ones first, every household that is at risk there and was not swapped yet gets a
partner: one that was not swapped either, has the same similarity profile, lives in the same area of the level above and in
another area of this level. Where a profile has no partner left, the next (coarser) profile is tried; where the area above
has none, the whole file. Then households are drawn at random until the wanted share of each smallest area is swapped.

References
----------
Shlomo, N., Tudor, C. and Groom, P. (2010), Data swapping for protecting census tables, PSD 2010, LNCS 6344, 41-51.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, Int1, IntArray
from tacita.core.kernel import entry
from tacita.numeric.keys.frequencies import number_words

__all__ = ["swap_households"]


def swap_households(
    areas: IntArray, at_risk: BoolArray, profiles: IntArray, share: float, rng: np.random.Generator
) -> tuple[IntArray, int]:
    """Return for each household the one whose area it gets (itself where it stays), and how many at risk found none.

    Parameters
    ----------
    areas
        (L, h): area of each household at each level, coarse levels first, numbered from 0.
    at_risk
        (L, h): whether a household is at risk within its area of a level.
    profiles
        (s, h): number of each household's similarity profile, the finest first.
    share
        Least share of the households of each smallest area that are swapped.
    rng
        Where the random order comes from.

    Notes
    -----
    Candidates stand in random order in one list for each profile and area above, and leave it when they are swapped. O(L s h)
    expected time.
    """
    areas = np.require(areas, requirements=["C", "W"])
    levels, h = areas.shape
    partner, everywhere = np.arange(h), np.zeros(h, dtype=np.int64)
    order = rng.permutation(h)
    for level in range(levels):
        wanted = order[at_risk[level][order] & (partner[order] == order)]
        left = _with_partners(wanted, areas[level], areas[level - 1] if level else everywhere, profiles, partner, order)
        if level:
            _with_partners(left, areas[level], everywhere, profiles, partner, order)
    unmatched = int((at_risk.any(axis=0) & (partner == np.arange(h))).sum())
    above = areas[-2] if levels > 1 else everywhere
    # A swap serves two areas at once, so half of what is lacking is drawn first and then what is lacking still.
    for part in (0.5, 1.0) if share > 0 else ():
        left = _with_partners(
            _lacking(areas[-1], partner, share, part, order), areas[-1], above, profiles, partner, order
        )
        if levels > 1:
            _with_partners(left, areas[-1], everywhere, profiles, partner, order)
    return partner, unmatched


def _lacking(finest: IntArray, partner: IntArray, share: float, part: float, order: IntArray) -> IntArray:
    """Return households, in random order, that fill part of what each smallest area lacks to its share of swaps."""
    size = np.bincount(finest)
    swapped = np.bincount(finest[partner != np.arange(len(partner))], minlength=len(size))
    lacking = np.ceil(part * np.maximum(np.ceil(share * size - 1e-9) - swapped, 0)).astype(np.int64)
    free = order[partner[order] == order]
    by_area = free[np.argsort(finest[free], kind="stable")]
    place = np.arange(len(by_area)) - np.searchsorted(finest[by_area], finest[by_area])
    return np.asarray(by_area[place < lacking[finest[by_area]]])


def _with_partners(
    wanted: IntArray, here: IntArray, above: IntArray, profiles: IntArray, partner: IntArray, order: IntArray
) -> IntArray:
    """Find partners for households, profile by profile; return those that have none. Changes `partner`."""
    for profile in profiles:
        if not len(wanted):
            break
        pools, _, _ = number_words(
            above * (int(profile.max(initial=0)) + 1) + profile,
            (int(above.max(initial=0)) + 1) * (int(profile.max(initial=0)) + 1),
        )
        free = order[partner[order] == order]
        listed = free[np.argsort(pools[free], kind="stable")]
        start = np.searchsorted(pools[listed], np.arange(int(pools.max(initial=-1)) + 2))
        _match(wanted, here, pools, listed, start, partner)
        wanted = wanted[partner[wanted] == wanted]
    return wanted


@entry
def _match(wanted: Int1, here: Int1, pools: Int1, listed: Int1, start: Int1, partner: Int1) -> None:
    """Give each wanted household the first candidate of its pool from another area, and take both out of the list."""
    end = start[1:].copy()
    for household in wanted:
        if partner[household] != household:
            continue
        pool = pools[household]
        i = start[pool]
        while i < end[pool]:
            other = listed[i]
            if partner[other] != other:
                end[pool] -= 1  # swapped meanwhile: the last one takes its place
                listed[i] = listed[end[pool]]
                continue
            if here[other] != here[household]:
                partner[household], partner[other] = other, household
                break
            i += 1
