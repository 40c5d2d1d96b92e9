"""Local suppression: which key values to set missing so that every record hides among k others, at little cost.

The algorithm, and the file of each step::

    cut a file with very many patterns at risk into blocks of similar patterns      here
    for each block, on the distinct patterns of its keys                            state.py
        if missing values match everything:
            take the values that many records at risk share, nobody sacrificed      wildcard.py
        else:
            form classes of k records that lack the same keys                       classes.py
        give back what nobody needs missing; make pieces anew, keep the cheaper     improve.py
    count the frequencies from the codes; below k, take more                        certain.py

What hides among k in its block does so in the file, under every reading of missing values.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.numeric.keys.frequencies import Patterns, find_patterns
from tacita.numeric.keys.missing_keys import pattern_frequencies
from tacita.numeric.local_suppression.certain import make_certain
from tacita.numeric.local_suppression.classes import form_classes
from tacita.numeric.local_suppression.improve import prune, take_masks, try_again
from tacita.numeric.local_suppression.state import (
    BAD,
    CODES,
    COST,
    COUNT,
    DEMAND,
    DEMANDS,
    DICE,
    END,
    FIRST,
    FREQUENCY,
    FULL,
    GONE,
    KEYS,
    KIND,
    LACKS,
    LEAST,
    LISTED,
    LOG,
    MASK,
    MEMBER,
    MOST,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    SPARE,
    UNIT,
    WILDCARD,
    WORK,
    Masks,
    SuppressionState,
    candidate_masks,
)
from tacita.numeric.local_suppression.wildcard import choose_masks, set_needs

__all__ = ["SuppressionTask", "suppress_cells"]


_DEMANDS = 24
"""Demands that a repair looks at together."""
_BLOCK, _ALL_BLOCKS = 10**8, 10**9
"""Product of patterns and patterns at risk: about the largest of a block, and of all blocks together."""


_MOST_TOGETHER = 16
"""Keys that can be counted together."""
_OVERSHOOT = 2.0
"""A first solution may cost this many times a known one before values come back; beyond it there is little hope."""
_FIRST_VISITS = 2e7
"""Visits that second thoughts may take in any case: plenty for a small file, a fraction of a second for a large one."""


@dataclass(frozen=True, eq=False)
class SuppressionTask:
    """What is asked for.

    Parameters
    ----------
    k
        Smallest frequency that is safe; the largest of them where views have one of their own.
    views
        Subsets of the keys, by position; in each of them every record must have a frequency of k or more.
    price
        (d,): cost of a missing value of each key.
    missing
        What a missing key matches.
    shared
        Keys that are suppressed for all members of a unit, by position.
    units
        (n,): unit of each record; None without units.
    effort
        How long to have second thoughts: 0 for not at all, 1 for a fraction of a second, and so on in proportion.
    dice
        Where the random numbers of second thoughts begin; the same number gives the same result.
    least
        Smallest frequency of each view; without it k for all.
    """

    k: int
    views: tuple[tuple[int, ...], ...]
    price: FloatArray = field(repr=False)
    missing: MissingKeys = "wildcard"
    shared: tuple[int, ...] = ()
    units: IntArray | None = field(default=None, repr=False)
    effort: float = 1.0
    dice: int = 0
    least: tuple[int, ...] = ()

    @property
    def needs(self) -> tuple[int, ...]:
        """Smallest frequency that is safe, of each view."""
        return self.least or (self.k,) * len(self.views)


def suppress_cells(codes: IntArray, task: SuppressionTask) -> BoolArray:
    """Return which values to set missing: (n, d), true only where a value is there.

    Parameters
    ----------
    codes
        (n, d): the keys as integer codes from 0, -1 for missing; at least k records.
    task
        What is asked for.

    Notes
    -----
    O(m r) time for m distinct patterns and r of them at risk, times a small factor; no more than about 10^9 in all, because
    larger files are cut into blocks.

    Examples
    --------
    >>> codes = np.array([[0, 0], [0, 0], [0, 1], [0, 1]])
    >>> int(suppress_cells(codes, SuppressionTask(k=3, views=((0, 1),), price=np.ones(2))).sum())
    2
    """
    n, d = codes.shape
    gone: BoolArray = np.zeros((n, d), dtype=bool)
    if not n:
        return gone
    patterns = find_patterns([(codes[:, j], int(codes[:, j].max()) + 1) for j in range(d)])
    for rows in _blocks(patterns, task):
        block = patterns if len(rows) == n else _part(patterns, rows)
        masks = _suppress_block(block, rows, task)
        bits = (masks[:, None] >> np.arange(d, dtype=np.int64)) & 1
        gone[rows] = (bits == 1) & (codes[rows] >= 0)
    return make_certain(codes, gone, task)


def _part(patterns: Patterns, rows: IntArray) -> Patterns:
    known, labels, counts = np.unique(patterns.labels[rows], return_inverse=True, return_counts=True)
    return Patterns(labels.ravel().astype(np.int64), patterns.codes[known], counts.astype(np.int64))


def _blocks(patterns: Patterns, task: SuppressionTask) -> list[IntArray]:
    """Cut the records into blocks of similar patterns, dear keys first; members of a unit stay together."""
    n = len(patterns.labels)
    load = _load(patterns, task)
    number = int(max(np.ceil(np.sqrt(load / _BLOCK)), np.ceil(load / _ALL_BLOCKS), 1))
    number = min(number, n // (2 * task.k) or 1)
    if number == 1:
        return [np.arange(n, dtype=np.int64)]
    sizes = patterns.codes.max(axis=0) + 1
    order = np.lexsort((sizes, -task.price))  # keys, dear ones first, among them those of few categories
    rank = np.empty(len(patterns.counts), dtype=np.int64)
    rank[np.lexsort(patterns.codes[:, order[::-1]].T)] = np.arange(len(rank))
    place = rank[patterns.labels]
    group = place if task.units is None else _first_of_unit(place, task.units)
    rows = np.argsort(group, kind="stable")
    cuts = (np.arange(1, number) * n) // number
    ends = np.unique(np.searchsorted(group[rows], group[rows][cuts]))  # never through a pattern or a unit
    parts = np.split(rows, ends[ends > 0])
    while len(parts) > 1 and min(map(len, parts)) < task.k:  # one part less in every turn
        small = int(np.argmin([len(part) for part in parts]))
        merged = np.concatenate((parts.pop(small), parts.pop(max(small - 1, 0))))
        parts.append(merged)
    return parts


def _first_of_unit(place: IntArray, units: IntArray) -> IntArray:
    """Return an order in which the members of a unit stand together: by the first pattern of the unit, then by unit."""
    _, labels = np.unique(units, return_inverse=True)
    labels = labels.ravel()
    first = np.full(int(labels.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, labels, place)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.lexsort((np.arange(len(first)), first))] = np.arange(len(first))
    return np.asarray(rank[labels])


def _project(patterns: Patterns, view: tuple[int, ...], missing: MissingKeys) -> tuple[Patterns, IntArray, IntArray]:
    """Return the distinct projections on some keys, their frequencies and their numbers of records."""
    sizes = patterns.codes.max(axis=0, initial=-1) + 1
    found = find_patterns([(patterns.codes[:, j], int(sizes[j])) for j in view])
    amounts = found.total(patterns.counts.astype(np.float64))
    return (
        found,
        np.rint(pattern_frequencies(found, amounts, missing)).astype(np.int64),
        np.rint(amounts).astype(np.int64),
    )


def _suppress_block(patterns: Patterns, records: IntArray, task: SuppressionTask) -> IntArray:
    """Return the mask of each record of a block.

    What makes all keys of the views together safe makes every view safe, and that may be the cheaper way: where there are several
    views both are tried, the second one without what no view needs.
    """
    if not _at_risk(patterns, task).any():
        return np.zeros(len(patterns.labels), dtype=np.int64)
    wide = _together(patterns, task)
    if wide is None:
        return _solved(patterns, records, task)[0]
    others, other_cost = _solved(patterns, records, task, _solved(patterns, records, wide)[0])
    masks, cost = _solved(patterns, records, task, most=_OVERSHOOT * other_cost)
    return others if other_cost < cost * (1 - 1e-9) else masks


def _together(patterns: Patterns, task: SuppressionTask) -> SuppressionTask | None:
    """Return the task for all keys of the views together; None where that is the same, or takes too long.

    Where missing values match little, what one view loses breaks others, and the way over all keys is often the shorter one.
    """
    every = tuple(sorted({j for view in task.views for j in view}))
    is_wild = task.missing == "wildcard"
    if len(task.views) == 1 or len(every) > _MOST_TOGETHER or (is_wild and not task.effort):
        return None
    wide = replace(task, k=max(task.needs), views=(every,), least=())
    load = _load(patterns, wide)
    return wide if load <= max(_BLOCK / 10 if is_wild else _ALL_BLOCKS, 2 * _load(patterns, task)) else None


def _load(patterns: Patterns, task: SuppressionTask) -> float:
    """Return the product of patterns and patterns at risk, over all views."""
    slots = sum(len(_project(patterns, view, task.missing)[1]) for view in task.views)
    return float(slots) * float(_at_risk(patterns, task).sum())


def _solved(
    patterns: Patterns,
    records: IntArray,
    task: SuppressionTask,
    known: IntArray | None = None,
    most: float = np.inf,
) -> tuple[IntArray, float]:
    """Return the mask of each record and what all of them cost; inf where k is not reached.

    ``known`` are masks to begin with, and beyond the cost ``most`` the first solution is given up.
    """
    n, at_risk = len(patterns.labels), _at_risk(patterns, task)
    if known is not None and task.missing != "wildcard":
        at_risk = at_risk | (np.bincount(patterns.labels, weights=known != 0, minlength=len(at_risk)) > 0)
    members = None if task.units is None else _members(task.units[records], at_risk[patterns.labels], task)
    room = candidate_masks(task.price, [list(view) for view in task.views])
    capacity = _first_capacity(patterns, at_risk, task) if members is None else len(members)
    while True:  # the room grows up to a row for each record, which is enough for everything
        state = _start(patterns, task, capacity, None if task.units is None else task.units[records], members)
        if state.mode == WILDCARD:
            set_needs(state, room)
        if known is not None:
            _begin_with(state, patterns, members, np.where(at_risk[patterns.labels], known, 0))
        state.amounts[MOST] = most
        _solve(state, room, task.effort)
        if not state.tally[FULL] or capacity >= n or members is not None:
            cost = float("inf") if state.tally[BAD] else float(state.amounts[COST])
            return _masks_of_records(state, patterns, members), cost
        capacity = min(4 * capacity, n)


def _begin_with(state: SuppressionState, patterns: Patterns, members: IntArray | None, known: IntArray) -> None:
    """Take over the masks of a known solution."""
    rows = np.flatnonzero(known) if members is None else members
    places = np.full(len(rows), -1, dtype=np.int64) if members is None else np.arange(len(rows), dtype=np.int64)
    take_masks(state, places, patterns.labels[rows], known[rows])


def _at_risk(patterns: Patterns, task: SuppressionTask) -> BoolArray:
    """Return which patterns are below k in a view."""
    found = np.zeros(len(patterns.counts), dtype=bool)
    for view, k in zip(task.views, task.needs, strict=True):
        projected, frequency, _ = _project(patterns, view, task.missing)
        found |= (frequency < k)[projected.labels]
    return found


def _members(units: IntArray, at_risk: BoolArray, task: SuppressionTask) -> IntArray:
    """Return the records that may lose something: under ``wildcard`` the units of those at risk, otherwise all."""
    if task.missing != "wildcard":
        return np.arange(len(units), dtype=np.int64)
    return np.flatnonzero(np.isin(units, units[at_risk]))


def _first_capacity(patterns: Patterns, at_risk: BoolArray, task: SuppressionTask) -> int:
    """Rows that will do: under ``wildcard`` only records at risk are suppressed, otherwise a guess."""
    records = int(patterns.counts[at_risk].sum())
    return max(records if task.missing == "wildcard" else min(2 * records + 64 * task.k, int(patterns.counts.sum())), 1)


def _solve(state: SuppressionState, room: Masks, effort: float) -> None:
    if state.mode == WILDCARD:
        choose_masks(state, room)
    else:
        form_classes(state, room)
        state.amounts[MOST] = np.inf
    if state.tally[FULL] or state.tally[BAD]:
        return
    prune(state, np.arange(state.tally[ROWS]))
    if effort > 0:
        near = np.zeros((_DEMANDS, len(state.differences)), dtype=np.int32)
        try_again(state, room, near, int(0.5 * effort * (0.02 * state.tally[WORK] + _FIRST_VISITS)))


def _start(
    patterns: Patterns, task: SuppressionTask, capacity: int, units: IntArray | None, members: IntArray | None
) -> SuppressionState:
    """Set up the state in which nothing is suppressed."""
    kinds = len(patterns.counts)
    views = np.zeros((7, len(task.views)), dtype=np.int64)
    views[LEAST] = task.needs
    homes: list[IntArray] = []
    codes: list[npt.NDArray[np.int32]] = []
    slots: list[IntArray] = []
    ends = np.cumsum([len(view) for view in task.views])
    for v, view in enumerate(task.views):
        found, frequency, amounts = _project(patterns, view, task.missing)
        m = len(amounts)
        below = np.flatnonzero(frequency < task.needs[v])
        views[KEYS, v], views[END, v], views[SIZE, v] = ends[v] - len(view), ends[v], m
        views[CODES, v], views[SLOTS, v] = sum(map(len, codes)), sum(part.shape[1] for part in slots)
        views[DEMANDS, v] = len(below)
        part = np.zeros((6, m + capacity), dtype=np.int64)
        part[FREQUENCY, :m], part[COUNT, :m], part[LACKS, :m] = frequency, amounts, found.missing
        part[PLACE, :m] = np.arange(m)
        part[DEMAND, : len(below)], part[LISTED] = below, -1
        part[LISTED, below] = np.arange(len(below))
        slots.append(part)
        homes.append(found.labels)
        codes.append(found.codes.T.astype(np.int32).ravel())
    every = np.concatenate(slots, axis=1)
    facts = np.zeros((3, kinds), dtype=np.int64)
    facts[GONE], facts[SPARE] = patterns.missing, patterns.counts
    if members is not None:
        facts[SPARE] -= np.bincount(patterns.labels[members], minlength=kinds)
    tally = np.zeros(9, dtype=np.int64)
    tally[BAD], tally[LOG], tally[DICE] = views[DEMANDS].sum(), -1, task.dice
    rows, houses = _unit_rows(patterns, units, members, capacity, tally)
    return SuppressionState(
        mode=MISSING_KEYS.index(task.missing),
        k=task.k,
        shared=sum(1 << j for j in task.shared) if units is not None else 0,
        views=views,
        keys=np.array([j for view in task.views for j in view], dtype=np.int64),
        codes=np.concatenate(codes),
        home=np.stack(homes),
        slots=every,
        kinds=facts,
        cheapest=np.zeros(kinds),
        rows=rows,
        members=houses,
        price=np.asarray(task.price, dtype=np.float64),
        log=np.zeros((8 * capacity + 4096, 3), dtype=np.int64),
        tally=tally,
        amounts=np.array([0.0, 0.0, np.inf]),
        differences=np.zeros(int(views[SIZE].max()), dtype=np.int32),
    )


def _unit_rows(
    patterns: Patterns, units: IntArray | None, members: IntArray | None, capacity: int, tally: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the rows and the members of units; where there are units all ``members`` have their row from the start."""
    rows = np.full((4, capacity), -1, dtype=np.int64)
    if units is None or members is None:
        return rows, np.zeros((2, 0), dtype=np.int64)
    n, kinds = len(members), patterns.labels[members]
    known, labels = np.unique(units[members], return_inverse=True)
    labels = labels.ravel()
    rows[KIND], rows[MASK], rows[UNIT] = kinds, patterns.missing[kinds], labels
    tally[ROWS] = n
    houses = np.zeros((2, n + 1), dtype=np.int64)
    houses[FIRST, 1 : len(known) + 1] = np.cumsum(np.bincount(labels))
    houses[MEMBER, :n] = np.argsort(labels, kind="stable")
    return rows, houses


def _masks_of_records(state: SuppressionState, patterns: Patterns, members: IntArray | None) -> IntArray:
    """Hand the masks of the rows to records: the first records of a kind in the file get them."""
    masks = np.zeros(len(patterns.labels), dtype=np.int64)
    if members is not None:
        masks[members] = state.rows[MASK]
        return masks
    used = np.flatnonzero(state.rows[KIND, : state.tally[ROWS]] >= 0)
    used = used[np.argsort(state.rows[KIND, used], kind="stable")]
    kinds = state.rows[KIND, used]
    order = np.argsort(patterns.labels, kind="stable")
    starts = np.cumsum(patterns.counts) - patterns.counts
    turn = np.arange(len(used)) - np.searchsorted(kinds, kinds)
    masks[order[starts[kinds] + turn]] = state.rows[MASK, used]
    return masks
