"""Rivals of query logs, spelled out: sets and loops, as their papers tell them."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations

from tacita.data.directory.category_tree import CategoryTree

# --- independent sets -----------------------------------------------------------------------------------------------------


def is_separate(results: dict[int, set[int]], kept: set[int]) -> bool:
    """Whether no two of the kept queries share a result."""
    return not any(results[a] & results[b] for a, b in combinations(sorted(kept), 2))


def is_full(results: dict[int, set[int]], kept: set[int]) -> bool:
    """Whether no further query could be kept."""
    return not any(is_separate(results, kept | {query}) for query in set(results) - kept)


def promised(results: dict[int, set[int]], weight: list[float]) -> float:
    """The weight that a greedy set has at least: the sum of weight / (degree + 1), every shared result counted."""
    total = 0.0
    for query, own in results.items():
        degree = sum(len(own & other) for name, other in results.items() if name != query)
        total += weight[query] / (degree + 1)
    return total


def heaviest(results: dict[int, set[int]], weight: list[float]) -> float:
    """The weight of the best set, by trying all."""
    every = sorted(results)
    sets = (set(some) for size in range(len(every) + 1) for some in combinations(every, size))
    return max(sum(weight[query] for query in kept) for kept in sets if is_separate(results, kept))


# --- generalisation -------------------------------------------------------------------------------------------------------

Node = tuple[int, bool]
"""A category, and whether it is meant itself rather than all below it."""
ROOT: Node = (-1, False)


class Generalisation:
    """The sets of users over a tree of items, generalised by the words of the article."""

    def __init__(self, tree: CategoryTree, sets: list[set[int]], k: int) -> None:
        self.tree, self.k = tree, k
        self.items = sorted(set().union(*sets))
        self.sets = sets
        self.parts: list[tuple[list[int], set[Node]]] = []
        self.anonymize(list(range(len(sets))), {ROOT}, set())

    def path(self, item: int) -> list[Node]:
        """The nodes that an item can be told as, from the root to itself."""
        above = [item]
        while self.tree.parents[above[-1]] >= 0:
            above.append(int(self.tree.parents[above[-1]]))
        found: list[Node] = [ROOT, *((place, False) for place in reversed(above))]
        has_below = any(item in self.ancestors(other) for other in self.items if other != item)
        return [*found, (item, True)] if has_below else found

    def ancestors(self, item: int) -> set[int]:
        """The categories that an item lies below."""
        found, place = set(), int(self.tree.parents[item])
        while place >= 0:
            found.add(place)
            place = int(self.tree.parents[place])
        return found

    def loss(self, node: Node) -> int:
        """How many items a node may stand for; 0 for an item itself."""
        below = [item for item in self.items if node in self.path(item)]
        return len(below) if len(below) > 1 else 0

    def gain(self, user: int, node: Node) -> int:
        """What a set gains when the node is expanded."""
        total = 0
        for item in sorted(self.sets[user]):
            path = self.path(item)
            if node in path and path.index(node) + 1 < len(path):
                total += self.loss(node) - self.loss(path[path.index(node) + 1])
        return total

    def place(self, node: Node) -> list[int]:
        """Where a node stands in the tree; of equal ones the first is taken."""
        place, itself = node
        above = sorted(self.ancestors(place)) if place >= 0 else []
        return [*above, *([place] if place >= 0 else []), *([-1] if itself else [])]

    def children(self, user: int, node: Node) -> frozenset[Node]:
        """Which children of a node a set has."""
        paths = [self.path(item) for item in self.sets[user]]
        return frozenset(
            path[path.index(node) + 1] for path in paths if node in path and path.index(node) + 1 < len(path)
        )

    def anonymize(self, members: list[int], nodes: set[Node], tried: set[Node]) -> None:
        """Expand the node that gains most; go on with the parts."""
        open_ = [n for n in nodes if n not in tried and any(self.children(u, n) for u in members)]
        for node in sorted(open_, key=lambda n: (-sum(self.gain(u, n) for u in members), self.place(n))):
            tried = tried | {node}
            parts: dict[frozenset[Node], list[int]] = defaultdict(list)
            for user in members:
                parts[self.children(user, node)].append(user)
            kept, left = self.balance(parts, node)
            if kept:
                for into, inside in kept.items():
                    self.anonymize(inside, nodes - {node} | into, tried)
                if left:
                    self.anonymize(left, nodes, tried)
                return
        self.parts.append((sorted(members), nodes))

    def balance(
        self, parts: dict[frozenset[Node], list[int]], node: Node
    ) -> tuple[dict[frozenset[Node], list[int]], list[int]]:
        """Small parts together, filled up to k."""
        kept = {into: inside for into, inside in parts.items() if len(inside) >= self.k}
        left = [user for inside in parts.values() if len(inside) < self.k for user in inside]
        while kept and 0 < len(left) < self.k:
            spare = []
            for inside in kept.values():
                dear = sorted(inside, key=lambda u: (-self.gain(u, node), u))
                spare += dear[self.k :]
            lacking = self.k - len(left)
            if len(spare) >= lacking:
                moved = sorted(spare, key=lambda u: (self.gain(u, node), u))[:lacking]
                left += moved
                kept = {into: [u for u in inside if u not in moved] for into, inside in kept.items()}
            else:
                every = sorted(set().union(*parts), key=self.place)
                least = min(
                    kept, key=lambda into: (sum(self.gain(u, node) for u in kept[into]), [n in into for n in every])
                )
                left += kept.pop(least)
        return kept, left

    def total_loss(self) -> float:
        """The mean loss of all items."""
        told = []
        for members, nodes in self.parts:
            for user in members:
                for item in self.sets[user]:
                    told.append(self.loss(next(node for node in reversed(self.path(item)) if node in nodes)))
        return sum(told) / len(told) / len(self.items)


# --- differential privacy -------------------------------------------------------------------------------------------------


def chance_to_pass(count: int, threshold: int, scale: float, *, reach: int = 4000) -> float:
    """The chance that a count with whole Laplace noise passes a threshold, by adding up the chances of all noises."""
    weights = {v: math.exp(-abs(v) / scale) for v in range(-reach, reach + 1)}
    return sum(w for v, w in weights.items() if count + v > threshold) / sum(weights.values())
