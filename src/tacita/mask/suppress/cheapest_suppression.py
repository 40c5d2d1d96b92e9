"""The cheapest local suppression of a small file, by a whole-number program.

Records with equal keys are one kind p with c_p records; an option o of a kind is a set of keys to lose. With z_o the number of
records that take an option, and w_g = 1 where the pattern g of a view (a subset of the keys) is shown by anybody,

    min   sum_o cost_o z_o
    s.t.  sum_{o of p} z_o = c_p                                     for every kind
          sum_{o of p that shows g} z_o <= c_p w_g                   for every kind and pattern
          sum_{o that counts for g} z_o >= k w_g                     for every pattern

where "counts for" is the reading of missing values. Members of a unit lose their shared keys together: the records of a unit
that take options with the shared part a are all of them or none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve import Solver

if TYPE_CHECKING:
    from tacita.numeric.local_suppression.local_suppression import SuppressionTask

__all__ = ["Optimum", "optimal_cells"]

KeySet = frozenset[int]
Pattern = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Optimum:
    """The cells to set missing, their cost, and a bound below which no solution can be."""

    cells: BoolArray = field(repr=False)
    cost: float
    bound: float
    is_proven: bool


def optimal_cells(
    codes: IntArray, task: SuppressionTask, *, start: BoolArray | None = None, time_limit: float = 300.0
) -> Optimum:
    """Return the cheapest cells to set missing.

    Parameters
    ----------
    codes
        (n, d): the keys as codes, -1 for missing; up to about 40 records.
    task
        What is asked for; the same as for :func:`tacita.numeric.local_suppression.local_suppression.suppress_cells`.
    start
        Cells of a known solution.
    time_limit
        Seconds after which the best solution so far is returned.

    Notes
    -----
    A member of a unit that lacks a shared key from the start loses it with the others, for nothing.
    """
    from tacita.numeric.local_suppression.certain import spread_over_units  # loads when used

    if start is not None:
        start = spread_over_units(start, task.units, task.shared)
    kinds, labels = (
        np.unique(codes, axis=0, return_inverse=True) if task.units is None else (codes, np.arange(len(codes)))
    )
    labels = labels.ravel()
    counts = np.bincount(labels, minlength=len(kinds))
    options = _options(kinds, counts, task)
    if start is not None:  # what a known solution does is open too: with units it may lie beside the rule
        for p, gone in zip(labels.tolist(), start, strict=True):
            lost = frozenset(np.flatnonzero(gone).tolist())
            options[p] += [] if lost in options[p] else [lost]
    model = _Model(kinds, counts, options, task)
    known = None if start is None else model.values_of(labels, start)
    answer = model.solver().run(time_limit=time_limit, start=known)
    if not answer.has_solution:
        if start is None:
            return Optimum(codes >= 0, float("inf"), answer.bound, is_proven=False)
        start = start & (codes >= 0)
        return Optimum(start, float((start @ task.price).sum()), answer.bound, is_proven=False)
    cells = model.cells_of(answer.values, labels) & (codes >= 0)
    return Optimum(cells, float((cells @ task.price).sum()), answer.bound, answer.status == "optimal")


# --- what a record may lose -----------------------------------------------------------------------------------------------


def _subsets(keys: Iterable[int]) -> list[KeySet]:
    listed = sorted(keys)
    return [frozenset(part) for size in range(len(listed) + 1) for part in combinations(listed, size)]


def _shown(codes: IntArray, lost: KeySet, view: Iterable[int]) -> Pattern:
    return tuple(-1 if j in lost else int(codes[j]) for j in view)


def _counts_for(source: Pattern, target: Pattern, missing: str) -> bool:
    """Whether a record that shows ``source`` counts for one that shows ``target``."""
    if missing == "own category":
        return source == target
    pairs = zip(source, target, strict=True)
    if missing == "wildcard":
        return all(-1 in (a, b) or a == b for a, b in pairs)
    return all(b in (-1, a) for a, b in pairs)


def _options(kinds: IntArray, counts: IntArray, task: SuppressionTask) -> list[list[KeySet]]:
    """List for each kind the sets of keys that it may lose."""
    from tacita.numeric.local_suppression.certain import spread_over_units

    there = spread_over_units(kinds >= 0, task.units, task.shared)
    present = [frozenset(np.flatnonzero(keys).tolist()) for keys in there]
    if task.missing != "wildcard":
        return [_subsets(keys) for keys in present]
    own = [_open_sets(p, kinds, counts, task, keys, frozenset()) for p, keys in enumerate(present)]
    if task.units is None:
        return own
    shared, joined = frozenset(task.shared), []
    for p, keys in enumerate(present):
        parts = {frozenset[int]()}  # what the unit may lose for the sake of others; p may go on from there
        for other in np.flatnonzero((task.units == task.units[p]) & (np.arange(len(own)) != p)):
            parts |= {part | (lost & shared) for part in parts for lost in own[other]}
        sets = {part | lost for part in parts for lost in _open_sets(p, kinds, counts, task, keys - part, part & keys)}
        joined.append(sorted(sets, key=sorted))
    return joined


def _open_sets(
    p: int, kinds: IntArray, counts: IntArray, task: SuppressionTask, keys: KeySet, held: KeySet
) -> list[KeySet]:
    """Sets with no more keys than the smallest that would make the record safe alone, or no dearer than the cheapest.

    ``held`` are keys that it has lost already.
    """
    sets = _subsets(keys)
    does = [lost for lost in sets if _is_safe_alone(p, kinds, counts, task, lost | held)]
    fewest, cheapest = min(len(lost) for lost in does), min(_price(lost, task) for lost in does)
    return [lost for lost in sets if len(lost) <= fewest or _price(lost, task) <= cheapest + 1e-9]


def _is_safe_alone(p: int, kinds: IntArray, counts: IntArray, task: SuppressionTask, lost: KeySet) -> bool:
    for view, k in zip(task.views, task.needs, strict=True):
        mine = _shown(kinds[p], lost, view)
        among = sum(
            int(count)
            for codes, count in zip(kinds, counts, strict=True)
            if _counts_for(_shown(codes, frozenset(), view), mine, task.missing)
        )
        if among < k:
            return False
    return True


def _price(lost: Iterable[int], task: SuppressionTask) -> float:
    return float(sum(task.price[j] for j in lost))


# --- the model ------------------------------------------------------------------------------------------------------------


class _Model:
    """Variables z_o (records that take an option), w_g (patterns that are shown) and, with units, shared parts."""

    def __init__(self, kinds: IntArray, counts: IntArray, options: list[list[KeySet]], task: SuppressionTask) -> None:
        self._kinds, self._counts, self._task = kinds, counts, task
        self._options = [(p, lost) for p, sets in enumerate(options) for lost in sets]
        self._shows: dict[tuple[int, Pattern], dict[int, list[int]]] = {}
        for o, (p, lost) in enumerate(self._options):
            for v, view in enumerate(task.views):
                kept = self._shows.setdefault((v, _shown(kinds[p], lost, view)), {})
                kept.setdefault(p, []).append(o)
        self._patterns = list(self._shows)
        self._parts: list[tuple[int, KeySet]] = []
        if task.units is not None and task.shared:
            shared = frozenset(task.shared)
            self._parts = sorted({(int(task.units[p]), lost & shared) for p, lost in self._options}, key=repr)
        self._rows: list[tuple[dict[int, float], float, float]] = []

    def solver(self) -> Solver:
        """Return the model ready to run."""
        import scipy.sparse as sp

        self._rows = [*self._kind_rows(), *self._pattern_rows(), *self._unit_rows()]
        n = len(self._options) + len(self._patterns) + len(self._parts)
        at = [(r, column, value) for r, (row, _, _) in enumerate(self._rows) for column, value in row.items()]
        where, columns, values = zip(*at, strict=True)
        matrix = sp.csr_array((values, (where, columns)), shape=(len(self._rows), n))
        cost = np.zeros(n)
        upper = np.ones(n)
        for o, (p, lost) in enumerate(self._options):
            cost[o], upper[o] = _price({j for j in lost if self._kinds[p, j] >= 0}, self._task), self._counts[p]
        lower_sides, upper_sides = (np.array([row[i] for row in self._rows], dtype=float) for i in (1, 2))
        return Solver(cost, matrix, lower_sides, upper_sides, np.zeros(n), upper, integer=np.ones(n, bool))

    def _kind_rows(self) -> Iterable[tuple[dict[int, float], float, float]]:
        for p, count in enumerate(self._counts):
            yield {o: 1.0 for o, (kind, _) in enumerate(self._options) if kind == p}, float(count), float(count)

    def _pattern_rows(self) -> Iterable[tuple[dict[int, float], float, float]]:
        first = len(self._options)
        for g, (v, pattern) in enumerate(self._patterns):
            for p, shown in self._shows[v, pattern].items():
                yield {**dict.fromkeys(shown, 1.0), first + g: -float(self._counts[p])}, -np.inf, 0.0
            among = [
                o
                for (view, source), kept in self._shows.items()
                if view == v and _counts_for(source, pattern, self._task.missing)
                for shown in kept.values()
                for o in shown
            ]
            yield {**dict.fromkeys(among, 1.0), first + g: -float(self._task.needs[v])}, 0.0, np.inf

    def _unit_rows(self) -> Iterable[tuple[dict[int, float], float, float]]:
        first, shared = len(self._options) + len(self._patterns), frozenset(self._task.shared)
        for h, (unit, part) in enumerate(self._parts):
            for p in np.flatnonzero(self._task.units == unit):
                taken = [o for o, (kind, lost) in enumerate(self._options) if kind == p and lost & shared == part]
                yield {**dict.fromkeys(taken, 1.0), first + h: -1.0}, 0.0, 0.0

    def cells_of(self, values: FloatArray, labels: IntArray) -> BoolArray:
        """Hand the options to records: the first records of a kind in the file get the first ones."""
        cells = np.zeros((len(labels), self._kinds.shape[1]), dtype=bool)
        left = {p: list(np.flatnonzero(labels == p)) for p in range(len(self._kinds))}
        for (p, lost), taken in zip(self._options, np.rint(values[: len(self._options)]).astype(int), strict=True):
            for _ in range(taken):
                cells[left[p].pop(0), sorted(lost)] = True
        return cells

    def values_of(self, labels: IntArray, cells: BoolArray) -> FloatArray:
        """Return a known solution as values of the variables."""
        place = {option: o for o, option in enumerate(self._options)}
        values = np.zeros(len(self._options) + len(self._patterns) + len(self._parts))
        for p, gone in zip(labels.tolist(), cells, strict=True):
            values[place[p, frozenset(np.flatnonzero(gone).tolist())]] += 1
        for g, key in enumerate(self._patterns):
            shown = any(values[o] > 0 for kept in self._shows[key].values() for o in kept)
            values[len(self._options) + g] = float(shown)
        shared = frozenset(self._task.shared)
        for h, (unit, part) in enumerate(self._parts):
            taken = [o for o, (p, lost) in enumerate(self._options) if values[o] > 0 and lost & shared == part]
            members = np.flatnonzero(self._task.units == unit)
            values[len(self._options) + len(self._patterns) + h] = float(
                any(self._options[o][0] in members for o in taken)
            )
        return values
