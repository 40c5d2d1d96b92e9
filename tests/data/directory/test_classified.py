from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tacita.core.errors import DataError, ParameterError
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified

TREE = CategoryTree.from_paths([("a", "b", "c"), ("a", "d"), ("e", "f", "g"), ("e", "f", "h")])
ENTRIES = st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 3), st.integers(0, len(TREE) - 1)), max_size=30)


def counted(entries: list[tuple[int, int, int]], level: int) -> np.ndarray:
    """How many terms of each text fall into each category of a level, by sets."""
    counts = np.zeros((5, len(TREE)), int)
    for text, _, above in {(text, term, int(TREE.at_level(level)[category])) for text, term, category in entries}:
        if above >= 0:
            counts[text, above] += 1
    return counts


@given(ENTRIES)
def test_a_term_counts_once_for_each_category_of_a_level(entries: list[tuple[int, int, int]]) -> None:
    text, term, category = np.array(entries, np.int64).reshape(-1, 3).T
    made = Classified.from_categories(TREE, 5, text, term, category, depth=4)
    assert (made.depth, made.texts) == (4, 5)
    for level in range(1, 5):
        assert made.levels[level - 1].toarray().tolist() == counted(entries, level).tolist()


def test_the_numbers_of_terms_may_be_any() -> None:
    text, category = np.array([1, 0, 1, 1]), np.array([0, 0, 1, 4])
    for term in ([5, 5, 5, 9], [-(2**62), 2**62, -(2**62), 0], [9, 5, 9, 5]):
        made = Classified.from_categories(TREE, 2, text, np.array(term), category, depth=1)
        assert made.levels[0].toarray()[:, [0, TREE.places["e",]]].tolist() == [[1, 0], [1, 1]]


@given(ENTRIES)
def test_terms_that_texts_share_count_the_same(entries: list[tuple[int, int, int]]) -> None:
    """A term has the same categories in every text here."""
    of_term = {term: {c for _, t, c in entries if t == term} for _, term, _ in entries}
    full = [(text, term, c) for text, term, _ in entries for c in of_term[term]]
    terms, categories = np.zeros((5, 7), int), np.zeros((7, len(TREE)), int)
    for text, term, category in full:
        terms[text, term + 3] += 2
        categories[term + 3, category] += 1
    made = Classified.from_terms(TREE, sparse.csr_array(terms), sparse.csr_array(categories), depth=3)
    for level in range(1, 4):
        assert made.levels[level - 1].toarray().tolist() == counted(full, level).tolist()


def test_shares_weigh_by_how_often_a_text_was_asked() -> None:
    made = Classified.from_categories(
        TREE, 3, np.array([0, 1]), np.array([0, 0]), np.array([TREE.places["a", "d"], TREE.places["e",]]), depth=3
    )
    assert made.share().tolist() == [2 / 3, 1 / 3, 0]
    assert made.share([1, 1, 0]).tolist() == [1, 0.5, 0]
    assert made.share([0, 0, 0]).tolist() == [0, 0, 0]
    assert made.at(np.array([2, 1])).share().tolist() == [0.5, 0, 0]


def test_what_does_not_fit_the_tree_is_refused() -> None:
    with pytest.raises(DataError, match="categories of the tree"):
        Classified(TREE, (sparse.csr_array((2, 3)),))
    with pytest.raises(DataError, match="at least one level"):
        Classified(TREE, ())
    with pytest.raises(ParameterError, match="'depth' must be at least 1"):
        Classified.from_categories(TREE, 1, np.zeros(0, int), np.zeros(0, int), np.zeros(0, int), depth=0)
