"""Answer MDAV's next questions before they are asked, many at once and on all processors.

MDAV is a chain: each pair of groups changes the centroid from which the next pair starts.  But the centroid hardly moves,
so the records that are farthest from it now are very likely the next x_r, and the answers to their questions hardly
change while other records disappear.  So one round asks, for the farthest 64 records at once,

* which records are farthest from it (the candidates for x_s), and
* which are nearest to it (the candidates for its group), and the same for the likely x_s,

and keeps a few more answers than needed. One pass over the file answers them all
(:mod:`tacita.numeric.microaggregation.mdav.sweep`).

Nothing is guessed in the result: a list holds the first records in the documented order *of a larger file*, so its
members that are still there are the first of the present file.  If too few are left, or if a record was not foreseen,
MDAV searches as usual.  The partition is therefore the same for any number of threads.  For the same reason lists stay
valid from round to round: almost every one of them is used (measured: two lists made for each pair of groups, with
normal data and on a sphere).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.mdav.sweep import (
    Lists,
    Sweep,
    hide_records,
    limit_reach,
    new_lists,
    new_sweep,
    sweep_cost,
    sweep_records,
)
from tacita.numeric.microaggregation.remaining import Remaining
from tacita.numeric.nearest.deletion_tree import NOBODY, DeletionTree
from tacita.numeric.nearest.tree_search import find_records, new_search

__all__ = ["Ahead", "foreseen", "look_ahead", "nothing_ahead", "refreshed"]


_SEEDS = 64
"""Records asked for in one round: enough to make starting threads cheap, few enough to stay foreseeable."""
_FAR = 6
"""Candidates for x_s. Outlying records are the farthest of many others, so the first are often taken."""
_SPARE = 4
"""Nearest records in addition to the k - 1 of a group; one of them is the record itself."""
_FULL = 0.8
"""Share of the records of a sweep that must be left; the others cost as much as these."""


class Ahead(NamedTuple):
    """Lists of records by seed."""

    slot: Int1
    """(n,): slot of the lists of a record; -1 for none."""
    owner: Int1
    """(slots,): record whose lists these are; -1 for none."""
    round: Int1
    """(slots,): the last round that wanted these lists."""
    lists: Lists


def nothing_ahead(n: int, k: int) -> Ahead:
    """No lists yet."""
    slots = 4 * _SEEDS
    return Ahead(
        slot=np.full(n, -1),
        owner=np.full(slots, -1),
        round=np.full(slots, -1),
        lists=new_lists(slots, k - 1 + _SPARE, _FAR),
    )


def refreshed(sweep: Sweep | None, x: FloatArray, state: Remaining) -> Sweep:
    """A sweep of the records left: the old one without those taken since, or a new one if it is too empty."""
    left = int(state.left[0])
    if sweep is None or left < _FULL * sweep.rows.size:
        return new_sweep(x, np.flatnonzero(state.labels < 0), state.centre)
    hide_records(sweep, state.taken[sweep.gone[0] : x.shape[0] - left])
    return sweep


def look_ahead(
    tree: DeletionTree,
    sweep: Sweep,
    x: FloatArray,
    k: int,
    state: Remaining,
    ahead: Ahead,
    pool: ThreadPoolExecutor,
    threads: int,
) -> float:
    """Fill the lists of the records that are farthest from the centroid, then those of their partners.

    Returns what it cost, in visits of a tree's block.
    """
    seeds = _farthest(tree, state.centre, _SEEDS)
    limit_reach(sweep, state.centre, x[seeds[0]])
    _free_slots(ahead, state.labels)
    cost = _fill(sweep, x, _claim_slots(seeds, ahead, state.labels, k), ahead, pool, threads)
    partners = _partners(seeds, ahead, state.labels, k)
    return cost + _fill(sweep, x, _claim_slots(partners, ahead, state.labels, k), ahead, pool, threads)


def _farthest(tree: DeletionTree, q: FloatArray, count: int) -> IntArray:
    search = new_search(q.size, count)
    find_records(tree, q, count, True, search)
    found: IntArray = search.rows[search.rows < NOBODY]
    return found


def _fill(
    sweep: Sweep, x: FloatArray, records: IntArray, ahead: Ahead, pool: ThreadPoolExecutor, threads: int
) -> float:
    """Share the records among the threads, this one included."""

    def work(some: IntArray) -> int:
        return int(sweep_records(sweep, x, some, ahead.slot[some], ahead.lists))

    if records.size == 0:
        return 0.0
    first, *others = np.array_split(records, min(threads, records.size))
    answers = [pool.submit(work, some) for some in others]
    candidates = work(first) + sum(answer.result() for answer in answers)
    return sweep_cost(sweep.rows.size, records.size, candidates) / threads


@entry
def _free_slots(ahead: Ahead, labels: Int1) -> None:
    """Take the slots from the records that are in groups."""
    for s in range(ahead.owner.size):
        row = ahead.owner[s]
        if row >= 0 and labels[row] >= 0:
            ahead.slot[row], ahead.owner[s], ahead.round[s] = -1, -1, -1


@entry
def _claim_slots(records: Int1, ahead: Ahead, labels: Int1, k: int) -> IntArray:
    """Give each record a slot; return the records that have no lists yet, or lists in which too few are left."""
    slot, owner, rounds, now = ahead.slot, ahead.owner, ahead.round, ahead.round.max() + 1
    room, asked = np.empty(max(k, 2), np.int64), np.empty(records.size, np.int64)
    count = 0
    for row in records:
        s = slot[row]
        if foreseen(ahead.lists.near, s, labels, k - 1, room) and foreseen(ahead.lists.far, s, labels, 1, room):
            rounds[s] = now
        else:
            asked[count] = row
            count += 1
    for row in asked[:count]:
        s = slot[row]
        if s < 0:
            # There are four times as many slots as seeds, so the one not wanted for longest is not wanted now.
            s = rounds.argmin()
            if owner[s] >= 0:
                slot[owner[s]] = -1
        slot[row], owner[s], rounds[s] = s, row, now
    return asked[:count]


@entry
def _partners(seeds: Int1, ahead: Ahead, labels: Int1, k: int) -> IntArray:
    """The likely x_s of each seed: its farthest record that is in no group, if the seeds form theirs in turn."""
    taken = {NOBODY}
    partners, count = np.empty(seeds.size, np.int64), 0
    for row in seeds:
        if row in taken:
            continue
        taken.add(row)
        for other in ahead.lists.far[ahead.slot[row]]:
            if other not in taken and labels[other] < 0:
                taken.add(other)
                partners[count] = other
                count += 1
                break
        members = 0
        for other in ahead.lists.near[ahead.slot[row]]:
            if members < k - 1 and other not in taken and labels[other] < 0:
                taken.add(other)
                members += 1
    return partners[:count]


@kernel
def foreseen(lists: IntArray, slot: int, labels: IntArray, count: int, rows: IntArray) -> bool:
    """Copy the first `count` records of a list that are still left to `rows`; whether there are so many."""
    found = 0
    if slot >= 0:
        for i in range(lists.shape[1]):
            row = lists[slot, i]
            if found < count and row < NOBODY and labels[row] < 0:
                rows[found] = row
                found += 1
    return found == count
