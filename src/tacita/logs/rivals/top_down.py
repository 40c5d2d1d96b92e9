"""Sets of items generalised from the top of a tree downwards, a group of sets at a time, until nothing can be split any more."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.directory.category_tree import CategoryTree

__all__ = ["ItemTree", "ToldAlike", "item_tree", "top_down_parts"]

_ROOT = 0


@dataclass(frozen=True, eq=False)
class ItemTree:
    """The part of a tree that the items of some sets lie in, below one root; every item is a leaf.

    Parameters
    ----------
    category
        The category of each node; -1 for the root.
    first, last
        The leaves below each node, from ``first`` up to but not including ``last``.
    children
        The nodes right below each node.
    leaf
        The leaf of each category that is an item; -1 for the others.

    Notes
    -----
    A category that is an item and has items below it has a leaf for itself among its children.
    """

    category: IntArray
    first: IntArray
    last: IntArray
    children: tuple[IntArray, ...]
    leaf: IntArray

    @property
    def leaves(self) -> int:
        """How many items there are."""
        return int(self.last[_ROOT])

    @cached_property
    def loss(self) -> IntArray:
        """What is lost of an item told as a node: how many items are below it, nothing for a leaf; over all items, NCP."""
        wide = self.last - self.first
        return np.where(wide > 1, wide, 0)


def item_tree(tree: CategoryTree, items: IntArray) -> ItemTree:
    """Return the tree of some categories. O(c) for the c categories of the tree, in Python for those above an item.

    Examples
    --------
    >>> made = item_tree(CategoryTree.from_paths([("a", "a1"), ("a", "a2"), ("b",)]), np.array([1, 2, 3]))
    >>> made.category.tolist(), made.last.tolist(), made.leaf.tolist()
    ([-1, 0, 1, 2, 3], [3, 2, 1, 2, 3], [-1, 0, 1, 2])
    """
    is_item = np.zeros(len(tree), bool)
    is_item[items] = True
    used = is_item.copy()
    for level in range(tree.depth, 1, -1):
        used[tree.parents[np.flatnonzero(used & (tree.levels == level))]] = True
    below: dict[int, list[int]] = {}
    for place in np.flatnonzero(used).tolist():
        below.setdefault(int(tree.parents[place]), []).append(place)
    category: list[int] = []
    spans: list[tuple[int, int]] = []
    children: list[list[int]] = []
    leaf = np.full(len(tree), -1, np.int64)

    def grow(place: int, inside: list[int], leaves: int) -> tuple[int, int]:
        """Add a node and all below it; return it, and how many leaves there are now."""
        node, begin = len(category), leaves
        category.append(place)
        spans.append((begin, begin))
        children.append([])
        if not inside:
            leaf[place] = leaves
            leaves += 1
        elif place >= 0 and is_item[place]:
            own, leaves = grow(place, [], leaves)
            children[node].append(own)
        for child in inside:
            own, leaves = grow(child, below.get(child, []), leaves)
            children[node].append(own)
        spans[node] = (begin, leaves)
        return node, leaves

    if below:
        grow(-1, below[-1], 0)
    first, last = (np.array(side, np.int64) for side in zip(*spans, strict=True)) if spans else (np.zeros(1, int),) * 2
    return ItemTree(
        np.array(category or [-1]),
        first,
        last,
        tuple(np.array(c, np.int64) for c in children) or (np.zeros(0, int),),
        leaf,
    )


class ToldAlike(NamedTuple):
    """Sets that are told alike."""

    members: IntArray
    nodes: IntArray
    """What each of them is told as."""


class _ItemSets(NamedTuple):
    """Sets of leaves, set by set and ascending within each."""

    start: IntArray
    leaf: IntArray

    def of(self, members: IntArray) -> tuple[IntArray, IntArray]:
        """Return the place among the members, and the leaf, of each of their items."""
        sizes = self.start[members + 1] - self.start[members]
        row = np.repeat(np.arange(len(members)), sizes)
        within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return row, self.leaf[self.start[members][row] + within]


def top_down_parts(tree: ItemTree, start: IntArray, leaf: IntArray, k: int) -> list[ToldAlike]:
    """Divide sets into parts of at least k that are told alike (algorithm Anonymize).

    Parameters
    ----------
    tree
        The tree of the items.
    start, leaf
        The leaves of set i are ``leaf[start[i] : start[i + 1]]``, each once; no set is empty.
    k
        Fewest sets of a part; there are as many.

    Notes
    -----
    Each step looks at the items of one part only. O(s) time and memory for s items at each level of splitting.
    """
    sets = _ItemSets(start, leaf)
    found: list[ToldAlike] = []
    waiting = [(np.arange(len(start) - 1), np.array([_ROOT]), frozenset[int]())]
    while waiting:
        members, nodes, tried = waiting.pop()
        row, items = sets.of(members)
        for node in _by_gain(tree, items, nodes, tried):
            tried = tried | {node}
            parts, left = _split(tree, row, items, len(members), node, k)
            if not parts:
                continue
            others = nodes[nodes != node]
            for inside, into in parts:
                waiting.append((members[inside], np.concatenate([others, into]), tried))
            if len(left):
                waiting.append((members[left], nodes, tried))
            break
        else:
            found.append(ToldAlike(members, np.sort(nodes)))
    return found


def _by_gain(tree: ItemTree, items: IntArray, nodes: IntArray, tried: frozenset[int]) -> list[int]:
    """Return the nodes that can be expanded, the one first that loses least when it is (pickNode)."""
    open_ = [int(node) for node in nodes if len(tree.children[node]) and int(node) not in tried]
    gains = [_gain_of_items(tree, items, node)[1].sum() for node in open_]
    order = np.lexsort((np.array(open_), -np.array(gains)))
    return [open_[place] for place in order]


def _gain_of_items(tree: ItemTree, items: IntArray, node: int) -> tuple[IntArray, IntArray]:
    """Return which items lie below a node, and what each of them gains when it is told as a child instead."""
    inside = np.flatnonzero((items >= tree.first[node]) & (items < tree.last[node]))
    children = tree.children[node]
    child = children[np.searchsorted(tree.first[children], items[inside], side="right") - 1]
    loss = tree.loss
    return inside, loss[node] - loss[child]


def _split(
    tree: ItemTree, row: IntArray, items: IntArray, members: int, node: int, k: int
) -> tuple[list[tuple[IntArray, IntArray]], IntArray]:
    """Return the parts that expanding a node makes, each with the children it is told as, and what is left over.

    Sets go by which children of the node they have (distributeData); parts with fewer than k sets are left over together, and are
    filled up to k (balancePartitions).
    """
    inside, gain = _gain_of_items(tree, items, node)
    children = tree.children[node]
    child = np.searchsorted(tree.first[children], items[inside], side="right") - 1
    has = np.zeros((members, len(children)), bool)
    has[row[inside], child] = True
    packed = np.ascontiguousarray(np.packbits(has, axis=1))
    _, example, label, size = np.unique(
        packed.view(np.dtype((np.void, packed.shape[1]))).ravel(),
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    worth = np.bincount(row[inside], weights=gain, minlength=members).astype(np.int64)
    stays = _balanced(label, size, worth, k)
    parts = [
        (np.flatnonzero(stays & (label == group)), children[has[example[group]]]) for group in np.unique(label[stays])
    ]
    return parts, np.flatnonzero(~stays)


def _balanced(label: IntArray, size: IntArray, worth: IntArray, k: int) -> BoolArray:
    """Return which sets stay in a part of their own; the others are left over, none or at least k of them."""
    stays = size[label] >= k
    while stays.any() and 0 < (lacking := k - int((~stays).sum())) < k:
        spare = _spare(np.flatnonzero(stays), label, worth, k)
        if len(spare) >= lacking:
            stays[spare[np.lexsort((spare, worth[spare]))[:lacking]]] = False
        else:
            totals = np.bincount(label[stays], weights=worth[stays], minlength=len(size))
            there = np.unique(label[stays])
            stays[label == there[np.argmin(totals[there])]] = False  # the part that gains least is given up
    return stays


def _spare(sets: IntArray, label: IntArray, worth: IntArray, k: int) -> IntArray:
    """Return the sets that their part can do without: all but the k of it that gain most."""
    order = sets[np.lexsort((sets, -worth[sets], label[sets]))]
    first = np.flatnonzero(np.diff(label[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return order[rank >= k]
