"""Nodes of a generalisation lattice: groups of records with equal generalised keys, made from the groups of finer nodes.

A node is a vector of levels, one for each key column (0 = as it is). Its groups never come from the records: the groups of
any node below it are merged, so that a node costs O(g d) for the g groups of the finer one. Groups of the finest node are
the distinct key patterns of the file.

What a privacy model asks of the groups is judged by :mod:`tacita.numeric.keys.privacy_model`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, Int1, IntArray, Place2
from tacita.core.kernel import entry
from tacita.numeric.keys import diversity
from tacita.numeric.keys.frequencies import find_patterns, number_words

__all__ = ["Ladder", "Lattice", "Node", "build_lattice"]

Int32Array = npt.NDArray[np.int32]
Levels = tuple[int, ...]

_KEPT_GROUPS = 2**23
"""Groups of earlier nodes that are kept to merge later ones from."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of one key column.

    Parameters
    ----------
    up
        (levels, v): group of each of v values at each level; level 0 are the values themselves.
    loss
        (levels, v): what a cell with that value loses at that level; ``full`` less that is the same for all of a group.
    full
        (v,): what a suppressed cell with that value loses; None for 1.
    """

    up: Int32Array = field(repr=False)
    loss: FloatArray = field(repr=False)
    full: FloatArray | None = field(repr=False, default=None)

    @property
    def height(self) -> int:
        """The coarsest level."""
        return len(self.up) - 1


@dataclass(frozen=True, eq=False)
class Node:
    """Groups of one node.

    Parameters
    ----------
    member
        (g,): one pattern of each group, which stands for its generalised values.
    counts
        (g,): records of each group.
    values
        Confidential values in the groups, where the model looks at them.
    population
        (g,): persons of each group in the population, where the model looks at them.
    full
        (g,): what all records of a group lose when they are suppressed; None for 1 each.
    """

    member: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)
    values: diversity.GroupValues | None = field(repr=False, default=None)
    population: FloatArray | None = field(repr=False, default=None)
    full: FloatArray | None = field(repr=False, default=None)


class Lattice:
    """All nodes over some columns; groups of nodes that were looked at are kept to make others from.

    Parameters
    ----------
    ladders
        Levels of each column.
    codes
        (m, d): the distinct key patterns.
    bottom
        Groups of the finest node: the patterns themselves.
    """

    def __init__(self, ladders: tuple[Ladder, ...], codes: Int32Array, bottom: Node) -> None:
        self.ladders, self.codes = ladders, codes
        self.top: Levels = tuple(ladder.height for ladder in ladders)
        self.n_records = int(bottom.counts.sum())
        self._widest = max((ladder.up.shape[1] for ladder in ladders), default=0)
        floor: Levels = (0,) * len(ladders)
        self._nodes: dict[Levels, Node] = {floor: bottom}
        self._known, self._sizes = np.array([floor]), np.array([len(bottom.counts)])

    @property
    def size(self) -> int:
        """Number of nodes."""
        found = 1
        for height in self.top:
            found *= height + 1
        return found

    def node(self, levels: Levels) -> Node:
        """Return the groups of a node, merged from those of the known node below it that has the fewest."""
        known = self._nodes.get(levels)
        if known is not None:
            return known
        below = np.flatnonzero((self._known <= np.array(levels)).all(axis=1))
        source = self._nodes[tuple(self._known[below[np.argmin(self._sizes[below])]].tolist())]
        made = self._merged(source, levels)
        self._keep(levels, made)
        return made

    def left_of_cells(self, node: Node, levels: Levels) -> FloatArray:
        """Return what a record of each group still has at some levels and would lose by suppression: the mean over its cells."""
        total = np.zeros(len(node.member))
        for j, (ladder, level) in enumerate(zip(self.ladders, levels, strict=True)):
            left = (1.0 if ladder.full is None else ladder.full) - ladder.loss[level]
            total += left[self.codes[node.member, j]]
        return total / max(len(levels), 1)

    def least_full(self) -> float:
        """Return the least that a suppressed record loses."""
        least = [1.0 if ladder.full is None else float(ladder.full.min(initial=1.0)) for ladder in self.ladders]
        return sum(least) / max(len(least), 1)

    def mean_losses(self) -> list[FloatArray]:
        """Return for each column and level the mean loss of its cells, so that a node's mean is the mean of d numbers."""
        bottom = self._nodes[(0,) * len(self.top)]
        total = max(self.n_records, 1)
        return [ladder.loss[:, self.codes[:, j]] @ bottom.counts / total for j, ladder in enumerate(self.ladders)]

    def grouped(self, levels: Levels) -> tuple[Node, IntArray]:
        """Return the groups of a node, numbered anew, and the number of each pattern's group."""
        bottom = self._nodes[(0,) * len(self.top)]
        labels = _merge(self.codes, bottom.member, bottom.counts, self._lift(levels))[0]
        return self._merged(bottom, levels), labels

    def _lift(self, levels: Levels) -> Int32Array:
        lift = np.zeros((len(levels), self._widest), dtype=np.int32)
        for j, (ladder, level) in enumerate(zip(self.ladders, levels, strict=True)):
            lift[j, : ladder.up.shape[1]] = ladder.up[level]
        return lift

    def _merged(self, source: Node, levels: Levels) -> Node:
        labels, member, counts = _merge(self.codes, source.member, source.counts, self._lift(levels))
        population, full = (_summed(labels, part, len(member)) for part in (source.population, source.full))
        if source.values is None:
            return Node(member, counts, None, population, full)
        old, width = source.values, len(source.values.overall)
        place, known, _ = number_words(labels[old.group] * width + old.value, max(len(member) * width, 1))
        found = np.asarray(np.bincount(place, weights=old.count, minlength=len(known)), dtype=np.float64)
        values = diversity.GroupValues(known // width, known % width, found, counts.astype(np.float64), old.overall)
        return Node(member, counts, values, population, full)

    def _keep(self, levels: Levels, node: Node) -> None:
        size = len(node.counts) + (0 if node.values is None else len(node.values.group))
        if self._sizes.sum() + size > _KEPT_GROUPS and len(self._nodes) > 1:
            # The finest node stays, since everything can be made from it; half of the others go, the largest first.
            rest = np.argsort(self._sizes[1:], kind="stable")[: (len(self._nodes) - 1) // 2] + 1
            stay = np.append(0, np.sort(rest))
            self._known, self._sizes = self._known[stay], self._sizes[stay]
            self._nodes = {tuple(row): self._nodes[tuple(row)] for row in self._known.tolist()}
        self._nodes[levels] = node
        self._known = np.vstack([self._known, levels])
        self._sizes = np.append(self._sizes, size)


def build_lattice(
    columns: list[IntArray],
    ladders: list[Ladder],
    values: IntArray | None = None,
    n_values: int = 0,
    *,
    population: FloatArray | None = None,
    released: BoolArray | None = None,
) -> tuple[Lattice, IntArray]:
    """Return the lattice of some records and the pattern of each record.

    Parameters
    ----------
    columns
        Codes of each key column, from 0; every code has a place in the column's ladder.
    ladders
        Levels of each column.
    values, n_values
        Codes of the confidential column and their number, where the model needs them.
    population
        (n,): how many persons of the population each record stands for, where the model needs them.
    released
        (n,): records of the file to be released; others only stand for the population. None for all.
    """
    found = find_patterns(
        (codes, ladder.up.shape[1]) for codes, ladder in zip(columns, ladders, strict=True)
    )  # no code is missing here
    m = len(found.counts)
    kept = slice(None) if released is None else np.flatnonzero(released)
    labels = found.labels[kept]
    counts = np.bincount(labels, minlength=m).astype(np.int64)
    codes = np.ascontiguousarray(found.codes, dtype=np.int32)
    persons = _summed(found.labels, population, m)
    pairs = None if values is None else diversity.group_values(labels, values[kept], n_values, groups=m)
    bottom = Node(np.arange(m), counts, pairs, persons, _full_of(ladders, codes, counts))
    return Lattice(tuple(ladders), codes, bottom), found.labels


def _full_of(ladders: list[Ladder], codes: Int32Array, counts: IntArray) -> FloatArray | None:
    """Return what all records of each pattern lose when they are suppressed; None where that is 1 each."""
    if all(ladder.full is None for ladder in ladders):
        return None
    total = np.zeros(len(counts))
    for j, ladder in enumerate(ladders):
        total += 1.0 if ladder.full is None else ladder.full[codes[:, j]]
    return np.asarray(total / len(ladders) * counts)


def _summed(labels: IntArray, part: FloatArray | None, groups: int) -> FloatArray | None:
    return None if part is None else np.asarray(np.bincount(labels, weights=part, minlength=groups), dtype=np.float64)


@entry
def _merge(codes: Place2, member: Int1, counts: Int1, lift: Place2) -> tuple[IntArray, IntArray, IntArray]:
    """Number groups by their lifted codes: label of each old group, one member and the count of each new one. O(g d)."""
    g, d = len(member), codes.shape[1]
    size = 16
    while size < 2 * g:
        size *= 2
    slots = np.full(size, -1, np.int64)
    labels, made, total = np.empty(g, np.int64), np.empty(g, np.int64), np.zeros(g, np.int64)
    found = 0
    for i in range(g):
        row = member[i]
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for j in range(d):
            mixed = (mixed ^ np.uint64(lift[j, codes[row, j]])) * np.uint64(0xD6E8FEB86659FD93)
            mixed ^= mixed >> np.uint64(32)
        slot = np.int64(mixed & np.uint64(size - 1))
        while slots[slot] >= 0:
            other, is_same = made[slots[slot]], True
            for j in range(d):
                if lift[j, codes[row, j]] != lift[j, codes[other, j]]:
                    is_same = False
                    break
            if is_same:
                break
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot], made[found] = found, row
            found += 1
        labels[i] = slots[slot]
        total[slots[slot]] += counts[i]
    return labels, made[:found].copy(), total[:found].copy()
