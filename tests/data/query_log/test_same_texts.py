"""Texts of two logs side by side: case and blanks do not count, and gaps stay gaps."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.directory.category_tree import CategoryTree
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.same_texts import (
    are_categories,
    lines_of_users,
    numbered_users,
    places_of_texts,
    texts_in_use,
)

words = st.lists(
    st.sampled_from(["tea", "Tea", " tea ", "green\t tea", "green tea", "milk", "rice", "ÄPFEL", "äpfel"]), max_size=8
)


@given(words, words)
def test_places_are_those_of_a_slow_search(texts: list[str], among: list[str]) -> None:
    folded = [" ".join(text.split()).lower() for text in among]
    asked = [" ".join(text.split()).lower() for text in texts]
    slow = [folded.index(text) if text in folded else -1 for text in asked]
    assert places_of_texts(pa.array(texts, pa.string()), pa.array(among, pa.string())).tolist() == slow


def test_users_come_in_the_order_that_was_asked_for() -> None:
    log = QueryLog.from_columns(["ann", "bob", "ann", "cat"], ["tea", "milk", "rice", "tea"])
    chosen = lines_of_users(log, np.array([2, 0]))
    assert chosen.users.to_pylist() == ["cat", "ann"]
    assert chosen.to_arrow().to_pydict() == {"user": ["ann", "ann", "cat"], "query": ["tea", "rice", "tea"]}
    assert lines_of_users(log, np.arange(0)).users.to_pylist() == []


def test_users_without_lines_stay_and_texts_without_lines_go() -> None:
    log = QueryLog.from_columns(["ann", "bob"], ["tea", "milk"]).take(np.array([1]))
    used = texts_in_use(log)
    assert used.texts.to_pylist() == ["milk"]
    assert used.users.to_pylist() == ["ann", "bob"]
    assert numbered_users(used).users.to_pylist() == ["0", "1"]


def test_lines_without_a_query_keep_having_none() -> None:
    log = QueryLog.from_columns(["ann", "ann", "bob"], ["tea", None, "milk"])
    used = texts_in_use(log.take(np.array([1, 2])))
    assert used.query.tolist() == [-1, 0]
    assert used.texts.to_pylist() == ["milk"]


def test_paths_of_categories_are_told_from_queries() -> None:
    tree = CategoryTree.from_paths([("Health", "Illnesses"), ("Arts",)])
    texts = pa.array(["health: illnesses", "Illnesses", "arts", "Arts: Music", None])
    assert are_categories(texts, tree).tolist() == [True, False, True, False, False]
