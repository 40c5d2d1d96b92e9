"""Generalisation from the top down against the words of the article, and parts that keep their promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.directory.category_tree import CategoryTree
from tacita.logs.rivals.top_down import ItemTree, ToldAlike, item_tree, top_down_parts
from tests.logs.material import TREE
from tests.oracles.logs.rivals import Generalisation, Node

SETS = st.lists(st.sets(st.integers(0, len(TREE) - 1), min_size=1, max_size=4), min_size=2, max_size=14)


def divided(sets: list[set[int]], k: int) -> tuple[ItemTree, list[ToldAlike]]:
    tree = item_tree(TREE, np.array(sorted(set().union(*sets))))
    leaves = [np.sort(tree.leaf[sorted(found)]) for found in sets]
    start = np.concatenate([[0], np.cumsum([len(found) for found in sets])])
    return tree, top_down_parts(tree, start, np.concatenate(leaves), k)


def told(tree: ItemTree, node: int) -> Node:
    """A node as the slow version has it."""
    category = int(tree.category[node])
    is_own = node > 0 and not len(tree.children[node]) and int((tree.category == category).sum()) > 1
    return category, is_own


@given(SETS, st.integers(2, 4))
def test_the_slow_version(sets: list[set[int]], k: int) -> None:
    k = min(k, len(sets))
    tree, parts = divided(sets, k)
    slow = Generalisation(TREE, sets, k)
    fast = sorted((part.members.tolist(), {told(tree, node) for node in part.nodes}) for part in parts)
    assert fast == sorted(slow.parts, key=lambda part: part[0])


@given(SETS, st.integers(2, 5))
def test_every_part_has_k_sets_that_are_told_alike(sets: list[set[int]], k: int) -> None:
    k = min(k, len(sets))
    tree, parts = divided(sets, k)
    assert sorted(member for part in parts for member in part.members) == list(range(len(sets)))
    for part in parts:
        assert len(part.members) >= k
        for member in part.members:
            leaves = tree.leaf[sorted(sets[member])]
            of_nodes = [{int(x) for x in leaves if tree.first[n] <= x < tree.last[n]} for n in part.nodes]
            assert all(of_nodes), "a node that a set has nothing of"
            assert sum(len(found) for found in of_nodes) == len(leaves), "an item that no node, or more than one, tells"


def test_alike_sets_are_told_as_they_are() -> None:
    tree, parts = divided([{2, 12}] * 3 + [{3}] * 3, 3)
    assert sorted(sorted(tree.category[part.nodes].tolist()) for part in parts) == [[2, 12], [3]]


def test_an_item_above_others_is_told_as_itself() -> None:
    tree = item_tree(CategoryTree.from_paths([("a", "b")]), np.array([0, 1]))
    assert tree.leaf.tolist() == [0, 1]
    assert tree.category.tolist() == [-1, 0, 0, 1]


@pytest.mark.parametrize("users", [200])
def test_many_sets_are_divided_far(users: int) -> None:
    rng = np.random.default_rng(3)
    leaves = np.flatnonzero(TREE.levels == 3)
    sets = [set(rng.choice(leaves, 2, replace=False).tolist()) for _ in range(users)]
    parts = divided(sets, 3)[1]
    assert len(parts) > 20
    assert min(len(part.members) for part in parts) >= 3
