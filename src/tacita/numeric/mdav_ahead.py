"""Answer MDAV's next questions before they are asked, on all processors.

MDAV is a chain: each pair of groups changes the centroid from which the next pair starts.  But the centroid hardly moves,
so the records that are farthest from it now are very likely the next x_r, and the answers to their questions hardly
change while other records disappear.  So one round asks, for the farthest 64 records at once,

* which records are farthest from it (the candidates for x_s), and
* which are nearest to it (the candidates for its group), and the same for the likely x_s,

and keeps a few more answers than needed.  Nothing is guessed in the result: a list holds the first records in
the documented order *of a larger file*, so its members that are still there are the first of the present file.
If too few are left, or if a record was not foreseen, MDAV searches as usual.  The partition is therefore the same for
any number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numba as nb
import numpy as np
import numpy.typing as npt

from tacita.numeric.deletion_tree import NOBODY, DeletionTree
from tacita.numeric.mdav_search import Search, find_records, new_search

__all__ = ["Ahead", "foreseen", "forget", "look_ahead", "nothing_ahead"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_SEEDS = 64
"""Records asked for in one round: enough to make starting threads cheap, few enough to stay foreseeable."""
_FAR = 2
"""Candidates for x_s. Outlying records are the farthest of many others, so the first is often taken."""
_SPARE = 2
"""Nearest records in addition to the k - 1 of a group; one of them is the record itself."""


class Ahead(NamedTuple):
    """Lists of records by seed."""

    slot: IntArray
    """(n,): row of the lists of a record; -1 for none."""
    far: IntArray
    """(slots, 2): farthest records, the farthest first."""
    near: IntArray
    """(slots, k + 1): nearest records, the nearest first."""


def nothing_ahead(n: int, k: int) -> Ahead:
    """Lists for a round, still empty."""
    slots = 2 * _SEEDS
    return Ahead(np.full(n, -1), np.full((slots, _FAR), NOBODY), np.full((slots, k - 1 + _SPARE), NOBODY))


def look_ahead(
    tree: DeletionTree, x: FloatArray, centre: FloatArray, ahead: Ahead, pool: ThreadPoolExecutor, threads: int
) -> tuple[IntArray, int]:
    """Fill the lists for the records that are farthest from the centre and their partners.

    Returns those records, and the number of blocks visited.
    """
    seeds = _farthest(tree, centre, _SEEDS)
    ahead.slot[seeds] = np.arange(seeds.size)
    visits = _in_chunks(tree, x, seeds, True, ahead, pool, threads)
    partners = _partners(seeds, ahead.slot, ahead.far)
    ahead.slot[partners] = np.arange(seeds.size, seeds.size + partners.size)
    visits += _in_chunks(tree, x, partners, False, ahead, pool, threads)
    return np.concatenate((seeds, partners)), visits


def forget(ahead: Ahead, records: IntArray) -> None:
    """Empty the lists of these records."""
    ahead.slot[records] = -1


def _in_chunks(
    tree: DeletionTree,
    x: FloatArray,
    records: IntArray,
    far: bool,
    ahead: Ahead,
    pool: ThreadPoolExecutor,
    threads: int,
) -> int:
    """Share the records among the threads, two chunks for each: starting one costs as much as a search."""
    most = max(ahead.far.shape[1], ahead.near.shape[1])
    chunk = max(1, records.size // (2 * threads))

    def work(start: int) -> int:
        return int(_fill(tree, x, records[start : start + chunk], far, ahead, new_search(x.shape[1], most)))

    return sum(pool.map(work, range(0, records.size, chunk)))


def _farthest(tree: DeletionTree, q: FloatArray, count: int) -> IntArray:
    search = new_search(q.size, count)
    find_records(tree, q, count, True, search)
    found: IntArray = search.rows[search.rows < NOBODY]
    return found


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _fill(tree: DeletionTree, x: FloatArray, records: IntArray, far: bool, ahead: Ahead, search: Search) -> int:
    """Search for some records; each writes to its own row, so threads do not meet. Returns the blocks visited."""
    visits = 0
    for row in records:
        slot = ahead.slot[row]
        visits += find_records(tree, x[row], ahead.near.shape[1], False, search)
        for i in range(ahead.near.shape[1]):
            ahead.near[slot, i] = search.rows[i]
        if far:
            visits += find_records(tree, x[row], ahead.far.shape[1], True, search)
            for i in range(ahead.far.shape[1]):
                ahead.far[slot, i] = search.rows[i]
    return visits


def _partners(seeds: IntArray, slot: IntArray, far: IntArray) -> IntArray:
    """The likely x_s of each seed: its farthest record that no earlier seed takes; those without lists of their own."""
    taken: set[int] = set()
    partners: list[int] = []
    for row in seeds.tolist():
        if row in taken:
            continue
        taken.add(row)
        partner = next((p for p in far[slot[row]].tolist() if p < NOBODY and p not in taken), None)
        if partner is not None:
            taken.add(partner)
            if slot[partner] < 0:
                partners.append(partner)
    return np.array(partners, dtype=np.int64)


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
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
