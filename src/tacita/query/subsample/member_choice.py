"""Choosing members of a universe at random by a key: the first that a stream hits, or those with the smallest numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, WordArray
from tacita.core.keyed import Key
from tacita.query.subsample.stratum_rows import StratumRows

__all__ = ["PartSums", "UniverseView", "first_hits", "smallest_numbers", "stratum_of"]

_BLOCK = 1 << 15
"""Records at a time: their blocks stay in the cache."""
_BITS = 62


@dataclass(frozen=True, eq=False)
class PartSums:
    """What a universe has in each stratum.

    Parameters
    ----------
    counts
        (s,): number of members.
    sums
        (s, 2): exact sums of their keyed hashes.
    """

    counts: IntArray
    sums: IntArray


@dataclass(frozen=True, eq=False)
class UniverseView:
    """A universe as the drop sees it, without its rows being written out.

    Parameters
    ----------
    parts
        What it has in each stratum of :class:`StratumRows`.
    has
        Says which of some rows are members.
    members
        Gives all of them, increasing; asked for only where a part is a very small share of its stratum.
    """

    parts: PartSums
    has: Callable[[IntArray], BoolArray]
    members: Callable[[], IntArray]


def stratum_of(members: IntArray, listed: StratumRows) -> IntArray:
    """Return the number of each member's stratum."""
    if len(listed.codes) == 1:
        return np.zeros(len(members), dtype=np.int64)
    number = np.empty(int(listed.starts[-1]), dtype=np.int64)
    number[listed.rows(np.arange(len(number)))] = np.repeat(np.arange(len(listed.codes)), listed.sizes)
    return number[members]


def first_hits(
    view: UniverseView, listed: StratumRows, order_key: Key, words: WordArray, strata: IntArray, drops: IntArray
) -> IntArray:
    """Return the members that the streams of some strata hit first, as many different ones as each loses."""
    sizes, counts = listed.sizes, view.parts.counts
    turns, hit, of = np.zeros(len(sizes), dtype=np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    waiting = strata
    while len(waiting):
        many = (drops[waiting] * sizes[waiting] * 5) // (4 * counts[waiting]) + 8
        s = np.repeat(waiting, many)
        turn = np.arange(len(s)) - np.repeat(np.cumsum(many) - many, many) + turns[s]
        turns[waiting] += many
        hashes = order_key.record_keys(np.column_stack([words[s], turn.astype(np.uint64)])).astype(np.uint64)
        unit = (((hashes[:, 0] << np.uint64(31)) | hashes[:, 1]) >> np.uint64(9)).astype(np.float64) * 2.0**-53
        rows = listed.rows(listed.starts[s] + (unit * sizes[s]).astype(np.int64))
        is_hit = view.has(rows)
        hit, of = np.concatenate([hit, rows[is_hit]]), np.concatenate([of, s[is_hit]])
        first = np.sort(np.unique(hit, return_index=True)[1])  # of hits of one record the first counts
        hit, of = hit[first], of[first]
        waiting = waiting[np.bincount(of, minlength=len(sizes))[waiting] < drops[waiting]]
    order = np.argsort(of, kind="stable")
    hit, of = hit[order], of[order]
    rank = np.arange(len(of)) - np.searchsorted(of, of)
    return hit[rank < drops[of]]


def smallest_numbers(
    members: IntArray,
    part: IntArray,
    ids: WordArray,
    order_key: Key,
    words: WordArray,
    counts: IntArray,
    drops: IntArray,
) -> IntArray:
    """Return which members have the smallest keyed numbers of their part, as many of each part as it loses.

    Keyed numbers are uniform, so all but a handful are ruled out by a limit that some more than q are expected below; where
    it was too low, which is as good as never, all members of the part are looked at.
    """
    expected = drops + 8.0 * np.sqrt(drops) + 16.0
    share = np.where(drops > 0, expected / np.maximum(counts, 1), 0.0)
    limits = np.where(share < 1.0, np.floor(share * 2.0**_BITS), 2.0**_BITS).astype(np.int64)
    places, order = _below(members, part, ids, order_key, words, limits)
    short = np.bincount(part[places], minlength=len(counts)) < drops
    if short.any():
        limits[short] = 1 << _BITS
        places, order = _below(members, part, ids, order_key, words, limits)
    sorts = np.lexsort((order, part[places]))
    places = places[sorts]
    starts = np.cumsum(np.bincount(part[places], minlength=len(counts)))
    rank = np.arange(len(places)) - np.concatenate([[0], starts])[part[places]]
    return np.asarray(places[rank < drops[part[places]]], dtype=np.int64)


def _below(
    members: IntArray, part: IntArray, ids: WordArray, order_key: Key, words: WordArray, limits: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the members whose keyed number is below the limit of their part, and these numbers of 62 bits."""
    places, numbers = [], []
    for start in range(0, len(members), _BLOCK):
        rows, within = members[start : start + _BLOCK], part[start : start + _BLOCK]
        hashes = order_key.record_keys(np.column_stack([ids[rows], words[within]]))
        number = (hashes[:, 0] << 31) | hashes[:, 1]
        found = np.flatnonzero(number < limits[within])
        places.append(found + start)
        numbers.append(number[found])
    return np.concatenate(places), np.concatenate(numbers)
