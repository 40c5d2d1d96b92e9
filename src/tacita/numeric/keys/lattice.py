"""Nodes of a generalisation lattice: groups of records with equal generalised keys, made from the groups of finer nodes.

A node is a vector of levels, one for each key column (0 = as it is). Its groups never come from the records: the groups of
any node below it are merged, so that a node costs O(g d) for the g groups of the finer one. Groups of the finest node are
the distinct key patterns of the file.

What a privacy model asks of a group is judged here as well. A group is **bad** when it breaks the model, and **hopeless**
when it has fewer than k records or fewer than l different confidential values. The records in hopeless groups of a node
contain those of every node above it: merging groups never makes a hopeless group out of one that is not. For bad groups
that holds only as long as there are none, because merging a bad with a good group can spoil the good one (entropy and
recursive l-diversity, t-closeness).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, Int1, IntArray, Place2
from tacita.core.kernel import entry
from tacita.numeric.keys import diversity
from tacita.numeric.keys.frequencies import find_patterns, number_words

__all__ = ["Ladder", "Lattice", "Node", "PrivacyModel", "build_lattice"]

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
        (levels, v): what a cell with that value loses at that level, from 0 to 1.
    """

    up: Int32Array = field(repr=False)
    loss: FloatArray = field(repr=False)

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
    """

    member: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)
    values: diversity.GroupValues | None = field(repr=False, default=None)


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivacyModel:
    """What every group must fulfil: k records, and enough variety of the confidential value.

    Parameters
    ----------
    k
        Smallest group size.
    l, form, c
        l-diversity by one of its three definitions; l = 1 asks for nothing.
    t, distance, ancestors
        t-closeness by one of its three distances; t = 1 asks for nothing. ``ancestors`` is for the hierarchical one.
    """

    k: int = 2
    l: float = 1.0  # noqa: E741 (the letter of the literature)
    form: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float = 3.0
    t: float = 1.0
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    ancestors: IntArray | None = field(repr=False, default=None)

    @property
    def needs_values(self) -> bool:
        """Whether the confidential column enters."""
        return self.l > 1 or self.t < 1

    @property
    def is_monotone(self) -> bool:
        """Whether records in bad groups can only become fewer on the way up."""
        return self.t >= 1 and (self.l <= 1 or self.form == "distinct")

    def hopeless(self, node: Node) -> BoolArray:
        """Return the groups with too few records or too few different values."""
        found: BoolArray = node.counts < self.k
        if self.l > 1 and node.values is not None:
            least = int(self.l) if self.form == "recursive" else self.l * (1 - 1e-12)
            found = found | (diversity.distinct_values(node.values) < least)
        return found

    def bad(self, node: Node) -> BoolArray:
        """Return the groups that break the model."""
        found, values = self.hopeless(node), node.values
        if values is None:
            return found
        if self.l > 1 and self.form == "entropy":
            found = found | (diversity.entropy_values(values) < self.l * (1 - 1e-12))
        if self.l > 1 and self.form == "recursive":
            found = found | (diversity.recursive_ratio(values, int(self.l)) >= self.c)
        if self.t < 1:
            found = found | (self._distances(values) > self.t + 1e-12)
        return found

    def _distances(self, values: diversity.GroupValues) -> FloatArray:
        if self.distance == "hierarchical" and self.ancestors is not None:
            return diversity.hierarchical_distance(values, self.ancestors)
        if self.distance == "ordered":
            return diversity.ordered_distance(values)
        return diversity.equal_distance(values)


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

    def cell_losses(self, node: Node, levels: Levels) -> FloatArray:
        """Return the loss of a record in each group: the mean over its cells."""
        total = np.zeros(len(node.member))
        for j, (ladder, level) in enumerate(zip(self.ladders, levels, strict=True)):
            total += ladder.loss[level][self.codes[node.member, j]]
        return total / max(len(levels), 1)

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
        if source.values is None:
            return Node(member, counts)
        old, width = source.values, len(source.values.overall)
        place, known, _ = number_words(labels[old.group] * width + old.value, max(len(member) * width, 1))
        found = np.asarray(np.bincount(place, weights=old.count, minlength=len(known)), dtype=np.float64)
        values = diversity.GroupValues(known // width, known % width, found, counts.astype(np.float64), old.overall)
        return Node(member, counts, values)

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
    columns: list[IntArray], ladders: list[Ladder], values: IntArray | None = None, n_values: int = 0
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
    """
    found = find_patterns(
        (codes, ladder.up.shape[1]) for codes, ladder in zip(columns, ladders, strict=True)
    )  # no code is missing here
    pairs = None if values is None else diversity.group_values(found.labels, values, n_values)
    bottom = Node(np.arange(len(found.counts)), found.counts.astype(np.int64), pairs)
    codes = np.ascontiguousarray(found.codes, dtype=np.int32)
    return Lattice(tuple(ladders), codes, bottom), found.labels


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
