"""Local recoding from below: each record gets the finest levels at which it has enough company.

Nodes of the generalisation lattice are visited in the order of their mean cell loss. At each node the records that have no
place yet are grouped by their values at its levels; groups that fulfil the privacy model are settled there, the others go on
to coarser nodes. Settled records leave the file, so that the work shrinks quickly: on usual files a third of the records is
left after ten nodes.

Records that are too few at the end join the settled group that they spoil least.

References
----------
Prasser, F. et al. (2020), Flexible data anonymization using ARX: iterated full-domain generalisation of what is left, of which
this is the form with one node an iteration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, Int1, Int2, IntArray, Place1, Place2
from tacita.core.kernel import entry
from tacita.numeric.keys import diversity
from tacita.numeric.keys.lattice import Lattice, Node
from tacita.numeric.keys.privacy_model import PrivacyModel

__all__ = ["LocalRecoding", "recode_bottom_up"]

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class LocalRecoding:
    """Levels of every key pattern.

    Parameters
    ----------
    levels
        (m, d): level of each cell of a pattern.
    group
        (m,): group of each pattern; equal groups have equal generalised values.
    """

    levels: IntArray = field(repr=False)
    group: IntArray = field(repr=False)


def recode_bottom_up(
    lattice: Lattice, model: PrivacyModel, fixed: Mapping[int, int] | None = None
) -> LocalRecoding | None:
    """Settle the patterns of a lattice from its finest to its coarsest node; None where even one group of all is bad.

    ``fixed`` has the level of columns that all patterns must share; None is returned where that cannot be.
    O(nodes + settled groups) passes over the patterns that are left.
    """
    bottom = lattice.node((0,) * len(lattice.top))
    m = len(bottom.counts)
    levels, group = np.zeros((m, len(lattice.top)), dtype=np.int64), np.full(m, -1, dtype=np.int64)
    if m == 0:
        return LocalRecoding(levels, group)
    nodes = _nodes_by_loss(lattice)
    for j, level in (fixed or {}).items():
        nodes = np.ascontiguousarray(nodes[nodes[:, j] == level])
    up, starts, widths = _flat(lattice)
    left, place, found = np.arange(m), 0, 0
    while len(left) and place < len(nodes):
        place, labels, totals = _next_hit(lattice.codes, bottom.counts, left, nodes, place, up, starts, widths, model.k)
        if place >= len(nodes):
            break
        good = ~model.bad(_node(bottom, left, labels, totals))
        settled = good[labels]
        rows = left[settled]
        levels[rows] = nodes[place]
        number = np.cumsum(good) - 1 + found
        group[rows] = number[labels[settled]]
        found += int(good.sum())
        left, place = left[~settled], place + 1
    made = LocalRecoding(levels, group)
    done = made if not len(left) else _with_rest(lattice, model, made, left)
    if done is not None and any((done.levels[:, j] != level).any() for j, level in (fixed or {}).items()):
        return None  # those who were left could only join at coarser levels
    return done


def _nodes_by_loss(lattice: Lattice) -> IntArray:
    """Return the levels of all nodes, least mean cell loss first."""
    total = np.zeros([height + 1 for height in lattice.top])
    for j, mean in enumerate(lattice.mean_losses()):
        shape = [1] * len(lattice.top)
        shape[j] = -1
        total += mean.reshape(shape)
    order = np.argsort(total, axis=None, kind="stable")
    return np.ascontiguousarray(np.stack(np.unravel_index(order, total.shape), axis=1), dtype=np.int64)


def _flat(lattice: Lattice) -> tuple[Int32Array, IntArray, IntArray]:
    """Return the ladders of all columns in one array, with the start and the number of values of each."""
    widths = np.array([ladder.up.shape[1] for ladder in lattice.ladders], dtype=np.int64)
    sizes = np.array([ladder.up.size for ladder in lattice.ladders], dtype=np.int64)
    up = np.concatenate([ladder.up.ravel() for ladder in lattice.ladders]).astype(np.int32)
    return up, np.cumsum(sizes) - sizes, widths


def _node(bottom: Node, rows: IntArray, labels: IntArray, totals: IntArray) -> Node:
    """Return groups of some patterns as a node that a model can judge."""
    if bottom.values is None:
        return Node(rows, totals)
    place = np.full(len(bottom.counts), -1, dtype=np.int64)
    place[rows] = labels
    old = bottom.values
    there = place[old.group] >= 0
    width = len(old.overall)
    words, at = np.unique(place[old.group[there]] * width + old.value[there], return_inverse=True)
    count = np.asarray(np.bincount(at.ravel(), weights=old.count[there], minlength=len(words)), dtype=np.float64)
    pairs = diversity.GroupValues(words // width, words % width, count, totals.astype(np.float64), old.overall)
    return Node(rows, totals, pairs)


def _with_rest(lattice: Lattice, model: PrivacyModel, made: LocalRecoding, left: IntArray) -> LocalRecoding | None:
    """Let the patterns that are left join settled groups, those under each combination of coarsest labels apart."""
    levels, group = made.levels.copy(), made.group.copy()
    roots = lattice.grouped(lattice.top)[1]
    for root in np.unique(roots[left]):
        if not _join(lattice, model, levels, group, left[roots[left] == root], roots == root):
            return None
    return LocalRecoding(levels, group)


def _join(
    lattice: Lattice, model: PrivacyModel, levels: IntArray, group: IntArray, left: IntArray, near: BoolArray
) -> bool:
    """Let patterns join the settled group near them that loses least, or as many as it takes; whether that was enough."""
    bottom = lattice.node((0,) * len(lattice.top))
    settled = np.flatnonzero((group >= 0) & near)
    if not len(settled):
        return False
    numbers, first = np.unique(group[settled], return_index=True)
    sizes = np.asarray(np.bincount(group[settled], weights=bottom.counts[settled])[numbers], dtype=np.float64)
    members = settled[first]
    joined, cost = _joined_levels(lattice, levels[members], members, left, sizes, float(bottom.counts[left].sum()))
    order = np.argsort(cost, kind="stable")
    together = left
    for is_single in (True, False):
        for g in order:
            others = settled[group[settled] == numbers[g]]
            rows = np.append(left if is_single else together, others)
            total = np.array([bottom.counts[rows].sum()])
            if not model.bad(_node(bottom, rows, np.zeros(len(rows), dtype=np.int64), total))[0]:
                levels[rows] = joined[g] if is_single else np.array(lattice.top)
                group[rows] = numbers[g]
                return True
            together = together if is_single else rows
    return False


def _joined_levels(
    lattice: Lattice, levels: IntArray, members: IntArray, left: IntArray, sizes: FloatArray, extra: float
) -> tuple[IntArray, FloatArray]:
    """Return the levels at which each group has equal values with all that is left, and what joining costs."""
    joined, cost = levels.copy(), np.zeros(len(members))
    for j, ladder in enumerate(lattice.ladders):
        ours, theirs = lattice.codes[members, j], lattice.codes[left, j]
        shared = np.full(len(members), len(ladder.up) - 1, dtype=np.int64)
        for level in range(len(ladder.up) - 1, -1, -1):
            lifted = np.unique(ladder.up[level][theirs])
            if len(lifted) == 1:
                shared[ladder.up[level][ours] == lifted[0]] = level
        joined[:, j] = np.maximum(levels[:, j], shared)
        cost += (sizes + extra) * ladder.loss[joined[:, j], ours] - sizes * ladder.loss[levels[:, j], ours]
    return joined, cost


@entry
def _next_hit(
    codes: Place2,
    counts: Int1,
    left: Int1,
    nodes: Int2,
    place: int,
    up: Place1,
    starts: Int1,
    widths: Int1,
    k: int,
) -> tuple[int, IntArray, IntArray]:
    """Return the first node from ``place`` on at which patterns that are left form a group of k, and its groups."""
    g, d = len(left), codes.shape[1]
    size = 16
    while size < 2 * g:
        size *= 2
    slots, labels = np.empty(size, np.int64), np.empty(g, np.int64)
    first, totals = np.empty(g, np.int64), np.empty(g, np.int64)
    lifted = np.empty((g, d), np.int32)
    before = np.full(d, -1, np.int64)
    while place < len(nodes):
        for j in range(d):
            if nodes[place, j] != before[j]:
                before[j] = nodes[place, j]
                shift = starts[j] + before[j] * widths[j]
                for i in range(g):
                    lifted[i, j] = up[shift + codes[left[i], j]]
        slots[:] = -1
        found, largest = 0, 0
        for i in range(g):
            mixed = np.uint64(0x9E3779B97F4A7C15)
            for j in range(d):
                mixed = (mixed ^ np.uint64(lifted[i, j])) * np.uint64(0xD6E8FEB86659FD93)
                mixed ^= mixed >> np.uint64(32)
            slot = np.int64(mixed & np.uint64(size - 1))
            while slots[slot] >= 0:
                other, is_same = first[slots[slot]], True
                for j in range(d):
                    if lifted[i, j] != lifted[other, j]:
                        is_same = False
                        break
                if is_same:
                    break
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot], first[found], totals[found] = found, i, 0
                found += 1
            labels[i] = slots[slot]
            totals[labels[i]] += counts[left[i]]
            largest = max(largest, totals[labels[i]])
        if largest >= k:
            return place, labels.copy(), totals[:found].copy()
        place += 1
    return place, labels[:0].copy(), totals[:0].copy()
