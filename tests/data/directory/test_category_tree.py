from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.directory.category_tree import DEEPEST, CategoryTree

PATHS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple), max_size=12)


@given(PATHS)
def test_every_path_and_all_above_it_are_there_once(paths: list[tuple[str, ...]]) -> None:
    tree = CategoryTree.from_paths(paths)
    expected = {path[:depth] for path in paths for depth in range(1, len(path) + 1)}
    assert set(tree.paths) == expected
    assert len(tree) == len(expected)
    assert tree.depth == max(map(len, expected), default=0)
    for place in range(len(tree)):
        path = tree.path(place)
        assert tree.paths[place] == path
        assert tree.places[path] == place
        assert tree.levels[place] == len(path)
        for level in range(1, 5):
            above = int(tree.at_level(level)[place])
            assert (tree.path(above) if above >= 0 else None) == (path[:level] if len(path) >= level else None)


@given(PATHS, st.integers(0, 2**12))
def test_a_part_of_a_tree_has_what_was_chosen_and_what_is_above(paths: list[tuple[str, ...]], chosen: int) -> None:
    tree = CategoryTree.from_paths(paths)
    kept = np.array([bool(chosen >> (place % 12) & 1) for place in range(len(tree))], bool)
    part, place = tree.select(kept)
    wanted = {tree.path(at)[:depth] for at in np.flatnonzero(kept).tolist() for depth in range(1, 5)}
    assert set(part.paths) == wanted & set(tree.paths)
    for old, new in enumerate(place.tolist()):
        assert new < 0 or part.path(new) == tree.path(old)


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(DataError, match="a parent for each name"):
        CategoryTree(("a",), np.zeros(2, np.int32))
    with pytest.raises(DataError, match="before its children"):
        CategoryTree(("a", "b"), np.array([1, -1], np.int32))


def test_a_tree_has_so_many_levels() -> None:
    def chain(length: int) -> CategoryTree:
        return CategoryTree(("x",) * length, np.arange(length, dtype=np.int32) - 1)

    assert chain(DEEPEST).depth == DEEPEST
    with pytest.raises(DataError, match="at most 64 levels"):
        chain(DEEPEST + 1)


def test_its_face_shows_no_name() -> None:
    assert repr(CategoryTree.from_paths([("secret",)])) == "CategoryTree of 1 categories on 1 levels"
